/* SPDX-License-Identifier: MIT */
#include "host/wire.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "host/clean_text.h"
#include "host/memory.h"

#define FAULTS_KEPT 16
#define FOREIGN_LENGTH 300
#define TEXT_LENGTH 4096
#define MEMBERS_MOST 256
#define OBJECTS_MOST 16

struct wire {
	struct wire_result result;
	bool *planned;
	unsigned n_planned;
	char *line;
	size_t n_line, line_size, n_bytes;
	unsigned n_lines;
	bool line_too_long, bound_reached;
	bool at_end; /* the last line has no line break: it may have been cut off by a kill */
};

/* ---------------------------------------------------------------- faults */

static bool fault(struct wire *wire, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Notes a fault and returns false, so that "return fault(…)" reads well. */
static bool fault(struct wire *wire, const char *format, ...)
{
	va_list arguments;

	if (wire->result.n_faults++ >= FAULTS_KEPT)
		return false;
	va_start(arguments, format);
	wire->result.faults =
		list_add(wire->result.faults, print_text_list(format, arguments));
	va_end(arguments);
	return false;
}

/* A name from inside, fit to stand in a sentence. Kept until the next but one call. */
static const char *shown(const char *text)
{
	static char names[2][160];
	static unsigned turn;
	char *clean = clean_text(text, strlen(text), sizeof *names - 8);
	char *kept = names[turn++ % 2];

	snprintf(kept, sizeof *names, "%s", clean);
	free(clean);
	return kept;
}

/* ---------------------------------------------------------------- typed values */

static json_t *clean_string(const json_t *value)
{
	char *text = clean_text(json_string_value(value), json_string_length(value), TEXT_LENGTH);
	json_t *clean = json_string(text);

	free(text);
	return clean;
}

static json_t *clean_value(const json_t *value, unsigned depth);

static json_t *clean_array(const json_t *array, unsigned depth)
{
	json_t *clean = json_array();

	if (json_array_size(array) > MEMBERS_MOST * 4) {
		json_decref(clean);
		return NULL;
	}
	for (size_t i = 0; i < json_array_size(array); i++) {
		json_t *member = clean_value(json_array_get(array, i), depth);

		if (!member) {
			json_decref(clean);
			return NULL;
		}
		json_array_append_new(clean, member);
	}
	return clean;
}

static json_t *clean_object(json_t *object, unsigned depth)
{
	json_t *clean = json_object(), *value, *member;
	const char *key;

	if (json_object_size(object) > MEMBERS_MOST) {
		json_decref(clean);
		return NULL;
	}
	json_object_foreach(object, key, value) {
		char *name = clean_text(key, strlen(key), 128);

		member = clean_value(value, depth);
		/* Takes the member; NULL is refused and tells of the fault. */
		if (json_object_set_new(clean, name, member) < 0) {
			free(name);
			json_decref(clean);
			return NULL;
		}
		free(name);
	}
	return clean;
}

/* A cleaned copy with at most `depth` levels below it; NULL: of a type or depth that is refused. */
static json_t *clean_value(const json_t *value, unsigned depth)
{
	switch (json_typeof(value)) {
	case JSON_STRING:
		return clean_string(value);
	case JSON_INTEGER:
	case JSON_REAL:
	case JSON_TRUE:
	case JSON_FALSE:
		return json_copy((json_t *)value);
	case JSON_OBJECT:
		return depth > 0 ? clean_object((json_t *)value, depth - 1) : NULL;
	case JSON_ARRAY:
		return depth > 0 ? clean_array(value, depth - 1) : NULL;
	case JSON_NULL:
		break;
	}
	return NULL;
}

/* A member that must be a flat object when it is there; an empty one when it is not. */
static bool take_flat(const json_t *from, const char *name, json_t **ret_flat)
{
	const json_t *value = json_object_get(from, name);

	*ret_flat = !value ? json_object() : json_is_object(value) ? clean_value(value, 1) : NULL;
	return *ret_flat != NULL;
}

static bool is_count(const json_t *value, unsigned *ret_count)
{
	json_int_t number = json_integer_value(value);

	if (!json_is_integer(value) || number < 0 || number > 1000000)
		return false;
	*ret_count = (unsigned)number;
	return true;
}

/* Every member must be one of the known names. */
static bool has_only(struct wire *wire, json_t *object, const char *const names[], const char *what)
{
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value) {
		unsigned i = 0;

		while (names[i] && strcmp(names[i], key) != 0)
			i++;
		if (!names[i])
			return fault(wire, "%s has the unknown member \"%s\"", what, shown(key));
	}
	return true;
}

/* ---------------------------------------------------------------- results */

void wire_result_reset(struct result *result, const struct catalogue_entry *entry)
{
	for (unsigned i = 0; i < result->n_cases; i++) {
		free(result->cases[i].name);
		json_decref(result->cases[i].evidence);
		json_decref(result->cases[i].measured);
	}
	free(result->cases);
	json_decref(result->objects);
	json_decref(result->evidence);
	json_decref(result->measured);
	*result = (struct result){
		.entry = entry,
		.objects = json_array(),
		.evidence = json_object(),
		.measured = json_object(),
	};
}

/* Status, reason and barriers of a trial or a case, and the rules that bind them together. */
struct verdict {
	enum status status;
	enum reason reason;
	barrier_set barriers;
};

static bool read_barriers(struct wire *wire, const json_t *list, const char *what, barrier_set *ret)
{
	*ret = 0;
	if (list && !json_is_array(list))
		return fault(wire, "%s has barriers that are no list", what);
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *name = json_string_value(json_array_get(list, i));
		int barrier = name ? barrier_from_name(name) : -1;

		if (barrier < 0)
			return fault(wire, "%s names an unknown barrier: \"%s\"", what,
				     name ? shown(name) : "?");
		if (*ret & BARRIER_BIT(barrier))
			return fault(wire, "%s names the barrier %s twice", what, shown(name));
		*ret |= BARRIER_BIT(barrier);
	}
	return true;
}

static bool read_verdict(struct wire *wire, const json_t *object, const char *what,
			 struct verdict *ret)
{
	const char *status_text = json_string_value(json_object_get(object, "status"));
	const json_t *reason = json_object_get(object, "reason");
	const char *reason_text = json_string_value(reason);
	int status_read = status_text ? status_from_name(status_text) : -1;
	int reason_read = reason_text ? reason_from_name(reason_text) : -1;

	if (status_read < 0)
		return fault(wire, "%s has an unknown status: \"%s\"", what,
			     status_text ? shown(status_text) : "?");
	if (reason && reason_read < 0)
		return fault(wire, "%s has an unknown reason: \"%s\"", what,
			     reason_text ? shown(reason_text) : "?");
	if (!read_barriers(wire, json_object_get(object, "barriers"), what, &ret->barriers))
		return false;
	ret->status = (enum status)status_read;
	ret->reason = reason ? (enum reason)reason_read : REASON_NO_REPORT;
	if (ret->status == STATUS_ACCESSED && ret->barriers)
		return fault(wire, "%s is accessed and yet names barriers", what);
	if (ret->status == STATUS_DENIED && !ret->barriers)
		return fault(wire, "%s is denied and names no barrier", what);
	if ((ret->status == STATUS_UNKNOWN) != (reason != NULL))
		return fault(wire, "%s is %s and %s", what, status_text,
			     reason ? "yet gives a reason" : "gives no reason");
	return true;
}

/* The probe may know that a case matters a step less here, and nothing else. */
static bool read_severity(struct wire *wire, const json_t *object, const char *what,
			  enum severity defined, enum severity *ret)
{
	const json_t *value = json_object_get(object, "severity");
	const char *name = json_string_value(value);
	int severity = name ? severity_from_name(name) : -1;

	*ret = value ? (enum severity)severity : defined;
	if (*ret == defined || (severity > SEVERITY_INHERIT && severity + 1 == (int)defined))
		return true;
	return fault(wire, "%s has another severity than the catalogue: \"%s\"", what,
		     name ? shown(name) : "?");
}

static bool read_case(struct wire *wire, struct result *result, json_t *object)
{
	static const char *const names[] = { "case",	 "severity", "status",	 "reason",
					     "barriers", "evidence", "measured", NULL };
	const char *name = json_string_value(json_object_get(object, "case"));
	struct case_result *one = &result->cases[result->n_cases];
	struct verdict verdict = { 0 };
	enum severity severity;
	char what[400];

	if (!name)
		return fault(wire, "%s has a case without a name", result->entry->id);
	snprintf(what, sizeof what, "%s/%s", result->entry->id, shown(name));
	if (!has_only(wire, object, names, what))
		return false;
	one->definition = catalogue_case_find(result->entry, name);
	if (!one->definition)
		return fault(wire, "%s is a case that the catalogue does not have", what);
	for (unsigned i = 0; i < result->n_cases; i++)
		if (result->cases[i].definition == one->definition)
			return fault(wire, "%s is reported twice", what);
	if (!read_severity(wire, object, what, one->definition->severity, &severity) ||
	    !read_verdict(wire, object, what, &verdict))
		return false;
	if (!take_flat(object, "evidence", &one->evidence))
		return fault(wire, "%s has evidence that is not flat", what);
	/* From here on the case owns something: it counts, and will be released. */
	one->name = copy_text(name);
	one->severity = severity;
	one->status = verdict.status;
	one->reason = verdict.reason;
	one->barriers = verdict.barriers;
	result->n_cases++;
	if (!take_flat(object, "measured", &one->measured))
		return fault(wire, "%s has measured values that are not flat", what);
	return true;
}

static bool read_cases(struct wire *wire, struct result *result, const json_t *list)
{
	size_t n = json_array_size(list);

	if (list && !json_is_array(list))
		return fault(wire, "%s has cases that are no list", result->entry->id);
	if (n > result->entry->n_cases)
		return fault(wire, "%s has %zu cases, the catalogue has %u", result->entry->id, n,
			     result->entry->n_cases);
	result->cases = new_array(n, sizeof *result->cases);
	for (size_t i = 0; i < n; i++)
		if (!read_case(wire, result, json_array_get(list, i)))
			return false;
	return true;
}

/* The whole follows from its cases; only "unknown" may be said beyond them. */
static bool whole_fits_cases(struct wire *wire, const struct result *result)
{
	enum status folded = STATUS_DENIED;

	for (unsigned i = 0; i < result->n_cases; i++)
		folded = status_worse(folded, result->cases[i].status);
	if (result->n_cases == 0 || result->status == folded ||
	    (result->status == STATUS_UNKNOWN && folded == STATUS_DENIED))
		return true;
	return fault(wire, "%s is %s, but its cases say %s", result->entry->id,
		     status_name(result->status), status_name(folded));
}

static bool read_objects(struct wire *wire, struct result *result, const json_t *list)
{
	static const char *const names[] = { "kind", "path", NULL };

	if (list && !json_is_array(list))
		return fault(wire, "%s has objects that are no list", result->entry->id);
	if (json_array_size(list) > OBJECTS_MOST)
		return fault(wire, "%s has more than %d objects", result->entry->id, OBJECTS_MOST);
	for (size_t i = 0; i < json_array_size(list); i++) {
		json_t *object = json_array_get(list, i);

		if (!json_is_string(json_object_get(object, "kind")) ||
		    !json_is_string(json_object_get(object, "path")))
			return fault(wire, "%s has an object without kind and path",
				     result->entry->id);
		if (!has_only(wire, object, names, result->entry->id))
			return false;
		json_array_append_new(result->objects, clean_value(object, 1));
	}
	return true;
}

static bool read_trial(struct wire *wire, struct result *result, json_t *line)
{
	static const char *const names[] = { "id",	 "status",  "reason",	"barriers", "cases",
					     "evidence", "measured", "objects", NULL };
	const char *id = result->entry->id;
	json_t *flat;
	struct verdict verdict = { 0 };

	if (!has_only(wire, line, names, id) || !read_verdict(wire, line, id, &verdict))
		return false;
	result->status = verdict.status;
	result->reason = verdict.reason;
	result->barriers = verdict.barriers;
	if (!read_cases(wire, result, json_object_get(line, "cases")) ||
	    !whole_fits_cases(wire, result) ||
	    !read_objects(wire, result, json_object_get(line, "objects")))
		return false;
	if (!take_flat(line, "evidence", &flat))
		return fault(wire, "%s has evidence that is not flat", id);
	json_decref(result->evidence);
	result->evidence = flat;
	if (!take_flat(line, "measured", &flat))
		return fault(wire, "%s has measured values that are not flat", id);
	json_decref(result->measured);
	result->measured = flat;
	return true;
}

/* ---------------------------------------------------------------- lines */

/* The catalogue index of an id that this launch was asked to try, or -1 and a fault. */
static int planned_index(struct wire *wire, const json_t *id, const char *what)
{
	const char *text = json_string_value(id);
	const struct catalogue_entry *entry = text ? catalogue_find(text) : NULL;

	if (entry && wire->planned[entry - catalogue])
		return (int)(entry - catalogue);
	fault(wire, "%s names %s that was not planned: \"%s\"", what,
	      entry ? "a scenario" : "something", text ? shown(text) : "?");
	return -1;
}

static void read_header(struct wire *wire, json_t *line)
{
	static const char *const names[] = { "sandboxeval", "version", "arch",	 "planned",
					     "catalogue",   "level",   "origin", NULL };
	struct wire_result *result = &wire->result;
	const char *version = json_string_value(json_object_get(line, "version"));
	const char *arch = json_string_value(json_object_get(line, "arch"));
	const char *hash = json_string_value(json_object_get(line, "catalogue"));
	const char *level = json_string_value(json_object_get(line, "level"));
	json_t *origin = json_object_get(line, "origin");
	unsigned planned;

	if (result->header) {
		fault(wire, "there is a second header");
		return;
	}
	result->header = true;
	has_only(wire, line, names, "the header");
	if (json_integer_value(json_object_get(line, "sandboxeval")) != 1 || !version || !arch ||
	    !hash || !level || level_from_name(level) < 0) {
		fault(wire, "the header is not as it should be");
		return;
	}
	if (strcmp(hash, catalogue_hash) != 0)
		fault(wire, "the probe has another catalogue than this program");
	if (!is_count(json_object_get(line, "planned"), &planned) || planned != wire->n_planned)
		fault(wire, "the probe's plan is not the %u scenarios it was asked for",
		      wire->n_planned);
	result->probe_version = clean_text(version, strlen(version), 64);
	result->probe_arch = clean_text(arch, strlen(arch), 64);
	result->origin = json_is_object(origin) ? clean_value(origin, 3) : NULL;
	if (origin && !result->origin)
		fault(wire, "the header's origin is not as it should be");
}

static void read_try(struct wire *wire, json_t *line)
{
	static const char *const names[] = { "try", NULL };
	int index = planned_index(wire, json_object_get(line, "try"), "an announcement");

	if (index < 0 || !has_only(wire, line, names, "an announcement"))
		return;
	if (wire->result.tried[index]) {
		fault(wire, "%s is announced twice", catalogue[index].id);
		return;
	}
	wire->result.tried[index] = true;
	wire->result.n_tried++;
}

static void read_result(struct wire *wire, json_t *line)
{
	int index = planned_index(wire, json_object_get(line, "id"), "a result");
	struct result *result = index < 0 ? NULL : &wire->result.results[index];

	if (!result)
		return;
	if (result->arrived) {
		fault(wire, "%s is reported twice", result->entry->id);
		/* Nobody can tell which of the two was forged. */
		wire_result_reset(result, result->entry);
		result->arrived = true;
		result->reason = REASON_CONTRADICTORY;
		return;
	}
	if (!read_trial(wire, result, line)) {
		wire_result_reset(result, result->entry);
		return;
	}
	result->arrived = true;
	wire->result.n_arrived++;
}

static void read_footer(struct wire *wire, json_t *line)
{
	static const char *const names[] = { "end",	"trials", "accessed", "denied",
					     "unknown", "clean",  "measured", NULL };
	unsigned counted[N_STATUSES] = { 0 }, said[N_STATUSES], trials;
	const json_t *clean = json_object_get(line, "clean");

	for (unsigned i = 0; i < catalogue_count; i++)
		if (wire->result.results[i].arrived)
			counted[wire->result.results[i].status]++;
	wire->result.footer = true;
	has_only(wire, line, names, "the footer");
	if (json_integer_value(json_object_get(line, "end")) != 1 || !json_is_boolean(clean) ||
	    !is_count(json_object_get(line, "trials"), &trials) ||
	    !is_count(json_object_get(line, "accessed"), &said[STATUS_ACCESSED]) ||
	    !is_count(json_object_get(line, "denied"), &said[STATUS_DENIED]) ||
	    !is_count(json_object_get(line, "unknown"), &said[STATUS_UNKNOWN])) {
		fault(wire, "the footer is not as it should be");
		return;
	}
	wire->result.clean = json_is_true(clean);
	if (trials != wire->result.n_arrived)
		fault(wire, "the footer counts %u results, but %u arrived", trials,
		      wire->result.n_arrived);
	else if (memcmp(counted, said, sizeof said) != 0)
		fault(wire, "the footer counts other statuses than those that arrived");
}

static const struct line_kind {
	const char *begin, *what;
	void (*read)(struct wire *wire, json_t *line);
} kinds[] = {
	{ "{\"sandboxeval\"", "the header", read_header },
	{ "{\"try\"", "an announcement", read_try },
	{ "{\"id\"", "a result", read_result },
	{ "{\"end\"", "the footer", read_footer },
};

static void keep_foreign(struct wire *wire, const char *text, size_t n)
{
	if (n == 0)
		return;
	if (wire->result.n_foreign < WIRE_FOREIGN_KEPT)
		wire->result.foreign[wire->result.n_foreign] = clean_text(text, n, FOREIGN_LENGTH);
	wire->result.n_foreign++;
}

static const struct line_kind *kind_of(const char *text, size_t n)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (n >= strlen(kinds[i].begin) &&
		    memcmp(text, kinds[i].begin, strlen(kinds[i].begin)) == 0)
			return &kinds[i];
	return NULL;
}

static void read_ours(struct wire *wire, const struct line_kind *kind, const char *text, size_t n)
{
	json_t *line;

	if (wire->result.footer) {
		fault(wire, "%s comes after the footer", kind->what);
		return;
	}
	if (!wire->result.header && kind->read != read_header) {
		fault(wire, "%s comes before the header", kind->what);
		return;
	}
	line = json_loadb(text, n, JSON_REJECT_DUPLICATES, NULL);
	if (!line && wire->at_end)
		return; /* the missing result, or the missing footer, will tell */
	if (!line) {
		fault(wire, "%s cannot be read: it is broken or cut off", kind->what);
		return;
	}
	kind->read(wire, line);
	json_decref(line);
}

static void read_line(struct wire *wire, const char *text, size_t n)
{
	const struct line_kind *kind;

	/* A terminal in between ends lines with a carriage return, too. */
	while (n > 0 && text[n - 1] == '\r')
		n--;
	kind = kind_of(text, n);
	/* A banner may lack its line break: the header is then at the end of its line. */
	if (!kind && !wire->result.header) {
		const char *inner = memmem(text, n, kinds[0].begin, strlen(kinds[0].begin));

		if (inner) {
			keep_foreign(wire, text, (size_t)(inner - text));
			n -= (size_t)(inner - text);
			text = inner;
			kind = &kinds[0];
		}
	}
	if (kind)
		read_ours(wire, kind, text, n);
	else
		keep_foreign(wire, text, n);
}

static void end_line(struct wire *wire)
{
	if (wire->line_too_long)
		fault(wire, "a line is longer than 1 MiB");
	else
		read_line(wire, wire->line, wire->n_line);
	wire->line_too_long = false;
	wire->n_line = 0;
}

static void add_to_line(struct wire *wire, const char *bytes, size_t n)
{
	if (wire->line_too_long || wire->n_line + n > WIRE_LONGEST_LINE) {
		wire->line_too_long = true;
		return;
	}
	if (wire->n_line + n > wire->line_size) {
		wire->line_size = 2 * (wire->n_line + n);
		wire->line = grow_array(wire->line, wire->line_size, 1);
	}
	memcpy(wire->line + wire->n_line, bytes, n);
	wire->n_line += n;
}

/* ---------------------------------------------------------------- the interface */

struct wire *wire_new(const bool planned[])
{
	struct wire *wire = new_array(1, sizeof *wire);

	wire->planned = new_array(catalogue_count, sizeof *wire->planned);
	wire->result.results = new_array(catalogue_count, sizeof *wire->result.results);
	wire->result.tried = new_array(catalogue_count, sizeof *wire->result.tried);
	wire->line_size = 4096;
	wire->line = new_array(wire->line_size, 1);
	for (unsigned i = 0; i < catalogue_count; i++) {
		wire->planned[i] = planned[i];
		wire->n_planned += planned[i];
		wire_result_reset(&wire->result.results[i], &catalogue[i]);
	}
	return wire;
}

bool wire_feed(struct wire *wire, const char *bytes, size_t n)
{
	while (n > 0 && !wire->bound_reached) {
		const char *end = memchr(bytes, '\n', n);
		size_t piece = end ? (size_t)(end - bytes) : n;

		add_to_line(wire, bytes, piece);
		wire->n_bytes += piece + (end != NULL);
		if (wire->n_bytes > WIRE_MOST_BYTES) {
			wire->bound_reached = true;
			return fault(wire, "it printed more than 16 MiB");
		}
		if (!end)
			return true;
		end_line(wire);
		if (++wire->n_lines >= WIRE_MOST_LINES) {
			wire->bound_reached = true;
			return fault(wire, "it printed more than %u lines", WIRE_MOST_LINES);
		}
		bytes += piece + 1;
		n -= piece + 1;
	}
	return !wire->bound_reached;
}

struct wire_result *wire_end(struct wire *wire)
{
	wire->at_end = true;
	if (wire->n_line > 0 || wire->line_too_long)
		end_line(wire);
	return &wire->result;
}

unsigned wire_arrived(const struct wire *wire)
{
	return wire->result.n_arrived;
}

static void result_free(struct result *result)
{
	wire_result_reset(result, NULL);
	json_decref(result->objects);
	json_decref(result->evidence);
	json_decref(result->measured);
}

void wire_free(struct wire *wire)
{
	if (!wire)
		return;
	for (unsigned i = 0; i < catalogue_count; i++)
		result_free(&wire->result.results[i]);
	for (unsigned i = 0; i < WIRE_FOREIGN_KEPT; i++)
		free(wire->result.foreign[i]);
	list_free(wire->result.faults);
	json_decref(wire->result.origin);
	free(wire->result.probe_version);
	free(wire->result.probe_arch);
	free(wire->result.results);
	free(wire->result.tried);
	free(wire->planned);
	free(wire->line);
	free(wire);
}

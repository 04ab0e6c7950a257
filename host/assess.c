/* SPDX-License-Identifier: MIT */
#include "host/assess.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/sha256.h"
#include "host/bridges.h"
#include "host/child.h"
#include "host/discreet.h"
#include "host/gather.h"
#include "host/memory.h"
#include "host/probe_file.h"
#include "host/targets.h"
#include "host/testimony.h"
#include "host/throwaway.h"
#include "host/witness.h"

extern const struct sandbox sandbox_none;

/* What one assessment works with. */
struct assessment {
	const struct assess_plan *plan;
	struct probe_file probe;
	bool *planned;
	char key[33], nonce[17];
	struct witness *witness;   /* or NULL */
	struct arrivals *arrivals; /* of the place asked about last; NULL: nobody watches */
	char baseline_place[PLACE_DIGITS + 1], inside_place[PLACE_DIGITS + 1];
	struct run *run;
};

/* ---------------------------------------------------------------- facts for the probe */

/* By which the sandbox knows whether it has the same kernel; "" where that cannot be told. */
static char *kernel_fact(void)
{
	char boot[64], hash[SHA256_TEXT];
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	size_t n = file ? fread(boot, 1, sizeof boot, file) : 0;

	if (file)
		fclose(file);
	if (n == 0)
		return copy_text("");
	sha256_text(hash, boot, n);
	return print_text(",kernel=%.16s", hash);
}

/* ",ns.net=4026531840" for each namespace of ours: the sandbox has its own where they differ. */
static char *namespace_facts(void)
{
	static const char *const kinds[] = { "pid",  "net",    "mnt", "ipc", "uts",
					     "user", "cgroup", "time" };
	char *facts = kernel_fact();
	struct stat root;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		char path[64], *longer;
		struct stat about;

		snprintf(path, sizeof path, "/proc/self/ns/%s", kinds[i]);
		if (stat(path, &about) < 0)
			continue;
		longer = print_text("%s,ns.%s=%lu", facts, kinds[i], (unsigned long)about.st_ino);
		free(facts);
		facts = longer;
	}
	if (stat("/", &root) == 0) {
		char *longer = print_text("%s,root=%lu:%lu", facts, (unsigned long)root.st_dev,
					  (unsigned long)root.st_ino);
		free(facts);
		facts = longer;
	}
	return facts;
}

/* The file systems that can be stored in; the kernel's own are in every sandbox. */
static bool is_store(const char *type, unsigned major)
{
	static const char *const types[] = { "tmpfs",  "ramfs", "overlay", "aufs",
					     "btrfs", "zfs",   "bcachefs" };

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strcmp(type, types[i]) == 0)
			return true;
	return major != 0;
}

/* An engine mounts them for one container, which may be the sandbox that is there already. */
static bool is_engines(const char *line)
{
	static const char *const folders[] = { "/containers/", "/docker/", "/containerd/",
					       "/kubelet/" };

	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (strstr(line, folders[i]))
			return true;
	return false;
}

struct device {
	unsigned major, minor;
};

/* ID PARENT MAJOR:MINOR … */
static bool read_device(const char *line, struct device *device)
{
	char *at;

	strtoul(line, &at, 10);
	strtoul(at, &at, 10);
	device->major = (unsigned)strtoul(at, &at, 10);
	if (*at != ':')
		return false;
	device->minor = (unsigned)strtoul(at + 1, &at, 10);
	return *at == ' ';
}

/* Is this device in the list as a whole, and not as the end of another ("9.1:" of "259.1:")? */
static bool is_listed(const char *list, const char *device)
{
	const char *at = list;

	while ((at = strstr(at, device)) && strchr("0123456789", at[-1]))
		at++;
	return at;
}

/*
 * "mounts=0.25:254.0": what is mounted before the sandbox is, by device. Seen in there as a whole,
 * it looks like one of the sandbox's own.
 */
static char *mount_fact(void)
{
	FILE *file = fopen("/proc/self/mountinfo", "re");
	char *fact = copy_text("mounts="), *line = NULL;
	size_t size = 0, n = 0;

	while (file && n < 256 && getline(&line, &size, file) > 0) {
		char *dash = strstr(line, " - ");
		char type[32], one[32], *longer;
		struct device device;

		if (!dash || sscanf(dash, " - %31s", type) != 1 || !read_device(line, &device) ||
		    !is_store(type, device.major))
			continue;
		*dash = '\0';
		if (is_engines(line))
			continue;
		snprintf(one, sizeof one, "%u.%u:", device.major, device.minor);
		if (is_listed(fact, one))
			continue;
		longer = print_text("%s%s", fact, one);
		free(fact);
		fact = longer;
		n++;
	}
	free(line);
	if (file)
		fclose(file);
	return fact;
}

static char *add_fact(char *facts, char *fact)
{
	char *longer = print_text("%s,%s", facts, fact);

	free(facts);
	free(fact);
	return longer;
}

/* What the baseline knows by its keyed hash alone, case by case: "outside.ID:CASE=HASH". */
static char *add_hashes(char *facts, const struct result *result)
{
	for (unsigned i = 0; i < result->n_cases; i++) {
		const struct case_result *one = &result->cases[i];
		const char *hash = json_string_value(json_object_get(one->measured, "hash"));

		if (one->definition && hash && strspn(hash, "0123456789abcdef") == 16 && !hash[16])
			facts = add_fact(facts, print_text("outside.%s:%s=%s", result->entry->id,
							   one->definition->name, hash));
	}
	return facts;
}

/* ",outside.ID=accessed" for each scenario that compares itself with the baseline. */
static char *baseline_facts(const struct gathering *baseline)
{
	char *facts = copy_text("");

	for (unsigned i = 0; baseline && i < catalogue_count; i++) {
		const struct result *result = &baseline->results[i];

		if (!catalogue[i].compares || !result->arrived)
			continue;
		facts = add_fact(facts, print_text("outside.%s=%s", catalogue[i].id,
						   status_name(result->status)));
		facts = add_hashes(facts, result);
	}
	return facts;
}

/*
 * The numbers of "Docker version 20.10.24+dfsg1, build 297e128"; "" where none is told. What never had
 * a version is packaged as "0.0~20221219.0".
 */
static char *engine_fact(const char *version)
{
	static const char digits[] = "0123456789", none[] = "0.0~";
	const char *at = version ? version + strcspn(version, digits) : "";
	size_t n;

	if (strncmp(at, none, sizeof none - 1) == 0)
		at += sizeof none - 1;
	n = *at && strchr(digits, *at) ? strspn(at, "0123456789.") : 0;
	return n ? print_text(",engine=%.*s", (int)n, at) : copy_text("");
}

static char *facts_inside(const struct assessment *a, const struct gathering *baseline)
{
	const struct sandbox *sandbox = a->plan->sandbox;
	const char *place = sandbox->outside ? "outside" : sandbox->unsure ? "unsure" : "inside";
	char *namespaces = add_fact(namespace_facts(), mount_fact()), *outside = baseline_facts(baseline);
	char *witness = witness_facts(a->witness, a->inside_place);
	char *saw = testimony_facts(baseline ? a->arrivals : NULL, a->baseline_place);
	char *targets = targets_facts(a->plan->targets, TARGETS_INSIDE);
	char *engine = engine_fact(a->run->version);
	char *facts = print_text("place=%s,key=%s,nonce=%s,launch=1%s%s%s%s%s%s", place, a->key,
				 a->nonce, targets, engine, namespaces, outside, witness, saw);

	free(namespaces);
	free(outside);
	free(witness);
	free(saw);
	free(targets);
	free(engine);
	return facts;
}

static char *facts_outside(const struct assessment *a)
{
	char *namespaces = namespace_facts();
	char *witness = witness_facts(a->witness, a->baseline_place);
	char *targets = targets_facts(a->plan->targets, TARGETS_OUTSIDE);
	char *facts = print_text("place=outside,key=%s,nonce=%s%s%s%s", a->key, a->nonce, targets,
				 namespaces, witness);

	free(targets);
	free(namespaces);
	free(witness);
	return facts;
}

/* ---------------------------------------------------------------- the witness */

static bool is_witness_needed(const struct assessment *a)
{
	for (unsigned i = 0; i < catalogue_count; i++)
		if (a->planned[i] && needs_testimony(&catalogue[i]))
			return true;
	return false;
}

/* Without ours a run goes on, and says no-witness; one that was named must be there. */
static bool find_witness(struct assessment *a, struct error *error)
{
	const struct assess_plan *plan = a->plan;
	struct error ignored;

	if (plan->no_witness || !is_witness_needed(a))
		return true;
	if (plan->witness) {
		a->witness = witness_meet(plan->witness, error);
	} else if (!plan->sandbox->no_baseline) {
		char **bridges = bridge_addresses(plan->sandbox, plan->request.arguments);

		a->witness = witness_start(bridges, &ignored);
		list_free(bridges);
	}
	if (a->witness)
		a->arrivals = new_array(1, sizeof *a->arrivals);
	return a->witness || !plan->witness;
}

/* What it saw of a place against what was said there. */
static void hear_witness(struct assessment *a, struct gathering *gathering, const char *place)
{
	struct error error;

	if (a->witness && !witness_ask(a->witness, place, a->arrivals, &error)) {
		run_mark_incomplete(a->run, "%s: %s", gathering->stage, error.text);
		witness_end(a->witness);
		free(a->arrivals);
		a->witness = NULL;
		a->arrivals = NULL;
	}
	if (a->arrivals && a->arrivals->lost)
		run_mark_incomplete(a->run, "%s: the witness was flooded, and has lost %u arrivals",
				    gathering->stage, a->arrivals->lost);
	testify(gathering->results, a->arrivals, place);
}

/* ---------------------------------------------------------------- the two gatherings */

static struct gathering new_gathering(const struct assessment *a, const struct sandbox *sandbox,
				      const struct sandbox_request *request)
{
	return (struct gathering){
		.order = {
			.sandbox = sandbox,
			.request = request,
			.probe = a->probe.path,
			.level = a->plan->level,
			.seconds = a->plan->seconds,
		},
		.planned = a->planned,
		.single = a->plan->single,
		.run = a->run,
		.progress = a->plan->progress,
		.context = a->plan->context,
	};
}

static bool gather_baseline(struct assessment *a, struct gathering *baseline, struct error *error)
{
	static char *nothing[] = { NULL };
	const struct sandbox_request request = { .arguments = nothing };

	*baseline = new_gathering(a, &sandbox_none, &request);
	baseline->stage = "baseline";
	baseline->facts = facts_outside(a);
	if (!gather(baseline, error))
		return error_context(error, "cannot take the baseline: ");
	hear_witness(a, baseline, a->baseline_place);
	a->run->has_baseline = baseline->footer;
	return true;
}

/* Both sides know a case by its name in the catalogue. */
static void compare_cases(struct result *inside, const struct result *outside)
{
	for (unsigned i = 0; i < inside->n_cases; i++) {
		for (unsigned k = 0; k < outside->n_cases; k++) {
			if (inside->cases[i].definition != outside->cases[k].definition)
				continue;
			inside->cases[i].has_baseline = true;
			inside->cases[i].baseline = outside->cases[k].status;
		}
	}
}

static void fill_results(struct assessment *a, struct gathering *inside,
			 const struct gathering *baseline)
{
	struct run *run = a->run;

	run->results = new_array(inside->n_planned, sizeof *run->results);
	for (unsigned i = 0; i < catalogue_count; i++) {
		struct result *result;

		if (!a->planned[i])
			continue;
		result = &run->results[run->n_results++];
		*result = inside->results[i];
		inside->results[i] = (struct result){ .entry = &catalogue[i] };
		if (!baseline || !baseline->results[i].arrived)
			continue;
		result->has_baseline = true;
		result->baseline = baseline->results[i].status;
		result->baseline_barriers = baseline->results[i].barriers;
		compare_cases(result, &baseline->results[i]);
	}
}

static void fill_run(struct assessment *a, struct gathering *inside,
		     const struct gathering *baseline)
{
	struct run *run = a->run;

	fill_results(a, inside, baseline);
	/* Where nothing ran, nothing can have been left behind. */
	run->clean = (inside->footer ? inside->clean : inside->n_arrived == 0) &&
		     !inside->left &&
		     (!baseline || !baseline->footer || baseline->clean);
	run->image = inside->image;
	run->argv = inside->report_argv;
	hide_values(run->argv);
	run->probe_version = inside->probe_version;
	run->probe_arch = inside->probe_arch;
	run->origin = inside->origin;
	inside->image = inside->probe_version = inside->probe_arch = NULL;
	inside->report_argv = NULL;
	inside->origin = NULL;
}

static bool gather_all(struct assessment *a, struct error *error)
{
	struct gathering baseline = { 0 }, inside = { 0 };
	bool with_baseline = !a->plan->no_baseline && !a->plan->sandbox->no_baseline;
	bool done = !with_baseline || gather_baseline(a, &baseline, error);

	if (done) {
		inside = new_gathering(a, a->plan->sandbox, &a->plan->request);
		inside.stage = a->plan->sandbox->name;
		inside.facts = facts_inside(a, with_baseline ? &baseline : NULL);
		done = gather(&inside, error);
	}
	if (done)
		hear_witness(a, &inside, a->inside_place);
	if (done)
		fill_run(a, &inside, with_baseline ? &baseline : NULL);
	gathering_free(&baseline);
	gathering_free(&inside);
	return done;
}

/* ---------------------------------------------------------------- the whole */

static bool find_engine(const struct sandbox *sandbox, struct run *run, struct error *error)
{
	struct engine engine = { .available = true };

	if (sandbox->find)
		sandbox->find(&engine);
	if (!engine.available)
		return error_set(error, EXIT_INCOMPLETE, "cannot start %s: %s", sandbox->name,
				 engine.lacks);
	if (engine.version[0])
		run->version = copy_text(engine.version);
	return true;
}

static unsigned plan_scenarios(struct assessment *a)
{
	unsigned n = 0;

	a->planned = new_array(catalogue_count, sizeof *a->planned);
	for (unsigned i = 0; i < catalogue_count; i++) {
		a->planned[i] = (!a->plan->only || catalogue_selects(a->plan->only, &catalogue[i])) &&
				(!a->plan->skip || !catalogue_selects(a->plan->skip, &catalogue[i]));
		n += a->planned[i];
	}
	return n;
}

static double seconds_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool assess_all(struct assessment *a, struct error *error)
{
	if (!find_engine(a->plan->sandbox, a->run, error))
		return false;
	if (plan_scenarios(a) == 0) {
		a->run->clean = true;
		run_mark_incomplete(a->run, "nothing was tried: --only and --skip leave no scenario");
		return true;
	}
	return find_witness(a, error) && probe_file_write(&a->probe, error) &&
	       gather_all(a, error);
}

struct run *assess(const struct assess_plan *plan, struct error *error)
{
	struct assessment a = { .plan = plan, .run = run_new() };
	double began = seconds_now();
	bool done;

	random_digits(a.key, 16);
	random_digits(a.nonce, 8);
	random_digits(a.baseline_place, PLACE_DIGITS / 2);
	random_digits(a.inside_place, PLACE_DIGITS / 2);
	a.run->sandbox = copy_text(plan->sandbox->name);
	a.run->label = copy_text(plan->label);
	a.run->targets = plan->targets ? json_deep_copy(plan->targets) : NULL;
	a.run->started = time(NULL);
	done = assess_all(&a, error);
	a.run->seconds = seconds_now() - began;
	witness_end(a.witness);
	free(a.arrivals);
	probe_file_remove(&a.probe);
	free(a.planned);
	if (done)
		return a.run;
	run_free(a.run);
	/* Whatever failed for it: the interrupt is the reason. */
	if (interrupted() && error->status != EXIT_INTERRUPTED)
		error_set(error, EXIT_INTERRUPTED, "interrupted");
	return NULL;
}

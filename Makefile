# SPDX-License-Identifier: MIT
#
# Leaves build/sandboxeval (host program) and build/sandboxeval-probe (static, runs inside).
# The folders are the registry: a new scenario, launcher or report format is one new file and no
# edit here. `make help` lists the targets. V=1 shows the commands, WERROR=1 makes warnings errors.

VERSION := 0.1.0
BUILD ?= build
PREFIX ?= /usr/local
CC := $(if $(filter default,$(origin CC)),cc,$(CC))
PROBE_CC ?= musl-gcc
PROBE_LIMIT = 409600
MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:
.SECONDARY:
.DEFAULT_GOAL := all

Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),,@printf '  %-9s %s\n' '$(1)' '$(patsubst $(BUILD)/%,%,$(2))')

# ---------------------------------------------------------------- what there is

# Names that begin with a dot (editors' lock files) are never matched by these patterns.
BASE := $(sort $(wildcard base/*.c))
PROBE := $(sort $(wildcard probe/*.c))
SCENARIOS := $(sort $(wildcard scenarios/*/*.c))
HOST := $(sort $(wildcard host/*.c host/*/*.c))
# Files that host/*.S takes in by .incbin, which -MMD does not see.
HOST_DATA := $(sort $(wildcard host/*.sql host/*/*.sql $(addprefix host/reports/html/*.,css js)))
INSIDE := $(PROBE) $(SCENARIOS) $(BASE) gen/scenarios.c
OUTSIDE := $(HOST) $(sort $(wildcard host/*.S host/*/*.S)) $(BASE) gen/sandboxes.c \
	gen/reports.c gen/policies.c gen/catalogue.c
UNIT := $(sort $(wildcard tests/unit/*_test.c))
SHELLS := $(sort $(shell grep -lsE '^\#!/(usr/)?bin/(env )?(ba|da)?sh' run check .ci/run \
	$(wildcard tools/* tools/*/* tests/* tests/*/* lab/* lab/*/*)))

objects = $(addprefix $(BUILD)/$(1)/,$(addsuffix .o,$(basename $(2))))
not_main = $(filter-out probe/main.c host/main.c,$(1))

# ---------------------------------------------------------------- compilers and libraries

WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
	-Wwrite-strings -Wundef -Wvla -Wformat=2 -Wimplicit-fallthrough $(if $(WERROR),-Werror)
DIALECT := -std=gnu17 -D_GNU_SOURCE -DSANDBOXEVAL_VERSION='"$(VERSION)"' -I.
COMMON := $(DIALECT) $(WARNINGS)

LIBRARIES := jansson smartcols sqlite3 yaml-0.1
have = $(shell pkg-config --exists $(1) 2>/dev/null && echo yes)
MISSING := $(strip $(foreach l,$(LIBRARIES),$(if $(call have,$(l)),,$(l))))
HOST_CFLAGS := $(if $(MISSING),,$(shell pkg-config --cflags $(LIBRARIES)))
HOST_LIBS := $(if $(MISSING),,-Wl,--as-needed $(shell pkg-config --libs $(LIBRARIES)) -lm)

# musl-gcc sees no kernel headers at all; these three links are all of them, and no glibc header.
IS_MUSL := $(findstring musl,$(PROBE_CC))
UAPI := $(if $(IS_MUSL),$(addprefix $(BUILD)/uapi/,linux asm asm-generic))
ASM_HEADERS := $(firstword $(wildcard /usr/include/$(shell $(CC) -print-multiarch 2>/dev/null)/asm \
	/usr/include/asm))

HARDENED := -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE
SANITIZERS := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# A flavour is a compiler with flags; its objects stand under $(BUILD)/<flavour>/.
probe_CC = $(PROBE_CC)
# What makes it small, as far as the compiler knows it.
SMALLER := $(strip $(foreach f,-Oz -malign-data=abi -fno-inline-functions-called-once,$(if $(shell \
	$(PROBE_CC) -Werror $(f) -fsyntax-only -x c - </dev/null 2>&1),,$(f))))
probe_FLAGS = $(COMMON) $(if $(IS_MUSL),-isystem $(BUILD)/uapi) -Os $(SMALLER) -fno-pie \
	-ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables -DCOMPACT_RECORDS $(CFLAGS)
host_CC = $(CC)
host_FLAGS = $(COMMON) $(HOST_CFLAGS) -O2 -g $(HARDENED) $(CFLAGS)
native_CC = $(CC)
native_FLAGS = $(COMMON) $(HOST_CFLAGS) -O1 -g -fno-pie $(CFLAGS)
sanitize_CC = gcc
sanitize_FLAGS = $(COMMON) $(HOST_CFLAGS) -O1 -g $(SANITIZERS) $(CFLAGS)
analyze_CC = gcc
# gcc 12 loses sight of pointers kept in an array on the heap; leaks are LeakSanitizer's to find.
analyze_FLAGS = $(COMMON) $(HOST_CFLAGS) -O1 -Werror -fanalyzer -Wno-analyzer-malloc-leak $(CFLAGS)

# ---------------------------------------------------------------- programs

all: ## both programs, man page, completion, test matrix
all: $(BUILD)/sandboxeval $(BUILD)/sandboxeval-probe $(BUILD)/man/sandboxeval-scenarios.7 \
	$(BUILD)/completion/sandboxeval $(BUILD)/tests/matrix.tsv

# Nothing in it is relocated, so there is nothing to make read-only after that, and no page to fill.
$(BUILD)/sandboxeval-probe: $(call objects,probe,$(INSIDE) gen/about.c) $(BUILD)/sources
	$(call say,LINK,$@)
	$(Q)$(PROBE_CC) -static -s -Wl,--gc-sections,-z,noseparate-code,-z,norelro $(LDFLAGS) -o $@ $(filter %.o,$^)

$(BUILD)/sandboxeval: $(call objects,host,$(OUTSIDE)) $(BUILD)/sources
	$(call say,LINK,$@)
	$(Q)$(CC) -pie -Wl,-z,relro,-z,now $(LDFLAGS) -o $@ $(filter %.o,$^) $(HOST_LIBS)

$(BUILD)/sanitize/sandboxeval-probe: $(call objects,sanitize,$(INSIDE)) $(BUILD)/sources
	$(call say,LINK,$@)
	$(Q)gcc $(SANITIZERS) $(LDFLAGS) -o $@ $(filter %.o,$^)

$(BUILD)/sanitize/sandboxeval: $(call objects,sanitize,$(OUTSIDE)) $(BUILD)/sources
	$(call say,LINK,$@)
	$(Q)gcc $(SANITIZERS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(HOST_LIBS)

# tools/catalogue reads the scenarios' records and calls none of their functions, so what those
# would call (try_open …) stays unresolved: it needs no probe code and cannot attempt anything.
# Static, because a loader that binds at once would insist on those symbols.
CATALOGUE := $(BUILD)/native/catalogue
$(CATALOGUE): $(call objects,native,tools/catalogue.c probe/fingerprint.c $(SCENARIOS) $(BASE) \
	gen/scenarios.c) $(BUILD)/sources
	$(call say,LINK,$@)
	$(Q)$(CC) -static -Wl,--unresolved-symbols=ignore-in-object-files -o $@ $(filter %.o,$^)

define flavour
$(BUILD)/$(1)/%.o: %.c $(BUILD)/$(1)/flags | requirements-$(1)
	$$(call say,CC,$$@)
	$$(Q)mkdir -p $$(@D) && $$($(1)_CC) $$($(1)_FLAGS) -MMD -MP -c -o $$@ $$<
$(BUILD)/$(1)/gen/%.o: $(BUILD)/gen/%.c $(BUILD)/$(1)/flags | requirements-$(1)
	$$(call say,CC,$$@)
	$$(Q)mkdir -p $$(@D) && $$($(1)_CC) $$($(1)_FLAGS) -MMD -MP -c -o $$@ $$<
$(BUILD)/$(1)/%.o: %.S $(BUILD)/$(1)/flags $(BUILD)/sandboxeval-probe $(HOST_DATA)
	$$(call say,AS,$$@)
	$$(Q)mkdir -p $$(@D) && $$($(1)_CC) -I. -DPROBE_FILE='"$(BUILD)/sandboxeval-probe"' \
		-c -o $$@ $$<
$(BUILD)/$(1)/flags: FORCE
	$$(call remember,$$($(1)_CC) $$($(1)_FLAGS))
$(BUILD)/$(1)/inside.a: $(call objects,$(1),$(call not_main,$(INSIDE))) $(BUILD)/sources
	$$(call archive,$$(filter %.o,$$^))
$(BUILD)/$(1)/outside.a: $(call objects,$(1),$(call not_main,$(OUTSIDE))) $(BUILD)/sources
	$$(call archive,$$(filter %.o,$$^))
endef
# Writes the words to the target, which stays as old as it is when they are the same.
remember = @mkdir -p $(@D) && { printf '%s\n' '$(subst ','\'',$(1))' | cmp -s - $@ || \
	printf '%s\n' '$(subst ','\'',$(1))' >$@; }
archive = $(Q)rm -f $@ && $(AR) rcsT $@ $(1)
$(foreach f,probe host native sanitize analyze,$(eval $(call flavour,$(f))))
-include $(wildcard $(addprefix $(BUILD)/,*/*.d */*/*.d */*/*/*.d))

# What a program is made of: when a file goes, the program is linked anew.
$(BUILD)/sources: FORCE
	$(call remember,$(INSIDE) $(OUTSIDE))

requirements-probe: $(UAPI)
	@command -v $(firstword $(PROBE_CC)) >/dev/null || { echo "make: $(firstword $(PROBE_CC)) is \
	missing. Install it (Debian, Ubuntu: apt-get install musl-tools), or build the probe with \
	glibc: make PROBE_CC=cc" >&2; exit 1; }
requirements-host requirements-native requirements-sanitize requirements-analyze:
	@test -z '$(MISSING)' || { echo "make: missing libraries: $(MISSING). Debian, Ubuntu: \
	apt-get install pkg-config libjansson-dev libsmartcols-dev libsqlite3-dev libyaml-dev" >&2; \
	exit 1; }
$(BUILD)/uapi/%:
	@mkdir -p $(@D) && ln -sfn $(if $(filter asm,$*),$(ASM_HEADERS),/usr/include/$*) $@

# ---------------------------------------------------------------- generated

$(addprefix $(BUILD)/gen/,scenarios.c sandboxes.c reports.c policies.c): tools/registry.sh FORCE
	$(Q)tools/registry.sh $(basename $(@F)) $@
$(BUILD)/gen/catalogue.c: $(CATALOGUE)
	$(call generate,data)
$(BUILD)/gen/about.c: $(CATALOGUE)
	$(call generate,about)
$(BUILD)/man/sandboxeval-scenarios.7: $(CATALOGUE)
	$(call generate,man)
$(BUILD)/tests/matrix.tsv: $(CATALOGUE)
	$(call generate,matrix)
COMMANDS = $(shell sed -n 's/^int command_\([a-z]*\).*/\1/p' host/commands/commands.h)
names = $(subst _,-,$(notdir $(basename $(wildcard host/$(1)/*.c))))
$(BUILD)/completion/sandboxeval: $(CATALOGUE) host/commands/commands.h $(BUILD)/sources
	$(call generate,completion,'$(COMMANDS)' '$(call names,sandboxes)' '$(call names,reports)')
generate = $(call say,GENERATE,$@)$(if $(filter 1,$(V)),,;) \
	mkdir -p $(@D) && $(CATALOGUE) $(1) $(2) >$@.new && mv $@.new $@

# ---------------------------------------------------------------- checks

# tests/unit/{probe,base}_NAME_test.c is linked with what runs inside, any other with what runs
# outside, each without main.c. These are archives: a test may define a symbol itself instead.
define unit
$(2)/probe_%_test: $(BUILD)/$(1)/tests/unit/probe_%_test.o $(BUILD)/$(1)/inside.a
	$$(call unit_link,$(1))
$(2)/base_%_test: $(BUILD)/$(1)/tests/unit/base_%_test.o $(BUILD)/$(1)/inside.a
	$$(call unit_link,$(1))
$(2)/%_test: $(BUILD)/$(1)/tests/unit/%_test.o $(BUILD)/$(1)/outside.a
	$$(call unit_link,$(1),$$(HOST_LIBS))
endef
unit_link = $(call say,LINK,$@)$(if $(filter 1,$(V)),,;) mkdir -p $(@D) && $($(1)_CC) $($(1)_FLAGS) \
	$(if $(filter native,$(1)),-no-pie) $(LDFLAGS) -o $@ $(filter %.o %.a,$^) $(2) -lcmocka
$(eval $(call unit,native,$(BUILD)/unit))
$(eval $(call unit,sanitize,$(BUILD)/sanitize/unit))
unit_in = $(patsubst tests/unit/%.c,$(1)/%,$(UNIT))

# Small programs that the tests' boxes need, and probes with scenarios of the tests: that hang,
# crash, escape (faults); that make one system call (calls).
HELPERS := $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard tests/boxes/*.c)))
$(BUILD)/tests/boxes/%: tests/boxes/%.c
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(COMMON) -O1 -o $@ $< -lseccomp
TEST_PROBES := $(addprefix $(BUILD)/,$(addsuffix /sandboxeval-probe,faults calls planted))
$(TEST_PROBES): $(BUILD)/%/sandboxeval-probe: $(BUILD)/sandboxeval-probe \
		$(sort $(wildcard $(addsuffix /*/*.[ch],tests/faults tests/calls tests/planted)))
	$(call say,LINK,$@)
	$(Q)rm -rf $(@D)/tree && mkdir -p $(@D)/tree/scenarios && cp -r Makefile base probe tools \
		$(@D)/tree && cp -r scenarios/*.h scenarios/system tests/$*/* $(@D)/tree/scenarios
	$(Q)$(MAKE) -s -C $(@D)/tree BUILD=.. ../sandboxeval-probe
# The lab's own measure, and a box of nothing but Landlock: static, for boxes that hold nothing.
LAB := $(BUILD)/lab/check $(BUILD)/lab/confine
$(LAB): $(BUILD)/lab/%: lab/%.c $(BUILD)/probe/flags | requirements-probe
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(probe_CC) $(probe_FLAGS) -static -s -o $@ $<
lab: $(BUILD)/sandboxeval-probe $(LAB) ## one control of a box relaxed at a time: who notices? (root)
	BUILD=$(BUILD) lab/run --write docs/lab.md $(if $(PLACEBO),--placebo $(PLACEBO))
# The cross-check: the host program again, with a script in the probe's place.
CROSS := $(BUILD)/cross
$(CROSS)/bundle/loader: tests/cross/bundle.sh $(addprefix tests/cross/,answer.py paper.py beyond.py further.py)
	$(call say,COPY,$(@D))
	$(Q)rm -rf $(@D) && tests/cross/bundle.sh $(@D)
$(CROSS)/stub: tests/cross/stub.c
	$(Q)mkdir -p $(@D) && $(PROBE_CC) $(COMMON) -Os -static \
		-DBUNDLE='"$(abspath $(CROSS)/bundle)"' -o $@ $<
$(CROSS)/embedded.o: host/embedded_probe.S $(CROSS)/stub
	$(Q)$(CC) -I. -DPROBE_FILE='"$(CROSS)/stub"' -c -o $@ $<
$(CROSS)/sandboxeval: $(CROSS)/embedded.o $(CROSS)/bundle/loader \
		$(filter-out %/embedded_probe.o,$(call objects,host,$(OUTSIDE))) $(BUILD)/sources
	$(call say,LINK,$@)
	$(Q)$(CC) -pie -Wl,-z,relro,-z,now $(LDFLAGS) -o $@ $(filter %.o,$^) $(HOST_LIBS)
test-programs: $(HELPERS) $(LAB) $(TEST_PROBES) $(CROSS)/sandboxeval

unit-programs: $(call unit_in,$(BUILD)/unit)
unit: unit-programs ## build and run the unit tests
	CMOCKA_MESSAGE_OUTPUT=TAP prove -e '' $(sort $(call unit_in,$(BUILD)/unit))
probe-sanitize: $(BUILD)/sanitize/sandboxeval-probe ## the probe with sanitizers (glibc, dynamic)
sanitize: ## both programs and the unit tests with sanitizers; run the tests
sanitize: probe-sanitize $(BUILD)/sanitize/sandboxeval $(call unit_in,$(BUILD)/sanitize/unit)
	CMOCKA_MESSAGE_OUTPUT=TAP prove -e '' $(sort $(call unit_in,$(BUILD)/sanitize/unit))
analyze: $(call objects,analyze,$(sort $(BASE) $(PROBE) $(HOST) tools/catalogue.c)) ## gcc -fanalyzer
clang: ## the whole build with clang and -Werror
	$(Q)$(MAKE) BUILD=$(BUILD)/clang CC=clang PROBE_CC=clang WERROR=1 all
tidy: ## clang-tidy; zero findings are kept at zero
tidy: $(patsubst %.c,$(BUILD)/tidy/%.ok,$(BASE) $(PROBE) $(SCENARIOS) $(HOST) tools/catalogue.c)
# After the object, because its dependencies name the headers.
$(BUILD)/tidy/%.ok: %.c .clang-tidy $(BUILD)/native/%.o
	$(call say,TIDY,$@)
	$(Q)mkdir -p $(@D) && if clang-tidy --quiet $< -- $(DIALECT) $(HOST_CFLAGS) >$@.log 2>&1; \
		then touch $@; else cat $@.log; exit 1; fi
lint: $(BUILD)/sandboxeval-probe $(CATALOGUE) $(BUILD)/tests/matrix.tsv ## headers, include direction, shell, size, catalogue
	$(Q)tools/lint.sh includes
	$(Q)tools/lint.sh headers $(CC) $(DIALECT) $(WARNINGS) $(HOST_CFLAGS)
	$(Q)$(if $(SHELLS),shellcheck $(SHELLS))
	$(Q)tools/lint.sh size $(BUILD)/sandboxeval-probe $(PROBE_LIMIT)
	$(Q)$(CATALOGUE) lint
	$(Q)$(CATALOGUE) docs | diff -u docs/scenarios.md - && BUILD=$(BUILD) tools/incidents.py | diff -u docs/incidents.md - || \
		{ echo 'lint: docs/ is old: make docs' >&2; exit 1; }
check: ## everything: ./check
	./check

# ---------------------------------------------------------------- for people

docs: $(CATALOGUE) $(BUILD)/tests/matrix.tsv ## write docs/scenarios.md and docs/incidents.md
	$(Q)$(CATALOGUE) docs >$(BUILD)/scenarios.md && mv $(BUILD)/scenarios.md docs/scenarios.md
	$(Q)BUILD=$(BUILD) tools/incidents.py >$(BUILD)/incidents.md && mv $(BUILD)/incidents.md docs/incidents.md
paper: $(BUILD)/sandboxeval $(CROSS)/bundle/loader ## do the paper's findings come out again? Write docs/paper.md (root)
	BUILD=$(BUILD) tools/paper.py --write docs/paper.md
scenario: ## a new scenario's skeleton: make scenario NAME=category/name
	$(Q)tools/new-scenario.sh '$(NAME)'
format: ## clang-format on the lines of C that are not committed yet
	git clang-format --extensions c,h
gallery: all ## every engine side by side: writes docs/gallery.md and README.md (root)
	tools/gallery.sh $(BUILD)/sandboxeval
BENCH := $(patsubst tools/%.c,$(BUILD)/%,$(sort $(wildcard tools/bench/*.c)))
$(BENCH): $(BUILD)/bench/%: tools/bench/%.c
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(COMMON) -O2 -static -o $@ $<
bench: all $(BENCH) ## measure, and write docs/performance.md (some minutes; root: all engines)
	BUILD=$(BUILD) tools/bench.py docs/performance.md
install: all ## install below PREFIX (/usr/local), staged in DESTDIR
	install -D -s -m 0755 $(BUILD)/sandboxeval '$(DESTDIR)$(PREFIX)/bin/sandboxeval'
	install -D -m 0755 $(BUILD)/sandboxeval-probe '$(DESTDIR)$(PREFIX)/bin/sandboxeval-probe'
	for page in $(wildcard man/*.[1-8]) $(BUILD)/man/sandboxeval-scenarios.7; do \
		install -D -m 0644 -t '$(DESTDIR)$(PREFIX)/share/man/man'"$${page##*.}" "$$page"; done
	install -D -m 0644 $(BUILD)/completion/sandboxeval \
		'$(DESTDIR)$(PREFIX)/share/bash-completion/completions/sandboxeval'
clean: ## remove what was built
	rm -rf $(BUILD)
help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 20
FORCE:
.PHONY: FORCE all lab paper test-programs unit unit-programs probe-sanitize sanitize analyze clang tidy lint check docs \
	scenario format gallery bench install clean help $(addprefix requirements-,probe host native sanitize \
	analyze)

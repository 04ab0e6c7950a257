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
PROBE_LIMIT := 307200
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
HOST_DATA := $(sort $(wildcard host/*.sql host/*/*.sql host/*/*.html host/*/*.css host/*/*.js))
INSIDE := $(PROBE) $(SCENARIOS) $(BASE) gen/scenarios.c
OUTSIDE := $(HOST) $(sort $(wildcard host/*.S host/*/*.S)) $(BASE) gen/sandboxes.c \
	gen/reports.c gen/catalogue.c
UNIT := $(sort $(wildcard tests/unit/*_test.c))
SHELLS := $(sort $(shell grep -lsE '^\#!/(usr/)?bin/(env )?(ba|da)?sh' run check .ci/run \
	$(wildcard tools/* tests/* tests/*/* lab/* lab/*/*)))

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
probe_FLAGS = $(COMMON) $(if $(IS_MUSL),-isystem $(BUILD)/uapi) -Os -fno-pie -ffunction-sections \
	-fdata-sections -fno-asynchronous-unwind-tables $(CFLAGS)
host_CC = $(CC)
host_FLAGS = $(COMMON) $(HOST_CFLAGS) -O2 -g $(HARDENED) $(CFLAGS)
native_CC = $(CC)
native_FLAGS = $(COMMON) $(HOST_CFLAGS) -O1 -g -fno-pie $(CFLAGS)
sanitize_CC = gcc
sanitize_FLAGS = $(COMMON) $(HOST_CFLAGS) -O1 -g $(SANITIZERS) $(CFLAGS)
analyze_CC = gcc
analyze_FLAGS = $(COMMON) $(HOST_CFLAGS) -O1 -Werror -fanalyzer $(CFLAGS)

# ---------------------------------------------------------------- programs

all: $(BUILD)/sandboxeval $(BUILD)/sandboxeval-probe $(BUILD)/man/sandboxeval-scenarios.7 \
	$(BUILD)/completion/sandboxeval $(BUILD)/tests/matrix.tsv ## both programs and their data

$(BUILD)/sandboxeval-probe: $(call objects,probe,$(INSIDE)) $(BUILD)/sources
	$(call say,LINK,$@)
	$(Q)$(PROBE_CC) -static -no-pie -s -Wl,--gc-sections $(LDFLAGS) -o $@ $(filter %.o,$^)

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
CATALOGUE := $(BUILD)/native/catalogue
$(CATALOGUE): $(call objects,native,tools/catalogue.c probe/fingerprint.c $(SCENARIOS) $(BASE) \
	gen/scenarios.c) $(BUILD)/sources
	$(call say,LINK,$@)
	$(Q)$(CC) -no-pie -Wl,--unresolved-symbols=ignore-in-object-files -o $@ $(filter %.o,$^)

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

$(BUILD)/gen/scenarios.c $(BUILD)/gen/sandboxes.c $(BUILD)/gen/reports.c: tools/registry.sh FORCE
	$(Q)tools/registry.sh $(basename $(@F)) $@
$(BUILD)/gen/catalogue.c: $(CATALOGUE)
	$(call generate,data)
$(BUILD)/man/sandboxeval-scenarios.7: $(CATALOGUE)
	$(call generate,man)
$(BUILD)/tests/matrix.tsv: $(CATALOGUE)
	$(call generate,matrix)
names = $(subst _,-,$(notdir $(basename $(wildcard host/$(1)/*.c))))
$(BUILD)/completion/sandboxeval: $(CATALOGUE) $(BUILD)/sources
	$(call generate,completion,'$(call names,sandboxes)' '$(call names,reports)')
generate = $(call say,GENERATE,$@)$(if $(filter 1,$(V)),,;) \
	mkdir -p $(@D) && $(CATALOGUE) $(1) $(2) >$@.new && mv $@.new $@

# ---------------------------------------------------------------- the rest

clean: ## remove what was built
	rm -rf $(BUILD)
FORCE:
.PHONY: FORCE all clean

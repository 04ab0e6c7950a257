# SPDX-License-Identifier: MIT
#
# What the controls' filters are made of. Input: an OCI configuration.

def everywhere($capability): .process.capabilities[] += ["CAP_" + $capability];
def account($uid): .process.user = { uid: $uid, gid: $uid };

# System calls that the filter lets through besides, with all arguments.
def allow($names):
	.linux.seccomp.syscalls |= (map(select((.names - $names) != []))
		+ [{ names: $names, action: "SCMP_ACT_ALLOW" }]);
def allow_socket($family; $protocol):
	.linux.seccomp.syscalls += [{ names: ["socket"], action: "SCMP_ACT_ALLOW", args:
		([{ index: 0, value: $family, op: "SCMP_CMP_EQ" }]
		+ if $protocol == null then [] else
			[{ index: 2, value: $protocol, op: "SCMP_CMP_EQ" }] end) }];

# A filter that refuses these calls, and lets all others pass; the errno is EPERM.
def refuse($names; $action; $args):
	.linux.seccomp = { defaultAction: "SCMP_ACT_ALLOW", syscalls: [
		{ names: $names, action: ("SCMP_ACT_" + $action), args: $args }] };
def without_namespace($type): .linux.namespaces |= map(select(.type != $type));
# The network namespace of the process that stands beside the box.
def network_of($pid):
	.linux.namespaces |= map(if .type == "network" then .path = "/proc/\($pid)/ns/net" else . end);

def unmasked($path): .linux.maskedPaths -= [$path];
def writable($path): .linux.readonlyPaths -= [$path];
def mount_options($place; filter):
	.mounts |= map(if .destination == $place then .options |= filter else . end);
def bind($source; $place; $options):
	.mounts += [{ destination: $place, type: "bind", source: $source,
		options: (["bind", "nosuid", "nodev"] + $options) }];
def variable($text): .process.env += [$text];

def limit($name; $value):
	.process.rlimits |= (map(select(.type != "RLIMIT_" + $name))
		+ if $value == null then [] else
			[{ type: ("RLIMIT_" + $name), soft: $value, hard: $value }] end);
def device($path; $type; $major; $minor):
	.linux.devices += [{ path: $path, type: $type, major: $major, minor: $minor,
		fileMode: 438, uid: 0, gid: 0 }]
	| .linux.resources.devices += [{ allow: true, type: $type, major: $major, minor: $minor,
		access: "rwm" }];

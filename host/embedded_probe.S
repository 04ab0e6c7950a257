/* SPDX-License-Identifier: MIT */
/*
 * The whole probe, as built, inside the host program: from embedded_probe up to
 * embedded_probe_end. The build passes its path as PROBE_FILE.
 */
	.section .rodata
	.balign 16
	.global embedded_probe, embedded_probe_end
embedded_probe:
	.incbin PROBE_FILE
embedded_probe_end:
	.byte 0
	.section .note.GNU-stack, "", %progbits

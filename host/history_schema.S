/* SPDX-License-Identifier: MIT */
/*
 * The text of host/history.sql inside the host program, from history_schema up to its NUL.
 */
	.section .rodata
	.global history_schema
history_schema:
	.incbin "host/history.sql"
	.byte 0
	.section .note.GNU-stack, "", %progbits

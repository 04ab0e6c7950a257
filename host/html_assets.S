/* SPDX-License-Identifier: MIT */
/*
 * The style sheet and the script of HTML reports inside the host program, each up to its NUL.
 */
	.section .rodata
	.global html_style, html_script
html_style:
	.incbin "host/reports/html/page.css"
	.byte 0
html_script:
	.incbin "host/reports/html/page.js"
	.byte 0
	.section .note.GNU-stack, "", %progbits

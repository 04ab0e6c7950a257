/* SPDX-License-Identifier: MIT */
/*
 * Two processes for one run: the one that was called waits, and a child of it does the work, in a
 * process group of its own. SIGKILL cannot be caught, and CI's time limits send it to a process or
 * to its group: then the one that waits is hit, and for the other it is an interrupt like any
 * (PDEATHSIG), after which all is undone. When the worker itself is killed, the one that waits
 * ends what it left running. Signals are passed on, and so is the exit status.
 *
 *	work_apart();                  returns in the worker alone
 *	interrupt_catch();
 */
#pragma once

/* Before anything is started. Where there can be no second process, the one there is works. */
void work_apart(void);

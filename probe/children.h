/* SPDX-License-Identifier: MIT */
/* Fork in whatever form is left. The child must end with end_child(). */
#pragma once

/*
 * clone, clone3, fork – the first that the kernel and the filter let through. 0 in the child,
 * the pid in the parent, or a negative errno when every form was refused.
 */
long fork_any_form(void);
/*
 * In a child of `parent`: dies with it, also when it died before this call. A child that waits for
 * its parent would otherwise outlive a killed probe, and an engine that waits for all its processes
 * would wait with it.
 */
void tie_to_parent(long parent);
/* The number of this process; 0: not told. */
long own_number(void);

/* SPDX-License-Identifier: MIT */
/* The version of both programs. The Makefile gives it; without one (an editor, a lone file) this. */
#pragma once

#ifndef SANDBOXEVAL_VERSION
#define SANDBOXEVAL_VERSION "0.1.0"
#endif

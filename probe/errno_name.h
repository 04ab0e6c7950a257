/* SPDX-License-Identifier: MIT */
/* The symbolic name of an errno ("EACCES"), or its number as text; never NULL. */
#pragma once

const char *errno_name(int error);

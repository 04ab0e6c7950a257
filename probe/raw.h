/* SPDX-License-Identifier: MIT */
/*
 * System calls without libc: the number asked for is the number issued (libc wrappers choose
 * others), no errno is written, and nothing is retried. Returns ≥ 0, or the negative errno.
 */
#pragma once

#include <sys/syscall.h>

/* Calls that a filter was seen to kill for are not made: raw() says ENOSYS instead. */
void raw_forbid(long nr);
long raw6(long nr, unsigned long a, unsigned long b, unsigned long c, unsigned long d,
	  unsigned long e, unsigned long f);

#if defined(__x86_64__)
/* Makes the call, forbidden or not. */
static inline long raw6_now(long nr, unsigned long a, unsigned long b, unsigned long c,
			    unsigned long d, unsigned long e, unsigned long f)
{
	long value;
	register unsigned long r10 __asm__("r10") = d;
	register unsigned long r8 __asm__("r8") = e;
	register unsigned long r9 __asm__("r9") = f;

	__asm__ volatile("syscall"
			 : "=a"(value)
			 : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return value;
}
#elif defined(__aarch64__)
static inline long raw6_now(long nr, unsigned long a, unsigned long b, unsigned long c,
			    unsigned long d, unsigned long e, unsigned long f)
{
	register long x8 __asm__("x8") = nr;
	register unsigned long x0 __asm__("x0") = a;
	register unsigned long x1 __asm__("x1") = b;
	register unsigned long x2 __asm__("x2") = c;
	register unsigned long x3 __asm__("x3") = d;
	register unsigned long x4 __asm__("x4") = e;
	register unsigned long x5 __asm__("x5") = f;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return (long)x0;
}
#else
#error "the probe knows x86-64 and arm64"
#endif

#define RAW_U(a) (unsigned long)(a)
#define RAW_0(nr) raw6(nr, 0, 0, 0, 0, 0, 0)
#define RAW_1(nr, a) raw6(nr, RAW_U(a), 0, 0, 0, 0, 0)
#define RAW_2(nr, a, b) raw6(nr, RAW_U(a), RAW_U(b), 0, 0, 0, 0)
#define RAW_3(nr, a, b, c) raw6(nr, RAW_U(a), RAW_U(b), RAW_U(c), 0, 0, 0)
#define RAW_4(nr, a, b, c, d) raw6(nr, RAW_U(a), RAW_U(b), RAW_U(c), RAW_U(d), 0, 0)
#define RAW_5(nr, a, b, c, d, e)                                                                   \
	raw6(nr, RAW_U(a), RAW_U(b), RAW_U(c), RAW_U(d), RAW_U(e), 0)
#define RAW_6(nr, a, b, c, d, e, f)                                                                \
	raw6(nr, RAW_U(a), RAW_U(b), RAW_U(c), RAW_U(d), RAW_U(e), RAW_U(f))
#define RAW_PICK(a1, a2, a3, a4, a5, a6, a7, pick, ...) pick
/* raw(__NR_close, fd): up to six arguments, of any scalar or pointer type. */
#define raw(...)                                                                                   \
	RAW_PICK(__VA_ARGS__, RAW_6, RAW_5, RAW_4, RAW_3, RAW_2, RAW_1, RAW_0)(__VA_ARGS__)

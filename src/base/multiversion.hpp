#pragma once

// One source, several instruction sets, chosen when the library is loaded. The lanes are written
// out and contraction is off, so all of them give the same bits. Sanitizers run before the choice
// can be made.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define DPA_MULTIVERSION __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define DPA_MULTIVERSION
#endif

// Proofs, certificates and tests for NaN need IEEE arithmetic as it is written. (Clang tells of
// the first two only.)
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__)
#error "dpadapt must not be compiled with -ffast-math or a part of it"
#endif

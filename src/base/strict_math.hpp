#pragma once

// Proofs, certificates and tests for NaN need IEEE arithmetic as it is written. (Clang tells of
// the first two only.)
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__)
#error "dpadapt must not be compiled with -ffast-math or a part of it"
#endif

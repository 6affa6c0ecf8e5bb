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

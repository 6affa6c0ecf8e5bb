#pragma once

namespace dpadapt::platform {

/** What the processor and its system can do at once, the later the more. */
enum class Vectors { plain, avx2, avx512 };

[[nodiscard]] Vectors vectors_of_this_processor() noexcept;

}  // namespace dpadapt::platform

// GCC for Windows keeps no vector of 32 bytes where it must be on the stack (its bug 54412).
#if defined(__x86_64__) && defined(__GNUC__) && (defined(__clang__) || !defined(_WIN32))
#define DPA_HAS_VECTORS
#define DPA_PROCESSOR(instructions) __attribute__((target(instructions)))
#else
#define DPA_PROCESSOR(instructions)
#endif

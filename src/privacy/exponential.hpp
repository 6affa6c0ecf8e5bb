#pragma once

namespace dpadapt::privacy {

// In place of the platform's functions, whose errors nobody promises: IEEE arithmetic alone decides
// what these return. Relative error below 2^-51, for x in [-700, 700]; below that 0 or nearly so.

[[nodiscard]] double exponential(double x) noexcept;

/** e^x - 1. */
[[nodiscard]] double exponential_minus_one(double x) noexcept;

}  // namespace dpadapt::privacy

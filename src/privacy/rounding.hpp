#pragma once

#include <cstdint>
#include <span>

namespace dpadapt::privacy {

/** The certificate of a private sum: the contribution of one record, in grid units `unit`, rounded
 *  towards zero to integers whose squares sum to at most most^2, proven in 128-bit arithmetic
 *  whatever rounding, compiler or processor did before. A longer contribution is shrunk; one that
 *  is not finite becomes zero. most < 2^53. */
void round_to_grid(std::span<const double> contribution, double unit, std::int64_t most,
                   std::span<std::int64_t> rounded);

/** Adds to `sums` what round_to_grid makes of factor[i] times the i-th of some rows, one after
 *  another of sums.size() numbers each: the same integers, many records in one go. */
void add_multiples(std::span<const double> factors, const double *rows, double unit,
                   std::int64_t most, std::span<std::int64_t> sums);

}  // namespace dpadapt::privacy

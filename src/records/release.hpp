#pragma once

#include "base/secret.hpp"
#include "privacy/outer_sum.hpp"
#include "privacy/vector_sum.hpp"
#include "records/run.hpp"

namespace dpadapt {

/** Noise for the coordinates of one release, floor(2^bits Z) with the bits of its grid. It is drawn
 *  before the private sum is formed. */
[[nodiscard]] SecretVector<std::int64_t> gaussian_noise(const PrivateRun &run,
                                                        random::Purpose purpose, std::uint64_t step,
                                                        std::size_t dimension);

/** The sum with its noise: the only values that leave. The number of records is public. */
[[nodiscard]] arma::vec release(const PrivateRun &run, random::Purpose purpose, std::uint64_t step,
                                const privacy::VectorSum &sum, std::span<const std::int64_t> noise,
                                std::uint64_t public_records);

/** The symmetric matrix of a noisy sum of outer products. */
[[nodiscard]] arma::mat release(const PrivateRun &run, random::Purpose purpose, std::uint64_t step,
                                const privacy::OuterSum &sum, std::span<const std::int64_t> noise,
                                std::uint64_t public_records);

}  // namespace dpadapt

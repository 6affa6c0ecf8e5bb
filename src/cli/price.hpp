#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include "cli/report.hpp"

namespace dpadapt::cli {

__extension__ using Uint128 = unsigned __int128;

/** Why a report is not what it seems. */
class Contradiction : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/** A price in exact integers, as reports state it: mu^2 in units of 2^-80, epsilons in units of
 *  2^-40. */
struct Price {
    Uint128 mu_square = 0;
    Uint128 laplace = 0;
    Uint128 pure = 0;
    Uint128 failure = 0;  ///< of sampled releases, in units of 2^-120

    bool operator==(const Price &) const = default;
    Price &operator+=(const Price &other);
    [[nodiscard]] bool within(const Price &cap) const;
};

/** The integers of a member such as `spent`; throws Contradiction where there are none. */
[[nodiscard]] Price price_in(const Json &member);

/** Of what is released, from the integers of a release. */
[[nodiscard]] Price price_of(const Json &release);

/** Part by part the larger. */
[[nodiscard]] Price larger(const Price &a, const Price &b);

/** What such a member must be, number by number. */
[[nodiscard]] Json described(const Price &price);

/** epsilon at delta for that many records of one person; null beyond the accountant's range. */
[[nodiscard]] Json epsilon_of(const Price &price, double delta, unsigned records = 1);

/** Of records that hold something, the share that an attacker finds at most, if of those that do
 *  not the share `misled` misleads them; 1 beyond the accountant's range. */
[[nodiscard]] double most_found(const Price &price, double misled, unsigned records);

}  // namespace dpadapt::cli

#pragma once

#include <string>
#include <vector>

#include "privacy/report.hpp"

namespace dpadapt::privacy {

/** The most that somebody can find who tests, by whatever is released at that price, whether a
 *  record holds what they suspect: the share of right suspicions that they notice, where that share
 *  of wrong ones misleads them. Rounded up; by every line of the curve of epsilon and delta. */
[[nodiscard]] double most_found(double misled, const Totals &totals) noexcept;

/** These shares for one record and for several of one person. */
[[nodiscard]] Document attackers(const Statement &statement);

/** The promise in plain sentences: what is protected, what an attacker can find, what several rows
 *  of a person mean, what delta is. Empty where nothing is promised. */
[[nodiscard]] std::vector<std::string> plain_words(const Statement &statement);

}  // namespace dpadapt::privacy

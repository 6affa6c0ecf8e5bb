#pragma once

#include <string>
#include <vector>

#include "solution/solution.hpp"

namespace dpadapt {

/** What a fit did with private records, as far as public inputs and released values tell it. */
struct PrivateUse {
    privacy::Domains domains = 0;
    bool chose_anchor = false;  ///< among public predictors, by their losses
    double alpha = 0.0;
    double evidence = 0.0;  ///< of private/evidence.hpp; 0: alpha is not chosen by them
    loss::Choice loss;
};

/** Sentences for people: what became of the private records, and which ones count at all.
 *  @param labels  Those that count, as the user writes them; empty: those of the loss. */
[[nodiscard]] std::vector<std::string> findings(const PrivateUse &use, const std::string &labels);

/** The same of a solution, read back or not. */
[[nodiscard]] std::vector<std::string> findings(const Solution &solution,
                                                const std::string &labels);

/** Whether the private records moved the coefficients, if that is known: where nobody could tell
 *  them from no records at all, it is not. */
enum class Moved { no, yes, unknown };
[[nodiscard]] Moved moved(const PrivateUse &use);

}  // namespace dpadapt

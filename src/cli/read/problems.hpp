#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/read/samples.hpp"

namespace dpadapt::cli {

// Problems borrow their samples, which must outlive them.

[[nodiscard]] ProblemHandle make_problem(const Samples &samples);

/** With the source alone; without it, too, where it is elsewhere. */
[[nodiscard]] ProblemHandle make_source_problem(const Samples &samples);

/** What is measured, and on which rows. */
struct EvaluationRows {
    const Sample *rows;
    const Sample *reference;  // public rows by which losses are clipped; or null
    std::size_t features;
};

/** With the rows as its target, and the reference as its source. */
[[nodiscard]] ProblemHandle make_validation(const EvaluationRows &data);

/** Its sample of that domain, these rows, gets their weights, if they are public and have some. */
void weigh(const ProblemHandle &problem, std::int32_t domain, const Sample &rows);

/** Adds these rows as its sample of that domain, DPA_SOURCE or DPA_TARGET. */
void lend(const ProblemHandle &problem, std::int32_t domain, const Sample &sample,
          std::size_t cols);

/** Moves round(share n) of the sample's n rows into another sample, chosen by their numbers with
 *  public random numbers; Failure(kUsage) when one of the two would be empty.
 *  @param flag  What asked for it, for the message. */
[[nodiscard]] Sample divide(Sample &sample, double share, std::uint64_t seed,
                            const std::string &flag = "--validation-share");

/** Moves the rows that are taken into a sample of their own; Failure(kUsage) where they belong to
 *  persons, who would be in both. */
[[nodiscard]] Sample move_rows(Sample &sample, const std::vector<bool> &taken);

/** The rows in an order of public random numbers. */
[[nodiscard]] Sample shuffled(const Sample &sample);

/** Moves about that share of the sample's rows into another sample. Whether a row is moved depends
 *  on its number alone; Failure(kUsage) when one of the two would be empty. */
[[nodiscard]] Sample hold_out(Sample &sample, double share);

}  // namespace dpadapt::cli

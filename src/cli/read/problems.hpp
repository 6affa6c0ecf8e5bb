#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/read/samples.hpp"

namespace dpadapt::cli {

/** A problem that borrows the samples, which must outlive it. */
[[nodiscard]] ProblemHandle make_problem(const Samples &samples);

/** A problem with that source alone, which it borrows; without it where it is elsewhere. */
[[nodiscard]] ProblemHandle make_source_problem(const Samples &samples);

/** A problem with these rows as its target alone; it borrows them. */
[[nodiscard]] ProblemHandle make_validation(const Sample &rows, std::size_t features);

/** Adds these rows as its source, or as its target; it borrows them. */
void lend_source(const ProblemHandle &problem, const Sample &rows, std::size_t features);
void lend_target(const ProblemHandle &problem, const Sample &rows, std::size_t features);

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

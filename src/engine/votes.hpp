#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "base/control.hpp"
#include "engine/problem.hpp"
#include "linalg/matrix_view.hpp"
#include "privacy/votes.hpp"

namespace dpadapt::engine {

/** Which of so many teachers each row trains. Without ids all have as many rows, up to one, in a
 *  random order that depends on their number alone. With ids a row's teacher follows from its id
 *  alone. Throws Error(DPA_E_INVALID_ARGUMENT) for more teachers than rows, or none. */
void assign_shards(std::optional<std::span<const std::int64_t>> ids, std::size_t teachers,
                   std::span<double> shards);

/** Releases the answers of teachers, one a row, about the private records of the problem, which
 *  pays. `out` is set only on success; returns the deviation of the noise of each number. */
double release_answers(Problem &problem, const linalg::MatrixView &answers,
                       const privacy::VoteRange &range, const OptionValues &values,
                       Control &control, std::span<double> out);

}  // namespace dpadapt::engine

#pragma once

#include "base/bytes.hpp"
#include "solution/solution.hpp"

namespace dpadapt::format {

/** The format that is written: the newest. */
constexpr std::uint64_t kWritten = 6;

/** Writes what follows the number of that format. */
void write(const Solution &solution, bytes::Writer &write);

/** One reader a format: each reads what follows its number. A format is never changed; what it
 *  cannot hold needs a new one, and a new reader. A number with a name needs neither: a file may
 *  lack it, and then it keeps its preset. */
[[nodiscard]] Solution read_3(bytes::Reader &read);
[[nodiscard]] Solution read_4(bytes::Reader &read);
[[nodiscard]] Solution read_5(bytes::Reader &read);
[[nodiscard]] Solution read_6(bytes::Reader &read);

/** The kind of loss of that number; damaged() if there is none. */
[[nodiscard]] loss::Kind loss_kind(std::uint64_t id, const bytes::Reader &read);

/** Numbers that the loss does not have are 0. */
void drop_foreign_numbers(loss::Choice &choice);

/** The middle part, which formats 3 and 4 share. */
template <typename SolutionType, typename Field>
void each_result(SolutionType &solution, Field &field) {
    field(solution.coordinates.center);
    field(solution.coordinates.scale);
    field(solution.coordinates.whitening);
    field(solution.coordinates.constant);
    field(solution.coordinates.label_center);
    field(solution.coefficients);
    field(solution.intercept);
    field(solution.parameters);
    field(solution.source_rows);
    field(solution.target_rows);
    field(solution.source_weights);
    field(solution.target_weights);
    field(solution.objective);
    field(solution.duality_gap);
    field(solution.gradient_mapping);
    field(solution.iterations);
    field(solution.termination);
}

template <typename InferenceType, typename Field>
void each_inference(InferenceType &inference, Field &field) {
    field(inference.why);
    field(inference.estimate);
    field(inference.covariance);
    field(inference.freedom);
    field(inference.difference);
}

/** The same of the promise. */
template <typename Record, typename Field>
void each_promise(Record &privacy, Field &field) {
    field(privacy.protection);
    field(privacy.epsilon);
    field(privacy.delta);
    field(privacy.json);
    field(privacy.text);
}

}  // namespace dpadapt::format

#pragma once

#include "records/accumulator.hpp"

/** Tasks and sums as bytes, for records in another place. A request may be seen by anybody: it is
 *  made of public numbers and released ones. A sum is as private as the records. */
namespace dpadapt::records {

using Task = std::variant<GradientTask, OuterTask, MomentTask, LossTask, ScoreTask, PaperTask,
                          CountTask, ComparisonTask, ErrorTask>;

struct Request {
    Coordinates coordinates;
    Task task;
};

/** Throws Error(DPA_E_UNSUPPORTED) for a loss that is a function of the caller. */
[[nodiscard]] Bytes write_request(Request request);

/** Throws Error(DPA_E_FORMAT) for anything but a request that this version of the library wrote. */
[[nodiscard]] Request read_request(std::span<const std::uint8_t> bytes);

/** The work of another place: the sum of the request over a part of the sample whose first record
 *  is number `first`. Throws Error(DPA_E_FORMAT) for a damaged request, Error(DPA_E_DIMENSION) for
 *  records that do not have its features. */
[[nodiscard]] Bytes carry_out(std::span<const std::uint8_t> request, const Sample &part,
                              std::size_t threads, std::uint64_t first);

/** Adds what carry_out() returned for the parts of a sample, in any order. Throws
 *  Error(DPA_E_FORMAT) for a damaged sum, for that of another request, and unless there are so many
 *  records in all. */
template <typename Sum>
[[nodiscard]] Sum merge_sums(std::span<const std::uint8_t> request, const Sum &empty,
                             std::span<const Bytes> parts, std::uint64_t records);

}  // namespace dpadapt::records

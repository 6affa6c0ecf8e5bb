#pragma once

#include "records/accumulator.hpp"

/** Tasks and sums as bytes, for records in another place. A request may be seen by anybody: it is
 *  made of public numbers and released ones. A sum is as private as the records. */
namespace dpadapt::records {

using Task = std::variant<GradientTask, OuterTask, MomentTask, LossTask, ScoreTask, PaperTask,
                          CountTask, ComparisonTask, ErrorTask, SurveyTask, GramTask>;

/** Of requests and sums; it changes with what a request means, down to the last bit of a sum. */
constexpr std::uint64_t kRequestVersion = 7;

/** Of a sample that is elsewhere. */
constexpr std::uint64_t kMostRecords = std::uint64_t{1} << 40;

/** Reads it; another one is damage. */
void expect_version(bytes::Reader &read);

/** Whether the task knows records by their numbers in the sample. */
[[nodiscard]] bool knows_numbers(const Task &task);

/** Whether it may be asked of persons: not what knows records by their number, counts rows or reads
 *  public ones. */
[[nodiscard]] bool knows_persons(const Task &task);

/** What is asked of all records, or of a batch of them, or of persons. */
struct Request {
    Coordinates coordinates;
    Task task;
    std::uint64_t records;  ///< or persons, of which it speaks: public
    std::uint64_t rows_per_person =
        0;  ///< that are read of a person; 0: records are for themselves

    [[nodiscard]] bool of_persons() const { return rows_per_person > 0; }
};

/** Throws Error(DPA_E_UNSUPPORTED) for a loss that is a function of the caller. */
[[nodiscard]] Bytes write_request(Request request);

/** Throws Error(DPA_E_FORMAT) for anything but a request that this version of the library wrote. */
[[nodiscard]] Request read_request(std::span<const std::uint8_t> bytes);

}  // namespace dpadapt::records

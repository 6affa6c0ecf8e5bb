#pragma once

#include "records/request.hpp"
#include "records/units.hpp"

namespace dpadapt::records {

/** One of the task. */
using Sum = std::variant<sums::VectorSum, sums::OuterSum, sums::MomentSum, Tally, PaperSum, Counts,
                         SurveySum, GramSum>;

/** The sum of a request over some of the records, in another place: it grows by rows and by the
 *  sums of other parts. */
class Partial {
  public:
    /** Throws Error(DPA_E_FORMAT) for anything but a request. */
    explicit Partial(std::span<const std::uint8_t> request);

    /** Adds rows, of which the first is record `first` of the sample where that matters. Throws
     *  Error(DPA_E_DIMENSION) for records without the request's features. */
    void add(const Sample &rows, std::size_t threads, std::uint64_t first);

    /** The same of all rows of some persons, by their ids. Both throw Error(DPA_E_STATE) for rows
     *  with ids where the request is of records and the other way round, and this one for a person
     *  who has been added, here or, as far as that can be seen, in another part. */
    void add(const Sample &rows, std::span<const std::int64_t> ids, std::size_t threads);

    /** Adds what write() returned for other records. Throws Error(DPA_E_FORMAT) for a damaged sum
     *  and that of another request, Error(DPA_E_STATE) where a named part would count twice. */
    void merge(std::span<const std::uint8_t> sum);

    /** The same question, asked of no records yet. */
    [[nodiscard]] Partial without_records() const { return {request_, of_request_}; }

    /** Adds what without_records() has become, without persons. */
    void merge(const Partial &more);

    /** Names the records as a part; throws Error(DPA_E_STATE) for one that is there. */
    void name(std::uint64_t part);

    [[nodiscard]] Bytes write() const;
    [[nodiscard]] std::uint64_t records() const;
    [[nodiscard]] const Request &request() const { return request_; }
    [[nodiscard]] const Sum &sum() const { return sum_; }

  private:
    Partial(Request request, std::uint64_t of_request);

    void add_units(const Sample &rows, std::size_t threads, std::uint64_t first);
    void survey(const Sample &rows);
    void check_room(std::uint64_t more) const;

    Request request_;
    std::uint64_t of_request_;
    std::vector<std::uint64_t> parts_;  ///< names, in order
    PersonNames persons_;               ///< whose rows are there
    Sum sum_;
};

/** Adds the bytes of the parts of a sample, in any order; Error(DPA_E_CALLBACK) unless there are as
 *  many records as the request speaks of. */
[[nodiscard]] Sum merge_sums(std::span<const std::uint8_t> request, std::span<const Bytes> parts);

}  // namespace dpadapt::records

#include "records/partial.hpp"

#include <algorithm>
#include <iterator>

#include "base/error.hpp"

namespace dpadapt::records {
namespace {

constexpr bytes::Format kSum = {{'D', 'P', 'A', 'S', 'U', 'M', 'S', '\n'}, "a private sum"};

Sum empty_sum(const Request &request) {
    const std::size_t dimension = request.coordinates.dimension();
    return std::visit([&](const auto &task) { return Sum(task.empty(dimension)); }, request.task);
}

/** Whether a part has the records that the task speaks of. */
void check_part(const Task &task, const Sample &part, std::uint64_t first) {
    const auto *scores = std::get_if<ScoreTask>(&task);
    const auto *errors = std::get_if<ErrorTask>(&task);
    if ((scores != nullptr && !scores->candidates.empty() &&
         scores->candidates.front().features() != part.features()) ||
        (errors != nullptr && errors->solutions.front().features() != part.features()))
        throw Error(DPA_E_DIMENSION, "private records have another number of features");
    const auto *paper = std::get_if<PaperTask>(&task);
    if (paper != nullptr && (first > paper->v.n_elem || paper->v.n_elem - first < part.rows()))
        throw Error(DPA_E_DIMENSION, "there are more private records than the request knows");
}

[[noreturn]] void there_twice() {
    throw Error(DPA_E_STATE, "a part of the private records would be counted twice");
}

}  // namespace

Partial::Partial(std::span<const std::uint8_t> request)
    : request_(read_request(request)),  // first: too few bytes have no checksum
      of_request_(bytes::checksum_of(request)),
      sum_(empty_sum(request_)) {}

Partial::Partial(Request request, std::uint64_t of_request)
    : request_(std::move(request)), of_request_(of_request), sum_(empty_sum(request_)) {}

std::uint64_t Partial::records() const {
    return std::visit([](const auto &sum) { return sum.records(); }, sum_);
}

/** Sums over no more records than the grid was planned for cannot overflow. */
void Partial::check_room(std::uint64_t more) const {
    // mutant: more_records_than_announced
    if (more > request_.records - records())
        throw Error(DPA_E_STATE, "there are more than the " + std::to_string(request_.records) +
                                     " private records that the request covers");
}

void Partial::add(const Sample &rows, std::size_t threads, std::uint64_t first) {
    // mutant: rows_without_their_persons
    if (request_.of_persons())
        throw Error(DPA_E_STATE,
                    "the request protects persons: rows need the ids of the persons whom they "
                    "belong to");
    add_units(rows, threads, first);
}

void Partial::add(const Sample &rows, std::span<const std::int64_t> ids, std::size_t threads) {
    if (!request_.of_persons())
        throw Error(DPA_E_STATE,
                    "the request protects records, whosever they are: it knows no persons");
    PersonNames::Addition more = persons_.prepare(ids);
    Sample grouped = rows;
    // mutant: person_of_a_part_unclipped
    grouped.group(std::make_shared<const Persons>(ids));
    add_units(grouped, threads, 0);
    persons_.add(std::move(more));
}

void Partial::add_units(const Sample &rows, std::size_t threads, std::uint64_t first) {
    check_part(request_.task, rows, first);
    if (std::holds_alternative<SurveyTask>(request_.task)) return survey(rows);
    const Unlabelled unlabelled =
        std::visit([](const auto &task) { return unlabelled_records(task); }, request_.task);
    const Accumulator accumulator(rows, request_.coordinates, threads, first,
                                  request_.of_persons() ? request_.rows_per_person : kAllRows,
                                  unlabelled);
    const auto add_to_sum = [&]<typename Of>(const Of &task) {
        if constexpr (!std::same_as<Of, SurveyTask>) {
            const auto more = accumulator.sum(task);
            check_room(more.records());
            std::get<typename Of::Sum>(sum_).merge(more);
        }
    };
    std::visit(add_to_sum, request_.task);
}

/** Public rows are not the accumulator's business: it lets no row out. */
void Partial::survey(const Sample &rows) {
    if (rows.features() != request_.coordinates.features())
        throw Error(DPA_E_DIMENSION, "public records have another number of features");
    check_room(rows.rows());
    auto more = std::get<SurveySum>(empty_sum(request_));
    more.add(rows);
    std::get<SurveySum>(sum_).merge(more);
}

void Partial::merge(const Partial &more) {
    check_room(more.records());
    const auto add_to = [&]<typename Total>(Total &total) {
        total.merge(std::get<Total>(more.sum_));
    };
    std::visit(add_to, sum_);
}

void Partial::name(std::uint64_t part) {
    const auto place = std::lower_bound(parts_.begin(), parts_.end(), part);
    if (place != parts_.end() && *place == part) there_twice();
    parts_.insert(place, part);
}

void Partial::merge(std::span<const std::uint8_t> sum) {
    bytes::Reader read(sum, kSum);
    std::uint64_t of_request = 0;
    std::vector<std::uint64_t> parts;
    expect_version(read);
    read(of_request);
    // mutant: sum_of_another_request
    if (of_request != of_request_) read.damaged("of another request");
    read(parts);
    PersonNames::Sample persons = persons_.merged(read);
    std::vector<std::uint64_t> all;
    std::set_union(parts_.begin(), parts_.end(), parts.begin(), parts.end(),
                   std::back_inserter(all));
    // mutant: part_counted_twice
    if (all.size() != parts_.size() + parts.size()) there_twice();
    const auto add_to = [&]<typename Total>(Total &total) {
        Total more = std::get<Total>(empty_sum(request_));
        more.read(read);
        read.expect_end();
        check_room(more.records());
        total.merge(more);
    };
    std::visit(add_to, sum_);
    parts_.swap(all);
    persons_.take(std::move(persons));
}

Bytes Partial::write() const {
    bytes::Writer write(kSum);
    bytes::each(write, kRequestVersion, of_request_, parts_);
    persons_.write(write);
    std::visit([&](const auto &sum) { sum.write(write); }, sum_);
    return write.finish();
}

Sum merge_sums(std::span<const std::uint8_t> request, std::span<const Bytes> parts) {
    Partial total(request);
    for (const Bytes &part : parts) total.merge(part);
    // mutant: part_missing
    if (total.records() != total.request().records)
        throw Error(DPA_E_CALLBACK, "the private sums of a request must be of each record once");
    return total.sum();
}

}  // namespace dpadapt::records

#include "records/request.hpp"

#include <cmath>

#include "base/error.hpp"
#include "records/fields.hpp"

namespace dpadapt::records {
namespace {

constexpr bytes::Format kRequest = {{'D', 'P', 'A', 'T', 'A', 'S', 'K', '\n'},
                                    "a request of private sums"};
constexpr bytes::Format kSum = {{'D', 'P', 'A', 'S', 'U', 'M', 'S', '\n'}, "a private sum"};

/** Of both; it changes with what a request means, down to the last bit of a sum. */
constexpr std::uint64_t kVersion = 2;

void expect_version(bytes::Reader &read) {
    std::uint64_t version = 0;
    read(version);
    if (version != kVersion) read.damaged("of another version of the library");
}

bool is_positive(double value) { return value > 0.0 && std::isfinite(value); }

bool is_square(const arma::mat &matrix, std::size_t side) {
    return matrix.is_empty() || matrix.n_rows == side;
}

bool is_consistent(const loss::HiddenLayers &hidden, std::size_t inputs) {
    for (const std::size_t units : hidden.units)
        if (units < 1 || units > loss::kMostUnits) return false;
    return hidden.weights.n_elem == hidden.parameters(inputs);
}

bool is_consistent(const Coordinates &coordinates) {
    return is_consistent(coordinates.hidden, coordinates.inputs()) &&
           coordinates.scale.n_elem == coordinates.features() &&
           is_square(coordinates.whitening, coordinates.features()) &&
           is_square(coordinates.map, coordinates.dimension());
}

bool can_evaluate(const loss::Choice &choice) {
    return loss::is_possible(choice) && choice.kind != loss::Kind::custom &&
           choice.kind != loss::Kind::votes;
}

bool has_parameters(const loss::Choice &choice, const arma::vec &theta, std::size_t dimension) {
    return can_evaluate(choice) && theta.n_elem > 0 &&
           theta.n_elem <= privacy::VectorSum::kMostCoordinates &&
           loss::make_loss(choice, loss::Reading::private_records)->parameters(dimension) ==
               theta.n_elem;
}

bool is_consistent(const ScoredLoss &loss, std::size_t dimension) {
    return has_parameters(loss.loss, loss.theta, dimension) && loss::is_linear(loss.loss) &&
           is_positive(loss.slope_unit);
}

bool is_consistent(const MappedLoss &loss, std::size_t dimension) {
    return has_parameters(loss.loss, loss.theta, dimension) &&
           (loss.map.scale.is_empty() || loss.map.scale.n_elem == loss.theta.n_elem) &&
           is_square(loss.map.matrix, loss.theta.n_elem);
}

/** Gradients by scores are of one score. */
bool is_consistent(const std::variant<ScoredLoss, MappedLoss> &loss, std::size_t dimension) {
    if (const auto *mapped = std::get_if<MappedLoss>(&loss))
        return is_consistent(*mapped, dimension);
    const auto &scored = std::get<ScoredLoss>(loss);
    return is_consistent(scored, dimension) && scored.theta.n_elem == dimension;
}

bool is_consistent(const privacy::VectorGrid &grid) {
    return grid.most > 0 && grid.most < std::int64_t{1} << 53 && is_positive(grid.gamma);
}

bool is_consistent(const GradientTask &task, std::size_t dimension) {
    return is_consistent(task.loss, dimension) && is_consistent(task.grid);
}

bool is_consistent(const OuterTask &task, std::size_t dimension) {
    const auto *by_loss = std::get_if<ShrunkByLoss>(&task.shrink);
    return task.grid.length > 0 && task.grid.length <= std::int64_t{1} << 30 &&
           (by_loss == nullptr || is_consistent(by_loss->loss, dimension));
}

bool is_consistent(const MomentTask &task, std::size_t /*dimension*/) {
    return task.radius >= 0.0 && std::isfinite(task.radius) && task.label_bound >= 0.0 &&
           std::isfinite(task.label_bound);
}

bool is_consistent(const LossTask &task, std::size_t dimension) {
    for (const arma::vec &theta : task.predictors)
        if (!has_parameters(task.loss, theta, dimension)) return false;
    return is_positive(task.bound);
}

bool is_consistent(const ComparisonTask &task, std::size_t dimension) {
    for (const arma::vec &theta : task.predictors)
        if (!has_parameters(task.loss, theta, dimension)) return false;
    return !task.predictors.empty() && is_positive(task.bound) && is_consistent(task.grid);
}

bool is_consistent(const ScoreTask &task, std::size_t /*dimension*/) {
    for (const Solution &candidate : task.candidates)
        if (candidate.loss.kind == loss::Kind::custom ||
            candidate.features() != task.candidates.front().features())
            return false;
    return is_positive(task.bound) && task.loss != SelectionLoss::automatic &&
           task.loss <= SelectionLoss::pinball;
}

bool is_consistent(const PaperTask &task, std::size_t dimension) {
    return is_consistent(task.loss, dimension) && is_consistent(task.grid) && task.loss_most >= 0 &&
           task.loss_most < std::int64_t{1} << 53;
}

bool is_consistent(const CountTask &task, std::size_t /*dimension*/) {
    return can_evaluate(task.loss);
}

bool is_consistent(const Request &request) {
    const auto is_good = [&](const auto &task) {
        return is_consistent(task, request.coordinates.dimension());
    };
    const bool scores = std::holds_alternative<ScoreTask>(request.task);
    return is_consistent(request.coordinates) &&
           (scores ? request.coordinates.features() == 0 : request.coordinates.features() > 0) &&
           std::visit(is_good, request.task);
}

const loss::Choice *choice_of(const std::variant<ScoredLoss, MappedLoss> &loss) {
    return std::visit([](const auto &any) { return &any.loss; }, loss);
}
const loss::Choice *choice_of(const GradientTask &task) { return choice_of(task.loss); }
const loss::Choice *choice_of(const PaperTask &task) { return choice_of(task.loss); }
const loss::Choice *choice_of(const LossTask &task) { return &task.loss; }
const loss::Choice *choice_of(const ComparisonTask &task) { return &task.loss; }
const loss::Choice *choice_of(const CountTask &task) { return &task.loss; }
const loss::Choice *choice_of(const OuterTask & /*task*/) { return nullptr; }
const loss::Choice *choice_of(const MomentTask & /*task*/) { return nullptr; }
const loss::Choice *choice_of(const ScoreTask & /*task*/) { return nullptr; }

void check_writable(const Task &task) {
    const loss::Choice *choice = std::visit([](const auto &any) { return choice_of(any); }, task);
    if (choice != nullptr && choice->kind == loss::Kind::custom)
        throw Error(DPA_E_UNSUPPORTED,
                    "the loss is a function of the caller, which cannot be sent to records in "
                    "another place");
}

/** Whether a part has the records that the task speaks of. */
void check_part(const Task &task, const Sample &part, std::uint64_t first) {
    const auto *scores = std::get_if<ScoreTask>(&task);
    if (scores != nullptr && !scores->candidates.empty() &&
        scores->candidates.front().features() != part.features())
        throw Error(DPA_E_DIMENSION, "private records have another number of features");
    const auto *paper = std::get_if<PaperTask>(&task);
    if (paper != nullptr && (first > paper->v.n_elem || paper->v.n_elem - first < part.rows()))
        throw Error(DPA_E_DIMENSION, "there are more private records than the request knows");
}

}  // namespace

Bytes write_request(Request request) {
    check_writable(request.task);
    bytes::Writer write(kRequest);
    write(kVersion);
    FieldWriter field(write);
    field(request.coordinates);
    field(request.task);
    return write.finish();
}

Request read_request(std::span<const std::uint8_t> bytes) {
    bytes::Reader read(bytes, kRequest);
    expect_version(read);
    FieldReader field(read);
    Request request;
    field(request.coordinates);
    field(request.task);
    read.expect_end();
    if (!is_consistent(request)) read.damaged("its fields contradict each other");
    return request;
}

Bytes carry_out(std::span<const std::uint8_t> request, const Sample &part, std::size_t threads,
                std::uint64_t first) {
    const auto [coordinates, task] = read_request(request);
    check_part(task, part, first);
    const Accumulator accumulator(part, coordinates, threads, first);
    bytes::Writer write(kSum);
    write(kVersion);
    write(bytes::checksum_of(request));
    std::visit([&](const auto &any) { accumulator.sum(any).write(write); }, task);
    return write.finish();
}

template <typename Sum>
Sum merge_sums(std::span<const std::uint8_t> request, const Sum &empty,
               std::span<const Bytes> parts, std::uint64_t records) {
    Sum total = empty;
    for (const Bytes &part : parts) {
        bytes::Reader read(part, kSum);
        expect_version(read);
        std::uint64_t of_request = 0;
        read(of_request);
        // mutant: sum_of_another_request
        if (of_request != bytes::checksum_of(request)) read.damaged("of another request");
        Sum sum = empty;
        sum.read(read);
        read.expect_end();
        total.merge(sum);
    }
    // mutant: part_counted_twice
    if (total.records() != records)
        throw Error(DPA_E_FORMAT, "the private sums of a request must be of each record once");
    return total;
}

#define DPA_MERGES(Sum)                                                                         \
    template Sum merge_sums(std::span<const std::uint8_t>, const Sum &, std::span<const Bytes>, \
                            std::uint64_t)
DPA_MERGES(privacy::VectorSum);
DPA_MERGES(privacy::OuterSum);
DPA_MERGES(privacy::MomentSum);
DPA_MERGES(Tally);
DPA_MERGES(PaperSum);
DPA_MERGES(Counts);
#undef DPA_MERGES

}  // namespace dpadapt::records

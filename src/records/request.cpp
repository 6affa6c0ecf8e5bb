#include "records/request.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "records/error_terms.hpp"
#include "records/fields.hpp"

namespace dpadapt::records {
namespace {

constexpr bytes::Format kRequest = {{'D', 'P', 'A', 'T', 'A', 'S', 'K', '\n'},
                                    "a request of private sums"};

bool is_positive(double value) { return value > 0.0 && std::isfinite(value); }

bool is_square(const arma::mat &matrix, std::size_t side) {
    return matrix.is_empty() || matrix.n_rows == side;
}

/** Of so many features onto as many coordinates, or fewer. */
bool is_projection(const arma::mat &matrix, std::size_t features) {
    return matrix.is_empty() || (matrix.n_cols == features && matrix.n_rows <= features);
}

bool is_consistent(const loss::HiddenLayers &hidden, std::size_t inputs) {
    for (const std::size_t units : hidden.units)
        if (units < 1 || units > loss::kMostUnits) return false;
    return hidden.weights.n_elem == hidden.parameters(inputs);
}

bool is_consistent(const Coordinates &coordinates) {
    return is_consistent(coordinates.hidden, coordinates.inputs()) &&
           coordinates.clipping.feature_radius >= 0.0 && coordinates.clipping.label_bound >= 0.0 &&
           coordinates.weight_bound >= 0.0 && std::isfinite(coordinates.weight_bound) &&
           coordinates.scale.n_elem == coordinates.features() &&
           is_projection(coordinates.whitening, coordinates.features()) &&
           is_square(coordinates.map, coordinates.dimension());
}

bool can_evaluate(const loss::Choice &choice) {
    return loss::is_possible(choice) && choice.kind != loss::Kind::custom &&
           choice.kind != loss::Kind::votes;
}

bool has_parameters(const loss::Choice &choice, const arma::vec &theta, std::size_t dimension) {
    return can_evaluate(choice) && theta.n_elem > 0 && theta.n_elem <= privacy::kMostCoordinates &&
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
    const auto *lengths = std::get_if<CountedLengths>(&task.weighting);
    return is_consistent(task.loss, dimension) && is_consistent(task.grid) &&
           (lengths == nullptr ||
            (is_positive(lengths->counted) && lengths->counted < 1.0 && lengths->below >= 0.0));
}

bool is_consistent(const OuterTask &task, std::size_t dimension) {
    const auto *by_loss = std::get_if<ShrunkByLoss>(&task.shrink);
    const auto *clipped = std::get_if<ClippedByLoss>(&task.shrink);
    if (clipped != nullptr && !(is_positive(clipped->clip) && is_positive(clipped->most) &&
                                is_consistent(clipped->loss, dimension)))
        return false;
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
    const bool counts_alone = task.counted == 1.0;
    return can_evaluate(task.loss) && task.predictors.empty() == counts_alone &&
           is_positive(task.bound) && is_consistent(task.grid) && task.counted >= 0.0 &&
           task.counted <= 1.0 && task.coordinates <= privacy::kMostCoordinates;
}

bool is_consistent(const ScoreTask &task, std::size_t /*dimension*/) {
    for (const Solution &candidate : task.candidates)
        if (candidate.loss.kind == loss::Kind::custom ||
            candidate.features() != task.candidates.front().features())
            return false;
    return is_positive(task.bound) && task.loss != SelectionLoss::automatic &&
           task.loss <= SelectionLoss::pinball;
}

bool is_consistent(const ErrorTask &task, std::size_t /*dimension*/) {
    constexpr std::size_t kMostSolutions = 1000;
    const std::vector<Solution> &all = task.solutions;
    if (all.empty() || all.size() > kMostSolutions || task.edges.size() != all.size() ||
        task.areas.size() != all.size())
        return false;
    for (const Solution &solution : all)
        if (solution.loss.kind == loss::Kind::custom ||
            solution.features() != all.front().features() ||
            loss::has_likelihood(solution.loss) != loss::has_likelihood(all.front().loss))
            return false;
    for (std::size_t k = 0; k < all.size(); ++k) {
        const arma::vec &edges = task.edges[k];
        const std::size_t size = task.areas[k].n_elem;
        if (all[k].loss.kind != loss::Kind::survival) {
            if (edges.n_elem > kMostEdges || !edges.is_sorted()) return false;
            if (size != 2 * (kOddsBins + 1)) return false;
        } else if (size > 0) {
            if (edges.n_elem != kScoreCells + kTimeCells - 2 || edges.has_nan()) return false;
            const auto *middle = edges.begin() + (kScoreCells - 1);
            if (!std::is_sorted(edges.begin(), middle) || !std::is_sorted(middle, edges.end()))
                return false;
            if (size % 2 != 0 || size > 2 * kMostReferences) return false;
        }
    }
    const bool one = all.size() == 1 && !task.edges.front().is_empty();
    return task.asked <= (one ? ErrorsAsked::scores : ErrorsAsked::sizes) &&
           is_positive(task.bound) && is_positive(task.pinball_bound) && is_consistent(task.grid);
}

bool is_consistent(const PaperTask &task, std::size_t dimension) {
    return is_consistent(task.loss, dimension) && is_consistent(task.grid) && task.loss_most >= 0 &&
           task.loss_most < std::int64_t{1} << 53;
}

bool is_consistent(const CountTask &task, std::size_t /*dimension*/) {
    return can_evaluate(task.loss);
}

bool is_plain(const Coordinates &coordinates) {
    return !coordinates.constant && coordinates.hidden.empty() && coordinates.map.is_empty();
}

bool is_consistent(const SurveyTask &task, std::size_t /*dimension*/) {
    return task.most > 0 && task.most <= SurveyTask::kMostRows;
}

bool is_power_of_two(double value) {
    constexpr double kFar = 0x1p900;
    int exponent = 0;
    return value >= 1.0 / kFar && value <= kFar && std::frexp(value, &exponent) == 0.5;
}

bool is_consistent(const GramTask &task, std::size_t dimension) {
    return task.bounds.size() == dimension + 1 &&
           std::all_of(task.bounds.begin(), task.bounds.end(), is_power_of_two);
}

/** Whether integers of that size, one of each record, add up within 62 bits. */
bool add_up(std::uint64_t records, Uint128 most) {
    // mutant: sum_beyond_its_integers
    return most * records <= Uint128{1} << 62;
}

/** Sums of so many records stay within their integers; those of 128 bits always do. */
bool has_room(const OuterTask &task, std::uint64_t records) {
    const auto length = static_cast<Uint128>(task.grid.length);
    return add_up(records, length * length);
}
template <typename Task>
bool has_room(const Task &task, std::uint64_t records) {
    if constexpr (requires { task.grid.most; })
        return add_up(records, static_cast<Uint128>(task.grid.most));
    return !std::is_same_v<typename Task::Sum, Tally> || records <= Tally::kMostRecords;
}

bool is_consistent(const Request &request) {
    const auto is_good = [&](const auto &task) {
        return is_consistent(task, request.coordinates.dimension());
    };
    const bool scores = std::holds_alternative<ScoreTask>(request.task) ||
                        std::holds_alternative<ErrorTask>(request.task);
    return is_consistent(request.coordinates) &&
           (scores ? request.coordinates.features() == 0 : request.coordinates.features() > 0) &&
           (!std::holds_alternative<SurveyTask>(request.task) || is_plain(request.coordinates)) &&
           std::visit(is_good, request.task) && request.records <= kMostRecords &&
           (!request.of_persons() || knows_persons(request.task)) &&
           std::visit([&](const auto &task) { return has_room(task, request.records); },
                      request.task);
}

loss::Kind kind_of(const loss::Choice &loss) { return loss.kind; }
loss::Kind kind_of(const std::variant<ScoredLoss, MappedLoss> &loss) {
    return std::visit([](const auto &any) { return any.loss.kind; }, loss);
}

void check_writable(const Task &task) {
    const auto is_custom = [](const auto &any) {
        if constexpr (requires { kind_of(any.loss); })
            return kind_of(any.loss) == loss::Kind::custom;
        return false;
    };
    if (std::visit(is_custom, task))
        throw Error(DPA_E_UNSUPPORTED,
                    "the loss is a function of the caller, which cannot be sent to records in "
                    "another place");
}

}  // namespace

bool knows_numbers(const Task &task) {
    const auto *gradient = std::get_if<GradientTask>(&task);
    return std::holds_alternative<PaperTask>(task) ||
           (gradient != nullptr && !gradient->batch.empty());
}

bool knows_persons(const Task &task) {
    return !knows_numbers(task) && !std::holds_alternative<CountTask>(task) &&
           !std::holds_alternative<SurveyTask>(task) && !std::holds_alternative<GramTask>(task);
}

void expect_version(bytes::Reader &read) {
    std::uint64_t version = 0;
    read(version);
    if (version != kRequestVersion) read.damaged("of another version of the library");
}

Bytes write_request(Request request) {
    check_writable(request.task);
    bytes::Writer write(kRequest);
    bytes::each(write, kRequestVersion, request.records, request.rows_per_person);
    Fields field(write);
    bytes::each(field, request.coordinates, request.task);
    return write.finish();
}

Request read_request(std::span<const std::uint8_t> bytes) {
    bytes::Reader read(bytes, kRequest);
    expect_version(read);
    Request request;
    bytes::each(read, request.records, request.rows_per_person);
    Fields field(read);
    bytes::each(field, request.coordinates, request.task);
    read.expect_end();
    if (!is_consistent(request)) read.damaged("its fields contradict each other");
    return request;
}

}  // namespace dpadapt::records

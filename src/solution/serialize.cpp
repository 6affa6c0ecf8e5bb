#include "solution/format.hpp"
#include "solution/promise.hpp"

namespace dpadapt {
namespace {

constexpr bytes::Format kFile = {{'D', 'P', 'A', 'D', 'A', 'P', 'T', '\n'}, "a saved solution"};

using ReadFormat = Solution (*)(bytes::Reader &);

/** Reader of that format. */
ReadFormat reader_of(std::uint64_t format, const bytes::Reader &read) {
    switch (format) {
        case 3:
            return format::read_3;
        case 4:
            return format::read_4;
        case 5:
            return format::read_5;
        case 6:
            return format::read_6;
    }
    read.damaged("it has the format " + std::to_string(format) +
                 ", and this version reads the formats 3 to 6");
}

bool has_square(const std::vector<double> &values, std::size_t side) {
    return values.size() % side == 0 && values.size() / side == side;
}

bool is_consistent(const Coordinates &coordinates) {
    const std::size_t features = coordinates.center.size();
    return features > 0 && coordinates.scale.size() == features &&
           (coordinates.whitening.empty() || has_square(coordinates.whitening, features));
}

/** Whether coefficients or parameters are what the loss has; its choice and the coordinates are
 *  good. */
bool has_predictor(const Solution &solution) {
    if (loss::is_linear(solution.loss))
        return solution.parameters.empty() && solution.intercept.size() == solution.outputs() &&
               solution.coefficients.size() == solution.features() * solution.outputs();
    if (!solution.coefficients.empty() || !solution.intercept.empty()) return false;
    if (solution.loss.kind == loss::Kind::custom) return !solution.parameters.empty();
    // Each unit of the first layer reads every coordinate: what is counted next cannot overflow.
    const std::size_t dimension = solution.dimension();
    if (solution.parameters.size() / solution.loss.hidden.front() < dimension) return false;
    return loss::make_loss(solution.loss, loss::Reading::public_records)->parameters(dimension) ==
           solution.parameters.size();
}

/** Of as many coefficients as the predictor has, or of none. */
bool is_consistent(const Inference &inference, const Solution &solution) {
    if (inference.why > NoInference::persons || inference.why < NoInference::there) return false;
    if (!inference.there()) return inference.estimate.empty() && inference.covariance.empty();
    return loss::is_linear(solution.loss) && solution.outputs() == 1 &&
           inference.estimate.size() == solution.dimension() &&
           has_square(inference.covariance, inference.estimate.size()) && inference.freedom > 0.0;
}

/** A rule, or none; prices and scalars are whatever they are. */
bool is_consistent(const Weighing &weighing) {
    return !(weighing.source < 0.0 || weighing.target < 0.0 || weighing.s < 0.0);
}

bool is_consistent(const Solution &solution) {
    constexpr std::size_t kMostRows = std::size_t{1} << 40;  // of a problem
    const auto fits = [](const std::vector<double> &weights, std::size_t rows) {
        return rows > 0 && rows <= kMostRows && (weights.empty() || weights.size() == rows);
    };
    return loss::is_possible(solution.loss) && is_consistent(solution.coordinates) &&
           has_predictor(solution) && fits(solution.source_weights, solution.source_rows) &&
           fits(solution.target_weights, solution.target_rows) &&
           solution.termination <= Termination::not_converged &&
           solution.settings.prediction_lowest <= solution.settings.prediction_highest &&
           solution.settings.error_bound > 0.0 &&  // not NaN either
           is_consistent(solution.inference, solution) && is_consistent(solution.weighing) &&
           solution.settings.penalty <= PenaltyKind::linear &&
           solution.privacy.protection <= Protection::seeded &&
           agrees_with_reports(solution.privacy);
}

}  // namespace

namespace format {

loss::Kind loss_kind(std::uint64_t id, const bytes::Reader &read) {
    const loss::LossSpec *row = loss::find_saved_loss(id);
    if (row == nullptr)
        read.damaged("it has the loss number " + std::to_string(id) +
                     ", which this version does not know");
    return row->kind;
}

void drop_foreign_numbers(loss::Choice &choice) {
#define DPA_LOSS_NUMBER(type, name, scales) \
    if (!loss::has(choice, loss::Number::name)) choice.name = 0;
#include "loss/numbers.def"
}

}  // namespace format

std::vector<std::uint8_t> serialize(const Solution &solution) {
    bytes::Writer write(kFile);
    write(format::kWritten);
    format::write(solution, write);
    return write.finish();
}

Solution deserialize(std::span<const std::uint8_t> bytes) {
    bytes::Reader read(bytes, kFile);
    std::uint64_t format = 0;
    read(format);
    Solution solution = reader_of(format, read)(read);
    read.expect_end();
    if (!is_consistent(solution)) read.damaged("its fields contradict each other");
    // mutant: seed_forgotten_on_load
    return solution;
}

}  // namespace dpadapt

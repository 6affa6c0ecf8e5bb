#include <cmath>
#include <limits>

#include "solution/bytes.hpp"
#include "solution/solution.hpp"

namespace dpadapt {
namespace {

constexpr std::uint64_t kFormat = 3;

/** Every field, in the order of the file; the same list writes and reads. */
template <typename Settings, typename Field>
void each_setting(Settings &settings, Field &field) {
    field(settings.alpha);
    field(settings.kappa_1);
    field(settings.kappa_2);
    field(settings.kappa_inf);
    field(settings.lambda_1);
    field(settings.lambda_2);
    field(settings.lambda_inf);
    field(settings.mu);
    field(settings.radius);
    field(settings.discrepancy);
    field(settings.feature_radius);
    field(settings.label_bound);
}

template <typename SolutionType, typename Field>
void each_field(SolutionType &solution, Field &field) {
    field(solution.loss.kind);
    field(solution.loss.threshold);
    field(solution.loss.classes);
    field(solution.loss.hidden);
    field(solution.loss.output);
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
    each_setting(solution.settings, field);
    field(solution.privacy.protection);
    field(solution.privacy.epsilon);
    field(solution.privacy.delta);
    field(solution.privacy.json);
    field(solution.privacy.text);
}

/** Whether a loss of that choice can be made, whatever the bytes say. */
bool is_possible(const loss::Choice &choice) {
    constexpr std::size_t kMost = 1000;
    if (choice.kind > loss::Kind::votes || choice.classes > kMost) return false;
    if (choice.kind == loss::Kind::huber &&
        !(choice.threshold > 0.0 && std::isfinite(choice.threshold)))
        return false;
    if (loss::counts_classes(choice) && choice.classes < 2) return false;
    if (choice.kind != loss::Kind::perceptron && choice.kind != loss::Kind::votes)
        return choice.hidden.empty();
    for (const std::size_t units : choice.hidden)
        if (units < 1 || units > kMost) return false;
    if (choice.kind == loss::Kind::votes) return choice.hidden.size() == 1;
    return (choice.hidden.size() == 1 || choice.hidden.size() == 2) &&
           (choice.output == loss::Kind::squared || choice.output == loss::Kind::logistic ||
            choice.output == loss::Kind::softmax);
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

bool is_consistent(const Solution &solution) {
    constexpr std::size_t kMostRows = std::numeric_limits<std::int32_t>::max();  // of a problem
    const auto fits = [](const std::vector<double> &weights, std::size_t rows) {
        return rows > 0 && rows <= kMostRows && (weights.empty() || weights.size() == rows);
    };
    return is_possible(solution.loss) && is_consistent(solution.coordinates) &&
           has_predictor(solution) && fits(solution.source_weights, solution.source_rows) &&
           fits(solution.target_weights, solution.target_rows) &&
           solution.termination <= Termination::steps &&
           solution.privacy.protection <= Protection::seeded;
}

}  // namespace

std::vector<std::uint8_t> serialize(const Solution &solution) {
    bytes::Writer write;
    write(kFormat);
    each_field(solution, write);
    return write.finish();
}

Solution deserialize(std::span<const std::uint8_t> bytes) {
    bytes::Reader read(bytes);
    std::uint64_t format = 0;
    read(format);
    if (format != kFormat) bytes::damaged("of a format that this version does not know");
    Solution solution;
    each_field(solution, read);
    read.expect_end();
    if (!is_consistent(solution)) bytes::damaged("its fields contradict each other");
    // mutant: seed_forgotten_on_load
    return solution;
}

}  // namespace dpadapt

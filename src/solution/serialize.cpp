#include <algorithm>
#include <cmath>
#include <utility>

#include "base/bytes.hpp"
#include "base/text.hpp"
#include "privacy/saved_statement.hpp"
#include "solution/solution.hpp"

namespace dpadapt {
namespace {

constexpr bytes::Format kFile = {{'D', 'P', 'A', 'D', 'A', 'P', 'T', '\n'}, "a saved solution"};
/** A format is never changed: what it cannot hold needs the next one, and a reader of both. A
 *  number with a name needs neither: a file may lack it, and then it keeps its preset. */
constexpr std::uint64_t kSolutionFormat = 1;
constexpr std::uint64_t kCalibratedFormat = 2;  ///< the same, followed by the calibration
constexpr std::uint64_t kSurvivalFormat = 3;    ///< that of 1, followed by the baseline
/// That of 1, followed by what a solution may have besides: each of it, as it is.
constexpr std::uint64_t kWholeFormat = 4;

/** What stands in a file besides the loss, the named numbers and the promise. */
void each_field(auto &solution, auto &field) {
    bytes::each(field, solution.loss.hidden, solution.coordinates.center,
                solution.coordinates.scale, solution.coordinates.whitening,
                solution.coordinates.constant, solution.coordinates.label_center,
                solution.coefficients, solution.intercept, solution.parameters,
                solution.source_rows, solution.target_rows, solution.source_weights,
                solution.target_weights, solution.objective, solution.duality_gap,
                solution.gradient_mapping, solution.iterations, solution.termination,
                solution.inference.why, solution.inference.estimate, solution.inference.covariance,
                solution.inference.freedom, solution.inference.difference,
                solution.settings.penalty, solution.weighing.source, solution.weighing.target,
                solution.weighing.s, solution.weighing.t);
}

void each_number_of(auto &calibration, auto &field) {
    bytes::each(field, calibration.ends, calibration.below, calibration.count, calibration.persons,
                calibration.noise_least, calibration.noise_most, calibration.source_share,
                calibration.seeded, calibration.epsilon, calibration.delta);
}

void each_vector_of(auto &baseline, auto &field) {
    bytes::each(field, baseline.times, baseline.hazards, baseline.variances);
}

/** The facts that follow a report: what the call did, which stands in its text alone. */
void each_fact(auto &facts, auto &field) { bytes::each(field, facts.findings, facts.chose_anchor); }

void read_promise(PrivacyRecord &privacy, bytes::Reader &read) {
    std::string bytes;
    read(bytes);
    privacy::Statement statement = privacy::read_statement(
        {reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size()});
    each_fact(statement.facts, read);
    for (const std::string &finding : statement.facts.findings)
        if (!is_plain(finding)) read.damaged("a finding in it has control characters");
    privacy = PrivacyRecord(std::move(statement));
    if (privacy.protection != Protection::none && privacy.statement->ledger.entries().empty())
        read.damaged("it promises what no release has paid for");
}

void store(double value, double &number, const bytes::Reader & /*read*/) { number = value; }

void store(double value, std::size_t &number, const bytes::Reader &read) {
    if (!(value >= 0.0 && value <= 0x1p53 && value == std::floor(value)))
        read.damaged("one of its counts is not a whole number");
    number = static_cast<std::size_t>(value);
}

/** Each is known, and there once. */
void take_numbers(const std::vector<bytes::NamedNumber> &numbers, Solution &solution,
                  const bytes::Reader &read) {
    std::size_t known = 0;
    each_number(solution, [&](const std::string &name, auto &number) {
        for (const bytes::NamedNumber &found : numbers) {
            if (found.name != name) continue;
            store(found.value, number, read);
            ++known;
            break;
        }
    });
    if (known != numbers.size()) read.damaged("it has a number that this version does not know");
}

/** Numbers that the loss does not have are 0. */
void drop_foreign_numbers(loss::Choice &choice) {
#define DPA_LOSS_NUMBER(type, name) \
    if (!loss::has(choice, loss::Number::name)) choice.name = 0;
#include "loss/numbers.def"
}

loss::Kind read_loss(bytes::Reader &read) {
    std::uint64_t number = 0;
    read(number);
    const loss::LossSpec *row = loss::find_saved_loss(number);
    if (row == nullptr)
        read.damaged("it has the loss number " + std::to_string(number) +
                     ", which this version does not know");
    return row->kind;
}

bool all_finite(const std::vector<double> &values) {
    return std::ranges::all_of(values, [](double value) { return std::isfinite(value); });
}

bool has_square(const std::vector<double> &values, std::size_t side) {
    return values.size() % side == 0 && values.size() / side == side;
}

/** What a solution may have besides. */
void each_extra(auto &solution, auto &field) {
    each_vector_of(solution.loss.baseline, field);
    each_number_of(solution.calibration, field);
    bytes::each(field, solution.row_range.coefficients, solution.row_range.intercept,
                solution.row_range.lowest, solution.row_range.highest, solution.codes.column,
                solution.codes.value, solution.codes.median);
}

bool has_extra(const Solution &solution) {
    return !solution.row_range.coefficients.empty() || !solution.codes.column.empty();
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
    const std::size_t p = inference.estimate.size();
    bool good = loss::is_linear(solution.loss) && solution.outputs() == 1 &&
                p == solution.dimension() && has_square(inference.covariance, p) &&
                all_finite(inference.estimate) && all_finite(inference.covariance) &&
                inference.freedom > 0.0 && !(inference.difference < 0.0);
    for (std::size_t k = 0; good && k < p; ++k) good = inference.covariance[k * p + k] >= 0.0;
    return good;
}

bool is_consistent(const Calibration &calibration) {
    constexpr double kMost = 0x1p40;  // of rows
    const auto within = [](double value, double low, double high) {
        return low <= value && value <= high;
    };
    return std::ranges::is_sorted(calibration.ends) && all_finite(calibration.ends) &&
           all_finite(calibration.below) && calibration.below.size() == calibration.ends.size() &&
           within(calibration.count, 0.0, kMost) && within(calibration.noise_least, 0.0, 1e300) &&
           within(calibration.noise_most, calibration.noise_least, 1e300) &&
           within(calibration.source_share, 0.0, 1.0) && calibration.epsilon >= 0.0 &&
           within(calibration.delta, 0.0, 1.0);
}

bool is_consistent(const loss::CumulativeHazard &baseline) {
    return baseline.variances.size() == baseline.times.size() && all_finite(baseline.variances) &&
           std::ranges::all_of(baseline.variances, [](double value) { return value >= 0.0; });
}

bool is_consistent(const Codes &codes, std::size_t features) {
    return codes.value.size() == codes.column.size() &&
           codes.median.size() == codes.column.size() &&
           std::ranges::all_of(codes.column, [=](std::size_t j) { return j < features; }) &&
           all_finite(codes.value) && all_finite(codes.median);
}

bool is_consistent(const RowRange &range, const Solution &solution) {
    if (range.coefficients.empty()) return true;
    return solution.intercept.size() == 1 && range.coefficients.size() == solution.features() &&
           all_finite(range.coefficients) && std::isfinite(range.intercept) &&
           range.lowest <= range.highest;
}

bool is_consistent(const Solution &solution) {
    constexpr std::size_t kMostRows = std::size_t{1} << 40;  // of a problem
    const Weighing &weighing = solution.weighing;
    const auto fits = [](const std::vector<double> &weights, std::size_t rows) {
        return rows > 0 && rows <= kMostRows && (weights.empty() || weights.size() == rows);
    };
    return loss::is_possible(solution.loss) && is_consistent(solution.loss.baseline) &&
           is_consistent(solution.coordinates) && has_predictor(solution) &&
           is_consistent(solution.row_range, solution) &&
           is_consistent(solution.codes, solution.features()) &&
           fits(solution.source_weights, solution.source_rows) &&
           fits(solution.target_weights, solution.target_rows) &&
           solution.termination <= Termination::not_converged &&
           solution.settings.prediction_lowest <= solution.settings.prediction_highest &&
           solution.settings.error_bound > 0.0 &&  // not NaN either
           is_consistent(solution.inference, solution) && is_consistent(solution.calibration) &&
           !(weighing.source < 0.0 || weighing.target < 0.0 || weighing.s < 0.0) &&
           solution.settings.penalty <= PenaltyKind::linear;
}

}  // namespace

std::vector<std::uint8_t> serialize(const Solution &solution) {
    bytes::Writer write(kFile);
    const bool calibrated = solution.calibration.there();
    const bool survival = solution.loss.kind == loss::Kind::survival;
    const bool whole = has_extra(solution);
    write(whole        ? kWholeFormat
          : survival   ? kSurvivalFormat
          : calibrated ? kCalibratedFormat
                       : kSolutionFormat);
    bytes::each(write, solution.loss.kind, solution.loss.output);
    each_field(solution, write);
    std::vector<bytes::NamedNumber> numbers;
    each_number(solution, [&](const char *name, auto number) {
        const auto value = static_cast<double>(number);
        // Later than the others: files that need none of them keep their bytes.
        for (const std::string_view late :
             {"typical_label", "counted_records", "counted_deviation"})
            if (value == 0.0 && name == late) return;
        numbers.push_back({name, value});
    });
    write(numbers);
    const std::vector<std::uint8_t> statement =
        privacy::write_statement(*solution.privacy.statement);
    write(std::string(statement.begin(), statement.end()));
    each_fact(solution.privacy.statement->facts, write);
    if (whole) {
        each_extra(solution, write);
        return write.finish();
    }
    if (survival) each_vector_of(solution.loss.baseline, write);
    if (calibrated) each_number_of(solution.calibration, write);
    return write.finish();
}

Solution deserialize(std::span<const std::uint8_t> bytes) {
    bytes::Reader read(bytes, kFile);
    std::uint64_t format = 0;
    read(format);
    if (format < kSolutionFormat || format > kWholeFormat)
        read.damaged("it has the format " + std::to_string(format) +
                     ", and this version reads the formats 1 to 4");
    Solution solution;
    solution.loss.kind = read_loss(read);
    solution.loss.output = read_loss(read);
    if (format != kWholeFormat &&
        (solution.loss.kind == loss::Kind::survival) != (format == kSurvivalFormat))
        read.damaged("its format is not that of its loss");
    each_field(solution, read);
    std::vector<bytes::NamedNumber> numbers;
    read(numbers);
    take_numbers(numbers, solution, read);
    drop_foreign_numbers(solution.loss);
    read_promise(solution.privacy, read);
    if (format == kSurvivalFormat) each_vector_of(solution.loss.baseline, read);
    if (format == kCalibratedFormat) {
        each_number_of(solution.calibration, read);
        if (!solution.calibration.there()) read.damaged("its calibration is empty");
    }
    if (format == kWholeFormat) {
        each_extra(solution, read);
        if (!has_extra(solution)) read.damaged("its format is for more than it has");
    }
    read.expect_end();
    if (!is_consistent(solution)) read.damaged("its fields contradict each other");
    // mutant: seed_forgotten_on_load
    return solution;
}

}  // namespace dpadapt

#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "evaluate/bins.hpp"
#include "evaluate/evaluation.hpp"
#include "evaluate/private_evaluation.hpp"
#include "records/error_terms.hpp"
#include "records/task.hpp"

namespace dpadapt::evaluate {
namespace {

using RowErrors = std::vector<RowError>;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

}  // namespace

RowErrors checked_errors(const Solution &solution, const Sample &rows) {
    const auto loss = loss::make_loss(solution.loss, loss::Reading::public_records);
    RowErrors errors = row_errors(solution, rows, Evaluation::in_blocks);
    for (std::size_t i = 0; i < errors.size(); ++i) {
        if (errors[i].size) continue;
        if (!loss->accepts(rows.y()[i]))
            throw Error(DPA_E_LABEL, "row " + std::to_string(i) +
                                         " of the target has a label that is none of the classes");
        throw Error(DPA_E_NUMERICAL,
                    "the error of row " + std::to_string(i) + " of the target is not finite");
    }
    return errors;
}

namespace {

Interval mean(const std::vector<double> &values, double low, double high, double confidence) {
    const auto n = static_cast<double>(values.size());
    double sum = 0.0;
    for (const double value : values) sum += value;
    if (!std::isfinite(sum))
        throw Error(DPA_E_NUMERICAL, "the errors are so large that their mean is not finite");
    double squares = 0.0;
    for (const double value : values) squares += std::pow(value - sum / n, 2);
    const double variance = values.size() > 1 ? squares / (n - 1.0) : kInfinite;
    return interval(sum / n, std::sqrt(variance / n), low, high, confidence);
}

class PublicEvaluation {
  public:
    PublicEvaluation(const Sample &rows, std::span<const Solution *const> solutions,
                     double confidence) {
        result_.rows = rows.rows();
        result_.confidence = confidence;
        for (const Solution *solution : solutions)
            errors_.push_back(checked_errors(*solution, rows));
    }

    Measured of_classes(std::span<const Solution *const> solutions) {
        const auto log_loss = [](const RowError &error) { return *error.size; };
        const auto right = [](const RowError &error) { return error.wrong ? 0.0 : 1.0; };
        for (std::size_t k = 0; k < errors_.size(); ++k) {
            const bool classes = loss::predicts_classes(solutions[k]->loss);
            add(names::kLog, k, kInfinite, log_loss);
            if (classes) add(names::kAccuracy, k, 1.0, right);
            if (has_log_odds(solutions[k]->loss)) add_bins(k);
            if (!classes)
                result_.measures.push_back(
                    {names::kConcordance, k, concordance(errors_[k], result_.confidence)});
            if (k == 0) continue;
            add_gap(names::kLogGap, k, kInfinite, log_loss);
            if (classes) add_gap(names::kAccuracyGap, k, 1.0, right);
        }
        return std::move(result_);
    }

    Measured of_numbers(double level) {
        const auto square = [](const RowError &error) { return *error.size * *error.size; };
        const auto size = [](const RowError &error) { return *error.size; };
        const auto pinball = [level](const RowError &error) {
            return *error.size * (error.above ? level : 1.0 - level);
        };
        for (std::size_t k = 0; k < errors_.size(); ++k) {
            add(names::kSquared, k, kInfinite, square);
            result_.measures.push_back(root_of(result_.measures.back()));
            add(names::kAbsolute, k, kInfinite, size);
            if (level > 0.0) add(names::kQuantile, k, kInfinite, pinball);
            if (k == 0) continue;
            add_gap(names::kSquaredGap, k, kInfinite, square);
            add_gap(names::kAbsoluteGap, k, kInfinite, size);
            if (level > 0.0) add_gap(names::kQuantileGap, k, kInfinite, pinball);
        }
        return std::move(result_);
    }

  private:
    template <typename Loss>
    void add(const char *name, std::size_t k, double most, const Loss &loss) {
        std::vector<double> values;
        for (const RowError &error : errors_[k]) values.push_back(loss(error));
        result_.measures.push_back({name, k, mean(values, 0.0, most, result_.confidence)});
    }

    template <typename Loss>
    void add_gap(const char *name, std::size_t k, double most, const Loss &loss) {
        std::vector<double> values;
        for (std::size_t i = 0; i < result_.rows; ++i)
            values.push_back(loss(errors_[k][i]) - loss(errors_[0][i]));
        result_.measures.push_back({name, k, mean(values, -most, most, result_.confidence)});
    }

    void add_bins(std::size_t k) {
        std::vector<double> all;
        std::vector<double> negative;
        std::vector<double> positive;
        for (const RowError &error : errors_[k]) {
            all.push_back(error.log_odds);
            (error.positive ? positive : negative).push_back(error.log_odds);
        }
        result_.measures.push_back(
            {names::kRoc, k, roc_area(negative, positive, result_.confidence)});
        const std::vector<double> edges = equal_parts(all);
        BinCounts counts{std::vector<double>(kBins), std::vector<double>(kBins)};
        for (const RowError &error : errors_[k])
            (error.positive ? counts.positive
                            : counts.negative)[records::bin_of(error.log_odds, edges)] += 1.0;
        for (const CalibrationBin &bin : calibration(k, counts, edges, result_.confidence))
            result_.calibration.push_back(bin);
    }

    std::vector<RowErrors> errors_;
    Measured result_;
};

}  // namespace

Measured evaluate_publicly(const Sample &rows, std::span<const Solution *const> solutions,
                           double confidence) {
    PublicEvaluation evaluation(rows, solutions, confidence);
    if (loss::has_likelihood(solutions.front()->loss)) return evaluation.of_classes(solutions);
    records::ErrorTask task;
    for (const Solution *solution : solutions) task.solutions.push_back(predictor_of(*solution));
    const double level = solutions.front()->loss.quantile_level;
    return evaluation.of_numbers(records::has_pinball(task) ? level : 0.0);
}

}  // namespace dpadapt::evaluate

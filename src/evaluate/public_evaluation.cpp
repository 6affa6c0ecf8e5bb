#include <cmath>
#include <limits>

#include "base/control.hpp"
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

class PublicEvaluation {
  public:
    PublicEvaluation(const Sample &rows, std::span<const Solution *const> solutions,
                     double confidence)
        : weights_(rows.relative_weights()), weighs_(!weights_.empty()) {
        weights_.resize(rows.rows(), 1.0);
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
            if (!classes && !weighs_)
                result_.measures.push_back(
                    {names::kConcordance, k, concordance(errors_[k], result_.confidence)});
            if (k == 0) continue;
            add_gap(names::kLogGap, k, kInfinite, log_loss);
            if (classes) add_gap(names::kAccuracyGap, k, 1.0, right);
        }
        return result();
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
        return result();
    }

  private:
    Measured result() {
        if (weighs_)
            result_.measures.push_back(
                {names::kEffectiveRows, 0, {effective_rows_, effective_rows_, effective_rows_}});
        return std::move(result_);
    }

    void add(const char *name, std::size_t k, double least, double most, const auto &loss_of_row) {
        count_work(result_.rows, 1);
        std::vector<Weighted> values;
        for (std::size_t i = 0; i < result_.rows; ++i)
            values.push_back({loss_of_row(i), weights_[i]});
        const WeightedMean mean = weighted_mean(values);
        if (!std::isfinite(mean.value))
            throw Error(DPA_E_NUMERICAL, "the errors are so large that their mean is not finite");
        effective_rows_ = mean.rows;
        result_.measures.push_back(
            {name, k,
             interval(mean.value, std::sqrt(mean.variance), least, most, result_.confidence)});
    }

    void add(const char *name, std::size_t k, double most, const auto &loss) {
        add(name, k, 0.0, most, [&](std::size_t i) { return loss(errors_[k][i]); });
    }

    void add_gap(const char *name, std::size_t k, double most, const auto &loss) {
        add(name, k, -most, most,
            [&](std::size_t i) { return loss(errors_[k][i]) - loss(errors_[0][i]); });
    }

    void add_bins(std::size_t k) {
        count_work(result_.rows, 16);
        std::vector<double> all;
        std::vector<Weighted> negative;
        std::vector<Weighted> positive;
        for (std::size_t i = 0; i < result_.rows; ++i) {
            const RowError &error = errors_[k][i];
            all.push_back(error.log_odds);
            (error.positive ? positive : negative).push_back({error.log_odds, weights_[i]});
        }
        result_.measures.push_back(
            {names::kRoc, k, roc_area(negative, positive, result_.confidence)});
        const std::vector<double> edges = equal_parts(all);
        BinCounts counts{std::vector<double>(edges.size() + 1),
                         std::vector<double>(edges.size() + 1)};
        std::vector<double> squares(edges.size() + 1);
        for (std::size_t i = 0; i < result_.rows; ++i) {
            const RowError &error = errors_[k][i];
            const std::size_t bin = records::bin_of(error.log_odds, edges);
            (error.positive ? counts.positive : counts.negative)[bin] += weights_[i];
            squares[bin] += weights_[i] * weights_[i];
        }
        for (std::size_t bin = 0; bin < squares.size(); ++bin) {  // to effective numbers of rows
            if (squares[bin] == 0.0) continue;
            const double each = (counts.positive[bin] + counts.negative[bin]) / squares[bin];
            counts.positive[bin] *= each;
            counts.negative[bin] *= each;
        }
        for (const CalibrationBin &bin : calibration(k, counts, edges, result_.confidence))
            result_.calibration.push_back(bin);
    }

    std::vector<double> weights_;  ///< of mean 1
    bool weighs_;
    double effective_rows_ = 0.0;
    std::vector<RowErrors> errors_;
    Measured result_;
};

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

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "problem/prepared_problem.hpp"
#include "problem/sample.hpp"
#include "solution/predict.hpp"
#include "solution/solution.hpp"

namespace dpadapt {

/** Where 1 of 100 samples of zeros would pass for records. */
inline constexpr double kEnoughEvidence = 2.0;

/** What a fit did with private records, as far as public inputs and released values tell it. */
struct PrivateUse {
    privacy::Domains domains = 0;
    bool chose_anchor = false;  ///< among public predictors, by their losses
    double alpha = 0.0;
    double evidence = 0.0;  ///< of private/shrink.hpp; 0: alpha is not chosen by them
    loss::Choice loss;
    double records = 0.0;            ///< of the target, or persons
    double counted = 0.0;            ///< of them, as released
    double counted_deviation = 0.0;  ///< of its noise; 0: they were not counted
};

/** Of a solution, by its settings and what its report says. */
[[nodiscard]] PrivateUse use_of(const Solution &solution, const privacy::ReportFacts &facts);

/** Sentences for people: what became of the private records, and which ones count at all.
 *  @param labels  Those that count, as the user writes them; empty: those of the loss. */
[[nodiscard]] std::vector<std::string> findings(const PrivateUse &use, const std::string &labels);

/** The same of a solution, read back or not. */
[[nodiscard]] std::vector<std::string> findings(const Solution &solution,
                                                const std::string &labels);

/** Whether the private records moved the coefficients, if that is known: where nobody could tell
 *  them from no records at all, it is not. */
enum class Moved { no, yes, unknown };
[[nodiscard]] Moved moved(const PrivateUse &use);

/** How far a solution is off on a labelled row. */
struct RowError {
    std::optional<double> size;  ///< |residual|, or minus log probability; none without a meaning
    bool above = false;          ///< of numbers: whether the label is above the prediction
    bool wrong = true;           ///< of classes: whether another one is predicted
    double log_odds = 0.0;       ///< of two classes: of the positive one
    bool positive = false;       ///< whether the label is that one
    double score = 0.0;          ///< of times
    double time = 0.0;           ///< label, up to the last time of the baseline
};

/** Whether the labels are two classes, which have log odds. */
[[nodiscard]] bool has_log_odds(const loss::Choice &choice);

[[nodiscard]] std::vector<RowError> row_errors(const Solution &solution, const Sample &rows,
                                               Evaluation evaluation);

/** The part of a solution that predicts: linear scores become coefficients in the user's
 *  features. */
[[nodiscard]] Solution describe_predictor(const Preprocess &preprocess, const loss::Choice &choice,
                                          const arma::vec &theta);

/** The numbers of the objective and the bounds of the records. */
[[nodiscard]] UsedSettings used_settings(const Hyperparameters &hyper, const Clipping &clipping,
                                         std::optional<double> discrepancy = {});

}  // namespace dpadapt

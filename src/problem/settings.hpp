#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "loss/choice.hpp"
#include "privacy/plan.hpp"
#include "problem/hyperparameters.hpp"

namespace dpadapt {

enum class PreprocessKind { none, standardize, whiten };
enum class DiscrepancyKind { labelled, unlabelled };

/** Of the differences L_target - L_source: their largest size, or the largest one, at least 0. */
enum class DiscrepancySide { both, target_above };
enum class DiscrepancyMethod { trust_region, dca };
enum class CenterKind { zero, source, given };

/** A bound on the norm of features or labels: absent, a number, or a quantile of the public sample.
 */
struct Bound {
    enum class Kind { absent, number, quantile } kind;
    double value;  ///< the number, or the level of the quantile
};

enum class Method { profile, paper };
enum class Optimizer { newton, quasi_newton };
enum class AnchorKind { automatic, public_fit };
enum class MetricKind { hessian, gradients };
enum class Iterate { average, last };
enum class StepSizes { paper, scaled };
enum class OwnColumnsKind { constant, regressed };
enum class InferenceKind { automatic, no, yes };

/** The loss as far as options tell it; what is empty is learnt from the public sample. */
struct LossSettings {
    loss::Kind kind;
#define DPA_LOSS_NUMBER(type, name) std::optional<type> name;
#include "loss/numbers.def"
    std::vector<std::size_t> hidden_units;
    loss::Kind output;
    std::optional<loss::CumulativeHazard> baseline{};  ///< of survival; no option sets it
    std::optional<double> largest_label{};             ///< of both samples, without privacy
    loss::CallbackLoss callback;
    std::uint64_t start_seed;
};

/** Whether labels are numbers, which may be clamped; a caller's loss gets them as they are. */
[[nodiscard]] inline bool has_numbers(const LossSettings &loss) {
    return loss::has_numbers(loss.kind, loss.output);
}

/** Whether scores are labels, so that both have a centre. */
[[nodiscard]] inline bool centers_labels(const LossSettings &loss) {
    return loss::labels(loss.kind, loss.output) == loss::Labels::numbers;
}

/** Whether the discrepancy of that loss is a trust-region problem, solved exactly; of others it is
 *  taken over a finite set. */
[[nodiscard]] inline bool has_exact_discrepancy(loss::Kind kind) {
    return kind == loss::Kind::squared;
}

/** The options that only private methods read. */
struct PrivacySettings : privacy::PlanOptions {
    std::optional<privacy::Unit> unit;  ///< empty: of a target's records, or persons if it has them
    std::optional<double> discrepancy_share;
    AnchorKind anchor;
    std::optional<double> anchor_share;
    double moments_share;
    std::optional<double> labelled_share;    ///< empty: released with the comparison
    std::optional<double> row_weight_bound;  ///< W; empty: private records have no weights
    std::optional<double> metric_ridge;
    double clip_quantile;
    std::optional<double> clip_bound;
    double shrinkage;
    std::optional<MetricKind> metric;  ///< empty: hessian where the scores are linear
    Iterate iterate;
    Method method;
    StepSizes step_sizes;
    std::optional<std::size_t> rows_per_person;
    std::optional<std::int64_t> unsafe_seed;
};

/** The options that only baselines read. */
struct BaselineSettings {
    double ridge;
    std::optional<double> kernel_gamma;
    double weight_bound;
    std::optional<double> sum_tolerance;
    std::size_t centers;
    double relative_alpha;
    std::optional<double> ratio_penalty;
    std::optional<double> hypothesis_radius;
    std::size_t rounds;
    double source_factor;
    double target_factor;
    std::size_t epochs;
    std::optional<std::size_t> batch_size;
    std::optional<bool> samples;  ///< batches are drawn record by record; empty: where they can be
};

enum class SelectionLoss { automatic, squared, logistic, error, pinball };

/** The options that only the selection among candidates reads. */
struct SelectionSettings {
    SelectionLoss loss;
    std::optional<double> epsilon;
    std::optional<double> bound;
};

/** The options that only an evaluation reads. */
struct EvaluationSettings {
    std::optional<double> bound;
    double confidence;
    double bound_quantile;
};

/** The options of a run in the form that the computation uses; an empty optional stands for "auto".
 *  Every field is filled from the table of options, which holds the defaults. */
struct Settings {
    LossSettings loss;
    std::vector<std::string> unread;  ///< sentences about options that change nothing here
    PenaltyKind penalty;

    /// the numbers of the objective; lambda_1 empty: so large that no record leaves its reference
    /// weight
#define DPA_OBJECTIVE_NUMBER(type, symbol, name) type symbol;
#include "problem/numbers.def"

    std::optional<double> discrepancy;  ///< empty: estimate
    DiscrepancyKind discrepancy_kind;
    DiscrepancySide discrepancy_side;
    DiscrepancyMethod discrepancy_method;
    CenterKind center_kind;
    std::vector<double> center;  ///< in the user's features, intercept last if there is one
    std::optional<double> discrepancy_radius;
    std::optional<double> labelling_disagreement;  ///< empty: no labelled bound is wanted

    PreprocessKind preprocess;
    double whiten_ridge;
    bool intercept;
    OwnColumnsKind own_columns;  ///< what columns that are constant in the source stand for
    double own_spread;           ///< unit of those of a private target
    Bound feature_radius;
    Bound label_bound;

    /// predicted numbers lie in the range of public labels, wider by so much of it on both sides
    std::optional<double> prediction_margin;
    bool predictions_spread = false;  ///< the range holds what the fit itself predicts, too

    std::optional<Optimizer>
        optimizer;  ///< empty: newton where there is one score, linear in the features
    std::optional<std::size_t> iterations;
    double tolerance;
    std::size_t threads;
    InferenceKind inference;

    PrivacySettings privacy;
    BaselineSettings baseline;
    SelectionSettings selection;
    std::vector<double> forecast_shifts;
    EvaluationSettings evaluation;
};

}  // namespace dpadapt

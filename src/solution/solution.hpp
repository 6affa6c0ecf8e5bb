#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "loss/choice.hpp"
#include "privacy/report.hpp"
#include "problem/hyperparameters.hpp"
#include "solution/calibration.hpp"
#include "solution/inference.hpp"

namespace dpadapt {

enum class Termination : std::int32_t {
    converged,
    precision,
    iterations,
    degenerate,
    steps,
    not_converged
};

/** What is promised about the records behind a result. `seeded`: made as a private result, but with
 *  known noise. */
enum class Protection : std::int32_t { none, guaranteed, seeded };

/** The promise that a result carries wherever it goes. */
struct PrivacyRecord {
    Protection protection = Protection::none;
    double epsilon = std::numeric_limits<double>::infinity();
    double delta = 1.0;
    /** What the privacy report of the problem was when the fit was made, with what has been taken
     *  from it without protection since. */
    std::shared_ptr<const privacy::Statement> statement;

    PrivacyRecord();
    explicit PrivacyRecord(privacy::Statement about);

    /** Whose difference epsilon and delta are about. */
    [[nodiscard]] privacy::Neighbours neighbours() const { return statement->facts.neighbours; }

    /** Whether nothing was taken from the problem without protection, as far as is known: up to
     *  now, or up to when the solution was saved. */
    [[nodiscard]] bool is_whole() const;
};

/** The coordinates in which a loss sees rows: z = (W (scale % (x - center)), 1 if constant). */
struct Coordinates {
    std::vector<double> center;
    std::vector<double> scale;
    std::vector<double> whitening;  ///< W, column after column; empty: the identity
    bool constant = false;
    double label_center = 0.0;  ///< added to scores that are labels
};

/** From these and its loss follows the weight of a record; NaN where no rule is known. */
struct Weighing {
    double source = std::numeric_limits<double>::quiet_NaN();  ///< reference of a row of weight 1
    double target = std::numeric_limits<double>::quiet_NaN();
    double s = 0.0;  ///< the scalars that couple the records (objective/weights.hpp)
    double t = std::numeric_limits<double>::infinity();
};

/** The range of predictions ends no earlier than the prediction of a fit to public rows, which is
 *  linear, within these two; without coefficients it is the same for all rows. */
struct RowRange {
    std::vector<double> coefficients;
    double intercept = 0.0;
    double lowest = 0.0;
    double highest = 0.0;
};

/** Cells that stand for no measurement: where a column has that value the median is read. */
struct Codes {
    std::vector<std::size_t> column;
    std::vector<double> value;
    std::vector<double> median;
};

/** The result of a fit: a value, complete in itself. Linear scores are kept in the user's features.
 *  What a private fit does not release is absent: weights are empty (their number of rows is
 *  public), objective and gap NaN. */
struct Solution {
    loss::Choice loss;                 ///< without the caller's function
    std::vector<double> coefficients;  ///< column-major [features, outputs]; linear scores only
    std::vector<double> intercept;     ///< [outputs]; linear scores only
    std::vector<double> parameters;    ///< theta in the coordinates; empty for linear scores
    Coordinates coordinates;
    RowRange row_range;
    Codes codes;
    std::size_t source_rows = 0;
    std::size_t target_rows = 0;
    std::vector<double> source_weights;
    std::vector<double> target_weights;
    double objective = std::numeric_limits<double>::quiet_NaN();
    double duality_gap =
        std::numeric_limits<double>::quiet_NaN();  ///< no certificate of a global minimum
    double gradient_mapping = std::numeric_limits<double>::quiet_NaN();  ///< general form only
    std::int64_t iterations = 0;
    Termination termination = Termination::converged;
    UsedSettings settings;
    Weighing weighing;
    Inference inference;
    Calibration calibration;
    std::vector<std::string> told;           ///< by releases, until the record has them
    std::vector<std::string> feature_names;  ///< of a model file
    std::string known_labels;                ///< the same; empty: those of the loss
    PrivacyRecord privacy;

    /** Scores of a row; 0 for a caller's loss. */
    [[nodiscard]] std::size_t outputs() const { return loss::scores(loss); }
    [[nodiscard]] std::size_t features() const { return coordinates.center.size(); }
    /** What a predictor needs: all but the weights of the records. */
    [[nodiscard]] Solution without_weights() const {
        Solution predictor = *this;
        predictor.source_weights.clear();
        predictor.target_weights.clear();
        return predictor;
    }
    /** Of the coordinates. */
    [[nodiscard]] std::size_t dimension() const {
        return features() + (coordinates.constant ? 1 : 0);
    }
};

/** The bytes of a solution: little-endian, versioned, with a checksum. */
[[nodiscard]] std::vector<std::uint8_t> serialize(const Solution &solution);

/** Reads them back; throws Error(DPA_E_FORMAT) for anything else. */
[[nodiscard]] Solution deserialize(std::span<const std::uint8_t> bytes);

/** Public names of the numbers of a fit: of the objective, of the records, of the loss. */
constexpr const char *kNumberNames[] = {
#define DPA_OBJECTIVE_NUMBER(type, symbol, name) #name,
#define DPA_RECORD_NUMBER(name, preset) #name,
#include "problem/numbers.def"
#define DPA_LOSS_NUMBER(type, name) #name,
#include "loss/numbers.def"
};

/** Calls visit(name, number) for each of them, in that order; `Fit` is Solution, const or not. */
void each_number(auto &fit, const auto &visit) {
#define DPA_OBJECTIVE_NUMBER(type, symbol, name) visit(#name, fit.settings.symbol);
#define DPA_RECORD_NUMBER(name, preset) visit(#name, fit.settings.name);
#include "problem/numbers.def"
#define DPA_LOSS_NUMBER(type, name) visit(#name, fit.loss.name);
#include "loss/numbers.def"
}

}  // namespace dpadapt

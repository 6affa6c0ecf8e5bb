#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evaluate/error_bound.hpp"
#include "privacy/report.hpp"

namespace dpadapt::evaluate {

/** A number about one solution, or about its difference from the first one. */
struct Measure {
    const char *name;
    std::size_t solution;
    Interval value;
};

/** Rows whose predicted probability is in a range, and the share of positive labels among them. */
struct CalibrationBin {
    std::size_t solution;
    double from;
    double to;
    double rows;
    Interval positive;
};

/** How the losses of private rows were clipped. */
struct Clipping {
    double bound = 0.0;  ///< of residuals, or minus log probabilities
    const char *origin = "";
    double many = kManyClipped;    ///< above which a share of clipped rows is told
    bool heavy = false;            ///< whether released sizes have a heavy tail
    TailSigns signs{};             ///< of a long tail, of which public rows tell an excess
    std::vector<Interval> shares;  ///< of rows beyond it, for each solution
    /** What a reader must know of each of them; empty where it is of no account. */
    std::vector<std::string> notes{};

    void add_share(const Interval &share, bool persons);
    void add_note(std::size_t solution, const char *sentence);
};

/** What an evaluation found. */
struct Measured {
    std::size_t rows = 0;  ///< or persons
    bool persons = false;
    double confidence = 0.0;
    const char *protection = "none";
    std::vector<Measure> measures;
    std::vector<CalibrationBin> calibration;
    std::optional<Clipping> clipping;
};

/** The root of a mean of squares. */
[[nodiscard]] Measure root_of(const Measure &squared);

/** Throws Error(DPA_E_UNSUPPORTED) unless the same labels tell how good each solution is. */
void check_measurable(std::span<const Solution *const> solutions);

[[nodiscard]] std::string write(const Measured &measured, privacy::Form form);

namespace names {

constexpr const char *kSquared = "squared_error";
constexpr const char *kRootMeanSquared = "root_mean_squared_error";
constexpr const char *kAbsolute = "absolute_error";
constexpr const char *kQuantile = "quantile_loss";
constexpr const char *kLog = "log_loss";
constexpr const char *kAccuracy = "accuracy";
constexpr const char *kRoc = "roc_area";
constexpr const char *kConcordance = "concordance";
constexpr const char *kEffectiveRows = "effective_rows";
constexpr const char *kSquaredGap = "squared_error_difference";
constexpr const char *kAbsoluteGap = "absolute_error_difference";
constexpr const char *kQuantileGap = "quantile_loss_difference";
constexpr const char *kLogGap = "log_loss_difference";
constexpr const char *kAccuracyGap = "accuracy_difference";

}  // namespace names

}  // namespace dpadapt::evaluate

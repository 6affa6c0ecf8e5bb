#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "privacy/budget.hpp"
#include "privacy/grid.hpp"
#include "privacy/release.hpp"

namespace dpadapt::privacy {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

enum class Calibration { exact, paper };

/** What one coordinate of a step's vector counts besides the gradient. */
enum class Counted { nothing, short_terms, records };
/** By so much, which takes 1 % of the gradient's length. */
inline constexpr double kCounted = 0.15;  // docs/defaults.md
/** What a labelled record counts in a comparison, which leaves 98 % of a vector to losses. */
inline constexpr double kCountedAtFirst = 0.2;

/** What the options say of a call's releases. */
struct PlanOptions {
    Domains domains = kTarget;  ///< what is protected; 0: nothing
    Neighbours neighbours = Neighbours::replace;
    std::optional<double> epsilon;
    std::optional<double> delta;
    Calibration calibration = Calibration::exact;
    std::optional<double> noise_multiplier;      ///< sigma/sensitivity of each Gaussian release
    std::optional<double> laplace_epsilon;       ///< of the discrepancy
    std::optional<Mechanism> discrepancy_noise;  ///< empty: where it is the smaller
    std::optional<int> grid_bits;
    std::optional<double> discrepancy_tolerance;  ///< tau in units of B/n
};

/** What a call would release about private records: public configuration, and nothing else. */
struct PlanRequest : PlanOptions {
    std::size_t source_rows = 0;
    std::size_t target_rows = 0;
    std::size_t dimension = 0;          ///< of a gradient
    std::size_t moments_dimension = 0;  ///< of second moments
    std::size_t candidates = 0;         ///< public predictors whose mean losses may be compared
    bool counts_labels = false;         ///< whether the comparison counts labelled records as well

    double discrepancy_share = 0.0;       ///< of epsilon
    bool discrepancy = false;             ///< whether it is released
    double discrepancy_bound = kUnknown;  ///< B over its ball
    double least_tolerance = 0.0;         ///< tau, what the solver is proven to reach

    std::size_t steps = 0;                         ///< T gradient releases
    ReleaseKind gradient = ReleaseKind::gradient;  ///< which of the kinds
    std::uint64_t rate = 0;  ///< of Poisson sampling, in units of 2^-32; 0: no sampling
    std::optional<double> comparison_share;  ///< of mu^2, for the comparison; empty: by the plan
    double moments_share = 0.0;      ///< of mu^2, for the second moments of the private sample
    double own_columns_share = 0.0;  ///< of mu^2, for second moments that come before the steps
    double inference_share = 0.0;    ///< of mu^2, for what intervals of coefficients need
    double clip = kUnknown;          ///< norm of a record's term
    bool apart = false;              ///< whether each domain's gradients are released apart
    double source_weight = 0.0;      ///< p_i of a source record
    double target_weight = 0.0;
    double labelled_share = 1.0;        ///< of the private records, in their weight already
    bool weighs_records = false;        ///< whether they have weights of the user's
    bool sums_weights = false;          ///< whether the sum of these is released
    std::size_t extra_coordinates = 0;  ///< of the gradient, besides the predictor's
    Counted counts = Counted::nothing;  ///< what one more may count
    bool weights = false;          ///< whether the gradient by the records' weights is released too
    bool moments_only = false;     ///< whether second moments get all of mu^2, without gradients
    double loss_bound = kUnknown;  ///< B over the ball of predictors, for these
};

/** The releases of a call with all their numbers. */
struct Plan {
    std::optional<Budget> budget;  ///< none without epsilon and delta
    std::vector<Release> releases;
    Cost total;  ///< of the domain that pays more

    /** The first release of that kind; null if there is none. */
    [[nodiscard]] const Release *find(ReleaseKind kind) const;

    /** Over the private rows, at most: releases may share one. */
    [[nodiscard]] std::uint64_t passes() const;

    std::optional<NumberGrid> discrepancy;
    Mechanism discrepancy_noise = Mechanism::laplace;
    double tolerance = 0.0;  ///< tau
    std::size_t steps = 0;
    std::optional<VectorGrid> comparison;  ///< of mean losses, in units of half their bound
    std::optional<VectorGrid> weight_sum;
    std::optional<OuterGrid> moments;      ///< of the second moments, in units of their bound
    std::optional<OuterGrid> own_columns;  ///< of the same before the steps
    std::optional<OuterGrid> inference;    ///< of each of the two matrices behind intervals
    VectorGrid gradient{};                 ///< of sums of terms
    Counted counts = Counted::nothing;     ///< by a coordinate of these, where it tells enough
    std::int64_t weights_most = 0;         ///< Q of a record's entry in the gradient by the weights
};

/** What of a budget a discrepancy gets: epsilon of Laplace noise, or mu^2. */
struct DiscrepancyPrice {
    double laplace_epsilon = 0.0;
    Uint128 mu_square = 0;  ///< in units of 2^-80
};

/** Laplace noise of laplace_epsilon leaves some mu^2 to other releases. Gaussian noise that leaves
 *  them the same may be smaller: sigma/sensitivity is 1/mu, against sqrt(2)/laplace_epsilon. Of the
 *  two the one of less deviation, unless one is asked for. Throws as make_budget does. */
[[nodiscard]] DiscrepancyPrice price_of_discrepancy(double epsilon, double delta,
                                                    double laplace_epsilon,
                                                    std::optional<Mechanism> asked);

/** Share of mu^2 for a comparison of public predictors, beside gradients of that dimension, of each
 *  score `of_score`: the less these can tell, the more. `signal` is mu times the number of labelled
 *  records. */
[[nodiscard]] double share_of_comparison(std::size_t dimension, std::size_t of_score,
                                         double signal);

/** Share of mu^2 for the sum of the records' weights: at half their bound on average with noise of
 *  4 % of it, if that takes between 1 and 5 % of mu^2. `signal` is mu times the records' number. */
[[nodiscard]] double share_of_weight_sum(double signal);

/** By how many of their standard deviations a compared predictor must be better than the first. */
constexpr double kComparisonMargin = 4.2;

/** A pure function: the same request gives the same plan. Throws Error(DPA_E_OPTION) when the
 *  budget does not allow the releases or the grid cannot hold them. */
[[nodiscard]] Plan make_plan(const PlanRequest &request);

}  // namespace dpadapt::privacy

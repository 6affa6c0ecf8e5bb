#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "privacy/privacy_curve.hpp"
#include "random/stream.hpp"

namespace dpadapt::privacy {

/** The samples whose records a release reads: a set of bits. */
using Domains = unsigned;
constexpr Domains kSource = 1;
constexpr Domains kTarget = 2;

/** Which inputs are neighbours, whose difference is hidden: the content of one private record is
 *  replaced; or one private record is taken out, so that its part in every sum is zero, and all
 *  sizes stay. */
enum class Neighbours { replace, zero_out };

/** The word of the option. */
[[nodiscard]] inline const char *name_of(Neighbours neighbours) {
    return neighbours == Neighbours::zero_out ? "zero_out" : "replace";
}

/** Whose records move together between neighbours: one record, or all records of one person. */
enum class Unit { record, person };

/** The word of the option. */
[[nodiscard]] inline const char *name_of(Unit unit) {
    return unit == Unit::person ? "person" : "record";
}

/** By how many of the largest norm of a record's part a sum can differ between neighbours. */
[[nodiscard]] std::int64_t norms_moved(Neighbours neighbours);

/** A bound that has been rounded is still one after a step up. */
inline double up(double value) {
    return std::nextafter(value, std::numeric_limits<double>::infinity());
}

constexpr int kEpsilonBits = 40;
constexpr int kFailureBits = 120;

/** A price in exact integers: mu^2 of Gaussian releases in units of 2^-80, epsilon of Laplace
 *  releases and of other pure ones in units of 2^-40, and in units of 2^-120 the probability with
 *  which sampled releases promise nothing. Prices of composed releases add. */
struct Cost {
    Uint128 mu_square = 0;
    std::uint64_t laplace = 0;
    std::uint64_t pure = 0;
    Uint128 failure = 0;

    Cost &operator+=(const Cost &other);

    /** Whether every part is within that of the other. */
    [[nodiscard]] bool within(const Cost &cap) const;

    /** The same as numbers, rounded up. */
    [[nodiscard]] Totals totals() const;

    /** The same, rounded down: of what may still be spent. */
    [[nodiscard]] Totals totals_below() const;
};

/** The price of the same releases for that many records of one person, which move what is released
 *  that many times as far: mu and the epsilons are so many times as large. Of sampled releases
 *  nothing is known then. */
[[nodiscard]] Cost cost_of_group(const Cost &cost, unsigned records);

/** Part by part the larger. */
[[nodiscard]] Cost larger_cost(const Cost &a, const Cost &b);

/** What is left of a cap; nothing where more was spent, as another version may have. */
[[nodiscard]] Cost left_of(const Cost &cap, const Cost &spent);

/** mu^2 and epsilon in those units, rounded down. */
[[nodiscard]] Uint128 mu_square_units(double mu);
[[nodiscard]] std::uint64_t epsilon_units(double epsilon);

enum class Mechanism { gaussian, laplace, pure };

/** What is released: the parts of a plan are told apart by it. */
enum class ReleaseKind {
    discrepancy,
    comparison,  ///< mean losses of public predictors
    second_moments,
    gradient,          ///< by the parameters of the predictor
    epoch_gradient,    ///< the same in disjoint batches
    sampled_gradient,  ///< the same in batches into which records are drawn one by one
    source_weights,    ///< gradient by the weights of the source
    target_weights,
    selection,
    error_sizes,  ///< histograms that bound the errors of an evaluation
    errors,       ///< moments and histograms of an evaluation
    inference,    ///< curvature and squares of the gradients
    weight_sum,   ///< of the records' weights
    own_columns,  ///< second moments, for columns that the source lacks
    scores,       ///< numbers of records by the size of their error, for prediction intervals
    votes         ///< answers of teachers, each of whom knows a part of the records
};

/** In words, for reports. */
[[nodiscard]] const char *purpose(ReleaseKind kind);

/** What a call releases: an integer of known sensitivity, in units of a grid, plus noise of scale
 *  2^bits. */
struct Release {
    Mechanism mechanism = Mechanism::gaussian;
    ReleaseKind kind = ReleaseKind::gradient;
    Domains domains = 0;
    std::uint64_t steps = 1;               ///< how often
    std::uint64_t dimension = 1;           ///< coordinates of each
    int bits = 32;                         ///< the noise is floor(2^bits Z)
    std::int64_t integer_sensitivity = 0;  ///< of one release, in units
    double unit = 0.0;       ///< grid unit of the released quantity; NaN if a plan cannot know it
    double tolerance = 0.0;  ///< tau, error of the computed quantity, covered by the sensitivity
    Neighbours neighbours = Neighbours::replace;  ///< between whom it has that sensitivity
    std::uint64_t rate = 0;  ///< of sampling, in units of 2^-32; 0: every record is in every step
    Cost sampled = {};  ///< what all steps cost where records are sampled (sampled_gaussian.hpp)

    [[nodiscard]] double sensitivity() const {
        return unit * static_cast<double>(integer_sensitivity);
    }
    /** sigma, or b of a Laplace distribution. */
    [[nodiscard]] double scale() const { return std::ldexp(unit, bits); }
    /** Standard deviation of the noise. */
    [[nodiscard]] double deviation() const {
        return mechanism == Mechanism::laplace ? std::sqrt(2.0) * scale() : scale();
    }
    /** Of one of its steps: mu, or epsilon. */
    [[nodiscard]] double step_price() const {
        return std::ldexp(static_cast<double>(integer_sensitivity), -bits);
    }
    [[nodiscard]] Cost cost() const;  ///< of all steps
};

/** The grid of a released number. Neighbours' values, at most `sensitivity` apart, become integers
 *  at most `most` apart. Noise floor(2^bits L), L standard Laplace, makes their release
 *  epsilon-private, and floor(2^bits Z), Z standard normal, mu-GDP, with epsilon or mu exactly
 *  most / 2^bits. */
struct NumberGrid {
    int bits = 32;
    std::int64_t most = 0;  ///< K, sensitivity in grid units
    double unit = 0.0;      ///< g, sensitivity / K rounded up
};

/** Grid for a release with K units of sensitivity. Throws Error(DPA_E_OPTION) unless 2^10 <= K <
 *  2^53 and the unit is a normal number, which public numbers alone decide. */
[[nodiscard]] NumberGrid plan_number(double most, double sensitivity, int bits);

/** The same for Laplace noise that may cost epsilon: K = floor(epsilon 2^bits). */
[[nodiscard]] NumberGrid plan_laplace(double epsilon, double sensitivity, int bits);

/** clamp(g (floor(value / g) + noise + 1/2), 0, bound), with value clamped to [0, bound] first and
 *  noise as above. The one place where the value leaves: afterwards everything is
 *  post-processing. Throws Error(DPA_E_OPTION) when bound / g exceeds 2^62: public numbers again.
 *
 *  The quotient is floor of the exact ratio of two doubles, not of a rounded one, and g K >=
 *  sensitivity exactly; hence |value - value'| <= sensitivity implies, without any allowance for
 *  rounding, |floor(value / g) - floor(value' / g)| <= ceil(|value - value'| / g) <= K. (A rounded
 *  quotient near 2^62 is off by up to 2^8, which would have to be paid for by a larger tau.) */
[[nodiscard]] double release_number(double value, double bound, const NumberGrid &grid,
                                    std::int64_t noise);

/** floor(value / unit), exact; 0 <= value <= 2^62 unit. */
[[nodiscard]] std::int64_t floor_quotient(double value, double unit);

/** Sees each release: the integers before the noise, and the values after it; for tests that replay
 *  a run on a neighbour. */
class ReleaseTrace {
  public:
    ReleaseTrace &operator=(ReleaseTrace &&) = delete;
    virtual ~ReleaseTrace() = default;

    /** Returns the values to go on with: `released`, or those recorded from another run. */
    virtual std::vector<double> on_release(random::Purpose purpose, std::uint64_t step,
                                           std::span<const std::int64_t> integers,
                                           std::vector<double> released) = 0;
};

}  // namespace dpadapt::privacy

#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace dpadapt {

/** Why a solution has no intervals of its coefficients. */
enum class NoInference : std::int32_t {
    there,  ///< it has
    not_asked,
    not_released,
    other_loss,
    baseline,
    many_coefficients,
    few_rows,
    undetermined,
    persons
};

[[nodiscard]] const char *reason(NoInference why);

/** What is known of the coefficients of the target's best linear predictor: the target's own
 *  estimate of them, which no source rows and no shrinkage move, and its covariance, by sampling
 *  and noise together. The intercept, if there is one, comes last. All in the user's units. */
struct Inference {
    NoInference why = NoInference::not_asked;
    std::vector<double> estimate;
    std::vector<double> covariance;  ///< column after column
    double freedom = 0.0;            ///< degrees of freedom of the intervals; infinite: normal
    /// squared distance of the two domains' estimates, in units of its covariance; NaN: unknown
    double difference = 0.0;

    [[nodiscard]] bool there() const { return why == NoInference::there; }

    /** Half the width of each interval that covers with that probability. */
    [[nodiscard]] std::vector<double> half_widths(double confidence) const;

    /** Probability of a difference as large where the domains do not differ. */
    [[nodiscard]] double p_value() const;
};

/** t such that a variable of that distribution is in [-t, t] with that probability; the degrees of
 *  freedom may be infinite. */
[[nodiscard]] double two_sided_t(double confidence, double freedom);

/** Between two numbers, where something holds from `low` up to some number: the ends of an interval
 *  of 1/2^steps of that width around it. */
[[nodiscard]] std::pair<double, double> bisect(double low, double high, int steps,
                                               const auto &holds) {
    for (; steps > 0; --steps) {
        const double middle = 0.5 * (low + high);
        (holds(middle) ? low : high) = middle;
    }
    return {low, high};
}

/** P(X > x) of a chi-squared variable. */
[[nodiscard]] double chi_squared_tail(double x, double freedom);

}  // namespace dpadapt

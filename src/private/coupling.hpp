#pragma once

#include <array>

#include "objective/penalty.hpp"

namespace dpadapt {

/** The scalars that couple the weights (kappa_2, kappa_inf, lambda_2, lambda_inf) in a private
 *  descent: functions of two sums over all records, of which the private part is released beside the
 *  gradient. */
class Coupling {
  public:
    /** A sample: its records and their reference weight. */
    struct Part {
        std::size_t rows;
        double p;
    };

    /** Borrows the penalty.
     *  @param unit  Largest reference weight of a private record. */
    Coupling(const Penalty &penalty, const std::array<Part, 2> &parts, double unit);

    /** Of no use where the penalty does not couple weights. */
    [[nodiscard]] WeightScalars start() const { return start_; }

    /** sum q^2, and of the convex penalty the sum of what lifting the cap t would save, per unit, of
     *  the linear one sum exp(mu q) - 1 in units of its largest term. */
    using Sums = std::array<double, 2>;

    /** What a record adds. */
    [[nodiscard]] Sums of_record(double q, double cost, double p,
                                 const WeightScalars &scalars) const;

    /** What a private record adds at most. */
    [[nodiscard]] Sums largest(const WeightScalars &scalars) const;

    [[nodiscard]] WeightScalars next(const WeightScalars &scalars, const Sums &sums) const;

  private:
    [[nodiscard]] double next_cap(const ConvexPrices &prices, double t, double excess) const;
    [[nodiscard]] double log_sum(const LinearPrices &prices, double soft) const;

    const Penalty &penalty_;
    std::array<Part, 2> parts_;
    double unit_;
    double largest_p_;
    double largest_soft_ = 0.0;
    WeightScalars start_;  ///< at q = p, the largest that they can be
};

}  // namespace dpadapt

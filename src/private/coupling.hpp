#pragma once

#include <array>

#include "objective/weigh.hpp"

namespace dpadapt {

/** The scalars that couple the weights (kappa_2, kappa_inf, lambda_2, lambda_inf) in a private
 *  descent: functions of two sums over all records, of which the private part is released beside
 *  the gradient. */
class Coupling {
  public:
    /** A sample: its records and their reference weight. */
    struct Part {
        std::size_t rows;
        double p;
    };

    /** @param unit  Largest reference weight of a private record. */
    Coupling(const Penalty &penalty, const std::array<Part, 2> &parts, double unit);

    /** Of no use where the penalty does not couple weights. */
    [[nodiscard]] WeightScalars start() const { return start_; }

    using Sums = CouplingTerms::Sums;

    /** What a record adds. */
    [[nodiscard]] const CouplingTerms &terms() const { return terms_; }

    /** What a private record adds at most. */
    [[nodiscard]] Sums largest(const WeightScalars &scalars) const {
        return terms_.largest(unit_, scalars);
    }

    [[nodiscard]] WeightScalars next(const WeightScalars &scalars, const Sums &sums) const;

  private:
    [[nodiscard]] double next_cap(const ConvexPrices &prices, double t, double excess) const;
    [[nodiscard]] double log_sum(const LinearPrices &prices, double soft) const;

    CouplingTerms terms_;
    std::array<Part, 2> parts_;
    double unit_;
    double largest_soft_ = 0.0;
    WeightScalars start_;  ///< at q = p, the largest that they can be
};

}  // namespace dpadapt

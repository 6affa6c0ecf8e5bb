#pragma once

#include <algorithm>
#include <array>
#include <cmath>

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
    Coupling(const Penalty &penalty, const std::array<Part, 2> &parts, double unit)
        : terms_{penalty.prices(), std::max(parts[0].p, parts[1].p)}, parts_(parts), unit_(unit) {
        double square = 0.0;
        for (const Part &part : parts_)
            square = std::hypot(square, part.p * std::sqrt(static_cast<double>(part.rows)));
        start_ = {square, terms_.largest_p};
        const auto *linear = std::get_if<LinearPrices>(&terms_.prices);
        if (linear == nullptr) return;
        for (const Part &part : parts_)
            largest_soft_ +=
                static_cast<double>(part.rows) * soft_share(linear->mu, part.p, terms_.largest_p);
        start_.t = log_sum(*linear, largest_soft_);
    }

    /** Of no use where the penalty does not couple weights. */
    [[nodiscard]] WeightScalars start() const { return start_; }

    using Sums = CouplingTerms::Sums;

    /** What a record adds. */
    [[nodiscard]] const CouplingTerms &terms() const { return terms_; }

    /** What a private record adds at most. */
    [[nodiscard]] Sums largest(const WeightScalars &scalars) const {
        return terms_.largest(unit_, scalars);
    }

    [[nodiscard]] WeightScalars next(const WeightScalars &scalars, const Sums &sums) const {
        constexpr double kLeast = 1.0 / 64.0;  // of the largest value (docs/defaults.md)
        const double s = std::sqrt(std::max(0.0, sums[0]));
        WeightScalars moved{std::clamp(s, kLeast * start_.s, start_.s), scalars.t};
        if (const auto *linear = std::get_if<LinearPrices>(&terms_.prices))
            moved.t = log_sum(*linear, std::clamp(sums[1], 0.0, largest_soft_));
        else
            moved.t =
                std::clamp(next_cap(std::get<ConvexPrices>(terms_.prices), scalars.t, sums[1]),
                           kLeast * start_.t, start_.t);
        return moved;
    }

  private:
    /** A step against the derivative by t, with an upper bound of the second derivative: as if
     *  every record that can reach t were held by it. */
    [[nodiscard]] double next_cap(const ConvexPrices &prices, double t, double excess) const {
        double sum = 0.0;
        for (const Part &part : parts_)
            if (part.p >= t) sum += static_cast<double>(part.rows) * part.p * part.p;
        const double curvature =
            2.0 * prices.kappa_1 * sum / (t * t * t) + prices.kappa_inf / start_.t + 1e-300;
        return t + std::clamp((excess - prices.kappa_inf) / curvature, -0.5 * t, t);
    }

    /** log(a + (exp(x) - 1) b) for a, all records, and x > 0, b = soft >= 0. */
    [[nodiscard]] double log_sum(const LinearPrices &prices, double soft) const {
        const double x = prices.mu * terms_.largest_p;
        const double first = std::log(static_cast<double>(parts_[0].rows + parts_[1].rows));
        const double second = x + std::log(-std::expm1(-x)) + std::log(soft);
        const double larger = std::max(first, second);
        return larger + std::log(std::exp(first - larger) + std::exp(second - larger));
    }

    CouplingTerms terms_;
    std::array<Part, 2> parts_;
    double unit_;
    double largest_soft_ = 0.0;
    WeightScalars start_;  ///< at q = p, the largest that they can be
};

}  // namespace dpadapt

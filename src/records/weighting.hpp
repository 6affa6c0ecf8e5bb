#pragma once

#include <span>

#include "objective/weigh.hpp"

namespace dpadapt::records {

/** How the loss of a record decides about its weight q = share p: values that a task carries.
 *  weigh() gives a function that returns the share for a loss and writes the further coordinates of
 *  the record's term, from which the next scalars follow; measure() writes what follows from the
 *  clipped gradient. */

/** Every record has its reference weight. */
struct WholeWeights {
    [[nodiscard]] static std::size_t further() { return 0; }
    [[nodiscard]] static auto weigh() {
        return [](double /*loss*/, std::span<double> /*further*/) { return 1.0; };
    }
    static void measure(std::span<const double> /*gradient*/, std::span<double> /*further*/) {}
};

/** Every record has its reference weight, and gradient terms shorter than `below` are counted: the
 *  further coordinate is `counted` for these, -counted for longer ones, and 0 for zeros. Below
 *  infinity it counts records. */
struct CountedLengths {
    double counted = 0.0;
    double below = 0.0;  ///< as terms are, in units of the grid's bound

    [[nodiscard]] static std::size_t further() { return 1; }
    [[nodiscard]] static auto weigh() { return WholeWeights::weigh(); }
    void measure(std::span<const double> gradient, std::span<double> further) const {
        double square = 0.0;
        for (const double value : gradient) square += value * value;
        const double side = square < below * below ? counted : -counted;
        further.front() = square > 0.0 ? side : 0.0;
    }
};

/** At prices of weights that leave their reference. */
struct PricedWeights {
    /** Further coordinates are in [0, 1/2]; the public middle is taken from them, which leaves the
     *  term shorter, and the sum of so many middles is added to what was released. */
    static constexpr double kHalf = 0.5;
    static constexpr double kMiddle = 0.25;

    CouplingTerms coupling;
    WeightScalars scalars;
    double p = 0.0;     ///< reference weight
    double d = 0.0;     ///< what a record costs besides its loss
    double unit = 0.0;  ///< largest reference weight of a private record

    [[nodiscard]] std::size_t further() const {
        return couples(coupling.prices) ? CouplingTerms::Sums().size() : 0;
    }
    [[nodiscard]] auto weigh() const {
        return [*this, rule = rule_at(coupling.prices, scalars),
                largest = coupling.largest(unit, scalars)](double loss, std::span<double> out) {
            const double cost = loss + d;
            const double share = rule.share(cost, p);
            if (out.empty()) return share;
            const auto sums = coupling.of_record(p * share, cost, p, scalars);
            for (std::size_t k = 0; k < sums.size(); ++k)
                out[k] = (largest[k] > 0.0 ? kHalf * sums[k] / largest[k] : 0.0) - kMiddle;
            return share;
        };
    }
    static void measure(std::span<const double> /*gradient*/, std::span<double> /*further*/) {}
};

using Weighting = std::variant<WholeWeights, PricedWeights, CountedLengths>;

}  // namespace dpadapt::records

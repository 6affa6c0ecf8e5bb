#pragma once

#include <vector>

#include "loss/poisson.hpp"

namespace dpadapt::loss {

constexpr std::size_t kMostPieces = 128;  ///< docs/defaults.md

/** A baseline's cumulative hazard, 0 at time 0 and linear between the times: the hazard of each
 *  piece is constant. Observation ends at the last time. */
struct CumulativeHazard {
    std::vector<double> times;
    std::vector<double> hazards;
    std::vector<double> variances{};  ///< of their logarithms, but for a common factor

    [[nodiscard]] double at(double time) const { return between(hazards, 0.0, time); }
    [[nodiscard]] double variance_at(double time) const {
        return between(variances, variances.front(), time);
    }

    /** Whether times and hazards rise from above 0 and are finite, and there are at most
     *  kMostPieces; variances do not count. */
    [[nodiscard]] bool is_possible() const;

  private:
    [[nodiscard]] double between(const std::vector<double> &values, double first,
                                 double time) const;
};

/** Proportional hazards: a label t > 0 is the time of an event, -t one up to which there was none.
 *  With the baseline's cumulative hazard H, given, the likelihood is that of counts 0 and 1 whose
 *  rates are H(t) e^s (Aitkin and Clayton 1980), so
 *
 *      l(s, t) = H e^s - 1 - log(H e^s),    l(s, -t) = H e^s,
 *
 *  with Poisson's straight link from 16 on. What follows the last time of H is not seen. */
class Survival final : public OfCounts {
  public:
    explicit Survival(CumulativeHazard baseline)
        : OfCounts(false), baseline_(std::move(baseline)) {}

    [[nodiscard]] bool accepts(double label) const override;
    [[nodiscard]] const char *advice_on_labels() const override {
        return "; a time is above 0, and minus that without an event";
    }
    /** B and G are those of the earliest and the last times with an event and the last without one,
     *  beta that of the rates. */
    [[nodiscard]] Bounds score_bounds(double score_radius, double label_bound) const override;
    [[nodiscard]] Units units(double /*deviation*/) const override { return {}; }

    /** Hazards in units of the baseline's, e^s. */
    void predict(std::size_t n, const double *score, double *prediction) const override;

  private:
    void to_counts(std::size_t n, const double *score, const double *label, double *other,
                   double *events) const override;

    CumulativeHazard baseline_;
};

}  // namespace dpadapt::loss

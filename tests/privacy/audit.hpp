// White-box audit. Two neighbours whose differing record is saturated in opposite directions: the
// integers before the noise differ by a constant vector v_t. Along it the released values are a
// normal variable of mean 0 for one neighbour and of mean mu for the other. Counting how often a
// threshold is passed on either side bounds mu from below with a stated confidence, whatever the
// code claims.
#pragma once

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>

#include "privacy/accountant.hpp"
#include "privacy/replay.hpp"

struct Audit {
    double claimed_mu = 0.0;
    double true_mu = 0.0;   ///< of these neighbours, from the integers
    double lower_mu = 0.0;  ///< Clopper-Pearson
};

class Auditor {
  public:
    Auditor(const OptionTexts &options, double record_label)
        : source_(make_data(40, 0.0, 1)),
          first_(make_data(8, 0.5, 2)),
          second_(first_),
          settings_(settings_of(options, dpadapt::Wanted::fit)) {
        first_.set(3, 2.0, record_label);
        second_.set(3, 2.0, -record_label);
        source_sample_ = source_.sample();
        first_sample_ = first_.sample();
        second_sample_ = second_.sample();
    }

    /** @param confidence  of the two bounds together. */
    Audit operator()(int fits, double confidence) {
        using dpadapt::Wanted;
        dpadapt::PrivateCall one(source_sample_, first_sample_, settings_, Wanted::fit, control_);
        dpadapt::PrivateCall two(source_sample_, second_sample_, settings_, Wanted::fit, control_);
        Audit audit;
        audit.claimed_mu = one.plan().total.totals().mu;
        const double threshold = quantile(1.0 - kFalsePositives);
        double hits = 0.0;
        double false_hits = 0.0;
        for (int fit = 0; fit < fits; ++fit) {
            hits += statistic(one, two, audit.true_mu) > threshold ? 1.0 : 0.0;
            double mu = 0.0;
            const double opposite = statistic(two, one, mu);  // seen from the other side
            false_hits += mu - opposite > threshold ? 1.0 : 0.0;
        }
        using Binomial = boost::math::binomial_distribution<>;
        const double side = (1.0 - confidence) / 2.0;
        const double hit_rate = Binomial::find_lower_bound_on_p(fits, hits, side);
        const double false_rate = Binomial::find_upper_bound_on_p(fits, false_hits, side);
        audit.lower_mu = std::max(0.0, quantile(hit_rate) - quantile(false_rate));
        return audit;
    }

  private:
    static constexpr double kFalsePositives = 0.02;

    static double quantile(double p) {
        return p <= 0.0 ? -1e9 : boost::math::quantile(boost::math::normal(), p);
    }

    /** sum_t <S_t - S'_t, output_t - S'_t> / norm for a run on S, normal with mean mu and variance
     *  1 if the noise is what it should be; the integers of S' come from a replay. */
    double statistic(dpadapt::PrivateCall &call, dpadapt::PrivateCall &other, double &mu) {
        Recorder run;
        fit(call, run);
        Recorder replay(run);
        fit(other, replay);
        double product = 0.0;
        double square = 0.0;
        for (std::size_t k = 0; k < run.entries.size(); ++k) {
            const auto &entry = run.entries[k];
            const double sigma = std::ldexp(1.0, planned(call.plan(), entry.purpose).bits);
            const double unit = call.plan().gradient.gamma;
            for (std::size_t j = 0; j < entry.integers.size(); ++j) {
                const auto before = static_cast<double>(replay.entries[k].integers[j]);
                const double v = (static_cast<double>(entry.integers[j]) - before) / sigma;
                product += v * (entry.released[j] / unit - before) / sigma;
                square += v * v;
            }
        }
        mu = std::sqrt(square);
        return product / mu;
    }

    /** The budget is not what is tested: every fit has a ledger of its own. */
    static void fit(dpadapt::PrivateCall &call, Recorder &trace) {
        dpadapt::privacy::Ledger ledger;
        call.charge(ledger);
        (void)dpadapt::solve_private(call, 0.0, &trace);
    }

    Data source_, first_, second_;
    dpadapt::Settings settings_;
    dpadapt::Sample source_sample_, first_sample_, second_sample_;
    NoControl control_;
};

/** Five steps that together cost mu = 0.5, that is epsilon = 1.993 at delta = 1e-5. */
inline OptionTexts audited_options() {
    return {{"epsilon", "2"},    {"delta", "1e-5"},      {"noise_multiplier", "4.4721359549995796"},
            {"iterations", "5"}, {"moments_share", "0"}, {"shrinkage", "0"}};
}

/** Claimed and proven epsilon at delta = 1e-5. */
struct Epsilons {
    double claimed;
    double lower;
};
inline Epsilons epsilons(const Audit &audit) {
    constexpr double kDelta = 1e-5;
    return {dpadapt::privacy::epsilon(kDelta, {0.0, audit.claimed_mu}),
            audit.lower_mu > 0.0 ? dpadapt::privacy::epsilon(kDelta, {0.0, audit.lower_mu}) : 0.0};
}

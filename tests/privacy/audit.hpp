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
    /** @param taken_out  The other neighbour's record adds nothing, in place of the opposite. */
    Auditor(const OptionTexts &options, double record_label, bool taken_out = false)
        : Auditor(options, make_data(8, 0.5, 2), make_data(8, 0.5, 2)) {
        first_.set(3, 2.0, record_label);
        second_.set(3, 2.0, -record_label);
        constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
        if (taken_out) second_.set(3, kNothing, kNothing);
    }

    /** @param ids  Of the persons whom the rows belong to; empty: records are protected. */
    Auditor(const OptionTexts &options, Data first, Data second,
            const std::vector<std::int64_t> &ids = {})
        : source_(make_data(40, 0.0, 1)),
          first_(std::move(first)),
          second_(std::move(second)),
          settings_(settings_of(options, dpadapt::Wanted::fit)),
          source_sample_(source_.sample()),
          first_sample_(first_.sample()),
          second_sample_(second_.sample()) {
        if (ids.empty()) return;
        for (dpadapt::Sample *sample : {&first_sample_, &second_sample_})
            sample->group(std::make_shared<const dpadapt::Persons>(ids));
    }

    /** Eight persons, and neighbours in all three rows of one of them. */
    [[nodiscard]] static Auditor of_persons(const OptionTexts &options, double record_label) {
        constexpr std::size_t kPersons = 8;
        Data first = make_data(2 * kPersons, 0.5, 2);
        Data second = first;
        std::vector<std::int64_t> ids;
        for (std::size_t i = 0; i < first.y.size(); ++i) {
            const bool is_theirs = i % kPersons == 3 || i + 1 == first.y.size();
            ids.push_back(is_theirs ? 3 : static_cast<std::int64_t>(i % kPersons));
            if (!is_theirs) continue;
            first.set(i, 2.0, record_label);
            second.set(i, 2.0, -record_label);
        }
        return {options, std::move(first), std::move(second), ids};
    }

    /** Neighbours for the second moments: two long rows that point elsewhere, on which the public
     *  fit has no residual, so that gradients do not tell them apart. */
    [[nodiscard]] static Auditor of_moments(const OptionTexts &options) {
        constexpr double kLong = 1e4;
        const OptionTexts alone{{"alpha", "1"},
                                {"form", "general"},
                                {"discrepancy", "0"},
                                {"epsilon", "1"},
                                {"delta", "1e-5"}};
        const Data target = make_data(30, 0.5, 2);
        const auto fit = run_private(make_data(40, 0.0, 1), target, alone, nullptr).solution;
        std::vector<Data> neighbours(2, target);
        for (std::size_t j = 0; j < neighbours.size(); ++j) {
            neighbours[j].set(3, 0.0, fit.intercept[0] + kLong * fit.coefficients[j]);
            neighbours[j].x[3 * kFeatures + j] = kLong;
        }
        return {options, neighbours[0], neighbours[1]};
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
            const std::vector<double> released = in_integers(entry, call.plan());
            for (std::size_t j = 0; j < entry.integers.size(); ++j) {
                const auto before = static_cast<double>(replay.entries[k].integers[j]);
                const double v = (static_cast<double>(entry.integers[j]) - before) / sigma;
                product += v * (released[j] - before) / sigma;
                square += v * v;
            }
        }
        mu = std::sqrt(square);
        return product / mu;
    }

    /** What was released, in units of the integers before the noise. */
    static std::vector<double> in_integers(const Recorder::Entry &entry,
                                           const dpadapt::privacy::Plan &plan) {
        std::vector<double> values = entry.released;
        const std::vector<double> units = units_of(plan, entry);
        for (std::size_t k = 0; k < values.size(); ++k) values[k] /= units[k];
        return values;
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

/** One step and a release of second moments, which has nine tenths of the same mu^2. */
inline OptionTexts audited_moments() {
    return {{"epsilon", "2"},         {"delta", "1e-5"},
            {"iterations", "1"},      {"noise_multiplier", "6.3245553203367587"},
            {"moments_share", "0.9"}, {"anchor", "least_squares"}};
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

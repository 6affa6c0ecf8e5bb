#include "engine/fit.hpp"

#include <algorithm>
#include <limits>

#include "engine/finite.hpp"
#include "engine/report.hpp"
#include "engine/settings.hpp"
#include "objective/choose_alpha.hpp"
#include "objective/solve.hpp"
#include "private/solve.hpp"

namespace dpadapt::engine {
namespace {

Wanted wanted(const Estimate *given) {
    return given != nullptr ? Wanted::fit_with_given_discrepancy : Wanted::fit;
}

/** Throws unless the method and the options are both private, or neither is. */
void check_protection(const baseline::MethodSpec &method, const Settings &settings) {
    if (method.is_private == (settings.privacy.domains != 0)) return;
    throw Error(DPA_E_OPTION,
                std::string("baseline ") + method.name +
                    (method.is_private ? " protects the target: private_domain must be target"
                                       : " protects nobody: set private_domain to none"));
}

/** Predictions of numbers end where public labels do, with a margin. */
void bound_predictions(const Settings &settings, const Sample &source, const Sample &target,
                       Solution &solution) {
    if (!settings.prediction_margin || !centers_labels(settings.loss)) return;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    double least = kInfinity;
    double most = -kInfinity;
    const auto see = [&](privacy::Domains domain, const Sample &sample) {
        if ((settings.privacy.domains & domain) != 0) return;
        const auto [low, high] = std::minmax_element(sample.y(), sample.y() + sample.rows());
        least = std::min(least, *low);
        most = std::max(most, *high);
    };
    see(privacy::kSource, source);
    see(privacy::kTarget, target);
    if (!(least < most)) return;
    const double margin = *settings.prediction_margin * (most - least);
    solution.settings.prediction_lowest = least - margin;
    solution.settings.prediction_highest = most + margin;
}

/** A fit after all checks, of a problem that is held. */
struct Fit {
    Problem &problem;
    const baseline::MethodSpec *method;
    const Estimate *given;
    const Settings &settings;
    Control &control;

    [[nodiscard]] Solution run(const std::string &choice) const {
        const bool is_private = settings.privacy.domains != 0;
        Solution solution = is_private ? with_privacy(choice) : without_privacy();
        check_finite(solution, !is_private && method == nullptr);
        bound_predictions(settings, problem.source(), problem.target(), solution);
        return solution;
    }

  private:
    [[nodiscard]] std::optional<double> discrepancy() const {
        return given != nullptr ? given->discrepancy.value : settings.discrepancy;
    }

    [[nodiscard]] Solution adapt(const PreparedProblem &prepared) const {
        std::optional<double> d = discrepancy();
        // An alpha that the target's labels have chosen needs no discrepancy, as with privacy.
        if (!d && settings.alpha && !keeps_reference(settings)) {
            const Discrepancy estimated = estimate_discrepancy(prepared, settings, control);
            check_finite(estimated);
            d = estimated.value;
        }
        return dpadapt::solve(prepared, d, settings, control);
    }

    [[nodiscard]] Solution without_privacy() const {
        const Sample &source = problem.source();
        const Sample &target = problem.target();
        problem.ledger.exposure().unprotected = true;
        PreparedProblem prepared(source, target, settings, control);
        learn_trust(prepared, settings, method == nullptr, control);
        Solution solution = method != nullptr ? baseline::solve_without_privacy(*method, prepared,
                                                                                settings, control)
                                              : adapt(prepared);
        solution.privacy = unprotected({source.rows(), target.rows(), source.features()});
        return solution;
    }

    [[nodiscard]] Solution with_privacy(const std::string &choice) const {
        const Sample &source = problem.source();
        const Sample &target = problem.target();
        if (method != nullptr) {
            const auto call = baseline::prepare_private(*method, source, target, settings, control);
            call->charge(problem.ledger);
            Solution solution = call->solve(nullptr);
            solution.privacy = privacy_record(problem.ledger, report_facts(*method, *call), choice);
            return solution;
        }
        PrivateCall call(source, target, settings, wanted(given), control);
        call.charge(problem.ledger);
        Solution solution = solve_private(call, discrepancy());
        solution.privacy = privacy_record(
            problem.ledger, report_facts(settings, call.facts(), source.features()), choice);
        return solution;
    }
};

}  // namespace

Settings fit_settings(const baseline::MethodSpec *method, const OptionValues &values,
                      const Estimate *given) {
    if (method == nullptr) return make_settings(values, wanted(given));
    Settings settings = make_settings(values, Wanted::baseline);
    check_protection(*method, settings);
    return settings;
}

Solution fit(Problem &problem, const baseline::MethodSpec *method, const Estimate *given,
             const OptionValues &values, Control &control) {
    problem.check_complete();
    const Settings settings = fit_settings(method, values, given);
    const Usage::Hold hold(problem.usage, settings.privacy.domains != 0);
    if (given != nullptr) check_usable(*given, settings.privacy, problem.ledger);
    problem.admit(settings.privacy, values);
    return Fit{problem, method, given, settings, control}.run({});
}

Solution fit_held(Problem &problem, const baseline::MethodSpec *method, const OptionValues &values,
                  Control &control, const std::string &choice) {
    const Settings settings = fit_settings(method, values);
    problem.admit(settings.privacy, values);
    return Fit{problem, method, nullptr, settings, control}.run(choice);
}

}  // namespace dpadapt::engine

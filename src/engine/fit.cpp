#include "engine/fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include "base/text.hpp"
#include "engine/public_rows.hpp"
#include "engine/report.hpp"
#include "engine/settings.hpp"
#include "engine/sources.hpp"
#include "engine/survey.hpp"
#include "evaluate/error_bound.hpp"
#include "objective/inference.hpp"
#include "objective/solve.hpp"
#include "private/call.hpp"
#include "problem/defaults.hpp"
#include "problem/own_columns.hpp"
#include "problem/plan_request.hpp"
#include "problem/public_network.hpp"
#include "problem/public_sample.hpp"
#include "problem/quantile.hpp"
#include "solution/findings.hpp"
#include "solution/predict.hpp"

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

/** How far predictions of rows are from there; at least one number. */
std::vector<double> sizes_on(const Sample &rows, double center, const Solution &solution) {
    std::vector<double> sizes;
    count_work(rows.rows(), 4 * rows.features());
    for (const double score : scores(solution, rows.x(), Evaluation::in_blocks))
        if (std::isfinite(score)) sizes.push_back(std::abs(score - center));
    if (sizes.empty()) sizes.push_back(0.0);  // rows without the target's own columns
    return sizes;
}

/** Predictions of numbers end where public labels do, with a margin, and not before those of the
 *  fit itself; with both samples private where labels are clamped. Where a fit to public rows
 *  predicts more for a row, that is its end. */
void bound_predictions(const Settings &settings, const Sample &source, const Sample &target,
                       Solution &solution) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double lowest = std::exchange(solution.settings.prediction_lowest, -kInfinity);
    const double highest = std::exchange(solution.settings.prediction_highest, kInfinity);
    RowRange row_range = std::exchange(solution.row_range, {});
    if (!settings.prediction_margin || !has_numbers(settings.loss)) return;
    const bool nothing_public = settings.privacy.domains == (privacy::kSource | privacy::kTarget);
    double least = kInfinity;
    double most = -kInfinity;
    if (nothing_public) {
        least = lowest;
        most = highest;
    }
    const auto see = [&](privacy::Domains domain, const Sample &sample) {
        if ((settings.privacy.domains & domain) != 0) return;
        if (const Population *all = sample.population()) {
            least = std::min(least, all->lowest_label());
            most = std::max(most, all->highest_label());
            return;
        }
        for (const double y : std::span(sample.y(), sample.rows())) {  // NaN is passed over
            least = std::min(least, y);
            most = std::max(most, y);
        }
    };
    see(privacy::kSource, source);
    see(privacy::kTarget, target);
    if (!(least < most) || !std::isfinite(most - least)) return;
    const double share =
        nothing_public && settings.predictions_spread ? 0.0 : *settings.prediction_margin;
    const double margin = share * (most - least);
    const bool is_rate = loss::has_log_link(solution.loss.kind);
    const double floor = is_rate ? std::max(0.0, least - margin) : least - margin;
    solution.settings.prediction_lowest = floor;
    solution.settings.prediction_highest = most + margin;
    if (!settings.predictions_spread || std::isinf(lowest) || std::isinf(highest)) return;
    const double center = is_rate ? std::log(solution.loss.unit) : std::midpoint(lowest, highest);
    double reach = 0.5 * (highest - lowest);  // NaN: nobody knows how far rows are
    std::optional<Sample> seen;
    std::vector<double> sizes;
    if (!nothing_public) {
        constexpr std::size_t kMostRows = 20000;  // docs/defaults.md
        const bool source_is_public = (settings.privacy.domains & privacy::kSource) == 0;
        seen = (source_is_public ? source : target).evenly_drawn(kMostRows);
        sizes = sizes_on(*seen, center, solution);
        reach = std::max(reach, defaults::kPredictionSizes * quantile(sizes, 0.99));
    }
    const auto label = [&](double score) { return is_rate ? std::exp(score) : score; };
    if (std::isnan(reach)) {
        solution.settings.prediction_lowest = -kInfinity;
        solution.settings.prediction_highest = kInfinity;
        return;
    }
    solution.settings.prediction_lowest = std::min(floor, label(center - reach));
    solution.settings.prediction_highest = std::max(most + margin, label(center + reach));
    if (!seen || row_range.coefficients.empty()) return;
    Solution known = predictor_of(solution);
    known.coefficients = row_range.coefficients;
    known.intercept = {row_range.intercept};
    const std::vector<double> known_sizes = sizes_on(*seen, center, known);
    const double farthest = *std::max_element(known_sizes.begin(), known_sizes.end());
    if (!(farthest > 0.0)) return;
    const double typical = quantile(known_sizes, 0.9);
    // Where this fit's coefficients are larger so are its predictions of far rows.
    double larger = 1.0;
    for (std::size_t i = 0; i < std::min(sizes.size(), known_sizes.size()); ++i)
        if (known_sizes[i] >= typical) larger = std::max(larger, sizes[i] / known_sizes[i]);
    for (double &coefficient : row_range.coefficients) coefficient *= larger;
    row_range.intercept = center + larger * (row_range.intercept - center);
    const double reach_of_rows =
        larger * farthest * std::pow(farthest / typical, defaults::kRowTails);
    row_range.lowest = label(center - reach_of_rows);
    row_range.highest = label(center + reach_of_rows);
    solution.row_range = std::move(row_range);
}

/** Curves are the target's, whose intercept takes the mean of the hazard over its own times. */
void follow_target(const PublicSample *rows, Solution &solution) {
    if (solution.loss.kind != loss::Kind::survival || !solution.inference.there()) return;
    const arma::vec estimate(solution.inference.estimate);
    const arma::uword d = solution.coefficients.size();
    const Predictor own{estimate.head(d), estimate.n_elem > d ? estimate(d) : 0.0};
    solution.loss.baseline.variances =
        hazard_variances(rows->rows(), rows->fit(), rows->preprocess().from_user(own));
}

/** Without privacy nothing needs a straight link. */
double largest_label(const PublicRows &rows) {
    double largest = 0.0;
    for (const Sample *sample : {&rows.source(), &rows.target()})
        for (const double y : std::span(sample->y(), sample->rows()))
            if (std::isfinite(y)) largest = std::max(largest, y);
    return largest;
}

/** What evaluations on few private rows clip errors by. A caller's loss has none. */
void look_at_errors(const Settings &settings, const Sample &source, const Sample &target,
                    Solution &solution) {
    const bool source_is_private = (settings.privacy.domains & privacy::kSource) != 0;
    const bool target_is_private = (settings.privacy.domains & privacy::kTarget) != 0;
    if ((source_is_private && target_is_private) || solution.outputs() == 0) return;
    solution.settings.error_bound =
        evaluate::error_bound(solution, source_is_private ? target : source);
}

/** Why intervals of a public target are not made, as far as that is known before. */
NoInference why_not(const Settings &settings, const Sample &target, std::size_t dimension) {
    if (settings.inference == InferenceKind::no) return NoInference::not_asked;
    if (!has_one_linear_score(settings)) return NoInference::other_loss;
    if (target.persons() != nullptr) return NoInference::persons;
    if (settings.inference == InferenceKind::automatic && dimension > defaults::kMostCoefficients)
        return NoInference::many_coefficients;
    return NoInference::there;
}

/** Null where a fit reads nothing but rows and options. */
Problem::Beside beside(const baseline::MethodSpec *method, const Estimate *given) {
    if (method == nullptr && given == nullptr) return nullptr;
    return [method, given](const auto &bytes) {
        const std::string name = method != nullptr ? method->name : "";
        bytes(name.c_str(), name.size() + 1);
        if (given != nullptr) bytes(&given->discrepancy.value, sizeof given->discrepancy.value);
    };
}

/** A fit after all checks, of a problem that is held. */
struct Fit {
    Problem &problem;
    const baseline::MethodSpec *method;
    const Estimate *given;
    Settings settings;
    Control &control;

    [[nodiscard]] Solution run(const std::string &choice) {
        const bool is_private = settings.privacy.domains != 0;
        Solution solution = is_private ? with_privacy(choice) : without_privacy();
        check_finite(solution, !is_private && method == nullptr);
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

    /** A target without any label cannot choose alpha. */
    [[nodiscard]] Solution without_privacy() {
        const Sample &source = problem.source();
        const Sample &target = problem.target();
        problem.ledger.unprotected_use().unprotected = true;
        PublicRows rows(source, target, settings);
        if (loss::has_log_link(settings.loss.kind))
            settings.loss.largest_label = largest_label(rows);
        if (!rows.has_target_labels() && needs_target_labels()) refuse_unlabelled("this method");
        if (method == nullptr && problem.sources() != nullptr)
            choose_sources(*problem.sources(), rows.target(), settings, control, rows);
        std::optional<Sample> filled;
        if (settings.own_columns == OwnColumnsKind::regressed) filled = fill_own_columns(rows);
        // On the heap, as all that is large: threads of a host may have small stacks.
        const auto prepared =
            std::make_unique<PreparedProblem>(filled ? *filled : rows.source(), rows.target(),
                                              settings, control, rows.target_features());
        if (rows.has_target_labels()) choose_auto(*prepared, settings, method == nullptr, control);
        Solution solution = method != nullptr ? baseline::solve_without_privacy(*method, *prepared,
                                                                                settings, control)
                                              : adapt(*prepared);
        if (filled) solution.weighing.source = std::numeric_limits<double>::quiet_NaN();
        solution.inference.why = method != nullptr ? NoInference::baseline
                                                   : why_not(settings, target, source.features());
        if (solution.inference.there())
            solution.inference =
                infer(prepared->target(), filled ? nullptr : &prepared->public_sample(),
                      prepared->preprocess(), *prepared->public_sample().loss().output(),
                      prepared->source_fit());
        finish(rows, &prepared->public_sample(), solution);
        solution.privacy = unprotected({source.rows(), target.rows(), source.features()},
                                       rows.findings(settings, solution));
        return solution;
    }

    /** All target rows tell what the source's columns say of those that it lacks. */
    [[nodiscard]] Sample fill_own_columns(const PublicRows &rows) const {
        const Sample *features = rows.target_features();
        const Sample &target = features != nullptr ? *features : rows.target();
        (void)check_finite(rows.source(), "source", settings.threads);
        if (features == nullptr) (void)check_finite(target, "target", settings.threads);
        const OwnColumns columns(rows.source(), settings.own_spread);
        return columns.fill(rows.source(), columns.moments(target), settings.loss.start_seed);
    }

    /** The target's rows alone tell its estimate; the private source has no part in it. */
    void infer_public_target(const PrivateProblem &own, Solution &solution) const {
        solution.inference.why = why_not(settings, problem.target(), problem.target().features());
        if (!solution.inference.there()) return;
        const PublicSample &target = *own.public_sample();
        solution.inference = infer(target.rows(), nullptr, target.preprocess(),
                                   *target.loss().output(), target.fit());
    }

    /** What public rows, and the fit to the first of them, tell of the predictions. */
    void finish(const PublicRows &rows, const PublicSample *sample, Solution &solution) const {
        follow_target(sample, solution);
        rows.spread(solution);
        rows.tell_codes(solution);
        control.pause();
        bound_predictions(settings, rows.whole_source(), rows.whole_target(), solution);
        control.pause();
        look_at_errors(settings, rows.whole_source(), rows.whole_target(), solution);
        control.pause();
    }

    [[nodiscard]] bool needs_target_labels() const {
        return method == nullptr || method->labels == baseline::Labels::of_both;
    }

    [[nodiscard]] Solution with_privacy(const std::string &choice) const {
        const PublicRows rows(problem.source(), problem.target(), settings, method == nullptr);
        const Sample &source = rows.source();
        const Sample &target = rows.target();
        check_survey(source, settings, method);
        if (method != nullptr) {
            const auto call = baseline::prepare_private(*method, source, target, settings, control);
            call->charge(problem.ledger);
            Solution solution = call->solve(nullptr);
            solution.inference.why = NoInference::baseline;
            finish(rows, nullptr, solution);
            solution.privacy = record(report_facts(*method, *call), rows, choice, solution);
            return solution;
        }
        const auto call =
            std::make_unique<PrivateCall>(source, target, settings, wanted(given), control);
        call->charge(problem.ledger);
        Solution solution = solve_private(*call, discrepancy());
        if (settings.privacy.domains == privacy::kSource)
            infer_public_target(call->problem(), solution);
        finish(rows, call->problem().public_sample(), solution);
        privacy::ReportFacts facts = report_facts(settings, call->facts(), source.features());
        facts.chose_anchor = call->plan().comparison.has_value();
        solution.privacy = record(std::move(facts), rows, choice, solution);
        return solution;
    }

    /** Sizes are those of the samples, whatever rows of a public one have no label or weight. */
    [[nodiscard]] PrivacyRecord record(privacy::ReportFacts facts, const PublicRows &rows,
                                       const std::string &choice, const Solution &solution) const {
        const PrivateUse use = use_of(solution, facts);
        facts.findings = findings(use, {});
        facts.findings.insert(facts.findings.end(), solution.told.begin(), solution.told.end());
        for (std::string &sentence : rows.findings(settings, solution))
            facts.findings.push_back(std::move(sentence));
        const Moved known = moved(use);
        facts.call.set("private_rows_used",
                       known == Moved::unknown ? Document(nullptr) : Document(known == Moved::yes));
        const double kept = unused_discrepancy_epsilon(
            settings, method != nullptr ? Wanted::baseline : wanted(given));
        if (kept > 0.0 && settings.privacy.epsilon) {
            facts.call.set("epsilon_kept_for_discrepancies", kept);
            facts.findings.push_back(coded(
                "epsilon_kept", to_text(kept) +
                                    " of epsilon = " + to_text(*settings.privacy.epsilon) +
                                    " are kept for a discrepancy that this fit does not release."));
        }
        facts.sizes = problem.sizes(settings.privacy.domains);
        return privacy_record(problem.ledger, std::move(facts), choice);
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
    return fit_held(problem, method, given, values, control, {});
}

void check_samples(const Problem &problem, const baseline::MethodSpec *method,
                   const Settings &settings, Wanted wanted) {
    check_inference(problem.target(), settings, wanted);
    problem.check_scores(settings.loss);
    check_row_weights(problem, settings, method);
    if (problem.sources() != nullptr && method == nullptr && settings.privacy.domains != 0)
        throw Error(DPA_E_UNSUPPORTED,
                    "several sources are chosen by the target's labels, which a private fit "
                    "cannot do: give them as one, or choose among fits by dpa_select");
}

Solution fit_held(Problem &problem, const baseline::MethodSpec *method, const Estimate *given,
                  const OptionValues &values, Control &control, const std::string &choice,
                  const UnreadOptions *unread_by_all) {
    Settings settings = fit_settings(method, values, given);
    const Wanted what = method != nullptr ? Wanted::baseline : wanted(given);
    const char *baseline = method != nullptr ? method->name : nullptr;
    for (const auto &[option, sentence] : unread_options(values, settings, what, baseline))
        if (unread_by_all == nullptr || unread_by_all->contains(option))
            settings.unread.push_back(sentence);
    if (values.is_changed(Option::rows_per_person) && !problem.protects_persons())
        settings.unread.push_back(coded("option_not_read",
                                        "WARNING: option rows_per_person was set, but it changes "
                                        "nothing without the persons (groups) of the rows."));
    check_samples(problem, method, settings, what);
    if (given != nullptr) check_usable(*given, settings.privacy, problem.ledger);
    if (!problem.ledger.budget()) check_discrepancy_share(settings, what);
    problem.admit(settings.privacy, values, "fit", beside(method, given));
    problem.follow_budget(settings);
    return Fit{problem, method, given, settings, control}.run(choice);
}

}  // namespace dpadapt::engine

#include "engine/unread.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "loss/table.hpp"

namespace dpadapt::engine {
namespace {

/** The call, in the words of the table of options. */
struct Kind {
    Kind(const Settings &settings, Wanted wanted, const char *baseline) {
        const std::string calls = baseline != nullptr             ? "baselines"
                                  : wanted == Wanted::discrepancy ? "discrepancies"
                                                                  : "fits";
        const bool is_private = settings.privacy.domains != 0;
        name = baseline != nullptr ? std::string("baseline ") + baseline + " does"
               : is_private        ? "private " + calls + " do"
                                   : calls + " without privacy do";
        words = {"every call", calls};
        if (baseline != nullptr) words.emplace_back(baseline);
        if (is_private) words.insert(words.end(), {"private calls", "private " + calls});
    }
    [[nodiscard]] bool reads(const char *readers) const {
        return std::ranges::any_of(
            words, [&](const std::string &word) { return is_listed(readers, word); });
    }

    std::string name;
    std::vector<std::string> words;
};

/** The options that hide this one from a fit by the paper; nothing where none does. */
std::string hides_from_fit(Option option, const Settings &settings, Wanted wanted) {
    const bool is_private = settings.privacy.domains != 0;
    const bool adapts = is_private && adapts_alpha(settings);
    const bool is_paper = settings.privacy.method == Method::paper;
    const char *paper = is_paper ? "method = paper" : "";
    // A discrepancy is for weights that change.
    const char *unweighted = !settings.alpha             ? "alpha = auto"
                             : settings.alpha == 0.0     ? "alpha = 0"
                             : keeps_reference(settings) ? "lambda_1 = auto"
                                                         : "";
    Settings comparing = settings;
    comparing.privacy.anchor = AnchorKind::automatic;
    switch (option) {
        case Option::kappa_1:
        case Option::kappa_2:
        case Option::kappa_inf:
            return adapts ? "alpha = auto" : "";
        case Option::discrepancy:
            return settings.alpha || adapts ? unweighted : "";
        case Option::discrepancy_kind:
        case Option::discrepancy_side:
        case Option::discrepancy_method:
        case Option::discrepancy_center:
        case Option::discrepancy_radius:
        case Option::discrepancy_tolerance:
        case Option::discrepancy_noise:
            return wanted != Wanted::fit  ? "a given discrepancy"
                   : settings.discrepancy ? "a number for discrepancy"
                                          : unweighted;
        case Option::anchor:
        case Option::anchor_share:
            return is_paper         ? paper
                   : settings.alpha ? "a number for alpha"
                   : option == Option::anchor_share &&
                           settings.privacy.anchor == AnchorKind::public_fit
                       ? "anchor = least_squares"
                   : !compares_anchors(comparing) ? "private_domain or metric"
                                                  : "";
        case Option::clip_quantile:
            return is_paper ? paper : settings.privacy.clip_bound ? "a number for clip_bound" : "";
        case Option::moments_share:
        case Option::metric_ridge:
        case Option::clip_bound:
        case Option::shrinkage:
        case Option::metric:
            return paper;
        case Option::iterate:
            return is_paper ? paper : adapts ? "alpha = auto" : "";
        case Option::step_sizes:
            return is_paper ? "" : "method = profile";
        default:
            return "";
    }
}

/** The same of every kind of call. */
std::string hides(Option option, const OptionValues &values, const Settings &settings) {
    loss::Choice choice;
    choice.kind = settings.loss.kind;
    choice.output = settings.loss.output;
    const std::string loss = "loss = " + values[Option::loss].word;
    switch (option) {
#define DPA_LOSS_NUMBER(type, name) \
    case Option::name:              \
        return has(choice, loss::Number::name) ? "" : loss;
#include "loss/numbers.def"
        case Option::hidden_units:
        case Option::perceptron_output:
            return choice.kind == loss::Kind::perceptron ? "" : loss;
        case Option::whiten_ridge:
            return settings.preprocess == PreprocessKind::whiten
                       ? ""
                       : "preprocess = " + values[Option::preprocess].word;
        case Option::own_spread:
            return settings.own_columns == OwnColumnsKind::regressed ? ""
                                                                     : "own_columns = constant";
        case Option::bound_quantile: {
            const auto is_quantile = [](const Bound &bound) {
                return bound.kind == Bound::Kind::quantile;
            };
            return is_quantile(settings.feature_radius) || is_quantile(settings.label_bound)
                       ? ""
                       : "feature_radius and label_bound";
        }
        case Option::confidence:
            return settings.labelling_disagreement ? "" : "labelling_disagreement = none";
        default:
            return "";
    }
}

}  // namespace

std::vector<std::string> unread_options(const OptionValues &values, const Settings &settings,
                                        Wanted wanted, const char *baseline) {
    const Kind kind(settings, wanted, baseline);
    std::vector<std::string> found;
    for (std::size_t i = 0; i < static_cast<std::size_t>(Option::count); ++i) {
        const auto option = static_cast<Option>(i);
        const OptionSpec &spec = option_spec(option);
        if (!values.is_changed(option)) continue;
        const std::string name = spec.name;
        if (!kind.reads(spec.readers)) {
            found.push_back(coded("option_not_read", "Option " + name + " is for " + spec.readers +
                                                         ": " + kind.name + " not read it."));
            continue;
        }
        std::string why = hides(option, values, settings);
        if (why.empty() && baseline == nullptr && wanted != Wanted::discrepancy)
            why = hides_from_fit(option, settings, wanted);
        if (!why.empty())
            found.push_back(coded(
                "option_not_read",
                "WARNING: option " + name + " was set, but it changes nothing with " + why + '.'));
    }
    return found;
}

}  // namespace dpadapt::engine

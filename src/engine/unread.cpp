#include <algorithm>

#include "base/text.hpp"
#include "engine/settings.hpp"
#include "loss/table.hpp"

namespace dpadapt::engine {
namespace {

/** The call, in the words of the table of options. */
struct Kind {
    Kind(const Settings &settings, const char *baseline, bool is_searched) {
        const std::string calls = baseline != nullptr ? "baselines" : "fits";
        const bool is_private = settings.privacy.domains != 0;
        name = baseline != nullptr ? std::string("baseline ") + baseline + " does"
               : is_private        ? "private " + calls + " do"
                                   : calls + " without privacy do";
        words = {"every call", calls};
        if (baseline != nullptr) words.emplace_back(baseline);
        if (is_searched) words.emplace_back("selections");
        if (is_private) words.insert(words.end(), {"private calls", "private " + calls});
    }
    [[nodiscard]] bool reads(const char *readers) const {
        return std::ranges::any_of(
            words, [&](const std::string &word) { return place_in(readers, word).has_value(); });
    }

    std::string name;
    std::vector<std::string> words;
};

/** Options, and what hides them from the call; nothing where it reads them. */
struct Hidden {
    std::vector<Option> options;
    std::string by;
};

/** Of fits by the paper. */
std::vector<Hidden> hidden_from_fits(const Settings &settings, Wanted wanted) {
    const bool adapts = settings.privacy.domains != 0 && adapts_alpha(settings);
    const bool is_paper = settings.privacy.method == Method::paper;
    const std::string paper = is_paper ? "method = paper" : "";
    // A discrepancy is for weights that change.
    const std::string unweighted = !settings.alpha             ? "alpha = auto"
                                   : settings.alpha == 0.0     ? "alpha = 0"
                                   : keeps_reference(settings) ? "lambda_1 = auto"
                                                               : "";
    Settings comparing = settings;
    comparing.privacy.anchor = AnchorKind::automatic;
    const std::string alone = is_paper                       ? paper
                              : settings.alpha               ? "a number for alpha"
                              : !compares_anchors(comparing) ? "private_domain or metric"
                                                             : "";
    const bool has_anchor = settings.privacy.anchor != AnchorKind::automatic;
    return {
        {{Option::kappa_1, Option::kappa_2, Option::kappa_inf}, adapts ? "alpha = auto" : ""},
        {{Option::discrepancy}, settings.alpha || adapts ? unweighted : ""},
        {{Option::discrepancy_kind, Option::discrepancy_side, Option::discrepancy_method,
          Option::discrepancy_center, Option::discrepancy_radius, Option::discrepancy_tolerance,
          Option::discrepancy_noise},
         wanted != Wanted::fit  ? "a given discrepancy"
         : settings.discrepancy ? "a number for discrepancy"
                                : unweighted},
        {{Option::anchor}, alone},
        {{Option::anchor_share}, alone.empty() && has_anchor ? "anchor = least_squares" : alone},
        {{Option::clip_quantile},
         !is_paper && settings.privacy.clip_bound ? "a number for clip_bound" : paper},
        {{Option::moments_share, Option::metric_ridge, Option::clip_bound, Option::shrinkage,
          Option::metric},
         paper},
        {{Option::iterate}, adapts ? "alpha = auto" : paper},
        {{Option::step_sizes}, is_paper ? "" : "method = profile"},
    };
}

/** Of every kind of call. */
std::vector<Hidden> hidden_from_all(const OptionValues &values, const Settings &settings) {
    loss::Choice choice;
    choice.kind = settings.loss.kind;
    choice.output = settings.loss.output;
    const std::string loss = "loss = " + values[Option::loss].word;
    const auto is_quantile = [](const Bound &bound) { return bound.kind == Bound::Kind::quantile; };
    return {
#define DPA_LOSS_NUMBER(type, name) {{Option::name}, has(choice, loss::Number::name) ? "" : loss},
#include "loss/numbers.def"
        {{Option::hidden_units, Option::perceptron_output},
         choice.kind == loss::Kind::perceptron ? "" : loss},
        {{Option::whiten_ridge},
         settings.preprocess == PreprocessKind::whiten
             ? ""
             : "preprocess = " + values[Option::preprocess].word},
        {{Option::own_spread},
         settings.own_columns == OwnColumnsKind::regressed ? "" : "own_columns = constant"},
        {{Option::bound_quantile},
         is_quantile(settings.feature_radius) || is_quantile(settings.label_bound)
             ? ""
             : "feature_radius and label_bound"},
    };
}

}  // namespace

std::vector<std::string> unread_options(const OptionValues &values, const Settings &settings,
                                        Wanted wanted, const char *baseline, bool is_searched) {
    const Kind kind(settings, baseline, is_searched);
    std::vector<Hidden> hidden = hidden_from_all(values, settings);
    if (baseline == nullptr)
        for (Hidden &one : hidden_from_fits(settings, wanted)) hidden.push_back(std::move(one));
    std::vector<std::string> found;
    for (std::size_t i = 0; i < static_cast<std::size_t>(Option::count); ++i) {
        const auto option = static_cast<Option>(i);
        if (!values.is_changed(option)) continue;
        const OptionSpec &spec = option_spec(option);
        const std::string name = spec.name;
        if (!kind.reads(spec.readers)) {
            found.push_back(coded("option_not_read", "Option " + name + " is for " + spec.readers +
                                                         ": " + kind.name + " not read it."));
            continue;
        }
        for (const auto &[options, by] : hidden)
            if (!by.empty() && std::ranges::count(options, option) > 0)
                found.push_back(coded("option_not_read",
                                      "WARNING: option " + name +
                                          " was set, but it changes nothing with " + by + '.'));
    }
    return found;
}

}  // namespace dpadapt::engine

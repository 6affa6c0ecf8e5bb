#include <algorithm>

#include "base/text.hpp"
#include "engine/settings.hpp"
#include "loss/table.hpp"

namespace dpadapt::engine {
namespace {

/** The call, in the words of the table of options. */
struct Kind {
    Kind(const Settings &settings, const char *baseline) {
        const std::string calls = baseline != nullptr ? "baselines" : "fits";
        const bool is_private = settings.privacy.domains != 0;
        name = baseline != nullptr ? std::string("baseline ") + baseline + " does"
               : is_private        ? "private " + calls + " do"
                                   : calls + " without privacy do";
        words = {"every call", calls, (is_private ? "private " : "public ") + calls};
        if (baseline != nullptr) words.emplace_back(baseline);
        if (is_private) words.emplace_back("private calls");
    }
    /** Also of calls that measure or choose: one object may have the options of all. */
    [[nodiscard]] bool may_be_for(const char *readers) const {
        const auto is_reader = [&](const std::string &word) {
            return place_in(readers, word).has_value();
        };
        return std::ranges::any_of(words, is_reader) || is_reader("evaluations") ||
               is_reader("selections") || is_reader("forecasts");
    }

    std::string name;
    std::vector<std::string> words;
};

/** "a, b and c". */
std::string in_words(std::string list) {
    const std::size_t comma = list.rfind(", ");
    return comma == std::string::npos ? list : list.replace(comma, 2, " and ");
}

/** Options, and what hides them from the call; nothing where it reads them. */
struct Hidden {
    std::vector<Option> options;
    std::string by;
};

/** Of fits by the paper. */
std::vector<Hidden> hidden_from_fits(const Settings &settings, Wanted wanted) {
    const bool adapts = settings.privacy.domains != 0 && adapts_alpha(settings);
    const bool is_paper = settings.privacy.method == Method::paper;
    const bool is_both = settings.privacy.domains == (privacy::kSource | privacy::kTarget);
    const bool has_steps = settings.alpha != 1.0 || settings.privacy.domains != privacy::kTarget;
    const std::string unstepped = is_paper     ? "with method = paper"
                                  : !has_steps ? "with alpha = 1"
                                               : "";
    // A discrepancy is for weights that change.
    const std::string unweighted = !settings.alpha             ? "with alpha = auto"
                                   : settings.alpha == 0.0     ? "with alpha = 0"
                                   : keeps_reference(settings) ? "with lambda_1 = auto"
                                                               : "";
    Settings comparing = settings;
    comparing.privacy.anchor = AnchorKind::automatic;
    const std::string alone = is_paper         ? unstepped
                              : settings.alpha ? "with a number for alpha"
                              : !compares_anchors(comparing)
                                  ? "with these private_domain and metric"
                                  : "";
    const bool has_anchor = settings.privacy.anchor != AnchorKind::automatic;
    return {
        {{Option::kappa_1, Option::kappa_2, Option::kappa_inf}, adapts ? "with alpha = auto" : ""},
        {{Option::discrepancy},
         adapts                      ? "with alpha = auto"
         : keeps_reference(settings) ? "but the objective's value with lambda_1 = auto"
                                     : ""},
        {{Option::discrepancy_kind, Option::discrepancy_side, Option::discrepancy_method,
          Option::discrepancy_center, Option::discrepancy_radius, Option::discrepancy_tolerance,
          Option::discrepancy_noise},
         wanted != Wanted::fit  ? "with a given discrepancy"
         : settings.discrepancy ? "with a number for discrepancy"
                                : unweighted},
        {{Option::anchor}, alone},
        {{Option::anchor_share},
         alone.empty() && has_anchor ? "with anchor = least_squares" : alone},
        {{Option::clip_quantile},
         unstepped.empty() && settings.privacy.clip_bound ? "with a number for clip_bound"
                                                          : unstepped},
        {{Option::moments_share, Option::clip_bound, Option::metric}, unstepped},
        {{Option::grid_bits}, has_steps ? "" : "with alpha = 1"},
        {{Option::metric_ridge, Option::shrinkage},
         is_both && settings.alpha ? "without a public sample" : unstepped},
        {{Option::iterate}, adapts ? "with alpha = auto" : unstepped},
        {{Option::step_sizes}, is_paper ? "" : "with method = profile"},
    };
}

/** Of every kind of call. */
std::vector<Hidden> hidden_from_all(const OptionValues &values, const Settings &settings) {
    loss::Choice choice;
    choice.kind = settings.loss.kind;
    choice.output = settings.loss.output;
    const std::string loss = "with loss = " + values[Option::loss].word;
    return {
#define DPA_LOSS_NUMBER(type, name) {{Option::name}, has(choice, loss::Number::name) ? "" : loss},
#include "loss/numbers.def"
        {{Option::hidden_units, Option::perceptron_output},
         choice.kind == loss::Kind::perceptron ? "" : loss},
        {{Option::whiten_ridge},
         settings.preprocess == PreprocessKind::whiten
             ? ""
             : "with preprocess = " + values[Option::preprocess].word},
        {{Option::own_spread},
         settings.own_columns == OwnColumnsKind::regressed ? "" : "with own_columns = constant"},
    };
}

}  // namespace

UnreadOptions unread_options(const OptionValues &values, const Settings &settings, Wanted wanted,
                             const char *baseline) {
    const Kind kind(settings, baseline);
    std::vector<Hidden> hidden = hidden_from_all(values, settings);
    if (baseline == nullptr)
        for (Hidden &one : hidden_from_fits(settings, wanted)) hidden.push_back(std::move(one));
    UnreadOptions found;
    for (std::size_t i = 0; i < static_cast<std::size_t>(Option::count); ++i) {
        const auto option = static_cast<Option>(i);
        if (!values.is_changed(option)) continue;
        const OptionSpec &spec = option_spec(option);
        const std::string name = spec.name;
        if (!kind.may_be_for(spec.readers)) {
            found[option] =
                coded("option_not_read", "Option " + name + " is for " + in_words(spec.readers) +
                                             ": " + kind.name + " not read it.");
            continue;
        }
        for (const auto &[options, by] : hidden)
            if (!by.empty() && std::ranges::count(options, option) > 0)
                found[option] =
                    coded("option_not_read", "WARNING: option " + name +
                                                 " was set, but it changes nothing " + by + '.');
    }
    return found;
}

}  // namespace dpadapt::engine

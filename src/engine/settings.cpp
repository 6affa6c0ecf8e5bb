#include "engine/settings.hpp"

#include <cmath>

#include "base/error.hpp"
#include "problem/defaults.hpp"

namespace dpadapt::engine {
namespace {

std::optional<double> number_or_word(const OptionValue &value) {
    if (!value.word.empty()) return std::nullopt;
    return value.number;
}

/** Records are clipped where a bound is needed, or asked for. */
Bound bound(const OptionValues &values, Option option, bool needed) {
    const OptionValue &value = values[option];
    if (value.word.empty()) return {Bound::Kind::number, value.number};
    if (needed || value.word == "quantile")
        return {Bound::Kind::quantile, values[Option::bound_quantile].number};
    return {Bound::Kind::absent, 0.0};
}

/** Of an option whose words have the order of the enumerators. */
template <typename Enum>
Enum word(const OptionValues &values, Option option) {
    return static_cast<Enum>(place_in(option_spec(option).values, values[option].word).value());
}

/** The same where "auto", the first word, is none of them. */
template <typename Enum>
std::optional<Enum> word_but_auto(const OptionValues &values, Option option) {
    const auto place = word<std::size_t>(values, option);
    return place == 0 ? std::nullopt : std::optional<Enum>(static_cast<Enum>(place - 1));
}

/** A number of the objective or of the loss; empty for a word, which stands for a number that is
 *  yet to be found. */
void take(const OptionValue &value, double &number) { number = value.number; }

template <typename T>
void take(const OptionValue &value, std::optional<T> &number) {
    if (value.word.empty()) number = static_cast<T>(value.number);
}

[[noreturn]] void contradicts(Option option, const char *why) {
    throw Error(DPA_E_OPTION, std::string("option ") + option_spec(option).name + why);
}

/** Of the baselines `best` alone reads a price, which belongs to the general form. */
bool is_general(const OptionValues &values, Wanted wanted) {
    const std::string &form = values[Option::form].word;
    const bool priced = wanted == Wanted::baseline && values[Option::lambda_1].word.empty();
    return form == "general" ||
           (form == "auto" && (priced || values[Option::loss].word != "squared"));
}

/** Each form of the objective has its own prices. */
void check_form(const OptionValues &values, bool general) {
    if (!general && values[Option::loss].word != "squared")
        contradicts(
            Option::form,
            " = convex needs the squared loss: no other is convex in predictor and weights");
    if (!general) {
        if (values[Option::lambda_1].word.empty())
            contradicts(Option::lambda_1, " belongs to form = general, but the form is convex");
        for (const Option option : {Option::lambda_2, Option::lambda_inf})
            if (values[option].number != 0.0)
                contradicts(option, " belongs to form = general, but the form is convex");
        return;
    }
    if (values[Option::kappa_1].word.empty())
        contradicts(Option::kappa_1, " belongs to form = convex, but the form is general");
    for (const Option option : {Option::kappa_2, Option::kappa_inf})
        if (values[option].number != 0.0)
            contradicts(option, " belongs to form = convex, but the form is general");
    for (const Option option : {Option::lambda_2, Option::lambda_inf})
        if (values[option].number != 0.0 && !values[Option::lambda_1].word.empty())
            contradicts(option, " needs a number for lambda_1: with auto no weight changes");
    if (values[Option::method].word == "paper" && !values[Option::lambda_1].word.empty())
        contradicts(Option::method,
                    " = paper needs a number for lambda_1: with auto no weight changes");
    const loss::LossSpec &loss = loss::find_loss(values[Option::loss].word);
    const bool last_layer =
        loss.kind == loss::Kind::perceptron && values[Option::alpha].word == "auto";
    if (values[Option::metric].word == "hessian" && !loss.linear() && !last_layer)
        contradicts(Option::metric,
                    " = hessian needs scores that are linear in the features, or the last layer of "
                    "a perceptron, which is fitted alone where alpha is auto");
    if (values[Option::discrepancy_kind].word == "unlabelled")
        contradicts(Option::discrepancy_kind, " = unlabelled needs form = convex");
    if (values[Option::discrepancy_method].word == "dca")
        contradicts(Option::discrepancy_method, " = dca needs form = convex");
}

std::vector<std::size_t> hidden_units(const OptionValues &values) {
    constexpr auto kMostUnits = static_cast<double>(loss::kMostUnits);
    std::vector<std::size_t> units;
    const std::vector<double> numbers = *parse_numbers(values[Option::hidden_units].word);
    for (const double number : numbers) {
        if (!(number >= 1.0 && number <= kMostUnits) || number != std::floor(number))
            contradicts(Option::hidden_units, " must be one or two whole numbers from 1 to 1000");
        units.push_back(static_cast<std::size_t>(number));
    }
    if (units.size() > 2)
        contradicts(Option::hidden_units, " must be one or two whole numbers from 1 to 1000");
    return units;
}

std::vector<double> forecast_shifts(const OptionValues &values) {
    constexpr std::size_t kMostShifts = 100;
    std::vector<double> shifts = *parse_numbers(values[Option::forecast_shifts].word);
    for (const double shift : shifts)
        if (!(shift >= 0.0 && shift <= 1e6))
            contradicts(Option::forecast_shifts, " must be numbers from 0 to 1e6");
    if (shifts.size() > kMostShifts)
        contradicts(Option::forecast_shifts, " must be 100 numbers at most");
    return shifts;
}

LossSettings loss_settings(const OptionValues &values) {
    LossSettings settings{};
    settings.kind = loss::find_loss(values[Option::loss].word).kind;
#define DPA_LOSS_NUMBER(type, name) take(values[Option::name], settings.name);
#include "loss/numbers.def"
    settings.hidden_units = hidden_units(values);
    settings.output = loss::find_loss(values[Option::perceptron_output].word).kind;
    settings.callback = values.custom_loss;
    settings.start_seed = static_cast<std::uint64_t>(values[Option::start_seed].integer);
    if (settings.kind == loss::Kind::custom && settings.callback.function == nullptr)
        contradicts(Option::loss, " = custom needs a function: call dpa_options_set_loss");
    return settings;
}

/** Refuses what this version cannot do, and what contradicts itself, rather than do something
 *  else. */
void check_supported(const OptionValues &values, bool general) {
    const bool none = values[Option::private_domain].word == "none";
    for (const Option option : {Option::epsilon, Option::delta, Option::selection_epsilon})
        if (none && values[option].word.empty())
            contradicts(option, " is set, but private_domain is none: nothing would be protected");
    if (none && values[Option::method].word == "paper")
        throw Error(DPA_E_UNSUPPORTED,
                    "option method = paper is a private algorithm, but private_domain is none");
    if (!none && values[Option::discrepancy_method].word == "dca")
        throw Error(DPA_E_OPTION,
                    "option discrepancy_method must be trust_region for private samples: only a "
                    "certified maximum has a known sensitivity");
    check_form(values, general);
}

PrivacySettings privacy_settings(const OptionValues &values) {
    PrivacySettings privacy{};
    constexpr privacy::Domains kDomains[] = {privacy::kTarget, privacy::kSource,
                                             privacy::kSource | privacy::kTarget, 0U};
    privacy.domains = kDomains[word<std::size_t>(values, Option::private_domain)];
    privacy.neighbours = word<privacy::Neighbours>(values, Option::neighbours);
    privacy.unit = word_but_auto<privacy::Unit>(values, Option::unit);
    privacy.epsilon = number_or_word(values[Option::epsilon]);
    privacy.delta = number_or_word(values[Option::delta]);
    privacy.discrepancy_share = number_or_word(values[Option::discrepancy_share]);
    privacy.calibration = word<privacy::Calibration>(values, Option::calibration);
    privacy.noise_multiplier = number_or_word(values[Option::noise_multiplier]);
    privacy.laplace_epsilon = number_or_word(values[Option::laplace_epsilon]);
    privacy.discrepancy_noise =
        word_but_auto<privacy::Mechanism>(values, Option::discrepancy_noise);
    if (!privacy.discrepancy_noise && privacy.laplace_epsilon)
        privacy.discrepancy_noise = privacy::Mechanism::laplace;
    take(values[Option::grid_bits], privacy.grid_bits);
    privacy.discrepancy_tolerance = number_or_word(values[Option::discrepancy_tolerance]);
    privacy.anchor = word<AnchorKind>(values, Option::anchor);
    privacy.anchor_share = number_or_word(values[Option::anchor_share]);
    privacy.moments_share = values[Option::moments_share].number;
    privacy.labelled_share = number_or_word(values[Option::labelled_share]);
    privacy.row_weight_bound = number_or_word(values[Option::row_weight_bound]);
    privacy.metric_ridge = number_or_word(values[Option::metric_ridge]);
    privacy.clip_quantile = values[Option::clip_quantile].number;
    privacy.clip_bound = number_or_word(values[Option::clip_bound]);
    privacy.shrinkage = values[Option::shrinkage].number;
    privacy.metric = word_but_auto<MetricKind>(values, Option::metric);
    privacy.iterate = word<Iterate>(values, Option::iterate);
    privacy.method = word<Method>(values, Option::method);
    privacy.step_sizes = word<StepSizes>(values, Option::step_sizes);
    take(values[Option::rows_per_person], privacy.rows_per_person);
    take(values[Option::unsafe_seed], privacy.unsafe_seed);
    return privacy;
}

BaselineSettings baseline_settings(const OptionValues &values) {
    std::optional<std::size_t> batch_size;
    if (values[Option::batch_size].word.empty())
        batch_size = static_cast<std::size_t>(values[Option::batch_size].integer);
    std::optional<bool> samples;
    if (values[Option::sampling].word != "auto")
        samples = values[Option::sampling].word == "poisson";
    return {values[Option::ridge].number,
            number_or_word(values[Option::kernel_gamma]),
            values[Option::weight_bound].number,
            number_or_word(values[Option::sum_tolerance]),
            static_cast<std::size_t>(values[Option::centers].integer),
            values[Option::relative_alpha].number,
            number_or_word(values[Option::ratio_penalty]),
            number_or_word(values[Option::hypothesis_radius]),
            static_cast<std::size_t>(values[Option::rounds].integer),
            values[Option::source_factor].number,
            values[Option::target_factor].number,
            static_cast<std::size_t>(values[Option::epochs].integer),
            batch_size,
            samples};
}

/** A word, or the numbers of the centre itself. */
CenterKind center_kind(const OptionValue &value) {
    if (value.word == "zero") return CenterKind::zero;
    return value.word == "source" ? CenterKind::source : CenterKind::given;
}

std::optional<double> prediction_margin(const OptionValues &values, const Settings &settings) {
    const OptionValue &value = values[Option::prediction_range];
    if (value.word.empty() && !has_numbers(settings.loss))
        contradicts(Option::prediction_range, " needs a loss whose labels are numbers");
    if (value.word.empty()) return value.number;
    if (value.word == "none" || settings.privacy.domains == 0) return {};
    return defaults::kPredictionMargin;
}

/** What sums of weighted records, and the sum of the weights, are enough for. */
void check_row_weight_bound(const Settings &settings, Wanted wanted) {
    if (!settings.privacy.row_weight_bound) return;
    const auto refuse = [](const char *why) {
        throw Error(DPA_E_UNSUPPORTED,
                    std::string("option row_weight_bound, for weights of private rows: ") + why);
    };
    if (settings.privacy.domains != privacy::kTarget &&
        settings.privacy.domains != privacy::kSource)
        refuse("private_domain must be target or source");
    if (wanted == Wanted::baseline) return;
    if (wanted == Wanted::discrepancy) refuse("no discrepancy of such rows is released");
    if (settings.privacy.method == Method::paper)
        refuse("method = paper does not support weights of rows");
    if (couples_weights(settings))
        refuse("kappa_2, kappa_inf, lambda_2 and lambda_inf need records that count alike");
    if (releases_discrepancy(settings, wanted))
        refuse(
            "no discrepancy of such rows is released, so with a number for alpha either option "
            "discrepancy must be one, or form = general with lambda_1 = auto");
}

/** Where a public source can be filled, and by moments that the plan has room for. */
void check_own_columns(const Settings &settings, Wanted wanted) {
    if (settings.own_columns == OwnColumnsKind::constant || wanted == Wanted::discrepancy) return;
    const auto refuse = [](const char *why) {
        throw Error(DPA_E_UNSUPPORTED, std::string("option own_columns = regressed: ") + why);
    };
    if (wanted == Wanted::baseline) refuse("baselines take columns as they are");
    if ((settings.privacy.domains & privacy::kSource) != 0)
        refuse("the source, which lacks columns, must be public");
    if (settings.inference == InferenceKind::yes)
        refuse("inference = yes asks the source for coefficients that it cannot know");
    if (settings.privacy.domains == 0) return;
    if (settings.privacy.method == Method::paper || settings.alpha ||
        !loss::is_linear(settings.loss.kind) || !uses_hessian(settings))
        refuse("a private target needs alpha = auto, a linear loss and the metric of the Hessian");
    if (settings.preprocess != PreprocessKind::standardize || !settings.intercept)
        refuse("a private target needs preprocess = standardize and the intercept");
    if (settings.privacy.row_weight_bound) refuse("records with weights have no such moments yet");
}

}  // namespace

Settings make_settings(const OptionValues &values, Wanted wanted) {
    const bool general = is_general(values, wanted);
    check_supported(values, general);
    Settings settings{};
    settings.loss = loss_settings(values);
    settings.penalty =
        general || wanted == Wanted::baseline ? PenaltyKind::linear : PenaltyKind::convex;
#define DPA_OBJECTIVE_NUMBER(type, symbol, name) take(values[Option::name], settings.symbol);
#include "problem/numbers.def"
    settings.optimizer = word_but_auto<Optimizer>(values, Option::optimizer);
    settings.discrepancy = number_or_word(values[Option::discrepancy]);
    settings.discrepancy_kind = word<DiscrepancyKind>(values, Option::discrepancy_kind);
    settings.discrepancy_side = word<DiscrepancySide>(values, Option::discrepancy_side);
    settings.discrepancy_method = word<DiscrepancyMethod>(values, Option::discrepancy_method);
    settings.center_kind = center_kind(values[Option::discrepancy_center]);
    if (settings.center_kind == CenterKind::given)
        settings.center = *parse_numbers(values[Option::discrepancy_center].word);
    settings.discrepancy_radius = number_or_word(values[Option::discrepancy_radius]);
    settings.labelling_disagreement = number_or_word(values[Option::labelling_disagreement]);
    settings.preprocess = word<PreprocessKind>(values, Option::preprocess);
    settings.whiten_ridge = values[Option::whiten_ridge].number;
    settings.intercept = values[Option::intercept].integer != 0;
    settings.own_columns = word<OwnColumnsKind>(values, Option::own_columns);
    settings.own_spread = values[Option::own_spread].number;
    take(values[Option::iterations], settings.iterations);
    settings.tolerance = values[Option::tolerance].number;
    settings.threads = static_cast<std::size_t>(values[Option::threads].integer);
    settings.inference = word<InferenceKind>(values, Option::inference);
    settings.privacy = privacy_settings(values);
    settings.prediction_margin = prediction_margin(values, settings);
    settings.predictions_spread = values[Option::prediction_range].word == "auto";
    settings.baseline = baseline_settings(values);
    settings.selection = {word<SelectionLoss>(values, Option::selection_loss),
                          number_or_word(values[Option::selection_epsilon]),
                          number_or_word(values[Option::selection_bound])};
    settings.forecast_shifts = forecast_shifts(values);
    settings.evaluation = {number_or_word(values[Option::evaluation_bound]),
                           values[Option::confidence].number,
                           values[Option::bound_quantile].number};
    const bool bounded = settings.privacy.domains != 0 && needs_bounds(settings, wanted);
    settings.feature_radius = bound(values, Option::feature_radius, bounded);
    settings.label_bound =
        bound(values, Option::label_bound, bounded && has_numbers(settings.loss));
    if (settings.penalty == PenaltyKind::linear && settings.privacy.domains != 0 &&
        adapts_alpha(settings) && settings.lambda_1)
        contradicts(Option::lambda_1,
                    " needs a number for alpha in a private fit: with auto no weight changes");
    const bool has_share =
        settings.privacy.row_weight_bound || (wanted == Wanted::fit && adapts_alpha(settings) &&
                                              settings.privacy.domains == privacy::kTarget);
    if (settings.privacy.labelled_share.value_or(1.0) != 1.0 && !has_share)
        contradicts(Option::labelled_share,
                    " is for fits with a private target and alpha = auto, which sum over records "
                    "with labels, or with row_weight_bound");
    if (settings.label_bound.kind != Bound::Kind::absent && !has_numbers(settings.loss))
        contradicts(Option::label_bound, " needs a loss whose labels are numbers");
    check_row_weight_bound(settings, wanted);
    check_own_columns(settings, wanted);
    return settings;
}

}  // namespace dpadapt::engine

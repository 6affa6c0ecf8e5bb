#include "loss/table.hpp"

#include <array>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"
#include "loss/choice.hpp"
#include "loss/perceptron.hpp"
#include "loss/poisson.hpp"
#include "loss/scores.hpp"
#include "loss/softmax.hpp"
#include "loss/survival.hpp"

namespace dpadapt::loss {
namespace {

/** Of these members of a choice. */
template <typename Made, auto... members>
std::unique_ptr<const ScoreLoss> made([[maybe_unused]] const Choice &choice) {
    return std::make_unique<Made>(choice.*members...);
}

constexpr unsigned bit(Number number) { return 1U << static_cast<unsigned>(number); }

bool has_typical_label(const Choice &choice) {
    return choice.typical_label >= 1e-290 && choice.typical_label <= 1e290 &&
           choice.unit >= 1e-290 && choice.unit <= 1e290;
}

bool has_layers(const Choice &choice) {
    return (choice.hidden.size() == 1 || choice.hidden.size() == 2) && choice.unit > 0.0 &&
           std::isfinite(choice.unit) && spec(choice.output).linear() &&
           spec(choice.output).possible(choice);
}

// A loss that a fit may minimize is a word of the option `loss` besides.
constexpr std::array kLosses{
    LossSpec{.kind = Kind::squared,
             .word = "squared",
             .labels = Labels::numbers,
             .of_scores = made<Squared>},
    LossSpec{.kind = Kind::huber,
             .word = "huber",
             .labels = Labels::numbers,
             .numbers = bit(Number::huber_threshold),
             .possible =
                 [](const Choice &choice) {
                     return choice.huber_threshold > 0.0 && std::isfinite(choice.huber_threshold);
                 },
             .of_scores = made<Huber, &Choice::huber_threshold>},
    LossSpec{.kind = Kind::pinball,
             .word = "pinball",
             .labels = Labels::numbers,
             .numbers = bit(Number::quantile_level) | bit(Number::quantile_smoothing),
             .possible =
                 [](const Choice &choice) {
                     return choice.quantile_level > 0.0 && choice.quantile_level < 1.0 &&
                            choice.quantile_smoothing > 0.0 &&
                            std::isfinite(choice.quantile_smoothing);
                 },
             .of_scores = made<Pinball, &Choice::quantile_level, &Choice::quantile_smoothing>},
    LossSpec{.kind = Kind::poisson,
             .word = "poisson",
             .labels = Labels::rates,
             .numbers = bit(Number::typical_label),
             .possible = has_typical_label,
             .of_scores = made<Poisson, &Choice::typical_label, &Choice::unit>},
    LossSpec{.kind = Kind::gamma,
             .word = "gamma",
             .labels = Labels::rates,
             .numbers = bit(Number::typical_label),
             .possible = has_typical_label,
             .of_scores = made<Gamma, &Choice::unit>},
    LossSpec{.kind = Kind::survival,
             .word = "survival",
             .labels = Labels::times,
             .possible = [](const Choice &choice) { return choice.baseline.is_possible(); },
             .of_scores = made<Survival, &Choice::baseline>},
    LossSpec{.kind = Kind::logistic,
             .word = "logistic",
             .labels = Labels::signs,
             .of_scores = made<Logistic>},
    LossSpec{.kind = Kind::softmax,
             .word = "softmax",
             .labels = Labels::classes,
             .numbers = bit(Number::classes),
             .possible =
                 [](const Choice &choice) {
                     return choice.classes >= 2 && choice.classes <= kMostClasses;
                 },
             .of_scores = made<Softmax, &Choice::classes>},
    LossSpec{.kind = Kind::perceptron,
             .word = "perceptron",
             .labels = Labels::of_output,
             .convex = false,
             .possible = has_layers,
             .other = [](const Choice &choice, Reading /*reading*/) -> std::unique_ptr<const Loss> {
                 return std::make_unique<Perceptron>(
                     choice.hidden, spec(choice.output).of_scores(choice), choice.unit);
             }},
    LossSpec{.kind = Kind::custom,
             .word = "custom",
             .labels = Labels::any,
             .convex = false,
             .other = [](const Choice &choice, Reading reading) -> std::unique_ptr<const Loss> {
                 return std::make_unique<Callback>(choice.callback, reading);
             }},
    LossSpec{.kind = Kind::votes,  // made by boosting; no word of the option
             .word = "votes",
             .labels = Labels::signs,
             .convex = false,
             .possible = [](const Choice &choice) { return choice.hidden.size() == 1; },
             .other = [](const Choice &choice, Reading /*reading*/) -> std::unique_ptr<const Loss> {
                 return std::make_unique<Votes>(choice.hidden.front());
             }},
};

}  // namespace

std::span<const LossSpec> losses() { return kLosses; }

double residual_scales(Number number) {
    return number == Number::huber_threshold      ? 2.0  // docs/defaults.md
           : number == Number::quantile_smoothing ? 0.2
                                                  : 0.0;
}

const LossSpec &spec(Kind kind) {
    for (const LossSpec &row : kLosses)
        if (row.kind == kind) return row;
    throw Error(DPA_E_INTERNAL, "a loss without a row in the table of losses");
}

const LossSpec &find_loss(std::string_view word) {
    for (const LossSpec &row : kLosses)
        if (row.word == word) return row;
    throw Error(DPA_E_OPTION, "there is no loss " + in_quotes(word));
}

const LossSpec *find_saved_loss(std::uint64_t id) {
    for (const LossSpec &row : kLosses)
        if (static_cast<std::uint64_t>(row.kind) == id) return &row;
    return nullptr;
}

}  // namespace dpadapt::loss

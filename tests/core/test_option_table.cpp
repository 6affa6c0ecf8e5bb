// The table of options against what it stands beside: the numbers behind "auto", and enumerators,
// which have the order of its words.
#include "base/text.hpp"
#include "core/core.hpp"
#include "engine/settings.hpp"
#include "problem/defaults.hpp"

using namespace dpadapt;
using engine::Option;

namespace {

std::string doc_of(Option option) { return engine::option_spec(option).doc; }

/** The texts tell the numbers that the code takes. */
void texts_tell_the_defaults() {
    const auto says = [](Option option, const std::string &text) {
        check_true(doc_of(option) + " / " + text, doc_of(option).find(text) != std::string::npos);
    };
    const auto count = [](std::size_t number) { return std::to_string(number); };
    says(Option::alpha, "at most " + to_text(defaults::kMostAlpha));
    says(Option::discrepancy_share, "auto: " + to_text(defaults::kDiscrepancyShare));
    says(Option::metric_ridge, "auto: " + to_text(defaults::kMetricRidge));
    says(Option::iterations, "(auto: " + count(defaults::kIterations) + ")");
    says(Option::iterations, "(auto: " + count(defaults::kPrivateSteps) + "; " +
                                 count(defaults::kPaperSteps) + " for method = paper)");
}

/** What the option's words make of the settings, word by word. */
void words_mean_enumerators() {
    const auto made = [](Option option, const char *word) {
        engine::OptionValues values;
        values.parse(option, word);
        return engine::make_settings(values, Wanted::fit);
    };
    const auto check = [&](Option option, const char *word, auto member, auto expected) {
        check_true(std::string(engine::option_spec(option).name) + " = " + word,
                   member(made(option, word)) == expected);
    };
#define IS(option, word, member, expected) \
    check(                                 \
        Option::option, word, [](const Settings &one) { return one.member; }, expected)
    IS(private_domain, "target", privacy.domains, privacy::kTarget);
    IS(private_domain, "source", privacy.domains, privacy::kSource);
    IS(private_domain, "both", privacy.domains, privacy::kSource | privacy::kTarget);
    IS(private_domain, "none", privacy.domains, privacy::Domains{0});
    IS(neighbours, "replace", privacy.neighbours, privacy::Neighbours::replace);
    IS(neighbours, "zero_out", privacy.neighbours, privacy::Neighbours::zero_out);
    IS(unit, "auto", privacy.unit.has_value(), false);
    IS(unit, "record", privacy.unit, privacy::Unit::record);
    IS(unit, "person", privacy.unit, privacy::Unit::person);
    IS(calibration, "exact", privacy.calibration, privacy::Calibration::exact);
    IS(calibration, "paper", privacy.calibration, privacy::Calibration::paper);
    IS(discrepancy_noise, "auto", privacy.discrepancy_noise.has_value(), false);
    IS(discrepancy_noise, "laplace", privacy.discrepancy_noise, privacy::Mechanism::laplace);
    IS(discrepancy_noise, "gaussian", privacy.discrepancy_noise, privacy::Mechanism::gaussian);
    IS(anchor, "auto", privacy.anchor, AnchorKind::automatic);
    IS(anchor, "least_squares", privacy.anchor, AnchorKind::public_fit);
    IS(metric, "auto", privacy.metric.has_value(), false);
    IS(metric, "hessian", privacy.metric, MetricKind::hessian);
    IS(metric, "gradients", privacy.metric, MetricKind::gradients);
    IS(iterate, "average", privacy.iterate, Iterate::average);
    IS(iterate, "last", privacy.iterate, Iterate::last);
    IS(method, "profile", privacy.method, Method::profile);
    IS(method, "paper", privacy.method, Method::paper);
    IS(step_sizes, "paper", privacy.step_sizes, StepSizes::paper);
    IS(step_sizes, "scaled", privacy.step_sizes, StepSizes::scaled);
    IS(optimizer, "auto", optimizer.has_value(), false);
    IS(optimizer, "newton", optimizer, Optimizer::newton);
    IS(optimizer, "quasi_newton", optimizer, Optimizer::quasi_newton);
    IS(discrepancy_kind, "labelled", discrepancy_kind, DiscrepancyKind::labelled);
    IS(discrepancy_kind, "unlabelled", discrepancy_kind, DiscrepancyKind::unlabelled);
    IS(discrepancy_side, "both", discrepancy_side, DiscrepancySide::both);
    IS(discrepancy_side, "target_above", discrepancy_side, DiscrepancySide::target_above);
    IS(discrepancy_method, "trust_region", discrepancy_method, DiscrepancyMethod::trust_region);
    IS(preprocess, "none", preprocess, PreprocessKind::none);
    IS(preprocess, "standardize", preprocess, PreprocessKind::standardize);
    IS(preprocess, "whiten", preprocess, PreprocessKind::whiten);
    IS(own_columns, "constant", own_columns, OwnColumnsKind::constant);
    IS(own_columns, "regressed", own_columns, OwnColumnsKind::regressed);
    IS(inference, "auto", inference, InferenceKind::automatic);
    IS(inference, "no", inference, InferenceKind::no);
    IS(inference, "yes", inference, InferenceKind::yes);
    IS(selection_loss, "auto", selection.loss, SelectionLoss::automatic);
    IS(selection_loss, "squared", selection.loss, SelectionLoss::squared);
    IS(selection_loss, "logistic", selection.loss, SelectionLoss::logistic);
    IS(selection_loss, "error", selection.loss, SelectionLoss::error);
    IS(selection_loss, "pinball", selection.loss, SelectionLoss::pinball);
#undef IS
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(texts_tell_the_defaults),
        core_test(words_mean_enumerators),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

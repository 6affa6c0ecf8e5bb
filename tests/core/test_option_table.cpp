// The table of options against what it stands beside: old names, and the numbers behind "auto".
#include "base/text.hpp"
#include "core/core.hpp"
#include "engine/options.hpp"
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

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(texts_tell_the_defaults),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

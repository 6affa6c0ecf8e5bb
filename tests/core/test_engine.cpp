// The engine without the C interface: a fit and a search, the settings of baselines, and who gets
// which share of epsilon.
#include <vector>

#include "core.hpp"
#include "engine/fit.hpp"
#include "engine/search.hpp"
#include "engine/settings.hpp"

using namespace dpadapt;
using engine::Option;
using engine::OptionValues;

namespace {

constexpr std::size_t kFeatures = 3;

using Texts = std::vector<std::pair<const char *, const char *>>;

OptionValues options(const Texts &texts) {
    OptionValues values;
    for (const auto &[name, text] : texts) values.parse(engine::find_option(name), text);
    return values;
}

Sample make_sample(std::size_t rows, double shift, unsigned seed) {
    Random random(seed);
    std::vector<double> x(rows * kFeatures);
    std::vector<double> y(rows);
    for (double &value : x) value = random.normal() + shift;
    for (std::size_t i = 0; i < rows; ++i)
        y[i] = x[i * kFeatures] - 2.0 * x[i * kFeatures + 1] + 0.1 * random.normal();
    return Sample::copy({x.data(), rows, kFeatures, kFeatures, true}, y.data());
}

void a_search_keeps_one_of_its_fits() {
    NoControl control;
    engine::Problem problem;
    problem.replace(privacy::kSource, make_sample(60, 0.0, 1));
    problem.replace(privacy::kTarget, make_sample(40, 0.5, 2));
    engine::Problem validation;
    validation.replace(privacy::kTarget, make_sample(30, 0.5, 3));
    OptionValues values = options({{"private_domain", "none"}});
    for (const baseline::MethodSpec *method :
         {static_cast<const baseline::MethodSpec *>(nullptr), &baseline::find_method("pooled")}) {
        engine::Search search;
        search.add("radius", "0.01, auto");
        const Solution best = search.run(problem, validation, method, values, control);
        const std::string radius = search.setting(search.chosen(), "radius");
        check_true("the larger ball fits", radius == "auto");
        const Solution alone = engine::fit(problem, method, nullptr, values, control);
        check_true("the same fit", best.coefficients == alone.coefficients);
        check_true("compared", search.candidate(0).loss > search.candidate(1).loss);
    }
}

void baselines_have_settings_of_their_own() {
    const baseline::MethodSpec &best = baseline::find_method("best");
    const Settings priced =
        engine::fit_settings(&best, options({{"private_domain", "none"}, {"lambda_1", "2"}}));
    check_true("price", priced.lambda_1 == 2.0);
    check_true("public records are not clipped", priced.feature_radius.kind == Bound::Kind::absent);
    const baseline::MethodSpec &moments = baseline::find_method("joint_ssp");
    const Settings clipped = engine::fit_settings(&moments, options({{"bound_quantile", "0.9"}}));
    for (const Bound &bound : {clipped.feature_radius, clipped.label_bound})
        check_true("private ones are", bound.kind == Bound::Kind::quantile && bound.value == 0.9);
}

void shares_of_epsilon() {
    const auto share = [](const Texts &texts, Wanted wanted, bool gradients) {
        return discrepancy_share(engine::make_settings(options(texts), wanted), wanted, gradients);
    };
    const Texts charged = {{"alpha", "0.5"}};
    check_true("none is released", share({}, Wanted::fit, true) == 0.0);
    check_true("one beside gradients", share(charged, Wanted::fit, true) == 0.1);
    check_true("one alone in a fit", share(charged, Wanted::fit, false) == 1.0);
    check_true("one alone", share(charged, Wanted::discrepancy, false) == 0.1);
    check_true("given", share(charged, Wanted::fit_with_given_discrepancy, true) == 0.1);
    check_true("baseline", share(charged, Wanted::baseline, true) == 0.0);
    check_true("the caller's", share({{"discrepancy_share", "0.3"}}, Wanted::fit, true) == 0.3);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(a_search_keeps_one_of_its_fits),
        core_test(baselines_have_settings_of_their_own),
        core_test(shares_of_epsilon),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

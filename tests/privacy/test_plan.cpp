// Plans: budgets become releases within them, and the printed noise is judged by the exact
// accountant.
#include "base/error.hpp"
#include "privacy/plan.hpp"
#include "privacy/privacy.hpp"

using namespace dpadapt;
using privacy::kSource;
using privacy::kTarget;
using privacy::make_plan;
using privacy::Mechanism;
using privacy::Plan;
using privacy::PlanRequest;
using privacy::Release;

namespace {

/** Gradients and a discrepancy of a private target, at (1, 1e-5). */
PlanRequest usual() {
    PlanRequest request;
    request.source_rows = 300;
    request.target_rows = 200;
    request.dimension = 5;
    request.epsilon = 1.0;
    request.delta = 1e-5;
    request.discrepancy_share = 0.1;
    request.discrepancy = true;
    request.discrepancy_bound = 40.0;
    request.steps = 100;
    request.clip = 2.0;
    request.source_weight = 0.5 / 300;
    request.target_weight = 0.5 / 200;
    return request;
}

std::pair<dpa_status, std::string> error_of(const PlanRequest &request) {
    try {
        (void)make_plan(request);
    } catch (const Error &error) {
        return {error.status(), error.what()};
    }
    return {DPA_OK, {}};
}

void check_refused(const std::string &what, const PlanRequest &request, const std::string &word) {
    const auto [status, text] = error_of(request);
    check_true(what + ": refused", status == DPA_E_OPTION);
    check_true(what + ": " + text, text.find(word) != std::string::npos);
}

bool same(const Release &a, const Release &b) {
    return a.mechanism == b.mechanism && a.kind == b.kind && a.domains == b.domains &&
           a.steps == b.steps && a.dimension == b.dimension && a.bits == b.bits &&
           a.integer_sensitivity == b.integer_sensitivity && a.unit == b.unit &&
           a.tolerance == b.tolerance;
}

void the_same_request_gives_the_same_plan() {
    const Plan one = make_plan(usual());
    const Plan two = make_plan(usual());
    check_true("releases", one.releases.size() == 2 &&
                               std::equal(one.releases.begin(), one.releases.end(),
                                          two.releases.begin(), two.releases.end(), same));
    check_true("cap", one.budget->cap.mu_square == two.budget->cap.mu_square);
}

/** Of Laplace and Gaussian noise that leave the same to the gradients, the one of less deviation.
 */
void a_discrepancy_has_the_smaller_noise() {
    const struct {
        double epsilon, delta, ratio;  ///< deviation of Laplace noise over that of Gaussian noise
    } rows[] = {{1.0, 1e-5, 1.23}, {0.5, 1e-3, 1.38}, {4.0, 1e-5, 1.12}, {10.0, 0.01, 1.15}};
    for (const auto &row : rows) {
        PlanRequest request = usual();
        request.epsilon = row.epsilon;
        request.delta = row.delta;
        const auto planned = [&](std::optional<Mechanism> noise) {
            request.discrepancy_noise = noise;
            return make_plan(request);
        };
        const Plan laplace = planned(Mechanism::laplace);
        const Plan gaussian = planned(Mechanism::gaussian);
        const Plan chosen = planned(std::nullopt);
        const Release &one = laplace.releases.at(0);
        const Release &other = gaussian.releases.at(0);
        check_close("ratio", one.deviation() / other.deviation(), row.ratio, 0.01);
        check_true("chosen", same(chosen.releases.at(0), other));
        check_true("the same is left", laplace.releases.at(1).integer_sensitivity ==
                                           gaussian.releases.at(1).integer_sensitivity);
        check_true("one part", gaussian.total.laplace == 0 && laplace.total.laplace > 0);
        check_true("within", gaussian.total.within(gaussian.budget->cap));
        check_close("spent", privacy::delta(row.epsilon, gaussian.total.totals()), row.delta, 1e-3);
    }
    PlanRequest pure = usual();
    pure.delta = 0.0;
    pure.steps = 0;
    pure.discrepancy_share = 1.0;
    check_true("without delta", make_plan(pure).releases.at(0).mechanism == Mechanism::laplace);
    pure.delta = 1e-5;
    check_true("all of epsilon", make_plan(pure).releases.at(0).mechanism == Mechanism::laplace);
    pure.delta = 0.0;
    pure.discrepancy_noise = Mechanism::gaussian;
    check_refused("Gaussian without delta", pure, "delta");
}

/** Whatever is asked: what the integers of the releases add up to is within (epsilon, delta). */
void random_plans_keep_their_promise() {
    Random random(11);
    int planned = 0;
    for (int draw = 0; draw < 1000; ++draw) {
        PlanRequest request = usual();
        const auto integer = [&](double least, double most) {
            return static_cast<std::size_t>(least * std::pow(most / least, random.uniform()));
        };
        request.domains = 1 + static_cast<privacy::Domains>(3 * random.uniform());
        request.neighbours =
            random.uniform() < 0.5 ? privacy::Neighbours::replace : privacy::Neighbours::zero_out;
        request.source_rows = integer(1, 1e6);
        request.target_rows = integer(1, 1e6);
        request.dimension = request.moments_dimension = integer(1, 50);
        request.epsilon = std::exp(-3 + 6 * random.uniform());
        request.delta = std::exp(-25 + 22 * random.uniform());
        request.discrepancy = random.uniform() < 0.5;
        request.discrepancy_share = request.discrepancy ? random.uniform() : 0.0;
        request.steps = integer(1, 1000);
        request.moments_share = random.uniform() < 0.5 ? 0.0 : 0.1;
        request.inference_share = random.uniform() < 0.8 ? 0.0 : 0.2;
        request.candidates = random.uniform() < 0.5 ? 0 : 3;
        request.weights = random.uniform() < 0.2;
        request.loss_bound = 30.0;
        request.source_weight = random.uniform() / static_cast<double>(request.source_rows);
        request.target_weight = random.uniform() / static_cast<double>(request.target_rows);
        request.sums_weights = random.uniform() < 0.3;
        if (error_of(request).first != DPA_OK) continue;
        ++planned;
        const Plan plan = make_plan(request);
        for (const privacy::Domains domain : {kSource, kTarget}) {
            long double mu_square = 0.0L;
            double laplace = 0.0;
            for (const Release &release : plan.releases) {
                if ((release.domains & domain) == 0) continue;
                const long double step = std::ldexp(
                    static_cast<long double>(release.integer_sensitivity), -release.bits);
                const auto steps = static_cast<long double>(release.steps);
                if (release.mechanism == Mechanism::gaussian)
                    mu_square += steps * step * step;
                else
                    laplace += static_cast<double>(steps * step);
            }
            const auto mu = static_cast<double>(std::sqrt(mu_square));
            check_true("delta at epsilon", privacy::delta(*request.epsilon, {laplace, mu}) <=
                                               *request.delta * (1 + 1e-9));
        }
    }
    check_true("many could be planned: " + std::to_string(planned), planned > 250);
}

void the_published_example() {
    PlanRequest request = usual();
    request.discrepancy_noise = Mechanism::laplace;
    const Plan plan = make_plan(request);
    const Release &discrepancy = plan.releases.at(0);
    const Release &gradient = plan.releases.at(1);
    check_true("K", discrepancy.mechanism == Mechanism::laplace &&
                        discrepancy.integer_sensitivity == 429496729);  // floor(0.1 2^32)
    const double base = 40.0 / 200;
    check_close("tau", discrepancy.tolerance, base / 1024, 1e-15);
    check_above("B/n + 2 tau", discrepancy.sensitivity(), base * (1 + 2.0 / 1024), 1e-14);
    check_close("b", discrepancy.scale(), 10 * discrepancy.sensitivity(), 1e-8);
    check_true("2 Q", gradient.integer_sensitivity == 2 * 54434920);
    check_true("shape", gradient.steps == 100 && gradient.dimension == 5);
    check_above("2 p C", gradient.sensitivity(), 2 * 0.5 / 200 * 2.0, 1e-14);
    check_above("mu", plan.total.totals().mu, 0.25348234921693802, 1e-15);
    check_true("within", plan.total.within(plan.budget->cap));
    check_true("certified", privacy::delta(1.0, plan.total.totals()) <= 1e-5 &&
                                privacy::delta(1.0, plan.total.totals()) >= 0.999999 * 1e-5);
}

void each_domain_pays_for_its_own_releases() {
    PlanRequest request = usual();
    request.domains = kSource | kTarget;
    request.weights = true;
    request.loss_bound = 30.0;
    const Plan plan = make_plan(request);
    check_true("releases", plan.releases.size() == 4);
    check_close("discrepancy of the smaller sample", plan.releases[0].sensitivity(),
                40.0 / 200 * (1 + 2.0 / 1024), 1e-14);
    check_close("gradient of the larger weight", plan.releases[1].sensitivity(),
                2 * (0.5 / 200) * 2.0, 1e-14);
    const Release &source = plan.releases[2];
    const Release &target = plan.releases[3];
    check_true("tags", plan.releases[0].domains == 3 && plan.releases[1].domains == 3 &&
                           source.domains == kSource && target.domains == kTarget);
    check_true("an entry of each record", source.dimension == 300 && target.dimension == 200);
    check_above("source loss", source.sensitivity(), 0.5 / 300 * 30.0 * (1 - 1e-15), 1e-14);
    check_above("target loss", target.sensitivity(), 0.5 / 200 * 30.0 * (1 - 1e-15), 1e-14);
    check_close("equal ratios", source.step_price(), plan.releases[1].step_price(), 1e-7);
    // Each domain pays for the common gradient and for its own weights, not for the other's.
    privacy::Cost two = plan.releases[0].cost();
    two += plan.releases[1].cost();
    two += target.cost();
    check_true("total", plan.total.mu_square == two.mu_square);
    check_close("spent", plan.total.totals().mu, plan.budget->cap.totals().mu, 1e-7);
}

/** Printed noise for both gradients, with or without the discrepancy. */
PlanRequest printed(double epsilon, double delta, bool discrepancy) {
    PlanRequest request = usual();
    request.epsilon = epsilon;
    request.delta = delta;
    request.calibration = privacy::Calibration::paper;
    request.discrepancy = discrepancy;
    request.steps = 10;
    request.weights = true;
    request.loss_bound = 30.0;
    return request;
}

/** What the refusal says about the printed noise: the true delta, and the true epsilon. */
void check_told(double epsilon, double delta, bool discrepancy, double true_delta,
                double true_epsilon) {
    const auto [status, text] = error_of(printed(epsilon, delta, discrepancy));
    check_true("refused", status == DPA_E_OPTION);
    double told_delta = 0.0;
    double told_epsilon = 0.0;
    const std::size_t at = text.find("they cost delta = ");
    const std::size_t other = text.find("and epsilon = ");
    check_true(text, at != std::string::npos && other != std::string::npos);
    if (at == std::string::npos || other == std::string::npos) return;
    std::sscanf(text.c_str() + at, "they cost delta = %lf", &told_delta);
    std::sscanf(text.c_str() + other, "and epsilon = %lf", &told_epsilon);
    check_close("true delta", told_delta, true_delta, 5e-6);
    check_close("true epsilon", told_epsilon, true_epsilon, 1e-6);
}

void check_violated_from(double delta, bool discrepancy, double epsilon, double step) {
    check_true("just below", error_of(printed(epsilon - step, delta, discrepancy)).first == DPA_OK);
    check_true("just above",
               error_of(printed(epsilon + step, delta, discrepancy)).first == DPA_E_OPTION);
}

void printed_noise_of_algorithm_1() {
    const struct {
        double delta, from;
        double at_8[2], at_10[2], at_15[2];  ///< true delta and true epsilon
    } rows[] = {
        {0.01, 8.9161, {0.00658758, 7.626773}, {0.0158391, 10.53997}, {0.0882230, 19.39450}},
        {1e-3, 9.44355, {4.91887e-4, 7.577315}, {1.29564e-3, 10.19929}, {9.81982e-3, 17.88442}},
        {1e-5, 10.2498, {3.06555e-6, 7.578575}, {8.81515e-6, 9.942722}, {9.03110e-5, 16.57992}},
        {1e-6, 10.5713, {2.52731e-7, 7.592009}, {7.44747e-7, 9.888980}, {8.30349e-6, 16.24882}}};
    for (const auto &row : rows) {
        check_violated_from(row.delta, false, row.from, 1e-4);
        const privacy::Totals at_8 = make_plan(printed(8.0, row.delta, false)).total.totals();
        check_close("delta(8)", privacy::delta(8.0, at_8), row.at_8[0], 5e-6);
        check_close("epsilon at 8", privacy::epsilon(row.delta, at_8), row.at_8[1], 1e-6);
        if (10.0 > row.from) {
            check_told(10.0, row.delta, false, row.at_10[0], row.at_10[1]);
        } else {
            const auto at_10 = make_plan(printed(10.0, row.delta, false)).total.totals();
            check_close("delta(10)", privacy::delta(10.0, at_10), row.at_10[0], 5e-6);
            check_close("epsilon at 10", privacy::epsilon(row.delta, at_10), row.at_10[1], 1e-6);
        }
        check_told(15.0, row.delta, false, row.at_15[0], row.at_15[1]);
    }
}

void printed_noise_with_the_discrepancy() {
    const struct {
        double delta, from, at_1_4_10[3];
        double at_20[2], at_30[2];
    } rows[] = {{0.01,
                 19.664,
                 {0.616316, 2.995819, 8.648144},
                 {0.0107610, 20.08656},
                 {0.0674631, 33.84180}},
                {1e-3,
                 20.8264,
                 {0.725858, 3.245904, 8.925509},
                 {8.21909e-4, 19.84801},
                 {6.87513e-3, 32.43867}},
                {1e-5,
                 22.5642,
                 {0.821014, 3.483660, 9.214251},
                 {5.19716e-6, 19.70062},
                 {5.72627e-5, 31.25820}},
                {1e-6,
                 23.2481,
                 {0.846446, 3.550761, 9.301573},
                 {4.29575e-7, 19.67953},
                 {5.10704e-6, 30.96641}}};
    for (const auto &row : rows) {
        check_violated_from(row.delta, true, row.from, 1e-3);
        const double stated[] = {1.0, 4.0, 10.0};
        for (int k = 0; k < 3; ++k) {
            const Plan plan = make_plan(printed(stated[k], row.delta, true));
            check_close("Laplace", plan.total.totals().laplace_epsilon, stated[k] / 2, 1e-9);
            check_close("true epsilon", privacy::epsilon(row.delta, plan.total.totals()),
                        row.at_1_4_10[k], 1.5e-6);
        }
        if (20.0 > row.from) {
            check_told(20.0, row.delta, true, row.at_20[0], row.at_20[1]);
        } else {
            const auto at_20 = make_plan(printed(20.0, row.delta, true)).total.totals();
            check_close("delta(20)", privacy::delta(20.0, at_20), row.at_20[0], 1e-5);
            check_close("epsilon at 20", privacy::epsilon(row.delta, at_20), row.at_20[1], 1e-6);
        }
        check_told(30.0, row.delta, true, row.at_30[0], row.at_30[1]);
    }
}

void given_noise_is_never_reduced() {
    PlanRequest request = usual();
    request.noise_multiplier = 47.25;
    request.laplace_epsilon = 0.125;
    request.epsilon = request.delta = std::nullopt;
    const Plan plan = make_plan(request);
    check_true("no budget of its own", !plan.budget);
    check_true("Laplace", plan.total.laplace == std::uint64_t{1} << 37);
    check_true("at least that noise", 1.0 / plan.releases.at(1).step_price() >= 47.25);
    check_close("hardly more", 1.0 / plan.releases.at(1).step_price(), 47.25, 1e-7);
    request.epsilon = 1.0;
    request.delta = privacy::delta(1.0, plan.total.totals());
    check_true("certified", make_plan(request).budget->cap.mu_square == plan.total.mu_square);
    request.delta = std::nextafter(*request.delta, 0.0);
    check_refused("too little noise", request, "at epsilon = 1");
}

void what_cannot_be_planned_is_refused() {
    PlanRequest request = usual();
    request.epsilon.reset();
    check_refused("no epsilon", request, "epsilon and delta");
    request = usual();
    request.discrepancy_share = 1.0;
    check_refused("nothing for the gradients", request, "gradients");
    request = usual();
    request.discrepancy_share = 0.0;
    check_refused("nothing for the discrepancy", request, "discrepancy_share");
    request = usual();
    request.delta = 0.0;
    check_refused("Gaussian noise without delta", request, "gradients");
    request = usual();
    request.laplace_epsilon = 1.5;
    check_refused("more than the budget", request, "exceed");
    request = usual();
    request.noise_multiplier = 100.0;
    check_refused("half of the noise", request, "laplace_epsilon");
    request = usual();
    request.discrepancy_tolerance = 1e-6;
    request.least_tolerance = 1e-3;
    check_refused("tolerance", request, "discrepancy_tolerance");
    request = usual();
    request.calibration = privacy::Calibration::paper;
    request.delta = 0.0;
    check_refused("printed formula without delta", request, "calibration");
    request = usual();
    request.target_rows = std::size_t{1} << 40;
    request.grid_bits = 40;
    check_refused("too many records", request, "grid_bits");
    request = usual();
    request.discrepancy = false;
    request.target_rows = std::size_t{1} << 34;
    request.rate = std::uint64_t{1} << 28;
    check_refused("too many sampled ones", request, "too many private records");
}

/** The default grid is finer for very many records, and what public data would tell is not needed
 *  for the price. */
void grid_and_unknown_bounds() {
    PlanRequest request = usual();
    check_true("usual", make_plan(request).gradient.bits == 32);
    request.target_rows = 100'000'000;
    check_true("many", make_plan(request).gradient.bits > 32);
    request = usual();
    const Plan known = make_plan(request);
    request.clip = request.discrepancy_bound = privacy::kUnknown;
    const Plan unknown = make_plan(request);
    check_true("same price", unknown.total.mu_square == known.total.mu_square &&
                                 unknown.total.laplace == known.total.laplace);
    for (const Release &release : unknown.releases)
        check_true("unknown scale",
                   std::isnan(release.scale()) && std::isnan(release.sensitivity()));
    for (const Release &release : known.releases) check_true("known", release.scale() > 0.0);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(the_same_request_gives_the_same_plan),
        core_test(a_discrepancy_has_the_smaller_noise),
        core_test(random_plans_keep_their_promise),
        core_test(the_published_example),
        core_test(each_domain_pays_for_its_own_releases),
        core_test(printed_noise_of_algorithm_1),
        core_test(printed_noise_with_the_discrepancy),
        core_test(given_noise_is_never_reduced),
        core_test(what_cannot_be_planned_is_refused),
        core_test(grid_and_unknown_bounds),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

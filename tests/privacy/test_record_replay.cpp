// Record and replay: a private run on a sample, then on a neighbour while feeding it the released
// values of the first run. The integers before the noise may differ by the declared sensitivity at
// most, in exact arithmetic; and everything that is public, or follows from released values, must
// be the same.
#include <limits>

#include "privacy/replay.hpp"

using namespace dpadapt;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/** One record replaced by something that a careless method would let through. */
std::vector<Data> neighbours(const Data &data, std::size_t record) {
    std::vector<Data> all;
    for (const double value : {kNan, kInf, -kInf, 1e308, -1e308, 1e200, 5e-324, 0.0, -50.0}) {
        for (const double label : {data.y[record], value}) {
            all.push_back(data);
            all.back().set(record, value, label);
        }
    }
    for (const double factor : {-1.0, -1e6, 1e6}) {
        all.push_back(data);
        for (std::size_t j = 0; j < kFeatures; ++j) all.back().x[record * kFeatures + j] *= factor;
        all.back().y[record] *= -factor;
    }
    all.push_back(data);  // the opposite term, if the record's label is large
    all.back().y[record] *= -1.0;
    all.push_back(data);
    std::copy_n(data.x.begin(), kFeatures,
                all.back().x.begin() + static_cast<std::ptrdiff_t>(record * kFeatures));
    all.back().y[record] = data.y[0];
    return all;
}

/** NaN stands for what is not released. */
bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool same_public_output(const Solution &a, const Solution &b) {
    return a.coefficients == b.coefficients && a.intercept == b.intercept &&
           a.source_weights == b.source_weights && a.target_weights == b.target_weights &&
           a.settings.alpha == b.settings.alpha &&
           same(a.settings.discrepancy, b.settings.discrepancy) &&
           a.settings.radius == b.settings.radius && a.settings.kappa_1 == b.settings.kappa_1 &&
           a.settings.feature_radius == b.settings.feature_radius &&
           a.settings.label_bound == b.settings.label_bound && a.iterations == b.iterations &&
           std::isnan(a.objective) && std::isnan(b.objective) && std::isnan(a.duality_gap) &&
           std::isnan(b.duality_gap);
}

/** Largest share of a squared sensitivity that a pair of runs uses, of vectors and of single
 *  entries. */
struct Usage {
    double vector = 0.0;
    double entry = 0.0;
};

void compare(const std::string &name, const Run &run, const Recorder &first, const Recorder &second,
             Usage &usage) {
    check_true(name + ": number of releases", first.entries.size() == second.entries.size());
    for (std::size_t k = 0; k < std::min(first.entries.size(), second.entries.size()); ++k) {
        const auto &[purpose, step, integers, released] = first.entries[k];
        const auto &other = second.entries[k];
        const std::string where = name + ", release " + std::to_string(k);
        check_true(where + ": same kind", purpose == other.purpose && step == other.step &&
                                              integers.size() == other.integers.size());
        const Int128 sensitivity = planned(run.plan, purpose).integer_sensitivity;
        const auto most = static_cast<Uint128>(sensitivity * sensitivity);
        const Uint128 distance = squared_distance(integers, other.integers);
        check_true(where + ": sensitivity", distance <= most);
        double &used = purpose == random::Purpose::gaussian_u ? usage.entry : usage.vector;
        used = std::max(used, static_cast<double>(distance) / static_cast<double>(most));
    }
}

void replay(const Scenario &scenario, std::size_t n, bool replace_source, double label,
            Usage &usage) {
    Data source = make_data(replace_source ? n : 300, 0.0, 1);
    Data target = make_data(replace_source ? 300 : n, 0.7, 2);
    (replace_source ? source : target).y[n / 2] += label;
    Recorder first;
    const Run run = run_private(source, target, scenario.options, &first);
    const Data &changed = replace_source ? source : target;
    for (const Data &other : neighbours(changed, n / 2)) {
        Recorder second(first);
        const Run again = run_private(replace_source ? other : source,
                                      replace_source ? target : other, scenario.options, &second);
        compare(scenario.name, run, first, second, usage);
        check_true(scenario.name + ": public output",
                   same_public_output(run.solution, again.solution));
    }
}

void neighbours_differ_by_at_most_the_sensitivity() {
    for (const Scenario &scenario : scenarios()) {
        const auto domain = scenario.options.find("private_domain");
        const std::string words = domain == scenario.options.end() ? "target" : domain->second;
        Usage usage;
        for (const std::size_t n : {1U, 2U, 120U}) {
            for (const double label : {0.0, 1e6}) {
                if (words != "source") replay(scenario, n, false, label, usage);
                if (words != "target") replay(scenario, n, true, label, usage);
            }
        }
        check_true(scenario.name + ": the neighbours come near the sensitivity",
                   usage.vector > 0.4);
        if (scenario.options.contains("method"))
            check_true(scenario.name + ": the entries move", usage.entry > 1e-3);
    }
}

/** Plans must not depend on private records either: no bound, no default, no number of steps. */
void plans_do_not_see_private_records() {
    const Data source = make_data(300, 0.0, 1);
    const Data target = make_data(40, 0.7, 2);
    Data other = make_data(40, -3.0, 9);
    other.set(3, kNan, kInf);
    for (const Scenario &scenario : scenarios()) {
        if (scenario.options.contains("private_domain") &&
            scenario.options.at("private_domain") == "source")
            continue;
        const Run one = run_private(source, target, scenario.options, nullptr);
        const Run two = run_private(source, other, scenario.options, nullptr);
        check_true(scenario.name + ": same releases",
                   one.plan.releases.size() == two.plan.releases.size());
        for (std::size_t k = 0; k < one.plan.releases.size(); ++k)
            check_true(scenario.name + ": same noise",
                       one.plan.releases[k].scale() == two.plan.releases[k].scale() &&
                           one.plan.releases[k].integer_sensitivity ==
                               two.plan.releases[k].integer_sensitivity);
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(neighbours_differ_by_at_most_the_sensitivity),
        core_test(plans_do_not_see_private_records),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

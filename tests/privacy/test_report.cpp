// Reports say what the ledger holds, number by number, as JSON and in words.
#include "base/error.hpp"
#include "privacy/plain_words.hpp"
#include "privacy/privacy.hpp"
#include "privacy/report.hpp"
#include "unit/json.h"

using namespace dpadapt;
using privacy::Form;
using privacy::kSource;
using privacy::kTarget;
using privacy::Ledger;
using privacy::Mechanism;
using privacy::NoiseSource;
using privacy::Release;

namespace {

const Release kGradient = {Mechanism::gaussian,
                           privacy::ReleaseKind::gradient,
                           kTarget,
                           20,
                           4,
                           32,
                           100'000'001,
                           1e-9,
                           0.0};
const Release kDiscrepancy = {Mechanism::laplace,
                              privacy::ReleaseKind::discrepancy,
                              kSource | kTarget,
                              1,
                              1,
                              32,
                              429'496'729,
                              3e-10,
                              0.25};

/** What the budget still allows. */
const Release kSmall = {
    Mechanism::gaussian, privacy::ReleaseKind::gradient, kTarget, 1, 1, 32, 1000, 1e-9, 0.0};

const privacy::SampleSizes kSizes = {30, 20, 3};

privacy::ReportFacts facts() {
    privacy::ReportFacts facts;
    facts.domains = kTarget;
    facts.sizes = kSizes;
    facts.call.set("method", "profile");
    return facts;
}

Ledger charged(NoiseSource noise) {
    Ledger ledger;
    ledger.set_budget(privacy::make_budget(1.0, 1e-5, 0.1, 0.0));
    const std::vector<Release> call = {kDiscrepancy, kGradient};
    ledger.announce({kSizes, {}});
    ledger.charge(call, noise);
    return ledger;
}

std::string json_of(const Ledger &ledger) {
    std::string json = privacy::write_report({ledger, facts()}, Form::json);
    check_true("JSON", json_is_object(json.c_str()) != 0);
    return json;
}

void check_number(const std::string &json, const std::string &path, double value) {
    const double found = json_number(json.c_str(), path.c_str());
    check_true(path + " = " + std::to_string(found), found == value);
}

void check_word(const std::string &json, const std::string &path, const std::string &value) {
    check_true(path, json_is(json.c_str(), path.c_str(), value.c_str()) != 0);
}

bool contains(const std::string &text, const std::string &words) {
    return text.find(words) != std::string::npos;
}

void check_release(const std::string &json, const std::string &at, const Release &release,
                   bool gaussian) {
    check_word(json, at + "mechanism", gaussian ? "\"Gaussian\"" : "\"Laplace\"");
    check_number(json, at + "steps", static_cast<double>(release.steps));
    check_number(json, at + "sensitivity", release.sensitivity());
    check_number(json, at + "integer_sensitivity",
                 static_cast<double>(release.integer_sensitivity));
    check_number(json, at + "grid_unit", release.unit);
    check_number(json, at + "bits", release.bits);
    check_number(json, at + (gaussian ? "sigma" : "scale"), release.scale());
    check_number(json, at + (gaussian ? "mu_of_a_step" : "epsilon_of_a_step"),
                 release.step_price());
}

void every_entry_is_there() {
    const std::string json = json_of(charged(NoiseSource::system));
    check_true("two", json_count(json.c_str(), "releases") == 2);
    check_release(json, "releases/0/release/", kDiscrepancy, false);
    check_release(json, "releases/1/release/", kGradient, true);
    check_word(json, "releases/0/release/private_domains", "\"both\"");
    check_word(json, "releases/1/release/private_domains", "\"target\"");
    check_number(json, "releases/1/sequence", 1.0);
    check_word(json, "releases/1/noise_source", "\"ChaCha20 keyed by the operating system\"");
}

void totals_and_curve_are_the_accountants() {
    const Ledger ledger = charged(NoiseSource::system);
    const std::string json = json_of(ledger);
    const privacy::Totals spent = ledger.spent().totals();
    check_number(json, "spent/mu", spent.mu);
    check_number(json, "spent/laplace_epsilon", spent.laplace_epsilon);
    // 20 times (100000001 2^8)^2, digit by digit.
    check_word(json, "spent/mu_square_units_of_2^-80", "\"13107200262144001310720\"");
    check_number(json, "spent/laplace_epsilon_units_of_2^-40", 429'496'729.0 * 256);
    check_number(json, "budget/epsilon", 1.0);
    check_number(json, "budget/delta", 1e-5);
    check_number(json, "budget/cap/mu", ledger.budget()->cap.totals().mu);
    check_true("eight points", json_count(json.c_str(), "spent_curve") == 8);
    for (int k = 0; k < 8; ++k) {
        const std::string at = "spent_curve/" + std::to_string(k) + "/";
        const double delta = json_number(json.c_str(), (at + "delta").c_str());
        check_close("delta", delta, std::pow(10.0, k - 9), 1e-15);
        check_number(json, at + "epsilon", privacy::epsilon(delta, spent));
    }
}

void the_promise_is_stated_with_what_it_does_not_cover() {
    const std::string json = json_of(charged(NoiseSource::system));
    check_word(json, "private", "true");
    check_word(json, "seeded", "false");
    check_word(json, "inspected", "false");
    check_word(json, "private_domains", "\"target\"");
    check_number(json, "source_rows", 30.0);
    check_number(json, "target_rows", 20.0);
    check_number(json, "features", 3.0);
    check_word(json, "call/method", "\"profile\"");
    check_word(json, "version", std::string("\"") + kVersion + "\"");
    check_true("not covered", json_count(json.c_str(), "not_covered") >= 6);
    check_true("spent is no odometer",
               contains(json, "a guarantee for calls that were fixed in advance"));
    const std::string text =
        privacy::write_report({charged(NoiseSource::system), facts()}, Form::text);
    check_true("opens", text.rfind("PRIVATE: ", 0) == 0);
    check_true("numbers", contains(text, "epsilon = 1, delta = 1e-05"));
    check_true("JSON's summary", contains(json, text.substr(0, text.find('\n'))));
}

void known_noise_is_not_private() {
    const std::string json = json_of(charged(NoiseSource::unsafe_seed));
    check_word(json, "private", "false");
    check_word(json, "seeded", "true");
    check_word(json, "spent_curve", "null");
    check_word(json, "releases/0/noise_source", "\"unsafe_seed\"");
    const std::string text =
        privacy::write_report({charged(NoiseSource::unsafe_seed), facts()}, Form::text);
    check_true("opens", text.rfind("NOT PRIVATE: ", 0) == 0);
    check_true("never called private", !contains(text, "\nPRIVATE") && !contains(text, "promise"));
}

void an_inspection_is_told() {
    Ledger ledger = charged(NoiseSource::system);
    ledger.unprotected_use().inspected = true;
    const std::string json = json_of(ledger);
    check_word(json, "inspected", "true");
    check_word(json, "private", "false");
    const std::string text = privacy::write_report({ledger, facts()}, Form::text);
    check_true("in words", contains(text.substr(0, text.find('\n')), "inspected"));
}

/** What is taken from the problem later spoils what was said of it before. */
void later_results_without_protection_are_told() {
    Ledger ledger = charged(NoiseSource::system);
    const privacy::Statement statement(ledger, facts());
    check_word(privacy::write_report(statement, Form::json), "private", "true");
    check_word(privacy::write_report(statement, Form::json), "taken_without_protection", "null");
    ledger.unprotected_use().unprotected = true;
    const std::string json = privacy::write_report(statement, Form::json);
    check_word(json, "private", "false");
    check_word(json, "unprotected_results", "true");
    check_true("why", contains(json, "computed with private_domain = none"));
    const std::string text = privacy::write_report(statement, Form::text);
    check_true("opens", text.rfind("NOT PRIVATE AS A WHOLE: ", 0) == 0);
    check_true("promise", contains(text, "epsilon = 1, delta = 1e-05,"));
}

void a_later_seeded_release_is_told() {
    Ledger ledger = charged(NoiseSource::system);
    const privacy::Statement statement(ledger, facts());
    ledger.charge({{kSmall}}, NoiseSource::unsafe_seed);
    const std::string json = privacy::write_report(statement, Form::json);
    check_word(json, "private", "false");
    check_word(json, "seeded", "false");  // its own noise was not known
    check_true("why", contains(json, "noise of another release came from unsafe_seed"));
    check_true("its releases", json_count(json.c_str(), "releases") == 2);
}

void an_empty_problem_tells_what_was_taken() {
    Ledger ledger;
    ledger.unprotected_use().unprotected = true;
    const std::string text = privacy::write_report({ledger, facts()}, Form::text);
    check_true("opens", text.rfind("NOTHING RELEASED: ", 0) == 0);
    check_true("tells", contains(text, "But results were also computed with private_domain"));
}

/** Sizes and sensitivities belong together. */
void releases_have_the_sizes_of_their_samples() {
    Ledger ledger = charged(NoiseSource::system);
    check_number(json_of(ledger), "target_rows", 20.0);
    ledger.announce({{30, 7, 3}, {}});
    ledger.charge({{kSmall}}, NoiseSource::system);
    privacy::ReportFacts now = facts();
    now.sizes = {30, 7, 3};
    const std::string json = privacy::write_report({ledger, now}, Form::json);
    check_number(json, "source_rows", 30.0);
    check_word(json, "target_rows", "null");
    check_number(json, "releases/0/target_rows", 20.0);
    check_number(json, "releases/2/target_rows", 7.0);
}

/** mu and epsilon of k records are k times as large, so that their epsilon at the same delta is
 *  much more than k times as large. */
void groups_of_records_have_their_own_epsilon() {
    Ledger ledger;
    ledger.set_budget(privacy::make_budget(1.0, 1e-5, 0.0, 0.0));
    const std::string json = json_of(ledger);
    const double mu = ledger.budget()->cap.totals().mu;
    const std::pair<unsigned, double> expected[] = {
        {2, 2.15468}, {5, 6.16694}, {10, 14.42927}, {30, 65.82871}};
    for (std::size_t k = 0; k < std::size(expected); ++k) {
        const std::string at = "budget/groups/" + std::to_string(k) + "/";
        check_number(json, at + "records", expected[k].first);
        const double found = json_number(json.c_str(), (at + "epsilon").c_str());
        check_close(at, found, expected[k].second, 1e-5);
        check_close(at, found, privacy::epsilon(1e-5, {0.0, expected[k].first * mu, 0.0}), 1e-12);
    }
    const privacy::Cost cost = {Uint128{3} << 80, 5, 7};
    const privacy::Cost four = privacy::cost_of_group(cost, 4);
    check_true("exact",
               four.mu_square == Uint128{48} << 80 && four.laplace == 20 && four.pure == 28);
    const privacy::Cost most = privacy::cost_of_group({~Uint128{0}, ~std::uint64_t{0}, 1}, 2);
    check_true("saturated", most.mu_square == ~Uint128{0} && most.laplace == ~std::uint64_t{0});
}

void a_group_beyond_the_accountant_has_no_epsilon() {
    Ledger ledger;
    ledger.set_budget(privacy::make_budget(100.0, 1e-5, 0.0, 50.0));
    check_word(json_of(ledger), "budget/groups/3/epsilon", "null");
}

void concentrated_privacy_is_told() {
    Ledger selected;
    selected.set_budget(privacy::make_budget(1.0, 1e-5, 0.1, 0.2));
    const Release selection = {
        Mechanism::pure, privacy::ReleaseKind::selection, kTarget, 1, 1, 32, 800'000'000, 1.0, 0.0};
    selected.announce({kSizes, {}});
    selected.charge({{kDiscrepancy, kGradient, selection}}, NoiseSource::system);
    for (const Ledger &ledger : {charged(NoiseSource::system), selected}) {
        const privacy::Totals spent = ledger.spent().totals();
        const double rho = json_number(json_of(ledger).c_str(), "spent/rho");
        const double pure = std::pow(spent.laplace_epsilon, 2) + std::pow(spent.pure_epsilon, 2);
        const double exact = (spent.mu * spent.mu + pure) / 2;
        check_true("rounded up", rho >= exact);
        check_close("rho", rho, exact, 1e-15);
    }
}

/** With both samples private, a release of one costs the other nothing. */
void each_sample_has_its_own_price() {
    Ledger ledger;
    ledger.set_budget(privacy::make_budget(1.0, 1e-5, 0.1, 0.0));
    Release source = kGradient;
    source.domains = kSource;
    const std::vector<Release> call = {kDiscrepancy, source};
    ledger.announce({kSizes, {}});
    ledger.charge(call, NoiseSource::system);
    privacy::ReportFacts both = facts();
    both.domains = kSource | kTarget;
    const std::string json = privacy::write_report({ledger, both}, Form::json);
    check_word(json, "samples/0/sample", "\"source\"");
    check_word(json, "samples/1/sample", "\"target\"");
    check_word(json, "samples/1/spent/mu_square_units_of_2^-80", "\"0\"");
    check_number(json, "samples/0/epsilon", privacy::epsilon(1e-5, ledger.spent().totals()));
    check_number(json, "samples/1/epsilon",
                 privacy::epsilon(1e-5, {kDiscrepancy.step_price(), 0.0, 0.0}));
}

void an_empty_ledger_promises_nothing() {
    const std::string json = json_of(Ledger());
    check_word(json, "private", "false");
    check_word(json, "budget", "null");
    check_true("none", json_count(json.c_str(), "releases") == 0);
    check_true(
        "opens",
        privacy::write_report({Ledger(), facts()}, Form::text).rfind("NOTHING RELEASED", 0) == 0);
}

/** What the text form leaves to the other: its own first line, integers that say a number again,
 *  and the facts from which the report is computed. */
bool for_machines(const std::string &name) {
    return name == "summary" || name == "schema" || name == "statement" ||
           contains(name, "units of 2^-");
}

/** Every other leaf of the JSON form is in the text form, on a line of its name. */
void both_forms_have_the_same_content() {
    const Ledger ledger = charged(NoiseSource::system);
    std::string json = json_of(ledger);
    const std::size_t curve = json.find(",\"curve\":[");  // of the budget, for machines
    json.erase(curve, json.find(']', curve) + 1 - curve);
    const std::string text = privacy::write_report({ledger, facts()}, Form::text);
    std::size_t leaves = 0;
    for (const char *at = json.c_str(); *at != '\0'; ++at) {
        const char *end = *at == '"' ? json_string_end(at) : nullptr;
        if (end == nullptr) continue;
        std::string line(at + 1, end - 1);
        at = end - 1;
        if (*end != ':' || *(end + 1) == '{' || *(end + 1) == '[') continue;
        std::replace(line.begin(), line.end(), '_', ' ');
        const bool quoted = *(end + 1) == '"';
        const char *stop = json_end(end + 1);
        std::string value(end + 1 + quoted, stop - quoted);
        const bool told = contains(text, line + ": " + (value == "null" ? "-" : value) + "\n");
        check_true(line, told != for_machines(line));
        ++leaves;
        at = stop - 1;
    }
    check_true("leaves", leaves > 60);
}

/** A curve at epsilon = 0 would look like perfect privacy. */
void without_privacy_there_is_no_curve() {
    privacy::ReportFacts plain = facts();
    plain.domains = 0;
    plain.call_without_privacy = true;
    const std::string text = privacy::write_report({Ledger(), plain}, Form::text);
    check_true("opens", text.rfind("NOT PRIVATE", 0) == 0);
    check_true("no curve", !contains(text, "curve") && !contains(text, "  epsilon: 0"));
    const std::string json = privacy::write_report({Ledger(), plain}, Form::json);
    check_true("JSON's curve", json_count(json.c_str(), "spent_curve") == 8);
    const std::string spent =
        privacy::write_report({charged(NoiseSource::system), facts()}, Form::text);
    check_true("a curve", contains(spent, "\nspent curve:\n"));
}

void plans_say_what_they_would_charge() {
    privacy::PlanRequest request;
    request.target_rows = 200;
    request.source_rows = 300;
    request.dimension = 4;
    request.epsilon = 1.0;
    request.delta = 1e-5;
    request.steps = 20;
    request.target_weight = 1.0 / 200;
    const privacy::Plan plan = privacy::make_plan(request);  // the clip is unknown
    const std::string json = privacy::write_plan(plan, facts(), Form::json);
    check_true("JSON", json_is_object(json.c_str()) != 0);
    check_number(json, "mu", plan.total.totals().mu);
    check_number(json, "releases/0/mu_of_a_step", plan.releases.at(0).step_price());
    check_number(json, "curve/4/epsilon", privacy::epsilon(1e-5, plan.total.totals()));
    check_word(json, "releases/0/sigma", "null");
    check_word(json, "releases/0/sensitivity", "null");
    const std::string none = privacy::write_plan(privacy::Plan(), facts(), Form::text);
    check_true("nothing", contains(none, "reads no private record"));
}

double normal(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

double quantile(double probability) {
    double low = -10.0;
    double high = 10.0;
    for (int i = 0; i < 200; ++i) {
        const double middle = 0.5 * (low + high);
        (normal(middle) < probability ? low : high) = middle;
    }
    return low;
}

/** The best test of one Gaussian against another that is shifted by mu deviations. */
void an_attacker_finds_what_the_best_test_finds() {
    for (const double mu : {0.01, 0.2367, 1.0, 4.0})
        for (const double misled : {0.01, 0.05, 0.5}) {
            const double best = normal(quantile(misled) + mu);
            const double found = privacy::most_found(misled, {0.0, mu, 0.0});
            check_true("never less", found >= best - 1e-12);
            check_close("the best test", found, best, 1e-6);
        }
    check_close("Laplace", privacy::most_found(0.05, {0.5, 0.0, 0.0}), 0.05 * std::exp(0.5), 1e-9);
    check_true("no release", privacy::most_found(0.05, {}) < 0.05 + 1e-9);
    check_true("everything", privacy::most_found(0.05, {0.0, 50.0, 0.0}) <= 1.0);
}

void several_records_are_found_more_easily() {
    const Ledger ledger = charged(NoiseSource::system);
    const std::string json = json_of(ledger);
    const privacy::Cost &cap = ledger.budget()->cap;
    const unsigned records[] = {1, 2, 5, 10};
    for (unsigned k = 0; k < 4; ++k) {
        const std::string at = "attackers/" + std::to_string(3 * k + 1) + "/";
        check_number(json, at + "records", records[k]);
        check_number(json, at + "wrongly_suspected", 0.05);
        // As if mu and the epsilons were so many times as large.
        const privacy::Totals one = cap.totals();
        const double wanted =
            privacy::most_found(0.05, {one.laplace_epsilon * records[k], one.mu * records[k], 0.0});
        check_close(at, json_number(json.c_str(), (at + "found").c_str()), wanted, 1e-6);
    }
}

void the_promise_is_told_in_plain_words() {
    const std::string text =
        privacy::write_report({charged(NoiseSource::system), facts()}, Form::text);
    for (const char *words :
         {"What is protected is a record: one row of the target.",
          "misleads them for 5 of 100 records", "of 2, 5 or 10 records together",
          "delta = 1e-05 is below 1/n = 1/20, as it should be."})
        check_true(words, contains(text.substr(0, text.find("\n\n")), words));
    privacy::ReportFacts of_persons = facts();
    of_persons.persons = true;
    const std::string persons =
        privacy::write_report({charged(NoiseSource::system), of_persons}, Form::text);
    check_true("a person", contains(persons, "all rows under one identifier together"));
    check_true("no several records", !contains(persons, "or 10 records together"));
    for (const Ledger &ledger : {charged(NoiseSource::unsafe_seed), Ledger()}) {
        const std::string text_of_none = privacy::write_report({ledger, facts()}, Form::text);
        check_true("no promise, no words", !contains(text_of_none, "What is protected"));
    }
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(every_entry_is_there),
        core_test(totals_and_curve_are_the_accountants),
        core_test(the_promise_is_stated_with_what_it_does_not_cover),
        core_test(known_noise_is_not_private),
        core_test(an_inspection_is_told),
        core_test(later_results_without_protection_are_told),
        core_test(a_later_seeded_release_is_told),
        core_test(an_empty_problem_tells_what_was_taken),
        core_test(releases_have_the_sizes_of_their_samples),
        core_test(groups_of_records_have_their_own_epsilon),
        core_test(an_attacker_finds_what_the_best_test_finds),
        core_test(several_records_are_found_more_easily),
        core_test(the_promise_is_told_in_plain_words),
        core_test(a_group_beyond_the_accountant_has_no_epsilon),
        core_test(concentrated_privacy_is_told),
        core_test(each_sample_has_its_own_price),
        core_test(an_empty_ledger_promises_nothing),
        core_test(both_forms_have_the_same_content),
        core_test(without_privacy_there_is_no_curve),
        core_test(plans_say_what_they_would_charge),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

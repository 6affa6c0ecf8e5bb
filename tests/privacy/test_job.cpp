// Calls of a job: paid once, with the same noise each time; other keys pay or are refused.
#include <dpadapt/baseline.h>
#include <dpadapt/evaluate.h>
#include <dpadapt/select.h>
#include <dpadapt/votes.h>

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "privacy/job.hpp"
#include "privacy/ledger_files.hpp"

namespace {

using Key = std::array<std::uint8_t, 32>;
constexpr Key kKey{1, 2, 3};
constexpr Key kOther{1, 2, 4};

dpa_status use(const Small &problem, const LedgerHandle &ledger, const Key &key,
               const char *name = "weekly") {
    return dpa_problem_use_ledger_for_job(problem.handle, ledger.handle, name, key.data(),
                                          key.size());
}

/** The coefficient of a fit. */
double released(const Small &problem, const Options &options) {
    dpa_solution *solution = nullptr;
    check_status("fit", dpa_solve(problem.handle, nullptr, options.handle, &solution), DPA_OK);
    double value = NAN;
    check_status("array", dpa_solution_array(solution, "coefficients", &value, 1), DPA_OK);
    dpa_solution_destroy(solution);
    return value;
}

/** That of the first call of a job. */
double of_job(const Folder &folder, const Key &key, const char *name, const char *epsilon = "0.2") {
    const LedgerHandle ledger(folder.path);
    const Small problem;
    check_status("use", use(problem, ledger, key, name), DPA_OK);
    return released(problem, Options(epsilon));
}

void the_same_key_pays_once_and_releases_the_same() {
    const Folder folder;
    folder.make("1");
    const double first = of_job(folder, kKey, "weekly");
    check_true("again", of_job(folder, kKey, "weekly") == first);
    check_true("one entry", LedgerHandle(folder.path).entries() == 1);
    check_true("other noise", of_job(folder, kOther, "monthly") != first);
    check_true("two entries", LedgerHandle(folder.path).entries() == 2);
    check_true("its mark", LedgerHandle(folder.path).report().find(R"("options":"job=weekly/0:)") !=
                               std::string::npos);
}

void another_key_of_that_name_is_refused() {
    const Folder folder;
    folder.make("1");
    (void)of_job(folder, kKey, "weekly");
    const LedgerHandle ledger(folder.path);
    const Small problem;
    check_status("use", use(problem, ledger, kOther), DPA_OK);
    check_status("fit", problem.fit(Options("0.2")), DPA_E_STATE);
    check_true("nothing more", ledger.entries() == 1);
}

/** What a fit reads of a sample. */
struct Rows {
    std::vector<double> x;
    std::vector<double> y;
    std::vector<double> weights = std::vector<double>(Small::kRows, 1.0);
    std::vector<std::int64_t> persons = {};
};

/** Of one of the samples. */
struct Change {
    const char *what;
    int32_t domain;
    void (*make)(Rows &rows);
};

constexpr Change kNothing{"nothing", DPA_TARGET, [](Rows &) {}};
constexpr Change kOfSource[] = {
    {"x of the source", DPA_SOURCE, [](Rows &rows) { rows.x.back() += 1e-9; }},
    {"y of the source", DPA_SOURCE, [](Rows &rows) { rows.y.back() += 1e-9; }},
    {"a weight of the source", DPA_SOURCE, [](Rows &rows) { rows.weights.back() += 1e-9; }}};
constexpr Change kOfTarget[] = {
    {"x", DPA_TARGET, [](Rows &rows) { rows.x.back() += 1e-9; }},
    {"y", DPA_TARGET, [](Rows &rows) { rows.y.back() += 1e-9; }},
    {"a weight", DPA_TARGET, [](Rows &rows) { rows.weights.back() += 1e-9; }},
    {"how many rows a person has", DPA_TARGET,
     [](Rows &rows) { rows.persons[2] = rows.persons[0]; }},
    {"which rows a person has", DPA_TARGET,
     [](Rows &rows) { std::swap(rows.persons[1], rows.persons[2]); }}};

/** The first call of a job, about persons where the target is private. */
dpa_status fit_changed(const Folder &folder, const std::string &private_domain,
                       const Change &change) {
    const LedgerHandle ledger(folder.path);
    const Small problem;
    for (const int32_t domain : {DPA_SOURCE, DPA_TARGET}) {
        constexpr std::size_t kRows = Small::kRows;
        Rows rows{{problem.x(), problem.x() + kRows}, {problem.y(), problem.y() + kRows}};
        for (std::size_t i = 0; i < kRows; ++i)
            rows.persons.push_back(static_cast<std::int64_t>(i / 2));
        if (domain == change.domain) change.make(rows);
        const dpa_matrix x{rows.x.data(), kRows, 1, 1, 1};
        dpa_problem *const own = problem.handle;
        check_status("rows", dpa_problem_set_sample(own, domain, x, rows.y.data(), kRows), DPA_OK);
        check_status("weights", dpa_problem_set_weights(own, domain, rows.weights.data(), kRows),
                     DPA_OK);
        if (domain == DPA_TARGET && private_domain == "target")
            check_status("persons", dpa_problem_set_groups(own, domain, rows.persons.data(), kRows),
                         DPA_OK);
    }
    const Options options("0.2");
    options.set("private_domain", private_domain.c_str());
    options.set("row_weight_bound", "2");
    check_status("use", use(problem, ledger, kKey), DPA_OK);
    return problem.fit(options);
}

void check_refused(const std::string &private_domain, std::span<const Change> changes) {
    const Folder folder;
    folder.make("1", private_domain == "target" ? "person" : "record");
    check_status("first", fit_changed(folder, private_domain, kNothing), DPA_OK);
    check_status("again", fit_changed(folder, private_domain, kNothing), DPA_OK);
    for (const Change &change : changes)
        check_status(change.what, fit_changed(folder, private_domain, change), DPA_E_STATE);
    check_true("nothing more", LedgerHandle(folder.path).entries() == 1);
}

/** The same noise beside other sums would be their difference. */
void other_rows_under_the_same_key_are_refused() {
    check_refused("target", kOfTarget);
    check_refused("target", kOfSource);
    check_refused("source", kOfSource);
}

/** The numbers that stand for labels that nobody knows may stand in a sample with labels, too. */
void a_sample_that_gets_labels_is_another() {
    const Folder folder;
    folder.make("1");
    const auto estimate = [&](std::size_t labels) {
        const LedgerHandle ledger(folder.path);
        const Small problem;
        const std::vector<double> y(Small::kRows, NAN);
        const dpa_matrix x{problem.x(), Small::kRows, 1, 1, 1};
        check_status("target",
                     dpa_problem_lend_sample(problem.handle, DPA_TARGET, x,
                                             labels > 0 ? y.data() : nullptr, labels),
                     DPA_OK);
        check_status("use", use(problem, ledger, kKey), DPA_OK);
        const Options options("0.2");
        options.set("discrepancy_kind", "unlabelled");
        dpa_discrepancy *released = nullptr;
        const dpa_status status =
            dpa_discrepancy_estimate(problem.handle, options.handle, &released);
        dpa_discrepancy_destroy(released);
        return status;
    };
    check_status("without", estimate(0), DPA_OK);
    check_status("again", estimate(0), DPA_OK);
    check_status("with", estimate(Small::kRows), DPA_E_STATE);
    check_true("nothing more", LedgerHandle(folder.path).entries() == 1);
}

void calls_are_counted() {
    const Folder folder;
    folder.make("1");
    double first[2];
    for (int round = 0; round < 2; ++round) {
        const LedgerHandle ledger(folder.path);
        const Small problem;
        check_status("use", use(problem, ledger, kKey), DPA_OK);
        for (int call = 0; call < 2; ++call) {
            const double value = released(problem, Options("0.2"));
            if (round == 0) first[call] = value;
            check_true("the same", value == first[call]);
        }
        check_true("two entries", ledger.entries() == 2);
    }
    check_true("noise of their own", first[0] != first[1]);
}

void what_it_has_paid_needs_no_budget() {
    const Folder folder;
    folder.make("1");
    const double first = of_job(folder, kKey, "weekly", "1");
    check_true("again", of_job(folder, kKey, "weekly", "1") == first);
    check_status("others", Small(LedgerHandle(folder.path)).fit(Options("0.1")), DPA_E_BUDGET);
}

void another_price_under_the_same_key_is_refused() {
    const Folder folder;
    folder.make("1");
    (void)of_job(folder, kKey, "weekly");
    const LedgerHandle ledger(folder.path);
    const Small problem;
    check_status("use", use(problem, ledger, kKey), DPA_OK);
    check_status("more", problem.fit(Options("0.3")), DPA_E_STATE);
    check_status("less", problem.fit(Options("0.1")), DPA_E_STATE);
}

/** At the same price the noise would be the same, beside other sums. */
void other_options_under_the_same_key_are_refused() {
    const Folder folder;
    folder.make("1");
    (void)of_job(folder, kKey, "weekly");
    const LedgerHandle ledger(folder.path);
    const Small problem;
    const Options options("0.2");
    options.set("shrinkage", "5");
    check_status("use", use(problem, ledger, kKey), DPA_OK);
    check_status("other options", problem.fit(options), DPA_E_STATE);
    check_true("nothing more", ledger.entries() == 1);
}

int32_t nothing(const double *, std::size_t, std::size_t, const double *, const double *,
                std::size_t, double *, double *, void *) {
    return 1;
}

/** Whose words are the same for every function. */
void a_callers_loss_has_no_job() {
    const Folder folder;
    folder.make("1");
    const LedgerHandle ledger(folder.path);
    const Small problem;
    const Options options("0.2");
    check_status("loss", dpa_options_set_loss(options.handle, nothing, nullptr, 2, 1.0, 1.0, 1.0),
                 DPA_OK);
    check_status("use", use(problem, ledger, kKey), DPA_OK);
    check_status("fit", problem.fit(options), DPA_E_UNSUPPORTED);
    check_true("nothing paid", ledger.entries() == 0);
}

/** Of what a search is about. */
struct Searched {
    const char *grid = "1,2";
    double label = 0.5;
    const Key *key = &kKey;
};

dpa_status search(const Folder &folder, const Searched &searched) {
    const LedgerHandle ledger(folder.path);
    const Small validation;
    const Small problem;
    std::vector<double> y(problem.y(), problem.y() + Small::kRows);
    y.front() = searched.label;
    problem.target(problem.x(), y.data());
    check_status("use", use(validation, ledger, kKey, "choice"), DPA_OK);
    if (searched.key != nullptr)
        check_status("use", use(problem, ledger, *searched.key, "fits"), DPA_OK);
    const Options options("0.1");
    options.set("selection_epsilon", "0.1");
    options.set("selection_bound", "1");
    dpa_search *grid = nullptr;
    check_status("search", dpa_search_create(&grid), DPA_OK);
    check_status("axis", dpa_search_add(grid, "shrinkage", searched.grid), DPA_OK);
    dpa_solution *best = nullptr;
    const dpa_status status =
        dpa_search_run(grid, problem.handle, validation.handle, nullptr, options.handle, &best);
    dpa_solution_destroy(best);
    dpa_search_destroy(grid);
    return status;
}

/** Other candidates beside the same coins would tell how they differ. */
void other_searches_under_the_same_key_are_refused() {
    const Folder folder;
    const Options budget("4");
    budget.set("selection_epsilon", "1");
    dpa_ledger *made = nullptr;
    check_status("make", dpa_ledger_create(folder.path.c_str(), budget.handle, 0, &made), DPA_OK);
    dpa_ledger_destroy(made);
    check_status("search", search(folder, {}), DPA_OK);
    const std::size_t paid = LedgerHandle(folder.path).entries();
    check_status("again", search(folder, {}), DPA_OK);
    check_status("other grid", search(folder, {.grid = "1,3"}), DPA_E_STATE);
    check_status("a part of it", search(folder, {.grid = "1"}), DPA_E_STATE);
    check_status("other rows", search(folder, {.label = 0.25}), DPA_E_STATE);
    check_status("other noise", search(folder, {.key = &kOther}), DPA_E_STATE);
    check_status("new noise", search(folder, {.key = nullptr}), DPA_E_STATE);
    check_true("nothing more", LedgerHandle(folder.path).entries() == paid);
}

/** The means of two answers, or, of classes, their counts. */
struct Asked {
    double answer = 1.0;
    double low = 0.0;
    double high = 1.0;
    std::size_t classes = 0;
};

dpa_status ask(const Folder &folder, const Asked &asked) {
    const LedgerHandle ledger(folder.path);
    const Small problem;
    check_status("use", use(problem, ledger, kKey), DPA_OK);
    const double answers[] = {0.0, asked.answer};
    const dpa_matrix votes{answers, 2, 1, 1, 1};
    const Options options("0.2");
    double out[3];
    if (asked.classes > 0)
        return dpa_votes_count(problem.handle, votes, asked.classes, options.handle, out,
                               asked.classes, nullptr);
    return dpa_votes_mean(problem.handle, votes, asked.low, asked.high, options.handle, out, 1,
                          nullptr);
}

/** What a call reads besides rows and options changes the noise as they do. */
void other_answers_under_the_same_key_are_refused() {
    const Folder means;
    means.make("1");
    check_status("means", ask(means, {}), DPA_OK);
    check_status("again", ask(means, {}), DPA_OK);
    check_status("other answers", ask(means, {.answer = 0.5}), DPA_E_STATE);
    check_status("another low", ask(means, {.low = -0.5}), DPA_E_STATE);
    check_status("another high", ask(means, {.high = 2.0}), DPA_E_STATE);
    check_status("counts", ask(means, {.classes = 2}), DPA_E_STATE);
    check_true("nothing more", LedgerHandle(means.path).entries() == 1);
    const Folder counts;
    counts.make("1");
    check_status("counts", ask(counts, {.classes = 2}), DPA_OK);
    check_status("again", ask(counts, {.classes = 2}), DPA_OK);
    check_status("other classes", ask(counts, {.classes = 3}), DPA_E_STATE);
    check_true("nothing more", LedgerHandle(counts.path).entries() == 1);
}

void another_method_under_the_same_key_is_refused() {
    const auto solve = [](const Folder &folder, const char *method) {
        const LedgerHandle ledger(folder.path);
        const Small problem;
        check_status("use", use(problem, ledger, kKey), DPA_OK);
        dpa_solution *solution = nullptr;
        const dpa_status status =
            dpa_baseline_solve(problem.handle, method, Options("0.2").handle, &solution);
        dpa_solution_destroy(solution);
        return status;
    };
    const Folder methods;
    methods.make("1");
    check_status("a method", solve(methods, "joint_ssp"), DPA_OK);
    check_status("again", solve(methods, "joint_ssp"), DPA_OK);
    check_status("another method", solve(methods, "pooled_ssp"), DPA_E_STATE);
}

/** Of two that the job has released before, or of none. */
void another_discrepancy_under_the_same_key_is_refused() {
    const Folder folder;
    folder.make("40");
    const auto fit = [&](int given) {
        const LedgerHandle ledger(folder.path);
        const Small problem;
        std::vector<double> opposite(problem.y(), problem.y() + Small::kRows);
        for (double &label : opposite) label = -label;
        problem.target(problem.x(), opposite.data());
        check_status("use", use(problem, ledger, kKey), DPA_OK);
        const Options options("10");
        options.set("alpha", "0.5");
        dpa_discrepancy *released[] = {nullptr, nullptr, nullptr};
        double values[2] = {};
        for (const int k : {0, 1}) {
            check_status("estimate",
                         dpa_discrepancy_estimate(problem.handle, options.handle, &released[k]),
                         DPA_OK);
            check_status("value", dpa_discrepancy_value(released[k], "value", &values[k]), DPA_OK);
        }
        check_true("two values", values[0] != values[1]);
        dpa_solution *solution = nullptr;
        const dpa_status status =
            dpa_solve(problem.handle, released[given], options.handle, &solution);
        dpa_solution_destroy(solution);
        for (dpa_discrepancy *each : released) dpa_discrepancy_destroy(each);
        return status;
    };
    check_status("the first", fit(0), DPA_OK);
    check_status("again", fit(0), DPA_OK);
    check_status("the second", fit(1), DPA_E_STATE);
    check_status("none", fit(2), DPA_E_STATE);
    check_true("nothing more", LedgerHandle(folder.path).entries() == 3);
}

/** Else the same noise beside other sums would be told by two ledgers. */
void other_options_have_other_noise() {
    const auto mean = [](const char *alpha) {
        const Folder folder;
        folder.make("1");
        const LedgerHandle ledger(folder.path);
        const Small problem;
        check_status("use", use(problem, ledger, kKey), DPA_OK);
        const double answers[] = {0.0, 1.0};
        const Options options("0.2");
        options.set("alpha", alpha);  // which votes do not read
        double value = NAN;
        check_status("votes",
                     dpa_votes_mean(problem.handle, dpa_matrix{answers, 2, 1, 1, 1}, 0, 1,
                                    options.handle, &value, 1, nullptr),
                     DPA_OK);
        return value;
    };
    check_true("the same", mean("0.5") == mean("0.5"));
    check_true("another", mean("0.5") != mean("0.4"));
    const dpadapt::privacy::Job job("weekly", kKey);
    const auto key = [&](std::uint64_t call, const char *options) {
        const dpadapt::random::Key made = job.noise_key(call, options);
        return std::vector<std::uint8_t>(made.bytes(), made.bytes() + kKey.size());
    };
    check_true("of the call", key(0, "a") == key(0, "a") && key(0, "a") != key(1, "a"));
    check_true("of its options", key(0, "a") != key(0, "b"));
}

/** A public fit of zeros, whose errors have that size. */
dpa_solution *zeros(double size) {
    constexpr std::size_t kRows = 40;
    double x[kRows];
    double y[kRows];
    for (std::size_t i = 0; i < kRows; ++i) {
        x[i] = i % 4 < 2 ? 1.0 : -1.0;
        y[i] = i % 2 == 0 ? size : -size;
    }
    dpa_problem *problem = nullptr;
    check_status("problem", dpa_problem_create(&problem), DPA_OK);
    for (const int32_t domain : {DPA_SOURCE, DPA_TARGET})
        check_status(
            "rows",
            dpa_problem_set_sample(problem, domain, dpa_matrix{x, kRows, 1, 1, 1}, y, kRows),
            DPA_OK);
    dpa_solution *solution = nullptr;
    dpa_options *open = nullptr;
    check_status("options", dpa_options_create(&open), DPA_OK);
    check_status("public", dpa_options_parse(open, "private_domain", "none"), DPA_OK);
    check_status("fit", dpa_baseline_solve(problem, "source_only", open, &solution), DPA_OK);
    dpa_options_destroy(open);
    double value = NAN;
    check_status("array", dpa_solution_array(solution, "coefficients", &value, 1), DPA_OK);
    check_true("zero", value == 0.0);
    dpa_problem_destroy(problem);
    return solution;
}

/** Of a model errors are measured by a bound that belongs to it, and not to its predictor. */
void another_model_with_the_same_predictor_is_refused() {
    const Folder folder;
    folder.make("1");
    const auto evaluate = [&](double size) {
        const LedgerHandle ledger(folder.path);
        const Small rows;
        check_status("use", use(rows, ledger, kKey), DPA_OK);
        dpa_solution *model = zeros(size);
        dpa_evaluation *evaluation = nullptr;
        const dpa_status status =
            dpa_evaluate(rows.handle, &model, 1, Options("0.2").handle, &evaluation);
        dpa_evaluation_destroy(evaluation);
        dpa_solution_destroy(model);
        return status;
    };
    check_status("a model", evaluate(1.0), DPA_OK);
    check_status("again", evaluate(1.0), DPA_OK);
    check_status("another bound", evaluate(4.0), DPA_E_STATE);
}

/** Also where model, options, rows and price are the same. */
void a_call_of_another_kind_is_refused() {
    dpa_solution *model = zeros(1.0);
    const Options options("1");
    const auto evaluate = [&](const Small &rows) {
        dpa_evaluation *evaluation = nullptr;
        const dpa_status status = dpa_evaluate(rows.handle, &model, 1, options.handle, &evaluation);
        dpa_evaluation_destroy(evaluation);
        return status;
    };
    const auto calibrate = [&](const Small &rows) {
        dpa_solution *calibrated = nullptr;
        const dpa_status status =
            dpa_solution_calibrate(model, rows.handle, options.handle, &calibrated);
        dpa_solution_destroy(calibrated);
        return status;
    };
    const Small alone[2];
    check_status("evaluation", evaluate(alone[0]), DPA_OK);
    check_status("calibration", calibrate(alone[1]), DPA_OK);
    check_true("one price", alone[0].number("spent_mu") == alone[1].number("spent_mu"));
    const Folder folder;
    folder.make("1");
    const LedgerHandle ledger(folder.path);
    const Small rows[2];
    for (const Small &each : rows) check_status("use", use(each, ledger, kKey), DPA_OK);
    check_status("evaluation", evaluate(rows[0]), DPA_OK);
    check_status("calibration", calibrate(rows[1]), DPA_E_STATE);
    check_true("one entry", ledger.entries() == 1);
    dpa_solution_destroy(model);
}

void a_key_is_no_seed() {
    const Folder folder;
    folder.make("1");
    const LedgerHandle ledger(folder.path);
    const Small problem;
    const Options options("0.2");
    options.set("unsafe_seed", "1");
    check_status("use", use(problem, ledger, kKey), DPA_OK);
    check_status("seed", problem.fit(options), DPA_E_OPTION);
    check_true("nothing paid", ledger.entries() == 0);
    check_status("twice", use(problem, ledger, kKey), DPA_E_STATE);
}

}  // namespace

int main() {
    const CMUnitTest tests[] = {
        core_test(the_same_key_pays_once_and_releases_the_same),
        core_test(another_key_of_that_name_is_refused),
        core_test(other_rows_under_the_same_key_are_refused),
        core_test(a_sample_that_gets_labels_is_another),
        core_test(calls_are_counted),
        core_test(what_it_has_paid_needs_no_budget),
        core_test(another_price_under_the_same_key_is_refused),
        core_test(other_options_under_the_same_key_are_refused),
        core_test(a_callers_loss_has_no_job),
        core_test(another_model_with_the_same_predictor_is_refused),
        core_test(other_searches_under_the_same_key_are_refused),
        core_test(other_answers_under_the_same_key_are_refused),
        core_test(another_method_under_the_same_key_is_refused),
        core_test(another_discrepancy_under_the_same_key_is_refused),
        core_test(other_options_have_other_noise),
        core_test(a_call_of_another_kind_is_refused),
        core_test(a_key_is_no_seed),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}

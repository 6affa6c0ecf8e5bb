/* privacy.h: the budget of a problem is fixed once, covers all calls together, and is never
 * refunded. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "unit/private.h"

enum { M = 150, N = 80, D = 3 };

static dpa_problem *new_problem(void) { return random_problem(11, M, N, D); }

static double number_of(const dpa_problem *problem, const char *path) {
    char *json = problem_report(problem, DPA_REPORT_JSON);
    double value = json_number(json, path);
    free(json);
    return value;
}

/* The fit fails with that code, stores NULL and leaves the report as it was. */
static void assert_refused(dpa_problem *problem, const dpa_options *options, dpa_status code) {
    char *before = problem_report(problem, DPA_REPORT_JSON);
    dpa_solution *solution = (dpa_solution *)problem;
    assert_error(dpa_solve(problem, NULL, options, &solution), code, "dpa_solve", "budget");
    assert_null(solution);
    char *after = problem_report(problem, DPA_REPORT_JSON);
    assert_string_equal(after, before);
    free(after);
    free(before);
}

static double budget_of(const dpa_problem *problem, const char *name) {
    double value = NAN;
    assert_ok(dpa_problem_budget(problem, name, &value));
    return value;
}

static void before_a_budget_is_fixed_nothing_is_spent(void **state) {
    (void)state;
    static const char *const spent[] = {"spent_mu", "spent_laplace_epsilon", "spent_pure_epsilon"};
    static const char *const others[] = {
        "epsilon",       "delta",           "mu",           "left_mu",
        "spent_epsilon", "laplace_epsilon", "pure_epsilon", "left_pure_epsilon"};
    dpa_problem *problem = new_problem();
    double value = 7;
    for (size_t k = 0; k < LENGTH(spent); ++k) assert_true(budget_of(problem, spent[k]) == 0);
    for (size_t k = 0; k < LENGTH(others); ++k)
        assert_error(dpa_problem_budget(problem, others[k], &value), DPA_E_STATE, "budget");
    assert_true(value == 7);
    dpa_problem_destroy(problem);
}

/* What the accessor tells is what the report tells, and what is left is what still can be spent. */
static void budget_numbers_are_those_of_the_report(void **state) {
    (void)state;
    dpa_problem *problem = new_problem();
    dpa_options *budget = private_options("epsilon", "2", "discrepancy_share", "0.5",
                                          "selection_epsilon", "0.25", NULL);
    dpa_options *small = private_options("epsilon", "0.5", "alpha", "0.5", NULL);
    assert_ok(dpa_problem_set_budget(problem, budget));
    assert_true(budget_of(problem, "epsilon") == 2 && budget_of(problem, "delta") == 1e-5);
    assert_true(budget_of(problem, "spent_epsilon") == 0);
    assert_close(budget_of(problem, "left_mu"), budget_of(problem, "mu"), 1e-14, 0);
    assert_at_most(budget_of(problem, "left_mu"), budget_of(problem, "mu"));
    for (size_t k = 1; k <= 2; ++k) {
        dpa_solution_destroy(solve(problem, small));
        double epsilon = 0, mu = budget_of(problem, "spent_mu");
        double laplace = budget_of(problem, "spent_laplace_epsilon");
        assert_true(mu == number_of(problem, "spent/mu") && mu > 0);
        assert_true(laplace == number_of(problem, "spent/laplace_epsilon") && laplace > 0);
        assert_true(budget_of(problem, "mu") == number_of(problem, "budget/cap/mu"));
        assert_ok(dpa_privacy_epsilon(1e-5, laplace, mu, 0, 1, &epsilon));
        assert_true(budget_of(problem, "spent_epsilon") == epsilon);
        assert_true(budget_of(problem, "spent_pure_epsilon") == 0);
        assert_close(budget_of(problem, "left_pure_epsilon"), 0.25, 1e-11, 0);
        assert_close(hypot(mu, budget_of(problem, "left_mu")), budget_of(problem, "mu"), 1e-9, 0);
        assert_close(laplace + budget_of(problem, "left_laplace_epsilon"),
                     budget_of(problem, "laplace_epsilon"), 1e-12, 0);
    }
    dpa_options_destroy(small);
    dpa_options_destroy(budget);
    dpa_problem_destroy(problem);
}

/* With known noise nothing is promised. */
static void seeded_noise_spends_an_infinite_epsilon(void **state) {
    (void)state;
    dpa_problem *problem = new_problem();
    dpa_options *options = private_options("unsafe_seed", "1", NULL);
    dpa_solution_destroy(solve(problem, options));
    assert_true(budget_of(problem, "spent_epsilon") == INFINITY);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

static void the_first_call_fixes_and_spends_the_budget(void **state) {
    (void)state;
    static const char *const alphas[] = {"auto", "0.5"};
    for (size_t k = 0; k < 2; ++k) {
        dpa_problem *problem = new_problem();
        dpa_options *options = private_options("alpha", alphas[k], NULL);
        dpa_solution_destroy(solve(problem, options));
        assert_true(number_of(problem, "budget/epsilon") == 1);
        assert_true(number_of(problem, "budget/delta") == 1e-5);
        assert_at_most(number_of(problem, "spent/mu"), number_of(problem, "budget/cap/mu"));
        assert_close(number_of(problem, "spent/mu"), number_of(problem, "budget/cap/mu"), 1e-6, 0);
        assert_refused(problem, options, DPA_E_BUDGET);
        assert_ok(dpa_options_parse(options, "epsilon", "100")); /* asking for more does not help */
        assert_refused(problem, options, DPA_E_BUDGET);
        dpa_discrepancy *d = (dpa_discrepancy *)problem;
        assert_status(dpa_discrepancy_estimate(problem, options, &d), DPA_E_BUDGET);
        assert_null(d);
        dpa_options_destroy(options);
        dpa_problem_destroy(problem);
    }
}

/* New data do not bring new budget: they may be about the same people. */
static void replacing_the_sample_refunds_nothing(void **state) {
    (void)state;
    instance a = instance_random(12, M, N, D);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options = private_options(NULL);
    dpa_solution_destroy(solve(problem, options));
    assert_ok(dpa_problem_set_sample(problem, DPA_TARGET,
                                     (dpa_matrix){a.xt, N, D, D, DPA_ROW_MAJOR}, a.yt, N));
    assert_refused(problem, options, DPA_E_BUDGET);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

static void a_budget_covers_several_fits(void **state) {
    (void)state;
    dpa_problem *problem = new_problem();
    dpa_options *budget = private_options("epsilon", "2", "discrepancy_share", "0.5", NULL);
    dpa_options *small = private_options("epsilon", "0.5", "alpha", "0.5", NULL);
    double epsilon, delta, mu;
    assert_ok(dpa_problem_set_budget(problem, budget));
    assert_error(dpa_problem_set_budget(problem, budget), DPA_E_STATE, "budget");
    assert_int_equal(releases_of(problem), 0);
    assert_ok(dpa_privacy_mu(2, 1e-5, 1, &mu));
    assert_close(number_of(problem, "budget/cap/mu"), mu, 1e-12, 0);
    assert_at_most(number_of(problem, "budget/cap/mu"), mu);
    assert_close(number_of(problem, "budget/cap/laplace_epsilon"), 1, 1e-12, 0);
    for (size_t k = 1; k <= 2; ++k) {
        dpa_solution *solution = solve(problem, small);
        assert_ok(dpa_solution_privacy(solution, NULL, &epsilon, &delta));
        assert_true(epsilon == 2 && delta == 1e-5); /* of the problem's budget, not of the call */
        assert_close(number_of(problem, "spent/laplace_epsilon"), 0.05 * (double)k, 1e-6, 0);
        dpa_solution_destroy(solution);
    }
    assert_ok(dpa_privacy_mu(0.5, 1e-5, 0.05, &mu));
    assert_close(number_of(problem, "spent/mu"), sqrt(2) * mu, 1e-6, 0);
    assert_ok(dpa_options_parse(small, "epsilon", "2"));
    assert_refused(problem, small, DPA_E_BUDGET); /* more than what is left */
    dpa_options_destroy(small);
    dpa_options_destroy(budget);
    dpa_problem_destroy(problem);
}

static void budgets_are_checked(void **state) {
    (void)state;
    dpa_problem *problem = new_problem();
    dpa_options *none = public_options(NULL), *half = private_options("delta", "unset", NULL);
    dpa_options *large = private_options("laplace_epsilon", "2", NULL);
    dpa_options *seed = private_options("unsafe_seed", "1", NULL);
    assert_error(dpa_problem_set_budget(problem, NULL), DPA_E_OPTION, "epsilon", "delta");
    assert_error(dpa_problem_set_budget(problem, none), DPA_E_OPTION, "epsilon");
    assert_error(dpa_problem_set_budget(problem, half), DPA_E_OPTION, "delta");
    assert_error(dpa_problem_set_budget(problem, large), DPA_E_OPTION, "exceed");
    char *json = problem_report(problem, DPA_REPORT_JSON);
    assert_true(json_is(json, "budget", "null")); /* a refused budget is not fixed */
    free(json);
    assert_ok(dpa_problem_set_budget(problem, seed));
    dpa_options_destroy(seed);
    dpa_options_destroy(large);
    dpa_options_destroy(half);
    dpa_options_destroy(none);
    dpa_problem_destroy(problem);
}

/* delta = 0: everything goes to the discrepancy, exactly once. */
static void a_pure_budget_buys_a_discrepancy(void **state) {
    (void)state;
    dpa_problem *problem = new_problem();
    dpa_options *options = private_options("delta", "0", "discrepancy_share", "1", NULL);
    dpa_discrepancy *d = NULL;
    double value = -1;
    assert_ok(dpa_discrepancy_estimate(problem, options, &d));
    assert_ok(dpa_discrepancy_value(d, "value", &value));
    assert_true(value >= 0 && isfinite(value));
    dpa_discrepancy_destroy(d);
    assert_true(number_of(problem, "spent/mu") == 0);
    assert_close(number_of(problem, "spent/laplace_epsilon"), 1, 1e-9, 0);
    assert_status(dpa_discrepancy_estimate(problem, options, &d), DPA_E_BUDGET);
    assert_null(d);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

/* An estimate keeps what the fit with it will need. */
static void estimate_then_fit_is_one_budget(void **state) {
    (void)state;
    dpa_problem *problem = new_problem();
    dpa_options *options = private_options("alpha", "0.5", NULL);
    dpa_discrepancy *d = NULL;
    dpa_solution *solution = NULL;
    double epsilon;
    assert_ok(dpa_discrepancy_estimate(problem, options, &d));
    assert_ok(dpa_solve(problem, d, options, &solution));
    assert_ok(dpa_privacy_epsilon(1e-5, number_of(problem, "spent/laplace_epsilon"),
                                  number_of(problem, "spent/mu"), 0, 1, &epsilon));
    assert_at_most(epsilon, 1);
    assert_close(epsilon, 1, 1e-6, 0);
    dpa_solution_destroy(solution);
    dpa_discrepancy_destroy(d);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

/* The message is in the user's terms: which option was missing, what to do, what is left. */
static void a_refusal_tells_the_way_out(void **state) {
    (void)state;
    dpa_problem *problem = new_problem();
    dpa_options *options = private_options(NULL);
    dpa_discrepancy *d = NULL;
    dpa_solution *s = NULL, *refused = NULL;
    size_t chosen = 7;
    assert_ok(dpa_problem_set_budget(problem, options));
    assert_ok(dpa_options_parse(options, "alpha", "0.5"));
    assert_ok(dpa_options_parse(options, "discrepancy_noise", "laplace"));
    assert_error(dpa_solve(problem, NULL, options, &refused), DPA_E_BUDGET,
                 "keeps nothing for discrepancies", "discrepancy_share > 0",
                 "discrepancy as a number",
                 "left is worth epsilon = 0.9999999999999999 at delta = 1e-05");
    assert_error(dpa_discrepancy_estimate(problem, options, &d), DPA_E_BUDGET,
                 "keeps nothing for discrepancies", "discrepancy_share > 0");
    assert_ok(dpa_options_parse(options, "discrepancy", "0.1")); /* the second way out */
    s = solve(problem, options);
    assert_ok(dpa_options_parse(options, "selection_epsilon", "0.5"));
    assert_ok(dpa_options_parse(options, "selection_bound", "9"));
    assert_error(dpa_select(problem, (const dpa_solution *const *)&s, 1, options, &chosen),
                 DPA_E_BUDGET, "keeps nothing for selections", "selection_epsilon > 0");
    assert_error(dpa_solve(problem, NULL, options, &refused), DPA_E_BUDGET,
                 "too little left for Gaussian noise", "left is worth epsilon = ");
    dpa_solution_destroy(s);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

typedef struct {
    const char *phase;
    int64_t at;
    size_t calls;
} stop;

static int32_t stop_there(const dpa_progress *progress, void *user) {
    stop *s = user;
    if (strcmp(progress->phase, s->phase) != 0) return 0;
    ++s->calls;
    return progress->iteration >= s->at;
}

/* Before the charge a cancelled call costs nothing; afterwards everything. */
static void a_cancelled_fit_is_paid_for(void **state) {
    (void)state;
    static const stop stops[] = {{"preprocess", 0, 0},
                                 {"private steps", 0, 0},
                                 {"private steps", 7, 0},
                                 {"discrepancy", 0, 0}};
    for (size_t k = 0; k < LENGTH(stops); ++k) {
        dpa_problem *problem = new_problem();
        dpa_options *options = private_options("alpha", "0.5", NULL);
        dpa_solution *solution = (dpa_solution *)problem;
        stop s = stops[k];
        assert_ok(dpa_options_set_progress(options, stop_there, &s));
        assert_status(dpa_solve(problem, NULL, options, &solution), DPA_E_CANCELLED);
        assert_null(solution);
        assert_int_equal(s.calls, s.at + 1);
        assert_ok(dpa_options_set_progress(options, NULL, NULL));
        if (k == 0) {
            assert_int_equal(releases_of(problem), 0);
            dpa_solution_destroy(solve(problem, options));
        } else {
            assert_true(releases_of(problem) >= 2);
            assert_refused(problem, options, DPA_E_BUDGET);
        }
        dpa_options_destroy(options);
        dpa_problem_destroy(problem);
    }
}

/* A part of the budget that this fit does not use is kept for later calls where there is a budget
 * of
 * several calls, and the report says so; else nobody could spend it. */
static void what_nobody_could_spend_is_refused(void **state) {
    (void)state;
    dpa_problem *problem = new_problem();
    dpa_options *options = private_options("discrepancy_share", "0.5", NULL);
    dpa_solution *solution = NULL;
    assert_error(dpa_solve(problem, NULL, options, &solution), DPA_E_OPTION,
                 "nothing could spend it");
    assert_refused(problem, options, DPA_E_OPTION);
    assert_ok(dpa_problem_set_budget(problem, options));
    solution = solve(problem, options);
    char *report = solution_report(solution, DPA_REPORT_TEXT);
    assert_non_null(strstr(report, "are kept for a discrepancy that this fit does not release"));
    free(report);
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

/* A plan that is refused leaves the problem free for another. */
static void refused_options_fix_no_budget(void **state) {
    (void)state;
    dpa_problem *problem = new_problem();
    dpa_options *options = private_options("alpha", "0.5", "discrepancy_share", "1", NULL);
    assert_refused(problem, options, DPA_E_OPTION);
    assert_ok(dpa_options_parse(options, "discrepancy_share", "auto"));
    dpa_solution_destroy(solve(problem, options));
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

/* Fits without privacy do not touch the ledger, before or after. */
static void plain_fits_are_not_charged(void **state) {
    (void)state;
    dpa_problem *problem = new_problem();
    dpa_options *plain = public_options(NULL), *options = private_options(NULL);
    dpa_solution_destroy(solve(problem, plain));
    assert_int_equal(releases_of(problem), 0);
    dpa_solution_destroy(solve(problem, options));
    const size_t count = releases_of(problem);
    assert_true(count > 0);
    dpa_solution_destroy(solve(problem, plain));
    assert_int_equal(releases_of(problem), count);
    dpa_options_destroy(options);
    dpa_options_destroy(plain);
    dpa_problem_destroy(problem);
}

/* A file of that ledger, gone at the end. */
static void name_of_new_file(char path[64]) {
    const char *folder = getenv("TMPDIR");
    (void)snprintf(path, 64, "%.40s/dpadapt-ledger-XXXXXX", folder ? folder : "/tmp");
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(close(file), 0);
    assert_int_equal(unlink(path), 0);
}

/* Each sees what the other has paid, also where it has read a part of the file before. */
static void two_handles_of_a_file_share_its_budget(void **state) {
    (void)state;
    char path[64];
    name_of_new_file(path);
    dpa_options *budget = private_options("epsilon", "2", NULL), *fit = private_options(NULL);
    dpa_ledger *ledgers[2] = {NULL, NULL};
    dpa_problem *problems[2] = {new_problem(), new_problem()};
    assert_ok(dpa_ledger_create(path, budget, 0, &ledgers[0]));
    assert_ok(dpa_ledger_open(path, &ledgers[1]));
    double left = 1e300;
    for (size_t k = 0; k < 2; ++k) assert_ok(dpa_problem_use_ledger(problems[k], ledgers[k]));
    for (size_t k = 0; k < 2; ++k) {
        dpa_solution_destroy(solve(problems[k], fit));
        assert_true(budget_of(problems[0], "left_mu") == budget_of(problems[1], "left_mu"));
        assert_true(budget_of(problems[0], "left_mu") < left);
        left = budget_of(problems[0], "left_mu");
    }
    for (size_t k = 0; k < 2; ++k) {
        assert_refused(problems[k], budget, DPA_E_BUDGET);
        dpa_problem_destroy(problems[k]);
        dpa_ledger_destroy(ledgers[k]);
    }
    assert_int_equal(unlink(path), 0);
    dpa_options_destroy(fit);
    dpa_options_destroy(budget);
}

/* A saved entry has room for so many options; of more it keeps a hash, which tells them apart. */
static void long_options_are_kept_as_a_hash(void **state) {
    (void)state;
    static char kept[3][128];
    for (size_t k = 0; k < 3; ++k) {
        char shifts[4096] = "", number[32];
        for (size_t i = 0; i < 100; ++i) {
            (void)snprintf(number, sizeof number, "%.17g ", 0.1 + (double)(i + (k == 2)) / 7);
            strcat(shifts, number);
        }
        dpa_options *budget = private_options(NULL);
        dpa_options *fit = private_options("forecast_shifts", shifts, NULL);
        dpa_ledger *ledger = NULL;
        dpa_problem *problem = new_problem();
        static char report[65536];
        assert_ok(dpa_ledger_create(NULL, budget, 0, &ledger));
        assert_ok(dpa_problem_use_ledger(problem, ledger));
        dpa_solution_destroy(solve(problem, fit));
        static uint8_t bytes[65536];
        size_t size = 0;
        dpa_ledger *read = NULL;
        assert_ok(dpa_ledger_serialize(ledger, bytes, sizeof bytes, &size));
        assert_ok(dpa_ledger_deserialize(bytes, size, &read));
        assert_ok(dpa_ledger_report(read, DPA_REPORT_JSON, report, sizeof report, NULL));
        dpa_ledger_destroy(read);
        const char *hash = strstr(report, "BLAKE2b ");
        assert_non_null(hash);
        (void)snprintf(kept[k], sizeof kept[k], "%.72s", hash);
        assert_null(strstr(report, "0.10000000000000001 "));
        dpa_problem_destroy(problem);
        dpa_ledger_destroy(ledger);
        dpa_options_destroy(fit);
        dpa_options_destroy(budget);
    }
    assert_string_equal(kept[0], kept[1]);
    assert_string_not_equal(kept[0], kept[2]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_a_budget_is_fixed_nothing_is_spent),
        cmocka_unit_test(budget_numbers_are_those_of_the_report),
        cmocka_unit_test(seeded_noise_spends_an_infinite_epsilon),
        cmocka_unit_test(the_first_call_fixes_and_spends_the_budget),
        cmocka_unit_test(replacing_the_sample_refunds_nothing),
        cmocka_unit_test(a_budget_covers_several_fits),
        cmocka_unit_test(budgets_are_checked),
        cmocka_unit_test(a_pure_budget_buys_a_discrepancy),
        cmocka_unit_test(estimate_then_fit_is_one_budget),
        cmocka_unit_test(a_refusal_tells_the_way_out),
        cmocka_unit_test(a_cancelled_fit_is_paid_for),
        cmocka_unit_test(what_nobody_could_spend_is_refused),
        cmocka_unit_test(refused_options_fix_no_budget),
        cmocka_unit_test(plain_fits_are_not_charged),
        cmocka_unit_test(two_handles_of_a_file_share_its_budget),
        cmocka_unit_test(long_options_are_kept_as_a_hash),
    };
    return cmocka_run_group_tests_name("budget", tests, NULL, NULL);
}

/* problem.h: the rows of the target may belong to persons, who are protected then. */
#include "unit/private.h"

enum { M = 300, N = 120, D = 4, PERSONS = 40 };

typedef struct {
    instance data;
    int64_t ids[N];
} fixture;

static int create(void **state) {
    static fixture f;
    f.data = instance_random(21, M, N, D);
    for (size_t i = 0; i < N; ++i) f.ids[i] = (int64_t)(i % PERSONS) * 1000003 - INT64_MAX;
    *state = &f;
    return 0;
}

static int destroy(void **state) {
    instance_free(((fixture *)*state)->data);
    return 0;
}

static dpa_problem *grouped(const fixture *f) {
    dpa_problem *problem = instance_problem(&f->data);
    assert_ok(dpa_problem_set_groups(problem, DPA_TARGET, f->ids, N));
    return problem;
}

static void the_report_names_persons(void **state) {
    fixture *f = *state;
    dpa_problem *problem = grouped(f);
    dpa_options *options = private_options(NULL);
    dpa_plan *plan = NULL;
    assert_ok(dpa_plan_for_problem(problem, options, &plan));
    char *before = problem_report(problem, DPA_REPORT_JSON);
    dpa_solution *solution = solve(problem, options);
    char *texts[] = {plan_report(plan, DPA_REPORT_JSON), before,
                     problem_report(problem, DPA_REPORT_JSON),
                     solution_report(solution, DPA_REPORT_JSON)};
    for (size_t k = 0; k < LENGTH(texts); ++k) {
        assert_non_null(strstr(texts[k], "\"unit\":\"person\""));
        assert_non_null(strstr(texts[k], "\"target_rows\":40,"));
        assert_null(strstr(texts[k], ":120,"));
        if (k > 1) assert_non_null(strstr(texts[k], "all records of any one person"));
        free(texts[k]);
    }
    size_t rows = 0, target = 0;
    assert_ok(dpa_solution_shape(solution, NULL, NULL, NULL, &target));
    assert_int_equal(target, PERSONS);
    assert_ok(dpa_problem_shape(problem, NULL, &rows, NULL));
    assert_int_equal(rows, N);
    dpa_solution_destroy(solution);
    dpa_plan_destroy(plan);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    problem = instance_problem(&f->data);
    char *text = problem_report(problem, DPA_REPORT_JSON);
    assert_non_null(strstr(text, "\"unit\":\"record\""));
    free(text);
    dpa_problem_destroy(problem);
}

/* The price is that of so many records as there are persons. */
static void noise_is_for_the_number_of_persons(void **state) {
    fixture *f = *state;
    dpa_problem *problem = grouped(f);
    instance fewer = f->data;
    fewer.n = PERSONS;
    dpa_problem *records = instance_problem(&fewer);
    dpa_options *options = private_options(NULL);
    dpa_plan *one = NULL, *two = NULL;
    assert_ok(dpa_plan_for_problem(problem, options, &one));
    assert_ok(dpa_plan_for_problem(records, options, &two));
    assert_close(plan_value(one, "sensitivity"), 2.0 / PERSONS, 1e-9, 0);
    assert_true(plan_value(one, "sigma") == plan_value(two, "sigma"));
    assert_true(plan_value(one, "mu") == plan_value(two, "mu"));
    assert_true(plan_value(one, "bytes") == plan_value(two, "bytes"));
    dpa_plan_destroy(one);
    dpa_plan_destroy(two);
    dpa_options_destroy(options);
    dpa_problem_destroy(records);
    dpa_problem_destroy(problem);
}

static int32_t count_calls(const dpa_progress *progress, void *calls) {
    (void)progress;
    ++*(int *)calls;
    return 0;
}

static int calls_with_rows_of_a_person(size_t each, const dpa_solution *fit) {
    const size_t n = 500 * each;
    instance a = instance_random(3, 50, n, D);
    int64_t *ids = malloc(n * sizeof *ids);
    for (size_t i = 0; i < n; ++i) ids[i] = (int64_t)(i % 500);
    dpa_problem *rows = lent(&a);
    assert_ok(dpa_problem_set_groups(rows, DPA_TARGET, ids, n));
    int calls = 0;
    dpa_options *options = private_options("evaluation_bound", "9", NULL);
    assert_ok(dpa_options_set_progress(options, count_calls, &calls));
    dpa_evaluation *made = NULL;
    assert_ok(dpa_evaluate(rows, (const dpa_solution *const[]){fit}, 1, options, &made));
    dpa_evaluation_destroy(made);
    dpa_options_destroy(options);
    dpa_problem_destroy(rows);
    free(ids);
    instance_free(a);
    return calls;
}

/* How many rows they have is private. */
static void progress_counts_persons(void **state) {
    (void)state;
    dpa_options *options =
        public_options("loss", "perceptron", "perceptron_output", "squared", NULL);
    dpa_solution *fit = random_fit(5, M, N, D, options);
    assert_int_equal(calls_with_rows_of_a_person(1, fit), calls_with_rows_of_a_person(900, fit));
    dpa_solution_destroy(fit);
    dpa_options_destroy(options);
}

static void persons_are_told_before_anything_is_released(void **state) {
    fixture *f = *state;
    dpa_options *options = private_options("epsilon", "0.5", NULL);
    dpa_options *budget = private_options("epsilon", "2", NULL);
    dpa_problem *problem = instance_problem(&f->data);
    assert_ok(dpa_problem_set_budget(problem, budget));
    assert_ok(dpa_problem_set_groups(problem, DPA_TARGET, f->ids, N));
    assert_ok(
        dpa_problem_set_groups(problem, DPA_TARGET, f->ids, N)); /* nothing was released yet */
    dpa_solution_destroy(solve(problem, options));
    assert_status(dpa_problem_set_groups(problem, DPA_TARGET, f->ids, N), DPA_E_STATE);
    /* A new target needs its own. */
    assert_ok(dpa_problem_set_sample(
        problem, DPA_TARGET, (dpa_matrix){f->data.xt, N, D, D, DPA_ROW_MAJOR}, f->data.yt, N));
    dpa_solution *solution = NULL;
    dpa_plan *plan = NULL;
    assert_status(dpa_solve(problem, NULL, options, &solution), DPA_E_STATE);
    assert_status(dpa_plan_for_problem(problem, options, &plan), DPA_E_STATE);
    assert_ok(dpa_problem_set_groups(problem, DPA_TARGET, f->ids, N));
    dpa_solution_destroy(solve(problem, options));
    dpa_problem_destroy(problem);
    /* After a fit to records there is no way back. */
    problem = instance_problem(&f->data);
    assert_ok(dpa_problem_set_budget(problem, budget));
    dpa_solution_destroy(solve(problem, options));
    assert_status(dpa_problem_set_groups(problem, DPA_TARGET, f->ids, N), DPA_E_STATE);
    dpa_problem_destroy(problem);
    dpa_options_destroy(budget);
    dpa_options_destroy(options);
}

/* Which neighbours a promise is about is said of persons. */
static void reports_speak_of_persons(void **state) {
    fixture *f = *state;
    static const char *const relations[][2] = {
        {"zero_out",
         "all records of one person taken out, so that they add nothing to any sum; the "
         "number of persons, told as target_rows, is public and stays"},
        {"replace", "all records of one person replaced, by any number of others"}};
    for (size_t k = 0; k < LENGTH(relations); ++k) {
        dpa_problem *problem = grouped(f);
        dpa_options *options = private_options("neighbours", relations[k][0], NULL);
        dpa_solution *solution = solve(problem, options);
        char *text = solution_report(solution, DPA_REPORT_TEXT);
        assert_non_null(strstr(text, relations[k][1]));
        free(text);
        dpa_solution_destroy(solution);
        dpa_options_destroy(options);
        dpa_problem_destroy(problem);
    }
}

static void without_a_private_target_they_do_not_matter(void **state) {
    fixture *f = *state;
    dpa_problem *problem = grouped(f), *plain = instance_problem(&f->data);
    static const char *const domains[] = {"none", "source"};
    for (size_t k = 0; k < LENGTH(domains); ++k) {
        double one[D + 1], two[D + 1];
        dpa_options *options = NULL;
        assert_ok(dpa_options_create(&options));
        assert_ok(dpa_options_parse(options, "private_domain", domains[k]));
        if (k == 1) {
            assert_ok(dpa_options_parse(options, "epsilon", "1"));
            assert_ok(dpa_options_parse(options, "delta", "1e-5"));
            assert_ok(dpa_options_parse(options, "unsafe_seed", "3"));
        }
        dpa_solution *with = solve(problem, options), *without = solve(plain, options);
        copy_predictor(with, D, one);
        copy_predictor(without, D, two);
        assert_same_bits(one, two, D + 1);
        dpa_solution_destroy(with);
        dpa_solution_destroy(without);
        dpa_options_destroy(options);
    }
    dpa_problem_destroy(plain);
    dpa_problem_destroy(problem);
}

static void what_is_about_records_is_refused(void **state) {
    fixture *f = *state;
    static const char *const cases[][4] = {{"method", "paper", "alpha", "0"},
                                           {"alpha", "0", "kappa_2", "0.1"},
                                           {"private_domain", "both", "preprocess", "none"}};
    dpa_problem *problem = grouped(f);
    for (size_t k = 0; k < LENGTH(cases); ++k) {
        dpa_options *options =
            private_options(cases[k][0], cases[k][1], cases[k][2], cases[k][3], NULL);
        dpa_solution *solution = NULL;
        assert_error(dpa_solve(problem, NULL, options, &solution), DPA_E_UNSUPPORTED, "persons");
        assert_null(solution);
        dpa_options_destroy(options);
    }
    dpa_options *options = private_options("selection_epsilon", "1", "selection_bound", "9", NULL);
    dpa_solution *solution = NULL;
    dpa_ledger *ledger = NULL;
    assert_error(dpa_baseline_solve(problem, "noisy_sgd", options, &solution), DPA_E_UNSUPPORTED,
                 "batches");
    dpa_problem *validation = grouped(f);
    assert_ok(dpa_ledger_create(NULL, options, 0, &ledger));
    assert_error(dpa_problem_use_ledger(validation, ledger), DPA_E_STATE, "unit = record");
    dpa_problem *shared = instance_problem(&f->data);
    assert_ok(dpa_problem_use_ledger(shared, ledger));
    assert_status(dpa_problem_set_groups(shared, DPA_TARGET, f->ids, N), DPA_E_STATE);
    dpa_problem_destroy(shared);
    dpa_ledger_destroy(ledger);
    dpa_problem_destroy(validation);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

/* Option unit in a budget: whoever calls tells persons before, or cannot. */
static void a_budget_may_say_its_unit(void **state) {
    fixture *f = *state;
    dpa_options *budget[] = {private_options("unit", "record", NULL),
                             private_options("unit", "person", NULL)};
    dpa_options *options = private_options(NULL);
    for (size_t own = 0; own < 2; ++own)
        for (size_t other = 0; other < 2; ++other) {
            dpa_problem *problem = other == 1 ? grouped(f) : instance_problem(&f->data);
            if (own != other) {
                assert_error(dpa_problem_set_budget(problem, budget[own]), DPA_E_STATE,
                             "unit = record");
            } else {
                assert_ok(dpa_problem_set_budget(problem, budget[own]));
                dpa_solution_destroy(solve(problem, options));
            }
            dpa_problem_destroy(problem);
        }
    dpa_problem *problem = instance_problem(&f->data);
    assert_ok(dpa_problem_set_budget(problem, budget[0]));
    assert_error(dpa_problem_set_groups(problem, DPA_TARGET, f->ids, N), DPA_E_STATE,
                 "unit = record");
    dpa_solution_destroy(solve(problem, options));
    dpa_problem_destroy(problem);
    dpa_options_destroy(budget[0]);
    dpa_options_destroy(budget[1]);
    dpa_options_destroy(options);
}

static void check_report_of_persons(const dpa_problem *problem) {
    char *text = problem_report(problem, DPA_REPORT_JSON);
    assert_non_null(strstr(text, "\"unit\":\"person\""));
    assert_non_null(strstr(text, "\"target_rows\":40,"));
    free(text);
}

/* Discrepancies, fits that need one, evaluations and selections. */
static void other_calls_protect_persons(void **state) {
    fixture *f = *state;
    dpa_options *options = private_options("selection_epsilon", "1", "selection_bound", "9", NULL);
    dpa_options *alpha = private_options("alpha", "0.5", NULL);
    dpa_problem *problems[4];
    for (size_t k = 0; k < 4; ++k) problems[k] = grouped(f);
    dpa_discrepancy *discrepancy = NULL;
    assert_ok(dpa_discrepancy_estimate(problems[0], options, &discrepancy));
    dpa_discrepancy_destroy(discrepancy);
    dpa_plan *plan = NULL;
    assert_ok(dpa_plan_for_problem(problems[1], alpha, &plan));
    double sensitivity = plan_value(plan, "discrepancy_sensitivity");
    dpa_plan_destroy(plan);
    instance fewer = f->data;
    fewer.n = PERSONS;
    dpa_problem *records = instance_problem(&fewer);
    assert_ok(dpa_plan_for_problem(records, alpha, &plan));
    assert_close(plan_value(plan, "discrepancy_sensitivity"), sensitivity, 1e-9, 0);
    dpa_plan_destroy(plan);
    dpa_problem_destroy(records);
    dpa_solution *solution = solve(problems[1], alpha);
    const dpa_solution *const candidates[] = {solution};
    dpa_evaluation *evaluation = NULL;
    assert_ok(dpa_evaluate(problems[2], candidates, 1, options, &evaluation));
    dpa_evaluation_destroy(evaluation);
    size_t chosen = 1;
    assert_ok(dpa_select(problems[3], candidates, 1, options, &chosen));
    assert_int_equal(chosen, 0);
    for (size_t k = 0; k < 4; ++k) {
        check_report_of_persons(problems[k]);
        dpa_problem_destroy(problems[k]);
    }
    dpa_solution_destroy(solution);
    dpa_options_destroy(alpha);
    dpa_options_destroy(options);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_report_names_persons),
        cmocka_unit_test(noise_is_for_the_number_of_persons),
        cmocka_unit_test(progress_counts_persons),
        cmocka_unit_test(persons_are_told_before_anything_is_released),
        cmocka_unit_test(reports_speak_of_persons),
        cmocka_unit_test(without_a_private_target_they_do_not_matter),
        cmocka_unit_test(what_is_about_records_is_refused),
        cmocka_unit_test(a_budget_may_say_its_unit),
        cmocka_unit_test(other_calls_protect_persons),
    };
    return cmocka_run_group_tests_name("persons", tests, create, destroy);
}

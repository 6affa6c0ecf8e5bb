/* privacy.h, inspect.h with the losses of the general form: plans, budgets, labels, what costs
 * nothing. */
#include <dpadapt/inspect.h>
#include <stdio.h>

#include "unit/losses.h"
#include "unit/private.h"

static void plans_are_made_without_data(void **state) {
    (void)state;
    static const char *const sufficient[][4] = {{"logistic", "radius", "2", NULL},
                                                {"huber", "radius", "2", NULL},
                                                {"pinball", "quantile_level", "0.9", NULL},
                                                {"poisson", "radius", "2", NULL},
                                                {"gamma", "radius", "2", NULL},
                                                {"softmax", "classes", "3", NULL},
                                                {"perceptron", "classes", "3", NULL}};
    for (size_t k = 0; k < LENGTH(sufficient); ++k) {
        const char *const *o = sufficient[k];
        dpa_options *options = private_options("loss", o[0], o[1], o[2], NULL);
        dpa_plan *plan = NULL;
        assert_ok(dpa_plan_create(1000, 500, 4, options, &plan));
        assert_true(plan_value(plan, "steps") == 20 && plan_value(plan, "mu") > 0);
        dpa_plan_destroy(plan);
        dpa_options_destroy(options);
    }
    dpa_options *options = private_options("loss", "softmax", NULL);
    dpa_plan *plan = NULL;
    assert_error(dpa_plan_create(1000, 500, 4, options, &plan), DPA_E_OPTION, "classes", "plan");
    dpa_options_destroy(options);
}

/* Both samples private: a number of the loss is given, or the call says which one is missing. */
static void numbers_of_losses_are_asked_for(void **state) {
    (void)state;
    static const struct {
        const char *loss, *name, *value;
        label_kind labels;
    } cases[] = {{"huber", "huber_threshold", "1.5", kNumbers},
                 {"pinball", "quantile_smoothing", "0.5", kNumbers},
                 {"poisson", "typical_label", "3", kRates},
                 {"gamma", "typical_label", "3", kAmounts},
                 {"softmax", "classes", "3", kCounts}};
    for (size_t k = 0; k < LENGTH(cases); ++k) {
        instance a = labelled_instance(cases[k].labels);
        dpa_problem *problem = instance_problem(&a);
        dpa_options *options = private_options("private_domain", "both", "preprocess", "none",
                                               "feature_radius", "4", "radius", "2", "clip_bound",
                                               "1", "alpha", "0.5", "loss", cases[k].loss, NULL);
        dpa_solution *s = NULL;
        assert_error(dpa_solve(problem, NULL, options, &s), DPA_E_OPTION, cases[k].name);
        assert_ok(dpa_options_parse(options, cases[k].name, cases[k].value));
        dpa_solution_destroy(solve(problem, options));
        dpa_options_destroy(options);
        dpa_problem_destroy(problem);
        instance_free(a);
    }
}

/* With lambda_1 = auto no discrepancy is released, so no share of the budget waits for it. */
static void a_budget_of_the_same_options_is_enough(void **state) {
    (void)state;
    static const char *const settings[][2] = {{"alpha", "0.5"}, {"alpha", "0"}, {"lambda_1", "2"}};
    instance a = labelled_instance(kSigns);
    for (size_t k = 0; k < LENGTH(settings); ++k) {
        dpa_problem *problem = instance_problem(&a);
        dpa_options *options = private_options("loss", "logistic", "alpha", "0.3", settings[k][0],
                                               settings[k][1], NULL);
        assert_ok(dpa_problem_set_budget(problem, options));
        dpa_solution_destroy(solve(problem, options));
        dpa_options_destroy(options);
        dpa_problem_destroy(problem);
    }
    instance_free(a);
}

/* The likeliest mistake, labels 0 and 1 under the logistic loss: silent in a fit, told to the
 * custodian. */
static void labels_without_a_meaning_are_told_to_the_custodian_alone(void **state) {
    (void)state;
    instance a = labelled_instance(kSigns);
    size_t zeros = 0;
    for (size_t i = 0; i < kTargetRows; ++i) {
        if (a.yt[i] > 0) continue;
        a.yt[i] = 0;
        ++zeros;
    }
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options = private_options("loss", "logistic", NULL);
    dpa_solution_destroy(solve(problem, options));
    char found[1000], counted[100];
    assert_ok(dpa_inspect_private(problem, options, found, sizeof found, NULL));
    assert_true(zeros > 0);
    (void)snprintf(counted, sizeof counted, "Target: %zu of ", zeros);
    assert_memory_equal(found, counted, strlen(counted));
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

/* alpha = 1: the private records have no weight, and the fit is the one without privacy. */
static void a_fit_of_public_rows_alone_is_solved_as_such(void **state) {
    (void)state;
    instance a = labelled_instance(kSigns);
    static const char *const prices[] = {"auto", "0.9"};
    for (size_t k = 0; k < LENGTH(prices); ++k) {
        dpa_problem *problem = instance_problem(&a);
        dpa_options *options = private_options("loss", "logistic", "alpha", "1", "discrepancy",
                                               "0.1", "lambda_1", prices[k], NULL);
        dpa_options *open = public_options("loss", "logistic", "alpha", "1", "discrepancy", "0.1",
                                           "lambda_1", prices[k], NULL);
        dpa_solution *private_fit = solve(problem, options), *public_fit = solve(problem, open);
        double w[2][kFeatures + 1], q[2][kSourceRows];
        copy_predictor(private_fit, kFeatures, w[0]);
        copy_predictor(public_fit, kFeatures, w[1]);
        assert_ok(dpa_solution_array(private_fit, "source_weights", q[0], kSourceRows));
        assert_ok(dpa_solution_array(public_fit, "source_weights", q[1], kSourceRows));
        for (size_t j = 0; j <= kFeatures; ++j) assert_close(w[0][j], w[1][j], 1e-5, 1e-7);
        for (size_t i = 0; i < kSourceRows; ++i) assert_close(q[0][i], q[1][i], 1e-9, 1e-12);
        dpa_solution_destroy(private_fit);
        dpa_solution_destroy(public_fit);
        dpa_options_destroy(options);
        dpa_options_destroy(open);
        dpa_problem_destroy(problem);
    }
    instance_free(a);
}

static void prices_that_alpha_auto_would_not_use_are_refused(void **state) {
    (void)state;
    instance a = labelled_instance(kSigns);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options = private_options("loss", "logistic", "lambda_1", "1", NULL);
    dpa_solution *s = NULL;
    assert_error(dpa_solve(problem, NULL, options, &s), DPA_E_OPTION, "lambda_1", "alpha");
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

static void columns_of_very_different_units_are_fitted(void **state) {
    (void)state;
    instance a = labelled_instance(kSigns);
    for (size_t i = 0; i < kSourceRows + kTargetRows; ++i) a.xs[i * kFeatures] *= 1e9;
    static const char *const metrics[] = {"hessian", "gradients"};
    for (size_t k = 0; k < LENGTH(metrics); ++k) {
        dpa_options *options = private_options("loss", "logistic", "preprocess", "none", "metric",
                                               metrics[k], "epsilon", "0.5", NULL);
        dpa_problem *problem = instance_problem(&a);
        dpa_solution_destroy(solve(problem, options));
        dpa_problem_destroy(problem);
        dpa_options_destroy(options);
    }
    instance_free(a);
}

/* Matrices of features x features, 8 TB each: known before the charge. */
static void what_memory_cannot_hold_costs_nothing(void **state) {
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* their allocators end the process */
#endif
    enum { kWide = (1 << 20) - 1, kRows = 3 }; /* 2^20 with the constant */
    static const struct {
        const char *baseline, *loss, *alpha;
    } cases[] = {{NULL, "logistic", "0.5"}, {"joint_ssp", "squared", "auto"}};
    static const double y[kRows] = {1, -1, 1};
    double *x = calloc((size_t)kWide * kRows, sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < kRows; ++i) x[i * kWide + i] = 1; /* row-major */
    for (size_t k = 0; k < LENGTH(cases); ++k) {
        dpa_options *options = private_options("loss", cases[k].loss, "alpha", cases[k].alpha,
                                               "preprocess", "none", NULL);
        dpa_problem *problem = NULL;
        dpa_solution *s = NULL;
        assert_ok(dpa_problem_create(&problem));
        assert_ok(dpa_problem_lend_sample(
            problem, DPA_SOURCE, (dpa_matrix){x, kRows, kWide, kWide, DPA_ROW_MAJOR}, y, kRows));
        assert_ok(dpa_problem_lend_sample(
            problem, DPA_TARGET, (dpa_matrix){x, kRows, kWide, kWide, DPA_ROW_MAJOR}, y, kRows));
        assert_status(cases[k].baseline
                          ? dpa_baseline_solve(problem, cases[k].baseline, options, &s)
                          : dpa_solve(problem, NULL, options, &s),
                      DPA_E_NO_MEMORY);
        assert_null(s);
        char *json = problem_report(problem, DPA_REPORT_JSON);
        assert_int_equal(json_count(json, "releases"), 0);
        assert_true(json_is(json, "budget", "null"));
        free(json);
        dpa_problem_destroy(problem);
        dpa_options_destroy(options);
    }
    free(x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_are_made_without_data),
        cmocka_unit_test(numbers_of_losses_are_asked_for),
        cmocka_unit_test(a_budget_of_the_same_options_is_enough),
        cmocka_unit_test(labels_without_a_meaning_are_told_to_the_custodian_alone),
        cmocka_unit_test(a_fit_of_public_rows_alone_is_solved_as_such),
        cmocka_unit_test(prices_that_alpha_auto_would_not_use_are_refused),
        cmocka_unit_test(columns_of_very_different_units_are_fitted),
        cmocka_unit_test(what_memory_cannot_hold_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

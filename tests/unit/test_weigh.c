/* solution.h: a solution weighs any rows, and those of its fit as the fit did; so does a saved
 * predictor, which has no weights. */
#include "unit/losses.h"

enum { kMost = kSourceRows > kTargetRows ? kSourceRows : kTargetRows };

/* As the bytes without weights tell it. */
static dpa_solution *slim(const dpa_solution *solution) {
    size_t size = 0;
    assert_status(dpa_solution_serialize(solution, 0, NULL, 0, &size), DPA_E_BUFFER);
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    assert_ok(dpa_solution_serialize(solution, 0, bytes, size, NULL));
    dpa_solution *read = NULL;
    assert_ok(dpa_solution_deserialize(bytes, size, &read));
    free(bytes);
    return read;
}

static void assert_weights(const double *found, const double *expected, size_t rows) {
    for (size_t i = 0; i < rows; ++i)
        assert_close(found[i], expected[i], 1e-12, 1e-12 * expected[i]);
}

/* Returns whether two rows have different weights. */
static int assert_weighed(const dpa_solution *fit, const dpa_solution *by, const instance *a,
                          const double *ws, const double *wt) {
    double expected[kMost], found[kMost];
    int differ = 0;
    assert_ok(dpa_solution_array(fit, "source_weights", expected, a->m));
    assert_ok(dpa_solution_weigh(by, DPA_SOURCE,
                                 (dpa_matrix){a->xs, a->m, a->d, a->d, DPA_ROW_MAJOR}, a->ys, a->m,
                                 ws, ws ? a->m : 0, found, a->m));
    assert_weights(found, expected, a->m);
    for (size_t i = 1; i < a->m; ++i) differ |= fabs(found[i] - found[0]) > 1e-6 * found[0];
    assert_ok(dpa_solution_array(fit, "target_weights", expected, a->n));
    assert_ok(dpa_solution_weigh(by, DPA_TARGET,
                                 (dpa_matrix){a->xt, a->n, a->d, a->d, DPA_ROW_MAJOR}, a->yt, a->n,
                                 wt, wt ? a->n : 0, found, a->n));
    assert_weights(found, expected, a->n);
    for (size_t i = 1; i < a->n; ++i) differ |= fabs(found[i] - found[0]) > 1e-6 * found[0];
    return differ;
}

static dpa_options *parsed(dpa_options *options, const char *const *pairs) {
    for (; *pairs; pairs += 2) assert_ok(dpa_options_parse(options, pairs[0], pairs[1]));
    return options;
}

static int fit_and_weigh(dpa_problem *problem, const dpa_options *options, const instance *a,
                         const double *ws, const double *wt) {
    dpa_solution *fit = solve(problem, options), *saved = slim(fit);
    double one;
    assert_status(dpa_solution_array(saved, "source_weights", &one, 1), DPA_E_NOT_RELEASABLE);
    const int differ = assert_weighed(fit, fit, a, ws, wt);
    assert_int_equal(assert_weighed(fit, saved, a, ws, wt), differ);
    dpa_solution_destroy(saved);
    dpa_solution_destroy(fit);
    return differ;
}

static void rows_of_the_fit_have_its_weights_in_the_convex_form(void **state) {
    (void)state;
    static const char *const cases[][13] = {
        {"kappa_1", "0.02"},
        {"kappa_1", "0.02", "kappa_2", "0.3"},
        {"kappa_1", "0.02", "kappa_inf", "1"},
        {"kappa_1", "0.02", "kappa_2", "0.3", "kappa_inf", "0.5", "alpha", "0.3"},
        {"kappa_1", "0.05", "alpha", "0.7", "discrepancy", "0.1"},
        {"kappa_1", "0.05", "preprocess", "whiten", "feature_radius", "1.2", "label_bound", "0.8"},
        {"kappa_1", "0.05", "preprocess", "none", "intercept", "false"},
    };
    const instance a = labelled_instance(kNumbers);
    for (size_t k = 0; k < LENGTH(cases); ++k) {
        dpa_problem *problem = instance_problem(&a);
        dpa_options *options = parsed(public_options(NULL), cases[k]);
        assert_true(fit_and_weigh(problem, options, &a, NULL, NULL));
        dpa_options_destroy(options);
        dpa_problem_destroy(problem);
    }
    instance_free(a);
}

static void rows_of_the_fit_have_its_weights_for_every_loss(void **state) {
    (void)state;
    static const char *const cases[][9] = {
        {NULL}, /* the reference weights */
        {"lambda_1", "0.5", "lambda_2", "1", "alpha", "0.5", "discrepancy", "0"},
        {"lambda_1", "0.6", "lambda_inf", "25", "softmax_sharpness", "50", "discrepancy", "0.01"},
        {"lambda_1", "0.6", "lambda_2", "0.7", "lambda_inf", "9", "softmax_sharpness", "50"},
    };
    for (const loss_case *c = loss_cases; c->outputs; ++c)
        for (size_t k = 0; k < LENGTH(cases); ++k) {
            const instance a = labelled_instance(c->labels);
            dpa_problem *problem = instance_problem(&a);
            dpa_options *options = parsed(loss_options(c), cases[k]);
            assert_ok(dpa_options_parse(options, "form", "general"));
            assert_int_equal(fit_and_weigh(problem, options, &a, NULL, NULL), k > 0);
            dpa_options_destroy(options);
            dpa_problem_destroy(problem);
            instance_free(a);
        }
}

/* A row without a label has none, and does not count in the others' reference weights. */
static void weights_and_labels_of_the_rows_count(void **state) {
    (void)state;
    static const char *const cases[][5] = {{"kappa_1", "0.02", "kappa_2", "0.1"},
                                           {"kappa_1", "0.02"}};
    instance a = labelled_instance(kNumbers);
    double ws[kSourceRows], wt[kTargetRows];
    for (size_t i = 0; i < a.m; ++i) ws[i] = 3.0 * (double)(i % 4);
    for (size_t i = 0; i < a.n; ++i) wt[i] = 0.2 * (double)(1 + i % 3);
    a.ys[9] = a.yt[0] = NAN;
    for (size_t k = 0; k < LENGTH(cases); ++k) {
        dpa_problem *problem = instance_problem(&a);
        dpa_options *options = parsed(public_options("alpha", "0.5", NULL), cases[k]);
        assert_true(fit_and_weigh(problem, options, &a, NULL, NULL));
        assert_ok(dpa_problem_set_weights(problem, DPA_SOURCE, ws, a.m));
        assert_ok(dpa_problem_set_weights(problem, DPA_TARGET, wt, a.n));
        assert_true(fit_and_weigh(problem, options, &a, ws, wt));
        dpa_options_destroy(options);
        dpa_problem_destroy(problem);
    }
    instance_free(a);
}

/* In a call of its own, in the other layout and as the other domain. */
static void a_row_is_weighed_by_itself(void **state) {
    (void)state;
    const instance a = labelled_instance(kNumbers);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options =
        public_options("kappa_1", "0.02", "discrepancy", "0", "alpha", "0.5", NULL);
    dpa_solution *fit = solve(problem, options);
    double all[kSourceRows], one[2], as_target[2];
    assert_ok(dpa_solution_array(fit, "source_weights", all, a.m));
    for (size_t i = 0; i + 1 < a.m; i += 7) {
        double x[2 * kFeatures];
        for (size_t j = 0; j < a.d; ++j)
            for (size_t k = 0; k < 2; ++k) x[2 * j + k] = a.xs[(i + k) * a.d + j];
        assert_ok(dpa_solution_weigh(fit, DPA_SOURCE, (dpa_matrix){x, 2, a.d, 2, DPA_COL_MAJOR},
                                     a.ys + i, 2, NULL, 0, one, 2));
        assert_weights(one, all + i, 2);
        assert_ok(dpa_solution_weigh(fit, DPA_TARGET, (dpa_matrix){x, 2, a.d, 2, DPA_COL_MAJOR},
                                     a.ys + i, 2, NULL, 0, as_target, 2));
        for (size_t k = 0; k < 2; ++k) /* p = alpha/m, (1 - alpha)/n; no price of the norm */
            assert_close(as_target[k] * (double)a.n, one[k] * (double)a.m, 1e-12, 0);
    }
    assert_ok(dpa_solution_weigh(fit, DPA_SOURCE, (dpa_matrix){NULL, 0, a.d, a.d, DPA_ROW_MAJOR},
                                 NULL, 0, NULL, 0, NULL, 0));
    dpa_solution_destroy(fit);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

static void weights_that_cost_nothing_to_drop_are_0(void **state) {
    (void)state;
    const instance a = labelled_instance(kNumbers);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options = public_options("kappa_1", "0", NULL);
    assert_false(fit_and_weigh(problem, options, &a, NULL, NULL));
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

static dpa_status weigh(const dpa_solution *fit, const instance *a, double *out) {
    return dpa_solution_weigh(fit, DPA_TARGET, (dpa_matrix){a->xt, a->n, a->d, a->d, DPA_ROW_MAJOR},
                              a->yt, a->n, NULL, 0, out, a->n);
}

static void what_has_no_rule_is_refused(void **state) {
    (void)state;
    const instance a = labelled_instance(kNumbers);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *open = public_options("lambda_1", "0.5", NULL), *shut = NULL;
    assert_ok(dpa_options_create(&shut));
    assert_ok(dpa_options_parse(shut, "epsilon", "1"));
    assert_ok(dpa_options_parse(shut, "delta", "0.01"));
    double out[kTargetRows] = {7};
    dpa_solution *fit = NULL;
    assert_ok(dpa_baseline_solve(problem, "pooled", open, &fit));
    assert_error(weigh(fit, &a, out), DPA_E_UNSUPPORTED, "baseline");
    dpa_solution_destroy(fit);
    assert_ok(dpa_baseline_solve(problem, "best", open, &fit));
    assert_ok(weigh(fit, &a, out));
    dpa_solution_destroy(fit);
    out[0] = 7;
    fit = solve(problem, shut);
    assert_error(weigh(fit, &a, out), DPA_E_NOT_RELEASABLE, "private");
    assert_true(out[0] == 7);
    dpa_solution_destroy(fit);
    dpa_options_destroy(shut);
    dpa_options_destroy(open);
    dpa_problem_destroy(problem);
    instance_free(a);
    const loss_case *own = loss_cases + LENGTH(loss_cases) - 1;
    const instance signs = labelled_instance(own->labels);
    fit = loss_fit(own, &signs);
    assert_error(weigh(fit, &signs, out), DPA_E_UNSUPPORTED, "caller");
    dpa_solution_destroy(fit);
    instance_free(signs);
}

static void rows_that_cannot_be_weighed_are_named(void **state) {
    (void)state;
    const loss_case *softmax = loss_cases;
    while (strcmp(softmax->loss, "softmax")) ++softmax;
    instance a = labelled_instance(softmax->labels);
    dpa_solution *fit = loss_fit(softmax, &a);
    double out[kTargetRows], w[kTargetRows] = {0};
    a.xt[2 * kFeatures] = NAN;
    a.yt[5] = NAN;
    assert_ok(weigh(fit, &a, out));
    for (size_t i = 0; i < a.n; ++i) {
        assert_int_equal(isnan(out[i]) != 0, i == 2);
        assert_int_equal(out[i] == 0, i == 5);
    }
    a.yt[7] = 1.5;
    assert_error(weigh(fit, &a, out), DPA_E_LABEL, "row 7", "1.5");
    a.yt[7] = 1;
    static const double bad[] = {-1, NAN, INFINITY};
    for (size_t k = 0; k < LENGTH(bad); ++k) {
        w[4] = bad[k];
        assert_error(
            dpa_solution_weigh(fit, DPA_TARGET, (dpa_matrix){a.xt, a.n, a.d, a.d, DPA_ROW_MAJOR},
                               a.yt, a.n, w, a.n, out, a.n),
            DPA_E_INVALID_ARGUMENT, "row 4");
    }
    assert_status(
        dpa_solution_weigh(fit, DPA_TARGET, (dpa_matrix){a.xt, a.n, a.d, a.d, DPA_ROW_MAJOR}, a.yt,
                           a.n - 1, NULL, 0, out, a.n),
        DPA_E_DIMENSION);
    assert_status(
        dpa_solution_weigh(fit, DPA_TARGET, (dpa_matrix){a.xt, a.n, a.d, a.d, DPA_ROW_MAJOR}, a.yt,
                           a.n, w, 3, out, a.n),
        DPA_E_DIMENSION);
    assert_status(
        dpa_solution_weigh(fit, DPA_TARGET, (dpa_matrix){a.xt, a.n, a.d, a.d, DPA_ROW_MAJOR}, NULL,
                           a.n, NULL, 0, out, a.n),
        DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_solution_weigh(fit, DPA_TARGET, (dpa_matrix){a.xt, a.n, 1, 1, DPA_ROW_MAJOR},
                                     a.yt, a.n, NULL, 0, out, a.n),
                  DPA_E_DIMENSION);
    dpa_solution_destroy(fit);
    instance_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_the_fit_have_its_weights_in_the_convex_form),
        cmocka_unit_test(rows_of_the_fit_have_its_weights_for_every_loss),
        cmocka_unit_test(weights_and_labels_of_the_rows_count),
        cmocka_unit_test(a_row_is_weighed_by_itself),
        cmocka_unit_test(weights_that_cost_nothing_to_drop_are_0),
        cmocka_unit_test(what_has_no_rule_is_refused),
        cmocka_unit_test(rows_that_cannot_be_weighed_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

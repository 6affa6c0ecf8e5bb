/* More features than rows: the fit is made in the span of the rows, and is the one that the same
 * rows have in few coordinates. (What "auto" chooses may depend on the number of columns.) */
#include <stdio.h>

#include "unit/private.h"

enum { kSource = 14, kTarget = 9, kNarrow = 3, kWide = 40 };

/* Orthonormal columns of a matrix [kNarrow, kWide], row by row: rows keep their products. */
static void rotation(double *rows) {
    uint64_t seed = 5;
    for (size_t i = 0; i < kNarrow; ++i) {
        double *row = rows + i * kWide, square = 0;
        for (size_t j = 0; j < kWide; ++j) row[j] = normal(&seed);
        for (size_t k = 0; k < i; ++k) {
            double product = 0;
            for (size_t j = 0; j < kWide; ++j) product += row[j] * rows[k * kWide + j];
            for (size_t j = 0; j < kWide; ++j) row[j] -= product * rows[k * kWide + j];
        }
        for (size_t j = 0; j < kWide; ++j) square += row[j] * row[j];
        for (size_t j = 0; j < kWide; ++j) row[j] /= sqrt(square);
    }
}

/* The rows of `narrow`, turned into many columns, or followed by columns of that number. */
static instance widened(const instance *narrow, const double *turn, double rest) {
    instance wide = instance_allocate(narrow->m, narrow->n, kWide);
    for (size_t i = 0; i < narrow->m + narrow->n; ++i) {
        const double *x = narrow->xs + i * kNarrow;
        double *out = wide.xs + i * kWide;
        for (size_t j = 0; j < kWide; ++j) {
            out[j] = turn ? 0 : j < kNarrow ? x[j] : rest;
            for (size_t k = 0; turn && k < kNarrow; ++k) out[j] += x[k] * turn[k * kWide + j];
        }
        wide.ys[i] = narrow->ys[i];
    }
    return wide;
}

/* Of the target rows. */
static void scores(const dpa_solution *solution, const instance *a, double *out) {
    assert_ok(dpa_solution_predict(solution, DPA_PREDICT_SCORES,
                                   (dpa_matrix){a->xt, kTarget, a->d, a->d, DPA_ROW_MAJOR}, out,
                                   kTarget));
}

static void check_same(const dpa_solution *one, const instance *a, const dpa_solution *other,
                       const instance *b) {
    double f[2], gap[2], score[2][kTarget];
    assert_ok(dpa_solution_value(one, "objective", &f[0]));
    assert_ok(dpa_solution_value(other, "objective", &f[1]));
    assert_ok(dpa_solution_value(one, "duality_gap", &gap[0]));
    assert_ok(dpa_solution_value(other, "duality_gap", &gap[1]));
    assert_close(f[0], f[1], 1e-7, 0);
    assert_at_most(fmax(gap[0], gap[1]), 1e-7 * f[0]);
    scores(one, a, score[0]);
    scores(other, b, score[1]);
    for (size_t i = 0; i < kTarget; ++i) assert_close(score[0][i], score[1][i], 1e-4, 1e-4);
}

static void check_fits(const char *method, dpa_options *options, const instance *a,
                       const instance *b) {
    dpa_problem *narrow = instance_problem(a), *wide = instance_problem(b);
    dpa_solution *one = NULL, *other = NULL;
    if (method) {
        assert_ok(dpa_baseline_solve(narrow, method, options, &one));
        assert_ok(dpa_baseline_solve(wide, method, options, &other));
    } else {
        one = solve(narrow, options);
        other = solve(wide, options);
    }
    check_same(one, a, other, b);
    dpa_solution_destroy(one);
    dpa_solution_destroy(other);
    dpa_problem_destroy(narrow);
    dpa_problem_destroy(wide);
    dpa_options_destroy(options);
}

static void turned_rows_have_the_same_fit(void **state) {
    double turn[kNarrow * kWide];
    instance a = instance_random(3, kSource, kTarget, kNarrow);
    rotation(turn);
    instance b = widened(&a, turn, 0);
    (void)state;
    check_fits(NULL, public_options("preprocess", "none", "alpha", "0.4", "radius", "3", NULL), &a,
               &b);
    check_fits(NULL,
               public_options("preprocess", "none", "alpha", "0.4", "radius", "0.7",
                              "feature_radius", "1.5", "label_bound", "2", NULL),
               &a, &b);
    check_fits(NULL,
               public_options("preprocess", "none", "alpha", "0.4", "loss", "huber",
                              "huber_threshold", "1", "radius", "3", NULL),
               &a, &b);
    check_fits(NULL,
               public_options("preprocess", "none", "intercept", "false", "radius", "2", "alpha",
                              "0.5", NULL),
               &a, &b);
    check_fits("pooled", public_options("preprocess", "none", "ridge", "0.1", "radius", "3", NULL),
               &a, &b);
    check_fits("source_only", public_options("preprocess", "none", "radius", "3", NULL), &a, &b);
    instance_free(a);
    instance_free(b);
}

static void constant_columns_change_nothing(void **state) {
    instance a = instance_random(4, kSource, kTarget, kNarrow);
    instance b = widened(&a, NULL, 7.5);
    (void)state;
    check_fits(NULL, public_options("alpha", "0.3", "radius", "3", NULL), &a, &b);
    check_fits(NULL,
               public_options("alpha", "0.3", "discrepancy_center", "source", "radius", "3", NULL),
               &a, &b);
    instance_free(a);
    instance_free(b);
}

/* What is stored is about all features, not about the span. */
static void every_result_is_about_all_features(void **state) {
    instance a = instance_random(6, kSource, kTarget, kWide);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options = public_options(NULL);
    dpa_solution *solution = solve(problem, options);
    size_t features = 0, dimension = 0, parameters = 0;
    double w[kWide], scored[kTarget], b;
    (void)state;
    assert_ok(dpa_solution_shape(solution, &features, NULL, NULL, NULL));
    dimension = (size_t)solution_number(solution, "dimension");
    assert_true(features == kWide && dimension == kWide + 1);
    assert_ok(dpa_solution_array(solution, "coefficients", w, kWide));
    assert_ok(dpa_solution_array(solution, "intercept", &b, 1));
    scores(solution, &a, scored);
    for (size_t i = 0; i < kTarget; ++i) {
        double score = b;
        for (size_t j = 0; j < kWide; ++j) score += w[j] * a.xt[i * kWide + j];
        assert_close(score, scored[i], 1e-9, 1e-9);
    }
    dpa_solution_destroy(solution);

    for (size_t i = 0; i < kSource + kTarget; ++i) a.ys[i] = a.ys[i] < 0 ? -1 : 1;
    dpa_problem_destroy(problem);
    problem = instance_problem(&a);
    assert_ok(dpa_options_parse(options, "loss", "logistic"));
    assert_ok(dpa_baseline_solve(problem, "gapboost", options, &solution));
    parameters = (size_t)solution_number(solution, "parameters");
    assert_true(parameters > 0 && parameters % (kWide + 2) == 0);
    assert_ok(dpa_solution_predict(solution, DPA_PREDICT_LABELS,
                                   (dpa_matrix){a.xt, kTarget, kWide, kWide, DPA_ROW_MAJOR}, scored,
                                   kTarget));
    dpa_solution_destroy(solution);
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    instance_free(a);
}

/* How far coefficients lie outside the span of the rows, relative to their norm. */
static double outside_of(const double *rows, size_t count, const double *coefficients) {
    double basis[kSource * kWide], left[kWide], square = 0, whole = 0;
    memcpy(left, coefficients, sizeof left);
    for (size_t i = 0; i < count; ++i) {
        double *b = basis + i * kWide, norm = 0, along = 0;
        memcpy(b, rows + i * kWide, kWide * sizeof *b);
        for (size_t k = 0; k < i; ++k) {
            double product = 0;
            for (size_t j = 0; j < kWide; ++j) product += b[j] * basis[k * kWide + j];
            for (size_t j = 0; j < kWide; ++j) b[j] -= product * basis[k * kWide + j];
        }
        for (size_t j = 0; j < kWide; ++j) norm += b[j] * b[j];
        for (size_t j = 0; j < kWide; ++j) b[j] /= sqrt(norm);
        for (size_t j = 0; j < kWide; ++j) along += left[j] * b[j];
        for (size_t j = 0; j < kWide; ++j) left[j] -= along * b[j];
    }
    for (size_t j = 0; j < kWide; ++j) square += left[j] * left[j];
    for (size_t j = 0; j < kWide; ++j) whole += coefficients[j] * coefficients[j];
    return sqrt(square / whole);
}

static dpa_solution *private_wide(const instance *a, const char *domain, const char *loss) {
    dpa_problem *problem = instance_problem(a);
    dpa_options *options =
        private_options("epsilon", "5", "delta", "1e-6", "loss", loss, "private_domain", domain,
                        "preprocess", "none", "intercept", "false", NULL);
    dpa_solution *solution = solve(problem, options);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    return solution;
}

static void private_fits_lie_in_the_span_of_the_public_rows(void **state) {
    static const char *const losses[] = {"squared", "huber", "pinball", "logistic"};
    instance a = instance_random(9, kSource, kTarget, kWide);
    (void)state;
    for (size_t k = 0; k < sizeof losses / sizeof *losses; ++k) {
        if (strcmp(losses[k], "logistic") == 0)
            for (size_t i = 0; i < kSource + kTarget; ++i) a.ys[i] = a.ys[i] < 0 ? -1 : 1;
        double w[kWide];
        dpa_solution *solution = private_wide(&a, "target", losses[k]);
        assert_ok(dpa_solution_array(solution, "coefficients", w, kWide));
        assert_at_most(outside_of(a.xs, kSource, w), 1e-9);
        dpa_solution_destroy(solution);
        solution = private_wide(&a, "source", losses[k]);
        assert_ok(dpa_solution_array(solution, "coefficients", w, kWide));
        assert_at_most(outside_of(a.xt, kTarget, w), 1e-9);
        dpa_solution_destroy(solution);
    }
    instance_free(a);
}

/* A plan that is made from sizes alone knows it too. */
static void plans_know_the_span(void **state) {
    instance a = instance_random(10, kSource, kTarget, kWide);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options = private_options("epsilon", "1", "delta", "1e-6", NULL);
    dpa_plan *known = NULL, *guessed = NULL;
    char wanted[32], *reports[2];
    (void)state;
    snprintf(wanted, sizeof wanted, "\"dimension\":%d,", kSource + 1);
    assert_ok(dpa_plan_for_problem(problem, options, &known));
    assert_ok(dpa_plan_create(kSource, kTarget, kWide, options, &guessed));
    for (int k = 0; k < 2; ++k) {
        const dpa_plan *plan = k == 0 ? known : guessed;
        size_t needed = 0;
        assert_int_equal(dpa_plan_report(plan, DPA_REPORT_JSON, NULL, 0, &needed), DPA_E_BUFFER);
        reports[k] = malloc(needed);
        assert_non_null(reports[k]);
        assert_ok(dpa_plan_report(plan, DPA_REPORT_JSON, reports[k], needed, NULL));
        assert_non_null(strstr(reports[k], wanted));
        free(reports[k]);
    }
    dpa_plan_destroy(known);
    dpa_plan_destroy(guessed);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

/* d^2 numbers would be 3 GB. */
static void twenty_thousand_features_are_cheap(void **state) {
    instance a = instance_random(7, kSource, kTarget, 20000);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options = public_options(NULL);
    dpa_options *protected = private_options("epsilon", "1", "delta", "1e-6", NULL);
    dpa_solution_destroy(solve(problem, options));
    dpa_solution_destroy(solve(problem, protected));
    (void)state;
    dpa_options_destroy(protected);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turned_rows_have_the_same_fit),
        cmocka_unit_test(constant_columns_change_nothing),
        cmocka_unit_test(every_result_is_about_all_features),
        cmocka_unit_test(private_fits_lie_in_the_span_of_the_public_rows),
        cmocka_unit_test(plans_know_the_span),
        cmocka_unit_test(twenty_thousand_features_are_cheap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* problem.h: rows without a label, targets without any, and scores of a given model. */
#include "unit/private.h"

enum { M = 60, N = 40, D = 3 };

static dpa_solution *baseline(dpa_problem *problem, const char *method,
                              const dpa_options *options) {
    dpa_solution *solution = NULL;
    assert_ok(dpa_baseline_solve(problem, method, options, &solution));
    return solution;
}

static dpa_problem *problem_of(const instance *a, const double *ys, const double *xt,
                               const double *yt, size_t n) {
    dpa_problem *problem = NULL;
    assert_ok(dpa_problem_create(&problem));
    assert_ok(dpa_problem_set_sample(problem, DPA_SOURCE,
                                     (dpa_matrix){a->xs, M, D, D, DPA_ROW_MAJOR}, ys, ys ? M : 0));
    assert_ok(dpa_problem_set_sample(problem, DPA_TARGET, (dpa_matrix){xt, n, D, D, DPA_ROW_MAJOR},
                                     yt, yt ? n : 0));
    return problem;
}

static void assert_same_predictor(const dpa_solution *one, const dpa_solution *two, double within) {
    double first[D + 1], second[D + 1];
    copy_predictor(one, D, first);
    copy_predictor(two, D, second);
    for (size_t k = 0; k <= D; ++k) assert_close(first[k], second[k], within, within);
}

/* A fit without privacy is that of the labelled rows, and the others have no weight. */
static void terms_with_labels_are_of_labelled_rows(void **state) {
    (void)state;
    instance a = instance_random(5, M, N, D);
    double x[N * D], y[N], all[N], ys[M], weights[N], left[N / 2];
    for (size_t i = 0; i < M; ++i) ys[i] = i % 5 ? a.ys[i] : NAN;
    for (size_t i = 0; i < N; ++i) all[i] = i % 2 ? a.yt[i] : NAN;
    for (size_t i = 0; i < N / 2; ++i) {
        memcpy(x + i * D, a.xt + (2 * i + 1) * D, D * sizeof(double));
        y[i] = a.yt[2 * i + 1];
    }
    dpa_options *options = public_options(NULL);
    dpa_problem *partly = problem_of(&a, ys, a.xt, all, N);
    dpa_problem *labelled = problem_of(&a, ys, x, y, N / 2);
    dpa_solution *one = solve(partly, options), *two = solve(labelled, options);
    assert_same_predictor(one, two, 1e-12);
    size_t target = 0, source = 0;
    assert_ok(dpa_solution_shape(one, NULL, NULL, &source, &target));
    assert_int_equal(target, N);
    assert_int_equal(source, M);
    assert_ok(dpa_solution_array(one, "target_weights", weights, N));
    assert_ok(dpa_solution_array(two, "target_weights", left, N / 2));
    for (size_t i = 0; i < N; ++i) assert_true(weights[i] == (i % 2 ? left[i / 2] : 0.0));
    dpa_solution_destroy(one);
    dpa_solution_destroy(two);
    dpa_problem_destroy(partly);
    dpa_problem_destroy(labelled);
    dpa_options_destroy(options);
    instance_free(a);
}

/* To these baselines and to the unlabelled discrepancy it is the same which labels there are. */
static void features_count_without_labels(void **state) {
    (void)state;
    instance a = instance_random(6, M, N, D);
    double half[N];
    for (size_t i = 0; i < N; ++i) half[i] = i < N / 2 ? a.yt[i] : NAN;
    dpa_options *options = public_options("radius", "2", "centers", "8", NULL);
    dpa_options *unlabelled = public_options("radius", "2", "discrepancy_kind", "unlabelled", NULL);
    dpa_problem *full = problem_of(&a, a.ys, a.xt, a.yt, N);
    dpa_problem *partly = problem_of(&a, a.ys, a.xt, half, N);
    dpa_problem *without = problem_of(&a, a.ys, a.xt, NULL, N);
    static const char *const methods[] = {"source_only", "dm",    "gdm",   "kmm",
                                          "kliep",       "ulsif", "rulsif"};
    for (size_t k = 0; k < LENGTH(methods); ++k) {
        dpa_solution *expected = baseline(full, methods[k], options);
        dpa_solution *one = baseline(partly, methods[k], options);
        dpa_solution *two = baseline(without, methods[k], options);
        assert_same_predictor(one, expected, 1e-12);
        assert_same_predictor(two, expected, 1e-12);
        size_t target = 0;
        assert_ok(dpa_solution_shape(two, NULL, NULL, NULL, &target));
        assert_int_equal(target, N);
        dpa_solution_destroy(one);
        dpa_solution_destroy(two);
        dpa_solution_destroy(expected);
    }
    double values[3];
    dpa_problem *problems[] = {full, partly, without};
    for (size_t k = 0; k < 3; ++k) {
        dpa_discrepancy *discrepancy = NULL;
        assert_ok(dpa_discrepancy_estimate(problems[k], unlabelled, &discrepancy));
        assert_ok(dpa_discrepancy_value(discrepancy, "value", &values[k]));
        assert_true(values[k] == values[0]);
        dpa_discrepancy_destroy(discrepancy);
        dpa_problem_destroy(problems[k]);
    }
    dpa_options_destroy(options);
    dpa_options_destroy(unlabelled);
    instance_free(a);
}

/* What needs labels says so, whether it is public or not that there are none. */
static void without_labels_fits_are_refused(void **state) {
    (void)state;
    instance a = instance_random(7, M, N, D);
    double none[N];
    for (size_t i = 0; i < N; ++i) none[i] = NAN;
    dpa_options *plain = public_options(NULL), *private = private_options(NULL);
    dpa_problem *problems[] = {problem_of(&a, a.ys, a.xt, NULL, N),
                               problem_of(&a, a.ys, a.xt, none, N),
                               problem_of(&a, NULL, a.xt, a.yt, N)};
    dpa_solution *solution = NULL;
    for (size_t k = 0; k < LENGTH(problems); ++k) {
        assert_error(dpa_solve(problems[k], NULL, plain, &solution), DPA_E_LABEL, "dpa_solve",
                     k < 2 ? "target" : "source");
        assert_error(dpa_baseline_solve(problems[k], "pooled", plain, &solution), DPA_E_LABEL,
                     "label");
        dpa_problem_destroy(problems[k]);
    }
    problems[0] = problem_of(&a, a.ys, a.xt, NULL, N);
    assert_error(dpa_solve(problems[0], NULL, private, &solution), DPA_E_LABEL, "no labels");
    static const char *const methods[] = {"joint_ssp", "noisy_sgd"};
    for (size_t k = 0; k < LENGTH(methods); ++k)
        assert_error(dpa_baseline_solve(problems[0], methods[k], private, &solution), DPA_E_LABEL,
                     "no labels");
    dpa_solution_destroy(baseline(problems[0], "private_dm", private));
    dpa_problem_destroy(problems[0]);
    problems[0] = problem_of(&a, a.ys, a.xt, NULL, N); /* with a budget of its own */
    dpa_solution_destroy(baseline(problems[0], "private_coral", private));
    dpa_problem_destroy(problems[0]);
    dpa_options_destroy(plain);
    dpa_options_destroy(private);
    instance_free(a);
}

/* A quarter of the records with labels: with that share, and with one that is counted, the steps go
 * as far as with that quarter alone; with the share 1 they stop on their way, because the mean is
 * over all records. */
static void a_known_share_makes_up_for_missing_labels(void **state) {
    (void)state;
    enum { kMany = 8000 };
    instance a = instance_random(8, 500, kMany, D);
    double labels[kMany], x[kMany / 4 * D], y[kMany / 4];
    for (size_t i = 0; i < kMany; ++i) labels[i] = i % 4 ? NAN : a.yt[i];
    for (size_t i = 0; i < kMany / 4; ++i) {
        memcpy(x + i * D, a.xt + 4 * i * D, D * sizeof(double));
        y[i] = a.yt[4 * i];
    }
    dpa_options *options = private_options("epsilon", "50", "unsafe_seed", "3", "iterations", "1",
                                           "moments_share", "0", "shrinkage", "0", NULL);
    static const char *const shares[] = {"auto", "1", "0.25", "auto"};
    double found[4][D + 1], near = 0, counted = 0, far = 0;
    for (size_t k = 0; k < 4; ++k) {  // a problem has one budget
        assert_ok(dpa_options_parse(options, "labelled_share", shares[k]));
        dpa_problem *problem = NULL;
        assert_ok(dpa_problem_create(&problem));
        assert_ok(dpa_problem_set_sample(problem, DPA_SOURCE,
                                         (dpa_matrix){a.xs, 500, D, D, DPA_ROW_MAJOR}, a.ys, 500));
        assert_ok(k == 0 ? dpa_problem_set_sample(problem, DPA_TARGET,
                                                  (dpa_matrix){x, kMany / 4, D, D, DPA_ROW_MAJOR},
                                                  y, kMany / 4)
                         : dpa_problem_set_sample(problem, DPA_TARGET,
                                                  (dpa_matrix){a.xt, kMany, D, D, DPA_ROW_MAJOR},
                                                  labels, kMany));
        dpa_solution *solution = solve(problem, options);
        copy_predictor(solution, D, found[k]);
        dpa_solution_destroy(solution);
        dpa_problem_destroy(problem);
    }
    for (size_t k = 0; k <= D; ++k) {
        near = fmax(near, fabs(found[2][k] - found[0][k]));
        counted = fmax(counted, fabs(found[3][k] - found[0][k]));
        far = fmax(far, fabs(found[1][k] - found[0][k]));
    }
    assert_at_most(near, 0.02);
    assert_at_most(counted, 0.02);
    assert_true(far > 0.1);
    dpa_problem *problem = problem_of(&a, a.ys, a.xt, a.yt, N);
    dpa_solution *solution = NULL;
    assert_ok(dpa_options_parse(options, "alpha", "0.5"));
    assert_ok(dpa_options_parse(options, "labelled_share", "0.25"));
    assert_error(dpa_solve(problem, NULL, options, &solution), DPA_E_OPTION, "labelled_share");
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

/* Scores are taken from the labels: the fit is the correction. */
static void scores_are_taken_from_the_labels(void **state) {
    (void)state;
    instance a = instance_random(9, M, N, D);
    double source[M], target[N], ys[M], yt[N];
    for (size_t i = 0; i < M; ++i) ys[i] = a.ys[i] - (source[i] = sin(a.xs[i * D]));
    for (size_t i = 0; i < N; ++i) yt[i] = a.yt[i] - (target[i] = sin(a.xt[i * D]));
    dpa_problem *scored = problem_of(&a, a.ys, a.xt, a.yt, N);
    dpa_problem *left = problem_of(&a, ys, a.xt, yt, N);
    assert_ok(dpa_problem_set_scores(scored, DPA_SOURCE, source, M));
    dpa_options *options = public_options(NULL);
    dpa_options *seeded = private_options("unsafe_seed", "4", NULL);
    dpa_solution *solution = NULL;
    assert_error(dpa_solve(scored, NULL, options, &solution), DPA_E_STATE, "scores");
    assert_ok(dpa_problem_set_scores(scored, DPA_TARGET, target, N));
    assert_error(dpa_problem_set_scores(scored, DPA_TARGET, target, N), DPA_E_STATE, "already");
    const dpa_options *both[] = {options, seeded};
    for (size_t k = 0; k < LENGTH(both); ++k) {
        dpa_solution *one = solve(scored, both[k]), *two = solve(left, both[k]);
        assert_same_predictor(one, two, 0);
        dpa_solution_destroy(one);
        dpa_solution_destroy(two);
    }
    assert_ok(dpa_options_parse(options, "loss", "logistic"));
    assert_error(dpa_solve(scored, NULL, options, &solution), DPA_E_UNSUPPORTED, "numbers");
    dpa_options_destroy(options);
    dpa_options_destroy(seeded);
    dpa_problem_destroy(scored);
    dpa_problem_destroy(left);
    instance_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_with_labels_are_of_labelled_rows),
        cmocka_unit_test(features_count_without_labels),
        cmocka_unit_test(without_labels_fits_are_refused),
        cmocka_unit_test(a_known_share_makes_up_for_missing_labels),
        cmocka_unit_test(scores_are_taken_from_the_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

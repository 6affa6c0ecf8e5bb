/* problem.h: public rows may have weights, and a row of weight 2 counts like two rows. */
#include "unit/private.h"

enum { M = 160, N = 150, D = 3, MOST = 2 * (M + N) };

typedef struct {
    instance data;
    double ws[M], wt[N];
} fixture;

/* Weights 0 to 3; the rows repeated as often. */
static fixture make(uint64_t seed) {
    fixture f = {instance_random(seed, M, N, D), {0}, {0}};
    for (size_t i = 0; i < M; ++i) f.ws[i] = (double)(i % 4);
    for (size_t i = 0; i < N; ++i) f.wt[i] = (double)((i + 1) % 3);
    return f;
}

enum { SOURCE = 1, TARGET = 2 };

static dpa_problem *weighted(const fixture *f, int domains, double unit) {
    dpa_problem *problem = instance_problem(&f->data);
    double ws[M], wt[N];
    for (size_t i = 0; i < M; ++i) ws[i] = unit * f->ws[i];
    for (size_t i = 0; i < N; ++i) wt[i] = unit * f->wt[i];
    if (domains & SOURCE) assert_ok(dpa_problem_set_source_weights(problem, ws, M));
    if (domains & TARGET) assert_ok(dpa_problem_set_target_weights(problem, wt, N));
    return problem;
}

static size_t repeat(const double *x, const double *y, const double *weights, size_t rows,
                     double *xs, double *ys) {
    size_t count = 0;
    for (size_t i = 0; i < rows; ++i)
        for (int k = 0; k < (weights ? (int)weights[i] : 1); ++k) {
            memcpy(xs + count * D, x + i * D, D * sizeof(double));
            ys[count++] = y[i];
        }
    return count;
}

static dpa_problem *repeated(const fixture *f, int domains) {
    static double xs[MOST * D], ys[MOST], xt[MOST * D], yt[MOST];
    const instance *a = &f->data;
    instance copy = {0, 0, D, xs, ys, xt, yt};
    copy.m = repeat(a->xs, a->ys, domains & SOURCE ? f->ws : NULL, M, xs, ys);
    copy.n = repeat(a->xt, a->yt, domains & TARGET ? f->wt : NULL, N, xt, yt);
    return instance_problem(&copy);
}

/* Both problems give the same predictor. */
static void assert_same_fit(dpa_problem *one, dpa_problem *other, const dpa_options *options,
                            const char *baseline, double rtol) {
    dpa_problem *problems[] = {one, other};
    double fits[2][D + 1];
    for (size_t k = 0; k < 2; ++k) {
        dpa_solution *solution = NULL;
        if (baseline) assert_ok(dpa_baseline_solve(problems[k], baseline, options, &solution));
        if (!baseline) solution = solve(problems[k], options);
        copy_predictor(solution, D, fits[k]);
        dpa_solution_destroy(solution);
        dpa_problem_destroy(problems[k]);
    }
    for (size_t j = 0; j <= D; ++j) assert_close(fits[0][j], fits[1][j], rtol, rtol);
}

static void a_row_of_weight_2_counts_like_two_rows(void **state) {
    (void)state;
    static const char *const extras[][2] = {
        {"preprocess", "standardize"},  {"preprocess", "whiten"}, {"preprocess", "none"},
        {"intercept", "false"},         {"kappa_1", "0.3"},       {"label_bound", "quantile"},
        {"feature_radius", "quantile"}, {"discrepancy", "0.25"},  {"loss", "huber"},
    };
    for (size_t k = 0; k < LENGTH(extras); ++k) {
        fixture f = make(3 + k);
        const int domains = 1 + (int)(k % 3);
        dpa_options *options = public_options("alpha", "0.4", "tolerance", "1e-15", NULL);
        assert_ok(dpa_options_parse(options, extras[k][0], extras[k][1]));
        const double rtol = strcmp(extras[k][0], "loss") ? 1e-10 : 1e-6;
        assert_same_fit(weighted(&f, domains, 1), repeated(&f, domains), options, NULL, rtol);
        dpa_options_destroy(options);
        instance_free(f.data);
    }
}

static void baselines_follow_weights(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int domains;
    } cases[] = {{"source_only", SOURCE | TARGET},
                 {"target_only", SOURCE | TARGET},
                 {"pooled", SOURCE | TARGET},
                 {"dm", TARGET}};
    for (size_t k = 0; k < LENGTH(cases); ++k) {
        fixture f = make(50 + k);
        dpa_options *options = public_options("alpha", "0.4", "tolerance", "1e-12", NULL);
        assert_same_fit(weighted(&f, cases[k].domains, 1), repeated(&f, cases[k].domains), options,
                        cases[k].name, strcmp(cases[k].name, "dm") ? 1e-9 : 1e-3);
        dpa_options_destroy(options);
        instance_free(f.data);
    }
}

/* The private sample is the same; weights are of the other one. A clip of all public gradients: how
 * much wider than that of clip_quantile it is depends on the number of rows. There are more than 20
 * rows a parameter: fewer are left out one by one, where two rows are not one of weight 2. */
static void private_fits_follow_weights_of_public_rows(void **state) {
    (void)state;
    static const struct {
        const char *name, *value, *domain;
        int domains;
    } cases[] = {{"alpha", "0.4", "target", SOURCE},
                 {"alpha", "0.4", "source", TARGET},
                 {"discrepancy", "0.2", "target", SOURCE},
                 {"kappa_1", "100", "source", TARGET}};
    for (size_t k = 0; k < LENGTH(cases); ++k) {
        fixture f = make(70 + k);
        dpa_options *options = private_options(
            "alpha", "0.4", "discrepancy", "0.1", "epsilon", "5", "private_domain", cases[k].domain,
            "unsafe_seed", "7", "tolerance", "1e-14", "clip_quantile", "1", NULL);
        assert_ok(dpa_options_parse(options, cases[k].name, cases[k].value));
        assert_same_fit(weighted(&f, cases[k].domains, 1), repeated(&f, cases[k].domains), options,
                        NULL, 1e-9);
        dpa_options_destroy(options);
        instance_free(f.data);
    }
}

static void only_ratios_of_weights_count(void **state) {
    (void)state;
    static const char *const domains[] = {"none", "target", "source"};
    for (size_t k = 0; k < LENGTH(domains); ++k) {
        fixture f = make(90 + k);
        const int of = k == 0 ? SOURCE | TARGET : k == 1 ? SOURCE : TARGET;
        dpa_options *options =
            k == 0 ? public_options(NULL)
                   : private_options("private_domain", domains[k], "unsafe_seed", "1", NULL);
        assert_same_fit(weighted(&f, of, 1), weighted(&f, of, 8), options, NULL, 1e-12);
        dpa_options_destroy(options);
        instance_free(f.data);
    }
}

/* With coupled weights as well; the weights that are returned are at most alpha w_i / sum w. */
static void weights_are_reference_weights(void **state) {
    (void)state;
    static const char *const prices[][2] = {
        {"kappa_2", "0.1"}, {"kappa_inf", "1"}, {"kappa_1", "0.01"}};
    for (size_t k = 0; k < LENGTH(prices); ++k) {
        fixture f = make(110 + k);
        double q[M], sum = 0;
        for (size_t i = 0; i < M; ++i) sum += f.ws[i];
        dpa_options *options = public_options("alpha", "0.5", prices[k][0], prices[k][1], NULL);
        dpa_problem *problem = weighted(&f, SOURCE, 1);
        dpa_solution *solution = solve(problem, options);
        assert_ok(dpa_solution_source_weights(solution, q, M));
        for (size_t i = 0; i < M; ++i) {
            assert_at_most(q[i], 0.5 * f.ws[i] / sum * (1 + 1e-12));
            assert_int_equal(q[i] > 0, f.ws[i] > 0);
        }
        dpa_solution_destroy(solution);
        dpa_problem_destroy(problem);
        dpa_options_destroy(options);
        instance_free(f.data);
    }
}

static dpa_status fit_status(dpa_problem *problem, const dpa_options *options, const char *method) {
    dpa_solution *solution = NULL;
    const dpa_status status = method ? dpa_baseline_solve(problem, method, options, &solution)
                                     : dpa_solve(problem, NULL, options, &solution);
    dpa_solution_destroy(solution);
    return status;
}

static void what_cannot_follow_weights_refuses(void **state) {
    (void)state;
    fixture f = make(1);
    dpa_problem *source = weighted(&f, SOURCE, 1), *target = weighted(&f, TARGET, 1);
    dpa_options *open = public_options(NULL), *shut = private_options(NULL);
    static const char *const own[] = {"kmm", "kliep", "ulsif",        "rulsif",
                                      "dm",  "gdm",   "tradaboost_r2"};
    for (size_t k = 0; k < LENGTH(own); ++k)
        assert_error(fit_status(source, open, own[k]), DPA_E_UNSUPPORTED, own[k]);
    assert_error(fit_status(target, open, "kmm"), DPA_E_UNSUPPORTED, "kmm");
    assert_error(fit_status(source, shut, "private_dm"), DPA_E_UNSUPPORTED, "private_dm");
    assert_error(fit_status(target, shut, NULL), DPA_E_UNSUPPORTED, "private sample");
    assert_ok(dpa_options_parse(shut, "method", "paper"));
    assert_error(fit_status(source, shut, NULL), DPA_E_UNSUPPORTED, "method = paper");
    dpa_options_destroy(shut);
    shut = private_options("alpha", "0.5", "discrepancy", "0", "kappa_2", "1", NULL);
    assert_error(fit_status(source, shut, NULL), DPA_E_UNSUPPORTED, "kappa_2");
    double bad[M] = {0};
    assert_ok(dpa_problem_set_source_weights(source, bad, M));
    assert_error(fit_status(source, open, NULL), DPA_E_INVALID_ARGUMENT, "not 0");
    bad[5] = -1;
    assert_ok(dpa_problem_set_source_weights(source, bad, M));
    assert_error(fit_status(source, open, NULL), DPA_E_INVALID_ARGUMENT, "source row 5");
    bad[5] = NAN;
    assert_ok(dpa_problem_set_source_weights(source, bad, M));
    assert_error(fit_status(source, open, NULL), DPA_E_INVALID_ARGUMENT, "row 5");
    dpa_solution *fit = NULL;
    assert_ok(dpa_problem_set_source_weights(source, f.ws, M));
    assert_ok(dpa_solve(source, NULL, open, &fit));
    dpa_evaluation *evaluation = NULL;
    const dpa_solution *fits[] = {fit};
    assert_error(dpa_evaluate(target, fits, 1, open, &evaluation), DPA_E_UNSUPPORTED, "evaluation");
    dpa_solution_destroy(fit);
    dpa_options_destroy(open);
    dpa_options_destroy(shut);
    dpa_problem_destroy(source);
    dpa_problem_destroy(target);
    instance_free(f.data);
}

/* Rows of weight 0, like rows without a label, are rows of the sample for all that. */
static void the_report_counts_all_rows(void **state) {
    (void)state;
    fixture f = make(130);
    for (int k = 0; k < 2; ++k) {
        if (k == 1) f.data.ys[7] = NAN;
        dpa_problem *problem = k == 0 ? weighted(&f, SOURCE, 1) : instance_problem(&f.data);
        dpa_options *options = private_options(NULL);
        dpa_solution *solution = solve(problem, options);
        char *text = solution_report(solution, DPA_REPORT_JSON);
        assert_non_null(strstr(text, "\"source_rows\":160"));
        assert_null(strstr(text, "\"source_rows\":null"));
        free(text);
        dpa_solution_destroy(solution);
        dpa_options_destroy(options);
        dpa_problem_destroy(problem);
    }
    instance_free(f.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_of_weight_2_counts_like_two_rows),
        cmocka_unit_test(baselines_follow_weights),
        cmocka_unit_test(private_fits_follow_weights_of_public_rows),
        cmocka_unit_test(only_ratios_of_weights_count),
        cmocka_unit_test(weights_are_reference_weights),
        cmocka_unit_test(what_cannot_follow_weights_refuses),
        cmocka_unit_test(the_report_counts_all_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

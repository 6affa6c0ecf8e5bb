/* problem.h: public rows may have weights, and a row of weight 2 counts like two rows. Private rows
 * have weights up to a public bound. */
#include <stdio.h>

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
    if (domains & SOURCE) assert_ok(dpa_problem_set_weights(problem, DPA_SOURCE, ws, M));
    if (domains & TARGET) assert_ok(dpa_problem_set_weights(problem, DPA_TARGET, wt, N));
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

/* Rows of hardly any weight move hardly anything of a perceptron's last layer, learnt alone. */
static void a_last_layer_follows_weights_of_public_rows(void **state) {
    (void)state;
    fixture f = make(85);
    dpa_options *options =
        private_options("loss", "perceptron", "perceptron_output", "squared", "hidden_units", "2",
                        "epsilon", "5", "unsafe_seed", "7", NULL);
    double y[2][N];
    for (size_t k = 0; k < 2; ++k) {
        for (size_t i = 0; i < M; ++i)
            if (i % 4 == 0) {
                f.ws[i] = 1e-12; /* a row of weight 0 would be none */
                f.data.ys[i] = k == 0 ? 0 : 50;
            }
        dpa_problem *problem = weighted(&f, SOURCE, 1);
        dpa_solution *solution = solve(problem, options);
        assert_ok(dpa_solution_predict(solution, DPA_PREDICT_LABELS,
                                       (dpa_matrix){f.data.xt, N, D, D, DPA_ROW_MAJOR}, y[k], N));
        dpa_solution_destroy(solution);
        dpa_problem_destroy(problem);
    }
    for (size_t i = 0; i < N; ++i) assert_close(y[0][i], y[1][i], 1e-6, 1e-6);
    dpa_options_destroy(options);
    instance_free(f.data);
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
        assert_ok(dpa_solution_array(solution, "source_weights", q, M));
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
    assert_ok(dpa_problem_set_weights(source, DPA_SOURCE, bad, M));
    assert_error(fit_status(source, open, NULL), DPA_E_INVALID_ARGUMENT, "not 0");
    bad[5] = -1;
    assert_ok(dpa_problem_set_weights(source, DPA_SOURCE, bad, M));
    assert_error(fit_status(source, open, NULL), DPA_E_INVALID_ARGUMENT, "source row 5");
    bad[5] = NAN;
    assert_ok(dpa_problem_set_weights(source, DPA_SOURCE, bad, M));
    assert_error(fit_status(source, open, NULL), DPA_E_INVALID_ARGUMENT, "row 5");
    dpa_solution *fit = NULL;
    assert_ok(dpa_problem_set_weights(source, DPA_SOURCE, f.ws, M));
    assert_ok(dpa_solve(source, NULL, open, &fit));
    dpa_evaluation *evaluation = NULL;
    dpa_solution *calibrated = NULL;
    const dpa_solution *fits[] = {fit};
    dpa_options_destroy(shut);
    shut = private_options(NULL);
    assert_ok(dpa_evaluate(target, fits, 1, open, &evaluation));
    dpa_evaluation_destroy(evaluation);
    assert_error(dpa_evaluate(target, fits, 1, shut, &evaluation), DPA_E_UNSUPPORTED, "evaluation");
    assert_error(dpa_solution_calibrate(fit, target, open, &calibrated), DPA_E_UNSUPPORTED,
                 "calibration");
    dpa_solution_destroy(fit);
    dpa_options_destroy(open);
    dpa_options_destroy(shut);
    dpa_problem_destroy(source);
    dpa_problem_destroy(target);
    instance_free(f.data);
}

/* What is wrong with a weight would tell of the row. */
static void weights_of_a_locked_problem_are_not_read(void **state) {
    (void)state;
    fixture f = make(1);
    dpa_problem *problem = instance_problem(&f.data);
    dpa_options *open = public_options(NULL), *shut = private_options(NULL);
    dpa_solution *fit = solve(problem, open);
    const dpa_solution *fits[] = {fit};
    double bad[N] = {0};
    bad[5] = -1;
    dpa_problem_destroy(problem);
    problem = instance_problem(&f.data);
    assert_ok(dpa_problem_set_weights(problem, DPA_TARGET, bad, N));
    assert_ok(dpa_problem_set_budget(problem, shut));
    assert_ok(dpa_problem_lock(problem, shut));
    dpa_evaluation *evaluation = NULL;
    size_t chosen = 0;
    assert_error(fit_status(problem, open, NULL), DPA_E_STATE, "locked");
    assert_error(dpa_evaluate(problem, fits, 1, open, &evaluation), DPA_E_STATE, "locked");
    assert_error(dpa_select(problem, fits, 1, open, &chosen), DPA_E_STATE, "locked");
    dpa_solution_destroy(fit);
    dpa_options_destroy(open);
    dpa_options_destroy(shut);
    dpa_problem_destroy(problem);
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

/* Private rows */

/* The fit under a seed, by the target's labels and weights; NULL: without weights. */
static void fit_target(const fixture *f, double *y, const double *weights,
                       const dpa_options *options, double *predictor) {
    instance copy = f->data;
    copy.yt = y;
    dpa_problem *problem = instance_problem(&copy);
    if (weights) assert_ok(dpa_problem_set_weights(problem, DPA_TARGET, weights, N));
    dpa_solution *solution = solve(problem, options);
    copy_predictor(solution, D, predictor);
    dpa_solution_destroy(solution);
    dpa_problem_destroy(problem);
}

static const char *const private_fits[][2] = {{"alpha", "auto"},
                                              {"loss", "huber"},
                                              {"inference", "yes"},
                                              {"form", "general"},
                                              {"anchor_share", "0.3"}};

static dpa_options *weighing(size_t fit, const char *bound, const char *share) {
    dpa_options *options =
        private_options("epsilon", "5", "unsafe_seed", "3", "row_weight_bound", bound,
                        "labelled_share", share, private_fits[fit][0], private_fits[fit][1], NULL);
    if (!strcmp(private_fits[fit][0], "form"))
        assert_ok(dpa_options_parse(options, "alpha", "0.4"));
    return options;
}

static void private_weights_are_clipped_to_their_bound(void **state) {
    (void)state;
    for (size_t k = 0; k < LENGTH(private_fits); ++k) {
        fixture f = make(150 + k);
        double y[N], odd[N], even[N], scaled[N], found[6][D + 1];
        for (size_t i = 0; i < N; ++i) {
            y[i] = i % 5 ? f.data.yt[i] : NAN;
            even[i] = i % 5 == 1 ? 2 : i % 5 ? f.wt[i] : 0;
            odd[i] = i % 5 == 1 ? 1e300 : i % 5 ? f.wt[i] : i % 2 ? NAN : -3;
            scaled[i] = 8 * odd[i];
        }
        dpa_options *options = weighing(k, "2", "auto");
        fit_target(&f, f.data.yt, even, options, found[0]);
        fit_target(&f, f.data.yt, odd, options, found[1]);
        fit_target(&f, y, even, options, found[2]); /* no weight is no label */
        for (size_t i = 0; i < N; ++i)
            if (i % 5 == 0) even[i] = 2;
        fit_target(&f, y, even, options, found[3]);
        fit_target(&f, f.data.yt, even, options, found[4]);
        dpa_options_destroy(options);
        options = weighing(k, "16", "auto");
        fit_target(&f, f.data.yt, scaled, options, found[5]); /* ratios to the bound count */
        for (size_t j = 1; j < 6; ++j)
            if (j != 4) assert_same_bits(found[j], found[0], D + 1);
        assert_true(memcmp(found[4], found[0], sizeof found[0]) != 0);
        dpa_options_destroy(options);
        instance_free(f.data);
    }
}

/* Where it is public that all have it nothing is counted. */
static void private_rows_of_the_largest_weight_are_as_without_weights(void **state) {
    (void)state;
    for (size_t k = 0; k < LENGTH(private_fits); ++k) {
        fixture f = make(160 + k);
        double ones[N], found[2][D + 1];
        for (size_t i = 0; i < N; ++i) ones[i] = 1;
        dpa_options *options = weighing(k, "1", "1");
        fit_target(&f, f.data.yt, ones, options, found[0]);
        assert_ok(dpa_options_parse(options, "row_weight_bound", "none"));
        fit_target(&f, f.data.yt, NULL, options, found[1]);
        assert_same_bits(found[0], found[1], D + 1);
        dpa_options_destroy(options);
        instance_free(f.data);
    }
}

enum { MANY = 20000, FEW = 400 };

typedef struct {
    double x[MANY * D], y[MANY], weights[MANY];
    char share[32]; /* mean of the weights over their bound */
} biased;

/* Rows with a positive first feature are in the sample four times as often as they should be, and
 * the label bends in it, so that the best linear predictor depends on that. Weights undo it. */
static biased *make_biased(void) {
    static biased made;
    uint64_t seed = 5;
    double sum = 0;
    for (size_t i = 0; i < MANY; ++i) {
        double *row = made.x + i * D;
        do {
            for (size_t j = 0; j < D; ++j) row[j] = normal(&seed);
        } while (row[0] < 0 && uniform(&seed) > 0.25);
        made.y[i] = row[0] * row[0] / 2 + row[0] + row[1] - row[2] + 0.3 * normal(&seed);
        made.weights[i] = row[0] < 0 ? 4 : 1;
        sum += made.weights[i] / 4 / MANY;
    }
    snprintf(made.share, sizeof made.share, "%.17g", sum);
    return &made;
}

/* Of four fits the last two, with weights counted and told, are near the first; the second, without
 * weights, is not. */
static void assert_weights_help(double (*found)[D + 1], double within) {
    double off = 0;
    for (size_t j = 0; j <= D; ++j) {
        assert_close(found[2][j], found[0][j], 0, within);
        assert_close(found[3][j], found[0][j], 0, within);
        off = fmax(off, fabs(found[1][j] - found[0][j]));
    }
    assert_true(off > 0.15);
}

/* The private fit comes near the public one with the same weights, whether their mean is told or
 * not, whichever sample is private, and however alpha is found. */
static void private_weights_undo_a_biased_sample(void **state) {
    (void)state;
    biased *data = make_biased();
    static const struct {
        int source;
        const char *alpha, *same; /* with so many records auto is their own fit */
    } cases[] = {{0, "auto", "0"}, {0, "0.3", "0.3"}, {1, "0.7", "0.7"}};
    for (size_t c = 0; c < LENGTH(cases); ++c) {
        const int source = cases[c].source;
        instance other = instance_random(3, FEW, FEW, D);
        instance rows = {FEW, MANY, D, other.xs, other.ys, data->x, data->y};
        if (source) rows = (instance){MANY, FEW, D, data->x, data->y, other.xt, other.yt};
        double found[4][D + 1];
        for (int k = 0; k < 4; ++k) { /* public; private without weights, counted, told */
            dpa_options *options =
                k == 0 ? public_options("alpha", cases[c].same, NULL)
                       : private_options("epsilon", "50", "unsafe_seed", "1", "alpha",
                                         cases[c].alpha, "clip_bound", "20", "private_domain",
                                         source ? "source" : "target", NULL);
            assert_ok(dpa_options_parse(options, "form", "general"));
            if (k == 0) assert_ok(dpa_options_parse(options, "discrepancy", "0"));
            if (k > 1) assert_ok(dpa_options_parse(options, "row_weight_bound", "4"));
            if (k > 2) assert_ok(dpa_options_parse(options, "labelled_share", data->share));
            dpa_problem *problem = instance_problem(&rows);
            if (k != 1)
                assert_ok(source
                              ? dpa_problem_set_weights(problem, DPA_SOURCE, data->weights, MANY)
                              : dpa_problem_set_weights(problem, DPA_TARGET, data->weights, MANY));
            dpa_solution *solution = solve(problem, options);
            copy_predictor(solution, D, found[k]);
            dpa_solution_destroy(solution);
            dpa_problem_destroy(problem);
            dpa_options_destroy(options);
        }
        assert_weights_help(found, 0.03);
        instance_free(other);
    }
}

static void private_baselines_follow_weights(void **state) {
    (void)state;
    biased *data = make_biased();
    static const char *const methods[] = {"joint_ssp", "ada_ssp", "public_ssp"};
    instance other = instance_random(3, FEW, 1, D);
    instance rows = {FEW, MANY, D, other.xs, other.ys, data->x, data->y};
    for (size_t m = 0; m < LENGTH(methods); ++m) {
        double found[4][D + 1];
        for (int k = 0; k < 4; ++k) {
            dpa_options *options =
                k == 0 ? public_options("radius", "9", NULL)
                       : private_options("epsilon", "50", "unsafe_seed", "1", "radius", "9",
                                         "feature_radius", "6", "label_bound", "15",
                                         "clip_quantile", "1", NULL);
            if (k > 1) assert_ok(dpa_options_parse(options, "row_weight_bound", "4"));
            if (k > 2) assert_ok(dpa_options_parse(options, "labelled_share", data->share));
            dpa_problem *problem = instance_problem(&rows);
            if (k != 1)
                assert_ok(dpa_problem_set_weights(problem, DPA_TARGET, data->weights, MANY));
            dpa_solution *solution = NULL;
            assert_ok(dpa_baseline_solve(problem, k == 0 ? "target_only" : methods[m], options,
                                         &solution));
            copy_predictor(solution, D, found[k]);
            dpa_solution_destroy(solution);
            dpa_problem_destroy(problem);
            dpa_options_destroy(options);
        }
        assert_weights_help(found, 0.05);
    }
    instance_free(other);
}

static void what_private_weights_cannot_do_is_refused(void **state) {
    (void)state;
    fixture f = make(2);
    static const struct {
        const char *name, *value, *word;
        const char *baseline;
    } cases[] = {{"private_domain", "both", "target or source", NULL},
                 {"private_domain", "none", "target or source", NULL},
                 {"alpha", "0.5", "discrepancy", NULL},
                 {"method", "paper", "paper", NULL},
                 {"kappa_2", "1", "kappa_2", NULL},
                 {"epochs", "5", "noisy_sgd", "noisy_sgd"}};
    for (size_t k = 0; k < LENGTH(cases); ++k) {
        dpa_problem *problem = weighted(&f, TARGET, 1);
        dpa_options *options = private_options("row_weight_bound", "2", NULL);
        if (!strcmp(cases[k].name, "private_domain") && !strcmp(cases[k].value, "none")) {
            dpa_options_destroy(options);
            options = public_options("row_weight_bound", "2", NULL);
        }
        if (!strcmp(cases[k].name, "kappa_2"))
            assert_ok(dpa_options_parse(options, "alpha", "0.5"));
        assert_ok(dpa_options_parse(options, cases[k].name, cases[k].value));
        dpa_solution *solution = NULL;
        dpa_plan *plan = NULL;
        assert_error(cases[k].baseline
                         ? dpa_baseline_solve(problem, cases[k].baseline, options, &solution)
                         : dpa_solve(problem, NULL, options, &solution),
                     DPA_E_UNSUPPORTED, cases[k].word);
        if (!cases[k].baseline && strcmp(cases[k].value, "none"))
            assert_error(dpa_plan_create(M, N, D, options, &plan), DPA_E_UNSUPPORTED,
                         cases[k].word);
        dpa_options_destroy(options);
        dpa_problem_destroy(problem);
    }
    dpa_options *options = private_options("row_weight_bound", "2", NULL);
    dpa_problem *problem = weighted(&f, TARGET, 1), *without = weighted(&f, SOURCE, 1);
    dpa_discrepancy *discrepancy = NULL;
    dpa_solution *solution = NULL;
    assert_error(dpa_discrepancy_estimate(problem, options, &discrepancy), DPA_E_UNSUPPORTED,
                 "discrepancy");
    assert_error(dpa_solve(without, NULL, options, &solution), DPA_E_OPTION, "have none",
                 "row_weight_bound");
    assert_error(dpa_options_parse(options, "row_weight_bound", "0"), DPA_E_OPTION,
                 "row_weight_bound");
    double wt[N];
    for (size_t i = 0; i < N; ++i) wt[i] = 1;
    dpa_problem *unlabelled = instance_problem(&f.data);
    assert_ok(dpa_problem_set_sample(unlabelled, DPA_TARGET,
                                     (dpa_matrix){f.data.xt, N, D, D, DPA_ROW_MAJOR}, NULL, 0));
    assert_ok(dpa_problem_set_weights(unlabelled, DPA_TARGET, wt, N));
    assert_error(fit_status(unlabelled, options, "private_coral"), DPA_E_LABEL,
                 "the sum of the weights of private rows");
    dpa_problem_destroy(unlabelled);
    dpa_options_destroy(options);
    options = private_options(NULL);
    assert_error(fit_status(problem, options, NULL), DPA_E_UNSUPPORTED, "row_weight_bound");
    dpa_options_destroy(options);
    dpa_problem_destroy(without);
    dpa_problem_destroy(problem);
    instance_free(f.data);
}

/* The plan knows what the fit pays, and the report tells the sum that was released. */
static void the_sum_of_private_weights_is_a_release(void **state) {
    (void)state;
    fixture f = make(140);
    for (int told = 0; told < 2; ++told) {
        dpa_options *options = private_options("row_weight_bound", "2", NULL);
        if (told) assert_ok(dpa_options_parse(options, "labelled_share", "0.5"));
        dpa_plan *plan = NULL;
        assert_ok(dpa_plan_create(M, N, D, options, &plan));
        dpa_problem *problem = weighted(&f, TARGET, 1);
        dpa_solution *solution = solve(problem, options);
        char *planned = plan_report(plan, DPA_REPORT_JSON);
        char *made = solution_report(solution, DPA_REPORT_JSON);
        for (int k = 0; k < 2; ++k)
            assert_int_equal(strstr(k ? made : planned, "sum of the records' weights") != NULL,
                             !told);
        free(planned);
        free(made);
        dpa_plan_destroy(plan);
        dpa_solution_destroy(solution);
        dpa_problem_destroy(problem);
        dpa_options_destroy(options);
    }
    instance_free(f.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_of_weight_2_counts_like_two_rows),
        cmocka_unit_test(baselines_follow_weights),
        cmocka_unit_test(private_fits_follow_weights_of_public_rows),
        cmocka_unit_test(a_last_layer_follows_weights_of_public_rows),
        cmocka_unit_test(only_ratios_of_weights_count),
        cmocka_unit_test(weights_are_reference_weights),
        cmocka_unit_test(what_cannot_follow_weights_refuses),
        cmocka_unit_test(weights_of_a_locked_problem_are_not_read),
        cmocka_unit_test(the_report_counts_all_rows),
        cmocka_unit_test(private_weights_are_clipped_to_their_bound),
        cmocka_unit_test(private_rows_of_the_largest_weight_are_as_without_weights),
        cmocka_unit_test(private_weights_undo_a_biased_sample),
        cmocka_unit_test(private_baselines_follow_weights),
        cmocka_unit_test(what_private_weights_cannot_do_is_refused),
        cmocka_unit_test(the_sum_of_private_weights_is_a_release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

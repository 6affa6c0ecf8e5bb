/* discrepancy.h: the estimate against closed forms, its bounds and its maximizer. */
#include <stdio.h>

#include "check.h"
#include "unit/private.h"

static const char *const methods[] = {"trust_region", "dca"};

/* Mean squared loss of the linear predictor (w, b) on rows of d features. */
static double mean_loss(const double *x, const double *y, size_t rows, size_t d, const double *w,
                        double b) {
    double sum = 0;
    for (size_t i = 0; i < rows; ++i) {
        double r = b - y[i];
        for (size_t j = 0; j < d; ++j) r += w[j] * x[i * d + j];
        sum += r * r;
    }
    return sum / (double)rows;
}

static double loss_difference(const instance *a, const double *w, double b) {
    return fabs(mean_loss(a->xt, a->yt, a->n, a->d, w, b) -
                mean_loss(a->xs, a->ys, a->m, a->d, w, b));
}

typedef struct {
    double value, lower, upper, w[8], intercept;
} estimate;

/* Everything that an estimate tells; lower <= value <= upper always. */
static estimate estimated(const instance *a, const dpa_options *options) {
    estimate e;
    size_t features = 0;
    dpa_problem *problem = instance_problem(a);
    dpa_discrepancy *discrepancy = NULL;
    assert_ok(dpa_discrepancy_estimate(problem, options, &discrepancy));
    dpa_problem_destroy(problem); /* the estimate does not need it any more */
    assert_ok(dpa_discrepancy_value(discrepancy, "value", &e.value));
    e.lower = discrepancy_number(discrepancy, "lower");
    e.upper = discrepancy_number(discrepancy, "upper");
    features = (size_t)discrepancy_number(discrepancy, "features");
    assert_int_equal(features, a->d);
    assert_ok(dpa_discrepancy_maximizer(discrepancy, e.w, a->d));
    assert_ok(dpa_discrepancy_value(discrepancy, "intercept", &e.intercept));
    dpa_discrepancy_destroy(discrepancy);
    assert_at_most(0, e.value);
    assert_at_most(e.lower, e.value);
    assert_at_most(e.value, e.upper);
    return e;
}

static dpa_options *plain(const char *radius) {
    return public_options("preprocess", "none", "intercept", "false", "radius", radius, NULL);
}

/* Samples with A = diag(-1, 1/2), b = (0, -1/2), c = -1/2: w'Aw - 2b.w + c is least at
 * w_2 = -1/3 on the circle, with value -5/3; b is orthogonal to the extreme eigenvector. */
static void known_answer_in_the_hard_case(void **state) {
    (void)state;
    instance a = instance_allocate(2, 2, 2);
    a.xs[0] = a.xs[2] = 1;
    a.ys[0] = 1;
    a.ys[1] = -1;
    a.xt[1] = 1;
    a.yt[0] = -1;
    for (size_t i = 0; i < LENGTH(methods); ++i) {
        dpa_options *options = plain("1");
        assert_ok(dpa_options_parse(options, "discrepancy_method", methods[i]));
        estimate e = estimated(&a, options);
        assert_close(e.value, 5.0 / 3, 1e-12, 0);
        assert_close(fabs(e.w[0]), sqrt(8.0 / 9), 1e-6, 0);
        assert_close(e.w[1], -1.0 / 3, 1e-6, 0);
        assert_close(e.intercept, 0, 0, 0);
        assert_at_most(e.upper - e.lower, 1e-11);
        dpa_options_destroy(options);
    }
    instance_free(a);
}

static void identical_samples_have_none(void **state) {
    (void)state;
    instance a = instance_random(5, 30, 30, 3);
    memcpy(a.xt, a.xs, 30 * 3 * sizeof(double));
    memcpy(a.yt, a.ys, 30 * sizeof(double));
    static const char *const kinds[] = {"labelled", "unlabelled"};
    for (size_t i = 0; i < LENGTH(kinds); ++i) {
        dpa_options *options = public_options("discrepancy_kind", kinds[i], NULL);
        estimate e = estimated(&a, options);
        assert_close(e.value, 0, 0, 1e-12);
        assert_close(e.upper, 0, 0, 1e-9);
        dpa_options_destroy(options);
    }
    instance_free(a);
}

/* Largest |L_target - L_source| over [low, high] for one feature: ends and stationary point. */
static double largest_on_interval(const instance *a, double low, double high) {
    double zero = 0, one = 1, minus = -1;
    double f0 =
        mean_loss(a->xt, a->yt, a->n, 1, &zero, 0) - mean_loss(a->xs, a->ys, a->m, 1, &zero, 0);
    double f1 =
        mean_loss(a->xt, a->yt, a->n, 1, &one, 0) - mean_loss(a->xs, a->ys, a->m, 1, &one, 0);
    double f2 =
        mean_loss(a->xt, a->yt, a->n, 1, &minus, 0) - mean_loss(a->xs, a->ys, a->m, 1, &minus, 0);
    double stationary = -((f1 - f2) / 2) / (f1 + f2 - 2 * f0);
    double best = fmax(loss_difference(a, &low, 0), loss_difference(a, &high, 0));
    if (low < stationary && stationary < high)
        best = fmax(best, loss_difference(a, &stationary, 0));
    return best;
}

static void one_feature_in_closed_form(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 30; ++seed) {
        instance a = instance_random(seed, 15, 8, 1);
        for (size_t i = 0; i < LENGTH(methods); ++i) {
            dpa_options *options = plain("1.5");
            assert_ok(dpa_options_parse(options, "discrepancy_method", methods[i]));
            assert_close(estimated(&a, options).value, largest_on_interval(&a, -1.5, 1.5), 1e-10,
                         0);
            dpa_options_destroy(options);
        }
        instance_free(a);
    }
}

static void local_ball_has_its_centre_and_radius(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        instance a = instance_random(seed, 15, 8, 1);
        double centre = 0.5;
        dpa_options *options = plain("3");
        assert_ok(dpa_options_parse(options, "discrepancy_center", "0.5"));
        assert_ok(dpa_options_set(options, "discrepancy_radius", 0.25));
        estimate e = estimated(&a, options);
        assert_close(e.value, largest_on_interval(&a, 0.25, 0.75), 1e-10, 0);
        assert_at_most(fabs(e.w[0] - centre), 0.25 + 1e-12);
        assert_ok(dpa_options_set(options, "discrepancy_radius", 0));
        e = estimated(&a, options);
        assert_close(e.value, loss_difference(&a, &centre, 0), 1e-12, 0);
        assert_close(e.w[0], centre, 1e-15, 0);
        dpa_options_destroy(options);
        instance_free(a);
    }
}

/* The centre is given in the user's features, intercept last, whatever the preprocessing. */
static void centre_is_in_the_users_features(void **state) {
    (void)state;
    instance a = instance_random(21, 50, 30, 3);
    const double centre[3] = {0.5, -2, 0.25};
    static const char *const ways[] = {"none", "standardize", "whiten"};
    for (size_t i = 0; i < LENGTH(ways); ++i) {
        dpa_options *options = public_options("preprocess", ways[i], "discrepancy_center",
                                              "0.5,-2,0.25,4", "discrepancy_radius", "0", NULL);
        estimate e = estimated(&a, options);
        for (size_t j = 0; j < 3; ++j) assert_close(e.w[j], centre[j], 1e-10, 0);
        assert_close(e.intercept, 4, 1e-10, 0);
        assert_close(e.value, loss_difference(&a, centre, 4), 1e-9, 0);
        dpa_options_destroy(options);
    }
    instance_free(a);
}

static void centre_of_wrong_length_is_an_option_error(void **state) {
    (void)state;
    instance a = instance_random(21, 50, 30, 3);
    dpa_problem *problem = instance_problem(&a);
    static const char *const wrong[] = {"1", "1,2,3", "1,2,3,4,5"};
    for (size_t i = 0; i < LENGTH(wrong); ++i) {
        dpa_options *options = public_options("discrepancy_center", wrong[i], NULL);
        dpa_discrepancy *discrepancy = (dpa_discrepancy *)problem;
        assert_error(dpa_discrepancy_estimate(problem, options, &discrepancy), DPA_E_OPTION,
                     "dpa_discrepancy_estimate", "discrepancy_center", "4");
        assert_null(discrepancy);
        assert_ok(dpa_options_parse(options, "discrepancy_center", "zero"));
        assert_ok(dpa_discrepancy_estimate(problem, options, &discrepancy));
        dpa_discrepancy_destroy(discrepancy);
        dpa_options_destroy(options);
    }
    dpa_problem_destroy(problem);
    instance_free(a);
}

/* Around the source fit with radius 0 the estimate is the loss difference of that fit, which for
 * one feature through the origin is sum xy / sum xx. */
static void centre_at_the_source_fit(void **state) {
    (void)state;
    instance a = instance_random(22, 25, 10, 1);
    double xy = 0, xx = 0;
    for (size_t i = 0; i < a.m; ++i) {
        xy += a.xs[i] * a.ys[i];
        xx += a.xs[i] * a.xs[i];
    }
    dpa_options *options = plain("9");
    assert_ok(dpa_options_parse(options, "discrepancy_center", "source"));
    assert_ok(dpa_options_parse(options, "discrepancy_radius", "0"));
    estimate e = estimated(&a, options);
    assert_close(e.w[0], xy / xx, 1e-7, 0);
    assert_close(e.value, loss_difference(&a, e.w, 0), 1e-12, 0);
    dpa_options_destroy(options);
    instance_free(a);
}

/* One feature: with t = w - w_S, s = sqrt(b) |t| and L_source = c + a t^2 the largest of
 * (s + e)^2 - L_source and L_source - max(0, s - e)^2, on a grid. */
static void disagreement_bounds_the_labelled_one(void **state) {
    (void)state;
    enum { POINTS = 200000 };
    const double radius = 2, most[] = {0, 0.3, 1, 9};
    for (uint64_t seed = 1; seed <= 12; ++seed) {
        instance x = instance_random(seed, 20, 12, 1);
        double a = 0, b = 0, xy = 0, yy = 0;
        for (size_t i = 0; i < x.m; ++i) {
            a += x.xs[i] * x.xs[i] / (double)x.m;
            xy += x.xs[i] * x.ys[i] / (double)x.m;
            yy += x.ys[i] * x.ys[i] / (double)x.m;
        }
        for (size_t i = 0; i < x.n; ++i) {
            b += x.xt[i] * x.xt[i] / (double)x.n;
            x.yt[i] = NAN;
        }
        for (size_t k = 0; k < LENGTH(most); ++k) {
            double e = most[k], above = 0, below = 0;
            for (int i = 0; i <= POINTS; ++i) {
                double t = radius * (2.0 * i / POINTS - 1) - xy / a, s = sqrt(b) * fabs(t);
                double loss = yy - xy * xy / a + a * t * t;
                above = fmax(above, (s + e) * (s + e) - loss);
                below = fmax(below, loss - pow(fmax(0, s - e), 2));
            }
            for (int both = 0; both < 2; ++both) {
                dpa_options *options = plain("2");
                assert_ok(dpa_options_parse(options, "discrepancy_kind", "unlabelled"));
                assert_ok(dpa_options_set(options, "labelling_disagreement", e));
                assert_ok(
                    dpa_options_parse(options, "discrepancy_side", both ? "both" : "target_above"));
                dpa_problem *problem = instance_problem(&x);
                dpa_discrepancy *found = NULL;
                assert_ok(dpa_discrepancy_estimate(problem, options, &found));
                double expected = both ? fmax(above, below) : above, scale = above + below;
                double bound = discrepancy_number(found, "labelled_bound");
                assert_at_most(expected, bound + 1e-7 * scale); /* w_S has a ridge */
                assert_close(bound, expected, 0, 1e-4 * scale); /* of the grid */
                dpa_discrepancy_destroy(found);
                dpa_problem_destroy(problem);
                dpa_options_destroy(options);
            }
        }
        instance_free(x);
    }
}

static void a_labelled_bound_needs_its_option(void **state) {
    (void)state;
    instance a = instance_random(3, 20, 12, 2);
    dpa_problem *problem = instance_problem(&a);
    dpa_discrepancy *found = NULL;
    double bound = 0;
    dpa_options *options = plain("2");
    assert_ok(dpa_options_parse(options, "discrepancy_kind", "unlabelled"));
    assert_ok(dpa_discrepancy_estimate(problem, options, &found));
    assert_error(dpa_discrepancy_value(found, "labelled_bound", &bound), DPA_E_UNSUPPORTED,
                 "labelling_disagreement");
    dpa_discrepancy_destroy(found);
    assert_ok(
        dpa_options_set(options, "labelling_disagreement", 1e200)); /* its square is no number */
    assert_ok(dpa_discrepancy_estimate(problem, options, &found));
    assert_true(isinf(discrepancy_number(found, "labelled_bound")));
    dpa_discrepancy_destroy(found);
    assert_ok(dpa_options_set(options, "labelling_disagreement", 1));
    assert_ok(dpa_options_parse(options, "discrepancy_kind", "labelled"));
    assert_error(dpa_discrepancy_estimate(problem, options, &found), DPA_E_OPTION, "unlabelled");
    dpa_options_destroy(options);
    options = private_options("discrepancy_kind", "unlabelled", "private_domain", "source", NULL);
    assert_ok(dpa_options_set(options, "labelling_disagreement", 1));
    assert_error(dpa_discrepancy_estimate(problem, options, &found), DPA_E_UNSUPPORTED,
                 "public source");
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

/* 4 Lambda^2 times the spectral norm of the difference of second moments, here 2 x 2. */
static void unlabelled_is_a_spectral_norm(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        instance a = instance_random(seed, 20, 12, 2);
        double m11 = 0, m12 = 0, m22 = 0;
        for (size_t i = 0; i < a.m + a.n; ++i) {
            double p = i < a.m ? -1.0 / (double)a.m : 1.0 / (double)a.n, *x = a.xs + 2 * i;
            m11 += p * x[0] * x[0];
            m12 += p * x[0] * x[1];
            m22 += p * x[1] * x[1];
        }
        double half = hypot((m11 - m22) / 2, m12), norm = fabs((m11 + m22) / 2) + half;
        for (size_t i = 0; i < LENGTH(methods); ++i) {
            dpa_options *options = plain("2");
            assert_ok(dpa_options_parse(options, "discrepancy_kind", "unlabelled"));
            assert_ok(dpa_options_parse(options, "discrepancy_method", methods[i]));
            estimate e = estimated(&a, options);
            double *w = e.w;
            assert_close(e.value, 4 * 4 * norm, 1e-11, 0);
            assert_close(hypot(w[0], w[1]), 2, 1e-10, 0);
            assert_close(4 * fabs(m11 * w[0] * w[0] + 2 * m12 * w[0] * w[1] + m22 * w[1] * w[1]),
                         e.value, 1e-9, 0);
            for (size_t k = 0; k < a.m + a.n; ++k) a.ys[k] = 17; /* labels do not matter */
            assert_close(estimated(&a, options).value, e.value, 0, 0);
            dpa_options_destroy(options);
        }
        instance_free(a);
    }
}

static void maximizer_attains_the_value(void **state) {
    (void)state;
    static const char *const ways[] = {"none", "standardize", "whiten"};
    for (uint64_t seed = 1; seed <= 12; ++seed) {
        instance a = instance_random(seed, 40, 15, 1 + seed % 5);
        double value[2];
        for (size_t i = 0; i < LENGTH(methods); ++i) {
            dpa_options *options = public_options("preprocess", ways[seed % 3],
                                                  "discrepancy_method", methods[i], NULL);
            estimate e = estimated(&a, options);
            value[i] = e.value;
            assert_close(loss_difference(&a, e.w, e.intercept), e.value, 1e-10, 0);
            assert_at_most(e.upper - e.lower, 1e-8 * e.value);
            dpa_options_destroy(options);
        }
        assert_close(value[1], value[0], 1e-7, 0);
        instance_free(a);
    }
}

/* No predictor of the ball does better than the upper bound. */
static void no_predictor_exceeds_the_bound(void **state) {
    (void)state;
    instance a = instance_random(31, 40, 15, 3);
    dpa_options *options = plain("2");
    estimate e = estimated(&a, options);
    uint64_t seed = 32;
    for (int k = 0; k < 2000; ++k) {
        double w[3], norm = 0, length = k % 2 ? 2 : 2 * uniform(&seed);
        for (size_t j = 0; j < 3; ++j) norm = hypot(norm, w[j] = normal(&seed));
        for (size_t j = 0; j < 3; ++j) w[j] *= length / norm;
        assert_at_most(loss_difference(&a, w, 0), e.upper * (1 + 1e-12));
    }
    dpa_options_destroy(options);
    instance_free(a);
}

/* From below the same as the exact maximum, from above a bound. */
static void the_general_form_agrees_for_the_squared_loss(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        instance a = instance_random(seed, 40, 15, 1 + seed % 5);
        dpa_options *options = public_options("radius", "2", NULL);
        estimate exact = estimated(&a, options);
        assert_ok(dpa_options_parse(options, "form", "general"));
        estimate general = estimated(&a, options);
        assert_close(general.value, exact.value, 1e-6, 0);
        assert_at_most(general.lower, exact.upper);
        assert_at_most(exact.lower, general.upper);
        assert_close(loss_difference(&a, general.w, general.intercept), general.value, 1e-10, 0);
        dpa_options_destroy(options);
        instance_free(a);
    }
}

/* Labels 0, 1 and 2. */
static instance instance_of_classes(uint64_t seed) {
    instance a = instance_random(seed, 40, 20, 3);
    for (size_t i = 0; i < a.m + a.n; ++i) a.ys[i] = a.ys[i] < 0 ? 0 : a.ys[i] < 1 ? 1 : 2;
    return a;
}

static void without_coefficients_there_is_no_maximizer(void **state) {
    (void)state;
    instance a = instance_of_classes(51);
    dpa_problem *problem = instance_problem(&a);
    static const char *const losses[] = {"softmax", "perceptron"};
    for (size_t i = 0; i < LENGTH(losses); ++i) {
        dpa_options *options = public_options("loss", losses[i], "hidden_units", "2", NULL);
        dpa_discrepancy *d = NULL;
        double value = 7, w[3] = {7, 7, 7};
        size_t features = 0;
        assert_ok(dpa_discrepancy_estimate(problem, options, &d));
        assert_error(dpa_discrepancy_maximizer(d, w, 3), DPA_E_UNSUPPORTED, "maximizer");
        assert_error(dpa_discrepancy_value(d, "intercept", &value), DPA_E_UNSUPPORTED, "maximizer");
        assert_true(value == 7 && w[0] == 7 && w[1] == 7 && w[2] == 7);
        features = (size_t)discrepancy_number(d, "features");
        assert_int_equal(features, 3);
        assert_ok(dpa_discrepancy_value(d, "value", &value));
        const double lower = discrepancy_number(d, "lower"), upper = discrepancy_number(d, "upper");
        assert_true(0 < lower && lower <= value && value <= upper && upper < INFINITY);
        dpa_discrepancy_destroy(d);
        dpa_options_destroy(options);
    }
    dpa_problem_destroy(problem);
    instance_free(a);
}

/* Of a private estimate of any loss only the value leaves. */
static void a_private_one_of_any_loss_is_a_number(void **state) {
    (void)state;
    instance a = instance_of_classes(52);
    dpa_options *options =
        private_options("loss", "softmax", "epsilon", "4", "discrepancy_share", "1", NULL);
    dpa_problem *problem = instance_problem(&a);
    dpa_discrepancy *d = NULL;
    double value = -1, w[3];
    assert_ok(dpa_discrepancy_estimate(problem, options, &d));
    assert_ok(dpa_discrepancy_value(d, "value", &value));
    assert_true(value >= 0 && isfinite(value));
    assert_status(dpa_discrepancy_value(d, "lower", w), DPA_E_NOT_RELEASABLE);
    assert_status(dpa_discrepancy_maximizer(d, w, 3), DPA_E_NOT_RELEASABLE);
    assert_status(dpa_discrepancy_value(d, "intercept", w), DPA_E_NOT_RELEASABLE);
    dpa_discrepancy_destroy(d);
    assert_status(dpa_discrepancy_estimate(problem, options, &d), DPA_E_BUDGET);
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    instance_free(a);
}

/* docs/methods.md: in one budget a private fit of the target alone is released, and then the
 * discrepancy in a small ball around it, whose losses are less, and so its noise. */
static void around_a_private_minimizer(void **state) {
    (void)state;
    enum { RECORDS = 4000, FEATURES = 2 };
    instance a = instance_random(51, 500, RECORDS, FEATURES);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *budget = public_options("private_domain", "target", "epsilon", "1", "delta",
                                         "1e-5", "discrepancy_share", "0.3", NULL);
    assert_ok(dpa_problem_set_budget(problem, budget));
    dpa_options *fit = public_options("private_domain", "target", "epsilon", "0.7", "delta", "1e-5",
                                      "alpha", "0", NULL);
    dpa_solution *minimizer = solve(problem, fit);
    double w[FEATURES], intercept = 0, value = -1, spent = 9;
    assert_ok(dpa_solution_array(minimizer, "coefficients", w, FEATURES));
    assert_ok(dpa_solution_array(minimizer, "intercept", &intercept, 1));

    char center[99];
    (void)snprintf(center, sizeof center, "%.17g,%.17g,%.17g", w[0], w[1], intercept);
    assert_ok(dpa_options_parse(budget, "discrepancy_center", center));
    assert_ok(dpa_options_set(budget, "discrepancy_radius", 2 / sqrt(RECORDS)));
    dpa_discrepancy *local = NULL, *exact = NULL;
    assert_ok(dpa_discrepancy_estimate(problem, budget, &local));
    assert_ok(dpa_discrepancy_value(local, "value", &value));
    assert_ok(dpa_problem_budget(problem, "spent_epsilon", &spent));
    assert_at_most(spent, 1.0001);

    double bound, known;
    dpa_options *open = public_options("discrepancy_center", center, "feature_radius", "quantile",
                                       "label_bound", "quantile", NULL);
    assert_ok(dpa_options_set(open, "discrepancy_radius", 2 / sqrt(RECORDS)));
    dpa_problem *again = instance_problem(&a);
    assert_ok(dpa_discrepancy_estimate(again, open, &exact));
    assert_ok(dpa_discrepancy_value(exact, "value", &known));
    bound = 60; /* of a squared loss near the minimizer, of standardized features */
    assert_close(value, known, 0, 10 * bound / (0.3 * RECORDS));
    dpa_discrepancy_destroy(local);
    dpa_discrepancy_destroy(exact);
    dpa_solution_destroy(minimizer);
    dpa_options_destroy(open);
    dpa_options_destroy(fit);
    dpa_options_destroy(budget);
    dpa_problem_destroy(problem);
    dpa_problem_destroy(again);
    instance_free(a);
}

static void misuse_is_reported_and_harmless(void **state) {
    (void)state;
    instance a = instance_random(41, 20, 10, 3);
    dpa_problem *problem = instance_problem(&a), *empty = NULL;
    dpa_options *options = public_options(NULL);
    assert_ok(dpa_problem_create(&empty));
    dpa_discrepancy *d = NULL;
#define ESTIMATE(problem, options) \
    (d = (dpa_discrepancy *)&a, dpa_discrepancy_estimate(problem, options, &d))
    assert_error(ESTIMATE(NULL, options), DPA_E_HANDLE, "dpa_discrepancy_estimate", "problem");
    assert_null(d);
    assert_error(ESTIMATE((dpa_problem *)options, options), DPA_E_HANDLE, "problem");
    assert_null(d);
    assert_error(ESTIMATE(problem, (dpa_options *)problem), DPA_E_HANDLE, "options");
    assert_null(d);
    assert_error(ESTIMATE(problem, NULL), DPA_E_OPTION, "epsilon", "delta");
    assert_null(d);
    assert_error(ESTIMATE(empty, options), DPA_E_STATE, "dpa_discrepancy_estimate", "source");
    assert_null(d);
    assert_ok(dpa_problem_set_sample(empty, DPA_SOURCE, (dpa_matrix){a.xs, 1, 3, 3, DPA_ROW_MAJOR},
                                     a.ys, 1));
    assert_error(ESTIMATE(empty, options), DPA_E_STATE, "dpa_discrepancy_estimate", "target");
    assert_null(d);
    assert_error(dpa_discrepancy_estimate(problem, options, NULL), DPA_E_INVALID_ARGUMENT, "out");
    assert_ok(ESTIMATE(problem, options));

    double v = 7, w[4] = {7, 7, 7, 7};
    const dpa_discrepancy *const wrong[] = {NULL, (dpa_discrepancy *)problem};
    for (size_t i = 0; i < LENGTH(wrong); ++i) {
        assert_error(dpa_discrepancy_value(wrong[i], "value", &v), DPA_E_HANDLE, "discrepancy");
        assert_error(dpa_discrepancy_value(wrong[i], "lower", &v), DPA_E_HANDLE, "discrepancy");
        assert_error(dpa_discrepancy_value(wrong[i], "features", &v), DPA_E_HANDLE, "discrepancy");
        assert_error(dpa_discrepancy_maximizer(wrong[i], w, 3), DPA_E_HANDLE, "discrepancy");
        assert_error(dpa_discrepancy_value(wrong[i], "intercept", &v), DPA_E_HANDLE, "discrepancy");
    }
    assert_error(dpa_discrepancy_value(d, "value", NULL), DPA_E_INVALID_ARGUMENT, "value");
    assert_error(dpa_discrepancy_value(d, "features", NULL), DPA_E_INVALID_ARGUMENT, "value");
    assert_error(dpa_discrepancy_value(d, NULL, &v), DPA_E_INVALID_ARGUMENT, "name");
    assert_error(dpa_discrepancy_value(d, "width", &v), DPA_E_OPTION_NAME, "width");
    assert_error(dpa_discrepancy_maximizer(d, NULL, 3), DPA_E_INVALID_ARGUMENT, "out");
    assert_error(dpa_discrepancy_maximizer(d, w, 2), DPA_E_DIMENSION, "out_len", "2", "3");
    assert_error(dpa_discrepancy_maximizer(d, w, 4), DPA_E_DIMENSION, "out_len", "4", "3");
    assert_error(dpa_discrepancy_value(d, "intercept", NULL), DPA_E_INVALID_ARGUMENT, "value");
    for (size_t j = 0; j < 4; ++j) assert_true(w[j] == 7);
    assert_true(v == 7);
    assert_ok(dpa_discrepancy_value(d, "value", &v));
    dpa_discrepancy_destroy(d);
    dpa_discrepancy_destroy(NULL);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    dpa_problem_destroy(empty);
    instance_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answer_in_the_hard_case),
        cmocka_unit_test(identical_samples_have_none),
        cmocka_unit_test(one_feature_in_closed_form),
        cmocka_unit_test(local_ball_has_its_centre_and_radius),
        cmocka_unit_test(centre_is_in_the_users_features),
        cmocka_unit_test(centre_of_wrong_length_is_an_option_error),
        cmocka_unit_test(centre_at_the_source_fit),
        cmocka_unit_test(disagreement_bounds_the_labelled_one),
        cmocka_unit_test(a_labelled_bound_needs_its_option),
        cmocka_unit_test(unlabelled_is_a_spectral_norm),
        cmocka_unit_test(maximizer_attains_the_value),
        cmocka_unit_test(no_predictor_exceeds_the_bound),
        cmocka_unit_test(the_general_form_agrees_for_the_squared_loss),
        cmocka_unit_test(without_coefficients_there_is_no_maximizer),
        cmocka_unit_test(a_private_one_of_any_loss_is_a_number),
        cmocka_unit_test(around_a_private_minimizer),
        cmocka_unit_test(misuse_is_reported_and_harmless),
    };
    return cmocka_run_group_tests_name("discrepancy", tests, NULL, NULL);
}

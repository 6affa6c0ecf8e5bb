/* solution.h: dpa_solve returns the minimum of the objective of equation (6), checked
 * against closed forms, against the objective evaluated here, and against other feasible points. */
#include "check.h"

enum { kMost = 64 }; /* records or features of the instances below */

typedef struct {
    double alpha, kappa_1, kappa_2, kappa_inf, d, radius;
    const char *preprocess;
    int32_t intercept;
} setting;

static const setting base = {0.6, 0.4, 0, 0, 0.2, 1.0, "none", 0};

typedef struct {
    double w[kMost], b, q[kMost], objective, gap; /* q: source records, then target records */
    int32_t termination;
} minimum;

static dpa_options *options_of(setting s) {
    dpa_options *options = public_options("preprocess", s.preprocess, "tolerance", "1e-11", NULL);
    assert_ok(dpa_options_set(options, "alpha", s.alpha));
    assert_ok(dpa_options_set(options, "kappa_1", s.kappa_1));
    assert_ok(dpa_options_set(options, "kappa_2", s.kappa_2));
    assert_ok(dpa_options_set(options, "kappa_inf", s.kappa_inf));
    assert_ok(dpa_options_set(options, "discrepancy", s.d));
    assert_ok(dpa_options_set(options, "radius", s.radius));
    assert_ok(dpa_options_set(options, "intercept", s.intercept));
    return options;
}

static minimum minimize(const instance *a, setting s) {
    minimum r;
    dpa_problem *problem = instance_problem(a);
    dpa_options *options = options_of(s);
    dpa_solution *solution = solve(problem, options);
    assert_true(a->m + a->n <= kMost && a->d <= kMost);
    assert_ok(dpa_solution_array(solution, "coefficients", r.w, a->d));
    assert_ok(dpa_solution_array(solution, "intercept", &r.b, 1));
    assert_ok(dpa_solution_array(solution, "source_weights", r.q, a->m));
    assert_ok(dpa_solution_array(solution, "target_weights", r.q + a->m, a->n));
    assert_ok(dpa_solution_value(solution, "objective", &r.objective));
    assert_ok(dpa_solution_value(solution, "duality_gap", &r.gap));
    r.termination = (int32_t)solution_number(solution, "termination");
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    return r;
}

/* Reference weight p_i and cost c_i(w) of record i, source records first. */
static double reference_weight(const instance *a, setting s, size_t i) {
    return i < a->m ? s.alpha / (double)a->m : (1 - s.alpha) / (double)a->n;
}

static double cost(const instance *a, setting s, size_t i, const double *w, double b) {
    double r = b - a->ys[i];
    for (size_t j = 0; j < a->d; ++j) r += w[j] * a->xs[i * a->d + j];
    return r * r + (i < a->m ? s.d : 0);
}

/* sum_i phi_i(c_i) - kappa_1: the weights profiled out, for kappa_2 = kappa_inf = 0. */
static double profiled(const instance *a, setting s, const double *w, double b) {
    double sum = -s.kappa_1;
    for (size_t i = 0; i < a->m + a->n; ++i) {
        double p = reference_weight(a, s, i), c = cost(a, s, i, w, b);
        sum += c <= s.kappa_1 ? p * (c + s.kappa_1) : 2 * p * sqrt(s.kappa_1 * c);
    }
    return sum;
}

/* F(w, q) as printed in the header; records with p_i = 0 have no part in it. */
static double full(const instance *a, setting s, const double *w, double b, const double *q) {
    double sum = -s.kappa_1, squares = 0, largest = 0;
    for (size_t i = 0; i < a->m + a->n; ++i) {
        double p = reference_weight(a, s, i);
        if (p == 0) continue;
        sum += q[i] * cost(a, s, i, w, b) + s.kappa_1 * p * p / q[i];
        squares += q[i] * q[i];
        largest = fmax(largest, q[i]);
    }
    return sum + s.kappa_2 * sqrt(squares) + s.kappa_inf * largest;
}

static double norm(const double *w, size_t d) {
    double sum = 0;
    for (size_t j = 0; j < d; ++j) sum += w[j] * w[j];
    return sqrt(sum);
}

static void assert_converged(minimum r) {
    assert_true(r.termination == DPA_TERMINATION_CONVERGED ||
                r.termination == DPA_TERMINATION_PRECISION);
    assert_at_most(0, r.gap);
    assert_at_most(r.gap, 1e-8 * r.objective);
}

static void objective_and_weights_are_those_of_the_predictor(void **state) {
    (void)state;
    static const char *const ways[] = {"none", "standardize", "whiten"};
    static const double alphas[] = {0, 0.3, 0.8, 1};
    for (uint64_t seed = 1; seed <= 24; ++seed) {
        instance a = instance_random(seed, 30, 17, 1 + seed % 4);
        setting s = base;
        s.alpha = alphas[seed % 4];
        s.preprocess = ways[seed % 3];
        s.intercept = seed % 5 > 1;
        s.kappa_1 = seed % 7 ? 0.4 : 20;
        minimum r = minimize(&a, s);
        assert_converged(r);
        assert_close(r.objective, profiled(&a, s, r.w, r.b), 1e-11, 1e-11 * s.kappa_1);
        for (size_t i = 0; i < a.m + a.n; ++i) {
            double c = cost(&a, s, i, r.w, r.b), p = reference_weight(&a, s, i);
            assert_close(r.q[i], p * fmin(1, sqrt(s.kappa_1 / c)), 1e-9, 0);
        }
        instance_free(a);
    }
}

/* Random feasible predictors near and far: none beats objective - gap. */
static void no_predictor_is_better(void **state) {
    (void)state;
    static const double radii[] = {0.1, 1, 50}; /* ball active, nearly so, and not */
    for (uint64_t seed = 1; seed <= 9; ++seed) {
        instance a = instance_random(seed, 20, 20, 3);
        setting s = base;
        s.radius = radii[seed % 3];
        minimum r = minimize(&a, s);
        assert_converged(r);
        assert_at_most(norm(r.w, 3), s.radius * (1 + 1e-12));
        uint64_t noise = seed;
        for (int k = 0; k < 3000; ++k) {
            double w[3], step = pow(10, -(k % 8));
            for (size_t j = 0; j < 3; ++j) w[j] = r.w[j] + step * s.radius * normal(&noise);
            double scale = fmin(1, s.radius / norm(w, 3));
            for (size_t j = 0; j < 3; ++j) w[j] *= scale;
            assert_at_most(r.objective - r.gap, profiled(&a, s, w, 0) + 1e-14);
        }
        instance_free(a);
    }
}

/* With kappa_2 and kappa_inf the weights have no closed form: F is compared at perturbed (w, q). */
static void no_weights_are_better(void **state) {
    (void)state;
    static const double factors[][2] = {{0.05, 0}, {0, 0.05}, {0.05, 0.05}, {30, 0}, {0, 30}};
    for (uint64_t seed = 1; seed <= 15; ++seed) {
        instance a = instance_random(seed, 20, 20, 3);
        setting s = base;
        s.kappa_2 = factors[seed % 5][0];
        s.kappa_inf = factors[seed % 5][1];
        s.alpha = seed % 4 ? 0.6 : 0;
        minimum r = minimize(&a, s);
        assert_converged(r);
        assert_close(r.objective, full(&a, s, r.w, 0, r.q), 1e-10, 0);
        for (size_t i = 0; i < a.m + a.n; ++i)
            assert_at_most(r.q[i], reference_weight(&a, s, i) * (1 + 1e-14));
        uint64_t noise = seed;
        for (int k = 0; k < 3000; ++k) {
            double w[3], q[kMost], step = pow(10, -(k % 8));
            for (size_t j = 0; j < 3; ++j) w[j] = r.w[j] + step * normal(&noise);
            double scale = fmin(1, s.radius / norm(w, 3));
            for (size_t j = 0; j < 3; ++j) w[j] *= scale;
            for (size_t i = 0; i < a.m + a.n; ++i)
                q[i] = fmin(r.q[i] * exp(step * normal(&noise)), reference_weight(&a, s, i));
            assert_at_most(r.objective - r.gap, full(&a, s, w, 0, q) + 1e-14);
        }
        instance_free(a);
    }
}

/* Least squares in the ball for two coordinates (x_1, x_2), or (x_1, 1) when d = 1. */
static void ball_least_squares(const double *x, const double *y, size_t rows, size_t d,
                               double radius, double *w) {
    double h11 = 0, h12 = 0, h22 = 0, g1 = 0, g2 = 0;
    for (size_t i = 0; i < rows; ++i) {
        double u = x[i * d], v = d == 2 ? x[i * d + 1] : 1;
        h11 += u * u;
        h12 += u * v;
        h22 += v * v;
        g1 += u * y[i];
        g2 += v * y[i];
    }
    double low = 0, high = sqrt(g1 * g1 + g2 * g2) / radius; /* multiplier of the ball */
    for (int k = 0; k <= 200; ++k) {
        double lambda = k ? (low + high) / 2 : 0, a = h11 + lambda, c = h22 + lambda;
        double determinant = a * c - h12 * h12;
        w[0] = (c * g1 - h12 * g2) / determinant;
        w[1] = (a * g2 - h12 * g1) / determinant;
        if (!k && norm(w, 2) <= radius) return;
        *(norm(w, 2) > radius ? &low : &high) = lambda;
    }
}

/* Without an intercept nothing is centred, whatever the preprocessing: least squares through the
 * origin. */
static void without_an_intercept_zero_is_predicted_for_zero(void **state) {
    (void)state;
    static const char *const ways[] = {"none", "standardize", "whiten"};
    for (uint64_t seed = 1; seed <= 6; ++seed) {
        instance a = instance_random(seed, 30, 10, 2);
        for (size_t i = 0; i < a.m; ++i) {
            a.xs[2 * i] += 5;
            a.ys[i] += 20;
        }
        setting s = base;
        s.alpha = 1;
        s.kappa_1 = 1e7;
        s.radius = 1e4;
        s.preprocess = ways[seed % 3];
        minimum r = minimize(&a, s);
        double w[2];
        ball_least_squares(a.xs, a.ys, a.m, 2, INFINITY, w);
        assert_true(r.b == 0);
        for (size_t j = 0; j < 2; ++j) assert_close(r.w[j], w[j], 1e-4, 1e-4);
        instance_free(a);
    }
}

/* With kappa_1 beyond every cost no weight moves: alpha = 0 is least squares on the target,
 * alpha = 1 on the source, and d is a constant of the objective. */
static void one_domain_is_least_squares(void **state) {
    (void)state;
    static const double radii[] = {0.2, 0.9, 100};
    for (uint64_t seed = 1; seed <= 18; ++seed) {
        size_t d = 1 + seed % 2;
        int source = seed % 4 / 2;
        instance a = instance_random(seed, 25, 19, d);
        setting s = base;
        s.alpha = source;
        s.kappa_1 = 1e6;
        s.radius = radii[seed % 3];
        s.intercept = d == 1;
        double w[2], mean = 0;
        ball_least_squares(source ? a.xs : a.xt, source ? a.ys : a.yt, source ? a.m : a.n, d,
                           s.radius, w);
        minimum r = minimize(&a, s);
        assert_close(r.w[0], w[0], 1e-7, 1e-7);
        assert_close(d == 1 ? r.b : r.w[1], w[1], 1e-7, 1e-7);
        for (size_t i = source ? 0 : a.m; i < (source ? a.m : a.m + a.n); ++i)
            mean += cost(&a, s, i, w, d == 1 ? w[1] : 0) / (double)(source ? a.m : a.n);
        assert_close(r.objective, mean, 1e-9, 1e-9);
        for (size_t i = 0; i < a.m + a.n; ++i)
            assert_close(r.q[i], reference_weight(&a, s, i), 1e-14, 0);
        instance_free(a);
    }
}

static instance duplicated(const instance *a) {
    instance b = instance_allocate(2 * a->m, 2 * a->n, a->d);
    for (size_t half = 0; half < 2; ++half) {
        memcpy(b.xs + half * a->m * a->d, a->xs, a->m * a->d * sizeof(double));
        memcpy(b.ys + half * a->m, a->ys, a->m * sizeof(double));
        memcpy(b.xt + half * a->n * a->d, a->xt, a->n * a->d * sizeof(double));
        memcpy(b.yt + half * a->n, a->yt, a->n * sizeof(double));
    }
    return b;
}

static void duplicating_every_row_changes_nothing(void **state) {
    (void)state;
    static const char *const ways[] = {"none", "standardize", "whiten"};
    for (uint64_t seed = 1; seed <= 9; ++seed) {
        instance a = instance_random(seed, 17, 11, 3), b = duplicated(&a);
        setting s = base;
        s.preprocess = ways[seed % 3];
        minimum one = minimize(&a, s), two = minimize(&b, s);
        assert_close(two.objective, one.objective, 1e-9, 0);
        for (size_t j = 0; j < 3; ++j) assert_close(two.w[j], one.w[j], 1e-4, 1e-4);
        assert_close(profiled(&a, s, two.w, two.b), one.objective, 1e-9, 0);
        instance_free(a);
        instance_free(b);
    }
}

/* Labels times t with kappa_1 and d times t^2 and the ball times t: predictor times t. */
static void units_of_the_labels_do_not_matter(void **state) {
    (void)state;
    static const double factors[] = {1.0 / 1048576, 1048576};
    instance a = instance_random(8, 20, 12, 3);
    minimum one = minimize(&a, base);
    for (size_t k = 0; k < LENGTH(factors); ++k) {
        double t = factors[k];
        setting s = base;
        s.kappa_1 *= t * t;
        s.d *= t * t;
        s.radius *= t;
        for (size_t i = 0; i < a.m + a.n; ++i) a.ys[i] *= t;
        minimum scaled = minimize(&a, s);
        for (size_t i = 0; i < a.m + a.n; ++i) a.ys[i] /= t;
        assert_close(scaled.objective, one.objective * t * t, 1e-9, 0);
        for (size_t j = 0; j < 3; ++j) assert_close(scaled.w[j], one.w[j] * t, 1e-6, 0);
    }
    instance_free(a);
}

/* One row in each sample; more features than rows; equal rows: the fit is exact, the objective 0
 * for alpha = 0, and alpha d for the pooled samples. */
static void few_or_equal_rows_are_fitted_exactly(void **state) {
    (void)state;
    instance single = instance_random(3, 1, 1, 1), wide = instance_random(4, 2, 2, 6);
    instance equal = instance_allocate(5, 4, 2);
    for (size_t i = 0; i < 9; ++i) {
        equal.xs[2 * i] = equal.xs[2 * i + 1] = 1.5;
        equal.ys[i] = -0.75;
    }
    setting s = base;
    s.radius = 100;
    s.kappa_1 = 10;
    minimum r = minimize(&wide, s);
    assert_close(r.objective, s.alpha * s.d, 1e-9, 0);
    for (size_t i = 0; i < 4; ++i)
        assert_close(cost(&wide, s, i, r.w, 0), i < 2 ? s.d : 0, 0, 1e-9);
    r = minimize(&equal, s);
    assert_close(r.objective, s.alpha * s.d, 1e-9, 0);
    assert_close(r.w[0] + r.w[1], -0.5, 1e-6, 0);
    s.alpha = 0;
    r = minimize(&single, s);
    assert_close(r.w[0], single.yt[0] / single.xt[0], 1e-6, 0);
    assert_close(r.objective, 0, 0, 1e-9);
    assert_at_most(0, r.gap);
    instance_free(single);
    instance_free(wide);
    instance_free(equal);
}

/* One row in each sample and one feature: p_1 (r_1^2 + d) + p_2 r_2^2 has the weighted mean
 * solution. */
static void one_row_each_pools_by_alpha(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 5; ++seed) {
        instance a = instance_random(seed, 1, 1, 1);
        setting s = base;
        s.kappa_1 = 1e4;
        s.radius = 1e3;
        double x = a.xs[0], z = a.xt[0], p = s.alpha;
        double w = (p * x * a.ys[0] + (1 - p) * z * a.yt[0]) / (p * x * x + (1 - p) * z * z);
        assert_close(minimize(&a, s).w[0], w, 1e-6, 1e-7);
        instance_free(a);
    }
}

static void nothing_is_paid_when_leaving_is_free(void **state) {
    (void)state;
    instance a = instance_random(6, 20, 12, 3);
    setting s = base;
    s.kappa_1 = 0;
    s.kappa_2 = s.kappa_inf = 0.5;
    minimum r = minimize(&a, s);
    assert_int_equal(r.termination, DPA_TERMINATION_DEGENERATE);
    assert_true(r.objective == 0 && r.gap == 0);
    for (size_t i = 0; i < a.m + a.n; ++i) assert_true(r.q[i] == 0);
    for (size_t j = 0; j < a.d; ++j) assert_true(isfinite(r.w[j]));
    instance_free(a);
}

/* A fit by default. The second feature is constant in the source; in the target too, or varies. */
static minimum with_second_feature(double in_source, double unit_in_target) {
    instance a = instance_random(77, 40, 30, 3);
    for (size_t i = 0; i < a.m; ++i) a.xs[i * a.d + 1] = in_source;
    for (size_t i = 0; i < a.n; ++i) {
        double *x = a.xt + i * a.d;
        x[1] = unit_in_target > 0 ? in_source + unit_in_target * x[1] : in_source;
    }
    minimum r;
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options = public_options("tolerance", "1e-11", NULL);
    dpa_solution *solution = solve(problem, options);
    assert_ok(dpa_solution_array(solution, "coefficients", r.w, a.d));
    assert_ok(dpa_solution_value(solution, "objective", &r.objective));
    assert_ok(dpa_solution_value(solution, "duality_gap", &r.gap));
    r.termination = (int32_t)solution_number(solution, "termination");
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
    return r;
}

/* Nobody's deviation tells its unit: 1e40 is no worse than 1. */
static void a_constant_feature_has_no_coefficient(void **state) {
    (void)state;
    minimum one = with_second_feature(1, 0), huge = with_second_feature(7e40, 0);
    assert_converged(one);
    assert_converged(huge);
    assert_true(one.w[1] == 0 && huge.w[1] == 0);
    assert_close(one.objective, huge.objective, 1e-10, 0);
}

/* The source cannot tell its unit; the target, which is public, does. */
static void a_feature_of_the_target_alone_has_the_unit_of_the_target(void **state) {
    (void)state;
    minimum one = with_second_feature(0, 1), huge = with_second_feature(0, 1e40);
    assert_converged(one);
    assert_converged(huge);
    assert_close(one.objective, huge.objective, 1e-8, 0);
    assert_close(one.w[1], 1e40 * huge.w[1], 1e-4, 0);
    assert_true(one.w[1] != 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objective_and_weights_are_those_of_the_predictor),
        cmocka_unit_test(no_predictor_is_better),
        cmocka_unit_test(no_weights_are_better),
        cmocka_unit_test(without_an_intercept_zero_is_predicted_for_zero),
        cmocka_unit_test(one_domain_is_least_squares),
        cmocka_unit_test(duplicating_every_row_changes_nothing),
        cmocka_unit_test(units_of_the_labels_do_not_matter),
        cmocka_unit_test(few_or_equal_rows_are_fitted_exactly),
        cmocka_unit_test(one_row_each_pools_by_alpha),
        cmocka_unit_test(nothing_is_paid_when_leaving_is_free),
        cmocka_unit_test(a_constant_feature_has_no_coefficient),
        cmocka_unit_test(a_feature_of_the_target_alone_has_the_unit_of_the_target),
    };
    return cmocka_run_group_tests_name("minimum", tests, NULL, NULL);
}

/* Fits of random instances that are hard on numbers: features over many orders of size, columns
 * that are copies, constant, nearly collinear, empty or sparse, labels that a predictor fits, more
 * features than rows. Nearly all close their certificate to 1e-8; each other one is printed with
 * its reason. Every result keeps the promises of solution.h. */
#include <stdio.h>

#include "check.h"

enum { kInstances = 34000, kMostRows = 60, kMostFeatures = 30 };
static const double kTolerance = 1e-8, kShareCertified = 0.995;

typedef struct {
    double scale_of_columns; /* decades, both ways */
    double scale_of_labels;
    int column, exact, alpha, loss;
} kind;

static size_t below(uint64_t *seed, size_t count) {
    return (size_t)(uniform(seed) * (double)count);
}

static kind kind_random(uint64_t *seed) {
    static const double decades[] = {0, 0, 2, 6, 20, 120};
    kind k;
    k.scale_of_columns = decades[below(seed, LENGTH(decades))];
    k.scale_of_labels = pow(10, (uniform(seed) - 0.5) * 2 * decades[below(seed, 4)]);
    k.column = (int)below(seed, 6);
    k.exact = uniform(seed) < 0.15;
    k.alpha = (int)below(seed, 4);
    k.loss = (int)below(seed, 8);
    return k;
}

static double entry(uint64_t *seed, const kind *k, const double *x, size_t j) {
    if (j > 0 && k->column == 1 && j % 3 == 0) return x[j - 1];
    if (k->column == 2 && j % 3 == 0) return 7;
    if (j > 0 && k->column == 3 && j % 3 == 0) return x[j - 1] * (1 + 1e-9 * normal(seed));
    if (k->column == 4 && uniform(seed) < 0.9) return 0;
    return normal(seed);
}

static instance hard_instance(uint64_t *seed, const kind *k) {
    instance a = instance_allocate(2 + below(seed, kMostRows), 2 + below(seed, kMostRows),
                                   1 + below(seed, kMostFeatures));
    double w[kMostFeatures], scales[kMostFeatures];
    for (size_t j = 0; j < a.d; ++j) {
        w[j] = normal(seed);
        scales[j] = pow(10, (uniform(seed) - 0.5) * 2 * k->scale_of_columns);
    }
    for (size_t i = 0; i < a.m + a.n; ++i) {
        double *x = a.xs + i * a.d, y = k->exact ? 0 : normal(seed);
        for (size_t j = 0; j < a.d; ++j) {
            x[j] = entry(seed, k, x, j);
            y += w[j] * x[j];
        }
        a.ys[i] = k->loss == 0 ? (y < 0 ? -1 : 1) : y * k->scale_of_labels;
    }
    for (size_t i = 0; i < a.m + a.n; ++i)
        for (size_t j = 0; j < a.d; ++j) a.xs[i * a.d + j] *= scales[j];
    return a;
}

static dpa_options *options_of(const kind *k, uint64_t *seed) {
    static const char *const alphas[] = {"auto", "0", "0.5", "0.9"};
    static const char *const losses[] = {"logistic", "huber",   "squared", "squared",
                                         "squared",  "squared", "squared", "squared"};
    dpa_options *options = public_options("alpha", alphas[k->alpha], "loss", losses[k->loss], NULL);
    if (k->loss > 3)
        assert_ok(dpa_options_parse(options, "kappa_1", uniform(seed) < 0.5 ? "1" : "10"));
    return options;
}

/* The objective of the predictor 0: what an exact fit is compared with. */
static double size_of(const dpa_solution *fit, const instance *a, const kind *k) {
    double alpha = NAN, source = 0, target = 0;
    assert_ok(dpa_solution_value(fit, "alpha", &alpha));
    for (size_t i = 0; i < a->m; ++i) source += a->ys[i] * a->ys[i] / (double)a->m;
    for (size_t i = 0; i < a->n; ++i) target += a->yt[i] * a->yt[i] / (double)a->n;
    return k->loss == 0 ? log(2) : alpha * source + (1 - alpha) * target;
}

/* The gap of the certificate relative to the minimum or, where a predictor fits every row, to 1e-4
 * of what predicting 0 costs; 0 if the fit says that it has converged. What solution.h promises
 * holds anyway. */
static double relative_gap(const dpa_solution *fit, const instance *a, const kind *k) {
    double gap = NAN, objective = NAN, w[kMostFeatures];
    int32_t termination = -1;
    assert_ok(dpa_solution_value(fit, "objective", &objective));
    assert_ok(dpa_solution_value(fit, "duality_gap", &gap));
    termination = (int32_t)solution_number(fit, "termination");
    assert_ok(dpa_solution_array(fit, "coefficients", w, a->d));
    assert_true(isfinite(objective) && objective >= 0);
    objective = fmax(objective, 1e-4 * size_of(fit, a, k));
    assert_true(gap >= -kTolerance * objective);
    for (size_t j = 0; j < a->d; ++j) assert_true(isfinite(w[j]));
    return termination == DPA_TERMINATION_CONVERGED ? 0 : gap / objective;
}

static void nearly_all_are_certified(void **state) {
    int certified = 0, refused = 0;
    (void)state;
    for (uint64_t number = 0; number < kInstances; ++number) {
        uint64_t seed = number * UINT64_C(1000003);
        kind k = kind_random(&seed);
        instance a = hard_instance(&seed, &k);
        dpa_problem *problem = instance_problem(&a);
        dpa_options *options = options_of(&k, &seed);
        dpa_solution *fit = NULL;
        dpa_status status = dpa_solve(problem, NULL, options, &fit);
        double gap = status == DPA_OK ? relative_gap(fit, &a, &k) : INFINITY;
        int closed = gap <= kTolerance;
        certified += closed;
        refused += status == DPA_E_NUMERICAL;
        assert_true(status == DPA_OK || status == DPA_E_NUMERICAL);
        if (!closed)
            printf(
                "%llu: %zu + %zu rows, %zu features, columns %d over %g decades, labels %g, "
                "exact %d, alpha %d, loss %d: gap %.1e%s\n",
                (unsigned long long)number, a.m, a.n, a.d, k.column, k.scale_of_columns,
                k.scale_of_labels, k.exact, k.alpha, k.loss, gap,
                status == DPA_OK ? "" : dpa_last_error());
        dpa_solution_destroy(fit);
        dpa_options_destroy(options);
        dpa_problem_destroy(problem);
        instance_free(a);
    }
    printf("%d of %d certified, %d refused\n", certified, kInstances, refused);
    assert_true(certified >= kShareCertified * kInstances);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nearly_all_are_certified)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

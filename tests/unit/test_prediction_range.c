/* solution.h: labels that are numbers are predicted within the range of the public labels, widened,
 * or within that of clamped ones; scores are not moved. */
#include "unit/private.h"

enum { M = 200, N = 90, D = 3 };

typedef struct {
    double lowest, highest, far, near, score;
} result;

/* A fit's range, and what it says of a far row. */
static result result_of(const instance *a, const dpa_options *options) {
    dpa_problem *problem = instance_problem(a);
    dpa_solution *s = solve(problem, options);
    dpa_problem_destroy(problem);
    const double rows[2 * D] = {1e9, 2e9, 3e9, 0, 0, 0};
    double labels[2], score[2];
    assert_ok(dpa_solution_predict(s, DPA_PREDICT_LABELS,
                                   (dpa_matrix){rows, 2, D, D, DPA_ROW_MAJOR}, labels, 2));
    assert_ok(dpa_solution_predict(s, DPA_PREDICT_SCORES,
                                   (dpa_matrix){rows, 2, D, D, DPA_ROW_MAJOR}, score, 2));
    assert_close(labels[1], score[1], 1e-12, 0);
    const double nan_row[D] = {NAN, 0, 0};
    double label = 0;
    assert_ok(dpa_solution_predict(s, DPA_PREDICT_LABELS,
                                   (dpa_matrix){nan_row, 1, D, D, DPA_ROW_MAJOR}, &label, 1));
    assert_true(isnan(label));
    result r = {solution_number(s, "prediction_lowest"), solution_number(s, "prediction_highest"),
                labels[0], labels[1], score[0]};
    dpa_solution_destroy(s);
    return r;
}

static void range_of(const double *y, size_t rows, double *low, double *high) {
    *low = *high = y[0];
    for (size_t i = 1; i < rows; ++i) {
        *low = fmin(*low, y[i]);
        *high = fmax(*high, y[i]);
    }
}

static void private_fits_stay_near_the_public_labels(void **state) {
    (void)state;
    instance a = instance_random(7, M, N, D);
    static const char *const domains[] = {"target", "source"};
    for (size_t k = 0; k < LENGTH(domains); ++k) {
        double low, high;
        range_of(k == 0 ? a.ys : a.yt, k == 0 ? M : N, &low, &high);
        dpa_options *options =
            private_options("private_domain", domains[k], "unsafe_seed", "1", NULL);
        const double width = high - low;
        result r = result_of(&a, options); /* or as far as the noisy fit itself reaches */
        assert_true(r.lowest <= low - width / 2 && r.lowest > low - 3 * width);
        assert_true(r.highest >= high + width / 2 && r.highest < high + 3 * width);
        const double reach = fmax(fabs(r.lowest), fabs(r.highest)); /* and for that row, farther */
        assert_true(fabs(r.score) > 1e6 && fabs(r.far) < 200 * reach);
        assert_true(r.far <= r.lowest || r.far >= r.highest);
        assert_ok(dpa_options_parse(options, "prediction_range", "0.5"));
        r = result_of(&a, options);
        assert_true(r.far == r.lowest || r.far == r.highest);
        assert_close(r.lowest, low - width / 2, 1e-12, 0);
        assert_close(r.highest, high + width / 2, 1e-12, 0);
        assert_ok(dpa_options_parse(options, "prediction_range", "0"));
        r = result_of(&a, options);
        assert_true(r.lowest == low && r.highest == high);
        assert_ok(dpa_options_parse(options, "prediction_range", "none"));
        r = result_of(&a, options);
        assert_true(r.lowest == -INFINITY && r.highest == INFINITY && r.far == r.score);
        dpa_options_destroy(options);
    }
    instance_free(a);
}

/* Public labels reach 8 or so, the target's 40: what the fit says of public rows tells it. */
static void steep_targets_are_not_cut_off(void **state) {
    (void)state;
    enum { ROWS = 3000 };
    static const double steep = 10;
    uint64_t seed = 12;
    instance a = instance_allocate(ROWS, ROWS, D);
    double largest = 0;
    for (size_t i = 0; i < 2 * ROWS; ++i) {
        double *x = a.xs + D * i;
        for (size_t j = 0; j < D; ++j) x[j] = normal(&seed);
        a.ys[i] = (i < ROWS ? 1 : steep) * x[0] + x[1] + normal(&seed);
        if (i >= ROWS) largest = fmax(largest, fabs(a.ys[i]));
    }
    dpa_options *options = private_options("epsilon", "4", "delta", "1e-5", NULL);
    result r = result_of(&a, options);
    assert_true(r.lowest < -largest && r.highest > largest);
    assert_true(r.highest < 4 * largest && r.far >= r.highest);
    dpa_options_destroy(options);
    instance_free(a);
}

/* Features with long tails: the public fit predicts the far rows, and so does this one. A code of
 * the public rows is the median of its column, as it was when the fit was made. */
static void rows_that_the_public_fit_predicts_are_not_cut_off(void **state) {
    (void)state;
    enum { ROWS = 2000 };
    uint64_t seed = 12;
    instance a = instance_allocate(ROWS, ROWS, D);
    for (size_t i = 0; i < 2 * ROWS; ++i) {
        double *x = a.xs + D * i;
        for (size_t j = 0; j < D; ++j) x[j] = exp(1.5 * normal(&seed));
        a.ys[i] = x[0] + 2 * x[1] + 3 * x[2] + normal(&seed);
        if (i < ROWS && i % 100 == 0) x[0] = 1e6;
    }
    dpa_options *options = private_options("epsilon", "4", "delta", "1e-5", NULL);
    dpa_problem *problem = instance_problem(&a);
    dpa_solution *s = solve(problem, options);
    dpa_problem_destroy(problem);
    const double row[2 * D] = {300, 300, 300, 1e6, 300, 300};
    const dpa_matrix far = {row, 2, D, D, DPA_ROW_MAJOR};
    double label[2], score[2], again[2];
    assert_ok(dpa_solution_predict(s, DPA_PREDICT_LABELS, far, label, 2));
    assert_ok(dpa_solution_predict(s, DPA_PREDICT_SCORES, far, score, 2));
    assert_true(label[0] > solution_number(s, "prediction_highest"));
    assert_true(fabs(label[0] - 1800) < 20 && fabs(score[0] - label[0]) < 20);
    assert_true(fabs(label[1] - 1501) < 20 && fabs(score[1] - label[1]) < 20);
    size_t size = 0;
    (void)dpa_solution_serialize(s, 0, NULL, 0, &size);
    uint8_t *bytes = malloc(size);
    assert_ok(dpa_solution_serialize(s, 0, bytes, size, &size));
    dpa_solution *copy = NULL;
    assert_ok(dpa_solution_deserialize(bytes, size, &copy));
    assert_ok(dpa_solution_predict(copy, DPA_PREDICT_LABELS, far, again, 2));
    assert_true(again[0] == label[0] && again[1] == label[1]);
    free(bytes);
    dpa_solution_destroy(copy);
    dpa_solution_destroy(s);
    dpa_options_destroy(options);
    instance_free(a);
}

/* The bound of labels is the caller's, and labels beyond are clamped. */
static void both_private_end_where_labels_are_clamped(void **state) {
    (void)state;
    instance a = instance_random(7, M, N, D);
    dpa_options *options = private_options("private_domain", "both", "preprocess", "none",
                                           "feature_radius", "5", "radius", "6", "kappa_1", "100",
                                           "clip_bound", "2", "label_bound", "3", NULL);
    result r = result_of(&a, options);
    assert_true(r.lowest == -3 && r.highest == 3 && fabs(r.far) == 3 && fabs(r.score) > 1e3);
    assert_ok(dpa_options_parse(options, "prediction_range", "0.5"));
    r = result_of(&a, options);
    assert_true(r.lowest == -6 && r.highest == 6);
    assert_ok(dpa_options_parse(options, "prediction_range", "none"));
    r = result_of(&a, options);
    assert_true(r.lowest == -INFINITY && r.far == r.score);
    dpa_options_destroy(options);
    instance_free(a);
}

static void without_privacy_only_on_request(void **state) {
    (void)state;
    instance a = instance_random(7, M, N, D);
    dpa_options *options = public_options("alpha", "0.5", NULL);
    result r = result_of(&a, options);
    assert_true(r.highest == INFINITY && r.far == r.score);
    assert_ok(dpa_options_parse(options, "prediction_range", "1"));
    double low, high, least, most;
    range_of(a.ys, M, &low, &high);
    range_of(a.yt, N, &least, &most);
    r = result_of(&a, options);
    assert_close(r.lowest, fmin(low, least) - (fmax(high, most) - fmin(low, least)), 1e-12, 0);
    assert_true(r.far == r.lowest || r.far == r.highest);
    dpa_options_destroy(options);
    instance_free(a);
}

static void rates_are_at_least_0(void **state) {
    (void)state;
    static const char *const losses[] = {"poisson", "gamma"};
    instance a = instance_random(7, M, N, D);
    for (size_t i = 0; i < M + N; ++i) a.ys[i] = 0.1 + fabs(a.ys[i]);
    double low, high;
    range_of(a.ys, M + N, &low, &high);
    for (size_t k = 0; k < LENGTH(losses); ++k) {
        dpa_options *const both[] = {
            private_options("loss", losses[k], "unsafe_seed", "1", NULL),
            public_options("loss", losses[k], "alpha", "0.5", "prediction_range", "1", NULL)};
        for (size_t j = 0; j < LENGTH(both); ++j) {
            dpa_problem *problem = instance_problem(&a);
            dpa_solution *s = solve(problem, both[j]);
            const double lowest = solution_number(s, "prediction_lowest");
            assert_true(lowest >= 0 && lowest <= low);
            dpa_solution_destroy(s);
            dpa_problem_destroy(problem);
            dpa_options_destroy(both[j]);
        }
    }
    instance_free(a);
}

static void classes_have_no_range(void **state) {
    (void)state;
    instance a = instance_random(7, M, N, D);
    dpa_options *options = private_options("loss", "logistic", "prediction_range", "1", NULL);
    dpa_problem *problem = instance_problem(&a);
    dpa_solution *s = NULL;
    assert_error(dpa_solve(problem, NULL, options, &s), DPA_E_OPTION, "prediction_range",
                 "labels are numbers");
    assert_null(s);
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    instance_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(private_fits_stay_near_the_public_labels),
        cmocka_unit_test(steep_targets_are_not_cut_off),
        cmocka_unit_test(rows_that_the_public_fit_predicts_are_not_cut_off),
        cmocka_unit_test(both_private_end_where_labels_are_clamped),
        cmocka_unit_test(without_privacy_only_on_request),
        cmocka_unit_test(rates_are_at_least_0),
        cmocka_unit_test(classes_have_no_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

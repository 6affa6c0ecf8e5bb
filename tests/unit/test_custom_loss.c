/* options.h: dpa_options_set_loss, and fits by a loss of the caller's. */
#include "unit/losses.h"

enum { kParameters = kFeatures + 1 };

typedef struct {
    instance data;
    dpa_problem *problem;
    dpa_options *options;
    observer seen;
} fixture;

static int create(void **state) {
    static fixture f;
    f.data = labelled_instance(kSigns);
    f.problem = instance_problem(&f.data);
    f.options = public_options("tolerance", "1e-13", NULL);
    f.seen = (observer){0};
    assert_ok(dpa_options_set_loss(f.options, own_logistic, &f.seen, kParameters, INFINITY,
                                   INFINITY, INFINITY));
    *state = &f;
    return 0;
}

static int destroy(void **state) {
    fixture *f = *state;
    dpa_options_destroy(f->options);
    dpa_problem_destroy(f->problem);
    instance_free(f->data);
    return 0;
}

/* The author's prediction: theta in the coordinates in which the function saw the rows. */
static void assert_scores(const fixture *f, const dpa_solution *s, const double *wanted,
                          double tolerance) {
    double theta[kParameters], z[kTargetRows * kParameters];
    size_t count = 0, dimension = 0;
    count = (size_t)solution_number(s, "parameters");
    dimension = (size_t)solution_number(s, "dimension");
    assert_true(count == kParameters && dimension == kParameters);
    assert_ok(dpa_solution_array(s, "parameters", theta, kParameters));
    assert_ok(dpa_solution_predict(
        s, DPA_PREDICT_COORDINATES,
        (dpa_matrix){f->data.xt, kTargetRows, kFeatures, kFeatures, DPA_ROW_MAJOR}, z, LENGTH(z)));
    for (size_t i = 0; i < kTargetRows; ++i) {
        double score = 0;
        for (size_t j = 0; j < kParameters; ++j) score += theta[j] * z[i * kParameters + j];
        assert_close(score, wanted[i], tolerance, tolerance);
    }
}

/* By the same algorithm, so that they find the same stationary point where there are several. */
static void it_fits_what_the_built_in_loss_fits(void **state) {
    fixture *f = *state;
    static const char *const lambdas[] = {"auto", "0.9"};
    for (size_t k = 0; k < LENGTH(lambdas); ++k) {
        double scores[kTargetRows], objectives[2];
        dpa_options *options =
            public_options("loss", "logistic", "optimizer", "quasi_newton", "tolerance", "1e-13",
                           "discrepancy", "0.1", "lambda_1", lambdas[k], NULL);
        dpa_solution *built_in = solve(f->problem, options);
        assert_ok(dpa_solution_predict(
            built_in, DPA_PREDICT_SCORES,
            (dpa_matrix){f->data.xt, kTargetRows, kFeatures, kFeatures, DPA_ROW_MAJOR}, scores,
            kTargetRows));
        assert_ok(dpa_options_parse(f->options, "discrepancy", "0.1"));
        assert_ok(dpa_options_parse(f->options, "lambda_1", lambdas[k]));
        dpa_solution *own = solve(f->problem, f->options);
        assert_ok(dpa_solution_value(built_in, "objective", &objectives[0]));
        assert_ok(dpa_solution_value(own, "objective", &objectives[1]));
        assert_close(objectives[0], objectives[1], 1e-7, 0);
        assert_scores(f, own, scores, 1e-3);
        dpa_solution_destroy(own);
        dpa_solution_destroy(built_in);
        dpa_options_destroy(options);
    }
    assert_true(f->seen.most_rows > 1);
    assert_true(f->seen.without_gradients > 0); /* weights by lambda_1 need the losses alone */
}

static dpa_status fit(fixture *f) {
    dpa_solution *s = (dpa_solution *)f;
    dpa_status status = dpa_solve(f->problem, NULL, f->options, &s);
    assert_true((s == NULL) == (status != DPA_OK));
    dpa_solution_destroy(s);
    return status;
}

static void its_return_value_stops_the_call(void **state) {
    fixture *f = *state;
    assert_ok(fit(f));
    int64_t calls = f->seen.calls;
    const int64_t at[] = {1, 2, calls / 2, calls};
    for (size_t k = 0; k < LENGTH(at); ++k) {
        f->seen = (observer){.stop_at = at[k], .answer = 3};
        assert_error(fit(f), DPA_E_CANCELLED, "dpa_solve", "loss function");
        assert_int_equal(f->seen.calls, at[k]);
        f->seen = (observer){.stop_at = at[k], .answer = -3};
        assert_error(fit(f), DPA_E_CALLBACK, "dpa_solve", "loss function");
        assert_int_equal(f->seen.calls, at[k]);
    }
    f->seen = (observer){0};
    assert_ok(fit(f));
    assert_int_equal(f->seen.calls, calls);
}

/* What the function got at its first call. */
typedef struct {
    size_t rows, features;
    double x[kFeatures], label;
} first_row;

static int32_t look(const double *x, size_t rows, size_t features, const double *label,
                    const double *theta, size_t parameters, double *losses, double *gradients,
                    void *user) {
    first_row *first = user;
    if (!first->rows) {
        first->rows = rows;
        first->features = features;
        first->label = label[0];
        if (features == kFeatures) memcpy(first->x, x, sizeof first->x);
    }
    for (size_t i = 0; i < rows; ++i) {
        losses[i] = 0;
        for (size_t j = 0; j < parameters; ++j) {
            losses[i] += (theta[j] - 1) * (theta[j] - 1);
            if (gradients) gradients[i * parameters + j] = 2 * (theta[j] - 1);
        }
    }
    return 0;
}

/* Without preprocessing rows arrive as they are; the number of parameters is the author's
 * affair. */
static void it_sees_raw_features(void **state) {
    fixture *f = *state;
    first_row first = {0};
    double theta[2];
    assert_ok(dpa_options_parse(f->options, "preprocess", "none"));
    assert_ok(dpa_options_parse(f->options, "intercept", "false"));
    assert_ok(dpa_options_parse(f->options, "radius", "5"));
    assert_ok(dpa_options_set_loss(f->options, look, &first, 2, 72, 24, 2));
    dpa_solution *s = solve(f->problem, f->options);
    assert_true(first.features == kFeatures && first.label == f->data.ys[0]);
    assert_same_bits(first.x, f->data.xs, kFeatures);
    double z[kTargetRows * kFeatures];
    assert_ok(dpa_solution_predict(
        s, DPA_PREDICT_COORDINATES,
        (dpa_matrix){f->data.xt, kTargetRows, kFeatures, kFeatures, DPA_ROW_MAJOR}, z, LENGTH(z)));
    assert_same_bits(z, f->data.xt, LENGTH(z));
    assert_ok(dpa_solution_array(s, "parameters", theta, 2));
    for (size_t j = 0; j < 2; ++j) assert_close(theta[j], 1, 0, 1e-6);
    dpa_solution_destroy(s);
}

static void get_loss(const dpa_options *options, const char *wanted) {
    char word[32];
    assert_ok(dpa_options_get(options, "loss", word, sizeof word, NULL));
    assert_string_equal(word, wanted);
}

static void it_is_set_replaced_and_dropped(void **state) {
    fixture *f = *state;
    get_loss(f->options, "custom");
    assert_ok(dpa_options_set_loss(f->options, NULL, NULL, 0, NAN, -1, 0));
    get_loss(f->options, "squared");
    assert_ok(dpa_options_parse(f->options, "loss", "custom"));
    assert_error(fit(f), DPA_E_OPTION, "loss", "dpa_options_set_loss");
    assert_ok(dpa_options_set_loss(f->options, own_logistic, NULL, kParameters, 1, 1, 1));
    assert_ok(fit(f));
    assert_ok(dpa_options_set_loss(f->options, NULL, NULL, 0, NAN, -1, 0));
    get_loss(f->options, "squared");
    assert_ok(dpa_options_parse(f->options, "private_domain", "none"));
    assert_ok(dpa_options_parse(f->options, "loss", "custom"));
    assert_error(fit(f), DPA_E_OPTION, "dpa_options_set_loss");
}

static void arguments_are_checked(void **state) {
    fixture *f = *state;
    static const double bad[] = {0, -1, NAN, -INFINITY};
    static const char *const names[] = {"loss_bound", "gradient_bound", "smoothness"};
    assert_ok(dpa_options_set_loss(f->options, NULL, NULL, 0, 1, 1, 1));
#define SET(handle, parameters, b, g, beta) \
    dpa_options_set_loss(handle, own_logistic, NULL, parameters, b, g, beta)
    assert_error(SET(NULL, 1, 1, 1, 1), DPA_E_HANDLE, "dpa_options_set_loss", "options");
    assert_error(SET((dpa_options *)f->problem, 1, 1, 1, 1), DPA_E_HANDLE, "options");
    assert_error(SET(f->options, 0, 1, 1, 1), DPA_E_DIMENSION, "parameters", "0");
    assert_error(SET(f->options, ((size_t)1 << 24) + 1, 1, 1, 1), DPA_E_OVERFLOW, "parameters",
                 "16777217");
    assert_error(SET(f->options, SIZE_MAX, 1, 1, 1), DPA_E_OVERFLOW, "parameters");
    for (size_t k = 0; k < LENGTH(bad); ++k)
        for (size_t which = 0; which < LENGTH(names); ++which)
            assert_error(SET(f->options, 1, which == 0 ? bad[k] : 1, which == 1 ? bad[k] : 1,
                             which == 2 ? bad[k] : 1),
                         DPA_E_OPTION, "dpa_options_set_loss", names[which], "positive");
    get_loss(f->options, "squared");
    assert_ok(SET(f->options, (size_t)1 << 24, 1, 1, 1));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, create, destroy)
    const struct CMUnitTest tests[] = {
        TEST(it_fits_what_the_built_in_loss_fits),
        TEST(its_return_value_stops_the_call),
        TEST(it_sees_raw_features),
        TEST(it_is_set_replaced_and_dropped),
        TEST(arguments_are_checked),
    };
    return cmocka_run_group_tests_name("custom_loss", tests, NULL, NULL);
}

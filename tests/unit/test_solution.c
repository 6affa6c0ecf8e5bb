/* solution.h: solving, the getters and their checks, settings, prediction. */
#include "check.h"

enum { kRows = 30, kTargets = 14, kCols = 3 };

typedef struct {
    instance data;
    dpa_problem *problem;
    dpa_options *options;
    dpa_solution *solution;
} fixture;

static int create(void **state) {
    static fixture f;
    f.data = instance_random(2, kRows, kTargets, kCols);
    f.problem = instance_problem(&f.data);
    f.options = public_options("alpha", "0.6", NULL);
    f.solution = solve(f.problem, f.options);
    *state = &f;
    return 0;
}

static int destroy(void **state) {
    fixture *f = *state;
    dpa_solution_destroy(f->solution);
    dpa_options_destroy(f->options);
    dpa_problem_destroy(f->problem);
    instance_free(f->data);
    return 0;
}

static void solve_checks_its_arguments(void **state) {
    fixture *f = *state;
    dpa_problem *empty = NULL;
    dpa_solution *s = NULL;
    const dpa_discrepancy *wrong = (dpa_discrepancy *)f->options;
    assert_ok(dpa_problem_create(&empty));
#define SOLVE(problem, discrepancy, options) \
    (s = f->solution, dpa_solve(problem, discrepancy, options, &s))
    assert_error(SOLVE(NULL, NULL, f->options), DPA_E_HANDLE, "dpa_solve", "problem");
    assert_null(s);
    assert_error(SOLVE((dpa_problem *)f->options, NULL, f->options), DPA_E_HANDLE, "problem");
    assert_null(s);
    assert_error(SOLVE(f->problem, wrong, f->options), DPA_E_HANDLE, "discrepancy");
    assert_null(s);
    assert_error(SOLVE(f->problem, NULL, (dpa_options *)f->problem), DPA_E_HANDLE, "options");
    assert_null(s);
    assert_error(SOLVE(empty, NULL, f->options), DPA_E_STATE, "dpa_solve", "source");
    assert_null(s);
    assert_ok(dpa_problem_set_sample(
        empty, DPA_TARGET, (dpa_matrix){f->data.xt, 2, 3, 3, DPA_ROW_MAJOR}, f->data.yt, 2));
    assert_error(SOLVE(empty, NULL, f->options), DPA_E_STATE, "dpa_solve", "source");
    assert_null(s);
    assert_error(dpa_solve(f->problem, NULL, f->options, NULL), DPA_E_INVALID_ARGUMENT, "out");
    assert_ok(dpa_problem_set_sample(
        empty, DPA_SOURCE, (dpa_matrix){f->data.xs, 4, 3, 3, DPA_ROW_MAJOR}, f->data.ys, 4));
    assert_ok(SOLVE(empty, NULL, f->options));
    dpa_solution_destroy(s);
    dpa_problem_destroy(empty);
    dpa_solution_destroy(NULL);
}

/* Privacy is the default: without a budget there is an error, never a silent fit without
 * privacy. */
static void privacy_is_the_default(void **state) {
    fixture *f = *state;
    dpa_solution *s = f->solution;
    assert_error(dpa_solve(f->problem, NULL, NULL, &s), DPA_E_OPTION, "epsilon", "delta");
    assert_null(s);
    static const char *const given[][2] = {{"epsilon", "1"}, {"delta", "1e-5"}};
    for (size_t i = 0; i < LENGTH(given); ++i) {
        dpa_options *options = public_options(given[i][0], given[i][1], NULL);
        s = f->solution;
        assert_error(dpa_solve(f->problem, NULL, options, &s), DPA_E_OPTION, given[i][0],
                     "private_domain");
        assert_null(s);
        dpa_options_destroy(options);
    }
    dpa_options *options = public_options("method", "paper", NULL);
    s = f->solution;
    assert_error(dpa_solve(f->problem, NULL, options, &s), DPA_E_UNSUPPORTED, "method",
                 "private_domain");
    assert_null(s);
    dpa_options_destroy(options);
}

/* Prices of the other form must not be ignored. */
static void each_form_has_its_own_prices(void **state) {
    fixture *f = *state;
    static const char *const names[][2] = {{"lambda_1", "convex"}, {"lambda_2", "convex"},
                                           {"lambda_inf", "auto"}, {"kappa_1", "general"},
                                           {"kappa_2", "general"}, {"kappa_inf", "general"}};
    for (size_t i = 0; i < LENGTH(names); ++i) {
        dpa_options *options = public_options(names[i][0], "0.5", "form", names[i][1], NULL);
        dpa_solution *s = f->solution;
        assert_error(dpa_solve(f->problem, NULL, options, &s), DPA_E_OPTION, names[i][0], "form");
        assert_null(s);
        dpa_options_destroy(options);
    }
}

static const struct {
    const char *name;
    size_t length;
} arrays[] = {{"coefficients", kCols},
              {"intercept", 1},
              {"source_weights", kRows},
              {"target_weights", kTargets}};

static const char *const numbers[] = {"objective",   "duality_gap", "iterations",
                                      "termination", "dimension",   "alpha"};

static void arrays_have_their_documented_length(void **state) {
    fixture *f = *state;
    for (size_t i = 0; i < LENGTH(arrays); ++i) {
        double out[kRows + 2];
        size_t length = arrays[i].length;
        for (size_t k = 0; k < LENGTH(out); ++k) out[k] = 7;
        const dpa_solution *const wrong[] = {NULL, (dpa_solution *)f->problem};
        for (size_t k = 0; k < LENGTH(wrong); ++k)
            assert_error(dpa_solution_array(wrong[k], arrays[i].name, out, length), DPA_E_HANDLE,
                         "dpa_solution_array", "solution");
        assert_error(dpa_solution_array(f->solution, arrays[i].name, NULL, length),
                     DPA_E_INVALID_ARGUMENT, "dpa_solution_array", "out", "NULL");
        assert_error(dpa_solution_array(f->solution, arrays[i].name, out, length - 1),
                     DPA_E_DIMENSION, "dpa_solution_array", "out_len");
        assert_error(dpa_solution_array(f->solution, arrays[i].name, out, length + 1),
                     DPA_E_DIMENSION, "dpa_solution_array", "out_len");
        assert_error(dpa_solution_array(f->solution, arrays[i].name, out, SIZE_MAX),
                     DPA_E_DIMENSION, "out_len");
        for (size_t k = 0; k < LENGTH(out); ++k) assert_true(out[k] == 7);
        assert_ok(dpa_solution_array(f->solution, arrays[i].name, out, length));
        for (size_t k = 0; k < length; ++k) assert_true(isfinite(out[k]));
        assert_true(out[length] == 7);
    }
}

static void numbers_check_their_arguments(void **state) {
    fixture *f = *state;
    const dpa_solution *const wrong[] = {NULL, (dpa_solution *)f->problem};
    double v = 7;
    size_t size = 7;
    for (size_t k = 0; k < LENGTH(wrong); ++k) {
        for (size_t i = 0; i < LENGTH(numbers); ++i)
            assert_error(dpa_solution_value(wrong[k], numbers[i], &v), DPA_E_HANDLE,
                         "dpa_solution_value", "solution");
        assert_error(dpa_solution_shape(wrong[k], &size, &size, &size, &size), DPA_E_HANDLE,
                     "dpa_solution_shape", "solution");
        assert_error(dpa_solution_array(wrong[k], "parameters", &v, 1), DPA_E_HANDLE, "solution");
        assert_error(dpa_solution_text(wrong[k], "loss", NULL, 0, &size), DPA_E_HANDLE, "solution");
    }
    for (size_t i = 0; i < LENGTH(numbers); ++i)
        assert_error(dpa_solution_value(f->solution, numbers[i], NULL), DPA_E_INVALID_ARGUMENT,
                     "value");
    assert_error(dpa_solution_value(f->solution, NULL, &v), DPA_E_INVALID_ARGUMENT, "name");
    assert_error(dpa_solution_value(f->solution, "beta", &v), DPA_E_OPTION_NAME, "beta");
    assert_error(dpa_solution_array(f->solution, NULL, &v, 1), DPA_E_INVALID_ARGUMENT, "name");
    assert_error(dpa_solution_array(f->solution, "beta", &v, 1), DPA_E_OPTION_NAME, "beta");
    assert_true(v == 7 && size == 7);
}

static void shape_and_termination(void **state) {
    fixture *f = *state;
    size_t features = 0, outputs = 0, m = 0, n = 0;
    assert_ok(dpa_solution_shape(f->solution, NULL, NULL, NULL, NULL));
    assert_ok(dpa_solution_shape(f->solution, &features, &outputs, &m, &n));
    assert_int_equal(features, kCols);
    assert_int_equal(outputs, 1);
    assert_string_equal(solution_text(f->solution, "loss"), "squared");
    assert_int_equal(m, kRows);
    assert_int_equal(n, kTargets);
    int64_t iterations = 0;
    int32_t termination = -1;
    iterations = (int64_t)solution_number(f->solution, "iterations");
    assert_true(iterations >= 1 && iterations <= 200);
    termination = (int32_t)solution_number(f->solution, "termination");
    assert_int_equal(termination, DPA_TERMINATION_CONVERGED);
    assert_string_equal(solution_text(f->solution, "termination"), "converged");
    assert_error(dpa_solution_text(f->solution, "end", NULL, 0, NULL), DPA_E_OPTION_NAME, "end");
}

/* A limit of one iteration is obeyed and told; it is an outcome, not a failure. */
static void iteration_limit_is_an_outcome(void **state) {
    fixture *f = *state;
    dpa_options *options =
        public_options("iterations", "1", "tolerance", "0", "alpha", "0.6", NULL);
    dpa_solution *s = solve(f->problem, options);
    int64_t iterations = 0;
    int32_t termination = -1;
    double objective, best, best_gap;
    iterations = (int64_t)solution_number(s, "iterations");
    termination = (int32_t)solution_number(s, "termination");
    assert_ok(dpa_solution_value(s, "objective", &objective));
    assert_ok(dpa_solution_value(f->solution, "objective", &best));
    assert_ok(dpa_solution_value(f->solution, "duality_gap", &best_gap));
    assert_int_equal(iterations, 1);
    assert_int_equal(termination, DPA_TERMINATION_ITERATIONS);
    assert_at_most(best - best_gap, objective);
    dpa_solution_destroy(s);
    dpa_options_destroy(options);
}

static void settings_tell_what_was_used(void **state) {
    fixture *f = *state;
    assert_true(solution_number(f->solution, "alpha") >= 0 &&
                solution_number(f->solution, "alpha") <= 1);
    assert_true(solution_number(f->solution, "kappa_1") > 0 &&
                solution_number(f->solution, "radius") > 0);
    assert_true(solution_number(f->solution, "kappa_2") == 0 &&
                solution_number(f->solution, "kappa_inf") == 0);
    static const char *const of_other_losses[] = {"lambda_1",          "lambda_2", "lambda_inf",
                                                  "huber_threshold",   "classes",  "quantile_level",
                                                  "quantile_smoothing"};
    for (size_t i = 0; i < LENGTH(of_other_losses); ++i)
        assert_true(solution_number(f->solution, of_other_losses[i]) == 0);
    assert_true(solution_number(f->solution, "feature_radius") == INFINITY);
    assert_true(solution_number(f->solution, "label_bound") == INFINITY);
    static const struct {
        const char *name, *text;
    } given[] = {{"alpha", "0.3"},        {"kappa_1", "0.7"},    {"kappa_2", "0.01"},
                 {"kappa_inf", "0.02"},   {"radius", "1.75"},    {"discrepancy", "0.125"},
                 {"feature_radius", "2"}, {"label_bound", "1.5"}};
    dpa_options *options = public_options(NULL);
    for (size_t i = 0; i < LENGTH(given); ++i)
        assert_ok(dpa_options_parse(options, given[i].name, given[i].text));
    dpa_solution *s = solve(f->problem, options);
    for (size_t i = 0; i < LENGTH(given); ++i)
        assert_true(solution_number(s, given[i].name) == strtod(given[i].text, NULL));
    dpa_solution_destroy(s);
    dpa_options_destroy(options);
}

/* d is what the handle says, else what the option says, else the estimate. */
/* Every setting has a name of its own, and an answer under it; nothing else has. */
static void settings_are_enumerated(void **state) {
    fixture *f = *state;
    size_t count = 0;
    while (dpa_solution_setting_name(count)) ++count;
    assert_true(count >= 14);
    for (size_t i = 0; i < count; ++i) {
        const char *name = dpa_solution_setting_name(i);
        assert_false(isnan(solution_number(f->solution, name)));
        for (size_t k = 0; k < i; ++k) assert_string_not_equal(name, dpa_solution_setting_name(k));
    }
    assert_null(dpa_solution_setting_name(count));
    assert_null(dpa_solution_setting_name(SIZE_MAX));
}

/* Saved scripts ask for "mu". */
static void a_setting_is_the_number_that_was_set(void **state) {
    fixture *f = *state;
    dpa_options *options = public_options("form", "general", "alpha", "0.5", "lambda_1", "1",
                                          "softmax_sharpness", "17", NULL);
    dpa_solution *solution = solve(f->problem, options);
    assert_true(solution_number(solution, "softmax_sharpness") == 17);
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
}

static void discrepancy_comes_from_handle_option_or_estimate(void **state) {
    fixture *f = *state;
    dpa_discrepancy *d = NULL;
    double value, same[2][kCols];
    assert_ok(dpa_discrepancy_estimate(f->problem, f->options, &d));
    assert_ok(dpa_discrepancy_value(d, "value", &value));
    assert_true(value > 0 && solution_number(f->solution, "discrepancy") == value);
    dpa_options *options = public_options("discrepancy", "0.125", "alpha", "0.6", NULL);
    dpa_solution *s = NULL;
    assert_ok(dpa_solve(f->problem, d, options, &s));
    dpa_discrepancy_destroy(d); /* not needed by the solution */
    assert_true(solution_number(s, "discrepancy") == value);
    assert_ok(dpa_solution_array(s, "coefficients", same[0], kCols));
    assert_ok(dpa_solution_array(f->solution, "coefficients", same[1], kCols));
    assert_same_bits(same[0], same[1], kCols);
    dpa_solution_destroy(s);
    dpa_options_destroy(options);
}

/* Options are copied by the call, data are not needed afterwards, fits repeat bit for bit. */
static void solution_stands_alone_and_repeats(void **state) {
    fixture *f = *state;
    double first[kCols], second[kCols];
    assert_ok(dpa_solution_array(f->solution, "coefficients", first, kCols));
    dpa_solution *again = solve(f->problem, f->options);
    dpa_problem_destroy(f->problem);
    dpa_options_destroy(f->options);
    f->problem = NULL;
    f->options = NULL;
    assert_ok(dpa_solution_array(again, "coefficients", second, kCols));
    assert_same_bits(first, second, kCols);
    dpa_solution_destroy(again);
}

static void prediction_is_linear_in_every_layout(void **state) {
    fixture *f = *state;
    double w[kCols], b, out[kTargets], by_columns[(kTargets + 2) * kCols];
    assert_ok(dpa_solution_array(f->solution, "coefficients", w, kCols));
    assert_ok(dpa_solution_array(f->solution, "intercept", &b, 1));
    for (size_t k = 0; k < LENGTH(by_columns); ++k) by_columns[k] = NAN;
    for (size_t i = 0; i < kTargets; ++i)
        for (size_t j = 0; j < kCols; ++j)
            by_columns[i + j * (kTargets + 2)] = f->data.xt[i * kCols + j];
    for (int layout = 0; layout < 2; ++layout) {
        const double *x = layout == DPA_ROW_MAJOR ? f->data.xt : by_columns;
        size_t lead = layout == DPA_ROW_MAJOR ? kCols : kTargets + 2;
        assert_ok(dpa_solution_predict(f->solution, DPA_PREDICT_LABELS,
                                       (dpa_matrix){x, kTargets, kCols, lead, layout}, out,
                                       kTargets));
        for (size_t i = 0; i < kTargets; ++i) {
            double wanted = b, size = fabs(b);
            for (size_t j = 0; j < kCols; ++j) {
                wanted += w[j] * f->data.xt[i * kCols + j];
                size += fabs(w[j] * f->data.xt[i * kCols + j]);
            }
            assert_close(out[i], wanted, 0, 1e-14 * size);
        }
    }
}

static void prediction_of_no_rows_and_of_nan(void **state) {
    fixture *f = *state;
    double x[2 * kCols] = {1, NAN, 2, 1, 2, 3}, out[2] = {7, 7};
    assert_ok(dpa_solution_predict(f->solution, DPA_PREDICT_LABELS,
                                   (dpa_matrix){x, 0, kCols, kCols, DPA_ROW_MAJOR}, out, 0));
    assert_true(out[0] == 7);
    assert_ok(dpa_solution_predict(f->solution, DPA_PREDICT_LABELS,
                                   (dpa_matrix){x, 2, kCols, kCols, DPA_ROW_MAJOR}, out, 2));
    assert_true(isnan(out[0]) && isfinite(out[1]));
}

/* The kinds of predictions of this fit, with their numbers for a row. */
static const struct {
    int32_t kind;
    size_t width;
} of_rows[] = {
    {DPA_PREDICT_LABELS, 1}, {DPA_PREDICT_SCORES, 1}, {DPA_PREDICT_COORDINATES, kCols + 1}};

static void functions_of_rows_check_their_arguments(void **state) {
    fixture *f = *state;
    double x[2 * kCols] = {0}, out[2 * (kCols + 1)];
    const size_t big = SIZE_MAX / 2 + 1;
    dpa_solution *const good = f->solution, *const wrong = (dpa_solution *)f->problem;
    for (size_t k = 0; k < LENGTH(of_rows); ++k) {
        size_t one = of_rows[k].width, two = 2 * one;
        for (size_t i = 0; i < LENGTH(out); ++i) out[i] = 7;
#define FAILS(code, s, x, rows, cols, lead, layout, out, out_len, ...)                          \
    assert_error(dpa_solution_predict(s, of_rows[k].kind,                                       \
                                      (dpa_matrix){x, rows, cols, lead, layout}, out, out_len), \
                 code, "dpa_solution_predict", __VA_ARGS__)
        FAILS(DPA_E_HANDLE, NULL, x, 2, 3, 3, DPA_ROW_MAJOR, out, two, "solution");
        FAILS(DPA_E_HANDLE, wrong, x, 2, 3, 3, DPA_ROW_MAJOR, out, two, "solution");
        FAILS(DPA_E_INVALID_ARGUMENT, good, NULL, 2, 3, 3, DPA_ROW_MAJOR, out, two, "data");
        FAILS(DPA_E_INVALID_ARGUMENT, good, x, 2, 3, 3, DPA_ROW_MAJOR, NULL, two, "out");
        FAILS(DPA_E_INVALID_ARGUMENT, good, x, 2, 3, 3, 5, out, two, "layout", "5");
        FAILS(DPA_E_DIMENSION, good, x, 2, 2, 3, DPA_ROW_MAJOR, out, two, "cols", "2", "3");
        FAILS(DPA_E_DIMENSION, good, x, 2, 3, 3, DPA_ROW_MAJOR, out, one, "out_len");
        FAILS(DPA_E_DIMENSION, good, x, 1, 3, 3, DPA_ROW_MAJOR, out, two, "out_len");
        FAILS(DPA_E_DIMENSION, good, x, 0, 3, 3, DPA_ROW_MAJOR, out, one, "out_len", "0");
        FAILS(DPA_E_STRIDE, good, x, 2, 3, 2, DPA_ROW_MAJOR, out, two, "leading_dimension", "2");
        FAILS(DPA_E_STRIDE, good, x, 2, 3, 1, DPA_COL_MAJOR, out, two, "leading_dimension", "1");
        FAILS(DPA_E_OVERFLOW, good, x, big, 3, big, DPA_COL_MAJOR, out, big, "rows");
        FAILS(DPA_E_OVERFLOW, good, x, big, 3, 3, DPA_ROW_MAJOR, out, big, "rows");
        for (size_t i = 0; i < LENGTH(out); ++i) assert_true(out[i] == 7);
        assert_ok(dpa_solution_predict(good, of_rows[k].kind,
                                       (dpa_matrix){x, 2, 3, 3, DPA_ROW_MAJOR}, out, two));
    }
    assert_error(dpa_solution_predict(wrong, DPA_PREDICT_PROBABILITIES,
                                      (dpa_matrix){x, 2, 3, 3, DPA_ROW_MAJOR}, out, 2),
                 DPA_E_HANDLE, "dpa_solution_predict", "solution");
    assert_error(dpa_solution_predict(good, DPA_PREDICT_PROBABILITIES,
                                      (dpa_matrix){x, 2, 3, 3, DPA_ROW_MAJOR}, out, 2),
                 DPA_E_UNSUPPORTED, "dpa_solution_predict", "classes");
    for (int32_t kind = -1; kind <= 4; kind += 5)
        assert_error(
            dpa_solution_predict(good, kind, (dpa_matrix){x, 2, 3, 3, DPA_ROW_MAJOR}, out, 2),
            DPA_E_INVALID_ARGUMENT, "kind");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, create, destroy)
    const struct CMUnitTest tests[] = {
        TEST(solve_checks_its_arguments),
        TEST(privacy_is_the_default),
        TEST(each_form_has_its_own_prices),
        TEST(arrays_have_their_documented_length),
        TEST(numbers_check_their_arguments),
        TEST(shape_and_termination),
        TEST(iteration_limit_is_an_outcome),
        TEST(settings_tell_what_was_used),
        TEST(settings_are_enumerated),
        TEST(a_setting_is_the_number_that_was_set),
        TEST(discrepancy_comes_from_handle_option_or_estimate),
        TEST(solution_stands_alone_and_repeats),
        TEST(prediction_is_linear_in_every_layout),
        TEST(prediction_of_no_rows_and_of_nan),
        TEST(functions_of_rows_check_their_arguments),
    };
    return cmocka_run_group_tests_name("solution", tests, NULL, NULL);
}

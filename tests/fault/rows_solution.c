#include <stdio.h>

#include "fault.h"

static void misuse_solve(fixture *f) {
    dpa_solution *out = f->solution;
    const dpa_discrepancy *wrong = (dpa_discrepancy *)f->token;
    dpa_problem *empty = NULL;
    CHECK_HANDLES(f, dpa_problem, dpa_solve(h, NULL, f->options, &out));
    assert_null(out);
    assert_status(dpa_solve(f->problem, wrong, f->options, &out), DPA_E_HANDLE);
    assert_status(dpa_solve(f->problem, NULL, (dpa_options *)f->token, &out), DPA_E_HANDLE);
    assert_status(dpa_solve(f->problem, NULL, NULL, &out), DPA_E_OPTION);
    assert_status(dpa_solve(f->problem, NULL, f->options, NULL), DPA_E_INVALID_ARGUMENT);
    dpa_options *options = private_options("alpha", "0.5", NULL);
    out = f->solution;
    assert_status(dpa_solve(f->problem, f->discrepancy, options, &out), DPA_E_OPTION);
    assert_null(out); /* that discrepancy is not private */
    dpa_options_destroy(options);
    assert_ok(dpa_problem_create(&empty));
    assert_status(dpa_solve(empty, NULL, f->options, &out), DPA_E_STATE);
    dpa_problem_destroy(empty);

    double good = f->data.yt[2];
    f->data.yt[2] = INFINITY;
    dpa_problem *bad = instance_problem(&f->data);
    f->data.yt[2] = good;
    assert_status(dpa_solve(bad, NULL, f->options, &out), DPA_E_NONFINITE);
    assert_null(out);
    dpa_problem_destroy(bad);
}

/* A problem of its own, because a private fit spends its budget. */
static dpa_status use_solve_with(fixture *f, const instance *data, const dpa_options *options,
                                 outcome *out) {
    dpa_problem *problem = instance_problem(data);
    dpa_solution *solution = f->solution;
    double w[kCols + 1] = {0};
    dpa_status status;
    INJECT(f, status = dpa_solve(problem, NULL, options, &solution));
    dpa_problem_destroy(problem);
    assert_true((solution == NULL) == (status != DPA_OK));
    if (status) return status;
    copy_predictor(solution, data->d, w);
    RECORD(out, w);
    dpa_solution_destroy(solution);
    return status;
}

/* Little data, because alpha = auto makes many fits. */
static dpa_status use_auto_solve(fixture *f, outcome *out) {
    instance small = instance_random(4, 8, 6, 5);
    dpa_options *options = public_options(NULL);
    dpa_status status = use_solve_with(f, &small, options, out);
    dpa_options_destroy(options);
    instance_free(small);
    return status;
}

/* By a loss whose weights change. */
static dpa_status use_general_solve(fixture *f, outcome *out) {
    dpa_options *options = public_options("loss", "huber", "threads", "2", "discrepancy", "0.1",
                                          "alpha", "0.5", "lambda_1", "2", "lambda_2", "0.1", NULL);
    dpa_status status = use_solve_with(f, &f->data, options, out);
    dpa_options_destroy(options);
    return status;
}

/* With two threads and every term of the objective, so that each part of the solvers allocates;
 * with privacy by each method, and noise that repeats. */
static dpa_status use_solve(fixture *f, outcome *out) {
    static const char *const methods[][2] = {
        {"private_domain", "none"}, {"alpha", "auto"}, {"alpha", "0.5"}, {"method", "paper"}};
    dpa_status status = DPA_OK;
    for (size_t k = 0; k < LENGTH(methods) && !status; ++k) {
        dpa_options *options =
            private_options("threads", "2", "preprocess", "whiten", "kappa_2", "0.1", "kappa_inf",
                            "0.1", "epsilon", k ? "50" : "unset", "delta", k ? "1e-5" : "unset",
                            "iterations", k ? "2" : "auto", "unsafe_seed", "5", "alpha",
                            k == 1 ? "auto" : "0.5", methods[k][0], methods[k][1], NULL);
        status = use_solve_with(f, &f->data, options, out);
        dpa_options_destroy(options);
    }
    if (!status) status = use_general_solve(f, out);
    if (!status) status = use_auto_solve(f, out);
    if (status) out->size = 0;
    return status;
}

/* A solution with parameters and classes; fitted once, as most calls want it. */
static dpa_solution *perceptron(void) {
    static uint8_t bytes[kBytes];
    static size_t size;
    dpa_solution *solution = NULL;
    if (!size) {
        instance a = instance_random(3, kRows, kTargets, kCols);
        dpa_options *options = public_options("loss", "perceptron", "hidden_units", "2",
                                              "perceptron_output", "logistic", NULL);
        for (size_t i = 0; i < kRows + kTargets; ++i) a.ys[i] = a.ys[i] < 0 ? -1 : 1;
        dpa_problem *problem = instance_problem(&a);
        solution = solve(problem, options);
        assert_ok(dpa_solution_serialize(solution, 1, bytes, sizeof bytes, &size));
        dpa_solution_destroy(solution);
        dpa_problem_destroy(problem);
        dpa_options_destroy(options);
        instance_free(a);
    }
    assert_ok(dpa_solution_deserialize(bytes, size, &solution));
    return solution;
}

static void misuse_destroy(fixture *f) {
    (void)f;
    dpa_solution_destroy(NULL);
}

static dpa_status use_destroy(fixture *f, outcome *out) {
    dpa_solution *solution = solve(f->problem, f->options);
    INJECT(f, dpa_solution_destroy(solution));
    RECORD(out, f->size);
    return DPA_OK;
}

static void misuse_shape(fixture *f) {
    size_t size = 7;
    CHECK_HANDLES(f, dpa_solution, dpa_solution_shape(h, &size, &size, &size, &size));
    assert_int_equal(size, 7);
    assert_ok(dpa_solution_shape(f->solution, NULL, NULL, NULL, NULL));
}

static dpa_status use_shape(fixture *f, outcome *out) {
    size_t s[4] = {0};
    dpa_status status;
    INJECT(f, status = dpa_solution_shape(f->solution, &s[0], &s[1], &s[2], &s[3]));
    if (!status) RECORD(out, s);
    return status;
}

typedef dpa_status (*array_getter)(const dpa_solution *, double *, size_t);

enum { kCovariance = (kCols + 1) * (kCols + 1) }; /* the longest array */

static void misuse_array(fixture *f, array_getter get, size_t length) {
    double out[kCovariance + 1];
    for (size_t k = 0; k < LENGTH(out); ++k) out[k] = 7;
    CHECK_HANDLES(f, dpa_solution, get(h, out, length));
    assert_status(get(f->solution, NULL, length), DPA_E_INVALID_ARGUMENT);
    assert_status(get(f->solution, out, length - 1), DPA_E_DIMENSION);
    assert_status(get(f->solution, out, length + 1), DPA_E_DIMENSION);
    assert_status(get(f->solution, out, SIZE_MAX), DPA_E_DIMENSION);
    for (size_t k = 0; k < LENGTH(out); ++k) assert_true(out[k] == 7);
}

static dpa_status use_array(fixture *f, outcome *out, array_getter get, size_t length) {
    double values[kCovariance];
    dpa_status status;
    INJECT(f, status = get(f->solution, values, length));
    if (!status) record(out, values, length * sizeof *values);
    return status;
}

#define ARRAY(name, length)                                                                   \
    static dpa_status get_##name(const dpa_solution *solution, double *out, size_t out_len) { \
        return dpa_solution_array(solution, #name, out, out_len);                             \
    }                                                                                         \
    static void misuse_##name(fixture *f) { misuse_array(f, get_##name, length); }            \
    static dpa_status use_##name(fixture *f, outcome *out) {                                  \
        return use_array(f, out, get_##name, length);                                         \
    }
ARRAY(coefficients, kCols)
ARRAY(intercept, 1)
ARRAY(source_weights, kRows)
ARRAY(target_weights, kTargets)
ARRAY(target_estimate, kCols + 1)
ARRAY(covariance, kCovariance)

static dpa_status intervals(const dpa_solution *solution, double *out, size_t out_len) {
    return dpa_solution_intervals(solution, 0.9, out, out_len);
}

static void misuse_intervals(fixture *f) {
    double out[2 * (kCols + 1)];
    const double wrong[] = {0.0, 1.0, -1.0, 2.0, NAN, INFINITY};
    misuse_array(f, intervals, LENGTH(out));
    for (size_t k = 0; k < LENGTH(wrong); ++k)
        assert_status(dpa_solution_intervals(f->solution, wrong[k], out, LENGTH(out)),
                      DPA_E_INVALID_ARGUMENT);
}

static dpa_status use_intervals(fixture *f, outcome *out) {
    return use_array(f, out, intervals, 2 * (kCols + 1));
}

static dpa_solution *survival_fit(const fixture *f) {
    instance data = f->data;
    double *y = calloc(kRows + kTargets, sizeof *y);
    assert_non_null(y);
    for (size_t i = 0; i < kRows + kTargets; ++i) y[i] = (i % 3 ? 1 : -1) * exp(-0.1 * data.ys[i]);
    data.ys = y;
    data.yt = y + kRows;
    dpa_problem *problem = instance_problem(&data);
    dpa_options *options = public_options("loss", "survival", "inference", "yes", NULL);
    dpa_solution *solution = solve(problem, options);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    free(y);
    return solution;
}

static const double kTimes[] = {0, 0.5};

static void misuse_survival(fixture *f) {
    dpa_solution *fit = survival_fit(f);
    const dpa_matrix x = {f->data.xt, kTargets, kCols, kCols, DPA_ROW_MAJOR};
    dpa_matrix narrow = x;
    narrow.cols = 1;
    double out[4 * kTargets] = {7};
    const double late[] = {1, -1}, none[] = {NAN, 1}, sure[] = {1, -0.5, NAN, INFINITY};
    const size_t half = 2 * kTargets;
    CHECK_HANDLES(f, dpa_solution, dpa_solution_survival(h, 0, x, kTimes, 2, out, half));
    assert_status(dpa_solution_survival(f->solution, 0, x, kTimes, 2, out, half),
                  DPA_E_UNSUPPORTED);
    for (size_t k = 0; k < LENGTH(sure); ++k)
        assert_status(dpa_solution_survival(fit, sure[k], x, kTimes, 2, out, 2 * half),
                      DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_solution_survival(fit, 0, x, late, 2, out, half), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_solution_survival(fit, 0, x, none, 2, out, half), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_solution_survival(fit, 0, x, NULL, 2, out, half), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_solution_survival(fit, 0, x, kTimes, 2, NULL, half), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_solution_survival(fit, 0, x, kTimes, 2, out, half - 1), DPA_E_DIMENSION);
    assert_status(dpa_solution_survival(fit, 0, x, kTimes, SIZE_MAX, out, half), DPA_E_DIMENSION);
    assert_status(dpa_solution_survival(fit, 0, narrow, kTimes, 2, out, half), DPA_E_DIMENSION);
    assert_true(out[0] == 7);
    assert_ok(dpa_solution_survival(fit, 0, x, kTimes, 0, NULL, 0));
    dpa_solution_destroy(fit);
}

static dpa_status use_survival(fixture *f, outcome *out) {
    dpa_solution *fit = survival_fit(f);
    const dpa_matrix x = {f->data.xt, 2, kCols, kCols, DPA_ROW_MAJOR};
    double ends[8] = {7};
    dpa_status status;
    INJECT(f, status = dpa_solution_survival(fit, 0.9, x, kTimes, 2, ends, LENGTH(ends)));
    dpa_solution_destroy(fit);
    if (status) {
        assert_true(ends[0] == 7);
        return status;
    }
    RECORD(out, ends);
    return status;
}

static void misuse_value(fixture *f) {
    static const char *const names[] = {"alpha",      "objective",  "duality_gap",
                                        "iterations", "dimension",  "domain_p_value",
                                        "neighbours", "termination"};
    double value = 7;
    for (size_t k = 0; k < LENGTH(names); ++k) {
        CHECK_HANDLES(f, dpa_solution, dpa_solution_value(h, names[k], &value));
        assert_status(dpa_solution_value(f->solution, names[k], NULL), DPA_E_INVALID_ARGUMENT);
    }
    assert_status(dpa_solution_value(f->solution, NULL, &value), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_solution_value(f->solution, "", &value), DPA_E_OPTION_NAME);
    assert_status(dpa_solution_value(f->solution, "parameters", &value), DPA_E_UNSUPPORTED);
    assert_status(dpa_solution_value(f->solution, "gradient_mapping", &value), DPA_E_UNSUPPORTED);
    assert_true(value == 7);
}

/* Each by a call of its own; those of a perceptron beside those of linear scores. */
static dpa_status use_value(fixture *f, outcome *out) {
    static const char *const names[] = {"discrepancy",    "objective",       "duality_gap",
                                        "iterations",     "termination",     "neighbours",
                                        "private_domain", "domain_distance", "domain_p_value",
                                        "dimension",      "parameters",      "gradient_mapping"};
    dpa_solution *p = perceptron();
    dpa_status status = DPA_OK;
    for (size_t k = 0; k < LENGTH(names) && !status; ++k) {
        double value = 7;
        const dpa_solution *of = k < 9 ? f->solution : p;
        INJECT(f, status = dpa_solution_value(of, names[k], &value));
        if (!status) RECORD(out, value);
        assert_true(!status || value == 7);
    }
    if (status) out->size = 0;
    dpa_solution_destroy(p);
    return status;
}

enum { kParameters = 2 * (kCols + 1) + 3 };

static void misuse_parameters(fixture *f) {
    double out[kParameters] = {7};
    dpa_solution *p = perceptron();
    CHECK_HANDLES(f, dpa_solution, dpa_solution_array(h, "parameters", out, kParameters));
    assert_status(dpa_solution_array(p, "parameters", NULL, kParameters), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_solution_array(p, "parameters", out, kParameters - 1), DPA_E_DIMENSION);
    assert_status(dpa_solution_array(p, "parameters", out, SIZE_MAX), DPA_E_DIMENSION);
    assert_status(dpa_solution_array(f->solution, "parameters", out, kParameters),
                  DPA_E_UNSUPPORTED);
    assert_true(out[0] == 7);
    dpa_solution_destroy(p);
}

static dpa_status use_parameters(fixture *f, outcome *out) {
    double theta[kParameters];
    dpa_status status;
    dpa_solution *p = perceptron();
    INJECT(f, status = dpa_solution_array(p, "parameters", theta, kParameters));
    if (!status) RECORD(out, theta);
    dpa_solution_destroy(p);
    return status;
}

typedef dpa_status (*row_function)(const dpa_solution *, const double *, size_t, size_t, size_t,
                                   int32_t, double *, size_t);

static void misuse_rows(fixture *f, row_function get, size_t width) {
    const double *x = f->data.xt;
    double out[2 * (kCols + 1)];
    const size_t huge = SIZE_MAX / 2, two = 2 * width;
    dpa_solution *p = perceptron();
    for (size_t k = 0; k < LENGTH(out); ++k) out[k] = 7;
    CHECK_HANDLES(f, dpa_solution, get(h, x, 2, kCols, kCols, DPA_ROW_MAJOR, out, two));
#define GET(x, rows, cols, lead, layout, out, out_len, code) \
    assert_status(get(p, x, rows, cols, lead, layout, out, out_len), code)
    GET(NULL, 2, kCols, kCols, DPA_ROW_MAJOR, out, two, DPA_E_INVALID_ARGUMENT);
    GET(x, 2, kCols, kCols, DPA_ROW_MAJOR, NULL, two, DPA_E_INVALID_ARGUMENT);
    GET(x, 2, kCols, kCols, INT32_MAX, out, two, DPA_E_INVALID_ARGUMENT);
    GET(x, 2, kCols - 1, kCols, DPA_ROW_MAJOR, out, two, DPA_E_DIMENSION);
    GET(x, 2, kCols, kCols, DPA_ROW_MAJOR, out, two - 1, DPA_E_DIMENSION);
    GET(x, 2, kCols, kCols - 1, DPA_ROW_MAJOR, out, two, DPA_E_STRIDE);
    GET(x, huge, kCols, kCols, DPA_ROW_MAJOR, out, huge, DPA_E_OVERFLOW);
    GET(x, huge, kCols, huge, DPA_COL_MAJOR, out, huge, DPA_E_OVERFLOW);
    for (size_t k = 0; k < LENGTH(out); ++k) assert_true(out[k] == 7);
    const double bad[kCols] = {NAN, 1};
    GET(bad, 1, kCols, kCols, DPA_ROW_MAJOR, out, width, DPA_OK);
    assert_true(isnan(out[0]));
    dpa_solution_destroy(p);
}

/* Of linear scores and of others; after a failure the array is as it was. */
static dpa_status use_rows(fixture *f, outcome *out, row_function get, size_t width, int of_all) {
    double values[kTargets * (kCols + 1)];
    dpa_solution *p = perceptron();
    const dpa_solution *const solutions[] = {p, f->solution};
    dpa_status status = DPA_OK;
    for (int k = 0; k < 1 + of_all && !status; ++k) {
        for (size_t i = 0; i < LENGTH(values); ++i) values[i] = 7;
        INJECT(f, status = get(solutions[k], f->data.xt, kTargets, kCols, kCols, DPA_ROW_MAJOR,
                               values, kTargets * width));
        if (!status) record(out, values, kTargets * width * sizeof *values);
        for (size_t i = 0; status && i < LENGTH(values); ++i) assert_true(values[i] == 7);
    }
    if (status) out->size = 0;
    dpa_solution_destroy(p);
    return status;
}

/* Of a kind of prediction. */
#define KIND(name, kind)                                                                       \
    static dpa_status name(const dpa_solution *solution, const double *x, size_t rows,         \
                           size_t cols, size_t lead, int32_t layout, double *out, size_t n) {  \
        return dpa_solution_predict(solution, kind, (dpa_matrix){x, rows, cols, lead, layout}, \
                                    out, n);                                                   \
    }
KIND(labels, DPA_PREDICT_LABELS)
KIND(scores, DPA_PREDICT_SCORES)
KIND(probabilities, DPA_PREDICT_PROBABILITIES)
KIND(coordinates, DPA_PREDICT_COORDINATES)

#define OF_ROWS(name, function, width, of_all)                                 \
    static void misuse_##name(fixture *f) { misuse_rows(f, function, width); } \
    static dpa_status use_##name(fixture *f, outcome *out) {                   \
        return use_rows(f, out, function, width, of_all);                      \
    }
OF_ROWS(predict_labels, labels, 1, 1)
OF_ROWS(predict_scores, scores, 1, 1)
OF_ROWS(predict_probabilities, probabilities, 1, 0)
OF_ROWS(predict_coordinates, coordinates, kCols + 1, 1)

/* Of rows with labels of their own. */
#define OF_LABELLED_ROWS(name, domain)                                                            \
    static dpa_status name##_labelled(const dpa_solution *solution, const double *x, size_t rows, \
                                      size_t cols, size_t lead, int32_t layout, double *out,      \
                                      size_t out_len) {                                           \
        static double y[kTargets];                                                                \
        const dpa_matrix features = {x, rows, cols, lead, layout};                                \
        for (size_t i = 0; i < kTargets; ++i) y[i] = i % 2 ? 1 : -1;                              \
        return dpa_solution_weigh(solution, domain, features, y, rows, y, 0, out, out_len);       \
    }                                                                                             \
    OF_ROWS(name, name##_labelled, 1, 1)
OF_LABELLED_ROWS(weigh_source, DPA_SOURCE)
OF_LABELLED_ROWS(weigh_target, DPA_TARGET)

static void misuse_setting_name(fixture *f) {
    (void)f;
    size_t count = 0;
    while (dpa_solution_setting_name(count)) ++count;
    assert_null(dpa_solution_setting_name(count + 1));
    assert_null(dpa_solution_setting_name(SIZE_MAX));
}

static dpa_status use_setting_name(fixture *f, outcome *out) {
    const char *name;
    INJECT(f, name = dpa_solution_setting_name(0));
    return record_text(out, name);
}

static void misuse_serialize(fixture *f) {
    uint8_t out[2] = {7, 7};
    size_t needed = 0;
    CHECK_HANDLES(f, dpa_solution, dpa_solution_serialize(h, 1, out, 2, &needed));
    assert_status(dpa_solution_serialize(f->solution, 1, NULL, f->size, NULL),
                  DPA_E_INVALID_ARGUMENT);
    assert_int_equal(needed, 0);
    assert_status(dpa_solution_serialize(f->solution, 1, out, 2, &needed), DPA_E_BUFFER);
    assert_int_equal(needed, f->size);
    assert_true(out[0] == 7 && out[1] == 7);
}

static dpa_status use_serialize(fixture *f, outcome *out) {
    uint8_t bytes[kBytes];
    dpa_status status;
    INJECT(f, status = dpa_solution_serialize(f->solution, 1, bytes, sizeof bytes, NULL));
    if (!status) record(out, bytes, f->size);
    return status;
}

static void misuse_serialize_predictor(fixture *f) {
    uint8_t out[2] = {7, 7};
    size_t needed = 0;
    CHECK_HANDLES(f, dpa_solution, dpa_solution_serialize(h, 0, out, 2, &needed));
    assert_status(dpa_solution_serialize(f->solution, 0, NULL, f->size, NULL),
                  DPA_E_INVALID_ARGUMENT);
    assert_int_equal(needed, 0);
    assert_status(dpa_solution_serialize(f->solution, 0, out, 2, &needed), DPA_E_BUFFER);
    assert_in_range(needed, 1, f->size - 1);
    assert_true(out[0] == 7 && out[1] == 7);
}

static dpa_status use_serialize_predictor(fixture *f, outcome *out) {
    uint8_t bytes[kBytes];
    size_t size = 0;
    dpa_status status;
    INJECT(f, status = dpa_solution_serialize(f->solution, 0, bytes, sizeof bytes, &size));
    if (!status) record(out, bytes, size);
    return status;
}

/* Beside the program, like the ledgers of these tests. */
static const char kSaved[] = "fault_solution.model";

static void misuse_save(fixture *f) {
    CHECK_HANDLES(f, dpa_solution, dpa_solution_save(h, NULL, 1, kSaved));
    dpa_schema *other = (dpa_schema *)f->solution;
    assert_status(dpa_solution_save(f->solution, other, 1, kSaved), DPA_E_HANDLE);
    assert_status(dpa_solution_save(f->solution, NULL, 1, NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_solution_save(f->solution, NULL, 1, ""), DPA_E_STORE);
    assert_status(dpa_solution_save(f->solution, NULL, 1, "no/such/folder"), DPA_E_STORE);
    assert_null(fopen(kSaved, "rb"));
}

static dpa_status use_save(fixture *f, outcome *out) {
    dpa_status status;
    INJECT(f, status = dpa_solution_save(f->solution, NULL, 1, kSaved));
    FILE *file = fopen(kSaved, "rb");
    assert_true((file != NULL) == !status); /* the whole file, or none */
    if (!file) return status;
    uint8_t bytes[kBytes];
    record(out, bytes, fread(bytes, 1, sizeof bytes, file));
    fclose(file);
    remove(kSaved);
    return status;
}

static void misuse_load(fixture *f) {
    dpa_schema *schema = (dpa_schema *)f;
    dpa_solution *s = (dpa_solution *)f;
    assert_status(dpa_solution_load(NULL, &schema, &s), DPA_E_INVALID_ARGUMENT);
    assert_true(!schema && !s);
    assert_status(dpa_solution_load(kSaved, NULL, NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_solution_load(kSaved, NULL, &s), DPA_E_STORE);
    assert_status(dpa_solution_load(".", NULL, &s), DPA_E_STORE);
    assert_status(dpa_solution_load("/dev/null", NULL, &s), DPA_E_FORMAT);
    assert_null(s);
}

static dpa_status use_load(fixture *f, outcome *out) {
    assert_ok(dpa_solution_save(f->solution, NULL, 1, kSaved));
    dpa_schema *schema = (dpa_schema *)f;
    dpa_solution *s = (dpa_solution *)f;
    dpa_status status;
    INJECT(f, status = dpa_solution_load(kSaved, &schema, &s));
    remove(kSaved);
    assert_null(schema);
    assert_true((s != NULL) == !status);
    if (status) return status;
    uint8_t bytes[kBytes];
    size_t size = 0;
    assert_ok(dpa_solution_serialize(s, 1, bytes, sizeof bytes, &size));
    dpa_solution_destroy(s);
    record(out, bytes, size);
    return status;
}

static void misuse_text(fixture *f) {
    char out[2] = {7, 7};
    size_t needed = 0;
    CHECK_HANDLES(f, dpa_solution, dpa_solution_text(h, "digest", out, 2, &needed));
    assert_status(dpa_solution_text(f->solution, NULL, out, 2, NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_solution_text(f->solution, "title", out, 2, NULL), DPA_E_OPTION_NAME);
    assert_status(dpa_solution_text(f->solution, "digest", NULL, 65, NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_solution_text(f->solution, "digest", out, 2, &needed), DPA_E_BUFFER);
    assert_int_equal(needed, 65);
    assert_true(out[0] == 7 && out[1] == 7);
}

static dpa_status use_text(fixture *f, outcome *out) {
    static const char *const names[] = {"loss", "termination", "digest"};
    dpa_status status = DPA_OK;
    for (size_t k = 0; k < LENGTH(names) && !status; ++k) {
        char text[65] = "";
        INJECT(f, status = dpa_solution_text(f->solution, names[k], text, sizeof text, NULL));
        if (!status) record(out, text, sizeof text);
    }
    if (status) out->size = 0;
    return status;
}

static void misuse_deserialize(fixture *f) {
    dpa_solution *out = f->solution;
    assert_status(dpa_solution_deserialize(NULL, f->size, &out), DPA_E_INVALID_ARGUMENT);
    assert_null(out);
    assert_status(dpa_solution_deserialize(f->bytes, f->size, NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_solution_deserialize(f->bytes, f->size - 1, &out), DPA_E_FORMAT);
    assert_status(dpa_solution_deserialize(f->bytes, 0, &out), DPA_E_FORMAT);
    assert_null(out);
}

static dpa_status use_deserialize(fixture *f, outcome *out) {
    dpa_solution *solution = f->solution;
    double w[kCols];
    dpa_status status;
    INJECT(f, status = dpa_solution_deserialize(f->bytes, f->size, &solution));
    assert_true((solution == NULL) == (status != DPA_OK));
    if (status) return status;
    assert_ok(dpa_solution_array(solution, "coefficients", w, kCols));
    RECORD(out, w);
    dpa_solution_destroy(solution);
    return status;
}

static row rows[] = {
    {"dpa_solve", misuse_solve, use_solve},
    {"dpa_solution_destroy", misuse_destroy, use_destroy},
    {"dpa_solution_shape", misuse_shape, use_shape},
    {"dpa_solution_array", misuse_coefficients, use_coefficients},
    {"dpa_solution_array", misuse_intercept, use_intercept},
    {"dpa_solution_array", misuse_source_weights, use_source_weights},
    {"dpa_solution_array", misuse_target_weights, use_target_weights},
    {"dpa_solution_array", misuse_target_estimate, use_target_estimate},
    {"dpa_solution_array", misuse_covariance, use_covariance},
    {"dpa_solution_array", misuse_parameters, use_parameters},
    {"dpa_solution_intervals", misuse_intervals, use_intervals},
    {"dpa_solution_survival", misuse_survival, use_survival},
    {"dpa_solution_value", misuse_value, use_value},
    {"dpa_solution_setting_name", misuse_setting_name, use_setting_name},
    {"dpa_solution_predict", misuse_predict_labels, use_predict_labels},
    {"dpa_solution_predict", misuse_predict_scores, use_predict_scores},
    {"dpa_solution_predict", misuse_predict_probabilities, use_predict_probabilities},
    {"dpa_solution_predict", misuse_predict_coordinates, use_predict_coordinates},
    {"dpa_solution_weigh", misuse_weigh_source, use_weigh_source},
    {"dpa_solution_weigh", misuse_weigh_target, use_weigh_target},
    {"dpa_solution_serialize", misuse_serialize, use_serialize},
    {"dpa_solution_save", misuse_save, use_save},
    {"dpa_solution_load", misuse_load, use_load},
    {"dpa_solution_serialize", misuse_serialize_predictor, use_serialize_predictor},
    {"dpa_solution_text", misuse_text, use_text},
    {"dpa_solution_deserialize", misuse_deserialize, use_deserialize},
    {NULL, NULL, NULL}};

row *const solution_rows = rows;

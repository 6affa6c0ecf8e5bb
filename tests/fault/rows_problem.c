#include "fault.h"

static void misuse_create(fixture *f) {
    (void)f;
    assert_status(dpa_problem_create(NULL), DPA_E_INVALID_ARGUMENT);
}

static dpa_status use_create(fixture *f, outcome *out) {
    dpa_problem *problem = f->problem;
    dpa_status status;
    INJECT(f, status = dpa_problem_create(&problem));
    assert_true((problem == NULL) == (status != DPA_OK));
    if (!status) RECORD(out, status);
    dpa_problem_destroy(problem);
    return status;
}

static void misuse_destroy(fixture *f) {
    (void)f;
    dpa_problem_destroy(NULL);
}

static dpa_status use_destroy(fixture *f, outcome *out) {
    dpa_problem *problem = NULL;
    assert_ok(dpa_problem_create(&problem));
    INJECT(f, dpa_problem_destroy(problem));
    RECORD(out, f->size);
    return DPA_OK;
}

typedef dpa_status (*setter)(dpa_problem *, int32_t, dpa_matrix, const double *, size_t);

static void misuse_setter(fixture *f, setter set, int32_t domain) {
    const double *x = f->data.xs, *y = f->data.ys;
    const size_t huge = SIZE_MAX / 2;
    CHECK_HANDLES(f, dpa_problem,
                  set(h, domain, (dpa_matrix){x, 5, kCols, kCols, DPA_ROW_MAJOR}, y, 5));
    assert_status(set(f->problem, 2, (dpa_matrix){x, 5, kCols, kCols, DPA_ROW_MAJOR}, y, 5),
                  DPA_E_INVALID_ARGUMENT);
#define SET(x, rows, cols, lead, layout, y, y_len, code)                                        \
    assert_status(set(f->problem, domain, (dpa_matrix){x, rows, cols, lead, layout}, y, y_len), \
                  code)
    SET(NULL, 5, kCols, kCols, DPA_ROW_MAJOR, y, 5, DPA_E_INVALID_ARGUMENT);
    SET(x, 5, kCols, kCols, DPA_ROW_MAJOR, NULL, 5, DPA_E_INVALID_ARGUMENT);
    SET(x, 5, kCols, kCols, INT32_MIN, y, 5, DPA_E_INVALID_ARGUMENT);
    SET(x, 0, kCols, kCols, DPA_ROW_MAJOR, y, 0, DPA_E_EMPTY);
    SET(x, 0, kCols, kCols, DPA_ROW_MAJOR, NULL, 0, DPA_E_EMPTY);
    SET(x, 5, 0, kCols, DPA_ROW_MAJOR, y, 5, DPA_E_EMPTY);
    SET(x, 5, kCols, kCols - 1, DPA_ROW_MAJOR, y, 5, DPA_E_STRIDE);
    SET(x, 5, kCols, 4, DPA_COL_MAJOR, y, 5, DPA_E_STRIDE);
    SET(x, 5, kCols, kCols, DPA_ROW_MAJOR, y, 4, DPA_E_DIMENSION);
    SET(x, 5, kCols - 1, kCols, DPA_ROW_MAJOR, y, 5, DPA_E_DIMENSION);
    SET(x, huge, kCols, kCols, DPA_ROW_MAJOR, y, huge, DPA_E_OVERFLOW);
    SET(x, huge, kCols, huge, DPA_COL_MAJOR, y, huge, DPA_E_OVERFLOW);
    SET(x, 5, kCols, SIZE_MAX, DPA_ROW_MAJOR, y, 5, DPA_E_OVERFLOW);
}

/* On a new problem, whose shape shows whether the call changed it. */
static dpa_status use_setter(fixture *f, outcome *out, setter set, int32_t domain) {
    dpa_problem *problem = NULL;
    dpa_status status;
    size_t m = 9, n = 9, d = 9;
    assert_ok(dpa_problem_create(&problem));
    INJECT(f,
           status = set(problem, domain, (dpa_matrix){f->data.xs, 5, kCols, kCols, DPA_ROW_MAJOR},
                        f->data.ys, 5));
    assert_ok(dpa_problem_shape(problem, &m, &n, &d));
    dpa_problem_destroy(problem);
    if (status) {
        assert_true(m == 0 && n == 0 && d == 0);
        return status;
    }
    RECORD(out, m);
    RECORD(out, n);
    RECORD(out, d);
    return status;
}

#define SETTER(name, call, domain)                                            \
    static void misuse_##name(fixture *f) { misuse_setter(f, call, domain); } \
    static dpa_status use_##name(fixture *f, outcome *out) {                  \
        return use_setter(f, out, call, domain);                              \
    }
SETTER(set_source, dpa_problem_set_sample, DPA_SOURCE)
SETTER(set_target, dpa_problem_set_sample, DPA_TARGET)
SETTER(lend_source, dpa_problem_lend_sample, DPA_SOURCE)
SETTER(lend_target, dpa_problem_lend_sample, DPA_TARGET)

static void misuse_shape(fixture *f) {
    size_t rows = 9;
    CHECK_HANDLES(f, dpa_problem, dpa_problem_shape(h, &rows, &rows, &rows));
    assert_int_equal(rows, 9);
    assert_ok(dpa_problem_shape(f->problem, NULL, NULL, NULL));
}

static dpa_status use_shape(fixture *f, outcome *out) {
    size_t shape[3] = {0};
    dpa_status status;
    INJECT(f, status = dpa_problem_shape(f->problem, &shape[0], &shape[1], &shape[2]));
    if (!status) RECORD(out, shape);
    return status;
}

static void misuse_set_target_groups(fixture *f) {
    const int64_t ids[kTargets] = {0};
    dpa_problem *problem = instance_problem(&f->data), *empty = NULL;
    CHECK_HANDLES(f, dpa_problem, dpa_problem_set_groups(h, DPA_TARGET, ids, kTargets));
    assert_status(dpa_problem_set_groups(problem, DPA_TARGET, NULL, kTargets),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_problem_set_groups(problem, DPA_TARGET, ids, 0), DPA_E_DIMENSION);
    assert_status(dpa_problem_set_groups(problem, DPA_TARGET, ids, SIZE_MAX), DPA_E_DIMENSION);
    assert_ok(dpa_problem_create(&empty));
    assert_status(dpa_problem_set_groups(empty, DPA_TARGET, ids, kTargets), DPA_E_STATE);
    dpa_problem_destroy(empty);
    dpa_problem_destroy(problem);
}

static dpa_status use_set_target_groups(fixture *f, outcome *out) {
    int64_t ids[kTargets];
    double sensitivity;
    for (int64_t i = 0; i < kTargets; ++i) ids[i] = INT64_MAX - i / 2;
    dpa_problem *problem = instance_problem(&f->data);
    dpa_options *options = private_options(NULL);
    dpa_plan *plan = NULL;
    dpa_status status;
    INJECT(f, status = dpa_problem_set_groups(problem, DPA_TARGET, ids, kTargets));
    assert_ok(dpa_plan_for_problem(problem, options, &plan));
    sensitivity = plan_value(plan, "sensitivity");
    assert_close(sensitivity, 2.0 / (status ? kTargets : (kTargets + 1) / 2), 1e-9, 0);
    if (!status) RECORD(out, sensitivity);
    dpa_plan_destroy(plan);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    return status;
}

static void misuse_set_source_groups(fixture *f) {
    int64_t ids[kRows];
    for (int64_t i = 0; i < kRows; ++i) ids[i] = i;
    dpa_problem *problem = instance_problem(&f->data), *empty = NULL;
    CHECK_HANDLES(f, dpa_problem, dpa_problem_set_groups(h, DPA_SOURCE, ids, kRows));
    assert_status(dpa_problem_set_groups(problem, DPA_SOURCE, NULL, kRows), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_problem_set_groups(problem, DPA_SOURCE, ids, 0), DPA_E_DIMENSION);
    assert_status(dpa_problem_set_groups(problem, DPA_SOURCE, ids, SIZE_MAX), DPA_E_DIMENSION);
    assert_ok(dpa_problem_create(&empty));
    assert_status(dpa_problem_set_groups(empty, DPA_SOURCE, ids, kRows), DPA_E_STATE);
    dpa_problem_destroy(empty);
    dpa_problem_destroy(problem);
}

/* Only where there are several sources a private fit is refused. */
static dpa_status use_set_source_groups(fixture *f, outcome *out) {
    int64_t ids[kRows];
    for (int64_t i = 0; i < kRows; ++i) ids[i] = i % 2;
    dpa_problem *problem = instance_problem(&f->data);
    dpa_options *options = private_options(NULL);
    dpa_solution *solution = NULL;
    dpa_status status;
    INJECT(f, status = dpa_problem_set_groups(problem, DPA_SOURCE, ids, kRows));
    const dpa_status fit = dpa_solve(problem, NULL, options, &solution);
    assert_int_equal(fit, status ? DPA_OK : DPA_E_UNSUPPORTED);
    if (!status) RECORD(out, fit);
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    return status;
}

typedef dpa_status (*scores_setter)(dpa_problem *, int32_t, const double *, size_t);

static void misuse_scores(fixture *f, scores_setter set, int32_t domain) {
    const size_t n = domain == DPA_SOURCE ? kRows : kTargets;
    const double *scores = f->data.ys;
    dpa_problem *problem = instance_problem(&f->data), *empty = NULL;
    CHECK_HANDLES(f, dpa_problem, set(h, domain, scores, n));
    assert_status(set(problem, domain, NULL, n), DPA_E_INVALID_ARGUMENT);
    assert_status(set(problem, domain, scores, 0), DPA_E_DIMENSION);
    assert_status(set(problem, domain, scores, SIZE_MAX), DPA_E_DIMENSION);
    assert_ok(dpa_problem_create(&empty));
    assert_status(set(empty, domain, scores, n), DPA_E_STATE);
    dpa_problem_destroy(empty);
    dpa_problem_destroy(problem);
}

/* Scores count where they were taken, and only there. */
static dpa_status use_scores(outcome *out, fixture *f, scores_setter set, int32_t domain) {
    const size_t n = domain == DPA_SOURCE ? kRows : kTargets;
    dpa_problem *problem = instance_problem(&f->data);
    dpa_options *options = public_options(NULL);
    dpa_solution *solution = NULL;
    dpa_status status;
    INJECT(f, status = set(problem, domain, f->data.ys, n));
    const dpa_status fit = dpa_solve(problem, NULL, options, &solution);
    assert_int_equal(fit, status ? DPA_OK : DPA_E_STATE);
    if (!status) RECORD(out, fit);
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    return status;
}

static void misuse_set_source_scores(fixture *f) {
    misuse_scores(f, dpa_problem_set_scores, DPA_SOURCE);
}
static dpa_status use_set_source_scores(fixture *f, outcome *out) {
    return use_scores(out, f, dpa_problem_set_scores, DPA_SOURCE);
}
static void misuse_set_target_scores(fixture *f) {
    misuse_scores(f, dpa_problem_set_scores, DPA_TARGET);
}
static dpa_status use_set_target_scores(fixture *f, outcome *out) {
    return use_scores(out, f, dpa_problem_set_scores, DPA_TARGET);
}

/* A negative weight is found by the call that reads it. */
static dpa_status use_weights(outcome *out, fixture *f, scores_setter set, int32_t domain) {
    const size_t n = domain == DPA_SOURCE ? kRows : kTargets;
    double weights[kRows] = {-1};
    dpa_problem *problem = instance_problem(&f->data);
    dpa_options *options = public_options(NULL);
    dpa_solution *solution = NULL;
    dpa_status status;
    INJECT(f, status = set(problem, domain, weights, n));
    const dpa_status fit = dpa_solve(problem, NULL, options, &solution);
    assert_int_equal(fit, status ? DPA_OK : DPA_E_INVALID_ARGUMENT);
    if (!status) RECORD(out, fit);
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    return status;
}

static void misuse_set_source_weights(fixture *f) {
    misuse_scores(f, dpa_problem_set_weights, DPA_SOURCE);
}
static dpa_status use_set_source_weights(fixture *f, outcome *out) {
    return use_weights(out, f, dpa_problem_set_weights, DPA_SOURCE);
}
static void misuse_set_target_weights(fixture *f) {
    misuse_scores(f, dpa_problem_set_weights, DPA_TARGET);
}
static dpa_status use_set_target_weights(fixture *f, outcome *out) {
    return use_weights(out, f, dpa_problem_set_weights, DPA_TARGET);
}

static void misuse_set_source_map(fixture *f) {
    const double *map = f->data.xs;
    dpa_problem *problem = NULL;
    CHECK_HANDLES(
        f, dpa_problem,
        dpa_problem_set_source_map(h, (dpa_matrix){map, kCols, 3, 3, DPA_ROW_MAJOR}, NULL, 0));
    assert_ok(dpa_problem_create(&problem));
#define MAP(map, rows, cols, lead, layout, offset, offsets, code)                                  \
    assert_status(dpa_problem_set_source_map(problem, (dpa_matrix){map, rows, cols, lead, layout}, \
                                             offset, offsets),                                     \
                  code)
    MAP(NULL, 2, 3, 3, DPA_ROW_MAJOR, NULL, 0, DPA_E_INVALID_ARGUMENT);
    MAP(map, 2, 3, 3, INT32_MIN, NULL, 0, DPA_E_INVALID_ARGUMENT);
    MAP(map, 0, 3, 3, DPA_ROW_MAJOR, NULL, 0, DPA_E_EMPTY);
    MAP(map, 2, 3, 2, DPA_ROW_MAJOR, NULL, 0, DPA_E_STRIDE);
    MAP(map, SIZE_MAX / 2, 3, 3, DPA_ROW_MAJOR, NULL, 0, DPA_E_OVERFLOW);
    MAP(map, 2, 3, 3, DPA_ROW_MAJOR, map, 3, DPA_E_DIMENSION);
    dpa_problem_destroy(problem);
    assert_status(dpa_problem_set_source_map(
                      f->problem, (dpa_matrix){map, kCols, 3, 3, DPA_ROW_MAJOR}, NULL, 0),
                  DPA_E_STATE);
}

/* Whether the map was taken, the width of the source that comes shows. */
static dpa_status use_set_source_map(fixture *f, outcome *out) {
    const double *x = f->data.xs;
    dpa_problem *problem = NULL;
    dpa_status status;
    size_t d = 9;
    assert_ok(dpa_problem_create(&problem));
    INJECT(f, status = dpa_problem_set_source_map(problem, (dpa_matrix){x, 2, 3, 3, DPA_ROW_MAJOR},
                                                  x, 2));
    assert_ok(
        dpa_problem_set_sample(problem, DPA_SOURCE, (dpa_matrix){x, 5, 3, 3, DPA_ROW_MAJOR}, x, 5));
    assert_ok(dpa_problem_shape(problem, NULL, NULL, &d));
    assert_int_equal(d, status ? 3 : 2);
    if (!status) RECORD(out, d);
    dpa_problem_destroy(problem);
    return status;
}

static row rows[] = {{"dpa_problem_create", misuse_create, use_create},
                     {"dpa_problem_destroy", misuse_destroy, use_destroy},
                     {"dpa_problem_set_sample", misuse_set_source, use_set_source},
                     {"dpa_problem_set_sample", misuse_set_target, use_set_target},
                     {"dpa_problem_lend_sample", misuse_lend_source, use_lend_source},
                     {"dpa_problem_lend_sample", misuse_lend_target, use_lend_target},
                     {"dpa_problem_set_source_map", misuse_set_source_map, use_set_source_map},
                     {"dpa_problem_set_groups", misuse_set_target_groups, use_set_target_groups},
                     {"dpa_problem_set_groups", misuse_set_source_groups, use_set_source_groups},
                     {"dpa_problem_set_weights", misuse_set_source_weights, use_set_source_weights},
                     {"dpa_problem_set_weights", misuse_set_target_weights, use_set_target_weights},
                     {"dpa_problem_set_scores", misuse_set_source_scores, use_set_source_scores},
                     {"dpa_problem_set_scores", misuse_set_target_scores, use_set_target_scores},
                     {"dpa_problem_shape", misuse_shape, use_shape},
                     {NULL, NULL, NULL}};

row *const problem_rows = rows;

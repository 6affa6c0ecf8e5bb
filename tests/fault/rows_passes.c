#include <dpadapt/passes.h>

#include "fault.h"
#include "unit/arrow.h"

enum { kMostRequest = 65536 };

/* A request, as a pass has received it, and one for rows of a public source. */
static uint8_t request[kMostRequest], survey[kMostRequest];
static size_t request_size, survey_size;

static int32_t keep_request(const uint8_t *bytes, size_t size, dpa_partial *total, void *user) {
    (void)total, (void)user;
    assert_true(size <= sizeof request);
    memcpy(request, bytes, request_size = size);
    return 1;
}

static dpa_partial *new_partial(const fixture *f) {
    dpa_partial *partial = NULL;
    if (request_size == 0) {
        dpa_options *options = private_options(NULL);
        dpa_problem *problem = instance_problem(&f->data);
        dpa_solution *none = NULL;
        assert_ok(dpa_problem_set_passes(problem, DPA_TARGET, kTargets, kCols, keep_request, NULL));
        assert_status(dpa_solve(problem, NULL, options, &none), DPA_E_CALLBACK);
        dpa_problem_destroy(problem);
        dpa_options_destroy(options);
    }
    assert_ok(dpa_partial_create(request, request_size, &partial));
    return partial;
}

static int32_t keep_survey(const uint8_t *bytes, size_t size, dpa_partial *total, void *user) {
    (void)total, (void)user;
    assert_true(size <= sizeof survey);
    memcpy(survey, bytes, survey_size = size);
    return 1;
}

static dpa_partial *new_survey(const fixture *f) {
    dpa_partial *partial = NULL;
    if (survey_size == 0) {
        dpa_options *options = private_options(NULL);
        dpa_problem *problem = instance_problem(&f->data);
        dpa_solution *none = NULL;
        assert_ok(dpa_problem_set_passes(problem, DPA_SOURCE, kTargets, kCols, keep_survey, NULL));
        assert_status(dpa_solve(problem, NULL, options, &none), DPA_E_CALLBACK);
        dpa_problem_destroy(problem);
        dpa_options_destroy(options);
    }
    assert_ok(dpa_partial_create(survey, survey_size, &partial));
    return partial;
}

/* Of persons. */
static uint8_t of_persons[kMostRequest];
static size_t of_persons_size;

static int32_t keep_of_persons(const uint8_t *bytes, size_t size, dpa_partial *total, void *user) {
    (void)total, (void)user;
    assert_true(size <= sizeof of_persons);
    memcpy(of_persons, bytes, of_persons_size = size);
    return 1;
}

enum { kPersons = 4 };

static dpa_partial *new_of_persons(const fixture *f) {
    dpa_partial *partial = NULL;
    if (of_persons_size == 0) {
        dpa_options *options = private_options(NULL);
        dpa_problem *problem = instance_problem(&f->data);
        dpa_solution *none = NULL;
        assert_ok(
            dpa_problem_set_passes(problem, DPA_PERSONS, kPersons, kCols, keep_of_persons, NULL));
        assert_status(dpa_solve(problem, NULL, options, &none), DPA_E_CALLBACK);
        dpa_problem_destroy(problem);
        dpa_options_destroy(options);
    }
    assert_ok(dpa_partial_create(of_persons, of_persons_size, &partial));
    return partial;
}

static dpa_status add_rows(const fixture *f, dpa_partial *partial, size_t rows) {
    return dpa_partial_add(partial, (dpa_matrix){f->data.xt, rows, kCols, kCols, DPA_ROW_MAJOR},
                           f->data.yt, rows, NULL, 0);
}

/* Records the sum, unless the call failed: then it must be empty. */
static dpa_status take(outcome *out, dpa_status status, dpa_partial *partial) {
    uint64_t records = 7;
    if (partial) {
        assert_ok(dpa_partial_records(partial, &records));
        assert_true(status == DPA_OK || records == 0);
        if (!status) RECORD(out, records);
    }
    dpa_partial_destroy(partial);
    return status;
}

static void misuse_passes(fixture *f,
                          dpa_status (*set)(dpa_problem *, size_t, size_t, dpa_pass_fn, void *)) {
    CHECK_HANDLES(f, dpa_problem, set(h, kTargets, kCols, keep_request, NULL));
    dpa_problem *problem = instance_problem(&f->data);
    assert_status(set(problem, kTargets, kCols, NULL, NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(set(problem, 0, kCols, keep_request, NULL), DPA_E_EMPTY);
    assert_status(set(problem, kTargets, 0, keep_request, NULL), DPA_E_EMPTY);
    assert_status(set(problem, ((size_t)1 << 40) + 1, kCols, keep_request, NULL), DPA_E_OVERFLOW);
    assert_status(set(problem, SIZE_MAX, SIZE_MAX, keep_request, NULL), DPA_E_OVERFLOW);
    assert_status(set(problem, kTargets, kCols + 1, keep_request, NULL), DPA_E_DIMENSION);
    dpa_problem_destroy(problem);
}

static dpa_status use_passes(fixture *f, outcome *out,
                             dpa_status (*set)(dpa_problem *, size_t, size_t, dpa_pass_fn,
                                               void *)) {
    dpa_problem *problem = NULL;
    dpa_status status;
    size_t rows[2];
    assert_ok(dpa_problem_create(&problem));
    INJECT(f, status = set(problem, kTargets, kCols, keep_request, NULL));
    assert_ok(dpa_problem_shape(problem, &rows[0], &rows[1], NULL));
    assert_int_equal(rows[0] + rows[1], status ? 0 : kTargets);
    if (!status) RECORD(out, rows);
    dpa_problem_destroy(problem);
    return status;
}

/* Of either domain, and of persons. */
#define PASSES(name, call)                                                                   \
    static dpa_status name(dpa_problem *problem, size_t rows, size_t cols, dpa_pass_fn pass, \
                           void *user) {                                                     \
        return call;                                                                         \
    }                                                                                        \
    static void misuse_##name(fixture *f) { misuse_passes(f, name); }                        \
    static dpa_status use_##name(fixture *f, outcome *out) { return use_passes(f, out, name); }
PASSES(target_passes, dpa_problem_set_passes(problem, DPA_TARGET, rows, cols, pass, user))
PASSES(source_passes, dpa_problem_set_passes(problem, DPA_SOURCE, rows, cols, pass, user))
PASSES(group_passes, dpa_problem_set_passes(problem, DPA_PERSONS, rows, cols, pass, user))

static void misuse_create(fixture *f) {
    dpa_partial *out = (dpa_partial *)f->token;
    dpa_partial_destroy(new_partial(f));
    assert_status(dpa_partial_create(request, request_size, NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_partial_create(NULL, request_size, &out), DPA_E_INVALID_ARGUMENT);
    assert_null(out);
    assert_status(dpa_partial_create(request, 0, &out), DPA_E_FORMAT);
    assert_status(dpa_partial_create(request, request_size - 1, &out), DPA_E_FORMAT);
    assert_status(dpa_partial_create(f->bytes, f->size, &out), DPA_E_FORMAT);
}

static dpa_status use_create(fixture *f, outcome *out) {
    dpa_partial *partial = new_partial(f);
    dpa_status status;
    dpa_partial_destroy(partial);
    INJECT(f, status = dpa_partial_create(request, request_size, &partial));
    assert_true((partial == NULL) == (status != DPA_OK));
    return take(out, status, partial);
}

static void misuse_add_survey(fixture *f) {
    dpa_partial *partial = new_survey(f);
    assert_status(
        dpa_partial_add(partial, (dpa_matrix){f->data.xt, 1, kCols - 1, kCols, DPA_ROW_MAJOR},
                        f->data.yt, 1, NULL, 0),
        DPA_E_DIMENSION);
    assert_ok(add_rows(f, partial, kTargets));
    assert_status(add_rows(f, partial, 1), DPA_E_STATE);
    dpa_partial_destroy(partial);
}

static dpa_status use_add_survey(fixture *f, outcome *out) {
    dpa_partial *partial = new_survey(f);
    dpa_status status;
    INJECT(f, status = add_rows(f, partial, kTargets));
    return take(out, status, partial);
}

static void misuse_add(fixture *f) {
    const double *x = f->data.xt, *y = f->data.yt;
    CHECK_HANDLES(f, dpa_partial, add_rows(f, h, 1));
    dpa_partial *partial = new_partial(f);
    assert_ok(dpa_partial_add(partial, (dpa_matrix){NULL, 0, kCols, 0, 0}, NULL, 0, NULL, 0));
    assert_status(
        dpa_partial_add(partial, (dpa_matrix){x, 2, kCols, kCols, DPA_ROW_MAJOR}, y, 1, NULL, 0),
        DPA_E_DIMENSION);
    assert_status(
        dpa_partial_add(partial, (dpa_matrix){NULL, 1, kCols, kCols, DPA_ROW_MAJOR}, y, 1, NULL, 0),
        DPA_E_INVALID_ARGUMENT);
    assert_status(
        dpa_partial_add(partial, (dpa_matrix){x, 1, kCols, kCols, DPA_ROW_MAJOR}, NULL, 1, NULL, 0),
        DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_partial_add(partial, (dpa_matrix){x, 1, kCols, kCols, 7}, y, 1, NULL, 0),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_partial_add(partial, (dpa_matrix){x, 1, 0, 0, DPA_ROW_MAJOR}, y, 1, NULL, 0),
                  DPA_E_EMPTY);
    assert_status(dpa_partial_add(partial, (dpa_matrix){x, 1, kCols - 1, kCols, DPA_ROW_MAJOR}, y,
                                  1, NULL, 0),
                  DPA_E_DIMENSION);
    assert_status(
        dpa_partial_add(partial, (dpa_matrix){x, 2, kCols, 1, DPA_ROW_MAJOR}, y, 2, NULL, 0),
        DPA_E_STRIDE);
    assert_status(
        dpa_partial_add(partial, (dpa_matrix){x, SIZE_MAX, SIZE_MAX, SIZE_MAX, DPA_ROW_MAJOR}, y,
                        SIZE_MAX, NULL, 0),
        DPA_E_OVERFLOW);
    assert_ok(add_rows(f, partial, kTargets));
    assert_status(add_rows(f, partial, 1), DPA_E_STATE);
    dpa_partial_destroy(partial);
    misuse_add_survey(f);
}

static dpa_status use_add(fixture *f, outcome *out) {
    dpa_partial *partial = new_partial(f);
    dpa_status status;
    INJECT(f, status = add_rows(f, partial, kTargets));
    status = take(out, status, partial);
    if (!status && (status = use_add_survey(f, out))) out->size = 0; /* all or nothing */
    return status;
}

static const int64_t ids[] = {5, INT64_MIN, 5, 7, 0, 7};

static dpa_status add_groups(const fixture *f, dpa_partial *partial, size_t begin, size_t end) {
    return dpa_partial_add(
        partial, (dpa_matrix){f->data.xt + begin * kCols, end - begin, kCols, kCols, DPA_ROW_MAJOR},
        f->data.yt + begin, end - begin, ids + begin, end - begin);
}

static void misuse_add_groups(fixture *f) {
    const double *x = f->data.xt, *y = f->data.yt;
    static const int64_t others[] = {-1, -2};
    CHECK_HANDLES(f, dpa_partial, add_groups(f, h, 0, 1));
    dpa_partial *partial = new_partial(f);
    assert_status(add_groups(f, partial, 0, 1), DPA_E_STATE);
    dpa_partial_destroy(partial);
    partial = new_of_persons(f);
#define ADD(x, rows, cols, lead, layout, y, y_len, ids, n, code)                               \
    assert_status(                                                                             \
        dpa_partial_add(partial, (dpa_matrix){x, rows, cols, lead, layout}, y, y_len, ids, n), \
        code)
    ADD(NULL, 0, kCols, 0, 0, NULL, 0, NULL, 0, DPA_OK);
    ADD(x, 2, kCols, kCols, DPA_ROW_MAJOR, y, 2, ids, 1, DPA_E_DIMENSION);
    ADD(x, 2, kCols, kCols, DPA_ROW_MAJOR, y, 1, ids, 2, DPA_E_DIMENSION);
    ADD(NULL, 2, kCols, kCols, DPA_ROW_MAJOR, y, 2, ids, 2, DPA_E_INVALID_ARGUMENT);
    ADD(x, 2, kCols, kCols, DPA_ROW_MAJOR, NULL, 2, ids, 2, DPA_E_INVALID_ARGUMENT);
    ADD(x, 2, kCols, kCols, DPA_ROW_MAJOR, y, 2, NULL, 2, DPA_E_INVALID_ARGUMENT);
    ADD(x, 2, kCols, kCols, 7, y, 2, ids, 2, DPA_E_INVALID_ARGUMENT);
    ADD(x, 2, kCols - 1, kCols, DPA_ROW_MAJOR, y, 2, ids, 2, DPA_E_DIMENSION);
    ADD(x, 2, kCols, 1, DPA_ROW_MAJOR, y, 2, ids, 2, DPA_E_STRIDE);
    ADD(x, SIZE_MAX, kCols, kCols, DPA_ROW_MAJOR, y, SIZE_MAX, ids, SIZE_MAX, DPA_E_OVERFLOW);
    assert_status(add_rows(f, partial, 1), DPA_E_STATE);
    assert_ok(add_groups(f, partial, 0, 3));
    assert_status(add_groups(f, partial, 2, 4), DPA_E_STATE);
    assert_ok(add_groups(f, partial, 3, 6));
    ADD(x, 2, kCols, kCols, DPA_ROW_MAJOR, y, 2, others, 2, DPA_E_STATE);
    dpa_partial_destroy(partial);
}

static dpa_status use_add_groups(fixture *f, outcome *out) {
    dpa_partial *partial = new_of_persons(f);
    dpa_status status;
    INJECT(f, status = add_groups(f, partial, 0, 6));
    return take(out, status, partial);
}

static void misuse_add_arrow(fixture *f) {
    arrow_list_batch b;
    const char *const names[] = {"x", "y"};
    const struct ArrowSchema *schema = &b.batch.schema;
    const struct ArrowArray *batch = &b.batch.array;
    arrow_make_lists(&b, f->data.xt, f->data.yt, kTargets, kCols, 0);
    CHECK_HANDLES(f, dpa_partial, dpa_partial_add_arrow(h, schema, batch, NULL, 0, "y"));
    dpa_partial *partial = new_partial(f);
    assert_status(dpa_partial_add_arrow(partial, NULL, batch, NULL, 0, "y"),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_partial_add_arrow(partial, schema, NULL, NULL, 0, "y"),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_partial_add_arrow(partial, schema, batch, NULL, 0, NULL),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_partial_add_arrow(partial, schema, batch, NULL, 1, "y"),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_partial_add_arrow(partial, schema, batch, names, 0, "y"), DPA_E_EMPTY);
    assert_status(dpa_partial_add_arrow(partial, schema, batch, names, 2, "y"),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_partial_add_arrow(partial, schema, batch, names + 1, 1, "x"),
                  DPA_E_UNSUPPORTED);
    b.columns[0].array.offset = 1;
    assert_status(dpa_partial_add_arrow(partial, schema, batch, NULL, 0, "y"), DPA_E_FORMAT);
    arrow_make_lists(&b, f->data.xt, f->data.yt, kTargets, kCols - 1, 0);
    assert_status(dpa_partial_add_arrow(partial, schema, batch, NULL, 0, "y"), DPA_E_DIMENSION);
    b.batch.array.length = 0;
    assert_ok(dpa_partial_add_arrow(partial, schema, batch, NULL, 0, "y"));
    arrow_make_lists(&b, f->data.xt, f->data.yt, kTargets, kCols, 0);
    assert_ok(dpa_partial_add_arrow(partial, schema, batch, NULL, 0, "y"));
    assert_status(dpa_partial_add_arrow(partial, schema, batch, NULL, 0, "y"), DPA_E_STATE);
    dpa_partial_destroy(partial);
}

static dpa_status use_add_arrow(fixture *f, outcome *out) {
    arrow_list_batch b;
    dpa_partial *partial = new_partial(f);
    dpa_status status;
    arrow_make_lists(&b, f->data.xt, f->data.yt, kTargets, kCols, 0);
    b.batch.buffers[0] = &(const uint32_t){0x1fffffe}; /* all but the first */
    INJECT(f,
           status = dpa_partial_add_arrow(partial, &b.batch.schema, &b.batch.array, NULL, 0, "y"));
    return take(out, status, partial);
}

static void misuse_name(fixture *f) {
    CHECK_HANDLES(f, dpa_partial, dpa_partial_name(h, 1));
    dpa_partial *partial = new_partial(f);
    assert_ok(dpa_partial_name(partial, UINT64_MAX));
    assert_status(dpa_partial_name(partial, UINT64_MAX), DPA_E_STATE);
    dpa_partial_destroy(partial);
}

static dpa_status use_name(fixture *f, outcome *out) {
    dpa_partial *partial = new_partial(f);
    dpa_status status;
    INJECT(f, status = dpa_partial_name(partial, 5));
    assert_status(dpa_partial_name(partial, 5), status ? DPA_OK : DPA_E_STATE);
    return take(out, status, partial);
}

/* The bytes of a sum over that many rows. */
static size_t sum_of(const fixture *f, size_t rows, uint8_t bytes[kMostRequest]) {
    dpa_partial *partial = new_partial(f);
    size_t size = 0;
    assert_ok(add_rows(f, partial, rows));
    assert_ok(dpa_partial_serialize(partial, bytes, kMostRequest, &size));
    dpa_partial_destroy(partial);
    return size;
}

static uint8_t sum[kMostRequest];

static size_t survey_of(const fixture *f, size_t rows, uint8_t bytes[kMostRequest]) {
    dpa_partial *partial = new_survey(f);
    size_t size = 0;
    assert_ok(add_rows(f, partial, rows));
    assert_ok(dpa_partial_serialize(partial, bytes, kMostRequest, &size));
    dpa_partial_destroy(partial);
    return size;
}

static void misuse_merge_survey(fixture *f) {
    size_t size = survey_of(f, 3, sum);
    dpa_partial *partial = new_partial(f);
    assert_status(dpa_partial_merge(partial, sum, size), DPA_E_FORMAT);
    dpa_partial_destroy(partial);
}

static dpa_status use_merge_survey(fixture *f, outcome *out) {
    size_t size = survey_of(f, 3, sum);
    dpa_partial *partial = new_survey(f);
    dpa_status status;
    INJECT(f, status = dpa_partial_merge(partial, sum, size));
    return take(out, status, partial);
}

static void misuse_merge(fixture *f) {
    size_t size = sum_of(f, kTargets, sum);
    CHECK_HANDLES(f, dpa_partial, dpa_partial_merge(h, sum, size));
    dpa_partial *partial = new_partial(f);
    assert_status(dpa_partial_merge(partial, NULL, size), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_partial_merge(partial, sum, 0), DPA_E_FORMAT);
    assert_status(dpa_partial_merge(partial, sum, size - 1), DPA_E_FORMAT);
    assert_status(dpa_partial_merge(partial, request, request_size), DPA_E_FORMAT);
    assert_ok(dpa_partial_merge(partial, sum, size));
    assert_status(dpa_partial_merge(partial, sum, size), DPA_E_STATE);
    dpa_partial_destroy(partial);
    misuse_merge_survey(f);
}

static dpa_status use_merge(fixture *f, outcome *out) {
    size_t size = sum_of(f, 3, sum);
    dpa_partial *partial = new_partial(f);
    dpa_status status;
    INJECT(f, status = dpa_partial_merge(partial, sum, size));
    status = take(out, status, partial);
    if (!status && (status = use_merge_survey(f, out))) out->size = 0; /* all or nothing */
    return status;
}

static void misuse_serialize(fixture *f) {
    uint8_t few[3] = {7, 7, 7};
    size_t needed = 7;
    CHECK_HANDLES(f, dpa_partial, dpa_partial_serialize(h, few, 3, &needed));
    assert_int_equal(needed, 7);
    dpa_partial *partial = new_partial(f);
    assert_status(dpa_partial_serialize(partial, few, 3, &needed), DPA_E_BUFFER);
    assert_true(needed > 3 && few[0] == 7);
    assert_status(dpa_partial_serialize(partial, NULL, SIZE_MAX, NULL), DPA_E_INVALID_ARGUMENT);
    dpa_partial_destroy(partial);
}

static dpa_status use_serialize(fixture *f, outcome *out) {
    dpa_partial *partial = new_partial(f);
    size_t size = 0;
    dpa_status status;
    assert_ok(add_rows(f, partial, 2));
    INJECT(f, status = dpa_partial_serialize(partial, sum, sizeof sum, &size));
    dpa_partial_destroy(partial);
    if (!status) RECORD(out, size);
    return status;
}

static void misuse_records(fixture *f) {
    uint64_t records = 7;
    CHECK_HANDLES(f, dpa_partial, dpa_partial_records(h, &records));
    assert_int_equal(records, 7);
    dpa_partial *partial = new_partial(f);
    assert_status(dpa_partial_records(partial, NULL), DPA_E_INVALID_ARGUMENT);
    dpa_partial_destroy(partial);
}

static dpa_status use_records(fixture *f, outcome *out) {
    dpa_partial *partial = new_partial(f);
    uint64_t records = 7;
    dpa_status status;
    INJECT(f, status = dpa_partial_records(partial, &records));
    return take(out, status, partial);
}

static void misuse_destroy(fixture *f) {
    dpa_partial_destroy(NULL);
    dpa_partial_destroy((dpa_partial *)f->token);
}

static dpa_status use_destroy(fixture *f, outcome *out) {
    dpa_partial *partial = new_partial(f);
    uint64_t records = 7;
    INJECT(f, dpa_partial_destroy(partial));
    assert_status(dpa_partial_records(partial, &records), DPA_E_HANDLE);
    RECORD(out, records);
    return DPA_OK;
}

static row rows[] = {{"dpa_problem_set_passes", misuse_target_passes, use_target_passes},
                     {"dpa_problem_set_passes", misuse_source_passes, use_source_passes},
                     {"dpa_problem_set_passes", misuse_group_passes, use_group_passes},
                     {"dpa_partial_add", misuse_add_groups, use_add_groups},
                     {"dpa_partial_create", misuse_create, use_create},
                     {"dpa_partial_add", misuse_add, use_add},
                     {"dpa_partial_add_arrow", misuse_add_arrow, use_add_arrow},
                     {"dpa_partial_name", misuse_name, use_name},
                     {"dpa_partial_merge", misuse_merge, use_merge},
                     {"dpa_partial_serialize", misuse_serialize, use_serialize},
                     {"dpa_partial_records", misuse_records, use_records},
                     {"dpa_partial_destroy", misuse_destroy, use_destroy},
                     {NULL, NULL, NULL}};

row *const passes_rows = rows;

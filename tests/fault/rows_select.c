#include <dpadapt/select.h>

#include "fault.h"

static void misuse_select(fixture *f) {
    const dpa_solution *candidates[] = {f->solution, f->solution};
    const dpa_solution *bad[] = {f->solution, NULL};
    dpa_problem *rows = new_rows(f, kCols), *narrow = new_rows(f, 1), *empty = NULL;
    size_t chosen = 7;
    assert_ok(dpa_problem_create(&empty));
    CHECK_HANDLES(f, dpa_problem, dpa_select(h, candidates, 2, f->options, &chosen));
    assert_status(dpa_select(rows, bad, 2, f->options, &chosen), DPA_E_HANDLE);
    bad[1] = (dpa_solution *)f->token;
    assert_status(dpa_select(rows, bad, 2, f->options, &chosen), DPA_E_HANDLE);
    assert_status(dpa_select(rows, candidates, 2, (dpa_options *)f->token, &chosen), DPA_E_HANDLE);
    assert_status(dpa_select(rows, NULL, 2, f->options, &chosen), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_select(rows, candidates, 2, f->options, NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_select(rows, candidates, 0, f->options, &chosen), DPA_E_EMPTY);
    assert_status(dpa_select(rows, candidates, SIZE_MAX, f->options, &chosen), DPA_E_OVERFLOW);
    assert_status(dpa_select(empty, candidates, 2, f->options, &chosen), DPA_E_STATE);
    assert_status(dpa_select(narrow, candidates, 2, f->options, &chosen), DPA_E_DIMENSION);
    assert_error(dpa_select(rows, candidates, 2, NULL, &chosen), DPA_E_OPTION, "selection_");
    assert_int_equal(chosen, 7);
    dpa_problem_destroy(narrow);
    dpa_problem_destroy(empty);
    dpa_problem_destroy(rows);
}

/* Without privacy and with. */
static dpa_status use_select(fixture *f, outcome *out) {
    const dpa_solution *candidates[] = {f->solution, f->solution};
    dpa_options *options[] = {public_options(NULL),
                              private_options("unsafe_seed", "5", "selection_epsilon", "1",
                                              "selection_bound", "9", NULL)};
    dpa_status status = DPA_OK;
    for (size_t k = 0; k < LENGTH(options); ++k) {
        dpa_problem *rows = new_rows(f, kCols);
        size_t chosen = 9;
        if (!status) INJECT(f, status = dpa_select(rows, candidates, 2, options[k], &chosen));
        if (!status) RECORD(out, chosen);
        dpa_problem_destroy(rows);
        dpa_options_destroy(options[k]);
    }
    if (status) out->size = 0;
    return status;
}

static void misuse_create(fixture *f) {
    (void)f;
    assert_status(dpa_search_create(NULL), DPA_E_INVALID_ARGUMENT);
}

static dpa_status use_create(fixture *f, outcome *out) {
    dpa_search *search = NULL;
    size_t count;
    dpa_status status;
    INJECT(f, status = dpa_search_create(&search));
    assert_true((search == NULL) == (status != DPA_OK));
    if (status) return status;
    count = search_number(search, "candidates");
    RECORD(out, count);
    dpa_search_destroy(search);
    return DPA_OK;
}

static void misuse_destroy(fixture *f) {
    (void)f;
    dpa_search_destroy(NULL);
}

static dpa_status use_destroy(fixture *f, outcome *out) {
    dpa_search *search = NULL;
    assert_ok(dpa_search_create(&search));
    INJECT(f, dpa_search_destroy(search));
    RECORD(out, f->size);
    return DPA_OK;
}

/* Two values of a cheap option. */
static dpa_search *new_search(void) {
    dpa_search *search = NULL;
    assert_ok(dpa_search_create(&search));
    assert_ok(dpa_search_add(search, "ridge", "0.5,0.25"));
    return search;
}

static void misuse_add(fixture *f) {
    dpa_search *search = new_search();
    CHECK_HANDLES(f, dpa_search, dpa_search_add(h, "alpha", "0"));
    assert_status(dpa_search_add(search, NULL, "0"), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_search_add(search, "alpha", NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_search_add(search, "nonsense", "0"), DPA_E_OPTION_NAME);
    assert_status(dpa_search_add(search, "alpha", "0,nan"), DPA_E_OPTION);
    assert_int_equal(search_number(search, "candidates"), 2);
    dpa_search_destroy(search);
}

static dpa_status use_add(fixture *f, outcome *out) {
    dpa_search *search = new_search();
    size_t count;
    dpa_status status;
    INJECT(f, status = dpa_search_add(search, "alpha", "0,0.5,auto"));
    count = search_number(search, "candidates");
    assert_int_equal(count, status ? 2 : 6);
    if (!status) RECORD(out, count);
    dpa_search_destroy(search);
    return status;
}

static void misuse_run(fixture *f) {
    dpa_search *search = new_search();
    dpa_problem *rows = new_rows(f, kCols), *empty = NULL;
    dpa_solution *best = f->solution;
    assert_ok(dpa_problem_create(&empty));
    CHECK_HANDLES(f, dpa_search, dpa_search_run(h, f->problem, rows, NULL, f->options, &best));
    assert_null(best);
    CHECK_HANDLES(f, dpa_problem, dpa_search_run(search, h, rows, NULL, f->options, &best));
    CHECK_HANDLES(f, dpa_problem, dpa_search_run(search, f->problem, h, NULL, f->options, &best));
    assert_status(dpa_search_run(search, f->problem, rows, NULL, (dpa_options *)f->token, &best),
                  DPA_E_HANDLE);
    assert_status(dpa_search_run(search, f->problem, rows, NULL, f->options, NULL),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_search_run(search, f->problem, f->problem, NULL, f->options, &best),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_search_run(search, f->problem, rows, "nonsense", f->options, &best),
                  DPA_E_OPTION_NAME);
    assert_status(dpa_search_run(search, empty, rows, NULL, f->options, &best), DPA_E_STATE);
    assert_status(dpa_search_run(search, f->problem, empty, NULL, f->options, &best), DPA_E_STATE);
    assert_status(dpa_search_run(search, f->problem, rows, NULL, NULL, &best), DPA_E_OPTION);
    assert_null(best);
    dpa_problem_destroy(empty);
    dpa_problem_destroy(rows);
    dpa_search_destroy(search);
}

static dpa_status use_run(fixture *f, outcome *out) {
    dpa_search *search = new_search();
    dpa_problem *rows = new_rows(f, kCols);
    dpa_solution *best = f->solution;
    double w[kCols];
    dpa_status status;
    INJECT(f, status = dpa_search_run(search, f->problem, rows, "target_only", f->options, &best));
    assert_true((best == NULL) == (status != DPA_OK));
    if (!status) {
        assert_ok(dpa_solution_array(best, "coefficients", w, kCols));
        RECORD(out, w);
    }
    dpa_solution_destroy(best);
    dpa_problem_destroy(rows);
    dpa_search_destroy(search);
    return status;
}

/* A search that has run, for the getters. */
static dpa_search *finished_search(const fixture *f) {
    dpa_search *search = new_search();
    dpa_problem *rows = new_rows(f, kCols);
    dpa_solution *best = NULL;
    assert_ok(dpa_search_run(search, f->problem, rows, "target_only", f->options, &best));
    dpa_solution_destroy(best);
    dpa_problem_destroy(rows);
    return search;
}

typedef dpa_status (*getter)(const dpa_search *, size_t, void *);

static dpa_status get_value(const dpa_search *search, size_t index, void *value) {
    return dpa_search_value(search, "loss", index, value);
}
static dpa_status get_reason(const dpa_search *search, size_t index, void *value) {
    return dpa_search_reason(search, index, NULL, value, value ? 8 : 0, NULL);
}
static dpa_status get_setting(const dpa_search *search, size_t index, void *value) {
    return dpa_search_setting(search, index, "ridge", value, value ? 8 : 0, NULL);
}

static void misuse_getter(fixture *f, getter get, dpa_status without_place) {
    dpa_search *search = new_search();
    char value[8] = "7";
    CHECK_HANDLES(f, dpa_search, get(h, 0, value));
    assert_status(get(search, 0, value), DPA_E_STATE);
    dpa_search_destroy(search);
    search = finished_search(f);
    assert_status(get(search, 0, NULL), without_place);
    assert_status(get(search, 2, value), DPA_E_INVALID_ARGUMENT);
    assert_string_equal(value, "7");
    dpa_search_destroy(search);
}

static dpa_status use_getter(fixture *f, outcome *out, getter get) {
    dpa_search *search = finished_search(f);
    char value[8] = {0};
    dpa_status status;
    INJECT(f, status = get(search, 1, value));
    if (!status) RECORD(out, value);
    dpa_search_destroy(search);
    return status;
}

#define GETTER(name, without_place)                                                        \
    static void misuse_##name(fixture *f) { misuse_getter(f, get_##name, without_place); } \
    static dpa_status use_##name(fixture *f, outcome *out) {                               \
        return use_getter(f, out, get_##name);                                             \
    }
GETTER(value, DPA_E_INVALID_ARGUMENT)
GETTER(reason, DPA_E_BUFFER)
GETTER(setting, DPA_E_BUFFER)

static row rows[] = {{"dpa_select", misuse_select, use_select},
                     {"dpa_search_create", misuse_create, use_create},
                     {"dpa_search_destroy", misuse_destroy, use_destroy},
                     {"dpa_search_add", misuse_add, use_add},
                     {"dpa_search_run", misuse_run, use_run},
                     {"dpa_search_setting", misuse_setting, use_setting},
                     {"dpa_search_value", misuse_value, use_value},
                     {"dpa_search_reason", misuse_reason, use_reason},
                     {NULL, NULL, NULL}};

row *const select_rows = rows;

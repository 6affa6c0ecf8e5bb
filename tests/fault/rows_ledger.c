#include <dpadapt/ledger.h>
#include <stdio.h>
#include <unistd.h>

#include "fault.h"

enum { kBlock = 4096 };

/* Ids, times and hashes differ from call to call; what is recorded does not. */
static dpa_status record_size(outcome *out, const dpa_ledger *ledger) {
    size_t needed = 0;
    assert_status(dpa_ledger_serialize(ledger, NULL, 0, &needed), DPA_E_BUFFER);
    RECORD(out, needed);
    return DPA_OK;
}

static dpa_ledger *new_ledger(void) {
    dpa_options *options = private_options(NULL);
    dpa_ledger *ledger = NULL;
    assert_ok(dpa_ledger_create(NULL, options, 0, &ledger));
    dpa_options_destroy(options);
    return ledger;
}

/* A path that nobody has, in static memory. */
static const char *new_path(void) {
    static char path[64];
    snprintf(path, sizeof path, "/tmp/dpadapt-fault-%ld", (long)getpid());
    unlink(path);
    return path;
}

static void misuse_create(fixture *f) {
    dpa_options *options = private_options(NULL);
    dpa_ledger *out = (dpa_ledger *)f->token;
    assert_status(dpa_ledger_create(NULL, options, 0, NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_ledger_create(NULL, (dpa_options *)f->token, 0, &out), DPA_E_HANDLE);
    assert_null(out);
    assert_status(dpa_ledger_create(NULL, NULL, 0, &out), DPA_E_OPTION);
    assert_status(dpa_ledger_create(NULL, f->options, 0, &out), DPA_E_OPTION);
    assert_status(dpa_ledger_create(NULL, options, 2, &out), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_ledger_create(NULL, options, INT32_MIN, &out), DPA_E_INVALID_ARGUMENT);
    dpa_options_destroy(options);
}

/* Records what the call has made, and releases it. */
static dpa_status take(outcome *out, dpa_status status, dpa_ledger *ledger) {
    assert_true((ledger == NULL) == (status != DPA_OK));
    if (!status) status = record_size(out, ledger);
    dpa_ledger_destroy(ledger);
    return status;
}

static dpa_status use_create(fixture *f, outcome *out) {
    dpa_options *options = private_options(NULL);
    dpa_ledger *ledger = NULL;
    dpa_status status;
    INJECT(f, status = dpa_ledger_create(NULL, options, 1, &ledger));
    dpa_options_destroy(options);
    return take(out, status, ledger);
}

static void misuse_create_file(fixture *f) {
    dpa_options *options = private_options(NULL);
    const char *path = new_path();
    dpa_ledger *out = (dpa_ledger *)f->token;
    assert_status(dpa_ledger_create(path, options, 0, NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_ledger_create(path, options, 3, &out), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_ledger_create(path, NULL, 0, &out), DPA_E_OPTION);
    assert_true(access(path, F_OK) != 0);
    assert_error(dpa_ledger_create("/nowhere/at/all", options, 0, &out), DPA_E_STORE, "nowhere");
    assert_status(dpa_ledger_create("", options, 0, &out), DPA_E_STORE);
    assert_error(dpa_ledger_create("/tmp", options, 0, &out), DPA_E_STORE, "exists");
    dpa_options_destroy(options);
}

static dpa_status use_create_file(fixture *f, outcome *out) {
    dpa_options *options = private_options(NULL);
    const char *path = new_path();
    dpa_ledger *ledger = NULL;
    dpa_status status;
    INJECT(f, status = dpa_ledger_create(path, options, 0, &ledger));
    dpa_options_destroy(options);
    assert_true((access(path, F_OK) == 0) == (status == DPA_OK));
    status = take(out, status, ledger);
    unlink(path);
    return status;
}

static void misuse_open(fixture *f) {
    dpa_ledger *out = (dpa_ledger *)f->token;
    assert_status(dpa_ledger_open(NULL, &out), DPA_E_INVALID_ARGUMENT);
    assert_null(out);
    assert_status(dpa_ledger_open("/dev/null", NULL), DPA_E_INVALID_ARGUMENT);
    assert_error(dpa_ledger_open("/nowhere", &out), DPA_E_STORE, "/nowhere", "No such file");
    assert_status(dpa_ledger_open("/dev/null", &out), DPA_E_STORE);
    assert_status(dpa_ledger_open("/tmp", &out), DPA_E_STORE);
}

static dpa_status use_open(fixture *f, outcome *out) {
    dpa_options *options = private_options(NULL);
    const char *path = new_path();
    dpa_ledger *made = NULL, *ledger = NULL;
    dpa_status status;
    assert_ok(dpa_ledger_create(path, options, 0, &made));
    dpa_options_destroy(options);
    dpa_ledger_destroy(made);
    INJECT(f, status = dpa_ledger_open(path, &ledger));
    status = take(out, status, ledger);
    unlink(path);
    return status;
}

static void misuse_deserialize(fixture *f) {
    static uint8_t bytes[kBlock];
    dpa_ledger *out = (dpa_ledger *)f->token;
    assert_status(dpa_ledger_deserialize(NULL, kBlock, &out), DPA_E_INVALID_ARGUMENT);
    assert_null(out);
    assert_status(dpa_ledger_deserialize(bytes, kBlock, NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_ledger_deserialize(bytes, 0, &out), DPA_E_FORMAT);
    assert_status(dpa_ledger_deserialize(bytes, SIZE_MAX, &out), DPA_E_FORMAT);
    assert_status(dpa_ledger_deserialize(bytes, sizeof bytes, &out), DPA_E_FORMAT);
    assert_status(dpa_ledger_deserialize(f->bytes, f->size, &out), DPA_E_FORMAT);
}

static dpa_status use_deserialize(fixture *f, outcome *out) {
    uint8_t bytes[kBlock];
    dpa_ledger *made = new_ledger(), *ledger = NULL;
    dpa_status status;
    assert_ok(dpa_ledger_serialize(made, bytes, sizeof bytes, NULL));
    dpa_ledger_destroy(made);
    INJECT(f, status = dpa_ledger_deserialize(bytes, sizeof bytes, &ledger));
    return take(out, status, ledger);
}

static void misuse_serialize(fixture *f) {
    dpa_ledger *ledger = new_ledger();
    uint8_t bytes[3] = {7, 7, 7};
    size_t needed = 7;
    CHECK_HANDLES(f, dpa_ledger, dpa_ledger_serialize(h, bytes, 3, &needed));
    assert_int_equal(needed, 7);
    assert_status(dpa_ledger_serialize(ledger, NULL, SIZE_MAX, NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_ledger_serialize(ledger, bytes, 3, &needed), DPA_E_BUFFER);
    assert_true(needed == kBlock && bytes[0] == 7);
    dpa_ledger_destroy(ledger);
}

static dpa_status use_serialize(fixture *f, outcome *out) {
    dpa_ledger *ledger = new_ledger();
    uint8_t bytes[kBlock] = {0};
    dpa_status status;
    INJECT(f, status = dpa_ledger_serialize(ledger, bytes, sizeof bytes, NULL));
    dpa_ledger_destroy(ledger);
    if (status)
        assert_int_equal(bytes[0], 0);
    else
        record(out, bytes, 16); /* length and name of the format */
    return status;
}

static void misuse_destroy(fixture *f) {
    dpa_ledger_destroy(NULL);
    dpa_ledger_destroy((dpa_ledger *)f->token);
}

static dpa_status use_destroy(fixture *f, outcome *out) {
    dpa_ledger *ledger = new_ledger();
    INJECT(f, dpa_ledger_destroy(ledger));
    RECORD(out, (int){1});
    return DPA_OK;
}

static int32_t count_entry(uint64_t sequence, const uint8_t *entry, size_t entry_len, void *user) {
    uint64_t *seen = user;
    *seen = sequence * (entry != NULL) * (entry_len == kBlock);
    return 0;
}

static void misuse_set_store(fixture *f) {
    uint64_t seen = 7;
    CHECK_HANDLES(f, dpa_ledger, dpa_ledger_set_store(h, count_entry, &seen));
    dpa_ledger *ledger = new_ledger();
    assert_ok(dpa_ledger_set_store(ledger, count_entry, NULL));
    assert_ok(dpa_ledger_set_store(ledger, NULL, NULL));
    dpa_ledger_destroy(ledger);
    assert_int_equal(seen, 7);
}

static dpa_status use_set_store(fixture *f, outcome *out) {
    dpa_ledger *ledger = new_ledger();
    uint64_t seen = 7;
    dpa_status status;
    INJECT(f, status = dpa_ledger_set_store(ledger, count_entry, &seen));
    if (!status) record_size(out, ledger);
    dpa_ledger_destroy(ledger);
    assert_int_equal(seen, 7);
    return status;
}

static void misuse_report(fixture *f) {
    dpa_ledger *ledger = new_ledger();
    char text[3] = "ab";
    size_t needed = 7;
    CHECK_HANDLES(f, dpa_ledger, dpa_ledger_report(h, DPA_REPORT_JSON, text, 3, &needed));
    assert_status(dpa_ledger_report(ledger, 3, text, 3, &needed), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_ledger_report(ledger, DPA_REPORT_TEXT, NULL, SIZE_MAX, NULL),
                  DPA_E_INVALID_ARGUMENT);
    assert_int_equal(needed, 7);
    assert_status(dpa_ledger_report(ledger, DPA_REPORT_TEXT, text, 3, &needed), DPA_E_BUFFER);
    assert_true(needed > 3 && !strcmp(text, "ab"));
    dpa_ledger_destroy(ledger);
}

static dpa_status use_report(fixture *f, outcome *out) {
    dpa_ledger *ledger = new_ledger();
    char text[kBlock] = "";
    dpa_status status;
    INJECT(f, status = dpa_ledger_report(ledger, DPA_REPORT_TEXT, text, sizeof text, NULL));
    dpa_ledger_destroy(ledger);
    text[48] = '\0'; /* the head comes later */
    return status ? status : record_text(out, text);
}

static const char kNobody[] =
    "00000000000000000000000000000000"
    "00000000000000000000000000000000";

static void misuse_contains(fixture *f) {
    dpa_ledger *ledger = new_ledger();
    int32_t contains = 7;
    CHECK_HANDLES(f, dpa_ledger, dpa_ledger_contains(h, kNobody, &contains));
    assert_status(dpa_ledger_contains(ledger, NULL, &contains), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_ledger_contains(ledger, kNobody, NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_ledger_contains(ledger, "", &contains), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_ledger_contains(ledger, kNobody + 1, &contains), DPA_E_INVALID_ARGUMENT);
    assert_int_equal(contains, 7);
    dpa_ledger_destroy(ledger);
}

static dpa_status use_contains(fixture *f, outcome *out) {
    dpa_ledger *ledger = new_ledger();
    int32_t contains = 7;
    dpa_status status;
    INJECT(f, status = dpa_ledger_contains(ledger, kNobody, &contains));
    dpa_ledger_destroy(ledger);
    assert_int_equal(contains, status ? 7 : 0);
    if (!status) RECORD(out, contains);
    return status;
}

static void misuse_set_parent(fixture *f) {
    dpa_ledger *ledger = new_ledger(), *parent = new_ledger();
    CHECK_HANDLES(f, dpa_ledger, dpa_ledger_set_parent(h, parent));
    CHECK_HANDLES(f, dpa_ledger, dpa_ledger_set_parent(ledger, h));
    assert_status(dpa_ledger_set_parent(ledger, ledger), DPA_E_STATE);
    assert_status(dpa_ledger_set_parent(ledger, parent), DPA_OK);
    assert_status(dpa_ledger_set_parent(parent, ledger), DPA_E_STATE);
    dpa_ledger_destroy(parent);
    dpa_ledger_destroy(ledger);
}

/* A fit is paid from both, made with all memory. */
static dpa_status use_set_parent(fixture *f, outcome *out) {
    dpa_problem *problem = instance_problem(&f->data);
    dpa_options *options = private_options(NULL);
    dpa_ledger *ledger = new_ledger(), *parent = new_ledger();
    dpa_status status;
    assert_status(dpa_problem_use_ledger(problem, ledger), DPA_OK);
    INJECT(f, status = dpa_ledger_set_parent(ledger, parent));
    dpa_solution_destroy(solve(problem, options));
    if (!status) record_size(out, parent);
    dpa_ledger_destroy(parent);
    dpa_ledger_destroy(ledger);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    return status;
}

static void misuse_use_ledger(fixture *f) {
    dpa_ledger *ledger = new_ledger();
    CHECK_HANDLES(f, dpa_problem, dpa_problem_use_ledger(h, ledger));
    CHECK_HANDLES(f, dpa_ledger, dpa_problem_use_ledger(f->problem, h));
    dpa_ledger_destroy(ledger);
}

/* The ledger lives on with the problem; a fit that finds no memory after it has paid would show as
 * another size, so the fit is made with all of it. */
static dpa_status use_use_ledger(fixture *f, outcome *out) {
    dpa_problem *problem = instance_problem(&f->data);
    dpa_options *options = private_options(NULL);
    dpa_ledger *ledger = new_ledger();
    dpa_status status;
    INJECT(f, status = dpa_problem_use_ledger(problem, ledger));
    dpa_solution_destroy(solve(problem, options));
    if (!status) record_size(out, ledger);
    dpa_ledger_destroy(ledger);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    return status;
}

static const uint8_t job_key[32] = {1, 2, 3};

static void misuse_use_ledger_for_job(fixture *f) {
    dpa_ledger *ledger = new_ledger();
    dpa_problem *problem = f->problem;
    CHECK_HANDLES(f, dpa_problem, dpa_problem_use_ledger_for_job(h, ledger, "a", job_key, 32));
    CHECK_HANDLES(f, dpa_ledger, dpa_problem_use_ledger_for_job(problem, h, "a", job_key, 32));
    for (size_t k = 0; k < 4; ++k) {
        const char *const names[] = {NULL, "", "a/b", "a b"};
        assert_status(dpa_problem_use_ledger_for_job(problem, ledger, names[k], job_key, 32),
                      DPA_E_INVALID_ARGUMENT);
    }
    assert_status(dpa_problem_use_ledger_for_job(problem, ledger, "a", NULL, 32),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_problem_use_ledger_for_job(problem, ledger, "a", job_key, 31),
                  DPA_E_INVALID_ARGUMENT);
    dpa_ledger_destroy(ledger);
}

/* A second problem makes the call again, and pays nothing. */
static dpa_status use_use_ledger_for_job(fixture *f, outcome *out) {
    dpa_problem *problem = instance_problem(&f->data), *again = instance_problem(&f->data);
    dpa_options *options = private_options(NULL);
    dpa_ledger *ledger = new_ledger();
    dpa_status status;
    assert_ok(dpa_problem_use_ledger_for_job(again, ledger, "a", job_key, 32));
    dpa_solution_destroy(solve(again, options));
    INJECT(f, status = dpa_problem_use_ledger_for_job(problem, ledger, "a", job_key, 32));
    dpa_solution_destroy(solve(problem, options));
    if (!status) record_size(out, ledger);
    dpa_ledger_destroy(ledger);
    dpa_options_destroy(options);
    dpa_problem_destroy(again);
    dpa_problem_destroy(problem);
    return status;
}

static void misuse_lock(fixture *f) {
    dpa_options *options = private_options(NULL);
    CHECK_HANDLES(f, dpa_problem, dpa_problem_lock(h, options));
    assert_status(dpa_problem_lock(f->problem, (dpa_options *)f->token), DPA_E_HANDLE);
    assert_status(dpa_problem_lock(f->problem, f->options), DPA_E_OPTION);
    dpa_options_destroy(options);
}

static dpa_status use_lock(fixture *f, outcome *out) {
    dpa_problem *problem = instance_problem(&f->data);
    dpa_options *options = private_options(NULL);
    dpa_solution *solution = NULL;
    dpa_status status;
    assert_ok(dpa_problem_set_budget(problem, options));
    dpa_options_destroy(options);
    INJECT(f, status = dpa_problem_lock(problem, NULL));
    dpa_status fitted = dpa_solve(problem, NULL, f->options, &solution);
    assert_status(fitted, status ? DPA_OK : DPA_E_STATE);
    if (!status) RECORD(out, fitted);
    dpa_solution_destroy(solution);
    dpa_problem_destroy(problem);
    return status;
}

static row rows[] = {
    {"dpa_ledger_create", misuse_create, use_create},
    {"dpa_ledger_create", misuse_create_file, use_create_file},
    {"dpa_ledger_open", misuse_open, use_open},
    {"dpa_ledger_deserialize", misuse_deserialize, use_deserialize},
    {"dpa_ledger_serialize", misuse_serialize, use_serialize},
    {"dpa_ledger_destroy", misuse_destroy, use_destroy},
    {"dpa_ledger_set_store", misuse_set_store, use_set_store},
    {"dpa_ledger_set_parent", misuse_set_parent, use_set_parent},
    {"dpa_ledger_report", misuse_report, use_report},
    {"dpa_ledger_contains", misuse_contains, use_contains},
    {"dpa_problem_use_ledger", misuse_use_ledger, use_use_ledger},
    {"dpa_problem_use_ledger_for_job", misuse_use_ledger_for_job, use_use_ledger_for_job},
    {"dpa_problem_lock", misuse_lock, use_lock},
    {NULL, NULL, NULL}};

row *const ledger_rows = rows;

/* The fault table: one row per exported function, written in the rows_*.c of its header. */
#ifndef DPADAPT_TESTS_FAULT_H
#define DPADAPT_TESTS_FAULT_H

#include "allocation.h"
#include "unit/private.h"

/* Vectors too long for the memory inside an Armadillo object, and rows enough for two threads. */
enum { kRows = 120, kTargets = 25, kCols = 17, kBytes = 16384 };

/* Good handles for the calls of a row, and which allocation is to fail. */
typedef struct {
    instance data;
    dpa_problem *problem;
    dpa_options *options;
    dpa_cancel *token;
    dpa_discrepancy *discrepancy;
    dpa_solution *solution;
    uint8_t bytes[kBytes]; /* the saved solution */
    size_t size;
    int64_t nth; /* 0: none */
    int32_t lasting;
} fixture;

/* What a good call produced, to be compared with what it produces after a failure. */
typedef struct {
    uint8_t bytes[kBytes];
    size_t size;
} outcome;

typedef struct {
    const char *function;
    void (*misuse)(fixture *f);                  /* each wrong argument has its status */
    dpa_status (*use)(fixture *f, outcome *out); /* one good call, its allocations under control */
} row;

/* The first columns of the fixture's target as rows to judge a predictor by. */
static inline dpa_problem *new_rows(const fixture *f, size_t columns) {
    dpa_problem *problem = NULL;
    assert_ok(dpa_problem_create(&problem));
    assert_ok(dpa_problem_set_sample(
        problem, DPA_TARGET, (dpa_matrix){f->data.xt, kTargets, columns, kCols, DPA_ROW_MAJOR},
        f->data.yt, kTargets));
    return problem;
}

/* Evaluates the expression with the failure of the fixture in force. */
#define INJECT(f, expression) \
    (allocation_fail((f)->nth, (f)->lasting), (expression), allocation_fail(0, 0))

static inline void record(outcome *out, const void *bytes, size_t size) {
    assert_true(size <= sizeof out->bytes - out->size);
    memcpy(out->bytes + out->size, bytes, size);
    out->size += size;
}

#define RECORD(out, variable) record(out, &(variable), sizeof(variable))

/* Records a text; none means that memory was exhausted. */
static inline dpa_status record_text(outcome *out, const char *text) {
    if (!text) return DPA_E_NO_MEMORY;
    record(out, text, strlen(text));
    return DPA_OK;
}

/* No handle and a handle of another type. */
#define BAD_HANDLES(f, type) \
    { NULL, (type *)((void *)(f)->token) }

/* Each bad handle in turn as h gives DPA_E_HANDLE. */
#define CHECK_HANDLES(f, type, call)                                      \
    do {                                                                  \
        type *const wrong_handles[] = BAD_HANDLES(f, type);               \
        for (size_t handle_index = 0; handle_index < 2; ++handle_index) { \
            type *h = wrong_handles[handle_index];                        \
            assert_status(call, DPA_E_HANDLE);                            \
        }                                                                 \
    } while (0)

extern row *const status_rows;
extern row *const options_rows;
extern row *const problem_rows;
extern row *const discrepancy_rows;
extern row *const solution_rows;
extern row *const privacy_rows;
extern row *const plan_rows;
extern row *const ledger_rows;
extern row *const passes_rows;
extern row *const schema_rows;
extern row *const arrow_rows;
extern row *const inspect_rows;
extern row *const baseline_rows;
extern row *const select_rows;
extern row *const evaluate_rows;

#endif

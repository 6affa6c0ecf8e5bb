#include <dpadapt/evaluate.h>
#include <dpadapt/votes.h>

#include "fault.h"

static void misuse_evaluate(fixture *f) {
    const dpa_solution *candidates[] = {f->solution, f->solution};
    const dpa_solution *bad[] = {f->solution, NULL};
    dpa_problem *rows = new_rows(f, kCols), *narrow = new_rows(f, 1), *empty = NULL;
    dpa_evaluation *out = NULL;
    assert_ok(dpa_problem_create(&empty));
    CHECK_HANDLES(f, dpa_problem, dpa_evaluate(h, candidates, 2, f->options, &out));
    assert_status(dpa_evaluate(rows, bad, 2, f->options, &out), DPA_E_HANDLE);
    assert_status(dpa_evaluate(rows, candidates, 2, (dpa_options *)f->token, &out), DPA_E_HANDLE);
    assert_status(dpa_evaluate(rows, NULL, 2, f->options, &out), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_evaluate(rows, candidates, 2, f->options, NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_evaluate(rows, candidates, 0, f->options, &out), DPA_E_EMPTY);
    assert_status(dpa_evaluate(rows, candidates, SIZE_MAX, f->options, &out), DPA_E_OVERFLOW);
    assert_status(dpa_evaluate(empty, candidates, 2, f->options, &out), DPA_E_STATE);
    assert_status(dpa_evaluate(narrow, candidates, 2, f->options, &out), DPA_E_DIMENSION);
    assert_error(dpa_evaluate(rows, candidates, 2, NULL, &out), DPA_E_OPTION, "epsilon");
    assert_null(out);
    dpa_problem_destroy(narrow);
    dpa_problem_destroy(empty);
    dpa_problem_destroy(rows);
}

/* Without privacy and with. */
static dpa_status use_evaluate(fixture *f, outcome *out) {
    const dpa_solution *candidates[] = {f->solution, f->solution};
    dpa_options *options[] = {public_options(NULL), private_options("unsafe_seed", "5", NULL)};
    dpa_status status = DPA_OK;
    for (size_t k = 0; k < LENGTH(options); ++k) {
        dpa_problem *rows = new_rows(f, kCols);
        dpa_evaluation *made = NULL;
        double numbers[3];
        if (!status) INJECT(f, status = dpa_evaluate(rows, candidates, 2, options[k], &made));
        if (!status) {
            dpa_measure one;
            assert_ok(dpa_evaluation_measure(made, 0, &one));
            numbers[0] = one.estimate, numbers[1] = one.lower, numbers[2] = one.upper;
            RECORD(out, numbers);
        } else {
            assert_null(made);
        }
        dpa_evaluation_destroy(made);
        dpa_problem_destroy(rows);
        dpa_options_destroy(options[k]);
    }
    if (status) out->size = 0;
    return status;
}

static dpa_evaluation *new_evaluation(const fixture *f) {
    const dpa_solution *candidates[] = {f->solution, f->solution};
    dpa_options *options = public_options(NULL);
    dpa_problem *rows = new_rows(f, kCols);
    dpa_evaluation *made = NULL;
    assert_ok(dpa_evaluate(rows, candidates, 2, options, &made));
    dpa_problem_destroy(rows);
    dpa_options_destroy(options);
    return made;
}

static void misuse_destroy(fixture *f) {
    (void)f;
    dpa_evaluation_destroy(NULL);
}

static dpa_status use_destroy(fixture *f, outcome *out) {
    dpa_evaluation *made = new_evaluation(f);
    INJECT(f, dpa_evaluation_destroy(made));
    RECORD(out, f->size);
    return DPA_OK;
}

static void misuse_measure(fixture *f) {
    dpa_evaluation *made = new_evaluation(f);
    dpa_measure one = {NULL, 7, 7, 7, 7, 7, 7, 7, NULL};
    CHECK_HANDLES(f, dpa_evaluation, dpa_evaluation_measure(h, 0, &one));
    assert_status(dpa_evaluation_measure(made, 0, NULL), DPA_E_INVALID_ARGUMENT);
    assert_true(one.solution == 7 && one.estimate == 7);
    assert_ok(dpa_evaluation_measure(made, SIZE_MAX, &one));
    assert_true(one.name == NULL && one.solution == 0 && one.estimate == 0);
    dpa_evaluation_destroy(made);
}

static dpa_status use_measure(fixture *f, outcome *out) {
    dpa_evaluation *made = new_evaluation(f);
    dpa_measure one = {NULL, 7, 7, 7, 7, 7, 7, 7, NULL};
    dpa_status status;
    INJECT(f, status = dpa_evaluation_measure(made, 1, &one));
    dpa_evaluation_destroy(made);
    if (status) return status;
    RECORD(out, one.solution);
    RECORD(out, one.estimate);
    RECORD(out, one.lower);
    RECORD(out, one.upper);
    return record_text(out, one.name);
}

static void misuse_report(fixture *f) {
    dpa_evaluation *made = new_evaluation(f);
    char text[3] = "ab";
    size_t needed = 7;
    CHECK_HANDLES(f, dpa_evaluation, dpa_evaluation_report(h, DPA_REPORT_JSON, text, 3, &needed));
    assert_status(dpa_evaluation_report(made, -1, text, 3, &needed), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_evaluation_report(made, 0, NULL, SIZE_MAX, NULL), DPA_E_INVALID_ARGUMENT);
    assert_int_equal(needed, 7);
    assert_status(dpa_evaluation_report(made, 0, text, 3, &needed), DPA_E_BUFFER);
    assert_true(needed > 3 && !strcmp(text, "ab"));
    dpa_evaluation_destroy(made);
}

static dpa_status use_report(fixture *f, outcome *out) {
    dpa_evaluation *made = new_evaluation(f);
    char text[kBytes] = "";
    dpa_status status;
    INJECT(f, status = dpa_evaluation_report(made, DPA_REPORT_JSON, text, sizeof text, NULL));
    if (status) assert_string_equal(text, "");
    dpa_evaluation_destroy(made);
    return status ? status : record_text(out, text);
}

static void misuse_calibrate(fixture *f) {
    dpa_problem *rows = new_rows(f, kCols), *empty = NULL;
    dpa_solution *out = NULL;
    assert_ok(dpa_problem_create(&empty));
    CHECK_HANDLES(f, dpa_solution, dpa_solution_calibrate(h, rows, f->options, &out));
    CHECK_HANDLES(f, dpa_problem, dpa_solution_calibrate(f->solution, h, f->options, &out));
    assert_status(dpa_solution_calibrate(f->solution, rows, (dpa_options *)f->token, &out),
                  DPA_E_HANDLE);
    assert_status(dpa_solution_calibrate(f->solution, rows, f->options, NULL),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_solution_calibrate(f->solution, empty, f->options, &out), DPA_E_STATE);
    assert_error(dpa_solution_calibrate(f->solution, rows, NULL, &out), DPA_E_OPTION, "epsilon");
    assert_null(out);
    dpa_problem_destroy(empty);
    dpa_problem_destroy(rows);
}

/* Without privacy and with, and what follows from the calibration. */
static dpa_status use_calibrate(fixture *f, outcome *out) {
    dpa_options *options[] = {public_options(NULL), private_options("unsafe_seed", "5", NULL)};
    dpa_status status = DPA_OK;
    for (size_t k = 0; k < LENGTH(options); ++k) {
        dpa_problem *rows = new_rows(f, kCols);
        dpa_solution *made = NULL;
        char promise[kBytes] = "";
        if (!status)
            INJECT(f, status = dpa_solution_calibrate(f->solution, rows, options[k], &made));
        if (!status) {
            assert_ok(dpa_solution_text(made, "calibration", promise, sizeof promise, NULL));
            status = record_text(out, promise);
        } else {
            assert_null(made);
        }
        dpa_solution_destroy(made);
        dpa_problem_destroy(rows);
        dpa_options_destroy(options[k]);
    }
    if (status) out->size = 0;
    return status;
}

static dpa_solution *new_calibrated(const fixture *f) {
    dpa_options *options = public_options(NULL);
    dpa_problem *rows = new_rows(f, kCols);
    dpa_solution *made = NULL;
    assert_ok(dpa_solution_calibrate(f->solution, rows, options, &made));
    dpa_problem_destroy(rows);
    dpa_options_destroy(options);
    return made;
}

static void misuse_interval(fixture *f) {
    dpa_solution *made = new_calibrated(f);
    const dpa_matrix x = {f->data.xt, kTargets, kCols, kCols, DPA_ROW_MAJOR};
    dpa_matrix narrow = x;
    narrow.cols = 1;
    double ends[2 * kTargets] = {7};
    const size_t length = LENGTH(ends);
    CHECK_HANDLES(f, dpa_solution, dpa_solution_predict_interval(h, 0.5, x, ends, length));
    assert_status(dpa_solution_predict_interval(f->solution, 0.5, x, ends, length),
                  DPA_E_UNSUPPORTED);
    assert_status(dpa_solution_predict_interval(made, 1, x, ends, length), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_solution_predict_interval(made, NAN, x, ends, length),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_solution_predict_interval(made, 0.5, x, NULL, length),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_solution_predict_interval(made, 0.5, x, ends, length - 1), DPA_E_DIMENSION);
    assert_status(dpa_solution_predict_interval(made, 0.5, narrow, ends, length), DPA_E_DIMENSION);
    assert_true(ends[0] == 7);
    dpa_solution_destroy(made);
}

static dpa_status use_interval(fixture *f, outcome *out) {
    dpa_solution *made = new_calibrated(f);
    const dpa_matrix x = {f->data.xt, kTargets, kCols, kCols, DPA_ROW_MAJOR};
    double ends[2 * kTargets] = {7};
    dpa_status status;
    INJECT(f, status = dpa_solution_predict_interval(made, 0.5, x, ends, LENGTH(ends)));
    dpa_solution_destroy(made);
    if (status) {
        assert_true(ends[0] == 7);
        return status;
    }
    RECORD(out, ends);
    return status;
}

static const double kAnswers[] = {0, 1, 2, 1, 1, NAN};
static const dpa_matrix kTable = {kAnswers, 3, 2, 2, DPA_ROW_MAJOR};

static void misuse_shard(fixture *f) {
    const int64_t ids[] = {1, 2, 3};
    double out[3] = {7};
    (void)f;
    assert_status(dpa_votes_shard(NULL, 0, 2, NULL, 3), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_votes_shard(NULL, 0, 0, out, 3), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_votes_shard(NULL, 0, 4, out, 3), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_votes_shard(NULL, 0, 1, out, 0), DPA_E_EMPTY);
    assert_status(dpa_votes_shard(NULL, 0, 1, out, SIZE_MAX), DPA_E_OVERFLOW);
    assert_status(dpa_votes_shard(NULL, 0, SIZE_MAX, out, 3), DPA_E_OVERFLOW);
    assert_status(dpa_votes_shard(NULL, 3, 2, out, 3), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_votes_shard(ids, 2, 2, out, 3), DPA_E_DIMENSION);
    assert_true(out[0] == 7);
}

static dpa_status use_shard(fixture *f, outcome *out) {
    double shards[9] = {7};
    dpa_status status;
    INJECT(f, status = dpa_votes_shard(NULL, 0, 4, shards, LENGTH(shards)));
    if (status) assert_true(shards[0] == 7);
    if (!status) RECORD(out, shards);
    return status;
}

static void misuse_count(fixture *f) {
    dpa_problem *rows = new_rows(f, kCols);
    dpa_matrix none = kTable, large = kTable;
    double out[6] = {7};
    none.rows = 0, large.rows = (size_t)1 << 21;
    CHECK_HANDLES(f, dpa_problem, dpa_votes_count(h, kTable, 3, f->options, out, 6, NULL));
    assert_status(dpa_votes_count(rows, kTable, 3, (dpa_options *)f->token, out, 6, NULL),
                  DPA_E_HANDLE);
    assert_status(dpa_votes_count(rows, kTable, 1, f->options, out, 2, NULL),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_votes_count(rows, kTable, 1001, f->options, out, 6, NULL),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_votes_count(rows, kTable, 3, f->options, NULL, 6, NULL),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_votes_count(rows, none, 3, f->options, out, 6, NULL), DPA_E_EMPTY);
    assert_status(dpa_votes_count(rows, large, 3, f->options, out, 6, NULL), DPA_E_OVERFLOW);
    assert_status(dpa_votes_count(rows, kTable, 3, f->options, out, 5, NULL), DPA_E_DIMENSION);
    assert_error(dpa_votes_count(rows, kTable, 3, NULL, out, 6, NULL), DPA_E_OPTION, "epsilon");
    assert_true(out[0] == 7);
    dpa_problem_destroy(rows);
}

static void misuse_mean(fixture *f) {
    dpa_problem *rows = new_rows(f, kCols);
    double out[2] = {7};
    CHECK_HANDLES(f, dpa_problem, dpa_votes_mean(h, kTable, 0, 1, f->options, out, 2, NULL));
    assert_status(dpa_votes_mean(rows, kTable, 1, 1, f->options, out, 2, NULL),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_votes_mean(rows, kTable, NAN, 1, f->options, out, 2, NULL),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_votes_mean(rows, kTable, -1e308, 1e308, f->options, out, 2, NULL),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_votes_mean(rows, kTable, 0, 1, f->options, out, 3, NULL), DPA_E_DIMENSION);
    assert_error(dpa_votes_mean(rows, kTable, 0, 1, NULL, out, 2, NULL), DPA_E_OPTION, "epsilon");
    assert_true(out[0] == 7);
    dpa_problem_destroy(rows);
}

/* Without privacy and with. */
static dpa_status use_votes(fixture *f, outcome *out, int counts) {
    dpa_options *options[] = {public_options(NULL), private_options("unsafe_seed", "5", NULL)};
    dpa_status status = DPA_OK;
    for (size_t k = 0; k < LENGTH(options); ++k) {
        dpa_problem *rows = new_rows(f, kCols);
        double released[7] = {7};
        if (!status && counts)
            INJECT(f, status =
                          dpa_votes_count(rows, kTable, 3, options[k], released, 6, released + 6));
        if (!status && !counts)
            INJECT(f, status = dpa_votes_mean(rows, kTable, 0, 2, options[k], released, 2,
                                              released + 6));
        if (!status) RECORD(out, released);
        if (status) assert_true(released[0] == 7);
        dpa_problem_destroy(rows);
        dpa_options_destroy(options[k]);
    }
    if (status) out->size = 0;
    return status;
}

static dpa_status use_count(fixture *f, outcome *out) { return use_votes(f, out, 1); }

static dpa_status use_mean(fixture *f, outcome *out) { return use_votes(f, out, 0); }

static row rows[] = {{"dpa_evaluate", misuse_evaluate, use_evaluate},
                     {"dpa_solution_calibrate", misuse_calibrate, use_calibrate},
                     {"dpa_solution_predict_interval", misuse_interval, use_interval},
                     {"dpa_evaluation_destroy", misuse_destroy, use_destroy},
                     {"dpa_evaluation_measure", misuse_measure, use_measure},
                     {"dpa_evaluation_report", misuse_report, use_report},
                     {"dpa_votes_shard", misuse_shard, use_shard},
                     {"dpa_votes_count", misuse_count, use_count},
                     {"dpa_votes_mean", misuse_mean, use_mean},
                     {NULL, NULL, NULL}};

row *const evaluate_rows = rows;

#include "fault.h"

/* Both a discrepancy and gradients are released. */
static dpa_options *good_options(void) { return private_options("alpha", "0.5", NULL); }

static dpa_plan *new_plan(void) {
    dpa_options *options = good_options();
    dpa_plan *plan = NULL;
    assert_ok(dpa_plan_create(kRows, kTargets, kCols, options, &plan));
    dpa_options_destroy(options);
    return plan;
}

/* Records what a call made, or that it made nothing; the plan is destroyed. */
static dpa_status record_plan(dpa_plan *plan, dpa_status status, outcome *out) {
    double mu;
    assert_true((plan == NULL) == (status != DPA_OK));
    if (status) return status;
    mu = plan_value(plan, "mu");
    RECORD(out, mu);
    dpa_plan_destroy(plan);
    return status;
}

static void misuse_create(fixture *f) {
    const size_t huge = SIZE_MAX / 2 + 1;
    dpa_options *options = good_options(), *both = both_private("alpha", "0.5");
    dpa_plan *out = (dpa_plan *)f->token;
    assert_status(dpa_plan_create(3, 3, 3, (dpa_options *)f->token, &out), DPA_E_HANDLE);
    assert_null(out);
    assert_status(dpa_plan_create(3, 3, 3, options, NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_plan_create(3, 3, 3, NULL, &out), DPA_E_OPTION);
    assert_status(dpa_plan_create(3, 3, 3, f->options, &out), DPA_E_OPTION);
    assert_status(dpa_plan_create(0, 3, 3, options, &out), DPA_E_EMPTY);
    assert_status(dpa_plan_create(3, 0, 3, options, &out), DPA_E_EMPTY);
    assert_status(dpa_plan_create(3, 3, 0, options, &out), DPA_E_EMPTY);
    assert_status(dpa_plan_create(huge, huge, 3, both, &out), DPA_E_OVERFLOW);
    assert_status(dpa_plan_create(3, SIZE_MAX, 3, options, &out), DPA_E_OVERFLOW);
    assert_status(dpa_plan_create(3, 3, SIZE_MAX, options, &out), DPA_E_OVERFLOW);
    assert_null(out);
    dpa_options_destroy(both);
    dpa_options_destroy(options);
}

static dpa_status use_create(fixture *f, outcome *out) {
    dpa_options *options = good_options();
    dpa_plan *plan = (dpa_plan *)f->token;
    dpa_status status;
    INJECT(f, status = dpa_plan_create(kRows, kTargets, kCols, options, &plan));
    dpa_options_destroy(options);
    return record_plan(plan, status, out);
}

static void misuse_for_problem(fixture *f) {
    dpa_options *options = good_options();
    dpa_problem *empty = NULL;
    dpa_plan *out = (dpa_plan *)f->token;
    CHECK_HANDLES(f, dpa_problem, dpa_plan_for_problem(h, options, &out));
    assert_null(out);
    assert_status(dpa_plan_for_problem(f->problem, (dpa_options *)f->token, &out), DPA_E_HANDLE);
    assert_status(dpa_plan_for_problem(f->problem, options, NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_plan_for_problem(f->problem, NULL, &out), DPA_E_OPTION);
    assert_ok(dpa_problem_create(&empty));
    assert_status(dpa_plan_for_problem(empty, options, &out), DPA_E_STATE);
    dpa_problem_destroy(empty);

    double good = f->data.xs[3];
    f->data.xs[3] = NAN;
    dpa_problem *bad = instance_problem(&f->data);
    f->data.xs[3] = good;
    assert_status(dpa_plan_for_problem(bad, options, &out), DPA_E_NONFINITE);
    assert_null(out);
    dpa_problem_destroy(bad);
    dpa_options_destroy(options);
}

static dpa_status use_for_problem(fixture *f, outcome *out) {
    dpa_options *options = good_options();
    dpa_plan *plan = (dpa_plan *)f->token;
    dpa_status status;
    INJECT(f, status = dpa_plan_for_problem(f->problem, options, &plan));
    dpa_options_destroy(options);
    return record_plan(plan, status, out);
}

/* As few fits as a forecast can do with, of a source of its own. */
static dpa_options *forecast_options(void) {
    return private_options("forecast_repeats", "1", "forecast_shifts", "1", "iterations", "1",
                           "preprocess", "none", NULL);
}

static dpa_problem *forecast_problem(const fixture *f) {
    dpa_problem *problem = NULL;
    assert_ok(dpa_problem_create(&problem));
    assert_ok(dpa_problem_lend_sample(problem, DPA_SOURCE,
                                      (dpa_matrix){f->data.xs, 12, 1, kCols, DPA_ROW_MAJOR},
                                      f->data.ys, 12));
    return problem;
}

static void misuse_forecast(fixture *f) {
    dpa_options *options = forecast_options();
    dpa_problem *problem = forecast_problem(f), *empty = NULL;
    dpa_plan *out = (dpa_plan *)f->token;
    CHECK_HANDLES(f, dpa_problem, dpa_plan_forecast(h, 5, options, &out));
    assert_null(out);
    assert_status(dpa_plan_forecast(problem, 5, (dpa_options *)f->token, &out), DPA_E_HANDLE);
    assert_status(dpa_plan_forecast(problem, 5, options, NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_plan_forecast(problem, 0, options, &out), DPA_E_EMPTY);
    assert_status(dpa_plan_forecast(problem, SIZE_MAX, options, &out), DPA_E_OVERFLOW);
    assert_ok(dpa_problem_create(&empty));
    assert_status(dpa_plan_forecast(empty, 5, options, &out), DPA_E_STATE);
    dpa_problem_destroy(empty);
    double good = f->data.xs[0];
    f->data.xs[0] = NAN;
    assert_status(dpa_plan_forecast(problem, 5, options, &out), DPA_E_NONFINITE);
    f->data.xs[0] = good;
    assert_null(out);
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
}

static dpa_status use_forecast(fixture *f, outcome *out) {
    dpa_options *options = forecast_options();
    dpa_problem *problem = forecast_problem(f);
    dpa_plan *plan = (dpa_plan *)f->token;
    double error = 0;
    dpa_status status;
    INJECT(f, status = dpa_plan_forecast(problem, 5, options, &plan));
    if (!status) assert_ok(dpa_plan_forecast_value(plan, 0, "private", &error));
    if (!status) RECORD(out, error);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    return record_plan(plan, status, out);
}

static dpa_plan *new_forecast(const fixture *f) {
    dpa_options *options = forecast_options();
    dpa_problem *problem = forecast_problem(f);
    dpa_plan *plan = NULL;
    assert_ok(dpa_plan_forecast(problem, 5, options, &plan));
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    return plan;
}

static void misuse_forecast_value(fixture *f) {
    dpa_plan *plan = new_forecast(f), *without = new_plan();
    double value = 7;
    CHECK_HANDLES(f, dpa_plan, dpa_plan_forecast_value(h, 0, "private", &value));
    assert_status(dpa_plan_forecast_value(plan, 0, NULL, &value), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_plan_forecast_value(plan, 0, "private", NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_plan_forecast_value(plan, 0, "", &value), DPA_E_OPTION_NAME);
    assert_status(dpa_plan_forecast_value(plan, 0, "private_", &value), DPA_E_OPTION_NAME);
    assert_status(dpa_plan_forecast_value(plan, 1, "private", &value), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_plan_forecast_value(plan, SIZE_MAX, "private", &value),
                  DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_plan_forecast_value(without, 0, "private", &value), DPA_E_INVALID_ARGUMENT);
    assert_true(value == 7);
    dpa_plan_destroy(without);
    dpa_plan_destroy(plan);
}

static dpa_status use_forecast_value(fixture *f, outcome *out) {
    dpa_plan *plan = new_forecast(f);
    double value = 0;
    dpa_status status;
    INJECT(f, status = dpa_plan_forecast_value(plan, 0, "target_only_upper", &value));
    if (!status) RECORD(out, value);
    dpa_plan_destroy(plan);
    return status;
}

static void misuse_destroy(fixture *f) {
    (void)f;
    dpa_plan_destroy(NULL);
}

static dpa_status use_destroy(fixture *f, outcome *out) {
    dpa_plan *plan = new_plan();
    INJECT(f, dpa_plan_destroy(plan));
    RECORD(out, f->size);
    return DPA_OK;
}

static void misuse_value(fixture *f) {
    dpa_plan *plan = new_plan();
    double value = 7;
    CHECK_HANDLES(f, dpa_plan, dpa_plan_value(h, "mu", &value));
    assert_status(dpa_plan_value(plan, NULL, &value), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_plan_value(plan, "mu", NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_plan_value(plan, "", &value), DPA_E_OPTION_NAME);
    assert_status(dpa_plan_value(plan, "tau", &value), DPA_E_STATE);
    assert_true(value == 7);
    dpa_plan_destroy(plan);
}

static dpa_status use_value(fixture *f, outcome *out) {
    dpa_plan *plan = new_plan();
    double value = 0;
    dpa_status status;
    INJECT(f, status = dpa_plan_value(plan, "noise_multiplier", &value));
    if (!status) RECORD(out, value);
    dpa_plan_destroy(plan);
    return status;
}

static void misuse_report(fixture *f) {
    dpa_plan *plan = new_plan();
    char text[3] = "ab";
    size_t needed = 7;
    CHECK_HANDLES(f, dpa_plan, dpa_plan_report(h, DPA_REPORT_JSON, text, 3, &needed));
    assert_status(dpa_plan_report(plan, -1, text, 3, &needed), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_plan_report(plan, 0, NULL, SIZE_MAX, NULL), DPA_E_INVALID_ARGUMENT);
    assert_int_equal(needed, 7);
    assert_status(dpa_plan_report(plan, 0, text, 3, &needed), DPA_E_BUFFER);
    assert_true(needed > 3 && !strcmp(text, "ab"));
    dpa_plan_destroy(plan);
}

static dpa_status use_report(fixture *f, outcome *out) {
    dpa_plan *plan = new_plan();
    char text[kBytes] = "";
    dpa_status status;
    INJECT(f, status = dpa_plan_report(plan, DPA_REPORT_JSON, text, sizeof text, NULL));
    if (status) assert_string_equal(text, "");
    dpa_plan_destroy(plan);
    return status ? status : record_text(out, text);
}

static void misuse_epsilon(fixture *f) {
    static const double bad[] = {NAN, INFINITY, -INFINITY, -1e9, 1e9};
    dpa_plan *plan = new_plan();
    double value = 7;
    CHECK_HANDLES(f, dpa_plan, dpa_plan_epsilon(h, 0.5, &value));
    for (size_t k = 0; k < LENGTH(bad); ++k)
        assert_status(dpa_plan_epsilon(plan, bad[k], &value), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_plan_epsilon(plan, 0.5, NULL), DPA_E_INVALID_ARGUMENT);
    assert_true(value == 7);
    dpa_plan_destroy(plan);
}

static dpa_status use_epsilon(fixture *f, outcome *out) {
    dpa_plan *plan = new_plan();
    double value = 0;
    dpa_status status;
    INJECT(f, status = dpa_plan_epsilon(plan, 1e-5, &value));
    if (!status) RECORD(out, value);
    dpa_plan_destroy(plan);
    return status;
}

static row rows[] = {{"dpa_plan_create", misuse_create, use_create},
                     {"dpa_plan_for_problem", misuse_for_problem, use_for_problem},
                     {"dpa_plan_forecast", misuse_forecast, use_forecast},
                     {"dpa_plan_forecast_value", misuse_forecast_value, use_forecast_value},
                     {"dpa_plan_destroy", misuse_destroy, use_destroy},
                     {"dpa_plan_value", misuse_value, use_value},
                     {"dpa_plan_epsilon", misuse_epsilon, use_epsilon},
                     {"dpa_plan_report", misuse_report, use_report},
                     {NULL, NULL, NULL}};

row *const plan_rows = rows;

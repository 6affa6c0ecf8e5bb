#include "fault.h"

/* A problem of the fixture's data with NaN in one place. */
static dpa_problem *problem_with_nan(const fixture *f) {
    double good = f->data.xs[3];
    f->data.xs[3] = NAN;
    dpa_problem *problem = instance_problem(&f->data);
    f->data.xs[3] = good;
    return problem;
}

static void misuse_estimate(fixture *f) {
    dpa_discrepancy *out = f->discrepancy;
    dpa_problem *bad = problem_with_nan(f);
    CHECK_HANDLES(f, dpa_problem, dpa_discrepancy_estimate(h, f->options, &out));
    assert_null(out);
    assert_status(dpa_discrepancy_estimate(f->problem, (dpa_options *)f->token, &out),
                  DPA_E_HANDLE);
    assert_status(dpa_discrepancy_estimate(f->problem, NULL, &out), DPA_E_OPTION);
    assert_status(dpa_discrepancy_estimate(f->problem, f->options, NULL), DPA_E_INVALID_ARGUMENT);
    out = f->discrepancy;
    assert_status(dpa_discrepancy_estimate(bad, f->options, &out), DPA_E_NONFINITE);
    assert_null(out);
    dpa_problem_destroy(bad);
}

static dpa_status use_estimate_with(fixture *f, const dpa_options *options, outcome *out) {
    dpa_problem *problem = instance_problem(&f->data);
    dpa_discrepancy *discrepancy = f->discrepancy;
    double value;
    dpa_status status;
    INJECT(f, status = dpa_discrepancy_estimate(problem, options, &discrepancy));
    dpa_problem_destroy(problem);
    assert_true((discrepancy == NULL) == (status != DPA_OK));
    if (status) return status;
    assert_ok(dpa_discrepancy_value(discrepancy, "value", &value));
    RECORD(out, value);
    dpa_discrepancy_destroy(discrepancy);
    return status;
}

/* Without privacy and with, by noise that repeats; in the general form over a ball of one point. */
static dpa_status use_estimate(fixture *f, outcome *out) {
    dpa_options *options[] = {
        public_options(NULL), private_options("unsafe_seed", "5", "threads", "2", NULL),
        public_options("form", "general", "discrepancy_radius", "0", NULL),
        private_options("form", "general", "discrepancy_radius", "0", "unsafe_seed", "5", NULL)};
    dpa_status status = DPA_OK;
    for (size_t k = 0; k < LENGTH(options); ++k) {
        if (!status) status = use_estimate_with(f, options[k], out);
        dpa_options_destroy(options[k]);
    }
    if (status) out->size = 0;
    return status;
}

static void misuse_destroy(fixture *f) {
    (void)f;
    dpa_discrepancy_destroy(NULL);
}

static dpa_status use_destroy(fixture *f, outcome *out) {
    dpa_discrepancy *discrepancy = NULL;
    assert_ok(dpa_discrepancy_estimate(f->problem, f->options, &discrepancy));
    INJECT(f, dpa_discrepancy_destroy(discrepancy));
    RECORD(out, f->size);
    return DPA_OK;
}

static const char *const kNumbers[] = {"value", "deviation", "lower",
                                       "upper", "features",  "intercept"};

static void misuse_value(fixture *f) {
    double value = 7;
    for (size_t k = 0; k < LENGTH(kNumbers); ++k) {
        CHECK_HANDLES(f, dpa_discrepancy, dpa_discrepancy_value(h, kNumbers[k], &value));
        assert_status(dpa_discrepancy_value(f->discrepancy, kNumbers[k], NULL),
                      DPA_E_INVALID_ARGUMENT);
    }
    assert_status(dpa_discrepancy_value(f->discrepancy, NULL, &value), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_discrepancy_value(f->discrepancy, "", &value), DPA_E_OPTION_NAME);
    assert_true(value == 7);
}

static dpa_status use_value(fixture *f, outcome *out) {
    dpa_status status = DPA_OK;
    for (size_t k = 0; k < LENGTH(kNumbers) && !status; ++k) {
        double value = 0;
        INJECT(f, status = dpa_discrepancy_value(f->discrepancy, kNumbers[k], &value));
        if (!status) RECORD(out, value);
    }
    if (status) out->size = 0;
    return status;
}

static void misuse_maximizer(fixture *f) {
    double w[kCols + 1];
    const dpa_discrepancy *d = f->discrepancy;
    for (size_t k = 0; k < LENGTH(w); ++k) w[k] = 7;
    CHECK_HANDLES(f, dpa_discrepancy, dpa_discrepancy_maximizer(h, w, kCols));
    assert_status(dpa_discrepancy_maximizer(d, NULL, kCols), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_discrepancy_maximizer(d, w, kCols - 1), DPA_E_DIMENSION);
    assert_status(dpa_discrepancy_maximizer(d, w, kCols + 1), DPA_E_DIMENSION);
    assert_status(dpa_discrepancy_maximizer(d, w, SIZE_MAX), DPA_E_DIMENSION);
    for (size_t k = 0; k < LENGTH(w); ++k) assert_true(w[k] == 7);
}

static dpa_status use_maximizer(fixture *f, outcome *out) {
    double w[kCols] = {0};
    dpa_status status;
    INJECT(f, status = dpa_discrepancy_maximizer(f->discrepancy, w, kCols));
    if (!status) RECORD(out, w);
    return status;
}

static row rows[] = {{"dpa_discrepancy_estimate", misuse_estimate, use_estimate},
                     {"dpa_discrepancy_destroy", misuse_destroy, use_destroy},
                     {"dpa_discrepancy_value", misuse_value, use_value},
                     {"dpa_discrepancy_maximizer", misuse_maximizer, use_maximizer},
                     {NULL, NULL, NULL}};

row *const discrepancy_rows = rows;

#include "fault.h"

static void misuse_create(fixture *f) {
    (void)f;
    assert_status(dpa_options_create(NULL), DPA_E_INVALID_ARGUMENT);
}

static dpa_status use_create(fixture *f, outcome *out) {
    dpa_options *options = f->options;
    dpa_status status;
    INJECT(f, status = dpa_options_create(&options));
    assert_true((options == NULL) == (status != DPA_OK));
    if (!status) RECORD(out, status);
    dpa_options_destroy(options);
    return status;
}

static void misuse_destroy(fixture *f) {
    (void)f;
    dpa_options_destroy(NULL);
}

static dpa_status use_destroy(fixture *f, outcome *out) {
    dpa_options *options = NULL;
    assert_ok(dpa_options_create(&options));
    INJECT(f, dpa_options_destroy(options));
    RECORD(out, f->size);
    return DPA_OK;
}

/* A text long enough not to fit into a string object without an allocation. */
static const char *const kCenter = "0.123456789,0.987654321,0.192837465,0.5647382910";

/* Records the value of an option after a successful call; after a failure it is the default. */
static dpa_status after_setting(fixture *f, outcome *out, const char *name, dpa_status status) {
    char text[128], fresh[128];
    dpa_options *options = NULL;
    assert_ok(dpa_options_get(f->options, name, text, sizeof text, NULL));
    assert_ok(dpa_options_create(&options));
    assert_ok(dpa_options_get(options, name, fresh, sizeof fresh, NULL));
    dpa_options_destroy(options);
    if (status) assert_string_equal(text, fresh);
    return status ? status : record_text(out, text);
}

/* The setters differ in name, option, a good value and a bad one with its status. */
#define SETTER(function, option, preset, good, bad_value, bad_status)                          \
    static void misuse_##function(fixture *f) {                                                \
        CHECK_HANDLES(f, dpa_options, dpa_options_##function(h, option, good));                \
        assert_status(dpa_options_##function(f->options, NULL, good), DPA_E_INVALID_ARGUMENT); \
        assert_status(dpa_options_##function(f->options, "", good), DPA_E_OPTION_NAME);        \
        assert_status(dpa_options_##function(f->options, option, bad_value), bad_status);      \
    }                                                                                          \
    static dpa_status use_##function(fixture *f, outcome *out) {                               \
        dpa_status status;                                                                     \
        assert_ok(dpa_options_parse(f->options, option, preset));                              \
        INJECT(f, status = dpa_options_##function(f->options, option, good));                  \
        return after_setting(f, out, option, status);                                          \
    }
SETTER(set, "radius", "auto", 0.1, NAN, DPA_E_OPTION)
SETTER(parse, "discrepancy_center", "zero", kCenter, NULL, DPA_E_INVALID_ARGUMENT)

static void misuse_get(fixture *f) {
    char text[4] = "###";
    size_t needed = 7;
    const dpa_options *o = f->options;
    CHECK_HANDLES(f, dpa_options, dpa_options_get(h, "alpha", text, 4, &needed));
    assert_status(dpa_options_get(o, NULL, text, 4, &needed), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_options_get(o, "alpha", NULL, 50, NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_options_get(o, "", text, 4, &needed), DPA_E_OPTION_NAME);
    assert_int_equal(needed, 7);
    assert_status(dpa_options_get(o, "alpha", text, 4, &needed), DPA_E_BUFFER);
    assert_int_equal(needed, sizeof "auto");
    assert_string_equal(text, "###");
}

static dpa_status use_get(fixture *f, outcome *out) {
    char text[128];
    dpa_status status;
    assert_ok(dpa_options_parse(f->options, "discrepancy_center", kCenter));
    INJECT(f, status = dpa_options_get(f->options, "discrepancy_center", text, 128, NULL));
    return status ? status : record_text(out, text);
}

static void misuse_text(fixture *f) {
    (void)f;
    assert_null(dpa_option_text(option_count(), "name"));
    assert_null(dpa_option_text(SIZE_MAX, "meaning"));
    assert_null(dpa_option_text(0, NULL));
    assert_null(dpa_option_text(0, ""));
}

static dpa_status use_text(fixture *f, outcome *out) {
    static const char *const words[] = {"name", "type", "default", "values", "meaning"};
    dpa_status status = DPA_OK;
    for (size_t k = 0; k < LENGTH(words) && !status; ++k) {
        const char *text = NULL;
        INJECT(f, text = dpa_option_text(0, words[k]));
        status = record_text(out, text);
    }
    return status;
}

static int32_t count_call(const dpa_progress *progress, void *user) {
    (void)progress;
    ++*(int64_t *)user;
    return 0;
}

static void misuse_set_progress(fixture *f) {
    CHECK_HANDLES(f, dpa_options, dpa_options_set_progress(h, count_call, NULL));
}

static dpa_status use_set_progress(fixture *f, outcome *out) {
    int64_t calls = 0;
    dpa_status status;
    assert_ok(dpa_options_parse(f->options, "private_domain", "none"));
    INJECT(f, status = dpa_options_set_progress(f->options, count_call, &calls));
    dpa_solution_destroy(solve(f->problem, f->options));
    assert_ok(dpa_options_set_progress(f->options, NULL, NULL));
    if (!status) RECORD(out, calls);
    return status;
}

static void misuse_cancel_create(fixture *f) {
    (void)f;
    assert_status(dpa_cancel_create(NULL), DPA_E_INVALID_ARGUMENT);
}

static dpa_status use_cancel_create(fixture *f, outcome *out) {
    dpa_cancel *token = f->token;
    dpa_status status;
    INJECT(f, status = dpa_cancel_create(&token));
    assert_true((token == NULL) == (status != DPA_OK));
    if (!status) RECORD(out, status);
    dpa_cancel_destroy(token);
    return status;
}

static void misuse_cancel_destroy(fixture *f) {
    (void)f;
    dpa_cancel_destroy(NULL);
}

static dpa_status use_cancel_destroy(fixture *f, outcome *out) {
    dpa_cancel *token = NULL;
    assert_ok(dpa_cancel_create(&token));
    INJECT(f, dpa_cancel_destroy(token));
    RECORD(out, f->size);
    return DPA_OK;
}

static void misuse_cancel_request(fixture *f) {
    assert_status(dpa_cancel_request(NULL), DPA_E_HANDLE);
    assert_status(dpa_cancel_request((dpa_cancel *)f->problem), DPA_E_HANDLE);
}

static dpa_status use_cancel_request(fixture *f, outcome *out) {
    dpa_status status;
    dpa_cancel *token = NULL;
    assert_ok(dpa_cancel_create(&token));
    INJECT(f, status = dpa_cancel_request(token));
    RECORD(out, status);
    dpa_cancel_destroy(token);
    return status;
}

static void misuse_set_cancel(fixture *f) {
    CHECK_HANDLES(f, dpa_options, dpa_options_set_cancel(h, f->token));
    assert_status(dpa_options_set_cancel(f->options, (dpa_cancel *)f->problem), DPA_E_HANDLE);
}

static dpa_status use_set_cancel(fixture *f, outcome *out) {
    dpa_status status;
    INJECT(f, status = dpa_options_set_cancel(f->options, f->token));
    if (!status) RECORD(out, status);
    assert_ok(dpa_options_set_cancel(f->options, NULL));
    return status;
}

/* Half the squared distance of theta from the label; counts its calls. */
static int32_t own_loss(const double *x, size_t rows, size_t features, const double *label,
                        const double *theta, size_t parameters, double *losses, double *gradients,
                        void *user) {
    (void)x;
    (void)features;
    (void)parameters;
    ++*(int64_t *)user;
    for (size_t i = 0; i < rows; ++i) {
        losses[i] = (theta[0] - label[i]) * (theta[0] - label[i]) / 2;
        if (gradients) gradients[i] = theta[0] - label[i];
    }
    return 0;
}

static void misuse_set_loss(fixture *f) {
    int64_t calls = 0;
    CHECK_HANDLES(f, dpa_options, dpa_options_set_loss(h, own_loss, &calls, 1, 1, 1, 1));
    assert_status(dpa_options_set_loss(f->options, own_loss, &calls, 0, 1, 1, 1), DPA_E_DIMENSION);
    assert_status(dpa_options_set_loss(f->options, own_loss, &calls, 1, NAN, 1, 1), DPA_E_OPTION);
    assert_status(dpa_options_set_loss(f->options, own_loss, &calls, 1, 1, 0, 1), DPA_E_OPTION);
    assert_status(dpa_options_set_loss(f->options, own_loss, &calls, 1, 1, 1, -1), DPA_E_OPTION);
    assert_true(calls == 0);
}

/* The fit by it allocates under control as well. */
static dpa_status use_set_loss(fixture *f, outcome *out) {
    int64_t calls = 0;
    double theta = 0;
    dpa_solution *solution = NULL;
    dpa_status status;
    assert_ok(dpa_options_parse(f->options, "private_domain", "none"));
    INJECT(f,
           status = dpa_options_set_loss(f->options, own_loss, &calls, 1, INFINITY, INFINITY, 1));
    if (!status) INJECT(f, status = dpa_solve(f->problem, NULL, f->options, &solution));
    assert_ok(dpa_options_set_loss(f->options, NULL, NULL, 0, 0, 0, 0));
    if (status) return status;
    assert_ok(dpa_solution_array(solution, "parameters", &theta, 1));
    dpa_solution_destroy(solution);
    RECORD(out, calls);
    RECORD(out, theta);
    return status;
}

static row rows[] = {{"dpa_options_create", misuse_create, use_create},
                     {"dpa_options_destroy", misuse_destroy, use_destroy},
                     {"dpa_options_set", misuse_set, use_set},
                     {"dpa_options_parse", misuse_parse, use_parse},
                     {"dpa_options_get", misuse_get, use_get},
                     {"dpa_option_text", misuse_text, use_text},
                     {"dpa_options_set_progress", misuse_set_progress, use_set_progress},
                     {"dpa_options_set_loss", misuse_set_loss, use_set_loss},
                     {"dpa_cancel_create", misuse_cancel_create, use_cancel_create},
                     {"dpa_cancel_destroy", misuse_cancel_destroy, use_cancel_destroy},
                     {"dpa_cancel_request", misuse_cancel_request, use_cancel_request},
                     {"dpa_options_set_cancel", misuse_set_cancel, use_set_cancel},
                     {NULL, NULL, NULL}};

row *const options_rows = rows;

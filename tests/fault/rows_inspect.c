#include <dpadapt/inspect.h>

#include "fault.h"

static void misuse_inspect(fixture *f) {
    char text[2000] = "as before";
    size_t n = 7;
    dpa_options *options = private_options(NULL);
    dpa_problem *empty = NULL;
    CHECK_HANDLES(f, dpa_problem, dpa_inspect_private(h, options, text, sizeof text, &n));
    assert_status(dpa_inspect_private(f->problem, (dpa_options *)f->token, text, sizeof text, &n),
                  DPA_E_HANDLE);
    assert_ok(dpa_problem_create(&empty));
    assert_status(dpa_inspect_private(empty, options, text, sizeof text, &n), DPA_E_STATE);
    dpa_problem_destroy(empty);

    double good = f->data.xs[3];
    f->data.xs[3] = NAN;
    dpa_problem *bad = instance_problem(&f->data);
    f->data.xs[3] = good;
    assert_status(dpa_inspect_private(bad, options, text, sizeof text, &n), DPA_E_NONFINITE);
    assert_int_equal(n, 7);
    assert_string_equal(text, "as before");
    dpa_problem_destroy(bad);
    dpa_options_destroy(options);
}

static dpa_status use_inspect(fixture *f, outcome *out) {
    dpa_options *options = private_options("feature_radius", "4", "label_bound", "1", NULL);
    char text[2000] = "as before";
    size_t needed = 7;
    dpa_status status;
    INJECT(f, status = dpa_inspect_private(f->problem, options, text, sizeof text, &needed));
    dpa_options_destroy(options);
    if (status)
        assert_string_equal(text, "as before");
    else
        RECORD(out, needed);
    return status;
}

static row rows[] = {{"dpa_inspect_private", misuse_inspect, use_inspect}, {NULL, NULL, NULL}};

row *const inspect_rows = rows;

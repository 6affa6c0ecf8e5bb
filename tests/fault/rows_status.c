#include "fault.h"

static void nothing_to_misuse(fixture *f) { (void)f; }

static dpa_status use_version(fixture *f, outcome *out) {
    const char *text = NULL;
    INJECT(f, text = dpa_version());
    return record_text(out, text);
}

static dpa_status use_build_info(fixture *f, outcome *out) {
    const char *text = NULL;
    INJECT(f, text = dpa_build_info());
    return record_text(out, text);
}

static void misuse_status_string(fixture *f) {
    (void)f;
    assert_string_equal(dpa_status_string(INT32_MIN), "unknown status");
    assert_string_equal(dpa_status_string(INT32_MAX), "unknown status");
}

static dpa_status use_status_string(fixture *f, outcome *out) {
    const char *text = NULL;
    INJECT(f, text = dpa_status_string(DPA_E_BUDGET));
    return record_text(out, text);
}

static dpa_status use_last_error(fixture *f, outcome *out) {
    const char *text = NULL;
    assert_status(dpa_options_create(NULL), DPA_E_INVALID_ARGUMENT);
    INJECT(f, text = dpa_last_error());
    return record_text(out, text);
}

static row rows[] = {{"dpa_version", nothing_to_misuse, use_version},
                     {"dpa_build_info", nothing_to_misuse, use_build_info},
                     {"dpa_status_string", misuse_status_string, use_status_string},
                     {"dpa_last_error", nothing_to_misuse, use_last_error},
                     {NULL, NULL, NULL}};

row *const status_rows = rows;

#include "fault.h"

typedef dpa_status (*call)(const double *a, double *out);

/* Out of every range. */
static const double kBad[] = {NAN, INFINITY, -INFINITY, -1e9};

/* epsilon, delta, laplace_epsilon, mu of a good call. */
static const double kGood[] = {1, 1e-5, 0.25, 0.2};

/* Every argument bad at once, then no place for the result: nothing is stored. */
static void misuse(fixture *f, call function) {
    double value = 7;
    (void)f;
    for (size_t i = 0; i < LENGTH(kBad); ++i) {
        const double bad[] = {kBad[i], kBad[i], kBad[i], kBad[i]};
        assert_status(function(bad, &value), DPA_E_INVALID_ARGUMENT);
    }
    assert_status(function(kGood, NULL), DPA_E_INVALID_ARGUMENT);
    assert_true(value == 7);
}

static dpa_status use(fixture *f, outcome *out, call function) {
    double value = 7;
    dpa_status status;
    INJECT(f, status = function(kGood, &value));
    if (status)
        assert_true(value == 7);
    else
        RECORD(out, value);
    return status;
}

/* The functions differ in name and in the arguments before the result. */
#define PRIVACY(name, ...)                                            \
    static dpa_status call_##name(const double *a, double *out) {     \
        return dpa_privacy_##name(__VA_ARGS__, out);                  \
    }                                                                 \
    static void misuse_##name(fixture *f) { misuse(f, call_##name); } \
    static dpa_status use_##name(fixture *f, outcome *out) { return use(f, out, call_##name); }

PRIVACY(delta, a[0], a[2], a[3])
PRIVACY(epsilon, a[1], a[2], a[3], a[2], 2)
PRIVACY(mu, a[0], a[1], a[2])
PRIVACY(sampled_mu, a[0], a[3], 3, DPA_NEIGHBOURS_ZERO_OUT, a[1])

static void misuse_set_budget(fixture *f) {
    dpa_options *options = private_options(NULL);
    CHECK_HANDLES(f, dpa_problem, dpa_problem_set_budget(h, options));
    assert_status(dpa_problem_set_budget(f->problem, (dpa_options *)f->token), DPA_E_HANDLE);
    assert_status(dpa_problem_set_budget(f->problem, NULL), DPA_E_OPTION);
    assert_status(dpa_problem_set_budget(f->problem, f->options), DPA_E_OPTION);
    dpa_options_destroy(options);
}

static dpa_status use_set_budget(fixture *f, outcome *out) {
    dpa_problem *problem = instance_problem(&f->data);
    dpa_options *options = private_options(NULL);
    dpa_status status;
    INJECT(f, status = dpa_problem_set_budget(problem, options));
    char *json = problem_report(problem, DPA_REPORT_JSON);
    assert_true(json_is(json, "budget", "null") == (status != DPA_OK));
    if (!status) record_text(out, json);
    free(json);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    return status;
}

static void misuse_budget(fixture *f) {
    double value = 7;
    CHECK_HANDLES(f, dpa_problem, dpa_problem_budget(h, "spent_mu", &value));
    assert_status(dpa_problem_budget(f->problem, NULL, &value), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_problem_budget(f->problem, "spent_mu", NULL), DPA_E_INVALID_ARGUMENT);
    assert_error(dpa_problem_budget(f->problem, "nonsense", &value), DPA_E_OPTION_NAME, "nonsense");
    assert_true(value == 7);
}

static dpa_status use_budget(fixture *f, outcome *out) {
    double value = 7;
    dpa_status status;
    INJECT(f, status = dpa_problem_budget(f->problem, "spent_mu", &value));
    assert_true((value == 7) == (status != DPA_OK));
    if (!status) RECORD(out, value);
    return status;
}

static void misuse_solution_privacy(fixture *f) {
    int32_t protection = 7;
    double epsilon = 7, delta = 7;
    CHECK_HANDLES(f, dpa_solution, dpa_solution_privacy(h, &protection, &epsilon, &delta));
    assert_ok(dpa_solution_privacy(f->solution, NULL, NULL, NULL));
    assert_true(protection == 7 && epsilon == 7 && delta == 7);
}

static dpa_status use_solution_privacy(fixture *f, outcome *out) {
    int32_t protection = 7;
    double numbers[2] = {7, 7};
    dpa_status status;
    INJECT(f, status = dpa_solution_privacy(f->solution, &protection, &numbers[0], &numbers[1]));
    if (status) return status;
    RECORD(out, protection);
    RECORD(out, numbers);
    return status;
}

/* Of a fit that was released with noise. */
static dpa_solution *private_solution(const fixture *f) {
    dpa_problem *problem = instance_problem(&f->data);
    dpa_options *options = private_options("unsafe_seed", "5", NULL);
    dpa_solution *solution = solve(problem, options);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    return solution;
}

#define REPORT(name, handle, function, make, destroy)                                     \
    static void misuse_##name(fixture *f) {                                               \
        handle *of = make(f);                                                             \
        char text[3] = "ab";                                                              \
        size_t needed = 7;                                                                \
        CHECK_HANDLES(f, handle, function(h, DPA_REPORT_JSON, text, 3, &needed));         \
        assert_status(function(of, 4, text, 3, &needed), DPA_E_INVALID_ARGUMENT);         \
        assert_status(function(of, INT32_MIN, text, 3, &needed), DPA_E_INVALID_ARGUMENT); \
        assert_status(function(of, DPA_REPORT_TEXT, NULL, SIZE_MAX, NULL),                \
                      DPA_E_INVALID_ARGUMENT);                                            \
        assert_int_equal(needed, 7);                                                      \
        assert_status(function(of, DPA_REPORT_TEXT, text, 3, &needed), DPA_E_BUFFER);     \
        assert_true(needed > 3 && !strcmp(text, "ab"));                                   \
        destroy(of);                                                                      \
    }                                                                                     \
    static dpa_status use_##name(fixture *f, outcome *out) {                              \
        handle *of = make(f);                                                             \
        char text[4 * kBytes] = "";                                                       \
        dpa_status status;                                                                \
        INJECT(f, status = function(of, DPA_REPORT_JSON, text, sizeof text, NULL));       \
        destroy(of);                                                                      \
        if (status) assert_string_equal(text, "");                                        \
        text[kBytes - 1] = '\0'; /* as much as an outcome holds */                        \
        return status ? status : record_text(out, text);                                  \
    }

static dpa_problem *new_problem(const fixture *f) { return instance_problem(&f->data); }
REPORT(problem_report, dpa_problem, dpa_problem_privacy_report, new_problem, dpa_problem_destroy)
REPORT(solution_report, dpa_solution, dpa_solution_privacy_report, private_solution,
       dpa_solution_destroy)

static void misuse_findings(fixture *f) {
    char text[3] = "ab";
    size_t needed = 7;
    dpa_solution *of = private_solution(f);
    CHECK_HANDLES(f, dpa_solution, dpa_solution_findings(h, NULL, text, 3, &needed));
    assert_status(dpa_solution_findings(of, NULL, NULL, SIZE_MAX, NULL), DPA_E_INVALID_ARGUMENT);
    assert_int_equal(needed, 7);
    assert_status(dpa_solution_findings(of, "", text, 3, &needed), DPA_E_BUFFER);
    assert_true(needed > 3 && !strcmp(text, "ab"));
    dpa_solution_destroy(of);
}

static dpa_status use_findings(fixture *f, outcome *out) {
    char text[4096] = "";
    dpa_solution *of = private_solution(f);
    dpa_status status;
    INJECT(f, status = dpa_solution_findings(of, "a or b", text, sizeof text, NULL));
    dpa_solution_destroy(of);
    return status ? status : record_text(out, text);
}

/* The report of a fit, and its length. */
static size_t report_of_fit(const fixture *f, char *text, size_t size) {
    dpa_solution *solution = private_solution(f);
    assert_ok(dpa_solution_privacy_report(solution, DPA_REPORT_JSON, text, size, NULL));
    dpa_solution_destroy(solution);
    return strlen(text);
}

static void misuse_check(fixture *f) {
    char text[4 * kBytes];
    const size_t size = report_of_fit(f, text, sizeof text);
    const uint8_t *data = (const uint8_t *)text;
    CHECK_HANDLES(f, dpa_ledger, h == NULL ? DPA_E_HANDLE : dpa_report_check(data, size, NULL, h));
    assert_status(dpa_report_check(NULL, size, NULL, NULL), DPA_E_INVALID_ARGUMENT);
    assert_status(dpa_report_check(data, size - 1, NULL, NULL), DPA_E_FORMAT);
    assert_status(dpa_report_check(data, 0, NULL, NULL), DPA_E_FORMAT);
    assert_ok(dpa_report_check(data, size, NULL, NULL));
    assert_ok(dpa_report_check(data, size, "", NULL));
    assert_ok(dpa_report_check(data, size, "provenance", NULL));
}

static dpa_status use_check(fixture *f, outcome *out) {
    char text[4 * kBytes];
    const size_t size = report_of_fit(f, text, sizeof text);
    dpa_status status;
    INJECT(f, status = dpa_report_check((const uint8_t *)text, size, NULL, NULL));
    if (!status) RECORD(out, status);
    return status;
}

static row rows[] = {{"dpa_privacy_delta", misuse_delta, use_delta},
                     {"dpa_privacy_epsilon", misuse_epsilon, use_epsilon},
                     {"dpa_privacy_mu", misuse_mu, use_mu},
                     {"dpa_privacy_sampled_mu", misuse_sampled_mu, use_sampled_mu},
                     {"dpa_problem_set_budget", misuse_set_budget, use_set_budget},
                     {"dpa_problem_budget", misuse_budget, use_budget},
                     {"dpa_problem_privacy_report", misuse_problem_report, use_problem_report},
                     {"dpa_solution_privacy", misuse_solution_privacy, use_solution_privacy},
                     {"dpa_solution_privacy_report", misuse_solution_report, use_solution_report},
                     {"dpa_solution_findings", misuse_findings, use_findings},
                     {"dpa_report_check", misuse_check, use_check},
                     {NULL, NULL, NULL}};

row *const privacy_rows = rows;

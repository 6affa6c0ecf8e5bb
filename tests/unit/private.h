/* What the tests of private calls share: options with a budget, results, reports. */
#ifndef DPADAPT_TESTS_PRIVATE_H
#define DPADAPT_TESTS_PRIVATE_H

#include "check.h"
#include "unit/json.h"

/* epsilon = 1, delta = 1e-5 and the given pairs of name and text; NULL ends the list. */
static inline dpa_options *private_options(const char *name, ...) {
    dpa_options *options = NULL;
    assert_ok(dpa_options_create(&options));
    assert_ok(dpa_options_parse(options, "epsilon", "1"));
    assert_ok(dpa_options_parse(options, "delta", "1e-5"));
    va_list rest;
    va_start(rest, name);
    for (; name; name = va_arg(rest, const char *))
        assert_ok(dpa_options_parse(options, name, va_arg(rest, const char *)));
    va_end(rest);
    return options;
}

/* Numbers for everything that both samples being private leaves nobody to choose. */
static inline dpa_options *both_private(const char *name, const char *value) {
    dpa_options *options =
        private_options("private_domain", "both", "preprocess", "none", "feature_radius", "4",
                        "label_bound", "5", "radius", "2", "kappa_1", "1", "clip_bound", "1", NULL);
    if (name) assert_ok(dpa_options_parse(options, name, value));
    return options;
}

/* Of row-major samples that are lent. */
static inline dpa_problem *lent(const instance *a) {
    dpa_problem *problem = NULL;
    assert_ok(dpa_problem_create(&problem));
    assert_ok(dpa_problem_lend_sample(
        problem, DPA_SOURCE, (dpa_matrix){a->xs, a->m, a->d, a->d, DPA_ROW_MAJOR}, a->ys, a->m));
    assert_ok(dpa_problem_lend_sample(
        problem, DPA_TARGET, (dpa_matrix){a->xt, a->n, a->d, a->d, DPA_ROW_MAJOR}, a->yt, a->n));
    return problem;
}

/* Coefficients, then the intercept. */
static inline void copy_predictor(const dpa_solution *solution, size_t features, double *out) {
    assert_ok(dpa_solution_array(solution, "coefficients", out, features));
    assert_ok(dpa_solution_array(solution, "intercept", out + features, 1));
    for (size_t k = 0; k <= features; ++k) assert_true(isfinite(out[k]));
}

static inline size_t count_lines(const char *text) {
    size_t lines = 0;
    for (; *text != '\0'; ++text) lines += *text == '\n';
    return lines;
}

/* In memory of its own, to be freed; each sentence has a code. */
static inline char *findings_of(const dpa_solution *solution, const char *labels) {
    size_t size = 0;
    assert_status(dpa_solution_findings(solution, labels, NULL, 0, &size), DPA_E_BUFFER);
    char *text = malloc(size);
    assert_non_null(text);
    assert_ok(dpa_solution_findings(solution, labels, text, size, NULL));
    char codes[4096]; /* one for each sentence */
    assert_ok(dpa_solution_text(solution, "finding_codes", codes, sizeof codes, NULL));
    assert_int_equal(count_lines(codes), count_lines(text));
    for (const char *line = codes; *line != '\0'; line = strchr(line, '\n') + 1)
        assert_true(strncmp(line, "warning ", 8) == 0 || strncmp(line, "note ", 5) == 0);
    assert_null(strstr(codes, " other\n"));
    return text;
}

/* A report in memory of its own, to be freed; the call is asked for the size first. */
#define REPORT_OF(name, handle, function)                                \
    static inline char *name(const handle *of, int32_t form) {           \
        size_t size = 0;                                                 \
        assert_status(function(of, form, NULL, 0, &size), DPA_E_BUFFER); \
        char *text = malloc(size);                                       \
        assert_non_null(text);                                           \
        assert_ok(function(of, form, text, size, NULL));                 \
        assert_int_equal(strlen(text) + 1, size);                        \
        if (form == DPA_REPORT_JSON) assert_true(json_is_object(text));  \
        return text;                                                     \
    }
REPORT_OF(plan_report, dpa_plan, dpa_plan_report)
REPORT_OF(problem_report, dpa_problem, dpa_problem_privacy_report)
REPORT_OF(solution_report, dpa_solution, dpa_solution_privacy_report)

static inline size_t releases_of(const dpa_problem *problem) {
    char *json = problem_report(problem, DPA_REPORT_JSON);
    size_t count = json_count(json, "releases");
    free(json);
    return count;
}

static inline double plan_value(const dpa_plan *plan, const char *name) {
    double value = NAN;
    assert_ok(dpa_plan_value(plan, name, &value));
    return value;
}

#endif

/* What the tests of the public API share: assertions, random instances, options without privacy. */
#ifndef DPADAPT_TESTS_CHECK_H
#define DPADAPT_TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* cmocka.h needs the headers above. */
/* clang-format off */
#include <cmocka.h>
/* clang-format on */
#include <dpadapt/dpadapt.h>

/* |a - b| <= atol + rtol max(|a|, |b|); cmocka's own comparison of reals casts to float. */
#define assert_close(a, b, rtol, atol) \
    check_close((a), (b), (rtol), (atol), #a, #b, __FILE__, __LINE__)

/* a <= b, with both values in the message. */
#define assert_at_most(a, b) check_at_most((a), (b), #a, #b, __FILE__, __LINE__)

/* The call returns the code; else the test fails and shows the library's own message. */
#define assert_status(call, code) check_status((call), (code), #call, __FILE__, __LINE__)
#define assert_ok(call) assert_status(call, DPA_OK)

/* The call fails with the code and a message that contains each of the words. */
#define assert_error(call, code, ...) \
    check_error((call), (code), #call, __FILE__, __LINE__, (const char *const[]){__VA_ARGS__, NULL})

#define assert_same_bits(a, b, len) assert_memory_equal((a), (b), (len) * sizeof(double))

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static inline void check_close(double a, double b, double rtol, double atol, const char *name_a,
                               const char *name_b, const char *file, int line) {
    if (a == b || fabs(a - b) <= atol + rtol * fmax(fabs(a), fabs(b))) return;
    print_error("%s = %.17g is not close to %s = %.17g\n", name_a, a, name_b, b);
    _fail(file, line);
}

static inline void check_at_most(double a, double b, const char *name_a, const char *name_b,
                                 const char *file, int line) {
    if (a <= b) return;
    print_error("%s = %.17g is not at most %s = %.17g\n", name_a, a, name_b, b);
    _fail(file, line);
}

static inline void check_status(dpa_status got, dpa_status wanted, const char *call,
                                const char *file, int line) {
    if (got == wanted) return;
    print_error("%s\n  gave %s, not %s; last error: %s\n", call, dpa_status_string(got),
                dpa_status_string(wanted), dpa_last_error());
    _fail(file, line);
}

static inline void check_error(dpa_status got, dpa_status wanted, const char *call,
                               const char *file, int line, const char *const *words) {
    check_status(got, wanted, call, file, line);
    for (; *words; ++words) {
        if (strstr(dpa_last_error(), *words)) continue;
        print_error("%s\n  message without \"%s\": %s\n", call, *words, dpa_last_error());
        _fail(file, line);
    }
}

/* Uniform on [0, 1): splitmix64, the same numbers on every platform. */
static inline double uniform(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

/* Nearly normal, mean 0 and variance 1. */
static inline double normal(uint64_t *state) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform(state);
    return sum;
}

/* Two samples, rows one after the other: m source rows, n target rows, d features. */
typedef struct {
    size_t m, n, d;
    double *xs, *ys, *xt, *yt;
} instance;

static inline instance instance_allocate(size_t m, size_t n, size_t d) {
    instance a = {m, n, d, NULL, NULL, NULL, NULL};
    a.xs = calloc((m + n) * (d + 1), sizeof(double));
    assert_non_null(a.xs);
    a.xt = a.xs + m * d;
    a.ys = a.xt + n * d;
    a.yt = a.ys + m;
    return a;
}

static inline void instance_free(instance a) { free(a.xs); }

/* Linear labels with noise; the target has other means, other coefficients and some outliers. */
static inline instance instance_random(uint64_t seed, size_t m, size_t n, size_t d) {
    instance a = instance_allocate(m, n, d);
    for (size_t i = 0; i < m + n; ++i) {
        int target = i >= m;
        double *x = a.xs + i * d, label = 0.3 * normal(&seed);
        for (size_t j = 0; j < d; ++j) {
            x[j] = normal(&seed) + (target ? 0.5 : 0.0);
            label += x[j] * (1.0 / (double)(j + 1) - (target ? 0.25 : 0.0));
        }
        if (target && i % 7 == 0) label += 3;
        a.ys[i] = label;
    }
    return a;
}

static inline dpa_problem *instance_problem(const instance *a) {
    dpa_problem *problem = NULL;
    assert_ok(dpa_problem_create(&problem));
    assert_ok(dpa_problem_set_sample(
        problem, DPA_SOURCE, (dpa_matrix){a->xs, a->m, a->d, a->d, DPA_ROW_MAJOR}, a->ys, a->m));
    assert_ok(dpa_problem_set_sample(
        problem, DPA_TARGET, (dpa_matrix){a->xt, a->n, a->d, a->d, DPA_ROW_MAJOR}, a->yt, a->n));
    return problem;
}

static inline dpa_problem *random_problem(uint64_t seed, size_t m, size_t n, size_t d) {
    instance a = instance_random(seed, m, n, d);
    dpa_problem *problem = instance_problem(&a);
    instance_free(a);
    return problem;
}

/* Options with private_domain = none and the given pairs of name and text; NULL ends the list. */
static inline dpa_options *public_options(const char *name, ...) {
    dpa_options *options = NULL;
    assert_ok(dpa_options_create(&options));
    assert_ok(dpa_options_parse(options, "private_domain", "none"));
    va_list rest;
    va_start(rest, name);
    for (; name; name = va_arg(rest, const char *))
        assert_ok(dpa_options_parse(options, name, va_arg(rest, const char *)));
    va_end(rest);
    return options;
}

/* A number of dpa_solution_value that must be there. */
static inline double solution_number(const dpa_solution *solution, const char *name) {
    double value = NAN;
    assert_ok(dpa_solution_value(solution, name, &value));
    return value;
}

/* A text of dpa_solution_text, until the next one. */
static inline const char *solution_text(const dpa_solution *solution, const char *name) {
    static char text[65];
    assert_ok(dpa_solution_text(solution, name, text, sizeof text, NULL));
    return text;
}

/* A number of dpa_search_value, of the whole search. */
static inline size_t search_number(const dpa_search *search, const char *name) {
    double value = NAN;
    assert_ok(dpa_search_value(search, name, 0, &value));
    return (size_t)value;
}

/* A number of dpa_discrepancy_value. */
static inline double discrepancy_number(const dpa_discrepancy *discrepancy, const char *name) {
    double value = NAN;
    assert_ok(dpa_discrepancy_value(discrepancy, name, &value));
    return value;
}

/* How many options the table has. */
static inline size_t option_count(void) {
    size_t count = 0;
    while (dpa_option_text(count, "name")) ++count;
    return count;
}

static inline dpa_solution *solve(dpa_problem *problem, const dpa_options *options) {
    dpa_solution *solution = NULL;
    assert_ok(dpa_solve(problem, NULL, options, &solution));
    assert_non_null(solution);
    return solution;
}

static inline dpa_solution *random_fit(uint64_t seed, size_t m, size_t n, size_t d,
                                       const dpa_options *options) {
    dpa_problem *problem = random_problem(seed, m, n, d);
    dpa_solution *fit = solve(problem, options);
    dpa_problem_destroy(problem);
    return fit;
}

#endif

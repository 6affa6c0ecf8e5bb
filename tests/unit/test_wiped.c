/* Memory that held private records does not hold them after a call. The labels and features of
 * these records are one number, which nothing else has, so it can be looked for everywhere. */
#define _GNU_SOURCE
#include <stdio.h>

#include "unit/private.h"

/* Instruments have more memory than can be searched. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
int main(void) { return 77; }
#elif defined(__linux__)
#include <fcntl.h>
#include <unistd.h>

enum { M = 80, N = 300, D = 3 };

/* Its bits are nowhere in the program: they are computed. */
static double mark(void) {
    volatile double a = 0.71239875123, b = 0.3;
    return a * b;
}

/* The largest writable part of memory that is read at once. */
#define CHUNK ((size_t)1 << 16)

/* How often it is at a place of its size in what the process may write, without its stack. */
static size_t found_in_memory(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    const int memory = open("/proc/self/mem", O_RDONLY);
    double *copy = malloc(CHUNK);
    char line[512];
    size_t found = 0;
    assert_true(maps != NULL && memory >= 0 && copy != NULL);
    const double wanted = mark();
    while (fgets(line, sizeof line, maps)) {
        unsigned long begin = 0, end = 0;
        char rights[8] = "";
        if (sscanf(line, "%lx-%lx %7s", &begin, &end, rights) != 3 || rights[1] != 'w' ||
            strstr(line, "[stack]"))
            continue;
        for (unsigned long at = begin; at < end; at += CHUNK) {
            const size_t size = end - at < CHUNK ? end - at : CHUNK;
            const ssize_t got = pread(memory, copy, size, (off_t)at);
            const int own = at <= (unsigned long)copy && (unsigned long)copy < at + CHUNK;
            for (ssize_t k = 0; !own && k < got / (ssize_t)sizeof(double); ++k)
                found += copy[k] == wanted;
        }
    }
    memset(copy, 0, CHUNK);
    free(copy);
    close(memory);
    fclose(maps);
    return found;
}

static void forget(double *values, size_t count) {
    for (size_t k = 0; k < count; ++k) ((volatile double *)values)[k] = 0;
    free(values);
}

/* The records are copied by the library, used, and gone with the problem. Their weights, if they
 * have any, are that number as well. */
static void check_gone(const char *name, const char *value) {
    const int weighs = !strcmp(name, "row_weight_bound");
    dpa_options *options =
        private_options("preprocess", "none", "intercept", "false", "radius", "2", "label_bound",
                        "9", "feature_radius", "9", "clip_bound", "1", name, value, NULL);
    dpa_problem *problem = random_problem(1, M, N, D);
    double *x = malloc(N * D * sizeof *x), *y = malloc(N * sizeof *y);
    assert_true(x != NULL && y != NULL);
    for (size_t k = 0; k < N * D; ++k) x[k] = mark();
    for (size_t k = 0; k < N; ++k) y[k] = mark();
    assert_ok(
        dpa_problem_set_sample(problem, DPA_TARGET, (dpa_matrix){x, N, D, D, DPA_ROW_MAJOR}, y, N));
    if (weighs) assert_ok(dpa_problem_set_weights(problem, DPA_TARGET, y, N));
    assert_true(found_in_memory() >= (size_t)2 * N * D); /* the search finds what is there */
    forget(x, N * D);
    forget(y, N);
    dpa_solution *solution = solve(problem, options);
    dpa_problem_destroy(problem);
    assert_int_equal(found_in_memory(), 0);
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
}

static void after_a_fit(void **state) {
    (void)state;
    check_gone("alpha", "auto");
}

static void after_a_fit_that_knows_alpha(void **state) {
    (void)state;
    check_gone("alpha", "0.5");
}

static void after_a_discrepancy(void **state) {
    (void)state;
    check_gone("alpha", "0.4");
}

static void after_another_loss(void **state) {
    (void)state;
    check_gone("loss", "huber");
}

static void after_a_fit_with_weights(void **state) {
    (void)state;
    check_gone("row_weight_bound", "1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_a_fit),
        cmocka_unit_test(after_a_fit_that_knows_alpha),
        cmocka_unit_test(after_a_discrepancy),
        cmocka_unit_test(after_another_loss),
        cmocka_unit_test(after_a_fit_with_weights),
    };
    return cmocka_run_group_tests_name("wiped", tests, NULL, NULL);
}
#else
int main(void) { return 0; }
#endif

/* Runs the fault table: every exported function is misused, and used while memory runs out. Nothing
 * may leak, change a result, break a handle, or be written to the standard streams. At the end it
 * prints how many failing allocations were tried in each function: the first 64 and ever fewer of
 * those that follow, or with an argument all. */
#define _GNU_SOURCE

#include "fault.h"

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

enum { kMostRows = 256 };

static struct {
    const char *function;
    int64_t points;
} tried[kMostRows];
static size_t tried_count;
static int every;

static fixture new_fixture(void) {
    fixture f = {0};
    f.data = instance_random(3, kRows, kTargets, kCols);
    f.problem = instance_problem(&f.data);
    f.options = public_options("alpha", "0.25", NULL);
    assert_ok(dpa_cancel_create(&f.token));
    assert_ok(dpa_discrepancy_estimate(f.problem, f.options, &f.discrepancy));
    f.solution = solve(f.problem, f.options);
    assert_ok(dpa_solution_serialize(f.solution, 1, f.bytes, sizeof f.bytes, &f.size));
    return f;
}

static void free_fixture(fixture *f) {
    dpa_solution_destroy(f->solution);
    dpa_discrepancy_destroy(f->discrepancy);
    dpa_options_destroy(f->options);
    dpa_problem_destroy(f->problem);
    dpa_cancel_destroy(f->token);
    instance_free(f->data);
}

static void assert_repeats(const row *r, fixture *f, const outcome *wanted) {
    outcome got = {{0}, 0};
    assert_ok(r->use(f, &got));
    assert_int_equal(got.size, wanted->size);
    assert_memory_equal(got.bytes, wanted->bytes, wanted->size);
}

/* One good call whose n-th allocation fails; returns whether it had that many. */
static int fails_cleanly(const row *r, fixture *f, const outcome *wanted) {
    int64_t live = allocation_live();
    outcome got = {{0}, 0};
    allocation_fail(INT64_MAX, 0); /* forget earlier failures */
    dpa_status status = r->use(f, &got);
    int failed = allocation_failures() > 0;
    f->nth = 0;
    if (status == DPA_OK) {
        assert_int_equal(got.size, wanted->size);
        assert_memory_equal(got.bytes, wanted->bytes, wanted->size);
    } else {
        assert_true(failed);
        assert_status(status, DPA_E_NO_MEMORY);
        assert_int_equal(got.size, 0);
        assert_int_equal(allocation_live(), live);
    }
    assert_repeats(r, f, wanted);
    assert_int_equal(allocation_live(), live);
    return failed;
}

static void check_row(void **state) {
    const row *r = *state;
    fixture f = new_fixture();
    outcome wanted = {{0}, 0};
    int64_t live = allocation_live();
    r->misuse(&f);
    assert_int_equal(allocation_live(), live);
    assert_ok(r->use(&f, &wanted));
    assert_true(wanted.size > 0);
    int64_t points = 0;
    for (f.lasting = 0; f.lasting < 2; ++f.lasting) {
        int64_t n = 1;
        for (f.nth = n; fails_cleanly(r, &f, &wanted); f.nth = n) {
            n += every || n < 64 ? 1 : 7 + n / 16;
            ++points;
        }
    }
    free_fixture(&f);
    tried[tried_count].function = r->function;
    tried[tried_count++].points = points;
}

/* While a row runs, both standard streams are this file. */
static struct {
    FILE *file;
    int out, err;
} captured;

static int capture(void **state) {
    (void)state;
    fflush(NULL);
    captured.file = tmpfile();
    captured.out = dup(STDOUT_FILENO);
    captured.err = dup(STDERR_FILENO);
    if (!captured.file || captured.out < 0 || captured.err < 0) return -1;
    int fd = fileno(captured.file);
    return dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0;
}

/* Shows what was written; any byte fails the test. */
static int restore(void **state) {
    char text[1024];
    size_t length, total = 0;
    (void)state;
    fflush(NULL);
    dup2(captured.out, STDOUT_FILENO);
    dup2(captured.err, STDERR_FILENO);
    close(captured.out);
    close(captured.err);
    rewind(captured.file);
    while ((length = fread(text, 1, sizeof text, captured.file)) > 0) {
        fwrite(text, 1, length, stderr);
        total += length;
    }
    fclose(captured.file);
    return total > 0 ? -1 : 0;
}

/* The list of exported functions: a file if the build names one, else the library's own table. */
static FILE *open_symbols(void) {
    char command[4096];
#ifdef DPA_SYMBOLS_FILE
    snprintf(command, sizeof command, "cat '%s'", DPA_SYMBOLS_FILE);
#else
    Dl_info library;
    if (!dladdr((void *)(uintptr_t)dpa_version, &library)) return NULL;
    snprintf(command, sizeof command, "nm -D --defined-only '%s'", library.dli_fname);
#endif
    return popen(command, "r");
}

static struct CMUnitTest tests[kMostRows];
static size_t test_count;

static void every_exported_function_has_a_row(void **state) {
    char symbol[256];
    size_t rows = 0;
    FILE *symbols = open_symbols();
    (void)state;
    assert_non_null(symbols);
    while (fscanf(symbols, "%255s", symbol) == 1) {
        size_t found = 0;
        if (strncmp(symbol, "dpa_", 4) != 0) continue;
        symbol[strcspn(symbol, "@")] = '\0';
        for (size_t i = 0; i < test_count; ++i) found += !strcmp(tests[i].name, symbol);
        if (!found) fail_msg("%s has no row in tests/fault/rows_*.c", symbol);
        rows += found;
    }
    assert_int_equal(pclose(symbols), 0);
    assert_int_equal(rows, test_count - 2);
}

/* Else every row would pass without a failure; valgrind takes operator new over unless it is given
 * --soname-synonyms=somalloc=nouserintercepts. */
static void allocations_of_the_library_are_ours(void **state) {
    int64_t live = allocation_live();
    dpa_problem *problem = NULL;
    (void)state;
    assert_ok(dpa_problem_create(&problem));
    assert_int_equal(allocation_live(),
                     live + 3); /* its number; what was taken from it unprotected */
    dpa_problem_destroy(problem);
    assert_int_equal(allocation_live(), live);
}

static void add_rows(row *rows) {
    for (; rows->function; ++rows) {
        const struct CMUnitTest test = {rows->function, check_row, capture, restore, rows};
        assert_true(test_count < kMostRows - 2);
        tests[test_count++] = test;
    }
}

int main(int argc, char **argv) {
    (void)argv;
    every = argc > 1;
    row *const headers[] = {status_rows,   options_rows, problem_rows, discrepancy_rows,
                            solution_rows, privacy_rows, plan_rows,    inspect_rows,
                            baseline_rows, select_rows,  ledger_rows,  passes_rows,
                            evaluate_rows, schema_rows,  arrow_rows};
    const struct CMUnitTest complete = cmocka_unit_test(every_exported_function_has_a_row);
    const struct CMUnitTest ours = cmocka_unit_test(allocations_of_the_library_are_ours);
    for (size_t i = 0; i < LENGTH(headers); ++i) add_rows(headers[i]);
    tests[test_count++] = complete;
    tests[test_count++] = ours;
    const int failed = _cmocka_run_group_tests("fault", tests, test_count, NULL, NULL);
    int64_t points = 0;
    for (size_t i = 0; i < tried_count; points += tried[i++].points)
        printf("%-40s %6lld\n", tried[i].function, (long long)tried[i].points);
    printf("%lld failing allocations tried in %zu functions\n", (long long)points, tried_count);
    return failed;
}

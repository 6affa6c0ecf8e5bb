/* Limits of the process: a call ends with its result or a status, never by a signal or for ever,
 * and what was held back is there when the limit is raised. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>

#include "host/child.h"

enum { kMebibyte = 1 << 20, kBlock = 4096 };

static rlim_t addresses(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL) return 0;
    const int got = fscanf(file, "%lu", &pages);
    (void)fclose(file);
    return got == 1 ? (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) : 0;
}

/* Each kind: the plain result or DPA_E_NO_MEMORY; all of them when the limit is gone. */
static int fit_within(int resource, rlim_t bytes) {
    struct rlimit before;
    if (getrlimit((__typeof__(RLIMIT_AS))resource, &before)) return 122;
    if (limit(resource, bytes)) return 120;
    for (size_t k = 0; k < LENGTH(fit_kinds); ++k) {
        host_call call = {0};
        const dpa_status status = run_kind(&fit_kinds[k], &call);
        if (status != DPA_OK && status != DPA_E_NO_MEMORY) return 1 + (int)k;
    }
    if (limit(resource, before.rlim_cur)) return 121;
    for (size_t k = 0; k < LENGTH(fit_kinds); ++k) {
        host_call call = {0};
        if (differs(k, &call)) return 60 + (int)k;
    }
    return 0;
}

static void memory_may_be_limited(void **unused) {
    (void)unused;
    static const int more[] = {0, 2, 16, 140, 300, 1500};
    make_plain_results();
    for (size_t k = 0; k < LENGTH(more); ++k) {
        const rlim_t bytes = (rlim_t)more[k] * kMebibyte;
        IN_CHILD("RLIMIT_AS", fit_within(RLIMIT_AS, addresses() + bytes));
        IN_CHILD("RLIMIT_DATA", fit_within(RLIMIT_DATA, bytes));
    }
    IN_CHILD("RLIMIT_MEMLOCK", fit_within(RLIMIT_MEMLOCK, 0));
}

static char g_path[64];

static dpa_options *budget(void) {
    dpa_options *options = NULL;
    if (!dpa_options_create(&options) && !dpa_options_parse(options, "epsilon", "600"))
        (void)dpa_options_parse(options, "delta", "1e-2");
    return options;
}

static const fit_kind *private_kind(void) {
    for (size_t k = 0; k < LENGTH(fit_kinds); ++k)
        if (!strcmp(fit_kinds[k].name, "private")) return &fit_kinds[k];
    return NULL;
}

static off_t size_of_file(void) {
    struct stat facts;
    return stat(g_path, &facts) == 0 ? facts.st_size : -1;
}

static int fit_and_pay(dpa_ledger *ledger, dpa_status wanted) {
    host_call call = {.ledger = ledger};
    const dpa_status status = run_kind(private_kind(), &call);
    if (status != wanted) print_error("%d: %s\n", (int)status, dpa_last_error());
    return status != wanted;
}

/* A ledger's file may grow no more: nothing is paid, and nothing lost. */
static int pay_within(rlim_t bytes) {
    dpa_options *options = budget();
    dpa_ledger *ledger = NULL, *another = NULL;
    if (dpa_ledger_create(g_path, options, 0, &ledger)) return 1;
    if (fit_and_pay(ledger, DPA_OK)) return 2;
    const off_t before = size_of_file();
    if (limit(RLIMIT_FSIZE, bytes)) return 3;
    if (fit_and_pay(ledger, DPA_E_STORE)) return 4;
    if (size_of_file() != before) return 5;
    if (limit(RLIMIT_FSIZE, RLIM_INFINITY)) return 6;
    if (fit_and_pay(ledger, DPA_OK)) return 7;
    dpa_ledger_destroy(ledger);
    unlink(g_path);
    if (limit(RLIMIT_FSIZE, bytes < kBlock ? bytes : kBlock / 2)) return 8;
    if (dpa_ledger_create(g_path, options, 0, &another) != DPA_E_STORE) return 9;
    dpa_options_destroy(options);
    return size_of_file() == -1 ? 0 : 10;
}

static void the_size_of_files_may_be_limited(void **unused) {
    (void)unused;
    static const rlim_t sizes[] = {0, 1, 4095, 4096, 5000, 8191, 8192};
    for (size_t k = 0; k < LENGTH(sizes); ++k) IN_CHILD("RLIMIT_FSIZE", pay_within(sizes[k]));
}

/* Fits need no file; a ledger's says that it cannot be opened. */
static int fit_with_files(rlim_t most) {
    dpa_options *options = budget();
    dpa_ledger *ledger = NULL;
    if (dpa_ledger_create(g_path, options, 0, &ledger)) return 100;
    if (limit(RLIMIT_NOFILE, most)) return 101;
    for (size_t k = 0; k < LENGTH(fit_kinds); ++k) {
        host_call call = {0};
        if (differs(k, &call)) return 1 + (int)k;
    }
    host_call call = {.ledger = ledger};
    const dpa_status status = run_kind(private_kind(), &call);
    if (status != DPA_OK && status != DPA_E_STORE) return 102;
    if (most <= 3 && status != DPA_E_STORE) return 103;
    dpa_ledger_destroy(ledger);
    dpa_options_destroy(options);
    unlink(g_path);
    return 0;
}

static void the_number_of_files_may_be_limited(void **unused) {
    (void)unused;
    make_plain_results();
    for (rlim_t most = 3; most <= 8; ++most) IN_CHILD("RLIMIT_NOFILE", fit_with_files(most));
}

/* Standard streams that are closed: a ledger's file may get their numbers. */
static int fit_without_streams(void) {
    for (int k = 0; k < 3; ++k) close(k);
    return fit_with_files(8);
}

static void standard_streams_may_be_closed(void **unused) {
    (void)unused;
    make_plain_results();
    IN_CHILD("closed streams", fit_without_streams());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_may_be_limited),
        cmocka_unit_test(the_size_of_files_may_be_limited),
        cmocka_unit_test(the_number_of_files_may_be_limited),
        cmocka_unit_test(standard_streams_may_be_closed),
    };
    (void)snprintf(g_path, sizeof g_path, "host_limits_%d.ledger", (int)getpid());
    const int failed = cmocka_run_group_tests_name("limits", tests, NULL, NULL);
    unlink(g_path);
    return failed;
}

/* Whole calls, of which the k-th call to the system fails, for every k (or evenly chosen ones): the
 * documented status, the same result or none, no memory lost, and everything usable after it.
 *
 * usage: test_fault_every_point MOST [PART PARTS]
 * MOST: how many points of a kind are tried in each scenario; of PARTS processes number PART takes
 * every PARTS-th scenario. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "points.h"
#include "unit/private.h"

/* Rows enough for two threads. */
enum { kM = 120, kN = 25, kD = 17 };

/* What a scenario works with; one call of it is between points_begin and points_end. */
typedef struct {
    instance data;
    enum point_kind kind;
    int64_t number, seen;
    int32_t lasting;
    char path[64];
} bench;

#define UNDER_TEST(b, expression) \
    (points_begin((b)->kind, (b)->number, (b)->lasting), (expression), (b)->seen = points_end())

/* The result in numbers, to be compared with that of the call without failures. */
typedef struct {
    double numbers[8];
    size_t count;
} result;

static void keep(result *r, double value) {
    assert_true(r->count < LENGTH(r->numbers));
    r->numbers[r->count++] = value;
}

/* A call with these options; a loss needs labels of its kind. */
typedef struct {
    const char *name;
    const char *method; /* of a baseline, or what else is called */
    const char *options[16];
} scenario;

static dpa_options *options_of(const scenario *s, const bench *b) {
    dpa_options *options = NULL;
    int is_private = 0;
    assert_ok(dpa_options_create(&options));
    assert_ok(dpa_options_parse(options, "private_domain", "none"));
    assert_ok(dpa_options_parse(options, "threads", "2"));
    for (const char *const *pair = s->options; *pair; pair += 2) {
        assert_ok(dpa_options_parse(options, pair[0], pair[1]));
        is_private |= !strcmp(pair[0], "private_domain");
    }
    if (is_private) {
        assert_ok(dpa_options_parse(options, "epsilon", "2"));
        assert_ok(dpa_options_parse(options, "delta", "1e-3"));
        /* Else no result repeats; but a seed asks for no random numbers. */
        if (b->kind != kRandom) assert_ok(dpa_options_parse(options, "unsafe_seed", "3"));
    }
    return options;
}

static dpa_problem *problem_of(const scenario *s, const bench *b) {
    instance a = instance_allocate(kM, kN, kD);
    const char *loss = "";
    for (const char *const *pair = s->options; *pair; pair += 2)
        if (!strcmp(pair[0], "loss")) loss = pair[1];
    memcpy(a.xs, b->data.xs, (kM + kN) * (kD + 1) * sizeof(double));
    for (size_t i = 0; i < kM + kN; ++i) {
        if (!strcmp(loss, "logistic")) a.ys[i] = a.ys[i] < 0.2 ? -1 : 1;
        if (!strcmp(loss, "softmax") || !strcmp(loss, "perceptron"))
            a.ys[i] = a.ys[i] < -0.5 ? 0 : a.ys[i] < 0.6 ? 1 : 2;
    }
    dpa_problem *problem = instance_problem(&a);
    instance_free(a);
    return problem;
}

static void keep_solution(result *r, dpa_solution *solution, const bench *b) {
    int32_t termination = 0;
    double scores[kN];
    termination = (int32_t)solution_number(solution, "termination");
    keep(r, termination);
    assert_ok(dpa_solution_predict(solution, DPA_PREDICT_LABELS,
                                   (dpa_matrix){b->data.xt, kN, kD, kD, DPA_ROW_MAJOR}, scores,
                                   kN));
    keep(r, scores[0]);
    keep(r, scores[kN - 1]);
    dpa_solution_destroy(solution);
}

static dpa_status use_fit(const scenario *s, bench *b, result *r) {
    dpa_options *options = options_of(s, b);
    dpa_problem *problem = problem_of(s, b);
    dpa_solution *solution = NULL;
    double spent = NAN;
    dpa_status status;
    if (s->method)
        UNDER_TEST(b, status = dpa_baseline_solve(problem, s->method, options, &solution));
    else
        UNDER_TEST(b, status = dpa_solve(problem, NULL, options, &solution));
    assert_true((solution == NULL) == (status != DPA_OK));
    if (!status) keep_solution(r, solution, b);
    assert_ok(dpa_problem_budget(problem, "spent_mu", &spent));
    assert_true(isfinite(spent));
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    return status;
}

static dpa_status use_discrepancy(const scenario *s, bench *b, result *r) {
    dpa_options *options = options_of(s, b);
    dpa_problem *problem = problem_of(s, b);
    dpa_discrepancy *estimate = NULL;
    double value = NAN;
    dpa_status status;
    UNDER_TEST(b, status = dpa_discrepancy_estimate(problem, options, &estimate));
    assert_true((estimate == NULL) == (status != DPA_OK));
    if (!status) {
        assert_ok(dpa_discrepancy_value(estimate, "value", &value));
        keep(r, value);
    }
    dpa_discrepancy_destroy(estimate);
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    return status;
}

static dpa_status use_search(const scenario *s, bench *b, result *r) {
    dpa_options *options = options_of(s, b);
    dpa_problem *problem = problem_of(s, b), *rows = problem_of(s, b);
    dpa_search *search = NULL;
    dpa_solution *best = NULL;
    size_t chosen = 0;
    dpa_status status;
    assert_ok(dpa_search_create(&search));
    assert_ok(dpa_search_add(search, "alpha", "0.25,0.75"));
    dpa_options *budget = private_options("epsilon", "9", "delta", "1e-2", NULL);
    if (s->options[0]) {
        assert_ok(dpa_options_parse(options, "selection_epsilon", "1"));
        assert_ok(dpa_options_parse(options, "selection_bound", "9"));
        assert_ok(dpa_problem_set_budget(problem, budget));
    }
    dpa_options_destroy(budget);
    UNDER_TEST(b, status = dpa_search_run(search, problem, rows, NULL, options, &best));
    assert_true((best == NULL) == (status != DPA_OK));
    if (!status) {
        chosen = search_number(search, "chosen");
        keep(r, (double)chosen);
        keep_solution(r, best, b);
    }
    dpa_search_destroy(search);
    dpa_problem_destroy(problem);
    dpa_problem_destroy(rows);
    dpa_options_destroy(options);
    return status;
}

/* Saved and read back in one. */
static dpa_status use_bytes(const scenario *s, bench *b, result *r) {
    static uint8_t bytes[1 << 16];
    dpa_options *options = options_of(s, b);
    dpa_problem *problem = problem_of(s, b);
    dpa_solution *solution = solve(problem, options), *again = NULL;
    size_t size = 0;
    dpa_status status;
    UNDER_TEST(b, (status = dpa_solution_serialize(solution, 1, bytes, sizeof bytes, &size),
                   status = status ? status : dpa_solution_deserialize(bytes, size, &again)));
    assert_true((again == NULL) == (status != DPA_OK));
    if (!status) keep_solution(r, again, b);
    dpa_solution_destroy(solution);
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    return status;
}

static size_t blocks_of(const bench *b) {
    struct stat facts = {0};
    assert_int_equal(stat(b->path, &facts), 0);
    assert_int_equal(facts.st_size % 4096, 0);
    return (size_t)facts.st_size / 4096;
}

static dpa_ledger *new_ledger(const bench *b) {
    dpa_options *options = private_options("epsilon", "9", NULL);
    dpa_ledger *ledger = NULL;
    unlink(b->path);
    assert_ok(dpa_ledger_create(b->path, options, 0, &ledger));
    dpa_options_destroy(options);
    return ledger;
}

/* The file is a ledger afterwards, and what has succeeded is in it. */
static dpa_status use_paid_fit(const scenario *s, bench *b, result *r) {
    dpa_ledger *ledger = new_ledger(b), *again = NULL;
    dpa_options *options = options_of(s, b);
    dpa_problem *problem = problem_of(s, b);
    dpa_solution *solution = NULL;
    dpa_status status;
    assert_ok(dpa_problem_use_ledger(problem, ledger));
    UNDER_TEST(b, status = dpa_solve(problem, NULL, options, &solution));
    assert_true((solution == NULL) == (status != DPA_OK));
    assert_true(blocks_of(b) == 2 || (status && blocks_of(b) == 1));
    assert_ok(dpa_ledger_open(b->path, &again));
    if (!status) keep_solution(r, solution, b);
    dpa_ledger_destroy(again);
    dpa_ledger_destroy(ledger);
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    return status;
}

/* No half of a file stays. */
static dpa_status use_new_ledger(const scenario *s, bench *b, result *r) {
    dpa_options *options = private_options("epsilon", "9", NULL);
    dpa_ledger *ledger = NULL, *again = NULL;
    dpa_status status;
    (void)s;
    unlink(b->path);
    UNDER_TEST(b, (status = dpa_ledger_create(b->path, options, 0, &ledger),
                   status = status ? status : dpa_ledger_open(b->path, &again)));
    if (!ledger) assert_true(access(b->path, F_OK) != 0);
    if (!status) keep(r, (double)blocks_of(b));
    dpa_ledger_destroy(again);
    dpa_ledger_destroy(ledger);
    dpa_options_destroy(options);
    return status;
}

#define PRIVATE "private_domain", "target"
static const scenario fits[] = {
    {"fit", NULL, {"alpha", "0.5"}},
    {"fit, alpha auto", NULL, {NULL}},
    {"fit, huber", NULL, {"loss", "huber", "discrepancy", "0.1", "lambda_1", "2"}},
    {"fit, pinball", NULL, {"loss", "pinball", "alpha", "0.5"}},
    {"fit, logistic", NULL, {"loss", "logistic", "alpha", "0.5", "optimizer", "quasi_newton"}},
    {"fit, softmax", NULL, {"loss", "softmax", "alpha", "0.5"}},
    {"fit, perceptron",
     NULL,
     {"loss", "perceptron", "alpha", "0.5", "iterations", "5", "hidden_units", "3"}},
    {"private fit", NULL, {PRIVATE}},
    {"private fit, alpha a number", NULL, {PRIVATE, "alpha", "0.5"}},
    {"private fit, paper", NULL, {PRIVATE, "method", "paper", "alpha", "0.5", "iterations", "9"}},
    {"private fit, huber", NULL, {PRIVATE, "loss", "huber"}},
    {"private fit, pinball", NULL, {PRIVATE, "loss", "pinball"}},
    {"private fit, logistic", NULL, {PRIVATE, "loss", "logistic", "alpha", "0.5"}},
    {"private fit, softmax", NULL, {PRIVATE, "loss", "softmax"}},
    {"private fit, perceptron", NULL, {PRIVATE, "loss", "perceptron", "hidden_units", "3"}},
    {"source_only", "source_only", {NULL}},
    {"target_only", "target_only", {NULL}},
    {"pooled", "pooled", {NULL}},
    {"kmm", "kmm", {NULL}},
    {"kliep", "kliep", {"centers", "8"}},
    {"ulsif", "ulsif", {"centers", "8"}},
    {"rulsif", "rulsif", {"centers", "8"}},
    {"dm", "dm", {NULL}},
    {"gdm", "gdm", {"ridge", "0.1"}},
    {"best", "best", {"lambda_1", "2"}},
    {"gapboost", "gapboost", {"loss", "logistic", "rounds", "3"}},
    {"tradaboost", "tradaboost", {"loss", "logistic", "rounds", "3"}},
    {"tradaboost_r2", "tradaboost_r2", {"rounds", "3"}},
    {"coral", "coral", {NULL}},
    {"joint_ssp", "joint_ssp", {PRIVATE}},
    {"ada_ssp", "ada_ssp", {PRIVATE}},
    {"public_ssp", "public_ssp", {PRIVATE}},
    {"pooled_ssp", "pooled_ssp", {PRIVATE}},
    {"private_dm", "private_dm", {PRIVATE}},
    {"private_coral", "private_coral", {PRIVATE}},
    {"noisy_sgd", "noisy_sgd", {PRIVATE, "sampling", "shuffled"}},
};
static const scenario discrepancies[] = {
    {"discrepancy", NULL, {NULL}},
    {"discrepancy, logistic", NULL, {"loss", "logistic", "form", "general"}},
    {"private discrepancy", NULL, {PRIVATE}},
};
static const scenario searches[] = {{"search", NULL, {NULL}},
                                    {"private search", NULL, {PRIVATE, "discrepancy", "0.1"}}};
static const scenario saved[] = {{"saved", NULL, {"alpha", "0.5"}},
                                 {"saved, private", NULL, {PRIVATE}}};
static const scenario paid[] = {{"fit that a ledger pays", NULL, {PRIVATE}}};
static const scenario made[] = {{"new ledger", NULL, {NULL}}};

typedef dpa_status (*use)(const scenario *, bench *, result *);
static const struct {
    const scenario *list;
    size_t count;
    use run;
} kAll[] = {{fits, LENGTH(fits), use_fit},
            {discrepancies, LENGTH(discrepancies), use_discrepancy},
            {searches, LENGTH(searches), use_search},
            {saved, LENGTH(saved), use_bytes},
            {paid, LENGTH(paid), use_paid_fit},
            {made, LENGTH(made), use_new_ledger}};

static const dpa_status kWanted[] = {DPA_E_NO_MEMORY, DPA_E_NO_MEMORY, DPA_E_NO_MEMORY,
                                     DPA_E_ENTROPY,   DPA_E_STORE,     DPA_E_STORE,
                                     DPA_E_STORE,     DPA_E_STORE};

static int64_t most, part = 0, parts = 1, points;

/* The scenario without a failure: its result, and how many points of that kind it has. */
static int64_t good_run(use run, const scenario *s, bench *b, result *wanted) {
    b->number = 0;
    wanted->count = 0;
    assert_ok(run(s, b, wanted));
    return b->seen;
}

static void compare(const scenario *s, const bench *b, const result *got, const result *wanted) {
    int same = got->count == wanted->count &&
               !memcmp(got->numbers, wanted->numbers, got->count * sizeof(double));
    if (!same && b->kind != kRandom)
        fail_msg("%s: another result, %s point %lld", s->name, point_names[b->kind],
                 (long long)b->number);
}

static void try_kind(use run, const scenario *s, bench *b) {
    result wanted = {{0}, 0}, got = {{0}, 0};
    if (!good_run(run, s, b, &wanted)) return; /* and what is made once is made */
    int64_t count = good_run(run, s, b, &wanted), live = points_live();
    int64_t step = count > most ? count / most : 1, refused = 0;
    for (int64_t number = 1 + (count % step); number <= count; number += step) {
        b->number = number;
        b->lasting = b->kind == kMemory && number % 2;
        got.count = 0;
        dpa_status status = run(s, b, &got);
        if (status && status != kWanted[b->kind])
            fail_msg("%s: %s (%s), %s point %lld", s->name, dpa_status_string(status),
                     dpa_last_error(), point_names[b->kind], (long long)number);
        if (!status) compare(s, b, &got, &wanted);
        refused += status != DPA_OK;
        ++points;
    }
    b->lasting = 0;
    got.count = 0;
    (void)good_run(run, s, b, &got);
    compare(s, b, &got, &wanted);
    /* Buffers that BLAS or the C library keep are no leak: they do not grow with the failures. */
    if (points_live() - live > 16)
        fail_msg("%s: %lld blocks lost, %s", s->name, (long long)(points_live() - live),
                 point_names[b->kind]);
    printf("%-30s %-7s %6lld points, %lld refused\n", s->name, point_names[b->kind],
           (long long)count, (long long)refused);
}

static void every_point(void **state) {
    bench b = {.data = instance_random(3, kM, kN, kD)};
    (void)state;
    snprintf(b.path, sizeof b.path, "/tmp/dpadapt-points-%ld", (long)getpid());
    for (size_t g = 0; g < LENGTH(kAll); ++g)
        for (size_t k = 0; k < kAll[g].count; ++k)
            for (int kind = 0; kind < kPointKinds && (int64_t)k % parts == part; ++kind) {
                b.kind = (enum point_kind)kind;
                try_kind(kAll[g].run, &kAll[g].list[k], &b);
                fflush(stdout);
            }
    unlink(b.path);
    instance_free(b.data);
    printf("%lld points tried\n", (long long)points);
    /* Most scenarios have more points than a thousand. */
    assert_true(points * parts > 40 * (most < 1000 ? most : 1000));
}

int main(int count, char **arguments) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_point)};
    most = count > 1 ? atoll(arguments[1]) : 5;
    if (count > 3) part = atoll(arguments[2]), parts = atoll(arguments[3]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

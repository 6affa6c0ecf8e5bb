/* Requests that private fits have asked, and digests of their sums, recorded once: every system,
 * compiler and processor answers them with the same bytes. Where what a request means changes, so
 * that recorded ones are refused, they are recorded anew:
 *     build/dev/tests/test_unit_requests record tests/data/requests.bin */
#include <stdio.h>

#include "unit/private.h"

enum { kSource = 80, kTarget = 48, kCols = 3, kMostBytes = 1 << 18, kLeastRequests = 132 };

typedef enum { kNumbers, kSigns, kCounts } label_kind;

/* In the file: their number, then of each this head and the request. */
typedef struct {
    uint64_t labels; /* of the rows that are asked */
    uint64_t size;   /* of the request */
    uint64_t digest;
} entry;

/* Rows of few digits: no compiler rounds them differently. */
static instance make_rows(label_kind kind) {
    instance a = instance_random(23, kSource, kTarget, kCols);
    for (size_t i = 0; i < (a.m + a.n) * (a.d + 1); ++i) a.xs[i] = nearbyint(a.xs[i] * 1024) / 1024;
    for (size_t i = 0; i < a.m + a.n; ++i) {
        if (kind == kSigns) a.ys[i] = a.ys[i] < 0.2 ? -1 : 1;
        if (kind == kCounts) a.ys[i] = a.ys[i] < -0.5 ? 0 : a.ys[i] < 0.6 ? 1 : 2;
    }
    a.xt[4] = NAN;
    a.yt[7] = INFINITY;
    a.xt[20] = 1e30;
    return a;
}

/* FNV-1a. */
static uint64_t digest_of(const uint8_t *bytes, size_t size) {
    uint64_t digest = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; ++i) digest = (digest ^ bytes[i]) * UINT64_C(0x100000001b3);
    return digest;
}

static uint64_t answer(const instance *a, const uint8_t *request, size_t size) {
    static uint8_t bytes[kMostBytes];
    size_t needed = 0;
    dpa_partial *sum = NULL;
    assert_ok(dpa_partial_create(request, size, &sum));
    assert_ok(dpa_partial_add(sum, (dpa_matrix){a->xt, a->n, a->d, a->d, DPA_ROW_MAJOR}, a->yt,
                              a->n, NULL, 0));
    assert_ok(dpa_partial_serialize(sum, bytes, kMostBytes, &needed));
    dpa_partial_destroy(sum);
    return digest_of(bytes, needed);
}

/* Little-endian, as every system is that the library knows. */
static void read_all(FILE *file, void *to, size_t size) {
    assert_int_equal(fread(to, 1, size, file), size);
}

static void recorded_requests_have_the_same_sums(void **state) {
    static uint8_t request[kMostBytes];
    char path[1024];
    uint64_t count = 0;
    const char *folder = getenv("DPADAPT_SOURCE_DIR");
    (void)state;
    if (!folder) skip();
    snprintf(path, sizeof path, "%s/tests/data/requests.bin", folder);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    read_all(file, &count, sizeof count);
    assert_true(count >= kLeastRequests);
    instance rows[] = {make_rows(kNumbers), make_rows(kSigns), make_rows(kCounts)};
    for (uint64_t k = 0; k < count; ++k) {
        entry head;
        read_all(file, &head, sizeof head);
        assert_true(head.labels < LENGTH(rows) && head.size <= kMostBytes);
        read_all(file, request, (size_t)head.size);
        assert_true(answer(&rows[head.labels], request, (size_t)head.size) == head.digest);
    }
    print_message("%u requests\n", (unsigned)count);
    fclose(file);
    for (size_t k = 0; k < LENGTH(rows); ++k) instance_free(rows[k]);
}

/* What is recorded, and of whom. */
typedef struct {
    FILE *file;
    const instance *rows;
    label_kind labels;
    uint64_t count;
} recorder;

static int32_t record(const uint8_t *request, size_t size, dpa_partial *total, void *user) {
    recorder *to = user;
    const instance *a = to->rows;
    entry head = {to->labels, size, answer(a, request, size)};
    assert_int_equal(fwrite(&head, 1, sizeof head, to->file), sizeof head);
    assert_int_equal(fwrite(request, 1, size, to->file), size);
    ++to->count;
    return dpa_partial_add(total, (dpa_matrix){a->xt, a->n, a->d, a->d, DPA_ROW_MAJOR}, a->yt, a->n,
                           NULL, 0) != DPA_OK;
}

/* A fit: a baseline's name, or none, labels, and options. */
typedef struct {
    const char *baseline;
    label_kind labels;
    const char *options[4][2];
} method;

static const method methods[] = {
    {NULL, kNumbers, {{"alpha", "auto"}, {"iterations", "24"}}},
    {NULL, kNumbers, {{"alpha", "0.4"}, {"iterations", "12"}}},
    {NULL, kNumbers, {{"kappa_2", "1"}, {"iterations", "6"}}},
    {NULL, kNumbers, {{"loss", "huber"}, {"iterations", "24"}}},
    {NULL, kNumbers, {{"loss", "pinball"}, {"quantile_level", "0.6"}, {"iterations", "18"}}},
    {NULL, kSigns, {{"loss", "logistic"}, {"iterations", "20"}}},
    {NULL, kSigns, {{"loss", "logistic"}, {"alpha", "0.5"}, {"iterations", "12"}}},
    {NULL, kCounts, {{"loss", "softmax"}, {"preprocess", "whiten"}, {"iterations", "14"}}},
    {NULL, kCounts, {{"loss", "perceptron"}, {"hidden_units", "2"}, {"iterations", "1"}}},
    {NULL,
     kSigns,
     {{"loss", "perceptron"},
      {"perceptron_output", "logistic"},
      {"hidden_units", "2"},
      {"iterations", "1"}}},
    {"joint_ssp", kNumbers, {{"label_bound", "9"}, {"feature_radius", "4"}}},
    {"ada_ssp", kNumbers, {{"label_bound", "9"}, {"feature_radius", "4"}}},
    {"pooled_ssp", kNumbers, {{"label_bound", "9"}, {"feature_radius", "4"}}},
    {"private_dm", kNumbers, {{"label_bound", "9"}, {"feature_radius", "4"}}},
};

static void record_fit(const method *m, recorder *to) {
    instance a = make_rows(m->labels);
    dpa_problem *problem = NULL;
    dpa_solution *solution = NULL;
    dpa_options *options = private_options(
        "unsafe_seed", "3", m->options[0][0], m->options[0][1], m->options[1][0], m->options[1][1],
        m->options[2][0], m->options[2][1], m->options[3][0], m->options[3][1], NULL);
    to->rows = &a;
    to->labels = m->labels;
    assert_ok(dpa_problem_create(&problem));
    assert_ok(dpa_problem_set_sample(problem, DPA_SOURCE,
                                     (dpa_matrix){a.xs, a.m, a.d, a.d, DPA_ROW_MAJOR}, a.ys, a.m));
    assert_ok(dpa_problem_set_passes(problem, DPA_TARGET, a.n, a.d, record, to));
    assert_ok(m->baseline ? dpa_baseline_solve(problem, m->baseline, options, &solution)
                          : dpa_solve(problem, NULL, options, &solution));
    dpa_solution_destroy(solution);
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    instance_free(a);
}

static const char *recording; /* a path, of the program's second argument */

static void fits_are_recorded(void **state) {
    (void)state;
    recorder to = {.file = fopen(recording, "wb")};
    assert_non_null(to.file);
    assert_int_equal(fwrite(&to.count, 1, sizeof to.count, to.file), sizeof to.count);
    for (size_t k = 0; k < LENGTH(methods); ++k) record_fit(&methods[k], &to);
    rewind(to.file);
    assert_int_equal(fwrite(&to.count, 1, sizeof to.count, to.file), sizeof to.count);
    assert_int_equal(fclose(to.file), 0);
}

int main(int argc, char **argv) {
    const struct CMUnitTest replays[] = {cmocka_unit_test(recorded_requests_have_the_same_sums)};
    const struct CMUnitTest records[] = {cmocka_unit_test(fits_are_recorded)};
    if (argc < 3) return cmocka_run_group_tests(replays, NULL, NULL);
    recording = argv[2];
    return cmocka_run_group_tests(records, NULL, NULL);
}

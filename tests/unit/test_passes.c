/* Private samples that stay elsewhere: workers carry out requests over parts of the rows, from
 * bytes to bytes, and the result has the bits of a fit of rows in memory. What is missing, doubled
 * or of another request is refused, and what cannot be asked for is refused before it is paid. */
#include <dpadapt/inspect.h>

#include "unit/private.h"

enum { kSource = 90, kTarget = 41, kCols = 3, kMostBytes = 65536 };

typedef enum { kGood, kFails, kMissing, kTwice, kOld, kGarbage } mischief;

/* A sample and how it is divided. */
typedef struct {
    const instance *data;
    dpa_problem *problem;
    size_t parts;
    int floats;
    mischief mischief;
    size_t passes;
    uint8_t old[kMostBytes]; /* a sum of the pass before */
    size_t old_size;
    dpa_partial *kept; /* the total of the pass before */
} host;

static size_t of_part(const host *h, const uint8_t *request, size_t request_len, size_t k,
                      uint8_t *bytes) {
    const instance *a = h->data;
    size_t begin = a->n * k / h->parts, rows = a->n * (k + 1) / h->parts - begin, size = 0;
    const double *x = a->xt + begin * a->d, *y = a->yt + begin;
    dpa_partial *sum = NULL;
    assert_ok(dpa_partial_create(request, request_len, &sum));
    assert_ok(dpa_partial_name(sum, k));
    size_t half = rows / 2; /* no rows are rows too */
    assert_error(dpa_partial_add(sum, (dpa_matrix){x, half, a->d, a->d, DPA_ROW_MAJOR}, y, half + 1,
                                 NULL, 0),
                 DPA_E_DIMENSION, "y_len must equal rows");
    assert_ok(
        dpa_partial_add(sum, (dpa_matrix){x, half, a->d, a->d, DPA_ROW_MAJOR}, y, half, NULL, 0));
    assert_ok(dpa_partial_add(sum,
                              (dpa_matrix){x + half * a->d, rows - half, a->d, a->d, DPA_ROW_MAJOR},
                              y + half, rows - half, NULL, 0));
    assert_ok(dpa_partial_serialize(sum, bytes, kMostBytes, &size));
    dpa_partial_destroy(sum);
    return size;
}

static int32_t pass(const uint8_t *request, size_t request_len, dpa_partial *total, void *user) {
    static uint8_t bytes[kMostBytes];
    host *h = user;
    uint64_t records = 0;
    size_t source_rows = 0;
    if (h->passes++ > 0 && h->mischief == kOld)
        assert_error(dpa_partial_merge(total, h->old, h->old_size), DPA_E_FORMAT,
                     "another request");
    if (h->passes > 1) assert_status(dpa_partial_records(h->kept, &records), DPA_E_HANDLE);
    h->kept = total;
    assert_status(dpa_problem_set_sample(h->problem, DPA_SOURCE,
                                         (dpa_matrix){h->data->xs, 1, kCols, kCols, DPA_ROW_MAJOR},
                                         h->data->ys, 1),
                  DPA_E_STATE);
    assert_ok(dpa_problem_shape(h->problem, &source_rows, NULL, NULL));
    for (size_t k = h->parts; k-- > 0;) {
        if (h->mischief == kMissing && k == 0) continue;
        size_t size = of_part(h, request, request_len, k, bytes);
        if (h->mischief == kGarbage) {
            bytes[size / 2] ^= 1;
            assert_status(dpa_partial_merge(total, bytes, size), DPA_E_FORMAT);
            return 0;
        }
        assert_ok(dpa_partial_merge(total, bytes, size));
        if (h->mischief == kTwice)
            assert_error(dpa_partial_merge(total, bytes, size), DPA_E_STATE, "twice");
        memcpy(h->old, bytes, h->old_size = size);
    }
    assert_ok(dpa_partial_records(total, &records));
    assert_true(records == h->data->n || h->mischief == kMissing);
    return h->mischief == kFails;
}

/* Rows of single precision, and of each kind of null record and clipping. */
static instance make_data(int classes) {
    instance a = instance_random(5, kSource, kTarget, kCols);
    for (size_t i = 0; i < (a.m + a.n) * (a.d + 1); ++i) a.xs[i] = (float)a.xs[i];
    if (classes) {
        for (size_t i = 0; i < a.m; ++i) a.ys[i] = a.ys[i] < 0 ? -1 : 1;
        for (size_t i = 0; i < a.n; ++i) a.yt[i] = a.yt[i] < 0 ? -1 : 1;
    }
    a.xt[4] = NAN;
    a.yt[7] = INFINITY;
    a.xt[20] = 1e30;
    return a;
}

static dpa_problem *problem_of(host *h) {
    const instance *a = h->data;
    assert_ok(dpa_problem_create(&h->problem));
    assert_ok(dpa_problem_set_sample(
        h->problem, DPA_SOURCE, (dpa_matrix){a->xs, a->m, a->d, a->d, DPA_ROW_MAJOR}, a->ys, a->m));
    if (h->parts == 0)
        assert_ok(dpa_problem_set_sample(h->problem, DPA_TARGET,
                                         (dpa_matrix){a->xt, a->n, a->d, a->d, DPA_ROW_MAJOR},
                                         a->yt, a->n));
    else
        assert_ok(dpa_problem_set_passes(h->problem, DPA_TARGET, a->n, a->d, pass, h));
    return h->problem;
}

/* A method: its name if it is a baseline, and two options. */
typedef struct {
    const char *baseline;
    const char *options[2][2];
    int classes;
} method;

static const method methods[] = {
    {NULL, {{"alpha", "auto"}, {"iterations", "5"}}, 0},
    {NULL, {{"alpha", "0.4"}, {"iterations", "4"}}, 0},
    {NULL, {{"loss", "logistic"}, {"iterations", "4"}}, 1},
    {NULL, {{"loss", "huber"}, {"huber_threshold", "1"}}, 0},
    {NULL, {{"kappa_2", "1"}, {"iterations", "3"}}, 0},
    {"joint_ssp", {{"label_bound", "9"}, {"feature_radius", "4"}}, 0},
    {"ada_ssp", {{"label_bound", "9"}, {"feature_radius", "4"}}, 0},
    {"pooled_ssp", {{"label_bound", "9"}, {"feature_radius", "4"}}, 0},
    {"private_dm", {{"label_bound", "9"}, {"feature_radius", "4"}}, 0},
};

static dpa_options *options_of(const method *m) {
    return private_options("unsafe_seed", "3", m->options[0][0], m->options[0][1], m->options[1][0],
                           m->options[1][1], NULL);
}

static dpa_status fit(const method *m, host *h, double out[kCols + 1]) {
    dpa_options *options = options_of(m);
    dpa_solution *solution = NULL;
    problem_of(h);
    dpa_status status = m->baseline
                            ? dpa_baseline_solve(h->problem, m->baseline, options, &solution)
                            : dpa_solve(h->problem, NULL, options, &solution);
    if (!status) copy_predictor(solution, kCols, out);
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    return status;
}

/* What a plan says of the same call. */
static size_t planned(const method *m, const dpa_problem *problem) {
    dpa_options *options = options_of(m);
    dpa_plan *plan = NULL;
    double passes = 0;
    assert_ok(m->baseline ? dpa_baseline_plan(problem, m->baseline, options, &plan)
                          : dpa_plan_for_problem(problem, options, &plan));
    assert_ok(dpa_plan_value(plan, "passes", &passes));
    dpa_plan_destroy(plan);
    dpa_options_destroy(options);
    return (size_t)passes;
}

static void any_partition_gives_the_bits_of_rows_in_memory(void **state) {
    (void)state;
    static const size_t parts[] = {1, 2, 7, kTarget, 2 * kTarget};
    for (size_t k = 0; k < LENGTH(methods); ++k) {
        instance data = make_data(methods[k].classes);
        double wanted[kCols + 1], got[kCols + 1];
        host here = {.data = &data};
        assert_ok(fit(&methods[k], &here, wanted));
        dpa_problem_destroy(here.problem);
        for (size_t p = 0; p < LENGTH(parts); ++p) {
            host there = {.data = &data, .parts = parts[p], .floats = p % 2 == 1};
            assert_ok(fit(&methods[k], &there, got));
            assert_true(there.passes > 0);
            assert_true(there.passes <= planned(&methods[k], there.problem));
            assert_same_bits(got, wanted, kCols + 1);
            dpa_problem_destroy(there.problem);
        }
        instance_free(data);
    }
}

/* Twenty releases: with little noise points soon agree, and share a sum. */
static void little_noise_needs_fewer_passes(void **state) {
    (void)state;
    enum { kReleases = 20, kMost = 14 };
    static const method noisy = {NULL, {{"epsilon", "0.05"}, {"delta", "1e-6"}}, 0};
    static const method clear = {NULL, {{"epsilon", "4"}, {"delta", "1e-6"}}, 0};
    instance data = instance_random(7, kTarget, 20000, kCols);
    for (size_t k = 0; k < 2; ++k) {
        double wanted[kCols + 1], got[kCols + 1];
        host here = {.data = &data}, there = {.data = &data, .parts = 1};
        assert_ok(fit(k ? &clear : &noisy, &here, wanted));
        assert_ok(fit(k ? &clear : &noisy, &there, got));
        assert_same_bits(got, wanted, kCols + 1);
        assert_true(k ? there.passes <= kMost : there.passes >= kReleases);
        if (k == 0) assert_int_equal(there.passes, planned(&noisy, there.problem));
        dpa_problem_destroy(here.problem);
        dpa_problem_destroy(there.problem);
    }
    instance_free(data);
}

static void a_discrepancy_and_an_inspection_too(void **state) {
    (void)state;
    instance data = make_data(0);
    double values[2];
    char found[2][1000];
    for (size_t k = 0; k < 2; ++k) {
        host h = {.data = &data, .parts = 3 * k};
        dpa_options *options = private_options("unsafe_seed", "3", "label_bound", "9",
                                               "feature_radius", "4", "radius", "2", NULL);
        dpa_discrepancy *estimate = NULL;
        problem_of(&h);
        assert_ok(dpa_discrepancy_estimate(h.problem, options, &estimate));
        assert_ok(dpa_discrepancy_value(estimate, "value", &values[k]));
        assert_ok(dpa_inspect_private(h.problem, options, found[k], sizeof found[k], NULL));
        dpa_discrepancy_destroy(estimate);
        dpa_options_destroy(options);
        dpa_problem_destroy(h.problem);
    }
    assert_same_bits(&values[0], &values[1], 1);
    assert_memory_equal(found[0], found[1], strlen(found[1])); /* then slips: those rows are here */
    assert_string_equal(found[0] + strlen(found[1]),
                        "Target, column 2: 1 of 41 is 1e+30; a code for missing?\n");
    assert_non_null(strstr(found[0], ": 2 of "));
    assert_non_null(strstr(found[0], " records count as zeros"));
    instance_free(data);
}

static double spent(const dpa_problem *problem) {
    double value = -1;
    dpa_status status = dpa_problem_budget(problem, "spent_mu", &value);
    return status == DPA_E_STATE ? 0 : value;
}

static void what_a_host_does_wrong_is_refused_and_paid(void **state) {
    (void)state;
    instance data = make_data(0);
    for (mischief m = kFails; m <= kGarbage; ++m) {
        host h = {.data = &data, .parts = 4, .mischief = m};
        double out[kCols + 1];
        dpa_status status = fit(&methods[0], &h, out);
        assert_int_equal(status, m == kTwice || m == kOld ? DPA_OK : DPA_E_CALLBACK);
        assert_true(spent(h.problem) > 0);
        dpa_problem_destroy(h.problem);
    }
    instance_free(data);
}

static int32_t no_loss(const double *x, size_t rows, size_t features, const double *label,
                       const double *theta, size_t parameters, double *losses, double *gradients,
                       void *user) {
    (void)x, (void)features, (void)label, (void)theta, (void)user;
    memset(losses, 0, rows * sizeof *losses);
    if (gradients) memset(gradients, 0, rows * parameters * sizeof *gradients);
    return 0;
}

static void what_cannot_be_asked_for_costs_nothing(void **state) {
    (void)state;
    static const method bad[] = {
        {NULL, {{"method", "paper"}, {"label_bound", "9"}}, 0},
        {"noisy_sgd", {{"label_bound", "9"}, {"feature_radius", "4"}}, 0},
        {NULL, {{"private_domain", "source"}, {"iterations", "2"}}, 0},
    };
    instance data = make_data(0);
    for (size_t k = 0; k < LENGTH(bad); ++k) {
        host h = {.data = &data, .parts = 4};
        double out[kCols + 1];
        assert_status(fit(&bad[k], &h, out), DPA_E_UNSUPPORTED);
        assert_int_equal(h.passes, 0);
        assert_true(spent(h.problem) == 0);
        dpa_problem_destroy(h.problem);
    }
    host h = {.data = &data, .parts = 4};
    dpa_options *open = public_options(NULL), *custom = private_options(NULL);
    dpa_solution *solution = NULL;
    problem_of(&h);
    assert_error(dpa_solve(h.problem, NULL, open, &solution), DPA_E_UNSUPPORTED, "private_domain");
    assert_ok(dpa_options_set_loss(custom, no_loss, NULL, kCols + 1, INFINITY, INFINITY, INFINITY));
    assert_error(dpa_solve(h.problem, NULL, custom, &solution), DPA_E_UNSUPPORTED, "custom");
    assert_true(h.passes == 0 && spent(h.problem) == 0);
    dpa_options_destroy(custom);
    dpa_options_destroy(open);
    dpa_problem_destroy(h.problem);
    instance_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_partition_gives_the_bits_of_rows_in_memory),
        cmocka_unit_test(little_noise_needs_fewer_passes),
        cmocka_unit_test(a_discrepancy_and_an_inspection_too),
        cmocka_unit_test(what_a_host_does_wrong_is_refused_and_paid),
        cmocka_unit_test(what_cannot_be_asked_for_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

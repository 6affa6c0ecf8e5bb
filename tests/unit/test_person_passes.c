/* Persons of a target that stays elsewhere: parts of whole persons give the bits of rows in memory.
 * Rows without their persons, persons in two parts and wrong totals are refused. */
#include <dpadapt/inspect.h>

#include "unit/private.h"

enum { kSource = 90, kTarget = 61, kCols = 3, kPersons = 23, kMostBytes = 65536 };

typedef enum { kGood, kWithoutIds, kMissing, kDivided, kTwoCalls, kRowsAsPersons } mischief;

/* A sample and how its persons are divided. */
typedef struct {
    const instance *data;
    const int64_t *ids;
    dpa_problem *problem;
    size_t parts;
    int backwards;
    mischief mischief;
    size_t passes;
} host;

/* The rows of the persons of a part, in the sample's order, or of any part. */
typedef struct {
    double x[kTarget * kCols], y[kTarget];
    int64_t ids[kTarget];
    size_t rows;
} part;

static part part_of(const host *h, size_t k) {
    part p = {.rows = 0};
    for (size_t i = 0; i < kTarget; ++i) {
        size_t of = (size_t)(h->ids[i] % 1000 + 1000) % h->parts;
        if (h->mischief == kDivided) of = i % h->parts;
        if (of != k) continue;
        memcpy(p.x + p.rows * kCols, h->data->xt + i * kCols, kCols * sizeof(double));
        p.ids[p.rows] = h->mischief == kRowsAsPersons ? (int64_t)i : h->ids[i];
        p.y[p.rows++] = h->data->yt[i];
    }
    return p;
}

static dpa_status add(dpa_partial *sum, const part *p, size_t begin, size_t end) {
    return dpa_partial_add(
        sum, (dpa_matrix){p->x + begin * kCols, end - begin, kCols, kCols, DPA_ROW_MAJOR},
        p->y + begin, end - begin, p->ids + begin, end - begin);
}

static int32_t pass(const uint8_t *request, size_t request_len, dpa_partial *total, void *user) {
    static uint8_t bytes[kMostBytes];
    host *h = user;
    ++h->passes;
    for (size_t turn = 0; turn < h->parts; ++turn) {
        const part p = part_of(h, h->backwards ? h->parts - 1 - turn : turn);
        size_t size = 0;
        dpa_partial *sum = NULL;
        assert_ok(dpa_partial_create(request, request_len, &sum));
        if (h->mischief == kWithoutIds)
            assert_error(
                dpa_partial_add(sum, (dpa_matrix){p.x, p.rows, kCols, kCols, DPA_ROW_MAJOR}, p.y,
                                p.rows, NULL, 0),
                DPA_E_STATE, "persons");
        if (h->mischief == kTwoCalls) {
            assert_ok(add(sum, &p, 0, p.rows / 2));
            assert_error(add(sum, &p, p.rows / 2, p.rows), DPA_E_STATE, "person");
            dpa_partial_destroy(sum);
            return 1;
        }
        dpa_status status = DPA_OK;
        if (h->mischief != kMissing || turn > 0) status = add(sum, &p, 0, p.rows);
        assert_ok(dpa_partial_serialize(sum, bytes, sizeof bytes, &size));
        dpa_partial_destroy(sum);
        if (!status) status = dpa_partial_merge(total, bytes, size);
        if (h->mischief == kDivided && turn > 0)
            assert_status(status, DPA_E_STATE);
        else if (h->mischief != kRowsAsPersons || status != DPA_E_STATE)
            assert_ok(status);
        if (status) return 1;
    }
    return 0;
}

static instance make_data(void) {
    instance a = instance_random(5, kSource, kTarget, kCols);
    a.xt[4] = NAN;
    a.yt[7] = INFINITY;
    a.xt[20] = 1e30;
    return a;
}

/* Most have several rows, one has many. */
static const int64_t *make_ids(void) {
    static int64_t ids[kTarget];
    for (size_t i = 0; i < kTarget; ++i)
        ids[i] = i % 4 == 0 ? INT64_MIN : (int64_t)(i * 7 % (kPersons - 1)) * 1000003 - 5;
    return ids;
}

static dpa_problem *problem_of(host *h) {
    const instance *a = h->data;
    assert_ok(dpa_problem_create(&h->problem));
    assert_ok(dpa_problem_set_sample(
        h->problem, DPA_SOURCE, (dpa_matrix){a->xs, a->m, a->d, a->d, DPA_ROW_MAJOR}, a->ys, a->m));
    if (h->parts == 0) {
        assert_ok(dpa_problem_set_sample(h->problem, DPA_TARGET,
                                         (dpa_matrix){a->xt, a->n, a->d, a->d, DPA_ROW_MAJOR},
                                         a->yt, a->n));
        assert_ok(dpa_problem_set_groups(h->problem, DPA_TARGET, h->ids, a->n));
    } else {
        assert_ok(dpa_problem_set_passes(h->problem, DPA_PERSONS, kPersons, a->d, pass, h));
    }
    return h->problem;
}

static const char *const methods[][6] = {
    {NULL, "iterations", "5"},
    {NULL, "alpha", "0.4", "iterations", "4"},
    {NULL, "rows_per_person", "2", "metric", "gradients"},
    {NULL, "loss", "huber", "huber_threshold", "1"},
    {"joint_ssp", "label_bound", "9", "feature_radius", "4"},
    {"ada_ssp", "rows_per_person", "3", NULL},
};

static dpa_status fit(const char *const *method, host *h, double out[kCols + 1]) {
    dpa_options *options =
        private_options("unsafe_seed", "3", "label_bound", "9", "feature_radius", "4", NULL);
    for (const char *const *pair = method + 1; pair < method + 5 && *pair; pair += 2)
        assert_ok(dpa_options_parse(options, pair[0], pair[1]));
    dpa_solution *solution = NULL;
    problem_of(h);
    dpa_status status = *method ? dpa_baseline_solve(h->problem, *method, options, &solution)
                                : dpa_solve(h->problem, NULL, options, &solution);
    if (!status) {
        size_t persons = 0;
        copy_predictor(solution, kCols, out);
        assert_ok(dpa_solution_shape(solution, NULL, NULL, NULL, &persons));
        assert_int_equal(persons, kPersons);
        char *report = solution_report(solution, DPA_REPORT_JSON);
        assert_non_null(strstr(report, "\"unit\":\"person\""));
        free(report);
    }
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    return status;
}

static void parts_of_whole_persons_give_the_bits_of_rows_in_memory(void **state) {
    (void)state;
    static const size_t parts[] = {1, 2, 7};
    instance data = make_data();
    for (size_t k = 0; k < LENGTH(methods); ++k) {
        double wanted[kCols + 1], got[kCols + 1];
        host here = {.data = &data, .ids = make_ids()};
        assert_ok(fit(methods[k], &here, wanted));
        dpa_problem_destroy(here.problem);
        for (size_t p = 0; p < 2 * LENGTH(parts); ++p) {
            host there = {
                .data = &data, .ids = make_ids(), .parts = parts[p / 2], .backwards = p % 2};
            assert_ok(fit(methods[k], &there, got));
            assert_true(there.passes > 0);
            assert_same_bits(got, wanted, kCols + 1);
            dpa_problem_destroy(there.problem);
        }
    }
    instance_free(data);
}

static void a_discrepancy_and_a_selection_too(void **state) {
    (void)state;
    instance data = make_data();
    double values[2];
    size_t chosen[2];
    for (size_t k = 0; k < 2; ++k) {
        host h = {.data = &data, .ids = make_ids(), .parts = 3 * k};
        dpa_options *options =
            private_options("unsafe_seed", "3", "label_bound", "9", "feature_radius", "4", "radius",
                            "2", "selection_epsilon", "1", "selection_bound", "3", NULL);
        dpa_options *open = public_options(NULL);
        dpa_discrepancy *estimate = NULL;
        dpa_problem *other = instance_problem(&data);
        dpa_solution *candidates[2] = {NULL, NULL};
        problem_of(&h);
        assert_ok(dpa_discrepancy_estimate(h.problem, options, &estimate));
        assert_ok(dpa_discrepancy_value(estimate, "value", &values[k]));
        dpa_discrepancy_destroy(estimate);
        dpa_problem_destroy(h.problem);
        problem_of(&h);                            /* with a budget of its own */
        data.xt[4] = data.yt[7] = data.xt[20] = 0; /* of a public problem */
        assert_ok(dpa_problem_set_sample(
            other, DPA_TARGET, (dpa_matrix){data.xt, kTarget, kCols, kCols, DPA_ROW_MAJOR}, data.yt,
            kTarget));
        assert_ok(dpa_baseline_solve(other, "source_only", open, &candidates[0]));
        assert_ok(dpa_baseline_solve(other, "target_only", open, &candidates[1]));
        data.xt[4] = NAN, data.yt[7] = INFINITY, data.xt[20] = 1e30;
        assert_ok(
            dpa_select(h.problem, (const dpa_solution *const *)candidates, 2, options, &chosen[k]));
        for (size_t c = 0; c < 2; ++c) dpa_solution_destroy(candidates[c]);
        dpa_problem_destroy(other);
        dpa_options_destroy(open);
        dpa_options_destroy(options);
        dpa_problem_destroy(h.problem);
    }
    assert_same_bits(&values[0], &values[1], 1);
    assert_int_equal(chosen[0], chosen[1]);
    instance_free(data);
}

static void what_a_host_does_wrong_is_refused(void **state) {
    (void)state;
    instance data = make_data();
    for (mischief m = kMissing; m <= kRowsAsPersons; ++m) {
        host h = {.data = &data, .ids = make_ids(), .parts = 3, .mischief = m};
        double out[kCols + 1];
        assert_status(fit(methods[0], &h, out), DPA_E_CALLBACK);
        assert_int_equal(h.passes, 1);
        dpa_problem_destroy(h.problem);
    }
    host h = {.data = &data, .ids = make_ids(), .parts = 1, .mischief = kWithoutIds};
    double out[kCols + 1];
    assert_ok(fit(methods[0], &h, out)); /* the rows without ids were refused, others came */
    dpa_problem_destroy(h.problem);
    instance_free(data);
}

static int32_t records_only(const uint8_t *request, size_t request_len, dpa_partial *total,
                            void *user) {
    const instance *a = user;
    static const int64_t ids[kTarget];
    (void)request, (void)request_len;
    assert_error(dpa_partial_add(total, (dpa_matrix){a->xt, a->n, a->d, a->d, DPA_ROW_MAJOR}, a->yt,
                                 a->n, ids, a->n),
                 DPA_E_STATE, "records");
    return 1;
}

static void persons_and_records_are_not_mixed_up(void **state) {
    (void)state;
    instance data = make_data();
    const int64_t *ids = make_ids();
    host h = {.data = &data, .ids = ids, .parts = 3};
    dpa_options *options = private_options(NULL), *open = public_options(NULL);
    dpa_solution *solution = NULL;
    dpa_problem *problem = problem_of(&h);
    char text[1000];
    assert_error(dpa_inspect_private(problem, options, text, sizeof text, NULL), DPA_E_UNSUPPORTED,
                 "persons");
    assert_error(dpa_problem_set_groups(problem, DPA_TARGET, ids, kPersons), DPA_E_UNSUPPORTED,
                 "DPA_PERSONS");
    assert_status(dpa_solve(problem, NULL, open, &solution), DPA_E_UNSUPPORTED);
    assert_ok(dpa_options_parse(options, "kappa_2", "1"));
    assert_ok(dpa_options_parse(options, "alpha", "0.5"));
    assert_status(dpa_solve(problem, NULL, options, &solution), DPA_E_UNSUPPORTED);
    dpa_options_destroy(options);
    options = private_options(NULL);
    assert_int_equal(h.passes, 0);
    /* A new target needs persons, too. */
    assert_ok(dpa_problem_set_passes(problem, DPA_TARGET, kTarget, kCols, records_only, &data));
    assert_error(dpa_solve(problem, NULL, options, &solution), DPA_E_STATE, "persons");
    dpa_problem_destroy(problem);
    /* Once something was released about records it is too late. */
    problem = instance_problem(&data);
    assert_ok(dpa_problem_set_passes(problem, DPA_TARGET, kTarget, kCols, records_only, &data));
    assert_status(dpa_solve(problem, NULL, options, &solution), DPA_E_CALLBACK);
    assert_error(dpa_problem_set_passes(problem, DPA_PERSONS, kPersons, kCols, pass, &h),
                 DPA_E_STATE, "before anything is released");
    dpa_problem_destroy(problem);
    dpa_ledger *ledger = NULL;
    assert_ok(dpa_ledger_create(NULL, options, 0, &ledger));
    problem = instance_problem(&data);
    assert_ok(dpa_problem_use_ledger(problem, ledger));
    assert_error(dpa_problem_set_passes(problem, DPA_PERSONS, kPersons, kCols, pass, &h),
                 DPA_E_STATE, "ledger");
    dpa_problem_destroy(problem);
    dpa_ledger_destroy(ledger);
    dpa_options_destroy(options);
    dpa_options_destroy(open);
    instance_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_whole_persons_give_the_bits_of_rows_in_memory),
        cmocka_unit_test(a_discrepancy_and_a_selection_too),
        cmocka_unit_test(what_a_host_does_wrong_is_refused),
        cmocka_unit_test(persons_and_records_are_not_mixed_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

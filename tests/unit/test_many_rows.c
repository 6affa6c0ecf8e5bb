/* passes.h, privacy.h: rows that are elsewhere may be as many as 2^40. A sum of so many is a part
 * that was merged with itself, again and again. */
#include <dpadapt/passes.h>

#include "unit/private.h"

enum { kSource = 500, kRows = 64, kCols = 3, kMostBytes = 65536 };
static const size_t kMany = (size_t)1 << 40;

typedef struct {
    const instance *data;
    size_t doublings, passes;
} host;

/* Writes the sum of a partial, which ends. */
static size_t end(dpa_partial *partial, uint8_t *bytes) {
    size_t size = 0;
    assert_ok(dpa_partial_serialize(partial, bytes, kMostBytes, &size));
    dpa_partial_destroy(partial);
    return size;
}

static int32_t pass(const uint8_t *request, size_t request_len, dpa_partial *total, void *user) {
    static uint8_t bytes[kMostBytes];
    host *h = user;
    uint64_t records = 0;
    dpa_partial *sum = NULL;
    ++h->passes;
    assert_ok(dpa_partial_create(request, request_len, &sum));
    assert_ok(dpa_partial_add(sum, (dpa_matrix){h->data->xt, kRows, kCols, kCols, DPA_ROW_MAJOR},
                              h->data->yt, kRows, NULL, 0));
    size_t size = end(sum, bytes);
    for (size_t k = 0; k < h->doublings; ++k) {
        assert_ok(dpa_partial_create(request, request_len, &sum));
        for (size_t twice = 0; twice < 2; ++twice) assert_ok(dpa_partial_merge(sum, bytes, size));
        size = end(sum, bytes);
    }
    assert_ok(dpa_partial_merge(total, bytes, size));
    assert_ok(dpa_partial_records(total, &records));
    assert_true(records == (uint64_t)kRows << h->doublings);
    return 0;
}

static host many(const instance *data) { return (host){data, 34, 0}; }

static dpa_problem *problem_of(host *h) {
    const instance *a = h->data;
    dpa_problem *problem = NULL;
    assert_ok(dpa_problem_create(&problem));
    assert_ok(dpa_problem_set_sample(
        problem, DPA_SOURCE, (dpa_matrix){a->xs, a->m, a->d, a->d, DPA_ROW_MAJOR}, a->ys, a->m));
    assert_ok(
        dpa_problem_set_passes(problem, DPA_TARGET, (size_t)kRows << h->doublings, kCols, pass, h));
    return problem;
}

/* Nothing is left of the noise: it is the target's own fit, but for 20 steps and the grid, of 2^11
 * units for second moments and 2^22 for gradients. */
static void a_fit_of_2_to_the_40_rows(void **state) {
    (void)state;
    const instance data = instance_random(5, kSource, kRows, kCols);
    host h = many(&data);
    dpa_problem *problem = problem_of(&h), *again = problem_of(&h), *here = instance_problem(&data);
    dpa_options *options =
        private_options("clip_bound", "100", "label_bound", "20", "feature_radius", "20", NULL);
    dpa_options *open = public_options(NULL);
    dpa_solution *fit = solve(problem, options), *own = NULL, *read = NULL, *moments = NULL;
    double found[kCols + 1], wanted[kCols + 1];
    assert_ok(dpa_baseline_solve(here, "target_only", open, &own));
    assert_ok(dpa_baseline_solve(again, "joint_ssp", options, &moments));
    copy_predictor(own, kCols, wanted);
    copy_predictor(fit, kCols, found);
    for (size_t k = 0; k <= kCols; ++k) assert_close(found[k], wanted[k], 1e-3, 1e-3);
    copy_predictor(moments, kCols, found);
    for (size_t k = 0; k <= kCols; ++k) assert_close(found[k], wanted[k], 0.02, 0.02);
    dpa_solution_destroy(moments);
    dpa_problem_destroy(again);
    assert_true(h.passes > 10);
    uint8_t bytes[kMostBytes];
    size_t size = 0, target = 0;
    assert_ok(dpa_solution_serialize(fit, 1, bytes, sizeof bytes, &size));
    assert_ok(dpa_solution_deserialize(bytes, size, &read));
    assert_ok(dpa_solution_shape(read, NULL, NULL, NULL, &target));
    assert_true(target == kMany);
    char *report = solution_report(read, DPA_REPORT_JSON);
    assert_non_null(strstr(report, "\"target_rows\":1099511627776"));
    free(report);
    dpa_solution_destroy(read);
    dpa_solution_destroy(own);
    dpa_solution_destroy(fit);
    dpa_options_destroy(open);
    dpa_options_destroy(options);
    dpa_problem_destroy(here);
    dpa_problem_destroy(problem);
    instance_free(data);
}

static void the_discrepancy_of_2_to_the_40_rows(void **state) {
    (void)state;
    const instance data = instance_random(5, kSource, kRows, kCols);
    host h = many(&data);
    dpa_problem *problem = problem_of(&h), *here = instance_problem(&data);
    dpa_options *options = private_options("label_bound", "20", "feature_radius", "20", NULL);
    dpa_options *open = public_options("label_bound", "20", "feature_radius", "20", NULL);
    dpa_discrepancy *found = NULL, *wanted = NULL;
    double values[2];
    assert_ok(dpa_discrepancy_estimate(problem, options, &found));
    assert_ok(dpa_discrepancy_estimate(here, open, &wanted));
    assert_ok(dpa_discrepancy_value(found, "value", &values[0]));
    assert_ok(dpa_discrepancy_value(wanted, "value", &values[1]));
    assert_close(values[0], values[1], 1e-6, 0);
    dpa_discrepancy_destroy(found);
    dpa_discrepancy_destroy(wanted);
    dpa_options_destroy(options);
    dpa_options_destroy(open);
    dpa_problem_destroy(here);
    dpa_problem_destroy(problem);
    instance_free(data);
}

/* The price does not depend on how many there are. */
static void plans_of_so_many_rows(void **state) {
    (void)state;
    dpa_options *options = private_options(NULL);
    dpa_plan *plan = NULL, *few = NULL;
    assert_ok(dpa_plan_create(100000, kMany, 20, options, &plan));
    assert_ok(dpa_plan_create(100000, 1000, 20, options, &few));
    assert_close(plan_value(plan, "mu"), plan_value(few, "mu"), 1e-5, 0);
    dpa_plan_destroy(few);
    dpa_plan_destroy(plan);
    static const char *const more[][2] = {{"epsilon", "4"},    {"epsilon", "0.01"},
                                          {"iterations", "1"}, {"alpha", "0.5"},
                                          {"loss", "huber"},   {"discrepancy", "0.1"}};
    for (size_t k = 0; k < LENGTH(more); ++k) { /* with loss = huber only without a discrepancy */
        assert_ok(dpa_options_parse(options, more[k][0], more[k][1]));
        assert_ok(dpa_plan_create(kMany, kMany, 20, options, &plan));
        dpa_plan_destroy(plan);
    }
    dpa_options *short_one = private_options("forecast_repeats", "1", "forecast_shifts", "1", NULL);
    dpa_problem *problem = random_problem(3, 300, 50, kCols);
    assert_ok(dpa_plan_forecast(problem, kMany, short_one, &plan));
    dpa_plan_destroy(plan);
    assert_status(dpa_plan_forecast(problem, kMany + 1, short_one, &plan), DPA_E_OVERFLOW);
    dpa_problem_destroy(problem);
    dpa_options_destroy(short_one);
    assert_error(dpa_plan_create(kMany + 1, 1000, 20, options, &plan), DPA_E_OVERFLOW, "2^40");
    assert_status(dpa_plan_create(1000, SIZE_MAX, 20, options, &plan), DPA_E_OVERFLOW);
    dpa_options_destroy(options);
}

static void what_so_many_rows_cannot_do_costs_nothing(void **state) {
    (void)state;
    const instance data = instance_random(5, kSource, kRows, kCols);
    host h = many(&data);
    dpa_problem *problem = problem_of(&h), *here = instance_problem(&data);
    dpa_options *options = private_options("label_bound", "20", "feature_radius", "20",
                                           "selection_epsilon", "1", "selection_bound", "1", NULL);
    dpa_options *open = public_options(NULL);
    dpa_solution *own = NULL;
    dpa_discrepancy *no_value = NULL;
    size_t chosen = 7;
    assert_ok(dpa_baseline_solve(here, "target_only", open, &own));
    const dpa_solution *const candidates[] = {own, own};
    assert_error(dpa_select(problem, candidates, 2, options, &chosen), DPA_E_UNSUPPORTED, "2^32");
    assert_ok(dpa_options_parse(options, "loss", "huber"));
    assert_error(dpa_discrepancy_estimate(problem, options, &no_value), DPA_E_UNSUPPORTED, "2^32");
    assert_int_equal(h.passes, 0);
    assert_error(dpa_problem_set_passes(problem, DPA_TARGET, kMany + 1, kCols, pass, &h),
                 DPA_E_OVERFLOW, "2^40");
    dpa_solution_destroy(own);
    dpa_options_destroy(options);
    dpa_options_destroy(open);
    dpa_problem_destroy(here);
    dpa_problem_destroy(problem);
    instance_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fit_of_2_to_the_40_rows),
        cmocka_unit_test(the_discrepancy_of_2_to_the_40_rows),
        cmocka_unit_test(plans_of_so_many_rows),
        cmocka_unit_test(what_so_many_rows_cannot_do_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

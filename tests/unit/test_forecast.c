/* privacy.h: a forecast tells the errors to expect of a target that nobody has read. */
#include <stdio.h>

#include "unit/losses.h"
#include "unit/private.h"

enum { M = 240, D = 3 };

static double cell_value(const dpa_plan *plan, size_t cell, const char *name) {
    double value = NAN;
    assert_ok(dpa_plan_forecast_value(plan, cell, name, &value));
    return value;
}

static dpa_problem *source_problem(const instance *a) {
    dpa_problem *problem = NULL;
    assert_ok(dpa_problem_create(&problem));
    assert_ok(dpa_problem_set_sample(
        problem, DPA_SOURCE, (dpa_matrix){a->xs, a->m, a->d, a->d, DPA_ROW_MAJOR}, a->ys, a->m));
    return problem;
}

static dpa_plan *forecast(const dpa_problem *problem, size_t rows, const dpa_options *options) {
    dpa_plan *plan = NULL;
    assert_ok(dpa_plan_forecast(problem, rows, options, &plan));
    return plan;
}

static dpa_options *options_with(const char *name, const char *text) {
    dpa_options *options = NULL;
    assert_ok(dpa_options_create(&options));
    assert_ok(dpa_options_parse(options, "forecast_repeats", "2"));
    if (name) assert_ok(dpa_options_parse(options, name, text));
    return options;
}

/* Every number of all cells, in a list of their own; returns how many there are. */
static size_t all_values(const dpa_plan *plan, double *out) {
    static const char *const names[] = {"source_only",
                                        "source_only_lower",
                                        "source_only_upper",
                                        "private",
                                        "private_lower",
                                        "private_upper",
                                        "target_only",
                                        "target_only_lower",
                                        "target_only_upper",
                                        "epsilon",
                                        "shift"};
    size_t count = 0, cells = (size_t)plan_value(plan, "forecasts");
    for (size_t c = 0; c < cells; ++c)
        for (size_t k = 0; k < LENGTH(names); ++k) {
            out[count++] = cell_value(plan, c, names[k]);
            assert_true(isfinite(out[count - 1]) && out[count - 1] >= 0);
        }
    return count;
}

static void without_a_budget_it_is_for_several(void **state) {
    (void)state;
    static const double epsilons[] = {0.5, 1, 4, 10}, shifts[] = {0, 0.5, 1, 2};
    instance a = instance_random(4, M, 1, D);
    dpa_problem *problem = source_problem(&a);
    dpa_options *options = options_with(NULL, NULL);
    dpa_plan *plan = forecast(problem, 500, options);
    assert_true(plan_value(plan, "forecasts") == 16);
    for (size_t c = 0; c < 16; ++c) {
        assert_true(cell_value(plan, c, "target_rows") == 500);
        assert_true(cell_value(plan, c, "delta") == 1e-6);
        assert_true(cell_value(plan, c, "epsilon") == epsilons[c / 4]);
        assert_true(cell_value(plan, c, "shift") == shifts[c % 4]);
        static const char *const methods[] = {"source_only", "private", "target_only"};
        for (size_t k = 0; k < 3; ++k) {
            char lower[32], upper[32];
            sprintf(lower, "%s_lower", methods[k]);
            sprintf(upper, "%s_upper", methods[k]);
            double mean = cell_value(plan, c, methods[k]);
            assert_true(0 < cell_value(plan, c, lower) && cell_value(plan, c, lower) <= mean);
            assert_true(mean <= cell_value(plan, c, upper));
        }
    }
    char *text = plan_report(plan, DPA_REPORT_JSON);
    assert_non_null(strstr(text, "\"forecast\":[{\"target_rows\":500,\"epsilon\":0.5,"));
    assert_non_null(strstr(text, "\"error\":\"squared\""));
    free(text);
    double value = 0;
    assert_ok(dpa_privacy_epsilon(1e-6, 0, plan_value(plan, "mu"), 0, 1, &value));
    assert_close(value, 1, 1e-6, 0);
    dpa_plan_destroy(plan);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

/* More rows than are needed beat the source, and fewer do not. */
static void the_rows_that_beat_the_source_do(void **state) {
    (void)state;
    instance a = instance_random(9, M, 1, D);
    dpa_problem *problem = source_problem(&a);
    dpa_options *options = options_with("forecast_shifts", "0.7");
    assert_ok(dpa_options_parse(options, "epsilon", "1"));
    dpa_plan *plan = forecast(problem, 100, options);
    double needed = cell_value(plan, 0, "rows_to_beat_source");
    assert_true(needed >= 10 && needed <= 10000 && needed == floor(needed));
    char sentence[128], *text = plan_report(plan, DPA_REPORT_JSON);
    sprintf(sentence,
            needed > 10 ? "at least %.0f rows are needed to beat the source.\","
                        : "; %.0f rows or fewer beat the source.\",",
            needed);
    assert_true(strstr(text,
                       "{\"sentence\":\"With 100 rows, epsilon 1 and a shift of 0.7 "
                       "expect a squared error of ") == text);
    assert_non_null(strstr(text, sentence));
    assert_non_null(strstr(text, "\"rows_to_beat_source\":"));
    free(text);
    double below = needed > 10 ? 1 : 0;
    dpa_plan *fewer = forecast(problem, (size_t)ceil(needed / 4), options);
    dpa_plan *more = forecast(problem, (size_t)needed * 4, options);
    assert_true(cell_value(more, 0, "private") < cell_value(more, 0, "source_only"));
    if (below > 0)
        assert_true(cell_value(fewer, 0, "private") > 0.98 * cell_value(fewer, 0, "source_only"));
    dpa_plan_destroy(plan);
    dpa_plan_destroy(fewer);
    dpa_plan_destroy(more);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

/* What is known about such fits: what a large budget gives, and a small one does not. */
static void errors_follow_shift_and_budget(void **state) {
    (void)state;
    instance a = instance_random(5, M, 1, D);
    dpa_problem *problem = source_problem(&a);
    dpa_options *options = options_with("forecast_shifts", "0, 3");
    assert_ok(dpa_options_parse(options, "forecast_repeats", "6"));
    dpa_plan *plan = forecast(problem, 300, options);
    enum { kWeak = 1, kStrong = 7 }; /* epsilon 0.5 and 10, with the shift */
    assert_true(cell_value(plan, kWeak, "shift") == 3 && cell_value(plan, kStrong, "shift") == 3);
    double best = cell_value(plan, kStrong, "target_only");
    double source = cell_value(plan, kStrong, "source_only");
    assert_true(source > 5 * best && source < 20 * best); /* 1 + 3^2 */
    assert_true(cell_value(plan, kWeak, "source_only") == source);
    assert_at_most(cell_value(plan, kStrong, "private"), 2 * best);
    assert_true(cell_value(plan, kWeak, "private") > 1.5 * cell_value(plan, kStrong, "private"));
    assert_at_most(cell_value(plan, 0, "private"), 1.1 * cell_value(plan, 0, "source_only"));
    assert_true(cell_value(plan, kWeak, "rows_to_beat_source") >=
                cell_value(plan, kStrong, "rows_to_beat_source"));
    double value = 7;
    assert_error(dpa_plan_forecast_value(plan, 0, "target_lonely", &value), DPA_E_OPTION_NAME,
                 "a forecast has no number \"target_lonely\"");
    assert_true(value == 7);
    dpa_plan_destroy(plan);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

/* The same, whatever the target of the problem is, and nothing is paid. */
static void only_the_source_is_read(void **state) {
    (void)state;
    instance a = instance_random(6, M, 40, D);
    dpa_options *options = options_with("epsilon", "2");
    dpa_problem *alone = source_problem(&a), *both = instance_problem(&a);
    dpa_plan *first = forecast(alone, 40, options);
    for (size_t i = 0; i < a.n * a.d; ++i) a.xt[i] = NAN;
    dpa_problem *bad = instance_problem(&a);
    dpa_plan *second = forecast(both, 40, options), *third = forecast(bad, 40, options);
    double values[3][64];
    size_t count = all_values(first, values[0]);
    assert_true(count > 0 && count <= 64);
    assert_int_equal(all_values(second, values[1]), count);
    assert_int_equal(all_values(third, values[2]), count);
    assert_same_bits(values[0], values[1], count);
    assert_same_bits(values[0], values[2], count);
    double spent = NAN, epsilon = NAN;
    assert_ok(dpa_problem_budget(both, "spent_mu", &spent));
    assert_true(spent == 0);
    assert_status(dpa_problem_budget(both, "epsilon", &epsilon), DPA_E_STATE);
    char *text = problem_report(both, DPA_REPORT_JSON);
    assert_non_null(strstr(text, "\"unprotected_results\":false"));
    free(text);
    dpa_plan_destroy(first);
    dpa_plan_destroy(second);
    dpa_plan_destroy(third);
    dpa_problem_destroy(alone);
    dpa_problem_destroy(both);
    dpa_problem_destroy(bad);
    dpa_options_destroy(options);
    instance_free(a);
}

static void every_loss_of_linear_scores_has_one(void **state) {
    (void)state;
    for (size_t k = 0; k < LENGTH(loss_cases); ++k) {
        const loss_case *c = &loss_cases[k];
        instance a = labelled_instance(c->labels);
        dpa_problem *problem = source_problem(&a);
        dpa_options *options = loss_options(c);
        dpa_plan *plan = NULL;
        assert_ok(dpa_options_parse(options, "private_domain", "target"));
        assert_ok(dpa_options_parse(options, "epsilon", "4"));
        assert_ok(dpa_options_parse(options, "forecast_repeats", "2"));
        dpa_status status = dpa_plan_forecast(problem, 100, options, &plan);
        if (c->linear) {
            double values[64];
            assert_ok(status);
            assert_int_equal(all_values(plan, values), 44);
            if (c->labels != kNumbers) assert_at_most(cell_value(plan, 0, "private"), 1);
        } else {
            assert_status(status, DPA_E_UNSUPPORTED);
        }
        dpa_plan_destroy(plan);
        dpa_options_destroy(options);
        dpa_problem_destroy(problem);
        instance_free(a);
    }
}

static void what_cannot_be_forecast_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *name, *text;
        dpa_status status;
    } cases[] = {{"private_domain", "source", DPA_E_UNSUPPORTED},
                 {"private_domain", "both", DPA_E_UNSUPPORTED},
                 {"private_domain", "none", DPA_E_OPTION},
                 {"noise_multiplier", "2", DPA_E_OPTION},
                 {"delta", "0", DPA_E_OPTION},
                 {"forecast_shifts", "-1", DPA_E_OPTION},
                 {"forecast_shifts", "1e7", DPA_E_OPTION}};
    instance a = instance_random(7, M, 1, D);
    dpa_problem *problem = source_problem(&a);
    dpa_plan *plan = NULL;
    for (size_t k = 0; k < LENGTH(cases); ++k) {
        dpa_options *options = options_with(cases[k].name, cases[k].text);
        assert_status(dpa_plan_forecast(problem, 100, options, &plan), cases[k].status);
        assert_null(plan);
        dpa_options_destroy(options);
    }
    dpa_problem_destroy(problem);
    a.m = 11;
    problem = source_problem(&a);
    dpa_options *options = options_with(NULL, NULL);
    assert_status(dpa_plan_forecast(problem, 100, options, &plan), DPA_E_DIMENSION);
    dpa_problem_destroy(problem);
    a.m = 12;
    problem = source_problem(&a);
    plan = forecast(problem, 1, options);
    assert_true(plan_value(plan, "forecasts") == 16);
    dpa_plan_destroy(plan);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

typedef struct {
    int calls, wrong, stop_at;
    int64_t last;
} watcher;

static int32_t watch(const dpa_progress *progress, void *user) {
    watcher *w = user;
    int64_t done = progress->iteration;
    const char *phase = progress->phase;
    if (!strcmp(phase, "preprocess") && w->last == 0) return 0;
    w->wrong += strcmp(phase, "forecast") != 0;
    w->wrong += done < w->last || done > progress->limit;
    w->last = done;
    return ++w->calls == w->stop_at;
}

static void it_tells_how_far_it_is_and_stops(void **state) {
    (void)state;
    instance a = instance_random(8, M, 1, D);
    dpa_problem *problem = source_problem(&a);
    dpa_options *options = options_with(NULL, NULL);
    watcher w = {0};
    assert_ok(dpa_options_set_progress(options, watch, &w));
    dpa_plan_destroy(forecast(problem, 100, options));
    assert_int_equal(w.wrong, 0);
    assert_true(w.calls > 100 && w.last > 0);
    watcher stopping = {.stop_at = w.calls / 2};
    dpa_plan *plan = NULL;
    assert_ok(dpa_options_set_progress(options, watch, &stopping));
    assert_status(dpa_plan_forecast(problem, 100, options, &plan), DPA_E_CANCELLED);
    assert_null(plan);
    assert_int_equal(stopping.calls, w.calls / 2);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_budget_it_is_for_several),
        cmocka_unit_test(the_rows_that_beat_the_source_do),
        cmocka_unit_test(errors_follow_shift_and_budget),
        cmocka_unit_test(only_the_source_is_read),
        cmocka_unit_test(every_loss_of_linear_scores_has_one),
        cmocka_unit_test(what_cannot_be_forecast_is_refused),
        cmocka_unit_test(it_tells_how_far_it_is_and_stops),
    };
    return cmocka_run_group_tests_name("forecast", tests, NULL, NULL);
}

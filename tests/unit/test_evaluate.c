/* evaluate.h: ordinary test errors without privacy; with it noisy ones that are paid once. */
#include "unit/private.h"

enum { M = 300, N = 400, D = 2 };

/* Rows that no fit has seen. */
static instance new_rows(void) { return instance_random(77, M, N, D); }

static double measured(const dpa_evaluation *made, const char *name, size_t solution, double *lower,
                       double *upper) {
    dpa_measure one = {.name = name};
    for (size_t k = 0; one.name; ++k) {
        assert_ok(dpa_evaluation_measure(made, k, &one));
        if (!one.name || strcmp(one.name, name) != 0 || one.solution != solution) continue;
        if (lower) *lower = one.lower;
        if (upper) *upper = one.upper;
        return one.estimate;
    }
    fail_msg("no measure %s of solution %zu", name, solution);
    return NAN;
}

/* What readers must know first of a solution's clipped rows. */
static const char *note_of(const dpa_evaluation *made, size_t solution) {
    dpa_measure one = {.name = ""};
    for (size_t k = 0; one.name; ++k) {
        assert_ok(dpa_evaluation_measure(made, k, &one));
        if (one.note && one.solution == solution) return one.note;
    }
    return NULL;
}

static void without_privacy_it_is_the_test_error(void **state) {
    (void)state;
    instance a = new_rows();
    dpa_problem *rows = instance_problem(&a);
    dpa_options *options = public_options(NULL), *other = public_options("alpha", "1", NULL);
    dpa_solution *fits[] = {random_fit(5, M, 60, D, options), random_fit(5, M, 60, D, other)};
    dpa_evaluation *made = NULL;
    double predicted[N], sum[2] = {0, 0}, square = 0, lower = 0, upper = 0;
    for (size_t k = 0; k < 2; ++k) {
        assert_ok(dpa_solution_predict(fits[k], DPA_PREDICT_LABELS,
                                       (dpa_matrix){a.xt, N, D, D, DPA_ROW_MAJOR}, predicted, N));
        for (size_t i = 0; i < N; ++i) {
            const double error = pow(predicted[i] - a.yt[i], 2);
            sum[k] += error / N;
            if (k == 0) square += error * error / N;
        }
    }
    assert_ok(dpa_evaluate(rows, (const dpa_solution *const *)fits, 2, options, &made));
    assert_close(measured(made, "squared_error", 0, &lower, &upper), sum[0], 1e-12, 0);
    const double half = 1.959963984540054 * sqrt((square - sum[0] * sum[0]) * N / (N - 1.0) / N);
    assert_close(upper - sum[0], half, 1e-9, 0);
    assert_close(sum[0] - lower, half, 1e-9, 0);
    assert_close(measured(made, "root_mean_squared_error", 0, &lower, &upper), sqrt(sum[0]), 1e-12,
                 0);
    assert_close(measured(made, "squared_error_difference", 1, &lower, &upper), sum[1] - sum[0],
                 1e-9, 1e-12);
    dpa_evaluation_destroy(made);
    for (size_t k = 0; k < 2; ++k) dpa_solution_destroy(fits[k]);
    dpa_options_destroy(options);
    dpa_options_destroy(other);
    dpa_problem_destroy(rows);
    instance_free(a);
}

static void private_rows_pay_once(void **state) {
    (void)state;
    instance a = new_rows();
    dpa_problem *rows = instance_problem(&a), *open = instance_problem(&a);
    dpa_options *none = public_options(NULL);
    dpa_options *options = private_options("epsilon", "4", "delta", "1e-5", NULL);
    dpa_solution *fit = random_fit(5, M, 60, D, none);
    const dpa_solution *const list[] = {fit};
    /* Public rows with residuals like theirs, for the bound. */
    assert_ok(dpa_problem_set_sample(rows, DPA_SOURCE, (dpa_matrix){a.xt, N, D, D, DPA_ROW_MAJOR},
                                     a.yt, N));
    dpa_evaluation *made = NULL, *exact = NULL, *again = NULL;
    double lower = 0, upper = 0, spent = 0;
    assert_ok(dpa_evaluate(open, list, 1, none, &exact));
    assert_ok(dpa_evaluate(rows, list, 1, options, &made));
    const double truth = measured(exact, "squared_error", 0, &lower, &upper);
    const double value = measured(made, "squared_error", 0, &lower, &upper);
    assert_true(lower < value && value < upper);
    assert_true(value != truth);
    assert_true(fabs(value - truth) < 4 * (upper - lower));
    assert_ok(dpa_problem_budget(rows, "spent_epsilon", &spent));
    assert_true(spent > 3.99 && spent <= 4.0);
    assert_status(dpa_evaluate(rows, list, 1, options, &again), DPA_E_BUDGET);
    assert_null(again);
    size_t needed = 0;
    char text[4096];
    assert_ok(dpa_evaluation_report(made, DPA_REPORT_JSON, text, sizeof text, &needed));
    assert_int_equal(strlen(text) + 1, needed);
    assert_non_null(strstr(text, "\"protection\":\"guaranteed\""));
    assert_non_null(strstr(text, "\"origin\":\"source sample\""));
    dpa_evaluation_destroy(made);
    dpa_evaluation_destroy(exact);
    dpa_solution_destroy(fit);
    dpa_options_destroy(none);
    dpa_options_destroy(options);
    dpa_problem_destroy(rows);
    dpa_problem_destroy(open);
    instance_free(a);
}

/* With many rows losses of a quantile are clipped by their own sizes, which are mostly on the side
 * where they count little: noise adds little to what rows do not tell. */
static void many_rows_tell_the_sizes_of_quantile_losses(void **state) {
    (void)state;
    enum { ROWS = 20000 };
    instance a = instance_random(79, 1000, ROWS, D);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *none = public_options("loss", "pinball", "quantile_level", "0.95", NULL);
    dpa_options *options = private_options("unsafe_seed", "1", NULL);
    dpa_solution *fit = solve(problem, none);
    const dpa_solution *const list[] = {fit};
    double truth = 0, lower[2], upper[2];
    for (size_t k = 0; k < 2; ++k) {
        dpa_evaluation *made = NULL;
        dpa_problem *rows = NULL;
        assert_ok(dpa_problem_create(&rows));
        assert_ok(dpa_problem_lend_sample(
            rows, DPA_TARGET, (dpa_matrix){a.xt, ROWS, D, D, DPA_ROW_MAJOR}, a.yt, ROWS));
        assert_ok(dpa_evaluate(rows, list, 1, k ? options : none, &made));
        const double value = measured(made, "quantile_loss", 0, &lower[k], &upper[k]);
        if (k == 0) truth = value;
        dpa_evaluation_destroy(made);
        dpa_problem_destroy(rows);
    }
    assert_true(lower[1] <= truth && truth <= upper[1]);
    assert_at_most(upper[1] - lower[1], 1.5 * (upper[0] - lower[0]));
    dpa_solution_destroy(fit);
    dpa_options_destroy(options);
    dpa_options_destroy(none);
    dpa_problem_destroy(problem);
    instance_free(a);
}

/* Their own histogram of sizes would be noise. */
static void few_rows_take_the_bound_of_the_fit(void **state) {
    (void)state;
    enum { ROWS = 60, TRIALS = 20 };
    dpa_problem *problem = random_problem(5, M, 300, D);
    dpa_options *options =
        private_options("epsilon", "1", "delta", "1e-3", "unsafe_seed", "1", NULL);
    dpa_options *none = public_options(NULL);
    dpa_solution *fit = solve(problem, options);
    const dpa_solution *const list[] = {fit};
    instance a = instance_random(78, M, ROWS, D);
    dpa_evaluation *made = NULL;
    double truth = 0, lower = 0, upper = 0;
    size_t inside = 0;
    for (int64_t trial = 0; trial <= TRIALS; ++trial) {
        dpa_problem *rows = NULL;
        assert_ok(dpa_problem_create(&rows));
        assert_ok(dpa_problem_lend_sample(
            rows, DPA_TARGET, (dpa_matrix){a.xs, ROWS, D, D, DPA_ROW_MAJOR}, a.ys, ROWS));
        assert_ok(dpa_options_set(options, "unsafe_seed", (double)trial));
        assert_ok(dpa_evaluate(rows, list, 1, trial == 0 ? none : options, &made));
        const double value = measured(made, "squared_error", 0, &lower, &upper);
        if (trial == 0) truth = value;
        if (trial > 0) inside += lower <= truth && truth <= upper;
        char text[4096];
        assert_ok(dpa_evaluation_report(made, DPA_REPORT_JSON, text, sizeof text, NULL));
        assert_true(trial == 0 || strstr(text, "\"origin\":\"public rows of the fit\"") != NULL);
        dpa_evaluation_destroy(made);
        dpa_problem_destroy(rows);
    }
    assert_true(inside >= TRIALS * 85 / 100);
    const double bound = solution_number(fit, "error_bound");
    assert_true(bound > 2 * sqrt(truth) && bound < 20 * sqrt(truth));
    dpa_solution_destroy(fit);
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    dpa_options_destroy(none);
    instance_free(a);
}

static void few_rows_need_a_bound(void **state) {
    (void)state;
    enum { ROWS = 60 };
    dpa_problem *problem = random_problem(5, M, 300, D);
    dpa_options *both =
        private_options("private_domain", "both", "preprocess", "none", "feature_radius", "5",
                        "radius", "6", "kappa_1", "100", "clip_bound", "2", "label_bound", "9",
                        "prediction_range", "none", "unsafe_seed", "1", NULL);
    dpa_solution *fit = solve(problem, both);
    const dpa_solution *const list[] = {fit};
    assert_true(isinf(solution_number(fit, "error_bound")));
    dpa_problem *rows = random_problem(78, M, ROWS, D);
    dpa_options *options =
        private_options("private_domain", "both", "epsilon", "1", "unsafe_seed", "1", NULL);
    dpa_evaluation *made = NULL;
    assert_error(dpa_evaluate(rows, list, 1, options, &made), DPA_E_OPTION, "evaluation_bound",
                 "source sample");
    assert_null(made);
    /* Its fourth power is no number. */
    assert_ok(dpa_options_set(options, "evaluation_bound", 1e100));
    assert_error(dpa_evaluate(rows, list, 1, options, &made), DPA_E_OPTION, "evaluation_bound",
                 "1e75");
    double spent = -1;
    assert_ok(dpa_problem_budget(rows, "spent_mu", &spent));
    assert_true(spent == 0);
    assert_ok(dpa_options_set(options, "evaluation_bound", 9));
    assert_ok(dpa_evaluate(rows, list, 1, options, &made));
    dpa_evaluation_destroy(made);
    dpa_solution_destroy(fit);
    dpa_problem_destroy(problem);
    dpa_problem_destroy(rows);
    dpa_options_destroy(both);
    dpa_options_destroy(options);
}

static double bound_in(const char *report) {
    const char *at = strstr(report, "\"bound\":");
    assert_non_null(at);
    return strtod(at + strlen("\"bound\":"), NULL);
}

/* Where noise hides some of the rows, their histogram may end too early. */
static void a_doubtful_histogram_does_not_lower_the_bound(void **state) {
    (void)state;
    enum { ROWS = 400 };
    dpa_problem *problem = random_problem(5, M, 300, D), *rows = NULL;
    dpa_options *options = private_options("delta", "1e-3", "unsafe_seed", "1", NULL);
    dpa_solution *fit = solve(problem, options);
    const dpa_solution *const list[] = {fit};
    const double least = solution_number(fit, "error_bound");
    instance a = instance_random(78, M, ROWS, D);
    for (size_t i = 0; i < ROWS; ++i) a.yt[i] = 0;
    for (int64_t trial = 0; trial < 20; ++trial) {
        dpa_evaluation *made = NULL;
        char text[4096];
        assert_ok(dpa_problem_create(&rows));
        assert_ok(dpa_problem_lend_sample(
            rows, DPA_TARGET, (dpa_matrix){a.xt, ROWS, D, D, DPA_ROW_MAJOR}, a.yt, ROWS));
        assert_ok(dpa_options_set(options, "unsafe_seed", (double)trial));
        assert_ok(dpa_evaluate(rows, list, 1, options, &made));
        assert_ok(dpa_evaluation_report(made, DPA_REPORT_JSON, text, sizeof text, NULL));
        assert_non_null(strstr(text, "\"private rows, public rows of the fit\""));
        assert_true(bound_in(text) >= least);
        dpa_evaluation_destroy(made);
        dpa_problem_destroy(rows);
    }
    dpa_solution_destroy(fit);
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    instance_free(a);
}

/* Ten and a hundred times as large as those of public rows. */
static void errors_beyond_the_bound_are_told(void **state) {
    (void)state;
    enum { ROWS = 300, TRIALS = 20 };
    dpa_problem *problem = random_problem(5, M, 300, D);
    dpa_options *options = private_options("delta", "1e-3", "unsafe_seed", "1", NULL),
                *none = public_options(NULL);
    dpa_solution *fit = solve(problem, options);
    const dpa_solution *const list[] = {fit};
    for (double factor = 10; factor <= 100; factor *= 10) {
        instance a = instance_random(78, M, ROWS, D);
        for (size_t i = 0; i < ROWS; ++i) a.yt[i] *= factor;
        double truth = 0, lower = 0, upper = 0;
        size_t inside = 0;
        for (int64_t trial = 0; trial <= TRIALS; ++trial) {
            dpa_problem *rows = NULL;
            dpa_evaluation *made = NULL;
            char text[4096];
            assert_ok(dpa_problem_create(&rows));
            assert_ok(dpa_problem_lend_sample(
                rows, DPA_TARGET, (dpa_matrix){a.xt, ROWS, D, D, DPA_ROW_MAJOR}, a.yt, ROWS));
            assert_ok(dpa_options_set(options, "unsafe_seed", (double)trial));
            assert_ok(dpa_evaluate(rows, list, 1, trial == 0 ? none : options, &made));
            const double value = measured(made, "root_mean_squared_error", 0, &lower, &upper);
            if (trial == 0) truth = value;
            if (trial > 0) inside += lower <= truth && truth <= upper;
            for (int32_t form = 0; form <= 1; ++form) {
                assert_ok(dpa_evaluation_report(made, form, text, sizeof text, NULL));
                const char *note = strstr(text, "the true errors are larger than the estimates");
                assert_true(trial == 0 ? note == NULL : note != NULL && note < text + 200);
                if (note) assert_non_null(strstr(text, note_of(made, 0)));
            }
            if (trial == 0) assert_null(note_of(made, 0));
            dpa_evaluation_destroy(made);
            dpa_problem_destroy(rows);
        }
        assert_true(inside >= TRIALS * 85 / 100);
        instance_free(a);
    }
    dpa_solution_destroy(fit);
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    dpa_options_destroy(none);
}

/* Their residuals are no errors of other rows: the range of predictions remains. */
static void rows_known_by_heart_tell_no_bound(void **state) {
    (void)state;
    enum { ROWS = 60, MANY = 20 };
    dpa_problem *few = random_problem(5, 15, 300, MANY), *enough = random_problem(5, M, 300, MANY);
    dpa_problem *again = random_problem(5, 15, 300, MANY), *alone = NULL;
    dpa_problem *rows = random_problem(78, 15, ROWS, MANY);
    dpa_options *options = private_options("unsafe_seed", "1", NULL);
    dpa_options *wide = private_options("unsafe_seed", "1", "prediction_range", "none", NULL);
    dpa_solution *fits[] = {solve(enough, wide), solve(few, wide), solve(again, options)};
    const dpa_solution *const *list = (const dpa_solution *const *)fits;
    dpa_evaluation *made = NULL;
    char text[4096];
    assert_true(isfinite(solution_number(fits[0], "error_bound")));
    assert_true(isinf(solution_number(fits[1], "error_bound")));
    assert_ok(dpa_evaluate(rows, list + 2, 1, options, &made));
    assert_ok(dpa_evaluation_report(made, DPA_REPORT_JSON, text, sizeof text, NULL));
    assert_non_null(strstr(text, "\"origin\":\"range of predictions\""));
    dpa_evaluation_destroy(made);
    made = NULL;
    assert_error(dpa_evaluate(rows, list + 1, 1, options, &made), DPA_E_OPTION, "source sample",
                 "range of predictions");
    instance a = instance_random(78, 15, ROWS, MANY);
    assert_ok(dpa_problem_create(&alone));
    assert_ok(dpa_problem_lend_sample(
        alone, DPA_TARGET, (dpa_matrix){a.xt, ROWS, MANY, MANY, DPA_ROW_MAJOR}, a.yt, ROWS));
    assert_error(dpa_evaluate(alone, list, 2, options, &made), DPA_E_OPTION, "source sample",
                 "range of predictions");
    assert_null(made);
    for (size_t k = 0; k < 3; ++k) dpa_solution_destroy(fits[k]);
    dpa_options_destroy(wide);
    dpa_problem_destroy(again);
    dpa_problem_destroy(few);
    dpa_problem_destroy(enough);
    dpa_problem_destroy(rows);
    dpa_problem_destroy(alone);
    dpa_options_destroy(options);
    instance_free(a);
}

/* Nor do labels that are all the same, and an option about features has no part in it. */
static void a_fit_remembers_credible_errors(void **state) {
    (void)state;
    instance a = instance_random(5, M, N, D);
    dpa_options *options = private_options("unsafe_seed", "1", NULL),
                *other = private_options("bound_quantile", "0.5", "unsafe_seed", "1", NULL);
    dpa_problem *problem = lent(&a), *again = lent(&a);
    dpa_solution *fit = solve(problem, options), *same = solve(again, other);
    const double bound = solution_number(fit, "error_bound");
    assert_true(isfinite(bound));
    assert_true(solution_number(same, "error_bound") > 0.8 * bound);
    dpa_solution_destroy(fit);
    dpa_solution_destroy(same);
    dpa_problem_destroy(problem);
    dpa_problem_destroy(again);
    for (size_t i = 0; i < M; ++i) a.ys[i] = 7;
    problem = lent(&a);
    fit = solve(problem, options);
    assert_true(isinf(solution_number(fit, "error_bound")));
    dpa_solution_destroy(fit);
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    dpa_options_destroy(other);
    instance_free(a);
}

/* Labels alone tell errors: without any, and by a token that asks to stop, nothing is paid. */
static void nothing_is_paid_for_nothing(void **state) {
    (void)state;
    instance a = new_rows();
    dpa_options *open = public_options(NULL);
    dpa_options *options = private_options("selection_epsilon", "1", "selection_bound", "9", NULL);
    dpa_problem *rows = instance_problem(&a);
    dpa_solution *fit = random_fit(5, M, 60, D, open);
    const dpa_solution *fits[] = {fit};
    dpa_cancel *token = NULL;
    assert_ok(dpa_cancel_create(&token));
    assert_ok(dpa_cancel_request(token));
    for (int k = 0; k < 4; ++k) {
        dpa_options *given = k % 2 == 0 ? open : options;
        const dpa_status expected = k < 2 ? DPA_E_CANCELLED : DPA_E_LABEL;
        if (k == 2)
            assert_ok(dpa_problem_set_sample(rows, DPA_TARGET,
                                             (dpa_matrix){a.xt, N, D, D, DPA_ROW_MAJOR}, NULL, 0));
        assert_ok(dpa_options_set_cancel(given, k < 2 ? token : NULL));
        dpa_evaluation *made = NULL;
        dpa_solution *calibrated = NULL;
        size_t chosen = 0;
        assert_status(dpa_evaluate(rows, fits, 1, given, &made), expected);
        assert_status(dpa_solution_calibrate(fit, rows, given, &calibrated), expected);
        assert_status(dpa_select(rows, fits, 1, given, &chosen), expected);
    }
    double spent = NAN;
    assert_ok(dpa_problem_budget(rows, "spent_mu", &spent));
    assert_true(spent == 0);
    dpa_cancel_destroy(token);
    dpa_solution_destroy(fit);
    dpa_options_destroy(open);
    dpa_options_destroy(options);
    dpa_problem_destroy(rows);
    instance_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_privacy_it_is_the_test_error),
        cmocka_unit_test(private_rows_pay_once),
        cmocka_unit_test(many_rows_tell_the_sizes_of_quantile_losses),
        cmocka_unit_test(few_rows_take_the_bound_of_the_fit),
        cmocka_unit_test(few_rows_need_a_bound),
        cmocka_unit_test(a_doubtful_histogram_does_not_lower_the_bound),
        cmocka_unit_test(errors_beyond_the_bound_are_told),
        cmocka_unit_test(rows_known_by_heart_tell_no_bound),
        cmocka_unit_test(a_fit_remembers_credible_errors),
        cmocka_unit_test(nothing_is_paid_for_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

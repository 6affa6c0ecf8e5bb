/* dpa_solution_calibrate: without privacy split conformal prediction; with it rows that pay once;
 * the calibration is saved and read, and its level is chosen afterwards. */
#include "unit/private.h"

enum { M = 300, N = 400, D = 2 };

static instance new_rows(void) { return instance_random(77, M, N, D); }

static dpa_matrix rows_of(const instance *a) { return (dpa_matrix){a->xt, N, D, D, DPA_ROW_MAJOR}; }

static dpa_solution *calibrated(const dpa_solution *fit, dpa_problem *rows,
                                const dpa_options *options) {
    dpa_solution *made = NULL;
    assert_ok(dpa_solution_calibrate(fit, rows, options, &made));
    return made;
}

/* Checks that the text of the solution says so. */
static void assert_promise(const dpa_solution *fit, const char *part) {
    char text[1024];
    assert_ok(dpa_solution_text(fit, "calibration", text, sizeof text, NULL));
    if (!*part) assert_string_equal(text, "");
    if (!strstr(text, part)) fail_msg("no \"%s\" in: %s", part, text);
}

static void without_privacy_ends_are_those_of_the_scores(void **state) {
    (void)state;
    instance a = new_rows();
    dpa_problem *rows = instance_problem(&a);
    dpa_options *options = public_options(NULL);
    dpa_solution *fit = random_fit(5, M, 60, D, options), *made = calibrated(fit, rows, options);
    double predicted[N], ends[2 * N];
    assert_ok(dpa_solution_predict(fit, DPA_PREDICT_LABELS, rows_of(&a), predicted, N));
    for (int level = 10; level <= 90; level += 20) {
        size_t covered = 0;
        assert_ok(dpa_solution_predict_interval(made, level / 100., rows_of(&a), ends, 2 * N));
        for (size_t i = 0; i < N; ++i) {
            assert_close(ends[i] + ends[N + i], 2 * predicted[i], 1e-12, 1e-12);
            assert_close(ends[N + i] - ends[i], ends[N] - ends[0], 1e-9, 0);
            covered += ends[i] <= a.yt[i] && a.yt[i] <= ends[N + i];
        }
        /* At least (n + 1) level of the rows themselves, and no more than a bin has besides; bins
         * of large residuals are wide. */
        assert_true((double)covered >= (N + 1) * level / 100. - 1e-9);
        assert_true((double)covered < (N + 1) * level / 100. + 40);
    }
    assert_ok(dpa_solution_predict_interval(made, 0.999, rows_of(&a), ends, 2 * N));
    assert_true(isinf(ends[0]) && isinf(ends[N]) && ends[0] < ends[N]);
    assert_promise(fit, "");
    assert_promise(made, "the 400 rows of its calibration, which must be drawn alike");
    assert_promise(made, "Nothing protects the rows");
    dpa_solution_destroy(fit);
    dpa_solution_destroy(made);
    dpa_options_destroy(options);
    dpa_problem_destroy(rows);
    instance_free(a);
}

static void private_rows_pay_once_and_the_result_is_saved(void **state) {
    (void)state;
    instance a = new_rows();
    dpa_problem *rows = instance_problem(&a);
    dpa_options *none = public_options(NULL);
    dpa_options *options = private_options("epsilon", "4", "delta", "1e-5", NULL);
    dpa_solution *fit = random_fit(5, M, 60, D, none), *made = calibrated(fit, rows, options),
                 *again = NULL;
    double spent = 0, ends[2 * N], same[2 * N];
    assert_ok(dpa_problem_budget(rows, "spent_epsilon", &spent));
    assert_true(spent > 3.99 && spent <= 4.0);
    assert_status(dpa_solution_calibrate(fit, rows, options, &again), DPA_E_BUDGET);
    assert_null(again);
    char report[16384];
    assert_ok(dpa_problem_privacy_report(rows, DPA_REPORT_TEXT, report, sizeof report, NULL));
    assert_non_null(strstr(report, "for prediction intervals"));
    assert_promise(made, "private with epsilon = 4 and delta = 1e-05");
    uint8_t bytes[1 << 15];
    size_t size = 0, plain = 0;
    assert_ok(dpa_solution_serialize(made, 0, bytes, sizeof bytes, &size));
    assert_ok(dpa_solution_deserialize(bytes, size, &again));
    assert_ok(dpa_solution_predict_interval(made, 0.8, rows_of(&a), ends, 2 * N));
    assert_ok(dpa_solution_predict_interval(again, 0.8, rows_of(&a), same, 2 * N));
    assert_memory_equal(ends, same, sizeof ends);
    assert_status(dpa_solution_serialize(fit, 0, NULL, 0, &plain), DPA_E_BUFFER);
    assert_true(plain < size && bytes[8] == 2); /* the format after the magic bytes */
    a.xt[0] = NAN;
    assert_ok(dpa_solution_predict_interval(made, 0.8, rows_of(&a), ends, 2 * N));
    assert_true(isnan(ends[0]) && isnan(ends[N]) && !isnan(ends[1]));
    dpa_solution_destroy(fit);
    dpa_solution_destroy(made);
    dpa_solution_destroy(again);
    dpa_options_destroy(none);
    dpa_options_destroy(options);
    dpa_problem_destroy(rows);
    instance_free(a);
}

/* Of two classes and of three: each set has the labels of a least probability. */
static void classes_have_sets(void **state) {
    (void)state;
    for (int classes = 2; classes <= 3; ++classes) {
        instance a = new_rows();
        for (size_t i = 0; i < N; ++i)
            a.yt[i] = classes == 3 ? (double)(i % 3) : a.xt[i * D] > 0.2 ? 1 : -1;
        for (size_t i = 0; i < M; ++i)
            a.ys[i] = classes == 3 ? (double)(i % 3) : a.xs[i * D] + a.xs[i * D + 1] > 0 ? 1 : -1;
        dpa_problem *rows = instance_problem(&a);
        dpa_options *options =
            public_options("loss", classes == 3 ? "softmax" : "logistic", "alpha", "1", NULL);
        dpa_solution *fit = solve(rows, options), *made = calibrated(fit, rows, options);
        double sets[3 * N];
        const size_t length = (size_t)classes * N;
        size_t covered = 0;
        assert_ok(dpa_solution_predict_interval(made, 0.9, rows_of(&a), sets, length));
        for (size_t k = 0; k < length; ++k) assert_true(sets[k] == 0 || sets[k] == 1);
        for (size_t i = 0; i < N; ++i) {
            const size_t label = classes == 3 ? i % 3 : a.yt[i] > 0;
            covered += sets[label * N + i] == 1;
        }
        assert_true((double)covered >= 0.9 * N && covered <= N);
        dpa_solution_destroy(fit);
        dpa_solution_destroy(made);
        dpa_options_destroy(options);
        dpa_problem_destroy(rows);
        instance_free(a);
    }
}

/* A report that promises something goes with the calibration, which must promise as much. */
static void a_private_solution_takes_no_weaker_calibration(void **state) {
    (void)state;
    instance a = new_rows();
    dpa_problem *rows = instance_problem(&a), *of_persons = instance_problem(&a);
    int64_t persons[60];
    for (int64_t i = 0; i < 60; ++i) persons[i] = i / 2;
    dpa_problem *grouped = random_problem(5, M, 60, D);
    assert_ok(dpa_problem_set_groups(grouped, DPA_TARGET, persons, 60));
    dpa_options *own = private_options("epsilon", "4", "delta", "1e-5", NULL);
    dpa_options *none = public_options(NULL);
    dpa_options *seeded =
        private_options("epsilon", "4", "delta", "1e-5", "unsafe_seed", "1", NULL);
    dpa_options *other =
        private_options("epsilon", "4", "delta", "1e-5", "neighbours", "zero_out", NULL);
    dpa_solution *fit = random_fit(5, M, 60, D, own), *of_grouped = solve(grouped, own),
                 *made = NULL;
    double spent = 1;
    assert_error(dpa_solution_calibrate(fit, rows, none, &made), DPA_E_OPTION, "nothing protects");
    assert_error(dpa_solution_calibrate(fit, rows, seeded, &made), DPA_E_OPTION, "unsafe_seed");
    assert_error(dpa_solution_calibrate(of_grouped, rows, own, &made), DPA_E_UNSUPPORTED,
                 "persons of its rows");
    assert_error(dpa_solution_calibrate(fit, rows, other, &made), DPA_E_OPTION,
                 "neighbours = replace");
    assert_null(made);
    assert_true(dpa_problem_budget(rows, "spent_epsilon", &spent) == DPA_E_STATE || spent == 0);
    made = calibrated(fit, of_persons, own);
    assert_promise(made, "for each row, beside what the fit costs");
    assert_promise(made, "Intervals end up to level 0.9");
    dpa_solution_destroy(made);
    dpa_solution_destroy(fit);
    dpa_solution_destroy(of_grouped);
    dpa_options_destroy(own);
    dpa_options_destroy(none);
    dpa_options_destroy(seeded);
    dpa_options_destroy(other);
    dpa_problem_destroy(rows);
    dpa_problem_destroy(of_persons);
    dpa_problem_destroy(grouped);
    instance_free(a);
}

/* What the report of a calibrated fit tells of its rows: private or not, and whose they are. */
static void the_report_tells_of_the_rows(void **state) {
    (void)state;
    for (int of_persons = 0; of_persons <= 1; ++of_persons)
        for (int seeded = 0; seeded <= 1; ++seeded) {
            instance a = new_rows();
            int64_t persons[N];
            for (int64_t i = 0; i < N; ++i) persons[i] = i / 2;
            dpa_problem *rows = instance_problem(&a);
            if (of_persons) assert_ok(dpa_problem_set_groups(rows, DPA_TARGET, persons, N));
            dpa_options *options =
                private_options("epsilon", "4", seeded ? "unsafe_seed" : NULL, "1", NULL);
            dpa_solution *fit = random_fit(5, M, 60, D, options),
                         *made = calibrated(fit, rows, options);
            char *json = solution_report(made, DPA_REPORT_JSON);
            const char *const told = json_at(json, "call/calibration_of_intervals");
            assert_non_null(told);
            assert_true(json_is(told, "private", seeded ? "false" : "true"));
            assert_true(json_is(told, "unit", of_persons ? "\"person\"" : "\"record\""));
            assert_true(json_number(told, "rows") == (of_persons ? N / 2 : N));
            assert_promise(made, seeded       ? "NOT PRIVATE"
                                 : of_persons ? "for each person"
                                              : "for each row");
            free(json);
            dpa_solution_destroy(made);
            dpa_solution_destroy(fit);
            dpa_options_destroy(options);
            dpa_problem_destroy(rows);
            instance_free(a);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_privacy_ends_are_those_of_the_scores),
        cmocka_unit_test(private_rows_pay_once_and_the_result_is_saved),
        cmocka_unit_test(classes_have_sets),
        cmocka_unit_test(a_private_solution_takes_no_weaker_calibration),
        cmocka_unit_test(the_report_tells_of_the_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

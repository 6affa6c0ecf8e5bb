/* dpa_solution_findings: what became of private records, by what was released alone. */
#include "unit/private.h"

enum { M = 2000, N = 2000, D = 3 };

/* Label x + 1 in the target, whose records may lack it. */
static instance shifted(int counted) {
    instance a = instance_allocate(M, N, D);
    uint64_t seed = 3;
    for (size_t i = 0; i < M * D; ++i) a.xs[i] = uniform(&seed) - 0.5;
    for (size_t i = 0; i < N * D; ++i) a.xt[i] = uniform(&seed) - 0.5;
    for (size_t i = 0; i < M; ++i) a.ys[i] = a.xs[i * D] + uniform(&seed);
    for (size_t i = 0; i < N; ++i) a.yt[i] = counted ? 1 + a.xt[i * D] + uniform(&seed) : NAN;
    return a;
}

static dpa_solution *fit_of(int counted, const char *name, const char *value) {
    instance a = shifted(counted);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options = private_options("unsafe_seed", "4", "epsilon", "4", name, value, NULL);
    dpa_solution *solution = solve(problem, options);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
    return solution;
}

/* Of the same rows with labels from 0 to 2. */
static dpa_solution *fit_of_rates(const char *typical) {
    instance a = shifted(1);
    for (size_t i = 0; i < M + N; ++i) a.ys[i] = fabs(a.ys[i]);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options =
        private_options("unsafe_seed", "4", "loss", "poisson", "typical_label", typical, NULL);
    dpa_solution *solution = solve(problem, options);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
    return solution;
}

/* Counted labels tell that next to none counts, and the fit hardly moves. */
static void records_without_labels_move_nothing(void **state) {
    (void)state;
    dpa_solution *solution = fit_of(0, NULL, NULL);
    assert_true(solution_number(solution, "alpha") > 0.9);
    assert_true(solution_number(solution, "evidence") < 2);
    char *text = findings_of(solution, NULL);
    assert_non_null(strstr(text, "WARNING: not all do: about "));
    free(text);
    dpa_solution_destroy(solution);
}

static void records_without_labels_do_not_pass_for_used(void **state) {
    (void)state;
    dpa_solution *solution = fit_of(0, "labelled_share", "1");
    assert_true(solution_number(solution, "alpha") < 0.9); /* moved: noise is small */
    assert_true(solution_number(solution, "evidence") < 2);
    char *text = findings_of(solution, NULL);
    char *report = solution_report(solution, DPA_REPORT_TEXT);
    assert_non_null(strstr(text, "Whether any private row counted cannot be told"));
    assert_null(strstr(text, "were used"));
    assert_non_null(strstr(text, "its label is a finite number;"));
    assert_non_null(strstr(report, "Whether any private row counted cannot be told"));
    free(report);
    report = solution_report(solution, DPA_REPORT_JSON);
    assert_true(json_is(report, "call/private_rows_used", "null"));
    free(report);
    free(text);
    dpa_solution_destroy(solution);
}

/* A solution that is read back says what it said, by the domain that its report tells. */
static void a_private_source_is_remembered(void **state) {
    (void)state;
    uint8_t bytes[65536];
    size_t size = 0;
    dpa_solution *read = NULL;
    dpa_solution *solution = fit_of(1, "private_domain", "source");
    char *text = findings_of(solution, NULL);
    assert_non_null(strstr(text, "the target's predictor"));
    assert_ok(dpa_solution_serialize(solution, 1, bytes, sizeof bytes, &size));
    assert_ok(dpa_solution_deserialize(bytes, size, &read));
    char *again = findings_of(read, NULL);
    assert_string_equal(again, text);
    free(again);
    free(text);
    dpa_solution_destroy(read);
    dpa_solution_destroy(solution);
}

static dpa_solution *read_back(const dpa_solution *solution) {
    static uint8_t bytes[1 << 18];
    size_t size = 0;
    dpa_solution *saved = NULL;
    assert_ok(dpa_solution_serialize(solution, 0, bytes, sizeof bytes, &size));
    assert_ok(dpa_solution_deserialize(bytes, size, &saved));
    return saved;
}

static void records_that_count_are_told(void **state) {
    (void)state;
    dpa_solution *solution = fit_of(1, NULL, NULL);
    assert_true(solution_number(solution, "evidence") > 2);
    assert_true(solution_number(solution, "alpha") < 0.1); /* by the intercept alone */
    char *text = findings_of(solution, "");
    char *report = solution_report(solution, DPA_REPORT_JSON);
    assert_non_null(strstr(text, "The private rows were used: the coefficients went"));
    assert_true(json_is(report, "call/private_rows_used", "true"));
    dpa_solution *read = read_back(solution);
    char *again = findings_of(read, NULL);
    assert_string_equal(again, text);
    free(again);
    again = findings_of(read, "live or dead");
    assert_non_null(strstr(again, "its label is live or dead;"));
    free(again);
    free(report);
    free(text);
    dpa_solution_destroy(read);
    dpa_solution_destroy(solution);
}

/* Where alpha is given the records decide nothing about it, and both or none have no such share. */
static void only_what_is_known_is_said(void **state) {
    (void)state;
    dpa_solution *solution = fit_of(1, "alpha", "0.5");
    assert_true(solution_number(solution, "evidence") == 0);
    char *text = findings_of(solution, NULL);
    assert_true(strncmp(text, "A private record counts only if", 31) == 0);
    free(text);
    dpa_solution_destroy(solution);
    instance a = shifted(1);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options = public_options(NULL);
    solution = solve(problem, options);
    text = findings_of(solution, "a or b");
    assert_string_equal(text, "");
    free(text);
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

/* Of 2000 records with three features, at another level than the public ones. */
static void promises_that_mean_little_and_noise_that_hides_all_are_warned_of(void **state) {
    (void)state;
    static const struct {
        const char *name, *value, *warning;
    } cases[] = {
        {NULL, NULL, NULL},
        {"delta", "4e-4", NULL},
        {"delta", "5e-4", "\nWARNING: delta = 5e-04 is not below 1/n = 1/2000: "},
        {"epsilon", "10", NULL},
        {"epsilon", "10.5", "\nWARNING: epsilon = 10.5 is above 10: "},
        {"epsilon", "0.001", "\nWARNING: 2000 private records are too few for this epsilon"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        dpa_solution *solution = fit_of(1, cases[k].name, cases[k].value);
        char *text = findings_of(solution, NULL);
        size_t others = 0; /* than that of the level, which the last case has too few records for */
        for (const char *at = text; (at = strstr(at, "WARNING: ")) != NULL; ++at)
            others += strncmp(at, "WARNING: the source's pred", 26) != 0;
        assert_int_equal(others, cases[k].warning != NULL);
        if (cases[k].warning != NULL) assert_non_null(strstr(text, cases[k].warning));
        dpa_solution *saved = read_back(solution);
        char *again = findings_of(saved, NULL);
        assert_string_equal(again, text);
        dpa_solution_destroy(saved);
        free(again);
        free(text);
        dpa_solution_destroy(solution);
    }
}

/* Columns of one sample: at random, twice that and more, 1, and the label in other units. They are
 * told if the sample is public. */
static void careless_public_rows_are_told(void **state) {
    (void)state;
    static const char *const told[] = {
        ", column 3: it equals the label up to a unit",
        ", column 1: it is a linear combination of earlier columns",
        ", column 2: every row has 1, so its coefficient cannot be estimated.",
        "The labels have two values, 0 and 1, and are treated as numbers: loss = logistic",
        "predictions end at the range of labels, 0 to 1: prediction_range = none"};
    static const char *const domains[] = {"source", "target"};
    enum { kColumns = 4 };
    for (size_t k = 0; k < 4; ++k) {
        const size_t hidden = k / 2, careless = k % 2;
        instance a = instance_allocate(M, N, kColumns);
        uint64_t seed = 3;
        for (size_t i = 0; i < M + N; ++i) {
            double *x = a.xs + i * kColumns; /* the target follows */
            for (size_t j = 0; j < kColumns; ++j) x[j] = uniform(&seed) - 0.5;
            a.ys[i] = x[0] > 0;
            if ((i >= M) != careless) continue;
            x[1] = 2 * x[0] + 1;
            x[2] = 1;
            x[3] = 5 - 3 * a.ys[i];
        }
        dpa_problem *problem = instance_problem(&a);
        dpa_options *options =
            private_options("unsafe_seed", "4", "epsilon", "4", "prediction_range", "0",
                            "private_domain", domains[hidden], NULL);
        dpa_solution *solution = solve(problem, options);
        char *text = findings_of(solution, NULL);
        for (size_t i = 0; i < 3; ++i)
            assert_int_equal(strstr(text, told[i]) != NULL, hidden != careless);
        assert_int_equal(strstr(text, hidden ? "Public target" : "Public source") != NULL, 0);
        for (size_t i = 3; i < (hidden ? 5 : 4); ++i) assert_non_null(strstr(text, told[i]));
        free(text);
        dpa_solution_destroy(solution);
        dpa_options_destroy(options);
        dpa_problem_destroy(problem);
        instance_free(a);
    }
}

static void rates_beyond_the_log_link_are_told(void **state) {
    (void)state;
    static const char *const typical[] = {"auto", "0.05"};
    for (int beyond = 0; beyond < 2; ++beyond) {
        dpa_solution *solution = fit_of_rates(typical[beyond]);
        char *text = findings_of(solution, NULL);
        assert_int_equal(strstr(text, " labels are above 0.8, from where on rates") != NULL,
                         beyond);
        assert_int_equal(strstr(text, "log link") != NULL, beyond);
        free(text);
        dpa_solution_destroy(solution);
    }
}

/* In larger tables findings look at every fourth of these rows first: two in between have other
 * values, in which columns 1 and 3 differ from a constant and from column 0. */
static void rare_values_are_values(void **state) {
    (void)state;
    enum { kMany = 8000, kColumns = 4, kRare = 4001, kOther = 4003 };
    instance a = instance_random(5, kMany, N, kColumns);
    for (size_t i = 0; i < kMany; ++i) {
        double *x = a.xs + i * kColumns;
        x[1] = i == kRare;
        x[2] = 1;
        x[3] = x[0] + (i == kOther);
    }
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options = private_options("unsafe_seed", "4", NULL);
    dpa_solution *solution = solve(problem, options);
    char *text = findings_of(solution, NULL);
    assert_non_null(strstr(text, "column 2: every row has 1"));
    assert_null(strstr(text, "column 1: "));
    assert_null(strstr(text, "column 3: "));
    free(text);
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

/* A level without loss = pinball would pass for a fit of that quantile. */
static void options_that_change_nothing_are_told(void **state) {
    (void)state;
    static const struct {
        const char *option, *value, *said;
    } cases[] = {{"quantile_level", "0.9", "it changes nothing with loss = squared"},
                 {"huber_threshold", "2", "huber_threshold was set, but it changes nothing"},
                 {"hidden_units", "4", "it changes nothing with loss = squared"},
                 {"labelling_disagreement", "1", "is for discrepancies: private fits do not read"},
                 {"alpha", "0.5", NULL}};
    for (size_t k = 0; k < LENGTH(cases); ++k) {
        dpa_solution *solution = fit_of(1, cases[k].option, cases[k].value);
        char *text = findings_of(solution, NULL);
        assert_int_equal(strstr(text, "ption") != NULL, cases[k].said != NULL);
        if (cases[k].said != NULL) assert_non_null(strstr(text, cases[k].said));
        free(text);
        dpa_solution_destroy(solution);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_without_labels_move_nothing),
        cmocka_unit_test(records_without_labels_do_not_pass_for_used),
        cmocka_unit_test(records_that_count_are_told),
        cmocka_unit_test(a_private_source_is_remembered),
        cmocka_unit_test(only_what_is_known_is_said),
        cmocka_unit_test(careless_public_rows_are_told),
        cmocka_unit_test(rates_beyond_the_log_link_are_told),
        cmocka_unit_test(rare_values_are_values),
        cmocka_unit_test(options_that_change_nothing_are_told),
        cmocka_unit_test(promises_that_mean_little_and_noise_that_hides_all_are_warned_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

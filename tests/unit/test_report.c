/* privacy.h: what a solution promises about its records, now and after it was saved. */
#include "unit/private.h"

enum { M = 150, N = 80, D = 3 };

static void check_promise(const dpa_solution *s, int32_t protection, double epsilon, double delta) {
    int32_t p = -1;
    double e = -1, d = -1;
    assert_ok(dpa_solution_privacy(s, NULL, NULL, NULL));
    assert_ok(dpa_solution_privacy(s, &p, &e, &d));
    assert_int_equal(p, protection);
    assert_true(e == epsilon && d == delta);
}

static dpa_solution *saved_and_loaded(const dpa_solution *s) {
    size_t size = 0;
    dpa_solution *copy = NULL;
    assert_status(dpa_solution_serialize(s, 1, NULL, 0, &size), DPA_E_BUFFER);
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    assert_ok(dpa_solution_serialize(s, 1, bytes, size, NULL));
    assert_ok(dpa_solution_deserialize(bytes, size, &copy));
    free(bytes);
    return copy;
}

/* All forms, word for word. */
static void check_same_reports(const dpa_solution *a, const dpa_solution *b) {
    static const int32_t forms[] = {DPA_REPORT_JSON, DPA_REPORT_TEXT, DPA_REPORT_NUMBERS,
                                    DPA_REPORT_PAGE};
    for (size_t k = 0; k < LENGTH(forms); ++k) {
        char *one = solution_report(a, forms[k]), *two = solution_report(b, forms[k]);
        assert_string_equal(one, two);
        free(one);
        free(two);
    }
}

static void check_words(const dpa_solution *s, const char *opening, const char *is_private,
                        const char *seeded) {
    char *json = solution_report(s, DPA_REPORT_JSON), *text = solution_report(s, DPA_REPORT_TEXT);
    char *numbers = solution_report(s, DPA_REPORT_NUMBERS); /* the text below its paragraph */
    assert_string_equal(strstr(text, "\n\n") + 2, numbers);
    free(numbers);
    assert_true(json_is(json, "private", is_private));
    assert_true(json_is(json, "seeded", seeded));
    assert_memory_equal(text, opening, strlen(opening));
    assert_memory_equal(json_at(json, "summary") + 1, opening, strlen(opening));
    free(text);
    free(json);
}

/* One page, with the report's bytes and, of a fit, what it tells. */
static void check_page(char *page, char *json, const char *note) {
    assert_memory_equal(page, "<!DOCTYPE html>", 15);
    assert_string_equal(page + strlen(page) - 8, "</html>\n");
    const char *data = strstr(page, "id=\"report\">{\"privacy\":");
    assert_non_null(data);
    const char *version = strstr(json, "\"version\":"); /* up to which nothing is escaped */
    assert_non_null(version);
    data = strchr(data, ':') + 1;
    for (const char *at = json; at < version; ++at) {
        const int less = *at == '<';
        assert_memory_equal(data, less ? "\\u003c" : at, less ? 6 : 1);
        data += less ? 6 : 1;
    }
    assert_non_null(strstr(data, note));
    free(page);
    free(json);
}

static void guaranteed(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(1, M, N, D);
    dpa_options *options = private_options("alpha", "0.5", NULL);
    dpa_solution *s = solve(problem, options), *copy = saved_and_loaded(s);
    const dpa_solution *const both[] = {s, copy};
    double value;
    for (size_t k = 0; k < 2; ++k) {
        check_promise(both[k], DPA_PROTECTION_GUARANTEED, 1, 1e-5);
        check_words(both[k], "PRIVATE: ", "true", "false");
        assert_error(dpa_solution_value(both[k], "objective", &value), DPA_E_NOT_RELEASABLE,
                     "objective");
    }
    check_same_reports(s, copy);
    check_page(solution_report(s, DPA_REPORT_PAGE), solution_report(s, DPA_REPORT_JSON),
               "\"notes\":[\"A private record counts only if its features");
    check_page(problem_report(problem, DPA_REPORT_PAGE), problem_report(problem, DPA_REPORT_JSON),
               "\"notes\":[]}");
    dpa_solution_destroy(copy);
    dpa_solution_destroy(s);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

/* The flag cannot get lost: neither in a file, nor in later fits of the same problem. */
/* Whose difference epsilon is about goes with the solution. */
static void the_relation_is_part_of_the_promise(void **state) {
    static const char *const words[] = {"replace", "zero_out"};
    (void)state;
    for (int32_t relation = 0; relation < 2; ++relation) {
        dpa_problem *problem = random_problem(1, M, N, D);
        dpa_options *options = private_options("neighbours", words[relation], NULL);
        dpa_solution *s = solve(problem, options), *copy = saved_and_loaded(s);
        const dpa_solution *const both[] = {s, copy};
        double number = -1;
        assert_ok(dpa_problem_budget(problem, "neighbours", &number));
        assert_true(number == relation);
        for (size_t k = 0; k < 2; ++k) {
            int32_t found = -1;
            char *text = solution_report(both[k], DPA_REPORT_TEXT);
            found = (int32_t)solution_number(both[k], "neighbours");
            assert_int_equal(found, relation);
            check_promise(both[k], DPA_PROTECTION_GUARANTEED, 1, 1e-5);
            /* The price is a number, too: with it the promise is found again. */
            const double mu = solution_number(both[k], "spent_mu");
            const double laplace = solution_number(both[k], "spent_laplace_epsilon");
            double epsilon = 0;
            assert_ok(dpa_privacy_epsilon(1e-5, laplace, mu, 0, 1, &epsilon));
            assert_true(mu > 0 && epsilon > 0.9 && epsilon <= 1);
            assert_true(solution_number(both[k], "private_domain") == 2);
            assert_int_equal(strstr(text, "(neighbours = zero_out)") != NULL, relation);
            free(text);
        }
        /* The budget is about one relation. */
        assert_ok(dpa_options_parse(options, "neighbours", words[1 - relation]));
        dpa_solution *other = NULL;
        assert_error(dpa_solve(problem, NULL, options, &other), DPA_E_STATE, "neighbours");
        dpa_solution_destroy(copy);
        dpa_solution_destroy(s);
        dpa_options_destroy(options);
        dpa_problem_destroy(problem);
    }
}

static void seeded_noise_is_no_privacy(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(1, M, N, D);
    dpa_options *options = private_options("epsilon", "2", NULL);
    assert_ok(dpa_problem_set_budget(problem, options));
    assert_ok(dpa_options_parse(options, "epsilon", "0.5"));
    assert_ok(dpa_options_parse(options, "unsafe_seed", "3"));
    dpa_solution *s = solve(problem, options), *copy = saved_and_loaded(s);
    assert_ok(dpa_options_parse(options, "unsafe_seed", "unset"));
    dpa_solution *later = solve(problem, options);
    const dpa_solution *const all[] = {s, copy, later};
    for (size_t k = 0; k < LENGTH(all); ++k) {
        check_promise(all[k], DPA_PROTECTION_SEEDED, INFINITY, 1);
        check_words(all[k], "NOT PRIVATE: ", "false", "true");
    }
    check_same_reports(s, copy);
    char *json = problem_report(problem, DPA_REPORT_JSON);
    assert_true(json_is(json, "seeded", "true"));
    assert_true(json_is(json, "releases/0/noise_source", "\"unsafe_seed\""));
    free(json);
    dpa_solution_destroy(later);
    dpa_solution_destroy(copy);
    dpa_solution_destroy(s);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

/* A seeded discrepancy spoils the fit that uses it. */
static void seeded_discrepancy_is_no_privacy(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(1, M, N, D);
    dpa_options *options = private_options("alpha", "0.5", "unsafe_seed", "3", NULL);
    dpa_discrepancy *d = NULL;
    dpa_solution *s = NULL;
    assert_ok(dpa_discrepancy_estimate(problem, options, &d));
    assert_ok(dpa_options_parse(options, "unsafe_seed", "unset"));
    assert_ok(dpa_solve(problem, d, options, &s));
    check_promise(s, DPA_PROTECTION_SEEDED, INFINITY, 1);
    dpa_solution_destroy(s);
    /* Nor does another problem over the same records make it private. */
    dpa_problem *other = random_problem(1, M, N, D);
    if (dpa_solve(other, d, options, &s) == DPA_OK) {
        int32_t protection = -1;
        assert_ok(dpa_solution_privacy(s, &protection, NULL, NULL));
        assert_int_not_equal(protection, DPA_PROTECTION_GUARANTEED);
        dpa_solution_destroy(s);
    }
    dpa_problem_destroy(other);
    dpa_discrepancy_destroy(d);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

static void plain_fits_promise_nothing(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(1, M, N, D);
    dpa_options *options = public_options(NULL);
    dpa_solution *s = solve(problem, options), *copy = saved_and_loaded(s);
    check_promise(s, DPA_PROTECTION_NONE, INFINITY, 1);
    check_promise(copy, DPA_PROTECTION_NONE, INFINITY, 1);
    check_words(s, "NOT PRIVATE", "false", "false");
    check_same_reports(s, copy);
    dpa_solution_destroy(copy);
    dpa_solution_destroy(s);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

/* The solution's report is the problem's at that time, with the settings of the fit; later calls do
 * not change it. */
static void a_report_is_of_its_time(void **state) {
    (void)state;
    static const char *const same[] = {"summary",     "budget",   "spent",
                                       "spent_curve", "releases", "not_covered",
                                       "source_rows", "features", "private_domains"};
    dpa_problem *problem = random_problem(1, M, N, D);
    dpa_options *options = private_options("epsilon", "2", "discrepancy_share", "0.5", NULL);
    assert_ok(dpa_problem_set_budget(problem, options));
    assert_ok(dpa_options_parse(options, "epsilon", "0.5"));
    assert_ok(dpa_options_parse(options, "discrepancy_share", "auto"));
    assert_ok(dpa_options_parse(options, "alpha", "0.25"));
    dpa_solution *s = solve(problem, options);
    char *mine = solution_report(s, DPA_REPORT_JSON);
    char *whole = problem_report(problem, DPA_REPORT_JSON);
    for (size_t k = 0; k < LENGTH(same); ++k) {
        const char *one = json_at(mine, same[k]), *two = json_at(whole, same[k]);
        assert_non_null(one);
        assert_non_null(two);
        assert_int_equal(json_end(one) - one, json_end(two) - two);
        assert_memory_equal(one, two, (size_t)(json_end(one) - one));
    }
    assert_true(json_is(mine, "call/method", "\"profile\""));
    assert_true(json_number(mine, "call/alpha") == 0.25);
    assert_true(json_number(mine, "call/radius") == solution_number(s, "radius"));
    assert_true(json_number(mine, "call/label_bound") == solution_number(s, "label_bound"));
    assert_true(json_number(mine, "source_rows") == M && json_number(mine, "target_rows") == N);
    assert_true(json_number(mine, "features") == D);
    assert_true(json_count(mine, "not_covered") >= 6);
    dpa_solution_destroy(solve(problem, options));
    char *later = solution_report(s, DPA_REPORT_JSON);
    assert_string_equal(later, mine);
    free(later);
    later = problem_report(problem, DPA_REPORT_JSON);
    assert_true(json_count(later, "releases") == 2 * json_count(mine, "releases"));
    free(later);
    free(whole);
    free(mine);
    dpa_solution_destroy(s);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

/* Totals in the report, handed to the accountant, give the curve of the report. */
static void the_curve_is_the_accountants(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(1, M, N, D);
    dpa_options *options = private_options("alpha", "0.5", NULL);
    dpa_solution *s = solve(problem, options);
    char *json = solution_report(s, DPA_REPORT_JSON);
    char path[] = "spent_curve/0/epsilon";
    assert_int_equal(json_count(json, "spent_curve"), 8);
    for (path[12] = '0'; path[12] < '8'; ++path[12]) {
        const double delta = pow(10, path[12] - '0' - 9);
        double epsilon;
        assert_ok(dpa_privacy_epsilon(delta, json_number(json, "spent/laplace_epsilon"),
                                      json_number(json, "spent/mu"), 0, 1, &epsilon));
        assert_close(json_number(json, path), epsilon, 1e-12, 0);
    }
    free(json);
    dpa_solution_destroy(s);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

/* What calls without privacy need beside the problem: public rows, a model of theirs, options. */
typedef struct {
    dpa_problem *rows;
    const dpa_solution *model;
    const dpa_options *options;
} plain_input;

typedef void (*plain_call)(dpa_problem *problem, const plain_input *in);

static void take_fit(dpa_problem *problem, const plain_input *in) {
    dpa_solution_destroy(solve(problem, in->options));
}

static void take_discrepancy(dpa_problem *problem, const plain_input *in) {
    dpa_discrepancy *d = NULL;
    assert_ok(dpa_discrepancy_estimate(problem, in->options, &d));
    dpa_discrepancy_destroy(d);
}

static void take_choice(dpa_problem *problem, const plain_input *in) {
    size_t chosen = 1;
    assert_ok(dpa_select(problem, &in->model, 1, in->options, &chosen));
    assert_int_equal(chosen, 0);
}

static void search_with(dpa_problem *rows, dpa_problem *validation, const dpa_options *options) {
    dpa_search *search = NULL;
    dpa_solution *best = NULL;
    assert_ok(dpa_search_create(&search));
    assert_ok(dpa_search_run(search, rows, validation, NULL, options, &best));
    dpa_solution_destroy(best);
    dpa_search_destroy(search);
}

static void take_fits_of_a_search(dpa_problem *problem, const plain_input *in) {
    search_with(problem, in->rows, in->options);
}

static void take_choice_of_a_search(dpa_problem *problem, const plain_input *in) {
    search_with(in->rows, problem, in->options);
}

static void take_evaluation(dpa_problem *problem, const plain_input *in) {
    dpa_evaluation *evaluation = NULL;
    assert_ok(dpa_evaluate(problem, &in->model, 1, in->options, &evaluation));
    dpa_evaluation_destroy(evaluation);
}

static void take_calibration(dpa_problem *problem, const plain_input *in) {
    dpa_solution *calibrated = NULL;
    assert_ok(dpa_solution_calibrate(in->model, problem, in->options, &calibrated));
    dpa_solution_destroy(calibrated);
}

static const double kAnswers[] = {0, 1, 1};

static void take_counts(dpa_problem *problem, const plain_input *in) {
    double counts[2];
    assert_ok(dpa_votes_count(problem, (dpa_matrix){kAnswers, 3, 1, 1, DPA_ROW_MAJOR}, 2,
                              in->options, counts, 2, NULL));
}

static void take_mean(dpa_problem *problem, const plain_input *in) {
    double mean;
    assert_ok(dpa_votes_mean(problem, (dpa_matrix){kAnswers, 3, 1, 1, DPA_ROW_MAJOR}, 0, 1,
                             in->options, &mean, 1, NULL));
}

/* Also of fits that were made before, and of what is saved from then on. */
static void check_spoilt(plain_call take, const plain_input *in) {
    dpa_problem *problem = random_problem(1, M, N, D);
    dpa_options *options = private_options("epsilon", "2", NULL);
    assert_ok(dpa_problem_set_budget(problem, options));
    assert_ok(dpa_options_parse(options, "epsilon", "0.5"));
    dpa_solution *before = solve(problem, options), *saved = saved_and_loaded(before);
    check_words(before, "PRIVATE: ", "true", "false");
    check_promise(before, DPA_PROTECTION_GUARANTEED, 2, 1e-5);
    take(problem, in);
    dpa_solution *after = solve(problem, options);
    dpa_solution *copies[] = {saved_and_loaded(before), saved_and_loaded(after)};
    const dpa_solution *const all[] = {before, after, copies[0], copies[1]};
    for (size_t k = 0; k < LENGTH(all); ++k) {
        check_words(all[k], "NOT PRIVATE AS A WHOLE: ", "false", "false");
        check_promise(all[k], DPA_PROTECTION_IN_PART, 2, 1e-5); /* of its releases */
    }
    check_words(saved, "PRIVATE: ", "true", "false"); /* as it was when it was saved */
    check_promise(saved, DPA_PROTECTION_GUARANTEED, 2, 1e-5);
    char *json = problem_report(problem, DPA_REPORT_JSON);
    assert_true(json_is(json, "private", "false"));
    assert_true(json_is(json, "unprotected_results", "true"));
    free(json);
    for (size_t k = 0; k < LENGTH(copies); ++k) dpa_solution_destroy(copies[k]);
    dpa_solution_destroy(after);
    dpa_solution_destroy(saved);
    dpa_solution_destroy(before);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

static void results_without_protection_spoil_a_problem(void **state) {
    (void)state;
    static const plain_call calls[] = {take_fit,
                                       take_discrepancy,
                                       take_choice,
                                       take_fits_of_a_search,
                                       take_choice_of_a_search,
                                       take_evaluation,
                                       take_calibration,
                                       take_counts,
                                       take_mean};
    dpa_problem *rows = random_problem(2, M, N, D);
    dpa_options *none = public_options(NULL);
    dpa_solution *model = solve(rows, none);
    for (size_t k = 0; k < LENGTH(calls); ++k)
        check_spoilt(calls[k], &(plain_input){rows, model, none});
    dpa_solution_destroy(model);
    dpa_options_destroy(none);
    dpa_problem_destroy(rows);
}

/* Sizes of one sample beside sensitivities of another would contradict each other. */
static void a_replaced_sample_has_its_own_releases(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(1, M, N, D);
    dpa_options *options = private_options("epsilon", "2", NULL);
    const double x[10 * D] = {0}, y[10] = {0};
    assert_ok(dpa_problem_set_budget(problem, options));
    assert_ok(dpa_options_parse(options, "epsilon", "0.5"));
    dpa_solution *s = solve(problem, options);
    assert_ok(dpa_problem_set_sample(problem, DPA_TARGET, (dpa_matrix){x, 10, D, D, DPA_ROW_MAJOR},
                                     y, 10));
    char *json = problem_report(problem, DPA_REPORT_JSON);
    assert_true(json_number(json, "target_rows") == N && json_number(json, "source_rows") == M);
    assert_true(json_number(json, "releases/0/target_rows") == N);
    free(json);
    dpa_solution_destroy(solve(problem, options)); /* now there are two sizes */
    json = problem_report(problem, DPA_REPORT_JSON);
    assert_true(json_is(json, "target_rows", "null") && json_number(json, "source_rows") == M);
    free(json);
    json = solution_report(s, DPA_REPORT_JSON);
    assert_true(json_number(json, "target_rows") == N);
    free(json);
    dpa_solution_destroy(s);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

static void an_empty_problem_has_a_report(void **state) {
    (void)state;
    dpa_problem *problem = NULL;
    assert_ok(dpa_problem_create(&problem));
    char *json = problem_report(problem, DPA_REPORT_JSON);
    char *text = problem_report(problem, DPA_REPORT_TEXT);
    assert_true(json_is(json, "private", "false") && json_is(json, "budget", "null"));
    assert_true(json_number(json, "source_rows") == 0 && json_count(json, "releases") == 0);
    assert_memory_equal(text, "NOTHING RELEASED", 16);
    free(text);
    free(json);
    dpa_problem_destroy(problem);
}

static void arguments_are_checked(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(1, M, N, D);
    dpa_options *options = private_options(NULL);
    dpa_solution *s = solve(problem, options);
    char out[4] = "abc";
    size_t needed = 7;
    assert_error(dpa_problem_privacy_report(NULL, 0, out, 4, &needed), DPA_E_HANDLE, "problem");
    assert_error(dpa_solution_privacy_report(NULL, 0, out, 4, &needed), DPA_E_HANDLE, "solution");
    assert_error(dpa_problem_privacy_report(problem, 4, out, 4, &needed), DPA_E_INVALID_ARGUMENT,
                 "form", "4");
    assert_error(dpa_solution_privacy_report(s, -1, out, 4, &needed), DPA_E_INVALID_ARGUMENT,
                 "form", "-1");
    assert_int_equal(needed, 7);
    assert_error(dpa_solution_privacy_report(s, 0, out, 4, &needed), DPA_E_BUFFER, "out_len");
    assert_true(needed > 1000);
    assert_error(dpa_solution_privacy_report(s, 0, NULL, needed, NULL), DPA_E_INVALID_ARGUMENT,
                 "out");
    assert_string_equal(out, "abc");
    dpa_solution_destroy(s);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(guaranteed),
        cmocka_unit_test(the_relation_is_part_of_the_promise),
        cmocka_unit_test(seeded_noise_is_no_privacy),
        cmocka_unit_test(seeded_discrepancy_is_no_privacy),
        cmocka_unit_test(plain_fits_promise_nothing),
        cmocka_unit_test(a_report_is_of_its_time),
        cmocka_unit_test(the_curve_is_the_accountants),
        cmocka_unit_test(results_without_protection_spoil_a_problem),
        cmocka_unit_test(a_replaced_sample_has_its_own_releases),
        cmocka_unit_test(an_empty_problem_has_a_report),
        cmocka_unit_test(arguments_are_checked),
    };
    return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}

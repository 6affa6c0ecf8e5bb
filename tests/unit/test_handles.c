/* Handles that were destroyed are refused, whatever has been made in their place. */
#include "check.h"

enum { kRows = 30, kCols = 2, kMany = 1000 };

static void destroyed_tokens_and_options(void **state) {
    (void)state;
    dpa_cancel *token = NULL, *next = NULL;
    dpa_options *options = NULL, *other = NULL;
    assert_ok(dpa_cancel_create(&token));
    dpa_cancel_destroy(token);
    assert_ok(dpa_cancel_create(&next));
    assert_error(dpa_cancel_request(token), DPA_E_HANDLE, "cancel", "destroyed");
    dpa_cancel_destroy(token); /* a second time: must not take the next one's place */
    assert_ok(dpa_cancel_request(next));
    dpa_cancel_destroy(next);

    assert_ok(dpa_options_create(&options));
    dpa_options_destroy(options);
    assert_ok(dpa_options_create(&other));
    assert_error(dpa_options_set(options, "epsilon", 1), DPA_E_HANDLE, "options");
    dpa_options_destroy(options);
    assert_ok(dpa_options_set(other, "epsilon", 1));
    dpa_options_destroy(other);
}

static void destroyed_problems_have_no_budget(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(1, kRows, kRows, kCols);
    dpa_options *options = public_options(NULL);
    dpa_solution *solution = NULL;
    dpa_problem_destroy(problem);
    dpa_problem *next = random_problem(1, kRows, kRows, kCols);
    assert_error(dpa_solve(problem, NULL, options, &solution), DPA_E_HANDLE, "problem");
    assert_null(solution);
    assert_error(dpa_problem_set_budget(problem, options), DPA_E_HANDLE, "problem");
    dpa_problem_destroy(problem);
    assert_ok(dpa_solve(next, NULL, options, &solution));

    double slope[kCols];
    dpa_solution *old = solution;
    dpa_solution_destroy(solution);
    assert_ok(dpa_solve(next, NULL, options, &solution));
    assert_error(dpa_solution_array(old, "coefficients", slope, kCols), DPA_E_HANDLE, "solution");
    assert_error(dpa_solution_text(old, "loss", NULL, 0, NULL), DPA_E_HANDLE, "solution");
    assert_string_equal(solution_text(solution, "loss"), "squared");
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(next);
}

static void a_destroyed_token_stops_no_fit_but_its_options(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(1, kRows, kRows, kCols);
    dpa_options *options = public_options(NULL);
    dpa_solution *solution = NULL;
    dpa_cancel *token = NULL;
    assert_ok(dpa_cancel_create(&token));
    assert_ok(dpa_options_set_cancel(options, token));
    dpa_cancel_destroy(token);
    assert_error(dpa_solve(problem, NULL, options, &solution), DPA_E_HANDLE, "cancel");
    assert_ok(dpa_options_set_cancel(options, NULL));
    assert_ok(dpa_solve(problem, NULL, options, &solution));
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

static int32_t destroy_all(const dpa_progress *progress, void *user) {
    void **handles = user;
    (void)progress;
    dpa_problem_destroy(handles[0]);
    dpa_options_destroy(handles[1]);
    return 0;
}

/* What a call uses stays until the call ends. */
static void callbacks_destroy_what_their_call_uses(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(1, kRows, kRows, kCols);
    dpa_options *options = public_options(NULL);
    dpa_solution *solution = NULL;
    void *handles[] = {problem, options};
    size_t features = 0;
    assert_ok(dpa_options_set_progress(options, destroy_all, handles));
    assert_ok(dpa_solve(problem, NULL, options, &solution));
    assert_ok(dpa_solution_shape(solution, &features, NULL, NULL, NULL));
    assert_int_equal(features, kCols);
    assert_status(dpa_problem_shape(problem, &features, NULL, NULL), DPA_E_HANDLE);
    assert_status(dpa_options_set(options, "alpha", 1), DPA_E_HANDLE);
    dpa_solution_destroy(solution);
}

/* All are different, none is refused, and each ends but once. */
static void many_handles(void **state) {
    (void)state;
    static dpa_cancel *tokens[kMany];
    for (int round = 0; round < 3; ++round) {
        for (int k = 0; k < kMany; ++k) {
            dpa_cancel *stale = tokens[k];
            assert_ok(dpa_cancel_create(&tokens[k]));
            assert_ptr_not_equal(tokens[k], stale);
        }
        for (int k = 0; k < kMany; ++k) assert_ok(dpa_cancel_request(tokens[k]));
        for (int k = 0; k < kMany; ++k) dpa_cancel_destroy(tokens[k]);
        for (int k = 0; k < kMany; ++k) assert_status(dpa_cancel_request(tokens[k]), DPA_E_HANDLE);
    }
}

/* Tokens have a table of their own, for signal handlers. */
static void no_token_has_the_number_of_another_handle(void **state) {
    (void)state;
    static dpa_cancel *tokens[kMany];
    static dpa_options *options[kMany];
    for (int k = 0; k < kMany; ++k) {
        assert_ok(dpa_cancel_create(&tokens[k]));
        assert_ok(dpa_options_create(&options[k]));
    }
    for (int i = 0; i < kMany; ++i)
        for (int k = 0; k < kMany; ++k) assert_true((void *)tokens[i] != (void *)options[k]);
    for (int k = 0; k < kMany; ++k) {
        dpa_options_destroy((dpa_options *)tokens[k]);
        assert_ok(dpa_options_set(options[k], "alpha", 1));
        dpa_cancel_destroy(tokens[k]);
        dpa_options_destroy(options[k]);
    }
}

static void handles_of_another_type_or_of_nobody(void **state) {
    (void)state;
    dpa_cancel *token = NULL;
    double nothing[4] = {0};
    assert_ok(dpa_cancel_create(&token));
    assert_status(dpa_options_set((dpa_options *)token, "alpha", 1), DPA_E_HANDLE);
    dpa_options_destroy((dpa_options *)token);
    assert_ok(dpa_cancel_request(token));
    assert_status(dpa_cancel_request((dpa_cancel *)nothing), DPA_E_HANDLE);
    assert_status(dpa_cancel_request((dpa_cancel *)((uintptr_t)token + 16)), DPA_E_HANDLE);
    for (unsigned bit = 0; bit < 64; ++bit)
        assert_status(dpa_cancel_request((dpa_cancel *)((uintptr_t)token ^ UINT64_C(1) << bit)),
                      DPA_E_HANDLE);
    dpa_cancel_destroy(token);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_token_has_the_number_of_another_handle), /* before any other */
        cmocka_unit_test(destroyed_tokens_and_options),
        cmocka_unit_test(destroyed_problems_have_no_budget),
        cmocka_unit_test(a_destroyed_token_stops_no_fit_but_its_options),
        cmocka_unit_test(callbacks_destroy_what_their_call_uses),
        cmocka_unit_test(many_handles),
        cmocka_unit_test(handles_of_another_type_or_of_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

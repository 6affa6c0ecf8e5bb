/* options.h: progress callback and cancel token, seen through the long calls that obey them. */
#include "check.h"

typedef struct {
    int64_t calls, stop_at; /* stop_at: the call that returns stop; 0 never */
    int32_t stop;
    dpa_cancel *token; /* requested instead of returning stop */
    int wrong;         /* facts about dpa_progress that did not hold */
    char last_phase[32];
    double last_gap;
} watcher;

static int known_phase(const char *phase) {
    return phase && (!strcmp(phase, "preprocess") || !strcmp(phase, "choose alpha") ||
                     !strcmp(phase, "discrepancy") || !strcmp(phase, "solve"));
}

/* Only records: an assertion would jump out of the library. */
static int32_t watch(const dpa_progress *progress, void *user) {
    watcher *w = user;
    int64_t iteration = progress->iteration, limit = progress->limit;
    w->wrong += !known_phase(progress->phase);
    w->wrong += iteration < 0 || limit < 0 || (limit > 0 && iteration > limit);
    w->wrong += progress->objective < 0 || progress->gap < 0;
    if (known_phase(progress->phase)) strcpy(w->last_phase, progress->phase);
    w->last_gap = progress->gap;
    if (++w->calls != w->stop_at) return 0;
    if (w->token) w->wrong += dpa_cancel_request(w->token) != DPA_OK;
    return w->token ? 0 : w->stop;
}

typedef struct {
    dpa_problem *problem;
    dpa_options *options;
    dpa_cancel *token;
} fixture;

static int create(void **state) {
    static fixture f;
    f.problem = random_problem(1, 200, 60, 5);
    f.options = public_options(NULL);
    *state = &f;
    return dpa_cancel_create(&f.token) != DPA_OK;
}

static int destroy(void **state) {
    fixture *f = *state;
    dpa_problem_destroy(f->problem);
    dpa_options_destroy(f->options);
    dpa_cancel_destroy(f->token);
    return 0;
}

static void callback_sees_the_run_and_does_not_change_it(void **state) {
    fixture *f = *state;
    watcher w = {0};
    double plain[5], watched[5];
    dpa_solution *solution = solve(f->problem, f->options);
    assert_ok(dpa_solution_array(solution, "coefficients", plain, 5));
    dpa_solution_destroy(solution);
    assert_ok(dpa_options_set_progress(f->options, watch, &w));
    solution = solve(f->problem, f->options);
    assert_ok(dpa_solution_array(solution, "coefficients", watched, 5));
    dpa_solution_destroy(solution);
    assert_same_bits(plain, watched, 5);
    assert_true(w.calls > 1);
    assert_int_equal(w.wrong, 0);
    assert_string_equal(w.last_phase, "solve");
    assert_false(isnan(w.last_gap));

    int64_t calls = w.calls;
    assert_ok(dpa_options_set_progress(f->options, NULL, NULL));
    dpa_solution_destroy(solve(f->problem, f->options));
    assert_int_equal(w.calls, calls);
}

/* A cancelled call stores NULL; afterwards the same handles fit as if nothing had happened. */
static void assert_cancelled(fixture *f) {
    dpa_solution *solution = (dpa_solution *)f;
    assert_error(dpa_solve(f->problem, NULL, f->options, &solution), DPA_E_CANCELLED, "dpa_solve");
    assert_null(solution);
}

static void stopping_from_the_callback_at_every_call(void **state) {
    fixture *f = *state;
    watcher count = {0};
    assert_ok(dpa_options_set_progress(f->options, watch, &count));
    dpa_solution_destroy(solve(f->problem, f->options));
    for (int64_t k = 1; k <= count.calls; ++k) {
        watcher w = {.stop_at = k, .stop = k % 2 ? 1 : -7};
        assert_ok(dpa_options_set_progress(f->options, watch, &w));
        assert_cancelled(f);
        assert_int_equal(w.calls, k);
    }
    assert_ok(dpa_options_set_progress(f->options, NULL, NULL));
    dpa_solution_destroy(solve(f->problem, f->options));
}

static void token_requested_before_the_call(void **state) {
    fixture *f = *state;
    assert_ok(dpa_options_set_cancel(f->options, f->token));
    assert_ok(dpa_cancel_request(f->token));
    assert_ok(dpa_cancel_request(f->token));
    assert_cancelled(f);
    dpa_discrepancy *discrepancy = (dpa_discrepancy *)f;
    assert_error(dpa_discrepancy_estimate(f->problem, f->options, &discrepancy), DPA_E_CANCELLED,
                 "dpa_discrepancy_estimate");
    assert_null(discrepancy);
    assert_cancelled(f); /* the request stays */
    assert_ok(dpa_options_set_cancel(f->options, NULL));
    dpa_solution_destroy(solve(f->problem, f->options));
}

static void token_requested_during_the_call(void **state) {
    fixture *f = *state;
    watcher w = {.stop_at = 2, .token = f->token};
    assert_ok(dpa_options_set_cancel(f->options, f->token));
    assert_ok(dpa_options_set_progress(f->options, watch, &w));
    assert_cancelled(f);
    assert_int_equal(w.wrong, 0);
    assert_ok(dpa_options_set_cancel(f->options, NULL));
    assert_ok(dpa_options_set_progress(f->options, NULL, NULL));
    dpa_solution_destroy(solve(f->problem, f->options));
}

static void token_and_callback_can_be_dropped(void **state) {
    fixture *f = *state;
    watcher w = {.stop_at = 1, .stop = 1};
    assert_ok(dpa_cancel_request(f->token));
    assert_ok(dpa_options_set_cancel(f->options, f->token));
    assert_ok(dpa_options_set_cancel(f->options, NULL));
    dpa_solution_destroy(solve(f->problem, f->options));
    assert_ok(dpa_options_set_cancel(f->options, f->token));
    assert_ok(dpa_options_set_progress(f->options, watch, &w));
    assert_ok(dpa_options_set_cancel(f->options, NULL));
    assert_ok(dpa_options_set_progress(f->options, NULL, NULL));
    dpa_solution_destroy(solve(f->problem, f->options));
    assert_int_equal(w.calls, 0);
}

static void discrepancy_reports_and_stops(void **state) {
    fixture *f = *state;
    static const char *const methods[] = {"trust_region", "dca"};
    for (size_t i = 0; i < LENGTH(methods); ++i) {
        watcher w = {.stop_at = 1, .stop = 1};
        dpa_discrepancy *discrepancy = (dpa_discrepancy *)f;
        assert_ok(dpa_options_parse(f->options, "discrepancy_method", methods[i]));
        assert_ok(dpa_options_set_progress(f->options, watch, &w));
        assert_status(dpa_discrepancy_estimate(f->problem, f->options, &discrepancy),
                      DPA_E_CANCELLED);
        assert_null(discrepancy);
        assert_int_equal(w.wrong, 0);
        w.stop_at = 0;
        assert_ok(dpa_discrepancy_estimate(f->problem, f->options, &discrepancy));
        dpa_discrepancy_destroy(discrepancy);
        assert_int_equal(w.wrong, 0);
    }
}

static int32_t stop_at_call(const dpa_progress *progress, void *user) {
    watcher *w = user;
    w->wrong += !progress->phase;
    return ++w->calls == w->stop_at;
}

/* How often a private fit of so many target rows reports; 0 if it was stopped. */
static int64_t private_calls(size_t rows, const char *threads, int64_t stop_at) {
    watcher w = {.stop_at = stop_at};
    dpa_options *options = NULL;
    dpa_solution *solution = NULL;
    dpa_problem *problem = random_problem(2, 300, rows, 40);
    assert_ok(dpa_options_create(&options));
    assert_ok(dpa_options_parse(options, "epsilon", "1"));
    assert_ok(dpa_options_parse(options, "delta", "1e-6"));
    assert_ok(dpa_options_parse(options, "threads", threads));
    assert_ok(dpa_options_set_progress(options, stop_at_call, &w));
    assert_status(dpa_solve(problem, NULL, options, &solution), stop_at ? DPA_E_CANCELLED : DPA_OK);
    assert_int_equal(w.wrong, 0);
    if (stop_at) assert_int_equal(w.calls, stop_at);
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    return stop_at ? 0 : w.calls;
}

/* Not between passes only: 20000 records of 40 features are taken in several pieces. */
static void a_pass_over_private_records_can_be_stopped(void **state) {
    (void)state;
    const int64_t few = private_calls(1000, "1", 0), many = private_calls(20000, "1", 0);
    assert_int_equal(private_calls(20000, "2", 0), many);
    assert_true(many >= few + 60); /* three more in each of twenty steps at least */
    for (int64_t k = 2; k <= many; k += many / 4) (void)private_calls(20000, "2", k);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, create, destroy)
    const struct CMUnitTest tests[] = {
        TEST(callback_sees_the_run_and_does_not_change_it),
        TEST(stopping_from_the_callback_at_every_call),
        TEST(token_requested_before_the_call),
        TEST(token_requested_during_the_call),
        TEST(token_and_callback_can_be_dropped),
        TEST(discrepancy_reports_and_stops),
        TEST(a_pass_over_private_records_can_be_stopped),
    };
    return cmocka_run_group_tests_name("control", tests, NULL, NULL);
}

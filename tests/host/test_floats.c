/* The floating-point state of the host: it changes no result, kills no call, and is as it was after
 * the call and in every function of the host that the call calls. */
#define _GNU_SOURCE
#include <fenv.h>
#include <pthread.h>

#include "host/fits.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
enum { kTiny = 0x8040 }; /* flush to zero, denormals are zero */
#endif

typedef struct {
    const char *name;
    int rounding;
    int traps;
    int tiny; /* whether tiny numbers are zero */
} state_case;

static const state_case states[] = {
    {"plain", FE_TONEAREST, 0, 0},
    {"up", FE_UPWARD, 0, 0},
    {"down", FE_DOWNWARD, 0, 0},
    {"to zero", FE_TOWARDZERO, 0, 0},
    {"tiny", FE_TONEAREST, 0, 1},
    {"traps", FE_TONEAREST, FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW, 0},
    {"all", FE_UPWARD, FE_ALL_EXCEPT & ~FE_INEXACT, 1},
};

static void enter(const state_case *state) {
    feclearexcept(FE_ALL_EXCEPT);
    fesetround(state->rounding);
#if defined(__GLIBC__)
    if (state->traps) feenableexcept(state->traps);
#endif
#if defined(__x86_64__)
    if (state->tiny) _mm_setcsr(_mm_getcsr() | kTiny);
#endif
}

/* Whether that state, with no flag but those of the mask. */
static int is_in(const state_case *state, int flags) {
    int same = fegetround() == state->rounding && (fetestexcept(FE_ALL_EXCEPT) & ~flags) == 0;
#if defined(__GLIBC__)
    same = same && fegetexcept() == state->traps;
#endif
#if defined(__x86_64__)
    same = same && (_mm_getcsr() & kTiny) == (state->tiny ? kTiny : 0u);
#endif
    return same;
}

static void leave(void) { fesetenv(FE_DFL_ENV); }

typedef struct {
    const state_case *state;
    int flags; /* that may be raised: by a loss of the host's */
    int left;  /* as it was found after the call */
    int rounding;
} visit;

static void before(void *around) { enter(((visit *)around)->state); }

static void after(void *around) {
    visit *now = around;
    now->left = is_in(now->state, now->flags);
    now->rounding = fegetround();
    leave();
}

static void every_fit_gives_the_same_bits_and_leaves_the_state(void **unused) {
    (void)unused;
    make_plain_results();
    for (size_t s = 0; s < LENGTH(states); ++s) {
        for (size_t k = 0; k < LENGTH(fit_kinds); ++k) {
            const int own_loss = strstr(fit_kinds[k].name, "custom") != NULL;
            visit now = {.state = &states[s], .flags = own_loss ? FE_ALL_EXCEPT : 0};
            host_call call = {.before = before, .after = after, .around = &now};
            const int difference = differs(k, &call);
            if (difference || !now.left)
                print_error("%s, state %s: %s, %s\n", fit_kinds[k].name, states[s].name,
                            difference ? dpa_last_error() : "same", now.left ? "left" : "changed");
            /* Numbers of a loss of the host's are rounded as the host does. */
            if (!own_loss || states[s].rounding == FE_TONEAREST) assert_int_equal(difference, 0);
            assert_true(difference == 0 || difference == 3);
            assert_true(now.left);
        }
    }
}

/* Rows, predictions and reports too, which are many small calls. */
static void small_calls_leave_the_state(void **unused) {
    (void)unused;
    static const double x[4] = {1, 2, 3, 4};
    dpa_problem *problem = random_problem(1, 40, 20, 1);
    dpa_options *options = public_options(NULL);
    dpa_solution *solution = solve(problem, options);
    double wanted[4], got[4], epsilon = 0;
    assert_ok(dpa_solution_predict(solution, DPA_PREDICT_LABELS,
                                   (dpa_matrix){x, 4, 1, 1, DPA_ROW_MAJOR}, wanted, 4));
    for (size_t s = 0; s < LENGTH(states); ++s) {
        enter(&states[s]);
        feraiseexcept(states[s].traps & FE_DIVBYZERO ? FE_INEXACT : FE_DIVBYZERO);
        const int raised = fetestexcept(FE_ALL_EXCEPT);
        const dpa_status predicted = dpa_solution_predict(
            solution, DPA_PREDICT_LABELS, (dpa_matrix){x, 4, 1, 1, DPA_ROW_MAJOR}, got, 4);
        const dpa_status priced = dpa_privacy_epsilon(1e-5, 0, 1.5, 0, 1, &epsilon);
        const dpa_status refused = dpa_options_parse(options, "alpha", "nonsense");
        const int left = is_in(&states[s], raised) && fetestexcept(FE_ALL_EXCEPT) == raised;
        leave();
        assert_ok(predicted);
        assert_ok(priced);
        assert_true(refused != DPA_OK && left);
        assert_same_bits(got, wanted, 4);
    }
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

/* What the functions of the host have seen. */
static const state_case *const g_host = &states[LENGTH(states) - 1];
static int g_calls, g_wrong;

static void look(void) {
    ++g_calls;
    g_wrong += !is_in(g_host, FE_ALL_EXCEPT);
    feclearexcept(FE_ALL_EXCEPT); /* of its own */
}

static int32_t look_at_progress(const dpa_progress *progress, void *user) {
    (void)progress;
    (void)user;
    look();
    return 0;
}

static int32_t look_at_loss(const double *x, size_t rows, size_t features, const double *label,
                            const double *theta, size_t parameters, double *losses,
                            double *gradients, void *user) {
    look();
    return own_logistic(x, rows, features, label, theta, parameters, losses, gradients, user);
}

static int32_t look_at_entry(uint64_t sequence, const uint8_t *entry, size_t entry_len,
                             void *user) {
    (void)sequence;
    (void)entry;
    (void)entry_len;
    (void)user;
    look();
    return 0;
}

static int32_t look_at_pass(const uint8_t *request, size_t request_len, dpa_partial *total,
                            void *user) {
    const instance *a = user;
    (void)request;
    (void)request_len;
    look();
    const dpa_status status = dpa_partial_add(
        total, (dpa_matrix){a->xt, a->n, a->d, a->d, DPA_ROW_MAJOR}, a->yt, a->n, NULL, 0);
    look(); /* after a call within a call */
    return status == DPA_OK ? 0 : 1;
}

static void enter_host(void *unused) {
    (void)unused;
    enter(g_host);
}

static void leave_host(void *unused) {
    (void)unused;
    g_wrong += !is_in(g_host, FE_ALL_EXCEPT);
    leave();
}

static void assert_seen(void) {
    assert_true(g_calls > 0);
    assert_int_equal(g_wrong, 0);
    g_calls = 0;
}

static void progress_loss_and_store_run_in_the_hosts_state(void **unused) {
    (void)unused;
    dpa_options *budget = NULL;
    dpa_ledger *ledger = NULL;
    assert_ok(dpa_options_create(&budget));
    assert_ok(dpa_options_parse(budget, "epsilon", "600"));
    assert_ok(dpa_options_parse(budget, "delta", "1e-2"));
    assert_ok(dpa_ledger_create(NULL, budget, 0, &ledger));
    assert_ok(dpa_ledger_set_store(ledger, look_at_entry, NULL));
    for (size_t k = 0; k < LENGTH(fit_kinds); ++k) {
        host_call call = {.before = enter_host, .after = leave_host};
        const int is_private = !strncmp(fit_kinds[k].name, "private", 7);
        for (int what = 0; what < 3; ++what) {
            call.progress = what == 0 ? look_at_progress : NULL;
            call.loss = what == 1 ? look_at_loss : NULL;
            call.ledger = what == 2 && is_private ? ledger : NULL;
            assert_ok(run_kind(&fit_kinds[k], &call));
        }
        if (strstr(fit_kinds[k].name, "coral") == NULL) assert_seen();
    }
    dpa_ledger_destroy(ledger);
    dpa_options_destroy(budget);
}

static void passes_run_in_the_hosts_state(void **unused) {
    (void)unused;
    instance a = instance_random(2, 60, 40, 2);
    dpa_problem *problem = NULL;
    dpa_options *options = NULL;
    dpa_solution *solution = NULL;
    assert_ok(dpa_problem_create(&problem));
    assert_ok(dpa_options_create(&options));
    assert_ok(dpa_options_parse(options, "epsilon", "2"));
    assert_ok(dpa_options_parse(options, "delta", "1e-3"));
    assert_ok(dpa_problem_set_sample(problem, DPA_SOURCE,
                                     (dpa_matrix){a.xs, a.m, a.d, a.d, DPA_ROW_MAJOR}, a.ys, a.m));
    assert_ok(dpa_problem_set_passes(problem, DPA_TARGET, a.n, a.d, look_at_pass, &a));
    enter(g_host);
    const dpa_status status = dpa_solve(problem, NULL, options, &solution);
    leave_host(NULL);
    assert_ok(status);
    assert_seen();
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

static void release_schema(struct ArrowSchema *schema) {
    look();
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array) {
    look();
    array->release = NULL;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    (void)stream;
    look();
    memset(out, 0, sizeof *out);
    out->format = "+s"; /* without columns: refused, after it has been looked at */
    out->release = release_schema;
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    (void)stream;
    look();
    memset(out, 0, sizeof *out);
    out->release = release_array;
    return 0;
}

static void arrow_is_released_in_the_hosts_state(void **unused) {
    (void)unused;
    static const char *const features[] = {"a"};
    struct ArrowArrayStream stream = {.get_schema = get_schema, .get_next = get_next};
    stream.release = (void (*)(struct ArrowArrayStream *))(void (*)(void))release_array;
    dpa_problem *problem = NULL;
    assert_ok(dpa_problem_create(&problem));
    enter(g_host);
    const dpa_status status = dpa_problem_set_arrow(problem, DPA_SOURCE, &stream, features, 1, "y");
    leave_host(NULL);
    assert_true(status != DPA_OK);
    assert_true(g_calls >= 2);
    assert_seen();
    dpa_problem_destroy(problem);
}

static int32_t turn_down(const dpa_progress *progress, void *user) {
    (void)progress;
    (void)user;
    fesetround(FE_DOWNWARD);
    return 0;
}

static void what_a_callback_sets_is_the_hosts(void **unused) {
    (void)unused;
    visit now = {.state = &states[0]};
    host_call call = {.progress = turn_down, .before = before, .after = after, .around = &now};
    make_plain_results();
    assert_int_equal(differs(0, &call), 0);
    assert_int_equal(now.rounding, FE_DOWNWARD);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fit_gives_the_same_bits_and_leaves_the_state),
        cmocka_unit_test(small_calls_leave_the_state),
        cmocka_unit_test(progress_loss_and_store_run_in_the_hosts_state),
        cmocka_unit_test(passes_run_in_the_hosts_state),
        cmocka_unit_test(arrow_is_released_in_the_hosts_state),
        cmocka_unit_test(what_a_callback_sets_is_the_hosts),
    };
    return cmocka_run_group_tests_name("floats", tests, NULL, NULL);
}

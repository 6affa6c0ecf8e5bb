/* What each exported function does on a locked problem, by the table in tests/rights: calls that
 * change a sample, whose it is or what it is promised are refused, before a release and after. */
#define _POSIX_C_SOURCE 200809L

#include <dpadapt/inspect.h>

#include "unit/arrow.h"
#include "unit/private.h"
#include "unit/rights.h"

enum { M = 40, N = 30, D = 2 };

/* A locked problem, and whatever calls need besides. */
typedef struct {
    instance data;
    dpa_problem *problem, *other;
    dpa_ledger *ledger, *own;
    dpa_solution *solution;
    dpa_search *search;
} scene;

typedef dpa_status (*act)(scene *s, const dpa_options *options);

typedef struct {
    const char *function;
    act call;
} row;

static const double kNumbers[M] = {0};
static int64_t ids[M]; /* of persons with two rows each */

static int32_t no_pass(const uint8_t *request, size_t request_len, dpa_partial *total, void *user) {
    (void)request, (void)request_len, (void)total, (void)user;
    return 1;
}

/* For one domain, DPA_SOURCE or DPA_TARGET. */
#define SETTER(name, domain, rows, x, y)                                               \
    static dpa_status name(scene *s, const dpa_options *options) {                     \
        (void)options;                                                                 \
        const dpa_matrix features = {s->data.x, rows, D, D, 1};                        \
        return dpa_problem_set_sample(s->problem, domain, features, s->data.y, rows);  \
    }                                                                                  \
    static dpa_status lend_##name(scene *s, const dpa_options *options) {              \
        (void)options;                                                                 \
        const dpa_matrix features = {s->data.x, rows, D, D, 1};                        \
        return dpa_problem_lend_sample(s->problem, domain, features, s->data.y, rows); \
    }
SETTER(source, DPA_SOURCE, M, xs, ys)
SETTER(target, DPA_TARGET, N, xt, yt)

#define TELLER(name, what, domain, values, rows)                         \
    static dpa_status name(scene *s, const dpa_options *options) {       \
        (void)options;                                                   \
        return dpa_problem_set_##what(s->problem, domain, values, rows); \
    }
TELLER(source_groups, groups, DPA_SOURCE, ids, M)
TELLER(target_groups, groups, DPA_TARGET, ids, N)
TELLER(source_weights, weights, DPA_SOURCE, kNumbers, M)
TELLER(target_weights, weights, DPA_TARGET, kNumbers, N)
TELLER(source_scores, scores, DPA_SOURCE, kNumbers, M)
TELLER(target_scores, scores, DPA_TARGET, kNumbers, N)

static dpa_status source_passes(scene *s, const dpa_options *options) {
    (void)options;
    return dpa_problem_set_passes(s->problem, DPA_SOURCE, M, D, no_pass, NULL);
}

static dpa_status target_passes(scene *s, const dpa_options *options) {
    (void)options;
    return dpa_problem_set_passes(s->problem, DPA_TARGET, N, D, no_pass, NULL);
}

static dpa_status group_passes(scene *s, const dpa_options *options) {
    (void)options;
    return dpa_problem_set_passes(s->problem, DPA_PERSONS, N, D, no_pass, NULL);
}

static dpa_status set_arrow(scene *s, int32_t domain) {
    arrow_list_batch b;
    arrow_make_lists(&b, s->data.xt, s->data.yt, N, D, 0);
    arrow_source source = {&b.batch, 1, 0, 0, 0};
    struct ArrowArrayStream stream = arrow_stream_of(&source);
    const dpa_status status = dpa_problem_set_arrow(s->problem, domain, &stream, NULL, 0, "y");
    if (stream.release) stream.release(&stream);
    return status;
}

static dpa_status source_arrow(scene *s, const dpa_options *options) {
    (void)options;
    return set_arrow(s, DPA_SOURCE);
}

static dpa_status target_arrow(scene *s, const dpa_options *options) {
    (void)options;
    return set_arrow(s, DPA_TARGET);
}

static dpa_status set_source_map(scene *s, const dpa_options *options) {
    static const double kMap[D * D] = {1, 0, 0, 1};
    (void)options;
    return dpa_problem_set_source_map(s->problem, (dpa_matrix){kMap, D, D, D, 1}, NULL, 0);
}

static dpa_status set_budget(scene *s, const dpa_options *options) {
    return dpa_problem_set_budget(s->problem, options);
}

static dpa_status use_ledger(scene *s, const dpa_options *options) {
    (void)options;
    return dpa_problem_use_ledger(s->problem, s->ledger);
}

static dpa_status use_ledger_for_job(scene *s, const dpa_options *options) {
    static const uint8_t kKey[32] = {1};
    (void)options;
    return dpa_problem_use_ledger_for_job(s->problem, s->ledger, "job", kKey, sizeof kKey);
}

static dpa_status lock(scene *s, const dpa_options *options) {
    return dpa_problem_lock(s->problem, options);
}

static dpa_status inspect(scene *s, const dpa_options *options) {
    size_t n = 0;
    return dpa_inspect_private(s->problem, options, NULL, 0, &n);
}

static dpa_status solution_or(dpa_status status, dpa_solution *made) {
    dpa_solution_destroy(made);
    return status;
}

static dpa_status fit(scene *s, const dpa_options *options) {
    dpa_solution *made = NULL;
    const dpa_status status = dpa_solve(s->problem, NULL, options, &made);
    return solution_or(status, made);
}

static dpa_status baseline(scene *s, const dpa_options *options) {
    char domain[16];
    dpa_solution *made = NULL;
    assert_ok(dpa_options_get(options, "private_domain", domain, sizeof domain, NULL));
    const char *method = strcmp(domain, "none") == 0 ? "source_only" : "joint_ssp";
    const dpa_status status = dpa_baseline_solve(s->problem, method, options, &made);
    return solution_or(status, made);
}

static dpa_status run_search(scene *s, const dpa_options *options) {
    dpa_solution *made = NULL;
    const dpa_status status = dpa_search_run(s->search, s->other, s->problem, NULL, options, &made);
    return solution_or(status, made);
}

static dpa_status search_its_fits(scene *s, const dpa_options *options) {
    dpa_solution *made = NULL;
    const dpa_status status = dpa_search_run(s->search, s->problem, s->other, NULL, options, &made);
    return solution_or(status, made);
}

static dpa_status estimate(scene *s, const dpa_options *options) {
    dpa_discrepancy *made = NULL;
    const dpa_status status = dpa_discrepancy_estimate(s->problem, options, &made);
    dpa_discrepancy_destroy(made);
    return status;
}

static dpa_status evaluate(scene *s, const dpa_options *options) {
    const dpa_solution *solutions[] = {s->solution};
    dpa_evaluation *made = NULL;
    const dpa_status status = dpa_evaluate(s->problem, solutions, 1, options, &made);
    dpa_evaluation_destroy(made);
    return status;
}

static dpa_status calibrate(scene *s, const dpa_options *options) {
    dpa_solution *made = NULL;
    const dpa_status status = dpa_solution_calibrate(s->solution, s->problem, options, &made);
    dpa_solution_destroy(made);
    return status;
}

static dpa_status count_votes(scene *s, const dpa_options *options) {
    const double answers[] = {0, 1, 1, 0};
    double counts[4];
    return dpa_votes_count(s->problem, (dpa_matrix){answers, 2, 2, 2, DPA_ROW_MAJOR}, 2, options,
                           counts, 4, NULL);
}

static dpa_status mean_vote(scene *s, const dpa_options *options) {
    const double answers[] = {0, 1, 1, 0};
    double means[2];
    return dpa_votes_mean(s->problem, (dpa_matrix){answers, 2, 2, 2, DPA_ROW_MAJOR}, 0, 1, options,
                          means, 2, NULL);
}

static dpa_status choose(scene *s, const dpa_options *options) {
    const dpa_solution *solutions[] = {s->solution, s->solution};
    size_t chosen = 0;
    return dpa_select(s->problem, solutions, 2, options, &chosen);
}

static dpa_status plan_or(dpa_status status, dpa_plan *made) {
    dpa_plan_destroy(made);
    return status;
}

static dpa_status plan(scene *s, const dpa_options *options) {
    dpa_plan *made = NULL;
    const dpa_status status = dpa_plan_for_problem(s->problem, options, &made);
    return plan_or(status, made);
}

static dpa_status forecast(scene *s, const dpa_options *options) {
    dpa_plan *made = NULL;
    const dpa_status status = dpa_plan_forecast(s->problem, N, options, &made);
    return plan_or(status, made);
}

static dpa_status plan_baseline(scene *s, const dpa_options *options) {
    dpa_plan *made = NULL;
    const dpa_status status = dpa_baseline_plan(s->problem, "joint_ssp", options, &made);
    return plan_or(status, made);
}

static dpa_status shape(scene *s, const dpa_options *options) {
    size_t size = 0;
    (void)options;
    return dpa_problem_shape(s->problem, &size, &size, &size);
}

static dpa_status budget(scene *s, const dpa_options *options) {
    double value = 0;
    (void)options;
    return dpa_problem_budget(s->problem, "left_mu", &value);
}

static dpa_status report(scene *s, const dpa_options *options) {
    size_t size = 0;
    (void)options;
    const dpa_status status =
        dpa_problem_privacy_report(s->problem, DPA_REPORT_JSON, NULL, 0, &size);
    return status == DPA_E_BUFFER ? DPA_OK : status;
}

/* The handle ends with the scene. */
static dpa_status destroy(scene *s, const dpa_options *options) {
    (void)s, (void)options;
    return DPA_OK;
}

static const row kRows[] = {
    {"dpa_problem_set_sample", source},
    {"dpa_problem_set_sample", target},
    {"dpa_problem_lend_sample", lend_source},
    {"dpa_problem_lend_sample", lend_target},
    {"dpa_problem_set_groups", source_groups},
    {"dpa_problem_set_groups", target_groups},
    {"dpa_problem_set_weights", source_weights},
    {"dpa_problem_set_weights", target_weights},
    {"dpa_problem_set_scores", source_scores},
    {"dpa_problem_set_scores", target_scores},
    {"dpa_problem_set_passes", source_passes},
    {"dpa_problem_set_passes", target_passes},
    {"dpa_problem_set_passes", group_passes},
    {"dpa_problem_set_arrow", source_arrow},
    {"dpa_problem_set_arrow", target_arrow},
    {"dpa_problem_set_source_map", set_source_map},
    {"dpa_problem_set_budget", set_budget},
    {"dpa_problem_use_ledger", use_ledger},
    {"dpa_problem_use_ledger_for_job", use_ledger_for_job},
    {"dpa_problem_lock", lock},
    {"dpa_inspect_private", inspect},
    {"dpa_solve", fit},
    {"dpa_baseline_solve", baseline},
    {"dpa_search_run", run_search},
    {"dpa_search_run", search_its_fits},
    {"dpa_discrepancy_estimate", estimate},
    {"dpa_evaluate", evaluate},
    {"dpa_solution_calibrate", calibrate},
    {"dpa_votes_count", count_votes},
    {"dpa_votes_mean", mean_vote},
    {"dpa_select", choose},
    {"dpa_plan_for_problem", plan},
    {"dpa_plan_forecast", forecast},
    {"dpa_baseline_plan", plan_baseline},
    {"dpa_problem_shape", shape},
    {"dpa_problem_budget", budget},
    {"dpa_problem_privacy_report", report},
    {"dpa_problem_destroy", destroy},
};

static int has_call(const char *function) {
    for (size_t k = 0; k < LENGTH(kRows); ++k)
        if (strcmp(kRows[k].function, function) == 0) return 1;
    return 0;
}

typedef struct {
    right rows[kMostFunctions];
    size_t count, seen;
} table;

static void check_function(const char *function, int of_a_problem, void *user) {
    table *rights = user;
    const char *given = right_of(rights->rows, rights->count, function);
    if (!given) fail_msg("%s has no row in tests/rights/rights.txt", function);
    if (of_a_problem == (strcmp(given, "apart") == 0))
        fail_msg("%s is %s, but its declaration says otherwise", function, given);
    if (of_a_problem != has_call(function)) fail_msg("%s: no call, or one too many", function);
    ++rights->seen;
}

static void every_exported_function_has_a_right(void **state) {
    (void)state;
    static table rights;
    rights.count = read_rights(rights.rows);
    visit_headers(check_function, &rights);
    assert_int_equal(rights.seen, rights.count);
}

/* What a lock keeps. */
static char *kept(const scene *s) {
    static const char *const names[] = {"epsilon", "delta",           "neighbours",
                                        "mu",      "laplace_epsilon", "pure_epsilon"};
    char *text = calloc(1, 4096);
    size_t m = 0, n = 0, d = 0;
    assert_non_null(text);
    assert_ok(dpa_problem_shape(s->problem, &m, &n, &d));
    int at = snprintf(text, 4096, "%zu %zu %zu", m, n, d);
    for (size_t k = 0; k < LENGTH(names); ++k) {
        double value = NAN;
        assert_ok(dpa_problem_budget(s->problem, names[k], &value));
        at += snprintf(text + at, 4096 - (size_t)at, " %s=%.17g", names[k], value);
    }
    return text;
}

static double spent(const scene *s) {
    static const char *const names[] = {"spent_mu", "spent_laplace_epsilon", "spent_pure_epsilon"};
    double sum = 0;
    for (size_t k = 0; k < LENGTH(names); ++k) {
        double value = NAN;
        assert_ok(dpa_problem_budget(s->problem, names[k], &value));
        sum += value;
    }
    return sum;
}

static void assert_refused(const row *r, scene *s, const dpa_options *options, const char *what) {
    const dpa_status status = r->call(s, options);
    if (status == DPA_E_STATE) return;
    fail_msg("%s, %s: %s, %s", r->function, what, dpa_status_string(status), dpa_last_error());
}

/* Would see the rows. */
static int32_t must_not_be_called(const double *x, size_t rows, size_t features,
                                  const double *label, const double *theta, size_t parameters,
                                  double *losses, double *gradients, void *user) {
    (void)x, (void)rows, (void)features, (void)label, (void)theta, (void)parameters;
    (void)losses, (void)gradients, (void)user;
    fail_msg("a callback saw the rows of a locked problem");
    return 1;
}

/* With another private domain, known noise, or the caller's loss, nothing that pays is done. */
static void assert_others_are_refused(const row *r, scene *s) {
    dpa_options *none = public_options(NULL);
    assert_refused(r, s, none, "private_domain = none");
    dpa_options_destroy(none);
    dpa_options *seeded = private_options("unsafe_seed", "1", NULL);
    assert_refused(r, s, seeded, "unsafe_seed");
    dpa_options_destroy(seeded);
    dpa_options *own = private_options("selection_epsilon", "0.5", "selection_bound", "4", NULL);
    assert_ok(dpa_options_set_loss(own, must_not_be_called, NULL, D + 1, 1, 1, 1));
    if (r->call(s, own) == DPA_OK) fail_msg("%s takes the caller's loss", r->function);
    dpa_options_destroy(own);
}

static void check_call(const row *r, const char *given, scene *s, const dpa_options *options) {
    char *before = kept(s), *report = problem_report(s->problem, DPA_REPORT_JSON);
    const double paid = spent(s);
    if (strcmp(given, "refused") == 0) {
        assert_refused(r, s, options, "on a locked problem");
    } else {
        const dpa_status status = r->call(s, options);
        if (status) fail_msg("%s: %s", r->function, dpa_last_error());
    }
    char *after = kept(s), *then = problem_report(s->problem, DPA_REPORT_JSON);
    assert_string_equal(before, after);
    const int pays = strcmp(given, "pay") == 0;
    if (pays != (spent(s) > paid)) fail_msg("%s: paid or not", r->function);
    if (!pays) assert_string_equal(report, then);
    if (pays) assert_others_are_refused(r, s);
    free(before);
    free(after);
    free(report);
    free(then);
}

/* How the problem was locked. */
typedef enum { kBudget, kPersons, kLedger, kWays } way;

static dpa_options *custodians_budget(void) {
    return private_options("epsilon", "60", "delta", "1e-3", "selection_epsilon", "20",
                           "discrepancy_share", "0.3", NULL);
}

static scene locked(way how) {
    scene s = {instance_random(1, M, N, D), NULL, NULL, NULL, NULL, NULL, NULL};
    dpa_options *options = custodians_budget(), *nothing = public_options(NULL);
    s.problem = instance_problem(&s.data);
    s.other = random_problem(2, M, N, D);
    s.solution = solve(s.other, nothing);
    dpa_problem_destroy(s.other);
    s.other = random_problem(2, M, N, D);
    assert_ok(dpa_problem_set_budget(s.other, options));
    assert_ok(dpa_ledger_create(NULL, options, 0, &s.ledger));
    if (how == kPersons) assert_ok(dpa_problem_set_groups(s.problem, DPA_TARGET, ids, N));
    if (how == kLedger) {
        assert_ok(dpa_ledger_create(NULL, options, 1, &s.own));
        assert_ok(dpa_problem_use_ledger(s.problem, s.own));
    } else {
        assert_ok(dpa_problem_set_budget(s.problem, options));
        assert_ok(dpa_problem_lock(s.problem, options));
    }
    assert_ok(dpa_search_create(&s.search));
    assert_ok(dpa_search_add(s.search, "shrinkage", "2,3"));
    dpa_options_destroy(nothing);
    dpa_options_destroy(options);
    return s;
}

static void end(scene *s) {
    dpa_search_destroy(s->search);
    dpa_solution_destroy(s->solution);
    dpa_problem_destroy(s->problem);
    dpa_problem_destroy(s->other);
    dpa_ledger_destroy(s->ledger);
    dpa_ledger_destroy(s->own);
    instance_free(s->data);
}

static void each_has_its_right_before_a_release_and_after(void **state) {
    (void)state;
    static table rights;
    rights.count = read_rights(rights.rows);
    dpa_options *call =
        private_options("delta", "1e-6", "selection_epsilon", "0.5", "selection_bound", "4", NULL);
    for (int how = kBudget; how < kWays; ++how) {
        scene s = locked((way)how);
        for (int paid = 0; paid < 2; ++paid) /* what pays comes last */
            for (int pays = 0; pays < 2; ++pays)
                for (size_t k = 0; k < LENGTH(kRows); ++k) {
                    const char *given = right_of(rights.rows, rights.count, kRows[k].function);
                    if ((strcmp(given, "pay") == 0) == pays) check_call(&kRows[k], given, &s, call);
                }
        end(&s);
    }
    dpa_options_destroy(call);
}

static void a_lock_hides_how_many_rows_persons_have(void **state) {
    (void)state;
    size_t rows = 0;
    scene s = locked(kPersons);
    assert_ok(dpa_problem_shape(s.problem, NULL, &rows, NULL));
    assert_int_equal(rows, N / 2);
    end(&s);
}

static void a_lock_needs_the_custodians_budget(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(1, M, N, D);
    dpa_options *options = private_options(NULL);
    dpa_ledger *ledger = NULL;
    assert_error(dpa_problem_lock(problem, options), DPA_E_STATE, "has no budget yet",
                 "dpa_problem_set_budget or dpa_problem_use_ledger");
    assert_ok(dpa_ledger_create(NULL, options, 0, &ledger));
    assert_ok(dpa_problem_use_ledger(problem, ledger));
    assert_ok(dpa_problem_lock(problem, options));
    assert_ok(dpa_problem_lock(problem, options));
    dpa_options *both = both_private(NULL, NULL);
    assert_error(dpa_problem_lock(problem, both), DPA_E_STATE, "private_domain");
    dpa_options_destroy(both);
    dpa_ledger_destroy(ledger);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

/* A ledger that locks may come first; a sample that was set is closed then. */
static void a_sample_of_a_locked_problem_is_set_once(void **state) {
    (void)state;
    instance a = instance_random(1, M, N, D);
    dpa_problem *problem = NULL;
    dpa_ledger *ledger = NULL;
    dpa_options *options = private_options(NULL);
    assert_ok(dpa_problem_create(&problem));
    assert_ok(dpa_ledger_create(NULL, options, 1, &ledger));
    assert_ok(dpa_problem_use_ledger(problem, ledger));
    assert_ok(dpa_problem_set_sample(problem, DPA_SOURCE, (dpa_matrix){a.xs, M, D, D, 1}, a.ys, M));
    assert_error(dpa_problem_set_weights(problem, DPA_SOURCE, kNumbers, M), DPA_E_STATE, "locked");
    assert_ok(dpa_problem_set_sample(problem, DPA_TARGET, (dpa_matrix){a.xt, N, D, D, 1}, a.yt, N));
    assert_error(dpa_problem_set_groups(problem, DPA_TARGET, ids, N), DPA_E_STATE, "locked");
    dpa_solution_destroy(solve(problem, options));
    dpa_ledger_destroy(ledger);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

int main(void) {
    for (int64_t k = 0; k < M; ++k) ids[k] = k / 2;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_exported_function_has_a_right),
        cmocka_unit_test(each_has_its_right_before_a_release_and_after),
        cmocka_unit_test(a_lock_hides_how_many_rows_persons_have),
        cmocka_unit_test(a_lock_needs_the_custodians_budget),
        cmocka_unit_test(a_sample_of_a_locked_problem_is_set_once),
    };
    return cmocka_run_group_tests_name("rights", tests, NULL, NULL);
}

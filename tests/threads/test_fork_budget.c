/* A fork copies the memory of a process, but no budget: what was in memory before it is the
 * parent's, and only a ledger in a file is everybody's. */
#define _POSIX_C_SOURCE 200809L

#include <dpadapt/votes.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/private.h"

enum { M = 60, N = 50, D = 2, kChildren = 20, kSeconds = 60 };

/* How a child ends. */
enum { kPaid, kOfTheParent, kSpent, kOther };

static int ended(dpa_status status) {
    if (status == DPA_OK) return kPaid;
    if (status == DPA_E_BUDGET) return kSpent;
    const int says_why = strstr(dpa_last_error(), "dpa_ledger_create") != NULL;
    return status == DPA_E_STATE && says_why ? kOfTheParent : kOther;
}

/* What a process does with a problem, a ledger and the samples; no assertion may fail there. */
typedef struct {
    dpa_problem *problem;
    dpa_ledger *ledger;
    dpa_options *options;
    instance data;
} host;
typedef int (*deed)(const host *h);

static int fit(const host *h) {
    dpa_solution *solution = NULL;
    const dpa_status status = dpa_solve(h->problem, NULL, h->options, &solution);
    const int end = ended(status);
    dpa_solution_destroy(solution);
    return end;
}

/* Does it in so many children, one after the other; how many ended so. */
static int children(int count, deed act, const host *h, int end) {
    int found = 0;
    for (int k = 0; k < count; ++k) {
        int status = 0;
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            alarm(kSeconds);
            _exit(act(h));
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        found += WEXITSTATUS(status) == end;
    }
    return found;
}

static host new_host(void) {
    host h = {NULL, NULL, private_options(NULL), instance_random(1, M, N, D)};
    h.problem = instance_problem(&h.data);
    return h;
}

static void end_host(host *h) {
    dpa_problem_destroy(h->problem);
    dpa_ledger_destroy(h->ledger);
    dpa_options_destroy(h->options);
    instance_free(h->data);
}

/* One result in all: that of the process which has the budget. */
static void a_budget_is_spent_once(void **state) {
    (void)state;
    host h = new_host();
    assert_ok(dpa_problem_set_budget(h.problem, h.options));
    assert_int_equal(children(kChildren, fit, &h, kOfTheParent), kChildren);
    assert_int_equal(fit(&h), kPaid);
    assert_int_equal(children(1, fit, &h, kOfTheParent), 1);
    assert_int_equal(fit(&h), kSpent);
    end_host(&h);
}

/* The first call of each would fix one. */
static void so_are_records_that_have_no_budget_yet(void **state) {
    (void)state;
    static const char *const domains[] = {"target", "source"};
    for (int k = 0; k < 2; ++k) {
        host h = new_host();
        assert_ok(dpa_options_parse(h.options, "private_domain", domains[k]));
        assert_int_equal(children(kChildren, fit, &h, kOfTheParent), kChildren);
        assert_int_equal(fit(&h), kPaid);
        assert_int_equal(fit(&h), kSpent);
        end_host(&h);
    }
}

static int release_votes(const host *h) {
    double answers[12] = {0, 1, 1, 0, 1, 1, 0, 0, 1, 1, 1, 1}, counts[6], deviation = 0;
    const dpa_matrix of_teachers = {answers, 4, 3, 3, DPA_ROW_MAJOR};
    return ended(dpa_votes_count(h->problem, of_teachers, 2, h->options, counts, 6, &deviation));
}

/* Their rows are elsewhere, and the problem stands for them. */
static void so_are_votes_of_a_problem_without_a_sample(void **state) {
    (void)state;
    host h = new_host();
    dpa_problem_destroy(h.problem);
    assert_ok(dpa_problem_create(&h.problem));
    assert_int_equal(children(kChildren, release_votes, &h, kOfTheParent), kChildren);
    assert_int_equal(release_votes(&h), kPaid);
    assert_int_equal(release_votes(&h), kSpent);
    end_host(&h);
}

static int fit_by_an_own_ledger(const host *h) {
    dpa_ledger *own = NULL;
    if (dpa_ledger_create(NULL, h->options, 0, &own) != DPA_OK) return kOther;
    if (dpa_problem_use_ledger(h->problem, own) != DPA_OK) return kOther;
    return fit(h);
}

static int fit_to_own_records(const host *h) {
    host own = *h;
    if (dpa_problem_create(&own.problem) != DPA_OK) return kOther;
    const instance *a = &h->data;
    if (dpa_problem_set_sample(own.problem, DPA_SOURCE, (dpa_matrix){a->xs, M, D, D, 1}, a->ys,
                               M) != DPA_OK)
        return kOther;
    if (dpa_problem_set_sample(own.problem, DPA_TARGET, (dpa_matrix){a->xt, N, D, D, 1}, a->yt,
                               N) != DPA_OK)
        return kOther;
    if (h->ledger && dpa_problem_use_ledger(own.problem, h->ledger) != DPA_OK) return kOther;
    return fit(&own);
}

static void records_of_the_parent_have_no_ledger_in_a_childs_memory(void **state) {
    (void)state;
    host h = new_host();
    assert_int_equal(children(3, fit_by_an_own_ledger, &h, kOfTheParent), 3);
    assert_int_equal(children(1, fit_to_own_records, &h, kPaid), 1);
    end_host(&h);
}

static dpa_ledger *copy_of(const dpa_ledger *ledger) {
    static uint8_t bytes[1 << 16];
    size_t size = 0;
    dpa_ledger *copy = NULL;
    assert_ok(dpa_ledger_serialize(ledger, bytes, sizeof bytes, &size));
    assert_ok(dpa_ledger_deserialize(bytes, size, &copy));
    return copy;
}

static void a_ledger_in_memory_is_spent_once(void **state) {
    (void)state;
    for (int deserialized = 0; deserialized < 2; ++deserialized) {
        host h = new_host();
        assert_ok(dpa_ledger_create(NULL, h.options, 0, &h.ledger));
        if (deserialized) {
            dpa_ledger *copy = copy_of(h.ledger);
            dpa_ledger_destroy(h.ledger);
            h.ledger = copy;
        }
        assert_int_equal(children(5, fit_to_own_records, &h, kOfTheParent), 5);
        assert_ok(dpa_problem_use_ledger(h.problem, h.ledger));
        assert_int_equal(children(kChildren, fit, &h, kOfTheParent), kChildren);
        assert_int_equal(fit(&h), kPaid);
        assert_int_equal(fit(&h), kSpent);
        end_host(&h);
    }
}

static void a_ledger_in_a_file_is_everybodys(void **state) {
    (void)state;
    char folder[] = "/tmp/dpadapt-fork-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/ledger", folder);
    host h = new_host();
    assert_ok(dpa_ledger_create(path, h.options, 0, &h.ledger));
    assert_ok(dpa_problem_use_ledger(h.problem, h.ledger));
    assert_int_equal(children(1, fit, &h, kPaid), 1);
    assert_int_equal(children(4, fit, &h, kSpent), 4);
    assert_int_equal(fit(&h), kSpent);
    end_host(&h);
    assert_int_equal(remove(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

static int fit_to_own_target(const host *h) {
    const instance *a = &h->data;
    if (dpa_problem_set_sample(h->problem, DPA_TARGET, (dpa_matrix){a->xt, N, D, D, 1}, a->yt, N) !=
        DPA_OK)
        return kOther;
    const int first = fit(h);
    if (first != kPaid) return first;
    return children(1, fit, h, kOfTheParent) == 1 && fit(h) == kSpent ? kPaid : kOther;
}

/* Servers load what is public, then fork, then read private records: those are the child's. */
static void public_rows_may_come_before_the_fork(void **state) {
    (void)state;
    host h = new_host();
    assert_int_equal(children(3, fit_to_own_target, &h, kPaid), 3);
    dpa_problem_destroy(h.problem);
    assert_ok(dpa_problem_create(&h.problem));
    assert_ok(dpa_problem_set_sample(
        h.problem, DPA_SOURCE, (dpa_matrix){h.data.xs, M, D, D, DPA_ROW_MAJOR}, h.data.ys, M));
    assert_int_equal(children(3, fit_to_own_target, &h, kPaid), 3);
    end_host(&h);
}

static int plan_and_read(const host *h) {
    dpa_plan *plan = NULL;
    double left = 0;
    if (dpa_problem_budget(h->problem, "left_mu", &left) != DPA_OK) return kOther;
    const dpa_status status = dpa_plan_for_problem(h->problem, h->options, &plan);
    dpa_plan_destroy(plan);
    return ended(status);
}

static void what_reads_needs_no_payment(void **state) {
    (void)state;
    host h = new_host();
    assert_ok(dpa_problem_set_budget(h.problem, h.options));
    assert_int_equal(children(1, plan_and_read, &h, kPaid), 1);
    end_host(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_budget_is_spent_once),
        cmocka_unit_test(so_are_records_that_have_no_budget_yet),
        cmocka_unit_test(so_are_votes_of_a_problem_without_a_sample),
        cmocka_unit_test(records_of_the_parent_have_no_ledger_in_a_childs_memory),
        cmocka_unit_test(a_ledger_in_memory_is_spent_once),
        cmocka_unit_test(a_ledger_in_a_file_is_everybodys),
        cmocka_unit_test(public_rows_may_come_before_the_fork),
        cmocka_unit_test(what_reads_needs_no_payment),
    };
    return cmocka_run_group_tests_name("fork_budget", tests, NULL, NULL);
}

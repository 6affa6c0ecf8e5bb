/* problem.h: a source that is made of several, of which those that help are taken. */
#include "check.h"

enum { K = 4, PER = 80, M = K * PER, N = 40, D = 4 };

typedef struct {
    instance data;
    int64_t ids[M];
} fixture;

/* Row i is of source i % K; those of the last one have their labels negated. */
static fixture make_seeded(unsigned seed, int poisoned) {
    fixture f = {instance_random(seed, M, N, D), {0}};
    for (size_t i = 0; i < M; ++i) {
        f.ids[i] = (int64_t)(i % K) * 1000003;
        if (poisoned && i % K == K - 1) f.data.ys[i] *= -1;
    }
    return f;
}

static dpa_solution *fit(const instance *data, const int64_t *ids, const dpa_options *options) {
    dpa_problem *problem = instance_problem(data);
    if (ids) assert_ok(dpa_problem_set_groups(problem, DPA_SOURCE, ids, data->m));
    dpa_solution *solution = solve(problem, options);
    dpa_problem_destroy(problem);
    return solution;
}

static void weights_of_sources(const dpa_solution *solution, double *sums) {
    double weights[M];
    assert_ok(dpa_solution_array(solution, "source_weights", weights, M));
    for (size_t k = 0; k < K; ++k) sums[k] = 0;
    for (size_t i = 0; i < M; ++i) sums[i % K] += weights[i];
}

static fixture make(int poisoned) { return make_seeded(31, poisoned); }

/* The fit is that of the sources without it, as if it had never been there. */
static void a_poisoned_source_has_no_weight(void **state) {
    (void)state;
    static const char *const losses[] = {"squared", "huber"};
    fixture f = make(1);
    instance clean = f.data;
    double xs[M * D], ys[M], sums[K], one[D], two[D];
    int64_t ids[M];
    clean.xs = xs, clean.ys = ys, clean.m = 0;
    for (size_t i = 0; i < M; ++i) {
        if (i % K == K - 1) continue;
        ids[clean.m] = f.ids[i];
        memcpy(xs + clean.m * D, f.data.xs + i * D, D * sizeof(double));
        ys[clean.m++] = f.data.ys[i];
    }
    for (size_t k = 0; k < LENGTH(losses); ++k) {
        dpa_options *options = public_options("loss", losses[k], NULL);
        dpa_solution *chosen = fit(&f.data, f.ids, options);
        weights_of_sources(chosen, sums);
        assert_true(sums[K - 1] == 0 && sums[0] + sums[1] + sums[2] > 0);
        dpa_solution *expected = fit(&clean, ids, options);
        assert_ok(dpa_solution_array(chosen, "coefficients", one, D));
        assert_ok(dpa_solution_array(expected, "coefficients", two, D));
        for (size_t j = 0; j < D; ++j) assert_close(one[j], two[j], 1e-9, 1e-9);
        dpa_solution_destroy(chosen);
        dpa_solution_destroy(expected);
        dpa_options_destroy(options);
    }
    instance_free(f.data);
}

/* By one standard error, of which chance takes more once in six times. */
static void sources_of_one_law_are_taken_together(void **state) {
    (void)state;
    enum { TIMES = 20 };
    size_t all = 0;
    dpa_options *options = public_options(NULL);
    for (unsigned seed = 0; seed < TIMES; ++seed) {
        fixture f = make_seeded(100 + seed, 0);
        dpa_solution *solution = fit(&f.data, f.ids, options);
        double sums[K];
        weights_of_sources(solution, sums);
        all += sums[0] > 0 && sums[1] > 0 && sums[2] > 0 && sums[3] > 0;
        dpa_solution_destroy(solution);
        instance_free(f.data);
    }
    assert_true(all >= TIMES * 3 / 4);
    dpa_options_destroy(options);
}

/* One source of all rows is no choice, and a new sample is one source again. */
static void one_source_is_no_choice(void **state) {
    (void)state;
    fixture f = make(0);
    double one[D], two[D];
    int64_t same[M] = {0};
    dpa_options *options = public_options(NULL);
    dpa_solution *plain = fit(&f.data, NULL, options), *single = fit(&f.data, same, options);
    assert_ok(dpa_solution_array(plain, "coefficients", one, D));
    assert_ok(dpa_solution_array(single, "coefficients", two, D));
    for (size_t j = 0; j < D; ++j) assert_close(one[j], two[j], 1e-12, 1e-12);
    dpa_solution_destroy(plain);
    dpa_solution_destroy(single);
    dpa_problem *problem = instance_problem(&f.data);
    int64_t many[M];
    for (int64_t i = 0; i < M; ++i) many[i] = i;
    assert_error(dpa_problem_set_groups(problem, DPA_SOURCE, many, M), DPA_E_OVERFLOW, "100");
    assert_ok(dpa_problem_set_groups(problem, DPA_SOURCE, f.ids, M));
    dpa_options *private =
        public_options("private_domain", "target", "epsilon", "1", "delta", "1e-5", NULL);
    dpa_solution *solution = NULL;
    assert_error(dpa_solve(problem, NULL, private, &solution), DPA_E_UNSUPPORTED, "sources");
    assert_ok(dpa_problem_set_sample(
        problem, DPA_SOURCE, (dpa_matrix){f.data.xs, M, D, D, DPA_ROW_MAJOR}, f.data.ys, M));
    dpa_solution_destroy(solve(problem, private));
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    dpa_options_destroy(private);
    instance_free(f.data);
}

/* The target's loss judges each source alone, whatever the order of their rows and ids. */
static void names_of_sources_do_not_matter(void **state) {
    (void)state;
    fixture f = make(1);
    double one[M], two[M];
    dpa_options *options = public_options(NULL);
    dpa_solution *first = fit(&f.data, f.ids, options);
    for (size_t i = 0; i < M; ++i) f.ids[i] = INT64_MAX - f.ids[i];
    dpa_solution *second = fit(&f.data, f.ids, options);
    assert_ok(dpa_solution_array(first, "source_weights", one, M));
    assert_ok(dpa_solution_array(second, "source_weights", two, M));
    assert_same_bits(one, two, M);
    dpa_solution_destroy(first);
    dpa_solution_destroy(second);
    dpa_options_destroy(options);
    instance_free(f.data);
}

/* docs/methods.md, "Several sources": public fits of each compete for the private target, then one
 * private fit starts from the chosen source; both in one budget. */
static void a_private_target_chooses_its_source_in_one_budget(void **state) {
    (void)state;
    enum { RECORDS = 600, CHOICES = 4 };
    instance data = instance_random(77, M, RECORDS, D);
    uint64_t noise = 5;
    for (size_t i = 0; i < RECORDS; ++i) { /* of the third source's law */
        data.yt[i] = 0.3 * normal(&noise);
        for (size_t j = 0; j < D; ++j) data.yt[i] += 2 * data.xt[i * D + j];
    }
    double xs[CHOICES][PER * D], ys[CHOICES][PER];
    for (size_t k = 0; k < CHOICES; ++k) {
        for (size_t i = 0; i < PER; ++i) {
            memcpy(xs[k] + i * D, data.xs + (k * PER + i) * D, D * sizeof(double));
            ys[k][i] = 0.3 * normal(&noise);
            for (size_t j = 0; j < D; ++j) ys[k][i] += ((double)k - 1) * xs[k][i * D + j];
        }
    }
    dpa_problem *problem = NULL;
    assert_ok(dpa_problem_create(&problem));
    assert_ok(dpa_problem_set_sample(problem, DPA_TARGET,
                                     (dpa_matrix){data.xt, RECORDS, D, D, DPA_ROW_MAJOR}, data.yt,
                                     RECORDS));
    dpa_options *budget = public_options("private_domain", "target", "epsilon", "1", "delta",
                                         "1e-5", "selection_epsilon", "0.3", NULL);
    assert_ok(dpa_problem_set_budget(problem, budget));

    dpa_options *open = public_options(NULL);
    dpa_solution *fits[CHOICES];
    for (size_t k = 0; k < CHOICES; ++k) { /* a target that is public: the source itself */
        dpa_problem *alone = NULL;
        assert_ok(dpa_problem_create(&alone));
        assert_ok(dpa_problem_set_sample(
            alone, DPA_SOURCE, (dpa_matrix){xs[k], PER, D, D, DPA_ROW_MAJOR}, ys[k], PER));
        assert_ok(dpa_problem_set_sample(
            alone, DPA_TARGET, (dpa_matrix){xs[k], PER, D, D, DPA_ROW_MAJOR}, ys[k], PER));
        assert_ok(dpa_baseline_solve(alone, "source_only", open, &fits[k]));
        dpa_problem_destroy(alone);
    }
    dpa_options *choice = public_options("private_domain", "target", "selection_epsilon", "0.3",
                                         "selection_bound", "4", NULL);
    size_t chosen = 9;
    assert_ok(dpa_select(problem, (const dpa_solution *const *)fits, CHOICES, choice, &chosen));
    assert_int_equal(chosen, 3);

    assert_ok(dpa_problem_set_sample(
        problem, DPA_SOURCE, (dpa_matrix){xs[chosen], PER, D, D, DPA_ROW_MAJOR}, ys[chosen], PER));
    dpa_options *rest =
        public_options("private_domain", "target", "epsilon", "0.7", "delta", "1e-5", NULL);
    dpa_solution *solution = solve(problem, rest);
    double w[D], spent = 9;
    assert_ok(dpa_solution_array(solution, "coefficients", w, D));
    for (size_t j = 0; j < D; ++j) assert_close(w[j], 2, 0, 0.2);
    assert_ok(dpa_problem_budget(problem, "spent_epsilon", &spent));
    assert_at_most(spent, 1.0001);
    dpa_solution *more = NULL;
    assert_status(dpa_solve(problem, NULL, rest, &more), DPA_E_BUDGET);
    dpa_solution_destroy(solution);
    for (size_t k = 0; k < CHOICES; ++k) dpa_solution_destroy(fits[k]);
    dpa_options_destroy(rest);
    dpa_options_destroy(choice);
    dpa_options_destroy(open);
    dpa_options_destroy(budget);
    dpa_problem_destroy(problem);
    instance_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_poisoned_source_has_no_weight),
        cmocka_unit_test(sources_of_one_law_are_taken_together),
        cmocka_unit_test(one_source_is_no_choice),
        cmocka_unit_test(names_of_sources_do_not_matter),
        cmocka_unit_test(a_private_target_chooses_its_source_in_one_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

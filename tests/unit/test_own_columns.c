/* own_columns = regressed: columns that the source lacks, by what its others say of them. */
#include "private.h"

enum { M = 400, N = 3000, D = 3, KNOWN = 2 };

/* Labels x1 + x2 + 3 x3 + noise, x3 = x1 - x2 + noise in both domains; the source has 5 for x3. */
static instance make(size_t n) {
    instance a = instance_allocate(M, n, D);
    uint64_t state = 21;
    for (size_t i = 0; i < M + n; ++i) {
        double *x = a.xs + i * D;
        for (size_t j = 0; j < KNOWN; ++j) x[j] = normal(&state);
        x[2] = 5 + 4 * (x[0] - x[1] + 0.7 * normal(&state));
        a.ys[i] = x[0] + x[1] + 0.75 * (x[2] - 5) + normal(&state);
        if (i < M) x[2] = 5;
    }
    return a;
}

/* Mean squared distance from the best predictor. */
static double excess(const dpa_solution *solution, const instance *a) {
    double predicted[N], sum = 0;
    assert_ok(dpa_solution_predict(solution, DPA_PREDICT_LABELS,
                                   (dpa_matrix){a->xt, a->n, D, D, DPA_ROW_MAJOR}, predicted,
                                   a->n));
    for (size_t i = 0; i < a->n; ++i) {
        const double *x = a->xt + i * D;
        const double best = x[0] + x[1] + 0.75 * (x[2] - 5);
        sum += (predicted[i] - best) * (predicted[i] - best) / (double)a->n;
    }
    return sum;
}

static double excess_of(const instance *a, dpa_options *options, const char *word) {
    assert_ok(dpa_options_parse(options, "own_columns", word));
    dpa_problem *problem = instance_problem(a);
    dpa_solution *solution = solve(problem, options);
    const double value = excess(solution, a);
    dpa_solution_destroy(solution);
    dpa_problem_destroy(problem);
    return value;
}

/* The source then says what it knows: the slope of labels in x1 and x2 where x3 is not known. */
static void the_source_helps_more_than_with_constants(void **state) {
    (void)state;
    instance few = make(12), many = make(N);
    double constant = 0, regressed = 0;
    dpa_options *options = public_options(NULL);
    constant = excess_of(&few, options, "constant");
    regressed = excess_of(&few, options, "regressed");
    assert_at_most(regressed, 0.8 * constant);
    dpa_options_destroy(options);
    constant = regressed = 0;
    for (unsigned seed = 0; seed < 5; ++seed) {
        const char *text[] = {"1", "2", "3", "4", "5"};
        options = private_options("unsafe_seed", text[seed], "own_spread", "5", NULL);
        constant += excess_of(&many, options, "constant");
        regressed += excess_of(&many, options, "regressed");
        dpa_options_destroy(options);
    }
    assert_at_most(regressed, 0.8 * constant);
    instance_free(few);
    instance_free(many);
}

/* A release more, for a fifth of mu^2, and the same price. */
static void the_plan_has_its_release(void **state) {
    (void)state;
    static char one[1 << 15], two[1 << 15];
    instance a = make(N);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options = private_options(NULL);
    dpa_plan *plain = NULL, *regressed = NULL, *of_sizes = NULL;
    assert_ok(dpa_plan_for_problem(problem, options, &plain));
    assert_ok(dpa_options_parse(options, "own_columns", "regressed"));
    assert_ok(dpa_plan_for_problem(problem, options, &regressed));
    assert_ok(dpa_plan_create(M, N, D, options, &of_sizes));
    assert_ok(dpa_plan_report(plain, DPA_REPORT_TEXT, one, sizeof one, NULL));
    assert_ok(dpa_plan_report(regressed, DPA_REPORT_TEXT, two, sizeof two, NULL));
    assert_null(strstr(one, "columns that the source lacks"));
    assert_non_null(strstr(two, "columns that the source lacks"));
    double mu[3], sigma[3];
    dpa_plan *plans[3] = {plain, regressed, of_sizes};
    for (size_t k = 0; k < 3; ++k) {
        assert_ok(dpa_plan_value(plans[k], "mu", &mu[k]));
        assert_ok(dpa_plan_value(plans[k], "sigma", &sigma[k]));
        dpa_plan_destroy(plans[k]);
    }
    assert_at_most(mu[1], mu[0] * (1 + 1e-12));
    assert_at_most(0.9999 * mu[0], mu[1]); /* but for what the grid leaves */
    assert_true(sigma[1] > 1.05 * sigma[0]);
    assert_close(sigma[2], sigma[1], 1e-12, 0);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

static void refused(const instance *a, dpa_options *options, dpa_status status, const char *why) {
    dpa_solution *solution = NULL;
    dpa_problem *problem = instance_problem(a);
    assert_ok(dpa_options_parse(options, "own_columns", "regressed"));
    assert_error(dpa_solve(problem, NULL, options, &solution), status, "own_columns", why);
    double spent = -1;
    assert_ok(dpa_problem_budget(problem, "spent_mu", &spent));
    assert_true(spent == 0);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

static void what_it_cannot_do_is_refused_before_payment(void **state) {
    (void)state;
    instance a = make(60);
    refused(&a, private_options("private_domain", "source", NULL), DPA_E_UNSUPPORTED, "public");
    refused(&a, private_options("alpha", "0.5", NULL), DPA_E_UNSUPPORTED, "alpha");
    refused(&a, private_options("method", "paper", NULL), DPA_E_UNSUPPORTED, "alpha");
    refused(&a, private_options("loss", "perceptron", NULL), DPA_E_UNSUPPORTED, "linear");
    refused(&a, private_options("intercept", "false", NULL), DPA_E_UNSUPPORTED, "intercept");
    refused(&a, private_options("inference", "yes", NULL), DPA_E_UNSUPPORTED, "inference");
    for (size_t i = 0; i < M; ++i) a.xs[i * D + 2] = (double)i;
    refused(&a, private_options(NULL), DPA_E_OPTION, "constant");
    refused(&a, public_options(NULL), DPA_E_OPTION, "constant");
    instance_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_source_helps_more_than_with_constants),
        cmocka_unit_test(the_plan_has_its_release),
        cmocka_unit_test(what_it_cannot_do_is_refused_before_payment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

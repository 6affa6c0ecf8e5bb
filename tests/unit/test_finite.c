/* Whatever the options are, a result has finite numbers, or there is an error and no result. */
#include "unit/private.h"

enum { M = 12, N = 9, D = 2, kMost = 4 };

/* Options that once gave NaN, infinity or negative weights with DPA_OK. */
typedef struct {
    const char *pairs[kMost][2];
} choice;

static const choice kDiscrepancies[] = {
    {{{"radius", "1e-321"}}},
    {{{"discrepancy_radius", "2.5e-312"}}},
    {{{"discrepancy_radius", "1e160"}}},
    {{{"discrepancy_radius", "1e308"}, {"discrepancy_kind", "unlabelled"}}},
};

static const choice kPaperFits[] = {
    {{{"label_bound", "1e160"}, {"discrepancy", "0.1"}}},
    {{{"radius", "1e300"}, {"discrepancy", "0.1"}}},
};

static void set(dpa_options *options, const choice *c) {
    for (size_t k = 0; k < kMost && c->pairs[k][0]; ++k)
        assert_ok(dpa_options_parse(options, c->pairs[k][0], c->pairs[k][1]));
}

static void discrepancies(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(1, M, N, D);
    for (size_t k = 0; k < LENGTH(kDiscrepancies); ++k) {
        dpa_options *options = public_options(NULL);
        dpa_discrepancy *d = NULL;
        dpa_solution *s = NULL;
        set(options, &kDiscrepancies[k]);
        assert_error(dpa_discrepancy_estimate(problem, options, &d), DPA_E_NUMERICAL, "discrepancy",
                     "double precision");
        assert_null(d);
        /* A fit that would use it. */
        assert_ok(dpa_options_parse(options, "kappa_1", "0.1"));
        assert_ok(dpa_options_parse(options, "alpha", "0.5"));
        assert_error(dpa_solve(problem, NULL, options, &s), DPA_E_NUMERICAL, "dpa_solve");
        assert_null(s);
        dpa_options_destroy(options);
    }
    dpa_problem_destroy(problem);
}

/* Nor does a private one depend on what certifies a ball that is nearly a point: it is not paid. */
static void radius_of_a_private_discrepancy(void **state) {
    (void)state;
    static const char *const radii[] = {"1e-321", "1e-61", "1e61"};
    dpa_problem *problem = random_problem(1, M, N, D);
    dpa_options *options = private_options("intercept", "false", NULL);
    dpa_discrepancy *d = NULL;
    for (size_t k = 0; k < LENGTH(radii); ++k) {
        assert_ok(dpa_options_parse(options, "discrepancy_radius", radii[k]));
        assert_error(dpa_discrepancy_estimate(problem, options, &d), DPA_E_OPTION, "1e-60");
        assert_null(d);
    }
    char *json = problem_report(problem, DPA_REPORT_JSON);
    assert_null(json_at(json, "releases/0"));
    free(json);
    assert_ok(dpa_options_parse(options, "discrepancy_radius", "0"));
    assert_ok(dpa_discrepancy_estimate(problem, options, &d));
    dpa_discrepancy_destroy(d);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

static void weights_of_the_papers_method(void **state) {
    (void)state;
    for (size_t k = 0; k < LENGTH(kPaperFits); ++k) {
        dpa_problem *problem = random_problem(1, M, N, D);
        dpa_options *options = private_options("method", "paper", "iterations", "30", NULL);
        dpa_solution *s = NULL;
        set(options, &kPaperFits[k]);
        assert_ok(dpa_options_parse(options, "unsafe_seed", "1"));
        assert_error(dpa_solve(problem, NULL, options, &s), DPA_E_NUMERICAL, "weights");
        assert_null(s);
        dpa_options_destroy(options);
        dpa_problem_destroy(problem);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discrepancies),
        cmocka_unit_test(radius_of_a_private_discrepancy),
        cmocka_unit_test(weights_of_the_papers_method),
    };
    return cmocka_run_group_tests_name("finite", tests, NULL, NULL);
}

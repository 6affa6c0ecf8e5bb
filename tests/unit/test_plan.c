/* privacy.h: plans tell the price of a private fit, from sizes alone or for a problem. */
#include <stdio.h>

#include "unit/private.h"

enum { M = 300, N = 120, D = 4 };

static dpa_plan *plan_of_sizes(const dpa_options *options) {
    dpa_plan *plan = NULL;
    assert_ok(dpa_plan_create(M, N, D, options, &plan));
    return plan;
}

static dpa_plan *plan_of_problem(const dpa_problem *problem, const dpa_options *options) {
    dpa_plan *plan = NULL;
    assert_ok(dpa_plan_for_problem(problem, options, &plan));
    return plan;
}

/* mu and the others of a plan that is made and destroyed here. */
static double value_of_sizes(const dpa_options *options, const char *name) {
    dpa_plan *plan = plan_of_sizes(options);
    double value = plan_value(plan, name);
    dpa_plan_destroy(plan);
    return value;
}

/* One more option for a set of options, or two; NULL for none. */
typedef struct {
    const char *name, *text, *other, *word;
} choice;

static const choice choices[] = {{NULL, NULL, NULL, NULL},
                                 {"alpha", "0.5", NULL, NULL},
                                 {"alpha", "0.5", "kappa_2", "0.1"},
                                 {"alpha", "0", NULL, NULL},
                                 {"alpha", "1", "delta", "0"},
                                 {"discrepancy", "0.5", "alpha", "0.3"},
                                 {"method", "paper", NULL, NULL},
                                 {"method", "paper", "calibration", "paper"},
                                 {"private_domain", "source", NULL, NULL},
                                 {"iterations", "7", NULL, NULL},
                                 {"alpha", "0.4", "discrepancy_share", "0.3"},
                                 {"epsilon", "10", "alpha", "0.25"}};

static dpa_options *options_of(choice c) {
    dpa_options *options = private_options(NULL);
    if (c.name) assert_ok(dpa_options_parse(options, c.name, c.text));
    if (c.other) assert_ok(dpa_options_parse(options, c.other, c.word));
    return options;
}

static void sizes_and_problem_agree(void **state) {
    (void)state;
    static const char *const names[] = {"mu", "laplace_epsilon", "steps", "noise_multiplier"};
    dpa_problem *problem = random_problem(1, M, N, D);
    for (size_t i = 0; i < LENGTH(choices); ++i) {
        dpa_options *options = options_of(choices[i]);
        dpa_plan *sizes = plan_of_sizes(options), *whole = plan_of_problem(problem, options);
        for (size_t k = 0; k < LENGTH(names); ++k)
            assert_true(plan_value(sizes, names[k]) == plan_value(whole, names[k]));
        assert_true(plan_value(whole, "mu") > 0 || plan_value(whole, "laplace_epsilon") > 0);
        assert_true((plan_value(whole, "steps") > 0) == (plan_value(whole, "mu") > 0));
        assert_true((plan_value(whole, "sigma") > 0) == (plan_value(whole, "mu") > 0));
        assert_true((plan_value(whole, "tau") > 0) ==
                    (plan_value(whole, "discrepancy_deviation") > 0));
        dpa_plan_destroy(whole);
        dpa_plan_destroy(sizes);
        dpa_options_destroy(options);
    }
    dpa_problem_destroy(problem);
}

/* Numbers in label units follow from public data: unknown without, the same as for the problem if
 * given. */
static void bounds_from_public_data_are_unknown_without(void **state) {
    (void)state;
    static const char *const names[] = {
        "sigma", "sensitivity", "laplace_scale", "discrepancy_deviation", "discrepancy_sensitivity",
        "tau"};
    dpa_problem *problem = random_problem(2, M, N, D);
    dpa_options *options =
        private_options("alpha", "0.5", "method", "paper", "discrepancy_noise", "laplace", NULL);
    dpa_plan *plan = plan_of_sizes(options);
    char *json = plan_report(plan, DPA_REPORT_JSON);
    for (size_t k = 0; k < LENGTH(names); ++k) {
        double value = 7;
        assert_error(dpa_plan_value(plan, names[k], &value), DPA_E_STATE, names[k]);
        assert_true(value == 7);
    }
    assert_true(json_is(json, "releases/0/scale", "null"));
    assert_true(json_is(json, "releases/1/sigma", "null"));
    free(json);
    dpa_plan_destroy(plan);
    assert_ok(dpa_options_parse(options, "radius", "2"));
    assert_ok(dpa_options_parse(options, "feature_radius", "3"));
    assert_ok(dpa_options_parse(options, "label_bound", "4"));
    plan = plan_of_sizes(options);
    dpa_plan *whole = plan_of_problem(problem, options);
    for (size_t k = 0; k < LENGTH(names); ++k)
        assert_true(plan_value(plan, names[k]) == plan_value(whole, names[k]));
    /* 2 (1 - alpha)/n G and B/n (1 + 2 2^-10), with records of norm up to R. */
    const double R = hypot(3, 1), G = 2 * R * (2 * R + 4), B = pow(2 * R + 4, 2);
    assert_close(plan_value(plan, "sensitivity"), 2 * 0.5 / N * G, 1e-9, 0);
    assert_close(plan_value(plan, "discrepancy_sensitivity"), B / N * (1 + 2.0 / 1024), 1e-12, 0);
    assert_close(plan_value(plan, "tau"), B / N / 1024, 1e-12, 0);
    assert_close(plan_value(plan, "laplace_scale"), 10 * B / N * (1 + 2.0 / 1024), 1e-8, 0);
    assert_close(plan_value(plan, "discrepancy_deviation"),
                 sqrt(2) * plan_value(plan, "laplace_scale"), 1e-14, 0);
    assert_close(plan_value(plan, "sigma"),
                 plan_value(plan, "sensitivity") * plan_value(plan, "noise_multiplier"), 1e-14, 0);
    dpa_plan_destroy(whole);
    dpa_plan_destroy(plan);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

/* What the passes read follows from the sizes; how long that takes, this machine tells. */
static void passes_tell_their_bytes_and_seconds(void **state) {
    (void)state;
    static const char *const domains[] = {"target", "source", "both"};
    const double rows[] = {N, M, M + N};
    for (size_t k = 0; k < LENGTH(domains); ++k) {
        dpa_options *options =
            private_options("alpha", "auto", "private_domain", domains[k], "radius", "1",
                            "feature_radius", "3", "label_bound", "4", "clip_bound", "1", NULL);
        const double passes = value_of_sizes(options, "passes");
        assert_true(passes > 0);
        assert_true(value_of_sizes(options, "bytes") == passes * rows[k] * (D + 1) * 8);
        const double seconds = value_of_sizes(options, "seconds");
        assert_true(seconds > 0 && isfinite(seconds));
        dpa_options_destroy(options);
    }
    dpa_options *options = private_options(NULL); /* whose metric no memory would hold */
    dpa_plan *plan = NULL;
    assert_ok(dpa_plan_create(M, N, 1000000, options, &plan));
    assert_true(plan_value(plan, "seconds") > 0);
    dpa_plan_destroy(plan);
    dpa_options_destroy(options);
}

/* "noise_multiplier", "sigma" and "sensitivity" are those of the release with as many steps as the
 * plan. */
static void numbers_of_the_gradients_are_theirs(void **state) {
    (void)state;
    static const char *const names[] = {"noise_multiplier", "sigma", "sensitivity"};
    static const char *const alphas[] = {"auto", "0.5"};
    for (size_t i = 0; i < 4; ++i) {
        dpa_options *options = private_options("alpha", alphas[i % 2], NULL);
        dpa_plan *plan = NULL;
        size_t found = 0;
        assert_ok(dpa_plan_create(M, i < 2 ? N : 100000, D, options, &plan));
        char *json = plan_report(plan, DPA_REPORT_JSON);
        for (size_t k = 0; k < json_count(json, "releases"); ++k) {
            char path[64];
            snprintf(path, sizeof path, "releases/%zu/steps", k);
            if (json_number(json, path) != plan_value(plan, "steps")) continue;
            ++found;
            for (size_t j = 0; j < LENGTH(names); ++j) {
                snprintf(path, sizeof path, "releases/%zu/%s", k, names[j]);
                assert_true(json_number(json, path) == plan_value(plan, names[j]));
            }
        }
        assert_int_equal(found, 1);
        free(json);
        dpa_plan_destroy(plan);
        dpa_options_destroy(options);
    }
}

static void budget_is_divided_exactly(void **state) {
    (void)state;
    double mu, all;
    assert_ok(dpa_privacy_mu(1, 1e-5, 0.1, &mu));
    assert_ok(dpa_privacy_mu(1, 1e-5, 0, &all));
    dpa_options *fixed = private_options("alpha", "0.5", "moments_share", "0", NULL);
    /* By default the discrepancy's noise is Gaussian, and there is one part. */
    assert_close(value_of_sizes(fixed, "mu"), all, 1e-7, 0);
    assert_true(value_of_sizes(fixed, "laplace_epsilon") == 0);
    assert_true(value_of_sizes(fixed, "laplace_scale") == 0);
    assert_ok(dpa_options_parse(fixed, "discrepancy_noise", "laplace"));
    assert_close(value_of_sizes(fixed, "mu"), mu, 1e-7, 0);
    assert_at_most(value_of_sizes(fixed, "mu"), mu);
    assert_close(value_of_sizes(fixed, "laplace_epsilon"), 0.1, 1e-8, 0);
    assert_true(value_of_sizes(fixed, "steps") == 20);
    assert_close(value_of_sizes(fixed, "noise_multiplier"), sqrt(20) / mu, 1e-7, 0);
    assert_ok(dpa_options_parse(fixed, "iterations", "100"));
    assert_close(value_of_sizes(fixed, "mu"), 0.25348234921693802, 1e-15, 0);
    assert_ok(dpa_options_parse(fixed, "method", "paper"));
    assert_close(value_of_sizes(fixed, "noise_multiplier"), sqrt(200) / mu, 1e-7, 0);
    dpa_options_destroy(fixed);

    static const char *const without[] = {"alpha",
                                          "discrepancy"}; /* nothing charges a discrepancy */
    for (size_t k = 0; k < 2; ++k) {
        dpa_options *options = private_options(without[k], "0", "alpha", k ? "0.5" : "0", NULL);
        assert_close(value_of_sizes(options, "mu"), all, 1e-7, 0);
        assert_true(value_of_sizes(options, "laplace_epsilon") == 0);
        assert_true(value_of_sizes(options, "tau") == 0);
        dpa_options_destroy(options);
    }
    dpa_options *automatic = private_options(NULL);
    assert_close(value_of_sizes(automatic, "mu"), all, 1e-6, 0);
    assert_at_most(value_of_sizes(automatic, "mu"), all);
    assert_true(value_of_sizes(automatic, "laplace_epsilon") == 0);
    dpa_options_destroy(automatic);

    dpa_options *source_only = private_options("alpha", "1", "delta", "0", NULL);
    assert_true(value_of_sizes(source_only, "mu") == 0);
    assert_true(value_of_sizes(source_only, "laplace_epsilon") == 1);
    assert_true(value_of_sizes(source_only, "steps") == 0);
    assert_true(value_of_sizes(source_only, "noise_multiplier") == 0);
    dpa_options_destroy(source_only);
}

/* From a budget to noise, and from that noise to its price. */
static void noise_and_budget_are_two_directions(void **state) {
    (void)state;
    static const char *const methods[] = {"profile", "paper"};
    for (size_t k = 0; k < 2; ++k) {
        dpa_options *options = private_options("alpha", "0.5", "method", methods[k],
                                               "discrepancy_noise", "laplace", NULL);
        dpa_plan *budget = plan_of_sizes(options), *noise = NULL;
        const double multiplier = plan_value(budget, "noise_multiplier");
        const double laplace = plan_value(budget, "laplace_epsilon");
        double epsilon;
        assert_ok(dpa_options_set(options, "noise_multiplier", multiplier));
        assert_ok(dpa_options_set(options, "laplace_epsilon", laplace));
        dpa_plan_destroy(plan_of_sizes(options)); /* certified for the budget */
        assert_ok(dpa_options_parse(options, "epsilon", "unset"));
        assert_ok(dpa_options_parse(options, "delta", "unset"));
        noise = plan_of_sizes(options);
        assert_at_most(plan_value(noise, "mu"), plan_value(budget, "mu"));
        assert_close(plan_value(noise, "mu"), plan_value(budget, "mu"), 1e-6, 0);
        assert_true(plan_value(noise, "laplace_epsilon") == laplace);
        assert_at_most(multiplier, plan_value(noise, "noise_multiplier"));
        assert_ok(dpa_privacy_epsilon(1e-5, plan_value(noise, "laplace_epsilon"),
                                      plan_value(noise, "mu"), 0, 1, &epsilon));
        assert_at_most(epsilon, 1);
        assert_close(epsilon, 1, 1e-5, 0);
        dpa_plan_destroy(noise);

        assert_ok(dpa_options_set(options, "noise_multiplier", multiplier * 0.99));
        assert_ok(dpa_options_set(options, "epsilon", 1));
        assert_ok(dpa_options_set(options, "delta", 1e-5));
        noise = budget;
        assert_error(dpa_plan_create(M, N, D, options, &noise), DPA_E_OPTION, "dpa_plan_create",
                     "cost delta = 1.1", "at epsilon = 1,", "epsilon = 1.01", "at delta = 1e-05");
        assert_null(noise);
        dpa_plan_destroy(budget);
        dpa_options_destroy(options);
    }
}

/* The price of sampled batches holds but with a small probability, which epsilon must count. */
static void the_failure_of_sampling_is_priced(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(3, 40, 60, 2);
    dpa_options *options =
        private_options("feature_radius", "4", "label_bound", "9", "sampling", "poisson", NULL);
    dpa_plan *plan = NULL;
    double whole = 0, without = 0;
    assert_ok(dpa_baseline_plan(problem, "noisy_sgd", options, &plan));
    assert_true(plan_value(plan, "failure") > 0);
    assert_ok(dpa_plan_epsilon(plan, 1e-5, &whole));
    assert_ok(dpa_privacy_epsilon(1e-5, plan_value(plan, "laplace_epsilon"), plan_value(plan, "mu"),
                                  plan_value(plan, "pure_epsilon"), 1, &without));
    assert_true(without < whole && whole <= 1);
    dpa_plan_destroy(plan);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

static void prices_are_within_the_budget(void **state) {
    (void)state;
    dpa_options *options = private_options("alpha", "0.5", "discrepancy_noise", "laplace", NULL);
    dpa_plan *plan = plan_of_sizes(options);
    const double mu = plan_value(plan, "mu"), laplace = plan_value(plan, "laplace_epsilon");
    double delta = 1, epsilon = 600;
    assert_true(laplace > 0 && plan_value(plan, "pure_epsilon") == 0);
    assert_ok(dpa_privacy_delta(1, laplace, mu, &delta));
    assert_at_most(delta, 1e-5);
    assert_ok(dpa_plan_epsilon(plan, 1e-5, &epsilon));
    assert_at_most(epsilon, 1);
    assert_true(epsilon > 0.999 && plan_value(plan, "failure") == 0);
    dpa_plan_destroy(plan);
    dpa_options_destroy(options);
}

/* Violated from that epsilon on; accepted just below. With a given discrepancy the gradients have
 * all of epsilon. */
static void printed_noise_is_refused_where_it_does_not_hold(void **state) {
    (void)state;
    static const struct {
        double delta, alone, whole;
    } rows[] = {{0.01, 8.9161, 19.664},
                {1e-3, 9.44355, 20.8264},
                {1e-5, 10.2498, 22.5642},
                {1e-6, 10.5713, 23.2481}};
    for (size_t i = 0; i < LENGTH(rows); ++i)
        for (int alone = 0; alone < 2; ++alone) {
            dpa_options *options =
                private_options("method", "paper", "calibration", "paper", "iterations", "10",
                                "discrepancy", alone ? "0.5" : "estimate", NULL);
            const double from = alone ? rows[i].alone : rows[i].whole;
            dpa_plan *plan = NULL;
            assert_ok(dpa_options_set(options, "delta", rows[i].delta));
            assert_ok(dpa_options_set(options, "epsilon", from - 1e-3));
            dpa_plan_destroy(plan_of_sizes(options));
            assert_ok(dpa_options_set(options, "epsilon", from + 1e-3));
            assert_error(dpa_plan_create(M, N, D, options, &plan), DPA_E_OPTION, "delta",
                         "epsilon");
            dpa_options_destroy(options);
        }
}

/* No data, no randomness: not even what a fit did in between. */
static void plans_are_pure(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(3, M, N, D);
    instance spoilt = instance_random(3, M, N, D);
    for (size_t k = 0; k < N * D; ++k) spoilt.xt[k] = k % 3 ? NAN : 1e300;
    for (size_t k = 0; k < N; ++k) spoilt.yt[k] = k % 2 ? INFINITY : 1e308;
    dpa_problem *other = instance_problem(&spoilt);
    static const int32_t forms[] = {DPA_REPORT_JSON, DPA_REPORT_TEXT};
    for (size_t i = 0; i < LENGTH(choices); ++i) {
        dpa_options *options = options_of(choices[i]);
        int public_target = choices[i].name && !strcmp(choices[i].name, "private_domain");
        dpa_plan *plans[4] = {plan_of_sizes(options), plan_of_sizes(options),
                              plan_of_problem(problem, options),
                              plan_of_problem(public_target ? problem : other, options)};
        for (size_t form = 0; form < 2; ++form)
            for (size_t pair = 0; pair < 4; pair += 2) {
                char *one = plan_report(plans[pair], forms[form]);
                char *two = plan_report(plans[pair + 1], forms[form]);
                assert_string_equal(one, two);
                free(one);
                free(two);
            }
        for (size_t k = 0; k < 4; ++k) dpa_plan_destroy(plans[k]);
        dpa_options_destroy(options);
    }
    char *json = problem_report(problem, DPA_REPORT_JSON); /* a plan charges nothing */
    assert_true(json_is(json, "budget", "null"));
    assert_int_equal(json_count(json, "releases"), 0);
    free(json);
    dpa_problem_destroy(other);
    dpa_problem_destroy(problem);
    instance_free(spoilt);
}

/* The solution's report lists the releases that the plan announced, number by number. */
static void the_fit_charges_what_the_plan_says(void **state) {
    (void)state;
    static const char *const numbers[] = {"steps",
                                          "sensitivity",
                                          "integer_sensitivity",
                                          "grid_unit",
                                          "bits",
                                          "noise_multiplier",
                                          "sigma",
                                          "scale",
                                          "mu_of_a_step",
                                          "epsilon_of_a_step"};
    for (size_t i = 0; i < LENGTH(choices); ++i) {
        dpa_problem *problem = random_problem(4, M, N, D);
        dpa_options *options = options_of(choices[i]);
        dpa_plan *plan = plan_of_problem(problem, options);
        dpa_solution *solution = solve(problem, options);
        char *planned = plan_report(plan, DPA_REPORT_JSON);
        char *made = solution_report(solution, DPA_REPORT_JSON);
        size_t compared = 0;
        assert_int_equal(json_count(planned, "releases"), json_count(made, "releases"));
        assert_true(json_count(made, "releases") > 0);
        for (size_t k = 0; k < json_count(made, "releases"); ++k)
            for (size_t j = 0; j < LENGTH(numbers); ++j) {
                char one[64], two[64];
                snprintf(one, sizeof one, "releases/%zu/%s", k, numbers[j]);
                snprintf(two, sizeof two, "releases/%zu/release/%s", k, numbers[j]);
                if (!json_at(planned, one)) {
                    assert_null(json_at(made, two)); /* sigma or scale, by the mechanism */
                    continue;
                }
                assert_true(json_number(planned, one) == json_number(made, two));
                ++compared;
            }
        assert_int_equal(compared, 8 * json_count(made, "releases"));
        assert_true(json_number(planned, "mu") == json_number(made, "spent/mu"));
        assert_true(json_number(planned, "mu") == plan_value(plan, "mu"));
        assert_true(json_number(planned, "laplace_epsilon") ==
                    json_number(made, "spent/laplace_epsilon"));
        free(made);
        free(planned);
        dpa_solution_destroy(solution);
        dpa_plan_destroy(plan);
        dpa_options_destroy(options);
        dpa_problem_destroy(problem);
    }
}

static void wrong_requests_are_refused(void **state) {
    (void)state;
    dpa_problem *empty = NULL;
    dpa_options *options = private_options(NULL);
    dpa_plan *plan = (dpa_plan *)options;
    assert_ok(dpa_problem_create(&empty));
    assert_error(dpa_plan_create(0, 1, 1, options, &plan), DPA_E_EMPTY, "source_rows");
    assert_null(plan);
    assert_error(dpa_plan_create(1, 0, 1, options, &plan), DPA_E_EMPTY, "target_rows");
    assert_error(dpa_plan_create(1, 1, 0, options, &plan), DPA_E_EMPTY, "features");
    assert_error(dpa_plan_create(1, 1, 1, NULL, &plan), DPA_E_OPTION, "epsilon", "delta");
    assert_error(dpa_plan_for_problem(empty, options, &plan), DPA_E_STATE, "source");
    dpa_options *none = public_options(NULL);
    assert_error(dpa_plan_create(1, 1, 1, none, &plan), DPA_E_OPTION, "private_domain");
    dpa_options_destroy(none);
    static const struct {
        choice c;
        const char *word;
    } refused[] = {{{"delta", "0", NULL, NULL}, "gradients"},
                   {{"alpha", "0.5", "discrepancy_share", "1"}, "discrepancy_share"},
                   {{"alpha", "0.5", "discrepancy_share", "0"}, "discrepancy_share"},
                   {{"discrepancy_share", "0.3", NULL, NULL}, "nothing could spend it"},
                   {{"alpha", "0", "laplace_epsilon", "0.5"}, "nothing could spend it"},
                   {{"alpha", "0.5", "laplace_epsilon", "1.5"}, "exceed"},
                   {{"alpha", "0.5", "noise_multiplier", "100"}, "laplace_epsilon"},
                   {{"noise_multiplier", "0.02", NULL, NULL}, "epsilon"},
                   {{"calibration", "paper", "epsilon", "600"}, "epsilon"}};
    for (size_t k = 0; k < LENGTH(refused); ++k) {
        dpa_options *wrong = options_of(refused[k].c);
        plan = (dpa_plan *)options;
        assert_error(dpa_plan_create(M, N, D, wrong, &plan), DPA_E_OPTION, refused[k].word);
        assert_null(plan);
        dpa_options_destroy(wrong);
    }
    plan = plan_of_sizes(options);
    double value = 7;
    assert_error(dpa_plan_value(plan, "nu", &value), DPA_E_OPTION_NAME, "nu");
    assert_error(dpa_plan_report(plan, 4, NULL, 0, NULL), DPA_E_INVALID_ARGUMENT, "form", "4");
    assert_error(dpa_plan_report(plan, DPA_REPORT_PAGE, NULL, 0, NULL), DPA_E_INVALID_ARGUMENT,
                 "DPA_REPORT_PAGE");
    assert_true(value == 7);
    dpa_plan_destroy(plan);
    dpa_plan_destroy(NULL);
    dpa_options_destroy(options);
    dpa_problem_destroy(empty);
}

/* A fit of sizes that cannot be is not planned, rather than planned with sizes that have wrapped
 * around. */
static void impossible_sizes_are_refused(void **state) {
    (void)state;
    const size_t half = SIZE_MAX / 2 + 1;
    dpa_options *target = private_options(NULL), *both = both_private("alpha", "0.5");
    dpa_plan *plan = (dpa_plan *)target;
    assert_status(dpa_plan_create(half, half, 3, both, &plan), DPA_E_OVERFLOW);
    assert_null(plan);
    assert_status(dpa_plan_create(SIZE_MAX, 3, 3, target, &plan), DPA_E_OVERFLOW);
    assert_status(dpa_plan_create(3, SIZE_MAX, 3, target, &plan), DPA_E_OVERFLOW);
    assert_status(dpa_plan_create(3, 3, SIZE_MAX, target, &plan), DPA_E_OVERFLOW);
    assert_status(dpa_plan_create(3, 3, (size_t)1 << 31, target, &plan), DPA_E_OVERFLOW);
    assert_status(dpa_plan_create(1 << 20, 3, 1 << 20, target, &plan), DPA_E_OPTION);
    assert_null(plan);
    dpa_options_destroy(both);
    dpa_options_destroy(target);
}

/* Noise far below any epsilon is planned, told and found wanting. */
static void hardly_any_noise_is_no_error(void **state) {
    (void)state;
    dpa_options *options =
        private_options("noise_multiplier", "0.02", "epsilon", "unset", "delta", "unset", NULL);
    dpa_plan *plan = plan_of_sizes(options);
    assert_true(plan_value(plan, "mu") > 50);
    char *json = plan_report(plan, DPA_REPORT_JSON);
    assert_true(json_is(json, "curve/0/epsilon", "null"));
    free(json);
    dpa_plan_destroy(plan);
    dpa_options_destroy(options);
}

/* A noise that is given is so many times the sensitivity: of one sum mu is one over that. */
static void given_noise_prices_second_moments(void **state) {
    (void)state;
    dpa_problem *problem = random_problem(3, M, N, D);
    dpa_options *options = NULL;
    dpa_plan *plan = NULL;
    assert_ok(dpa_options_create(&options));
    assert_ok(dpa_options_parse(options, "noise_multiplier", "4"));
    assert_ok(dpa_baseline_plan(problem, "joint_ssp", options, &plan));
    assert_close(plan_value(plan, "mu"), 0.25, 1e-3, 0);
    assert_at_most(plan_value(plan, "mu"), 0.25);
    dpa_plan_destroy(plan);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

static void weights_of_a_private_source_have_their_gradients(void **state) {
    (void)state;
    static const char *const domains[] = {"source", "target"};
    for (int source = 1; source >= 0; --source) {
        dpa_options *options = private_options(
            "private_domain", domains[!source], "method", "paper", "alpha", "0.5", "feature_radius",
            "3", "label_bound", "4", "radius", "1", "kappa_1", "1", NULL);
        dpa_plan *plan = plan_of_sizes(options);
        char *text = plan_report(plan, DPA_REPORT_TEXT);
        assert_true((strstr(text, "gradient of the source weights") != NULL) == source);
        assert_true((strstr(text, "gradient of the target weights") != NULL) == !source);
        free(text);
        dpa_plan_destroy(plan);
        dpa_options_destroy(options);
    }
}

/* With both samples private all bounds are numbers of the options, and so is that of the losses. */
static void sizes_alone_know_the_losses_of_two_private_samples(void **state) {
    (void)state;
    dpa_options *options = both_private("loss", "logistic");
    static const char *const pairs[][2] = {{"label_bound", "auto"},
                                           {"kappa_1", "auto"},
                                           {"alpha", "0.5"},
                                           {"lambda_1", "2"},
                                           {"lambda_2", "0.1"}};
    for (size_t k = 0; k < LENGTH(pairs); ++k)
        assert_ok(dpa_options_parse(options, pairs[k][0], pairs[k][1]));
    instance a = instance_random(3, M, N, D);
    for (size_t i = 0; i < M; ++i) a.ys[i] = i % 2 ? 1 : -1;
    for (size_t i = 0; i < N; ++i) a.yt[i] = i % 2 ? 1 : -1;
    dpa_problem *problem = instance_problem(&a);
    dpa_plan *sizes = plan_of_sizes(options), *rows = plan_of_problem(problem, options);
    char *one = plan_report(sizes, DPA_REPORT_JSON), *two = plan_report(rows, DPA_REPORT_JSON);
    assert_non_null(strstr(one, "\"discrepancy\""));
    assert_string_equal(one, two);
    free(one);
    free(two);
    dpa_plan_destroy(sizes);
    dpa_plan_destroy(rows);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_and_problem_agree),
        cmocka_unit_test(bounds_from_public_data_are_unknown_without),
        cmocka_unit_test(numbers_of_the_gradients_are_theirs),
        cmocka_unit_test(passes_tell_their_bytes_and_seconds),
        cmocka_unit_test(budget_is_divided_exactly),
        cmocka_unit_test(noise_and_budget_are_two_directions),
        cmocka_unit_test(prices_are_within_the_budget),
        cmocka_unit_test(the_failure_of_sampling_is_priced),
        cmocka_unit_test(printed_noise_is_refused_where_it_does_not_hold),
        cmocka_unit_test(plans_are_pure),
        cmocka_unit_test(the_fit_charges_what_the_plan_says),
        cmocka_unit_test(wrong_requests_are_refused),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(hardly_any_noise_is_no_error),
        cmocka_unit_test(given_noise_prices_second_moments),
        cmocka_unit_test(weights_of_a_private_source_have_their_gradients),
        cmocka_unit_test(sizes_alone_know_the_losses_of_two_private_samples),
    };
    return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}

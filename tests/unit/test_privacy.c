/* privacy.h: known values on their safe side, inverses, ranges. */
#include "check.h"

/* exact <= value <= exact (1 + 1e-12) */
static void assert_just_above(double value, double exact) {
    assert_at_most(exact, value);
    assert_close(value, exact, 1e-12, 0);
}

static double delta_of(double epsilon, double laplace_epsilon, double mu) {
    double delta = -1;
    assert_ok(dpa_privacy_delta(epsilon, laplace_epsilon, mu, &delta));
    return delta;
}

static void known_values(void **state) {
    (void)state;
    double value;
    assert_just_above(delta_of(1, 0, 1), 0.12693673750664395);
    assert_just_above(delta_of(1, 0.5, 0.3), 0.0039978916796239457);
    assert_just_above(delta_of(0.5, 2, 0), 0.52763344725898529);
    assert_just_above(delta_of(-1, 0.5, 0.7), 0.65902352897932981);
    assert_ok(dpa_privacy_epsilon(1e-6, 0.1, 1, 0, 1, &value));
    assert_just_above(value, 4.9124902506947474);
    assert_ok(dpa_privacy_mu(1, 1e-5, 0, &value));
    assert_just_above(1 / value, 3.7306316348159418);
    assert_ok(dpa_privacy_mu(1, 1e-5, 0.1, &value));
    assert_at_most(value, 0.25348234955061452);
    assert_close(value, 0.25348234955061452, 1e-12, 0);
}

/* Each record of a person moves every release; so the curve is that of mu and epsilons so many
 * times as large, and epsilon grows faster. */
static void groups_of_records(void **state) {
    (void)state;
    double one = -1, many = -1;
    assert_ok(dpa_privacy_epsilon(1e-6, 0.1, 1, 0, 1, &one));
    assert_ok(dpa_privacy_epsilon(1e-6, 0.1, 1, 0, 1, &many));
    assert_true(many == one);
    assert_ok(dpa_privacy_epsilon(1e-6, 0.5, 1.25, 0, 1, &one));
    assert_ok(dpa_privacy_epsilon(1e-6, 0.125, 0.3125, 0, 4, &many));
    assert_true(many == one);
    assert_ok(dpa_privacy_epsilon(1e-5, 0, 0.26805112249, 0, 30, &many));
    assert_just_above(many, 65.82870815208764);
    /* Twelve rows of a person, at (1, 1e-5): not 12. */
    assert_ok(dpa_privacy_epsilon(1e-5, 0, 0.26805112249, 0, 12, &many));
    assert_close(many, 18.258, 1e-4, 0);
    /* A pure release composes as randomized response: epsilons of two add at delta = 0. */
    assert_ok(dpa_privacy_epsilon(0, 0.25, 0, 0.5, 3, &many));
    assert_true(many >= 2.25 && many < 2.25 * (1 + 1e-14));
    assert_ok(dpa_privacy_epsilon(1e-5, 0.1, 0.2, 0.3, 2, &many));
    assert_just_above(many, 2.2476626262810795);
}

static void pure_privacy_is_exact(void **state) {
    (void)state;
    double epsilon = -1;
    assert_true(delta_of(0.75, 0.75, 0) == 0);
    assert_ok(dpa_privacy_epsilon(0, 0.75, 0, 0, 1, &epsilon));
    assert_true(epsilon == 0.75);
    assert_ok(dpa_privacy_epsilon(0.5, 0.75, 0, 0, 1, &epsilon));
    assert_true(epsilon == 0);
}

/* What a call returns, given back to dpa_privacy_delta, stays within the delta asked for. */
static void inverses_keep_their_promise(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int k = 0; k < 2000; ++k) {
        double delta = pow(10, -1 - 100 * uniform(&seed)), laplace = 2 * uniform(&seed);
        double epsilon = laplace + 0.01 + 10 * uniform(&seed), mu, back;
        assert_ok(dpa_privacy_mu(epsilon, delta, laplace, &mu));
        assert_at_most(delta_of(epsilon, laplace, mu), delta);
        assert_ok(dpa_privacy_epsilon(delta, laplace, mu, 0, 1, &back));
        assert_at_most(delta_of(back, laplace, mu), delta);
        assert_close(back, epsilon, 1e-8, 0);
    }
}

static void arguments_outside_their_range(void **state) {
    (void)state;
    double out = 7;
#define REJECTED(call, ...) assert_error(dpa_privacy_##call, DPA_E_INVALID_ARGUMENT, __VA_ARGS__)
    REJECTED(delta(600.5, 0, 1, &out), "dpa_privacy_delta", "epsilon", "[-600, 600]", "600.5");
    REJECTED(delta(-600.5, 0, 1, &out), "epsilon", "-600.5");
    REJECTED(delta(NAN, 0, 1, &out), "epsilon", "nan");
    REJECTED(delta(1, -0.5, 1, &out), "laplace_epsilon", "[0, 300]", "-0.5");
    REJECTED(delta(1, 300.5, 1, &out), "laplace_epsilon", "300.5");
    REJECTED(delta(1, NAN, 1, &out), "laplace_epsilon", "nan");
    REJECTED(delta(1, 0, -1, &out), "mu", "[0, 50]", "-1");
    REJECTED(delta(1, 0, INFINITY, &out), "mu", "inf");
    REJECTED(delta(1, 0, NAN, &out), "mu", "nan");
    REJECTED(epsilon(1, 0, 1, 0, 1, &out), "dpa_privacy_epsilon", "delta", "[1e-300, 1)", "is 1");
    REJECTED(epsilon(-1e-5, 0, 1, 0, 1, &out), "delta", "-1e-05");
    REJECTED(epsilon(1e-301, 0, 1, 0, 1, &out), "delta", "1e-301");
    REJECTED(epsilon(NAN, 0, 1, 0, 1, &out), "delta", "nan");
    REJECTED(epsilon(1e-5, 301, 1, 0, 1, &out), "laplace_epsilon", "300");
    REJECTED(epsilon(1e-5, 0, 51, 0, 1, &out), "mu", "51");
    REJECTED(epsilon(0, 0, 1, 0, 1, &out), "delta", "600");
    REJECTED(epsilon(1e-5, 0, 50, 0, 1, &out), "delta", "600", "mu = 50");
    REJECTED(epsilon(1e-5, 0, 1, 0, 0, &out), "dpa_privacy_epsilon", "records", "0");
    REJECTED(epsilon(1e-5, 0, 1, 0, -1, &out), "records", "-1");
    REJECTED(epsilon(1e-5, 0, 1, 0, 51, &out), "mu", "51");
    REJECTED(epsilon(1e-5, 0, 1, 0, INT64_MAX, &out), "mu");
    REJECTED(epsilon(1e-5, 0, 1, NAN, 1, &out), "pure_epsilon", "nan");
    REJECTED(epsilon(1e-5, 60, 0, 41, 3, &out), "records", "300");
    REJECTED(epsilon(1e-5, -1, 1, 0, 1, &out), "laplace_epsilon", "-1");
    REJECTED(mu(-1, 1e-5, 0, &out), "dpa_privacy_mu", "epsilon", "[0, 600]", "-1");
    REJECTED(mu(1, 2, 0, &out), "delta", "2");
    REJECTED(mu(1, 1e-5, -1, &out), "laplace_epsilon", "-1");
    REJECTED(mu(1, 1e-5, 1.5, &out), "epsilon", "delta", "laplace_epsilon = 1.5");
    REJECTED(mu(1, 0, 0, &out), "delta");
    assert_true(out == 7);
}

static void results_need_a_place(void **state) {
    (void)state;
    REJECTED(delta(1, 0, 1, NULL), "dpa_privacy_delta", "delta", "NULL");
    REJECTED(epsilon(1e-5, 0, 1, 0, 1, NULL), "dpa_privacy_epsilon", "epsilon", "NULL");
    REJECTED(epsilon(1e-5, 0, 1, 0, 1, NULL), "dpa_privacy_epsilon", "NULL");
    REJECTED(mu(1, 1e-5, 0, NULL), "dpa_privacy_mu", "mu", "NULL");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_values),
        cmocka_unit_test(groups_of_records),
        cmocka_unit_test(pure_privacy_is_exact),
        cmocka_unit_test(inverses_keep_their_promise),
        cmocka_unit_test(arguments_outside_their_range),
        cmocka_unit_test(results_need_a_place),
    };
    return cmocka_run_group_tests_name("privacy", tests, NULL, NULL);
}

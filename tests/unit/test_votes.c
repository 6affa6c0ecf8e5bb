/* dpa_votes_*: shards, counts and means without privacy; what a release costs, and whom it
 * protects. */
#include "unit/private.h"

enum { K = 40, Q = 6 };

static dpa_matrix of(const double *answers) {
    return (dpa_matrix){answers, K, Q, Q, DPA_ROW_MAJOR};
}

static void fill(double *answers) {
    for (size_t k = 0; k < K; ++k)
        for (size_t j = 0; j < Q; ++j) answers[k * Q + j] = (double)((k * j) % 3);
}

static void shards_are_even_or_by_person(void **state) {
    (void)state;
    double shards[100], again[100];
    int64_t ids[100];
    int sizes[7] = {0};
    assert_ok(dpa_votes_shard(NULL, 0, 7, shards, 100));
    for (size_t i = 0; i < 100; ++i) ++sizes[(int)shards[i]];
    for (size_t k = 0; k < 7; ++k) assert_true(sizes[k] == 14 || sizes[k] == 15);
    for (size_t i = 0; i < 100; ++i) ids[i] = (int64_t)(i % 20);
    assert_ok(dpa_votes_shard(ids, 100, 7, shards, 100));
    for (size_t i = 20; i < 100; ++i) assert_true(shards[i] == shards[i - 20]);
    assert_ok(dpa_votes_shard(ids + 1, 99, 7, again, 99));
    assert_memory_equal(shards + 1, again, 99 * sizeof *again);
}

static void without_privacy_sums_are_exact(void **state) {
    (void)state;
    double answers[K * Q], means[Q], counts[3 * Q], noise = 7;
    fill(answers);
    dpa_problem *problem = NULL;
    dpa_options *options = public_options(NULL);
    assert_ok(dpa_problem_create(&problem));
    assert_ok(dpa_votes_mean(problem, of(answers), 0, 2, options, means, Q, &noise));
    assert_ok(dpa_votes_count(problem, of(answers), 3, options, counts, 3 * Q, NULL));
    assert_true(noise == 0);
    for (size_t j = 0; j < Q; ++j) {
        const double *count = counts + 3 * j;
        assert_close(count[0] + count[1] + count[2], K, 0, 0);
        assert_close(means[j], (count[1] + 2 * count[2]) / K, 1e-8, 1e-8);
    }
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

static void a_release_pays_once_and_is_reported(void **state) {
    (void)state;
    double answers[K * Q], counts[3 * Q], means[Q], noise = 0, mu = 0;
    fill(answers);
    dpa_problem *problem = NULL;
    dpa_options *options = private_options("epsilon", "4", "delta", "1e-5", NULL);
    assert_ok(dpa_problem_create(&problem));
    assert_ok(dpa_votes_count(problem, of(answers), 3, options, counts, 3 * Q, &noise));
    assert_ok(dpa_problem_budget(problem, "spent_mu", &mu));
    assert_close(noise, sqrt(2. * Q) / mu, 1e-6, 0);
    assert_status(dpa_votes_mean(problem, of(answers), 0, 2, options, means, Q, &noise),
                  DPA_E_BUDGET);
    char report[1 << 15];
    size_t size = 0;
    assert_ok(dpa_problem_privacy_report(problem, DPA_REPORT_TEXT, report, sizeof report, NULL));
    assert_non_null(strstr(report, "answers of teachers"));
    assert_ok(dpa_problem_privacy_report(problem, DPA_REPORT_JSON, report, sizeof report, &size));
    assert_ok(dpa_report_check((const uint8_t *)report, size - 1, NULL, NULL));
    assert_non_null(strstr(report, "\"private\":true"));
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

/* A mean in a range twice as wide has twice the noise; of zero_out it is the same, because a record
 * that is taken out makes another teacher. */
static void noise_follows_from_public_numbers(void **state) {
    (void)state;
    const char *relations[] = {"replace", "zero_out"};
    double answers[K * Q], means[Q], noise[4];
    fill(answers);
    for (size_t k = 0; k < 4; ++k) {
        dpa_problem *problem = NULL;
        dpa_options *options = private_options("neighbours", relations[k / 2], NULL);
        assert_ok(dpa_problem_create(&problem));
        assert_ok(
            dpa_votes_mean(problem, of(answers), 0, k % 2 ? 4 : 2, options, means, Q, noise + k));
        dpa_options_destroy(options);
        dpa_problem_destroy(problem);
    }
    assert_close(noise[1], 2 * noise[0], 1e-6, 0);
    assert_close(noise[2], noise[0], 1e-6, 0);
}

static void the_unit_is_that_of_the_ledger(void **state) {
    (void)state;
    double answers[K * Q], means[Q];
    fill(answers);
    const char *units[] = {"record", "person"};
    for (size_t k = 0; k < 4; ++k) {
        dpa_problem *problem = NULL;
        dpa_ledger *ledger = NULL;
        dpa_options *budget = private_options("unit", units[k % 2], NULL);
        dpa_options *options = private_options(k < 2 ? "unit" : NULL, units[1], NULL);
        char report[1 << 15];
        assert_ok(dpa_ledger_create(NULL, budget, 1, &ledger));
        assert_ok(dpa_problem_create(&problem));
        assert_ok(dpa_problem_use_ledger(problem, ledger));
        assert_status(dpa_votes_mean(problem, of(answers), 0, 2, options, means, Q, NULL),
                      k == 0 ? DPA_E_STATE : DPA_OK);
        assert_ok(dpa_ledger_report(ledger, DPA_REPORT_JSON, report, sizeof report, NULL));
        assert_true((strstr(report, "answers of teachers") != NULL) == (k != 0));
        dpa_options_destroy(budget);
        dpa_options_destroy(options);
        dpa_ledger_destroy(ledger);
        dpa_problem_destroy(problem);
    }
    dpa_problem *alone = NULL;
    dpa_options *options = private_options("unit", "person", NULL);
    char report[1 << 15];
    assert_ok(dpa_problem_create(&alone));
    assert_ok(dpa_votes_mean(alone, of(answers), 0, 2, options, means, Q, NULL));
    assert_ok(dpa_problem_privacy_report(alone, DPA_REPORT_JSON, report, sizeof report, NULL));
    assert_non_null(strstr(report, "person"));
    dpa_options_destroy(options);
    dpa_problem_destroy(alone);
}

static void a_seed_protects_nobody(void **state) {
    (void)state;
    double answers[K * Q], one[Q], two[Q];
    fill(answers);
    for (size_t k = 0; k < 2; ++k) {
        dpa_problem *problem = NULL;
        dpa_options *options = private_options("unsafe_seed", "5", NULL);
        char report[1 << 15];
        assert_ok(dpa_problem_create(&problem));
        assert_ok(dpa_votes_mean(problem, of(answers), 0, 2, options, k ? two : one, Q, NULL));
        assert_ok(
            dpa_problem_privacy_report(problem, DPA_REPORT_TEXT, report, sizeof report, NULL));
        assert_non_null(strstr(report, "NOT PRIVATE"));
        dpa_options_destroy(options);
        dpa_problem_destroy(problem);
    }
    assert_memory_equal(one, two, sizeof one);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shards_are_even_or_by_person),
        cmocka_unit_test(without_privacy_sums_are_exact),
        cmocka_unit_test(a_release_pays_once_and_is_reported),
        cmocka_unit_test(noise_follows_from_public_numbers),
        cmocka_unit_test(the_unit_is_that_of_the_ledger),
        cmocka_unit_test(a_seed_protects_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

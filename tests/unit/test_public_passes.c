/* A public source that stays elsewhere: two passes over it, from bytes to bytes, give all bits of
 * the result the same in any partition and order, the fit of rows in memory where they are few, and
 * exact least squares where they are many. What needs every row is refused before it is paid. */
#include "unit/arrow.h"
#include "unit/private.h"

enum { kMany = 70000, kFew = 500, kTarget = 400, kCols = 3, kMostBytes = 1 << 23 };

typedef enum { kGood, kFails, kMissing, kOld, kForgets, kChanges, kGarbage } mischief;

/* A sample, its number of parts, and what its passes have shown. */
typedef struct {
    const double *x, *y;
    size_t rows, parts, passes;
    int backwards;
    mischief mischief;
    int shows_rows; /* a sum has held a label as it is */
    double watched;
    int has_watched; /* a sum has held this number */
} host;

static uint8_t bytes[kMostBytes], old[kMostBytes];
static size_t old_size;

static int holds(const uint8_t *in, size_t size, double value) {
    for (size_t k = 0; k + sizeof value <= size; k += sizeof value)
        if (memcmp(in + k, &value, sizeof value) == 0) return 1;
    return 0;
}

static size_t of_part(host *h, const uint8_t *request, size_t request_len, size_t k) {
    size_t begin = h->rows * k / h->parts, rows = h->rows * (k + 1) / h->parts - begin, size = 0;
    dpa_partial *sum = NULL;
    assert_ok(dpa_partial_create(request, request_len, &sum));
    assert_ok(dpa_partial_name(sum, k));
    const double *x = h->x + begin * kCols, *y = h->y + begin;
    const int worse = (h->mischief == kForgets || h->mischief == kChanges) && h->passes > 1;
    const size_t other = worse && rows > 0; /* a row, without its label or with another one */
    const double label = h->mischief == kForgets ? NAN : h->y[h->rows - 1];
    assert_ok(dpa_partial_add(sum, (dpa_matrix){x, other, kCols, kCols, DPA_ROW_MAJOR}, &label,
                              other, NULL, 0));
    assert_ok(dpa_partial_add(
        sum, (dpa_matrix){x + other * kCols, rows - other, kCols, kCols, DPA_ROW_MAJOR}, y + other,
        rows - other, NULL, 0));
    assert_ok(dpa_partial_serialize(sum, bytes, kMostBytes, &size));
    dpa_partial_destroy(sum);
    if (rows > 0 && holds(bytes, size, h->y[begin])) h->shows_rows = 1;
    if (holds(bytes, size, h->watched)) h->has_watched = 1;
    return size;
}

static int32_t pass(const uint8_t *request, size_t request_len, dpa_partial *total, void *user) {
    host *h = user;
    ++h->passes;
    if (h->mischief == kOld && h->passes > 1)
        assert_error(dpa_partial_merge(total, old, old_size), DPA_E_FORMAT, "another request");
    for (size_t i = 0; i < h->parts; ++i) {
        size_t k = h->backwards ? h->parts - 1 - i : i;
        if (h->mischief == kMissing && k == 0) continue;
        size_t size = of_part(h, request, request_len, k);
        if (h->mischief == kGarbage) {
            bytes[size / 2] ^= 1;
            assert_status(dpa_partial_merge(total, bytes, size), DPA_E_FORMAT);
            return 0;
        }
        assert_ok(dpa_partial_merge(total, bytes, size));
        if (h->parts > 1) assert_status(dpa_partial_merge(total, bytes, size), DPA_E_STATE);
        if (h->mischief == kOld) memcpy(old, bytes, old_size = size);
    }
    return h->mischief == kFails;
}

static instance make_data(size_t m, int classes) {
    instance a = instance_random(7, m, kTarget, kCols);
    for (size_t i = 0; i < m / 20; ++i) { /* rows that repeat */
        memcpy(a.xs + i * kCols, a.xs + i % 40 * kCols, kCols * sizeof(double));
        a.ys[i] = a.ys[i % 40];
    }
    if (classes) {
        for (size_t i = 0; i < a.m; ++i) a.ys[i] = (a.ys[i] < 0) != (i % 5 == 0) ? -1 : 1;
        for (size_t i = 0; i < a.n; ++i) a.yt[i] = a.yt[i] < 0 ? -1 : 1;
    }
    return a;
}

/* What is asked: options, a baseline's name or "discrepancy" instead of a fit. */
typedef struct {
    const char *baseline;
    const char *options[2][2];
    int classes;
} question;

static double spent(const dpa_problem *problem) {
    double value = -1;
    return dpa_problem_budget(problem, "spent_mu", &value) == DPA_E_STATE ? 0 : value;
}

/* With h->parts = 0 the source is in memory. */
static dpa_status ask(const question *q, const instance *a, host *h, double out[kCols + 3],
                      double *paid) {
    dpa_options *options = private_options("unsafe_seed", "3", q->options[0][0], q->options[0][1],
                                           q->options[1][0], q->options[1][1], NULL);
    dpa_problem *problem = NULL;
    dpa_solution *solution = NULL;
    dpa_discrepancy *estimate = NULL;
    if (!q->classes) assert_ok(dpa_options_parse(options, "prediction_range", "0.5"));
    size_t rows = 0;
    h->x = a->xs, h->y = a->ys, h->rows = a->m;
    assert_ok(dpa_problem_create(&problem));
    if (h->parts)
        assert_ok(dpa_problem_set_passes(problem, DPA_SOURCE, a->m, kCols, pass, h));
    else
        assert_ok(dpa_problem_set_sample(problem, DPA_SOURCE,
                                         (dpa_matrix){a->xs, a->m, kCols, kCols, DPA_ROW_MAJOR},
                                         a->ys, a->m));
    assert_ok(dpa_problem_set_sample(
        problem, DPA_TARGET, (dpa_matrix){a->xt, a->n, kCols, kCols, DPA_ROW_MAJOR}, a->yt, a->n));
    dpa_status status;
    if (q->baseline && strcmp(q->baseline, "discrepancy") == 0)
        status = dpa_discrepancy_estimate(problem, options, &estimate);
    else if (q->baseline)
        status = dpa_baseline_solve(problem, q->baseline, options, &solution);
    else
        status = dpa_solve(problem, NULL, options, &solution);
    if (paid) *paid = spent(problem);
    if (solution && !q->baseline) {
        copy_predictor(solution, kCols, out);
        out[kCols + 1] = q->classes ? 0 : solution_number(solution, "prediction_lowest");
        out[kCols + 2] = q->classes ? 0 : solution_number(solution, "prediction_highest");
        assert_ok(dpa_solution_shape(solution, NULL, NULL, &rows, NULL));
        assert_int_equal(rows, a->m);
        if (h->parts)
            assert_status(dpa_solution_array(solution, "source_weights", out, a->m),
                          DPA_E_NOT_RELEASABLE);
    }
    dpa_discrepancy_destroy(estimate);
    dpa_solution_destroy(solution);
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    return status;
}

static const question squared = {NULL, {{"iterations", "4"}, {"alpha", "auto"}}, 0};
static const question anchor = {NULL, {{"epsilon", "0.01"}, {"iterations", "2"}}, 0};
static const question logistic = {NULL, {{"loss", "logistic"}, {"iterations", "4"}}, 1};

static void assert_near(const double *a, const double *b, size_t n, double relative) {
    double size = 0;
    for (size_t k = 0; k < n; ++k) size = fmax(size, fabs(b[k]));
    for (size_t k = 0; k < n; ++k)
        if (!(fabs(a[k] - b[k]) <= relative * size))
            fail_msg("%zu: %.17g instead of %.17g", k, a[k], b[k]);
}

static void any_partition_gives_the_same_bits(void **state) {
    (void)state;
    static const size_t rows[] = {kMany, kFew};
    static const size_t parts[] = {2, 7, 300};
    for (size_t q = 0; q < 2; ++q)
        for (size_t r = 0; r < LENGTH(rows); ++r) {
            const question *asked = q == 0 ? &squared : &logistic;
            instance data = make_data(rows[r], asked->classes);
            double wanted[kCols + 3], got[kCols + 3];
            host whole = {.parts = 1};
            assert_ok(ask(asked, &data, &whole, wanted, NULL));
            assert_true(whole.shows_rows); /* they are public */
            assert_int_equal(whole.passes, rows[r] == kMany ? 2 : 1);
            for (size_t p = 0; p < LENGTH(parts); ++p) {
                host h = {.parts = parts[p], .backwards = p % 2 == 0};
                assert_ok(ask(asked, &data, &h, got, NULL));
                assert_same_bits(got, wanted, kCols + 3);
            }
            instance_free(data);
        }
}

static void few_rows_are_fitted_as_in_memory(void **state) {
    (void)state;
    static const question fixed = {NULL, {{"alpha", "0.4"}, {"iterations", "3"}}, 0};
    static const question ssp = {"joint_ssp", {{"label_bound", "9"}, {"feature_radius", "4"}}, 0};
    const question *all[] = {&anchor, &squared, &logistic, &fixed, &ssp};
    for (size_t q = 0; q < LENGTH(all); ++q) {
        instance data = make_data(kFew, all[q]->classes);
        double wanted[kCols + 3] = {0}, got[kCols + 3] = {0};
        data.ys[8] = data.ys[200] = NAN; /* no label: no row */
        assert_ok(ask(all[q], &data, &(host){.parts = 0}, wanted, NULL));
        assert_ok(ask(all[q], &data, &(host){.parts = 3}, got, NULL));
        /* the same noise, but sums of rounded terms */
        assert_near(got, wanted, kCols + 3, all[q] == &anchor ? 1e-9 : 1e-6);
        instance_free(data);
    }
}

static void many_rows_have_the_least_squares_of_all(void **state) {
    (void)state;
    instance data = make_data(3 * kMany, 0);
    double wanted[kCols + 3], got[kCols + 3];
    for (size_t i = 0; i < data.m; ++i) data.xs[i * kCols] = 1e6 + 1e-2 * data.xs[i * kCols];
    for (size_t i = 0; i < data.n; ++i) data.xt[i * kCols] = 1e6 + 1e-2 * data.xt[i * kCols];
    assert_ok(ask(&anchor, &data, &(host){.parts = 0}, wanted, NULL));
    assert_ok(ask(&anchor, &data, &(host){.parts = 7}, got, NULL));
    assert_near(got, wanted, kCols, 1e-6);
    assert_near(got + kCols + 1, wanted + kCols + 1, 2, 0);
    instance_free(data);
}

/* A result with so much noise that it is the public fit. */
static const question nearly = {NULL, {{"loss", "logistic"}, {"epsilon", "0.01"}}, 1};

static void rows_that_a_sample_misses_are_noticed(void **state) {
    (void)state;
    instance data = make_data(2 * kMany, 1);
    double got[kCols + 3], wanted[kCols + 3], paid = 1;
    assert_ok(ask(&nearly, &data, &(host){.parts = 2}, got, NULL));
    assert_ok(ask(&nearly, &data, &(host){.parts = 0}, wanted, NULL));
    assert_near(got, wanted, kCols + 1, 0.05);
    int missed = 0, found = 0;
    for (size_t row = 0; row < 6; ++row) { /* a quarter is one row, which is in the sample or not */
        for (size_t i = 0; i < kMany / 2; ++i) {
            for (size_t j = 0; j < kCols; ++j) data.xs[i * kCols + j] = 1.5 + (double)row;
            data.ys[i] = 1;
        }
        dpa_status status = ask(&nearly, &data, &(host){.parts = 2}, got, &paid);
        if (status == DPA_OK) {
            assert_ok(ask(&nearly, &data, &(host){.parts = 0}, wanted, NULL));
            assert_near(got, wanted, kCols + 1, 0.05);
            ++found;
        } else {
            assert_error(status, DPA_E_UNSUPPORTED, "repeat");
            assert_true(paid == 0);
            ++missed;
        }
    }
    assert_true(missed > 0 && found > 0);
    instance_free(data);
}

/* All rows are kept if few of them differ, however many there are. */
static void repeated_rows_weigh_as_often_as_they_are_there(void **state) {
    (void)state;
    instance data = make_data(kMany, 1);
    double wanted[kCols + 3], got[kCols + 3];
    for (size_t i = 0; i < data.m; ++i)
        for (size_t j = 0; j < kCols; ++j) data.xs[i * kCols + j] = floor(data.xs[i * kCols + j]);
    host h = {.parts = 7};
    assert_ok(ask(&nearly, &data, &(host){.parts = 0}, wanted, NULL));
    assert_ok(ask(&nearly, &data, &h, got, NULL));
    assert_int_equal(h.passes, 1);
    assert_near(got, wanted, kCols + 1, 1e-6);
    instance_free(data);
}

/* Only some equal rows, which the sample has or lacks, have a number in the last column. */
static void a_column_that_is_constant_in_the_sample_alone_is_fitted(void **state) {
    (void)state;
    enum { kRare = 100, kLast = kCols - 1 };
    const double far = 1e6;
    const question clipped = {NULL, {{"epsilon", "0.01"}, {"feature_radius", "9"}}, 0};
    instance data = make_data(3 * kMany, 0);
    for (size_t i = 0; i < data.m; ++i) data.xs[i * kCols + kLast] = 0;
    for (size_t i = 0; i < data.n; ++i) data.xt[i * kCols + kLast] = 0;
    int missed = 0;
    for (size_t k = 0; k < 4; ++k) {
        const double label = 0.5 + (double)k / 1024;
        double got[kCols + 3], predicted = 0;
        for (size_t i = 0; i < kRare; ++i) {
            double *row = data.xs + i * kCols;
            for (size_t j = 0; j < kCols; ++j) row[j] = j == kLast ? far : 0.25;
            data.ys[i] = label;
        }
        host h = {.parts = 1, .watched = label};
        assert_ok(ask(&clipped, &data, &h, got, NULL));
        if (h.has_watched) continue;
        ++missed;
        for (size_t j = 0; j <= kCols; ++j) predicted += got[j] * (j == kCols ? 1 : data.xs[j]);
        if (!(fabs(predicted - label) < 0.05)) fail_msg("%.9g, not %.9g", predicted, label);
    }
    assert_true(missed > 0);
    instance_free(data);
}

/* Nobody knows the rows' places, but the label that has no meaning is known, also one that lies
 * beyond all of the sample. */
static void a_label_without_meaning_is_told_without_a_place(void **state) {
    (void)state;
    static const size_t rows[] = {kFew, 2 * kMany};
    for (size_t r = 0; r < LENGTH(rows); ++r) {
        instance data = make_data(rows[r], 1);
        double out[kCols + 3], paid = 1;
        for (size_t k = 0; k < 5; ++k) {
            const size_t row = rows[r] / 2 + 31 * k;
            const double label = data.ys[row];
            data.ys[row] = k % 2 ? 3 : -3;
            dpa_status status = ask(&logistic, &data, &(host){.parts = 3}, out, &paid);
            assert_error(status, DPA_E_LABEL,
                         k % 2 ? "source: the loss does not accept the label 3"
                               : "source: the loss does not accept the label -3");
            assert_true(paid == 0);
            status = ask(&logistic, &data, &(host){.parts = 0}, out, &paid);
            assert_error(status, DPA_E_LABEL, "source row ");
            data.ys[row] = label;
        }
        instance_free(data);
    }
}

static void what_needs_every_row_costs_nothing(void **state) {
    (void)state;
    static const question bad[] = {
        {NULL, {{"alpha", "0.4"}, {"iterations", "3"}}, 0},
        {NULL, {{"loss", "perceptron"}, {"classes", "2"}}, 1},
        {NULL, {{"method", "paper"}, {"label_bound", "9"}}, 0},
        {"joint_ssp", {{"label_bound", "9"}, {"feature_radius", "4"}}, 0},
        {"discrepancy", {{"label_bound", "9"}, {"feature_radius", "4"}}, 0},
    };
    instance data[] = {make_data(kMany, 0), make_data(kMany, 1)};
    for (size_t q = 0; q < LENGTH(bad); ++q) {
        double out[kCols + 3], paid = 1;
        host h = {.parts = 2};
        assert_status(ask(&bad[q], &data[bad[q].classes], &h, out, &paid), DPA_E_UNSUPPORTED);
        assert_true(paid == 0);
        if (q == 0) assert_non_null(strstr(dpa_last_error(), "every public row"));
    }
    instance_free(data[0]);
    instance_free(data[1]);
}

static void what_a_host_does_wrong_is_refused_unpaid(void **state) {
    (void)state;
    instance data = make_data(kMany, 0);
    double out[kCols + 3], paid = 1;
    for (mischief m = kFails; m <= kGarbage; ++m) {
        host h = {.parts = 4, .mischief = m};
        assert_status(ask(&squared, &data, &h, out, &paid), m == kOld ? DPA_OK : DPA_E_CALLBACK);
        if (m == kForgets || m == kChanges)
            assert_non_null(strstr(dpa_last_error(), "changed between two passes"));
        assert_true((paid == 0) == (m != kOld));
    }
    data.xs[kMany] = INFINITY;
    dpa_status status = ask(&squared, &data, &(host){.parts = 4}, out, &paid);
    assert_error(status, DPA_E_NONFINITE, "1 rows");
    assert_true(paid == 0);
    for (size_t i = 0; i < data.m; ++i) data.ys[i] = NAN;
    data.xs[kMany] = 0;
    assert_status(ask(&squared, &data, &(host){.parts = 4}, out, &paid), DPA_E_LABEL);
    instance_free(data);
}

/* Adds a column that has another name from the second pass on. */
static int32_t renaming_pass(const uint8_t *request, size_t request_len, dpa_partial *total,
                             void *user) {
    (void)request, (void)request_len;
    host *h = user;
    static const char *features[] = {"a"};
    arrow_column columns[2];
    arrow_batch batch;
    arrow_values(&columns[0], ++h->passes == 1 ? "a" : "b", "g", h->rows, 0, NULL, h->x);
    arrow_values(&columns[1], "y", "g", h->rows, 0, NULL, h->y);
    arrow_make_batch(&batch, columns, 2, h->rows);
    dpa_status status = dpa_partial_add_arrow(total, &batch.schema, &batch.array, features, 1, "y");
    if (h->passes > 1) assert_error(status, DPA_E_INVALID_ARGUMENT, "\"a\"");
    return status != DPA_OK;
}

/* A request has no names: the worker that adds columns by theirs finds out. */
static void a_column_that_is_renamed_between_passes_is_refused_unpaid(void **state) {
    (void)state;
    instance data = make_data(kMany, 0);
    host h = {.x = data.xs, .y = data.ys, .rows = data.m};
    dpa_options *options = private_options(NULL);
    dpa_problem *problem = NULL;
    dpa_solution *solution = NULL;
    assert_ok(dpa_problem_create(&problem));
    assert_ok(dpa_problem_set_passes(problem, DPA_SOURCE, data.m, 1, renaming_pass, &h));
    assert_ok(dpa_problem_set_sample(
        problem, DPA_TARGET, (dpa_matrix){data.xt, data.n, 1, 1, DPA_ROW_MAJOR}, data.yt, data.n));
    assert_status(dpa_solve(problem, NULL, options, &solution), DPA_E_CALLBACK);
    assert_int_equal(h.passes, 2);
    assert_true(spent(problem) == 0);
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    instance_free(data);
}

/* A survey holds rows, so a private sample is never asked for one, whatever the other one is. */
static void private_rows_stay_where_they_are(void **state) {
    (void)state;
    static const char *domains[] = {"target", "source"};
    for (size_t k = 0; k < 2; ++k) {
        instance data = make_data(kFew, 0);
        host of_source = {.x = data.xs, .y = data.ys, .rows = data.m, .parts = 2};
        host of_target = {.x = data.xt, .y = data.yt, .rows = data.n, .parts = 2};
        dpa_options *options = private_options("private_domain", domains[k], NULL);
        dpa_problem *problem = NULL;
        dpa_solution *solution = NULL;
        assert_ok(dpa_problem_create(&problem));
        assert_ok(dpa_problem_set_passes(problem, DPA_SOURCE, data.m, kCols, pass, &of_source));
        if (k == 0)
            assert_ok(dpa_problem_set_passes(problem, DPA_TARGET, data.n, kCols, pass, &of_target));
        else
            assert_ok(dpa_problem_set_sample(
                problem, DPA_TARGET, (dpa_matrix){data.xt, data.n, kCols, kCols, DPA_ROW_MAJOR},
                data.yt, data.n));
        assert_ok(dpa_solve(problem, NULL, options, &solution));
        const host *hidden = k == 0 ? &of_target : &of_source;
        assert_true(hidden->passes > 5);
        assert_false(hidden->shows_rows);
        assert_true(k == 1 || of_source.shows_rows);
        dpa_solution_destroy(solution);
        dpa_problem_destroy(problem);
        dpa_options_destroy(options);
        instance_free(data);
    }
}

/* Of many rows in memory a fit of squares reads a sample, which their order does not choose, beside
 * the moments of all; weights are those of all rows. */
static void many_rows_in_memory_have_a_sample_of_their_own(void **state) {
    (void)state;
    enum { kAll = 2 * kMany };
    instance data = make_data(kAll, 0);
    for (size_t i = kAll - 2 * kFew; i < kAll; ++i) data.ys[i] = NAN;
    const dpa_matrix target = {data.xt, data.n, kCols, kCols, DPA_ROW_MAJOR};
    double *weights = malloc(kAll * sizeof(double)), got[2][kCols + 1];
    for (size_t reversed = 0; reversed < 2; ++reversed) {
        dpa_options *options = private_options("unsafe_seed", "3", NULL);
        dpa_problem *problem = NULL;
        dpa_solution *solution = NULL;
        assert_ok(dpa_problem_create(&problem));
        assert_ok(dpa_problem_set_sample(problem, DPA_SOURCE,
                                         (dpa_matrix){data.xs, kAll, kCols, kCols, DPA_ROW_MAJOR},
                                         data.ys, kAll));
        assert_ok(dpa_problem_set_sample(problem, DPA_TARGET, target, data.yt, data.n));
        assert_ok(dpa_solve(problem, NULL, options, &solution));
        copy_predictor(solution, kCols, got[reversed]);
        assert_ok(dpa_solution_array(solution, "source_weights", weights, kAll));
        double sum = 0;
        for (size_t i = 0; i < kAll; ++i) {
            sum += weights[i];
            assert_true((weights[i] == 0) == (isnan(data.ys[i]) != 0));
        }
        assert_true(fabs(sum - solution_number(solution, "alpha")) < 1e-9);
        dpa_solution_destroy(solution);
        dpa_problem_destroy(problem);
        dpa_options_destroy(options);
        for (size_t i = 0; i < kAll / 2; ++i) {
            const size_t other = kAll - 1 - i;
            double kept = data.ys[i];
            data.ys[i] = data.ys[other], data.ys[other] = kept;
            for (size_t j = 0; j < kCols; ++j) {
                kept = data.xs[i * kCols + j];
                data.xs[i * kCols + j] = data.xs[other * kCols + j];
                data.xs[other * kCols + j] = kept;
            }
        }
    }
    assert_near(got[1], got[0], kCols + 1, 1e-7);
    free(weights);
    instance_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_rows_in_memory_have_a_sample_of_their_own),
        cmocka_unit_test(any_partition_gives_the_same_bits),
        cmocka_unit_test(few_rows_are_fitted_as_in_memory),
        cmocka_unit_test(many_rows_have_the_least_squares_of_all),
        cmocka_unit_test(rows_that_a_sample_misses_are_noticed),
        cmocka_unit_test(repeated_rows_weigh_as_often_as_they_are_there),
        cmocka_unit_test(a_column_that_is_constant_in_the_sample_alone_is_fitted),
        cmocka_unit_test(a_label_without_meaning_is_told_without_a_place),
        cmocka_unit_test(what_needs_every_row_costs_nothing),
        cmocka_unit_test(what_a_host_does_wrong_is_refused_unpaid),
        cmocka_unit_test(a_column_that_is_renamed_between_passes_is_refused_unpaid),
        cmocka_unit_test(private_rows_stay_where_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

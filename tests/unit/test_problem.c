/* problem.h: sizes, layouts, lending, and what happens to bad data. */
#include "check.h"

typedef dpa_status (*setter)(dpa_problem *, int32_t, dpa_matrix, const double *, size_t);

/* The two setters, each for both domains; even ones set the source, odd ones the target. */
static const struct {
    const char *name;
    setter set;
    int32_t domain;
} setters[] = {{"dpa_problem_set_sample", dpa_problem_set_sample, DPA_SOURCE},
               {"dpa_problem_set_sample", dpa_problem_set_sample, DPA_TARGET},
               {"dpa_problem_lend_sample", dpa_problem_lend_sample, DPA_SOURCE},
               {"dpa_problem_lend_sample", dpa_problem_lend_sample, DPA_TARGET}};

static const double x6[6] = {1, 2, 3, 4, 5, 6}, y6[6] = {1, 2, 3, 4, 5, 6};

static void assert_shape(const dpa_problem *problem, size_t m, size_t n, size_t d) {
    size_t rows = 99, targets = 99, features = 99;
    assert_ok(dpa_problem_shape(problem, &rows, &targets, &features));
    assert_int_equal(rows, m);
    assert_int_equal(targets, n);
    assert_int_equal(features, d);
}

static int create(void **state) { return dpa_problem_create((dpa_problem **)state) != DPA_OK; }

static int destroy(void **state) {
    dpa_problem_destroy(*state);
    return 0;
}

static void shape_follows_the_samples(void **state) {
    assert_shape(*state, 0, 0, 0);
    assert_ok(dpa_problem_shape(*state, NULL, NULL, NULL));
    assert_ok(dpa_problem_set_sample(*state, DPA_TARGET, (dpa_matrix){x6, 2, 3, 2, DPA_COL_MAJOR},
                                     y6, 2));
    assert_shape(*state, 0, 2, 3);
    assert_ok(dpa_problem_lend_sample(*state, DPA_TARGET, (dpa_matrix){x6, 6, 1, 6, DPA_COL_MAJOR},
                                      y6, 6));
    assert_shape(*state, 0, 6, 1);
    assert_ok(dpa_problem_set_sample(*state, DPA_SOURCE, (dpa_matrix){x6, 5, 1, 1, DPA_ROW_MAJOR},
                                     y6, 5));
    assert_shape(*state, 5, 6, 1);
}

/* Every documented failure of every setter; a complete problem stays as it was. */
static void setters_check_their_arguments(void **state) {
    const size_t big = SIZE_MAX / 2 + 1, blas = (size_t)1 << 31;
    assert_ok(dpa_problem_set_sample(*state, DPA_SOURCE, (dpa_matrix){x6, 3, 2, 2, DPA_ROW_MAJOR},
                                     y6, 3));
    assert_ok(dpa_problem_set_sample(*state, DPA_TARGET, (dpa_matrix){x6, 2, 2, 2, DPA_ROW_MAJOR},
                                     y6, 2));
    for (size_t i = 0; i < LENGTH(setters); ++i) {
        const char *name = setters[i].name;
        setter set = setters[i].set;
        int32_t domain = setters[i].domain;
#define FAILS(code, x, rows, cols, lead, layout, y, y_len, ...)                                  \
    assert_error(set(*state, domain, (dpa_matrix){x, rows, cols, lead, layout}, y, y_len), code, \
                 name, __VA_ARGS__)
        FAILS(DPA_E_INVALID_ARGUMENT, NULL, 2, 2, 2, DPA_ROW_MAJOR, y6, 2, "data", "NULL");
        FAILS(DPA_E_INVALID_ARGUMENT, x6, 2, 2, 2, DPA_ROW_MAJOR, NULL, 2, "y", "NULL");
        FAILS(DPA_E_INVALID_ARGUMENT, x6, 2, 2, 2, 2, y6, 2, "layout", "2");
        FAILS(DPA_E_INVALID_ARGUMENT, x6, 2, 2, 2, -1, y6, 2, "layout", "-1");
        FAILS(DPA_E_EMPTY, x6, 0, 2, 2, DPA_ROW_MAJOR, y6, 0, "rows", "0");
        FAILS(DPA_E_EMPTY, x6, 2, 0, 2, DPA_COL_MAJOR, y6, 2, "cols", "0");
        FAILS(DPA_E_STRIDE, x6, 3, 2, 1, DPA_ROW_MAJOR, y6, 3, "leading_dimension", "1", "2");
        FAILS(DPA_E_STRIDE, x6, 3, 2, 2, DPA_COL_MAJOR, y6, 3, "leading_dimension", "2", "3");
        FAILS(DPA_E_STRIDE, x6, 3, 2, 0, DPA_COL_MAJOR, y6, 3, "leading_dimension", "0");
        FAILS(DPA_E_DIMENSION, x6, 3, 2, 2, DPA_ROW_MAJOR, y6, 2, "y_len", "2", "3");
        FAILS(DPA_E_DIMENSION, x6, 3, 2, 2, DPA_ROW_MAJOR, y6, 4, "y_len", "4", "3");
        FAILS(DPA_E_DIMENSION, x6, 2, 3, 3, DPA_ROW_MAJOR, y6, 2, "cols", "3", "2");
        FAILS(DPA_E_OVERFLOW, x6, big, 2, big, DPA_COL_MAJOR, y6, big, "rows");
        FAILS(DPA_E_OVERFLOW, x6, big, 2, 2, DPA_ROW_MAJOR, y6, big, "rows");
        FAILS(DPA_E_OVERFLOW, x6, SIZE_MAX, 2, SIZE_MAX, DPA_COL_MAJOR, y6, SIZE_MAX, "rows");
        FAILS(DPA_E_OVERFLOW, x6, 2, 2, SIZE_MAX, DPA_ROW_MAJOR, y6, 2, "leading_dimension");
        FAILS(DPA_E_OVERFLOW, x6, blas, 2, 2, DPA_ROW_MAJOR, y6, blas, "rows", "2147483648");
        FAILS(DPA_E_OVERFLOW, x6, 2, blas, blas, DPA_ROW_MAJOR, y6, 2, "cols", "2147483648");
        assert_shape(*state, 3, 2, 2);
    }
    dpa_options *options = public_options(NULL);
    dpa_solution_destroy(solve(*state, options));
    dpa_options_destroy(options);
}

/* The second sample must have the columns of the first, whichever comes first. */
static void columns_must_agree_in_both_orders(void **state) {
    for (size_t i = 0; i < LENGTH(setters); ++i) {
        dpa_problem *problem = NULL;
        assert_ok(dpa_problem_create(&problem));
        assert_ok(setters[i ^ 1].set(problem, setters[i ^ 1].domain,
                                     (dpa_matrix){x6, 2, 3, 3, DPA_ROW_MAJOR}, y6, 2));
        assert_error(setters[i].set(problem, setters[i].domain,
                                    (dpa_matrix){x6, 3, 2, 2, DPA_ROW_MAJOR}, y6, 3),
                     DPA_E_DIMENSION, setters[i].name, "cols", "2", "3");
        assert_shape(problem, i % 2 ? 2 : 0, i % 2 ? 0 : 2, 3);
        assert_ok(setters[i].set(problem, setters[i].domain,
                                 (dpa_matrix){x6, 1, 3, 3, DPA_ROW_MAJOR}, y6, 1));
        dpa_problem_destroy(problem);
    }
    (void)state;
}

static void handles_are_checked(void **state) {
    dpa_options *options = public_options(NULL);
    dpa_problem *const wrong[] = {NULL, (dpa_problem *)options};
    size_t rows = 99;
    for (size_t i = 0; i < LENGTH(wrong); ++i) {
        for (size_t k = 0; k < LENGTH(setters); ++k)
            assert_error(setters[k].set(wrong[i], setters[k].domain,
                                        (dpa_matrix){x6, 3, 2, 2, DPA_ROW_MAJOR}, y6, 3),
                         DPA_E_HANDLE, setters[k].name, "problem");
        assert_error(dpa_problem_shape(wrong[i], &rows, NULL, NULL), DPA_E_HANDLE,
                     "dpa_problem_shape", "problem");
    }
    assert_int_equal(rows, 99);
    assert_error(dpa_problem_create(NULL), DPA_E_INVALID_ARGUMENT, "dpa_problem_create", "out");
    dpa_problem_destroy(NULL);
    dpa_options_destroy(options);
    (void)state;
}

/* Entry (i, j) of a row-major matrix laid out anew; gaps between columns or rows are NaN. */
static double *laid_out(const double *x, size_t rows, size_t cols, size_t lead, int32_t layout) {
    size_t length = lead * (layout == DPA_ROW_MAJOR ? rows : cols);
    double *out = malloc(length * sizeof *out);
    assert_non_null(out);
    for (size_t k = 0; k < length; ++k) out[k] = NAN;
    for (size_t i = 0; i < rows; ++i)
        for (size_t j = 0; j < cols; ++j)
            out[layout == DPA_ROW_MAJOR ? i * lead + j : i + j * lead] = x[i * cols + j];
    return out;
}

enum { kRows = 90, kTargets = 35, kCols = 4 };

/* Coefficients, then the intercept. */
static void fit_laid_out(const instance *a, size_t padding, int32_t layout, int lend, double *out) {
    int by_rows = layout == DPA_ROW_MAJOR;
    size_t lead_s = padding + (by_rows ? a->d : a->m), lead_t = padding + (by_rows ? a->d : a->n);
    double *xs = laid_out(a->xs, a->m, a->d, lead_s, layout);
    double *xt = laid_out(a->xt, a->n, a->d, lead_t, layout);
    dpa_problem *problem = NULL;
    dpa_options *options = public_options(NULL);
    assert_ok(dpa_problem_create(&problem));
    const size_t s = lend ? 2 : 0, t = lend ? 3 : 1;
    assert_ok(setters[s].set(problem, setters[s].domain,
                             (dpa_matrix){xs, a->m, a->d, lead_s, layout}, a->ys, a->m));
    assert_ok(setters[t].set(problem, setters[t].domain,
                             (dpa_matrix){xt, a->n, a->d, lead_t, layout}, a->yt, a->n));
    if (!lend) { /* the copy must not notice */
        free(xs);
        free(xt);
    }
    dpa_solution *solution = solve(problem, options);
    assert_ok(dpa_solution_array(solution, "coefficients", out, a->d));
    assert_ok(dpa_solution_array(solution, "intercept", out + a->d, 1));
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    if (lend) {
        free(xs);
        free(xt);
    }
}

/* Rows lent as they are copied give the same bits; other layouts agree up to rounding. */
static void layouts_and_lending_agree(void **state) {
    (void)state;
    instance a = instance_random(7, kRows, kTargets, kCols);
    double reference[kCols + 1], copied[kCols + 1], lent[kCols + 1];
    fit_laid_out(&a, 0, DPA_ROW_MAJOR, 0, reference);
    static const int32_t layouts[] = {DPA_ROW_MAJOR, DPA_COL_MAJOR};
    for (size_t i = 0; i < LENGTH(layouts); ++i)
        for (size_t padding = 0; padding <= 3; padding += 3) {
            fit_laid_out(&a, padding, layouts[i], 0, copied);
            fit_laid_out(&a, padding, layouts[i], 1, lent);
            if (layouts[i] == DPA_ROW_MAJOR) assert_same_bits(copied, lent, kCols + 1);
            for (size_t j = 0; j <= kCols; ++j) {
                assert_close(copied[j], reference[j], 1e-10, 0);
                assert_close(lent[j], reference[j], 1e-10, 0);
            }
        }
    instance_free(a);
}

/* One bad value in one sample; solving names its row, and works once the sample is replaced. */
static void nonfinite_rows_are_named(void **state) {
    (void)state;
    instance a = instance_random(3, 12, 9, 2);
    dpa_options *options = public_options(NULL);
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t place = 0; place < 12; ++place) {
        int target = place % 2, label = place / 2 % 2;
        if (label && isnan(bad[place / 4])) continue;  // that is no label
        double *entry = label ? (target ? a.yt : a.ys) + 5 : (target ? a.xt : a.xs) + 5 * 2 + 1;
        double good = *entry;
        *entry = bad[place / 4];
        dpa_problem *problem = instance_problem(&a);
        *entry = good;
        dpa_solution *solution = (dpa_solution *)problem;
        dpa_discrepancy *discrepancy = (dpa_discrepancy *)problem;
        const char *sample = target ? "target" : "source";
        assert_error(dpa_solve(problem, NULL, options, &solution), DPA_E_NONFINITE, "dpa_solve",
                     sample, "row 5");
        assert_null(solution);
        assert_error(dpa_discrepancy_estimate(problem, options, &discrepancy), DPA_E_NONFINITE,
                     "dpa_discrepancy_estimate", sample, "row 5");
        assert_null(discrepancy);
        setter set = setters[target].set;
        assert_ok(
            set(problem, setters[target].domain,
                (dpa_matrix){target ? a.xt : a.xs, target ? a.n : a.m, a.d, a.d, DPA_ROW_MAJOR},
                target ? a.yt : a.ys, target ? a.n : a.m));
        dpa_solution_destroy(solve(problem, options));
        dpa_problem_destroy(problem);
    }
    dpa_options_destroy(options);
    instance_free(a);
}

/* The first bad row is named, also when several are bad. */
static void first_nonfinite_row_is_named(void **state) {
    (void)state;
    instance a = instance_random(3, 3000, 9, 2);
    dpa_options *options = public_options("threads", "3", NULL);
    a.xs[2 * 2999] = a.xs[2 * 1700 + 1] = NAN;
    a.ys[1234] = INFINITY;
    dpa_problem *problem = instance_problem(&a);
    dpa_solution *solution = NULL;
    assert_error(dpa_solve(problem, NULL, options, &solution), DPA_E_NONFINITE, "row 1234");
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    instance_free(a);
}

static void assert_finite_fit(const instance *a, const dpa_options *options) {
    dpa_problem *problem = instance_problem(a);
    dpa_solution *solution = solve(problem, options);
    double coefficients[8], intercept, objective, gap;
    assert_ok(dpa_solution_array(solution, "coefficients", coefficients, a->d));
    assert_ok(dpa_solution_array(solution, "intercept", &intercept, 1));
    assert_ok(dpa_solution_value(solution, "objective", &objective));
    assert_ok(dpa_solution_value(solution, "duality_gap", &gap));
    for (size_t j = 0; j < a->d; ++j) assert_true(isfinite(coefficients[j]));
    assert_true(isfinite(intercept));
    assert_true(objective >= 0 && gap >= 0);
    assert_at_most(gap, 1e-6 * objective);
    dpa_solution_destroy(solution);
    dpa_problem_destroy(problem);
}

/* Constant, zero and repeated columns, and fewer rows than columns, are ordinary data. */
static void degenerate_columns_are_fine(void **state) {
    (void)state;
    static const char *const ways[] = {"none", "standardize", "whiten"};
    for (size_t i = 0; i < LENGTH(ways); ++i) {
        dpa_options *options = public_options("preprocess", ways[i], "alpha", "0.6", NULL);
        instance a = instance_random(11, 40, 20, 4);
        for (size_t k = 0; k < 60; ++k) {
            a.xs[4 * k] = 3.7;
            a.xs[4 * k + 1] = 0;
            a.xs[4 * k + 3] = a.xs[4 * k + 2];
        }
        assert_finite_fit(&a, options);
        instance_free(a);
        instance wide = instance_random(12, 5, 3, 8);
        assert_finite_fit(&wide, options);
        instance_free(wide);
        dpa_options_destroy(options);
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, create, destroy)
    const struct CMUnitTest tests[] = {
        TEST(shape_follows_the_samples),         TEST(setters_check_their_arguments),
        TEST(columns_must_agree_in_both_orders), TEST(handles_are_checked),
        TEST(layouts_and_lending_agree),         TEST(nonfinite_rows_are_named),
        TEST(first_nonfinite_row_is_named),      TEST(degenerate_columns_are_fine),
    };
    return cmocka_run_group_tests_name("problem", tests, NULL, NULL);
}

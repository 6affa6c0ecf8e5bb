/* problem.h: rows of the source that live in other columns, and a public map to the target's. */
#include "private.h"

enum { M = 90, N = 30, D = 2, WIDE = 3 };

/* Inches and pounds, say, of which a third column is not read, to two columns. */
static const double map[D * WIDE] = {0.0254, 0, 0, 0.001, 0.4536, 0}, offset[D] = {0, -3};

typedef struct {
    instance data; /* in the target's columns */
    double wide[M * WIDE];
} fixture;

static fixture make(void) {
    fixture f = {instance_random(5, M, N, D), {0}};
    uint64_t state = 8;
    for (size_t i = 0; i < M; ++i) {
        double *row = f.wide + i * WIDE;
        for (size_t k = 0; k < WIDE; ++k) row[k] = 40 + 10 * normal(&state);
        for (size_t j = 0; j < D; ++j) {
            double value = offset[j];
            for (size_t k = 0; k < WIDE; ++k)
                if (map[j * WIDE + k] != 0) value += map[j * WIDE + k] * row[k];
            f.data.xs[i * D + j] = value;
        }
    }
    return f;
}

static dpa_problem *mapped(const fixture *f, int lends, int target_first) {
    const instance *a = &f->data;
    dpa_problem *problem = NULL;
    assert_ok(dpa_problem_create(&problem));
    if (target_first)
        assert_ok(dpa_problem_set_sample(problem, DPA_TARGET,
                                         (dpa_matrix){a->xt, N, D, D, DPA_ROW_MAJOR}, a->yt, N));
    assert_ok(dpa_problem_set_source_map(problem, (dpa_matrix){map, D, WIDE, WIDE, DPA_ROW_MAJOR},
                                         offset, D));
    assert_ok((lends ? dpa_problem_lend_sample : dpa_problem_set_sample)(
        problem, DPA_SOURCE, (dpa_matrix){f->wide, M, WIDE, WIDE, DPA_ROW_MAJOR}, a->ys, M));
    if (!target_first)
        assert_ok(dpa_problem_set_sample(problem, DPA_TARGET,
                                         (dpa_matrix){a->xt, N, D, D, DPA_ROW_MAJOR}, a->yt, N));
    return problem;
}

static void same_fit(const fixture *f, dpa_problem *problem, const dpa_options *options) {
    double one[D], two[D];
    size_t features = 0;
    dpa_problem *by_hand = instance_problem(&f->data);
    dpa_solution *fit = solve(problem, options), *expected = solve(by_hand, options);
    assert_ok(dpa_solution_shape(fit, &features, NULL, NULL, NULL));
    assert_int_equal(features, D);
    assert_ok(dpa_solution_array(fit, "coefficients", one, D));
    assert_ok(dpa_solution_array(expected, "coefficients", two, D));
    assert_same_bits(one, two, D);
    dpa_solution_destroy(fit);
    dpa_solution_destroy(expected);
    dpa_problem_destroy(by_hand);
    dpa_problem_destroy(problem);
}

static void a_fit_is_that_of_rows_mapped_before(void **state) {
    (void)state;
    fixture f = make();
    for (int k = 0; k < 4; ++k) {
        dpa_options *options = public_options(NULL);
        same_fit(&f, mapped(&f, k % 2, k / 2), options);
        dpa_options_destroy(options);
    }
    for (size_t k = 0; k < 2; ++k) {
        dpa_options *options =
            private_options("unsafe_seed", "3", "private_domain", k ? "source" : "target", NULL);
        same_fit(&f, mapped(&f, 1, 0), options);
        dpa_options_destroy(options);
    }
    instance_free(f.data);
}

/* Of either layout, and without an offset. */
static void layouts_and_offsets(void **state) {
    (void)state;
    fixture f = make();
    double by_columns[D * WIDE], one[D], two[D];
    const double zeros[D] = {0};
    for (size_t j = 0; j < D; ++j)
        for (size_t k = 0; k < WIDE; ++k) by_columns[j + k * D] = map[j * WIDE + k];
    dpa_options *options = public_options(NULL);
    dpa_solution *fits[2];
    for (size_t k = 0; k < 2; ++k) {
        const instance *a = &f.data;
        dpa_problem *problem = NULL;
        assert_ok(dpa_problem_create(&problem));
        assert_ok(k ? dpa_problem_set_source_map(
                          problem, (dpa_matrix){by_columns, D, WIDE, D, DPA_COL_MAJOR}, NULL, 0)
                    : dpa_problem_set_source_map(
                          problem, (dpa_matrix){map, D, WIDE, WIDE, DPA_ROW_MAJOR}, zeros, D));
        assert_ok(dpa_problem_set_sample(
            problem, DPA_SOURCE, (dpa_matrix){f.wide, M, WIDE, WIDE, DPA_ROW_MAJOR}, a->ys, M));
        assert_ok(dpa_problem_set_sample(problem, DPA_TARGET,
                                         (dpa_matrix){a->xt, N, D, D, DPA_ROW_MAJOR}, a->yt, N));
        fits[k] = solve(problem, options);
        dpa_problem_destroy(problem);
    }
    assert_ok(dpa_solution_array(fits[0], "coefficients", one, D));
    assert_ok(dpa_solution_array(fits[1], "coefficients", two, D));
    assert_same_bits(one, two, D);
    for (size_t k = 0; k < 2; ++k) dpa_solution_destroy(fits[k]);
    dpa_options_destroy(options);
    instance_free(f.data);
}

/* A column whose factors are all 0 is not read; a bad value in one that is read is one of its
 * row. */
static void only_columns_with_a_factor_count(void **state) {
    (void)state;
    fixture f = make();
    dpa_options *options = public_options(NULL);
    dpa_solution *solution = NULL;
    f.wide[7 * WIDE + 2] = NAN;
    same_fit(&f, mapped(&f, 0, 0), options);
    f.wide[7 * WIDE + 1] = INFINITY;
    dpa_problem *problem = mapped(&f, 0, 0);
    assert_error(dpa_solve(problem, NULL, options, &solution), DPA_E_NONFINITE, "source row 7");
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    instance_free(f.data);
}

static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    fixture f = make();
    const instance *a = &f.data;
    const double bad[D * WIDE] = {0, 0, 0, 0, NAN, 0};
    dpa_problem *problem = NULL;
    assert_ok(dpa_problem_create(&problem));
#define FAILS(code, matrix, rows, cols, lead, offsets, count, ...)                                 \
    assert_error(                                                                                  \
        dpa_problem_set_source_map(problem, (dpa_matrix){matrix, rows, cols, lead, DPA_ROW_MAJOR}, \
                                   offsets, count),                                                \
        code, "dpa_problem_set_source_map", __VA_ARGS__)
    FAILS(DPA_E_INVALID_ARGUMENT, NULL, D, WIDE, WIDE, offset, D, "matrix", "NULL");
    FAILS(DPA_E_EMPTY, map, 0, WIDE, WIDE, NULL, 0, "rows");
    FAILS(DPA_E_STRIDE, map, D, WIDE, 1, offset, D, "leading_dimension");
    FAILS(DPA_E_DIMENSION, map, D, WIDE, WIDE, offset, 1, "offset_len", "2", "1");
    FAILS(DPA_E_DIMENSION, map, D, WIDE, WIDE, NULL, D, "offset_len", "0");
    FAILS(DPA_E_NONFINITE, bad, D, WIDE, WIDE, offset, D, "matrix row 1", "nan");
    FAILS(DPA_E_NONFINITE, map, D, WIDE, WIDE, bad + 3, D, "offset row 1", "nan");
    assert_ok(dpa_problem_set_sample(problem, DPA_TARGET,
                                     (dpa_matrix){a->xt, N, D, D, DPA_ROW_MAJOR}, a->yt, N));
    FAILS(DPA_E_DIMENSION, map, 1, WIDE, WIDE, NULL, 0, "target's 2 columns", "1");
    assert_ok(dpa_problem_set_source_map(problem, (dpa_matrix){map, D, WIDE, WIDE, DPA_ROW_MAJOR},
                                         offset, D));
    assert_error(dpa_problem_set_sample(problem, DPA_SOURCE,
                                        (dpa_matrix){a->xs, M, D, D, DPA_ROW_MAJOR}, a->ys, M),
                 DPA_E_DIMENSION, "3 columns that the map", "2");
    assert_error(
        dpa_problem_set_sample(problem, DPA_TARGET,
                               (dpa_matrix){f.wide, N, WIDE, WIDE, DPA_ROW_MAJOR}, a->yt, N),
        DPA_E_DIMENSION, "2 columns that the source is mapped to", "3");
    assert_ok(dpa_problem_set_sample(problem, DPA_SOURCE,
                                     (dpa_matrix){f.wide, M, WIDE, WIDE, DPA_ROW_MAJOR}, a->ys, M));
    FAILS(DPA_E_STATE, map, D, WIDE, WIDE, offset, D, "before its rows");
    dpa_problem_destroy(problem);
    instance_free(f.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fit_is_that_of_rows_mapped_before),
        cmocka_unit_test(layouts_and_offsets),
        cmocka_unit_test(only_columns_with_a_factor_count),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

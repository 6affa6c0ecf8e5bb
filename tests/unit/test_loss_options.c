/* options.h, solution.h: labels and options that go with a loss, and those that do not. */
#include "unit/losses.h"

static dpa_status fit(const instance *a, const dpa_options *options) {
    dpa_problem *problem = instance_problem(a);
    dpa_solution *s = (dpa_solution *)problem;
    dpa_status status = dpa_solve(problem, NULL, options, &s);
    assert_true((s == NULL) == (status != DPA_OK));
    dpa_solution_destroy(s);
    dpa_problem_destroy(problem);
    return status;
}

/* The first row whose label has no meaning is named, in either sample. */
static void labels_without_a_meaning_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *options[4];
        label_kind labels;
        double bad;
    } cases[] = {{{"logistic", NULL}, kSigns, 0},
                 {{"logistic", NULL}, kSigns, 2},
                 {{"softmax", "classes", "3"}, kCounts, 3},
                 {{"softmax", NULL}, kCounts, -1},
                 {{"softmax", NULL}, kCounts, 0.5},
                 {{"perceptron", NULL}, kCounts, 1.5},
                 {{"perceptron", "perceptron_output", "logistic"}, kSigns, 0}};
    for (size_t k = 0; k < LENGTH(cases); ++k) {
        const char *const *o = cases[k].options;
        dpa_options *options = public_options("loss", o[0], o[1], o[2], NULL);
        instance a = labelled_instance(cases[k].labels);
        assert_ok(fit(&a, options));
        a.yt[17] = cases[k].bad;
        assert_error(fit(&a, options), DPA_E_LABEL, "dpa_solve", "target", "17");
        a.ys[5] = a.ys[8] = cases[k].bad;
        assert_error(fit(&a, options), DPA_E_LABEL, "dpa_solve", "source", "5");
        instance_free(a);
        dpa_options_destroy(options);
    }
}

/* Numbers are what a perceptron's default output does not take: the message names the option that
 * does. */
static void numbers_for_a_perceptron_are_told_their_option(void **state) {
    (void)state;
    instance a = labelled_instance(kNumbers);
    dpa_options *perceptron = public_options("loss", "perceptron", NULL);
    assert_error(fit(&a, perceptron), DPA_E_LABEL, "source row", "perceptron_output = squared");
    assert_ok(dpa_options_parse(perceptron, "perceptron_output", "squared"));
    assert_ok(fit(&a, perceptron));
    dpa_options_destroy(perceptron);
    instance_free(a);
}

static void contradictions_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *loss, *name, *value, *word;
    } cases[] = {{"logistic", "form", "convex", "form"},
                 {"huber", "kappa_1", "1", "kappa_1"},
                 {"huber", "kappa_2", "1", "kappa_2"},
                 {"huber", "kappa_inf", "1", "kappa_inf"},
                 {"huber", "lambda_2", "1", "lambda_1"},
                 {"huber", "lambda_inf", "1", "lambda_1"},
                 {"softmax", "optimizer", "newton", "optimizer"},
                 {"perceptron", "hidden_units", "0", "hidden_units"},
                 {"perceptron", "hidden_units", "1001", "hidden_units"},
                 {"perceptron", "hidden_units", "2.5", "hidden_units"},
                 {"perceptron", "hidden_units", "2,2,2", "hidden_units"},
                 {"logistic", "label_bound", "1", "label_bound"},
                 {"logistic", "discrepancy_kind", "unlabelled", "discrepancy_kind"},
                 {"logistic", "discrepancy_method", "dca", "discrepancy_method"},
                 {"custom", "form", "general", "dpa_options_set_loss"}};
    instance a = labelled_instance(kSigns);
    for (size_t k = 0; k < LENGTH(cases); ++k) {
        dpa_options *options =
            public_options("loss", cases[k].loss, cases[k].name, cases[k].value, NULL);
        assert_error(fit(&a, options), DPA_E_OPTION, "dpa_solve", cases[k].word);
        dpa_options_destroy(options);
    }
    instance_free(a);
}

/* With a number for lambda_1 a record whose loss is beyond it loses its weight: trimmed losses,
 * with no certificate. */
static void lambda_1_trims_records(void **state) {
    (void)state;
    double q[kTargetRows], gap = 7, mapping = 7, d = 7, reference = 0.5 / kTargetRows;
    instance a = labelled_instance(kSigns);
    a.yt[3] = -a.yt[3];
    dpa_options *options = public_options("loss", "logistic", "alpha", "0.5", "lambda_1", "0.75",
                                          "discrepancy", "0.05", "softmax_sharpness", "50", NULL);
    dpa_problem *problem = instance_problem(&a);
    dpa_solution *s = solve(problem, options);
    assert_ok(dpa_solution_array(s, "target_weights", q, kTargetRows));
    size_t kept = 0;
    for (size_t i = 0; i < kTargetRows; ++i) {
        assert_true(q[i] == 0 || q[i] == reference);
        kept += q[i] > 0;
    }
    assert_true(kept > kTargetRows / 2 && kept < kTargetRows);
    assert_error(dpa_solution_value(s, "duality_gap", &gap), DPA_E_UNSUPPORTED, "global minimum");
    assert_ok(dpa_solution_value(s, "gradient_mapping", &mapping));
    assert_true(gap == 7 && mapping >= 0);
    assert_ok(dpa_solution_value(s, "lambda_1", &d));
    assert_true(d == 0.75);
    assert_ok(dpa_solution_value(s, "softmax_sharpness", &d));
    assert_true(d == 50);
    assert_ok(dpa_solution_value(s, "discrepancy", &d));
    assert_true(d == 0.05);
    dpa_solution_destroy(s);
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    instance_free(a);
}

/* The convex form has a gap, not a gradient mapping; coordinates it has like every fit. */
static void convex_form_has_no_gradient_mapping(void **state) {
    (void)state;
    instance a = labelled_instance(kNumbers);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options = public_options(NULL);
    dpa_solution *s = solve(problem, options);
    double value = 7, z[kSourceRows * (kFeatures + 1)];
    size_t dimension = 0;
    assert_error(dpa_solution_value(s, "gradient_mapping", &value), DPA_E_UNSUPPORTED,
                 "duality gap");
    assert_true(value == 7);
    assert_ok(dpa_solution_value(s, "duality_gap", &value));
    dimension = (size_t)solution_number(s, "dimension");
    assert_int_equal(dimension, kFeatures + 1);
    assert_ok(dpa_solution_predict(
        s, DPA_PREDICT_COORDINATES,
        (dpa_matrix){a.xs, kSourceRows, kFeatures, kFeatures, DPA_ROW_MAJOR}, z, LENGTH(z)));
    for (size_t j = 0; j < dimension; ++j) {
        double mean = 0, square = 0;
        for (size_t i = 0; i < kSourceRows; ++i) {
            mean += z[i * dimension + j] / kSourceRows;
            square += z[i * dimension + j] * z[i * dimension + j] / kSourceRows;
        }
        assert_close(mean, j == kFeatures, 0, 1e-13); /* standardized, and the constant 1 */
        assert_close(square, 1, 1e-13, 0);
    }
    dpa_solution_destroy(s);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

static void classes_are_learnt_or_given(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t outputs;
    } cases[] = {{"auto", 3}, {"3", 3}, {"5", 5}};
    instance a = labelled_instance(kCounts);
    dpa_problem *problem = instance_problem(&a);
    for (size_t k = 0; k < LENGTH(cases); ++k) {
        dpa_options *options = public_options("loss", "softmax", "classes", cases[k].text, NULL);
        dpa_solution *s = solve(problem, options);
        size_t outputs = 0;
        double classes = 0, p[5];
        assert_ok(dpa_solution_shape(s, NULL, &outputs, NULL, NULL));
        assert_ok(dpa_solution_value(s, "classes", &classes));
        assert_true(outputs == cases[k].outputs && classes == (double)outputs);
        assert_ok(dpa_solution_predict(s, DPA_PREDICT_PROBABILITIES,
                                       (dpa_matrix){a.xt, 1, kFeatures, kFeatures, DPA_ROW_MAJOR},
                                       p, outputs));
        for (size_t c = kClasses; c < outputs; ++c) assert_true(p[c] < 0.05); /* never seen */
        dpa_solution_destroy(s);
        dpa_options_destroy(options);
    }
    dpa_problem_destroy(problem);
    instance_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_without_a_meaning_are_refused),
        cmocka_unit_test(numbers_for_a_perceptron_are_told_their_option),
        cmocka_unit_test(contradictions_are_refused),
        cmocka_unit_test(lambda_1_trims_records),
        cmocka_unit_test(convex_form_has_no_gradient_mapping),
        cmocka_unit_test(classes_are_learnt_or_given),
    };
    return cmocka_run_group_tests_name("loss_options", tests, NULL, NULL);
}

/* Every loss from its options to its predictions: scores, labels, probabilities, parameters,
 * coordinates. */
#include "unit/losses.h"

typedef struct {
    const loss_case *loss;
    instance data;
    dpa_solution *solution;
    size_t outputs, dimension;
} fixture;

static int create(void **state) {
    static fixture f;
    f.loss = *state;
    f.data = labelled_instance(f.loss->labels);
    f.solution = loss_fit(f.loss, &f.data);
    assert_ok(dpa_solution_shape(f.solution, NULL, &f.outputs, NULL, NULL));
    f.dimension = (size_t)solution_number(f.solution, "dimension");
    *state = &f;
    return 0;
}

static int destroy(void **state) {
    fixture *f = *state;
    dpa_solution_destroy(f->solution);
    instance_free(f->data);
    return 0;
}

static double *of_targets(const fixture *f, int32_t kind, size_t width) {
    double *out = calloc(kTargetRows * width + 1, sizeof *out);
    assert_non_null(out);
    out[kTargetRows * width] = 7;
    const dpa_matrix x = {f->data.xt, kTargetRows, kFeatures, kFeatures, DPA_ROW_MAJOR};
    assert_ok(dpa_solution_predict(f->solution, kind, x, out, kTargetRows * width));
    assert_true(out[kTargetRows * width] == 7);
    return out;
}

static int has_no_classes(const fixture *f) {
    return f->loss->labels != kSigns && f->loss->labels != kCounts;
}

static int has_log_link(const fixture *f) {
    return f->loss->labels == kRates || f->loss->labels == kAmounts || f->loss->labels == kTimes;
}

static void solution_knows_its_loss(void **state) {
    fixture *f = *state;
    const loss_case *c = f->loss;
    size_t features = 0, sizes[2] = {0};
    double value = 0, classes = c->outputs == kClasses ? kClasses : 0;
    assert_string_equal(solution_text(f->solution, "loss"), c->loss);
    assert_ok(dpa_solution_shape(f->solution, &features, NULL, &sizes[0], &sizes[1]));
    assert_int_equal(f->outputs, c->outputs);
    assert_int_equal(features, kFeatures);
    assert_true(sizes[0] == kSourceRows && sizes[1] == kTargetRows);
    assert_true(solution_number(f->solution, "classes") == classes);
    assert_true((solution_number(f->solution, "huber_threshold") > 0) == !strcmp(c->loss, "huber"));
    assert_true((solution_number(f->solution, "typical_label") > 0) ==
                (has_log_link(f) && c->labels != kTimes));
    int quantile = !strcmp(c->loss, "pinball");
    assert_true(solution_number(f->solution, "quantile_level") == (quantile ? 0.6 : 0));
    assert_true((solution_number(f->solution, "quantile_smoothing") > 0) == quantile);
    assert_true(isinf(solution_number(f->solution, "lambda_1")));
    assert_true(solution_number(f->solution, "lambda_2") == 0 &&
                solution_number(f->solution, "lambda_inf") == 0);
    assert_true(solution_number(f->solution, "softmax_sharpness") == 1000 &&
                solution_number(f->solution, "kappa_1") == 0);
    assert_error(dpa_solution_value(f->solution, "discrepancy", &value), DPA_E_NOT_RELEASABLE,
                 "did without");
}

/* Convex losses come with a certificate here, because no weight changes; the others with the
 * gradient mapping alone. */
static void certificates_are_honest(void **state) {
    fixture *f = *state;
    double objective = 0, gap = 7, mapping = 7;
    assert_ok(dpa_solution_value(f->solution, "objective", &objective));
    assert_ok(dpa_solution_value(f->solution, "gradient_mapping", &mapping));
    assert_true(objective > 0 && mapping >= 0);
    assert_at_most(mapping, 0.1);
    if (f->loss->linear) {
        assert_ok(dpa_solution_value(f->solution, "duality_gap", &gap));
        assert_true(gap >= 0 && gap <= 1.01e-8 * objective);
    } else {
        assert_error(dpa_solution_value(f->solution, "duality_gap", &gap), DPA_E_UNSUPPORTED,
                     "global");
        assert_true(gap == 7);
    }
}

static void linear_scores_are_coefficients_and_intercept(void **state) {
    fixture *f = *state;
    double w[kFeatures * kClasses], b[kClasses], theta[1] = {7};
    double count = 7;
    if (!f->loss->linear) {
        assert_error(dpa_solution_array(f->solution, "coefficients", w, kFeatures),
                     DPA_E_UNSUPPORTED, f->loss->loss, "parameters");
        assert_error(dpa_solution_array(f->solution, "intercept", b, 1), DPA_E_UNSUPPORTED,
                     "parameters");
        return;
    }
    assert_error(dpa_solution_value(f->solution, "parameters", &count), DPA_E_UNSUPPORTED,
                 f->loss->loss, "coefficients");
    assert_error(dpa_solution_array(f->solution, "parameters", theta, 1), DPA_E_UNSUPPORTED,
                 "coefficients");
    assert_true(count == 7 && theta[0] == 7);
    assert_ok(dpa_solution_array(f->solution, "coefficients", w, kFeatures * f->outputs));
    assert_ok(dpa_solution_array(f->solution, "intercept", b, f->outputs));
    double *scores = of_targets(f, DPA_PREDICT_SCORES, f->outputs);
    for (size_t i = 0; i < kTargetRows; ++i)
        for (size_t k = 0; k < f->outputs; ++k) {
            double wanted = b[k], size = fabs(b[k]);
            for (size_t j = 0; j < kFeatures; ++j) {
                wanted += w[k * kFeatures + j] * f->data.xt[i * kFeatures + j];
                size += fabs(w[k * kFeatures + j] * f->data.xt[i * kFeatures + j]);
            }
            assert_close(scores[k * kTargetRows + i], wanted, 0, 1e-14 * size);
        }
    free(scores);
}

static void labels_follow_from_scores(void **state) {
    fixture *f = *state;
    double out[kTargetRows] = {7};
    if (!f->outputs) {
        assert_error(dpa_solution_predict(
                         f->solution, DPA_PREDICT_LABELS,
                         (dpa_matrix){f->data.xt, kTargetRows, kFeatures, kFeatures, DPA_ROW_MAJOR},
                         out, kTargetRows),
                     DPA_E_UNSUPPORTED, "function");
        assert_error(dpa_solution_predict(
                         f->solution, DPA_PREDICT_SCORES,
                         (dpa_matrix){f->data.xt, 0, kFeatures, kFeatures, DPA_ROW_MAJOR}, out, 0),
                     DPA_E_UNSUPPORTED, "function");
        assert_true(out[0] == 7);
        return;
    }
    double *labels = of_targets(f, DPA_PREDICT_LABELS, 1);
    double *scores = of_targets(f, DPA_PREDICT_SCORES, f->outputs);
    size_t right = 0;
    for (size_t i = 0; i < kTargetRows; ++i) {
        double wanted = scores[i];
        if (f->loss->labels == kSigns) wanted = wanted < 0 ? -1 : 1;
        if (has_log_link(f)) wanted = exp(scores[i]); /* far from the link's end */
        if (f->loss->labels == kCounts) {
            size_t top = 0;
            for (size_t k = 1; k < f->outputs; ++k)
                if (scores[k * kTargetRows + i] > scores[top * kTargetRows + i]) top = k;
            wanted = (double)top;
        }
        assert_true(has_log_link(f) ? fabs(labels[i] / wanted - 1) < 1e-13 : labels[i] == wanted);
        right += f->loss->labels == kTimes ? (labels[i] > 1) == (fabs(f->data.yt[i]) < 1)
                                           : fabs(labels[i] - f->data.yt[i]) < 0.9;
    }
    assert_true(right > kTargetRows / 2); /* the fit has learnt something */
    free(labels);
    free(scores);
}

static void probabilities_follow_from_scores(void **state) {
    fixture *f = *state;
    double out[kTargetRows] = {7};
    if (!f->outputs || has_no_classes(f)) {
        assert_error(dpa_solution_predict(
                         f->solution, DPA_PREDICT_PROBABILITIES,
                         (dpa_matrix){f->data.xt, kTargetRows, kFeatures, kFeatures, DPA_ROW_MAJOR},
                         out, kTargetRows),
                     DPA_E_UNSUPPORTED, f->outputs ? "classes" : "function");
        assert_true(out[0] == 7);
        return;
    }
    double *p = of_targets(f, DPA_PREDICT_PROBABILITIES, f->outputs);
    double *s = of_targets(f, DPA_PREDICT_SCORES, f->outputs);
    for (size_t i = 0; i < kTargetRows; ++i) {
        double total = f->outputs == 1, sum = 0;
        for (size_t k = 0; k < f->outputs; ++k) total += exp(s[k * kTargetRows + i]);
        for (size_t k = 0; k < f->outputs; ++k) {
            assert_close(p[k * kTargetRows + i], exp(s[k * kTargetRows + i]) / total, 1e-13, 0);
            sum += p[k * kTargetRows + i];
        }
        if (f->outputs > 1) assert_close(sum, 1, 1e-14, 0);
    }
    free(p);
    free(s);
}

/* Out of one perceptron layer: the units' sums, and what the next layer reads after tanh. */
static void forward(const double *weights, size_t read, size_t units, const double *from,
                    double *sums, double *next) {
    for (size_t u = 0; u < units; ++u) {
        sums[u] = 0;
        for (size_t v = 0; v < read; ++v) sums[u] += weights[u * read + v] * from[v];
        next[u] = tanh(sums[u]);
    }
    next[units] = 1;
}

static size_t hidden_layers(const loss_case *c, size_t *units) {
    const char *const *pair = c->options;
    while (strcmp(pair[0], "hidden_units") != 0) pair += 2;
    char *rest = NULL;
    units[0] = (size_t)strtol(pair[1], &rest, 10);
    units[1] = *rest ? (size_t)strtol(rest + 1, NULL, 10) : 0;
    return units[1] ? 2 : 1;
}

/* With coordinates and parameters a caller can do the library's work. */
static void parameters_and_coordinates_make_the_scores(void **state) {
    fixture *f = *state;
    size_t count = 0, units[3] = {0};
    if (f->loss->linear || !f->outputs) return;
    count = (size_t)solution_number(f->solution, "parameters");
    double *theta = calloc(count, sizeof *theta),
           *z = of_targets(f, DPA_PREDICT_COORDINATES, f->dimension);
    double *scores = of_targets(f, DPA_PREDICT_SCORES, f->outputs), center = 0;
    assert_ok(dpa_solution_array(f->solution, "parameters", theta, count));
    if (has_no_classes(f))
        for (size_t i = 0; i < kSourceRows; ++i) center += f->data.ys[i] / kSourceRows;
    size_t layers = hidden_layers(f->loss, units);
    units[layers] = f->outputs;
    for (size_t i = 0; i < kTargetRows; ++i) {
        double from[8], sums[8], next[8];
        const double *weights = theta;
        size_t read = f->dimension;
        memcpy(from, z + i * f->dimension, f->dimension * sizeof *from);
        for (size_t l = 0; l <= layers; ++l) {
            forward(weights, read, units[l], from, sums, next);
            weights += read * units[l];
            read = units[l] + 1;
            memcpy(from, next, read * sizeof *from);
        }
        assert_int_equal(weights - theta, count);
        for (size_t k = 0; k < f->outputs; ++k)
            assert_close(scores[k * kTargetRows + i], sums[k] + center, 1e-12, 1e-12);
    }
    free(theta);
    free(z);
    free(scores);
}

static void nan_stays_in_its_row(void **state) {
    fixture *f = *state;
    double x[2 * kFeatures] = {1, NAN, 2, 1, 2, 3}, out[2 * kClasses];
    if (!f->outputs) return;
    for (int32_t kind = DPA_PREDICT_LABELS; kind <= DPA_PREDICT_PROBABILITIES; ++kind) {
        if (kind == DPA_PREDICT_PROBABILITIES && has_no_classes(f)) continue;
        size_t width = kind ? f->outputs : 1;
        assert_ok(dpa_solution_predict(f->solution, kind,
                                       (dpa_matrix){x, 2, kFeatures, kFeatures, DPA_ROW_MAJOR}, out,
                                       2 * width));
        for (size_t i = 0; i < width; ++i)
            assert_true(isnan(out[2 * i]) && isfinite(out[2 * i + 1]));
    }
}

/* More rows than a block of any pass, in both layouts. */
static void layout_and_blocks_do_not_matter(void **state) {
    fixture *f = *state;
    enum { kMany = 5000, kLead = kMany + 3 };
    double *rows = calloc(kMany * kFeatures, sizeof *rows);
    double *columns = calloc(kLead * kFeatures, sizeof *columns);
    double *out[2] = {calloc(kMany * 4, sizeof(double)), calloc(kMany * 4, sizeof(double))};
    size_t width = f->outputs ? f->outputs : f->dimension;
    int32_t kind = f->outputs ? DPA_PREDICT_SCORES : DPA_PREDICT_COORDINATES;
    for (size_t i = 0; i < kMany; ++i)
        for (size_t j = 0; j < kFeatures; ++j)
            rows[i * kFeatures + j] = columns[j * kLead + i] =
                f->data.xt[i % kTargetRows * kFeatures + j];
    assert_ok(dpa_solution_predict(f->solution, kind,
                                   (dpa_matrix){rows, kMany, kFeatures, kFeatures, DPA_ROW_MAJOR},
                                   out[0], kMany * width));
    assert_ok(dpa_solution_predict(f->solution, kind,
                                   (dpa_matrix){columns, kMany, kFeatures, kLead, DPA_COL_MAJOR},
                                   out[1], kMany * width));
    double *few = of_targets(f, kind, width);
    for (size_t i = 0; i < kMany; ++i)
        for (size_t k = 0; k < width; ++k) {
            size_t at = f->outputs ? k * kMany + i : i * width + k, row = i % kTargetRows;
            double wanted = few[f->outputs ? k * kTargetRows + row : row * width + k];
            assert_close(out[0][at], wanted, 1e-13, 1e-13);
            assert_close(out[1][at], wanted, 1e-13, 1e-13);
        }
    free(few);
    free(out[0]);
    free(out[1]);
    free(rows);
    free(columns);
}

static void threads_do_not_change_the_fit(void **state) {
    fixture *f = *state;
    dpa_problem *problem = instance_problem(&f->data);
    dpa_options *options = loss_options(f->loss);
    assert_ok(dpa_options_parse(options, "threads", "3"));
    fixture other = *f;
    other.solution = solve(problem, options);
    int32_t kind = f->outputs ? DPA_PREDICT_SCORES : DPA_PREDICT_COORDINATES;
    size_t width = f->outputs ? f->outputs : f->dimension;
    double *one = of_targets(f, kind, width), *three = of_targets(&other, kind, width);
    assert_same_bits(one, three, kTargetRows * width);
    free(one);
    free(three);
    dpa_solution_destroy(other.solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
}

int main(void) {
    int failures = 0;
    for (size_t k = 0; k < LENGTH(loss_cases); ++k) {
#define TEST(name) \
    { #name, name, create, destroy, (void *)(uintptr_t)&loss_cases[k] }
        const struct CMUnitTest tests[] = {
            TEST(solution_knows_its_loss),
            TEST(certificates_are_honest),
            TEST(linear_scores_are_coefficients_and_intercept),
            TEST(labels_follow_from_scores),
            TEST(probabilities_follow_from_scores),
            TEST(parameters_and_coordinates_make_the_scores),
            TEST(nan_stays_in_its_row),
            TEST(layout_and_blocks_do_not_matter),
            TEST(threads_do_not_change_the_fit),
        };
        failures += cmocka_run_group_tests_name(loss_cases[k].loss, tests, NULL, NULL);
    }
    return failures;
}

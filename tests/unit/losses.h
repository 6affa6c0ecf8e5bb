/* What the tests of losses share: samples with labels of each kind, a fit by every loss, a loss of
 * the caller's. */
#ifndef DPADAPT_TESTS_LOSSES_H
#define DPADAPT_TESTS_LOSSES_H

#include "check.h"

enum { kSourceRows = 60, kTargetRows = 24, kFeatures = 3, kClasses = 3, kMostOptions = 6 };

/* kCounts: 0, 1, 2 */
typedef enum { kNumbers, kSigns, kCounts, kRates, kAmounts, kTimes } label_kind;

/* Of that kind, from a noisy linear label. */
static inline double label_of(label_kind kind, double y) {
    if (kind == kSigns) return y < 0.2 ? -1 : 1;
    if (kind == kCounts) return y < -0.5 ? 0 : y < 0.6 ? 1 : 2;
    if (kind == kRates) return floor(exp(0.5 + 0.4 * y));
    if (kind == kAmounts) return exp(0.5 + 0.4 * y);
    if (kind == kTimes) return (y < -0.3 ? -1 : 1) * exp(-0.5 * y); /* late ones are censored */
    return y + 20; /* far from 0, so that the centre of labels matters */
}

static inline instance labelled_instance(label_kind kind) {
    instance a = instance_random(11, kSourceRows, kTargetRows, kFeatures);
    for (size_t i = 0; i < kSourceRows + kTargetRows; ++i) a.ys[i] = label_of(kind, a.ys[i]);
    return a;
}

/* A loss with its options, and what is to be expected of its fit. */
typedef struct {
    const char *loss;
    label_kind labels;
    size_t outputs; /* 0: custom */
    int linear;
    const char *options[2 * kMostOptions + 1]; /* pairs of name and text */
} loss_case;

static const loss_case loss_cases[] = {
    {"squared", kNumbers, 1, 1, {"form", "general"}},
    {"huber", kNumbers, 1, 1, {NULL}},
    {"pinball", kNumbers, 1, 1, {"quantile_level", "0.6"}},
    {"poisson", kRates, 1, 1, {NULL}},
    {"gamma", kAmounts, 1, 1, {NULL}},
    {"survival", kTimes, 1, 1, {NULL}},
    {"logistic", kSigns, 1, 1, {NULL}},
    {"softmax", kCounts, kClasses, 1, {"preprocess", "whiten"}},
    {"perceptron", kCounts, kClasses, 0, {"hidden_units", "4"}},
    {"perceptron", kCounts, kClasses, 0, {"hidden_units", "4,3", "preprocess", "whiten"}},
    {"perceptron",
     kSigns,
     1,
     0,
     {"hidden_units", "3", "perceptron_output", "logistic", "intercept", "false"}},
    {"perceptron", kSigns, 1, 0, {"hidden_units", "3 2", "perceptron_output", "logistic"}},
    {"perceptron", kNumbers, 1, 0, {"hidden_units", "3", "perceptron_output", "squared"}},
    {"perceptron", kNumbers, 1, 0, {"hidden_units", "3,3", "perceptron_output", "squared"}},
    {"custom", kSigns, 0, 0, {NULL}},
};

/* What the caller's loss has seen, and what it is to return at which call. */
typedef struct {
    int64_t calls, without_gradients, stop_at;
    int32_t answer;
    size_t most_rows;
} observer;

/* The logistic loss as a caller would write it. */
static inline int32_t own_logistic(const double *x, size_t rows, size_t features,
                                   const double *label, const double *theta, size_t parameters,
                                   double *losses, double *gradients, void *user) {
    observer *seen = user;
    if (seen) {
        seen->without_gradients += !gradients;
        if (rows > seen->most_rows) seen->most_rows = rows;
        if (++seen->calls == seen->stop_at) return seen->answer;
    }
    if (parameters != features) return -7;
    for (size_t i = 0; i < rows; ++i, x += features) {
        double score = 0;
        for (size_t j = 0; j < features; ++j) score += theta[j] * x[j];
        double size = exp(-fabs(score)), margin = label[i] * score;
        losses[i] = log1p(size) + (margin < 0 ? -margin : 0);
        double slope = -label[i] * (margin > 0 ? size : 1) / (1 + size);
        for (size_t j = 0; gradients && j < features; ++j)
            gradients[i * features + j] = slope * x[j];
    }
    return 0;
}

static inline dpa_options *loss_options(const loss_case *c) {
    dpa_options *options = public_options("loss", c->loss, NULL);
    for (const char *const *pair = c->options; *pair; pair += 2)
        assert_ok(dpa_options_parse(options, pair[0], pair[1]));
    if (!c->outputs)
        assert_ok(dpa_options_set_loss(options, own_logistic, NULL, kFeatures + 1, INFINITY,
                                       INFINITY, INFINITY));
    return options;
}

static inline dpa_solution *loss_fit(const loss_case *c, const instance *a) {
    dpa_problem *problem = instance_problem(a);
    dpa_options *options = loss_options(c);
    dpa_solution *solution = solve(problem, options);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    return solution;
}

#endif

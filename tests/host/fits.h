/* One fit of every kind, for hosts in every state: nothing here asserts, so it may run in a child,
 * in a thread with a small stack, or at a limit. */
#ifndef DPADAPT_TESTS_HOST_FITS_H
#define DPADAPT_TESTS_HOST_FITS_H

#include <stdio.h>

#include "check.h"
#include "unit/losses.h"

enum { kM = 300, kN = 120, kD = 5, kMostNumbers = 16 };

typedef struct {
    const char *name;
    const char *method; /* of a baseline; "discrepancy" for the estimate alone; NULL: dpa_solve */
    label_kind labels;
    const char *options[16]; /* pairs of name and text */
} fit_kind;

static const fit_kind fit_kinds[] = {
    {"plain", NULL, kNumbers, {NULL}},
    {"alpha", NULL, kNumbers, {"alpha", "0.5"}},
    {"general", NULL, kNumbers, {"form", "general", "lambda_1", "0.01"}},
    {"huber", NULL, kNumbers, {"loss", "huber"}},
    {"poisson", NULL, kRates, {"loss", "poisson"}},
    {"gamma", NULL, kAmounts, {"loss", "gamma"}},
    {"survival", NULL, kTimes, {"loss", "survival"}},
    {"softmax", NULL, kCounts, {"loss", "softmax"}},
    {"perceptron", NULL, kCounts, {"loss", "perceptron", "hidden_units", "3"}},
    {"custom", NULL, kSigns, {"loss", "custom"}},
    {"discrepancy", "discrepancy", kNumbers, {NULL}},
    {"dm", "dm", kNumbers, {NULL}},
    {"gdm", "gdm", kNumbers, {NULL}},
    {"kmm", "kmm", kNumbers, {NULL}},
    {"kliep", "kliep", kNumbers, {NULL}},
    {"ulsif", "ulsif", kNumbers, {NULL}},
    {"coral", "coral", kNumbers, {NULL}},
    {"tradaboost_r2", "tradaboost_r2", kNumbers, {NULL}},
    {"private", NULL, kNumbers, {"private_domain", "target"}},
    {"private alpha", NULL, kNumbers, {"private_domain", "target", "alpha", "0.5"}},
    {"private paper", NULL, kNumbers, {"private_domain", "target", "method", "paper"}},
    {"private source", NULL, kNumbers, {"private_domain", "source"}},
    {"private logistic", NULL, kSigns, {"private_domain", "target", "loss", "logistic"}},
    {"private custom",
     NULL,
     kSigns,
     {"private_domain", "target", "loss", "custom", "feature_radius", "4", "clip_bound", "4"}},
    {"private discrepancy", "discrepancy", kNumbers, {"private_domain", "target"}},
};

/* What the host does about a kind, and what comes of it. */
typedef struct {
    const char *threads; /* NULL: 2 */
    dpa_ledger *ledger;  /* that pays, or NULL */
    dpa_progress_fn progress;
    dpa_loss_fn loss;
    void *user;
    void (*before)(void *), (*after)(void *); /* around the call itself */
    void *around;
    double numbers[kMostNumbers];
    size_t count;
} host_call;

static inline dpa_problem *problem_of_kind(label_kind kind) {
    dpa_problem *problem = NULL;
    instance a = instance_random(11, kM, kN, kD);
    for (size_t i = 0; kind != kNumbers && i < kM + kN; ++i) a.ys[i] = label_of(kind, a.ys[i]);
    if (!dpa_problem_create(&problem) &&
        (dpa_problem_set_sample(problem, DPA_SOURCE, (dpa_matrix){a.xs, kM, kD, kD, DPA_ROW_MAJOR},
                                a.ys, kM) ||
         dpa_problem_set_sample(problem, DPA_TARGET, (dpa_matrix){a.xt, kN, kD, kD, DPA_ROW_MAJOR},
                                a.yt, kN))) {
        dpa_problem_destroy(problem);
        problem = NULL;
    }
    instance_free(a);
    return problem;
}

static inline dpa_options *options_of_kind(const fit_kind *kind, const host_call *call) {
    dpa_options *options = NULL;
    int custom = 0, failed = dpa_options_create(&options) != DPA_OK;
    failed |= dpa_options_parse(options, "private_domain", "none") != DPA_OK;
    failed |= dpa_options_parse(options, "threads", call->threads ? call->threads : "2") != DPA_OK;
    for (const char *const *pair = kind->options; *pair; pair += 2) {
        if (!strcmp(pair[1], "custom"))
            custom = 1;
        else
            failed |= dpa_options_parse(options, pair[0], pair[1]) != DPA_OK;
        if (strcmp(pair[0], "private_domain") != 0) continue;
        failed |= dpa_options_parse(options, "epsilon", "2") != DPA_OK;
        failed |= dpa_options_parse(options, "delta", "1e-3") != DPA_OK;
        failed |= dpa_options_parse(options, "unsafe_seed", "3") != DPA_OK;
    }
    if (custom)
        failed |= dpa_options_set_loss(options, call->loss ? call->loss : own_logistic,
                                       call->loss ? call->user : NULL, kD + 1, INFINITY, INFINITY,
                                       INFINITY) != DPA_OK;
    if (call->progress)
        failed |= dpa_options_set_progress(options, call->progress, call->user) != DPA_OK;
    if (!failed) return options;
    dpa_options_destroy(options);
    return NULL;
}

/* Predictions, or the parameters of a loss of the caller's. */
static inline dpa_status keep_solution(const dpa_solution *solution, host_call *call) {
    instance a = instance_random(12, 6, 6, kD);
    call->count = a.m;
    dpa_status status = dpa_solution_predict(solution, DPA_PREDICT_LABELS,
                                             (dpa_matrix){a.xs, a.m, kD, kD, DPA_ROW_MAJOR},
                                             call->numbers, call->count);
    instance_free(a);
    if (status == DPA_OK) return status;
    call->count = kD + 1;
    return dpa_solution_array(solution, "parameters", call->numbers, call->count);
}

/* The first status that is not DPA_OK. The numbers are those of the result. */
static inline dpa_status run_kind(const fit_kind *kind, host_call *call) {
    dpa_problem *problem = problem_of_kind(kind->labels);
    dpa_options *options = options_of_kind(kind, call);
    dpa_solution *solution = NULL;
    dpa_discrepancy *estimate = NULL;
    dpa_status status = problem && options ? DPA_OK : DPA_E_INTERNAL;
    call->count = 0;
    if (status == DPA_OK && call->ledger) status = dpa_problem_use_ledger(problem, call->ledger);
    if (status == DPA_OK) {
        if (call->before) call->before(call->around);
        if (kind->method && !strcmp(kind->method, "discrepancy"))
            status = dpa_discrepancy_estimate(problem, options, &estimate);
        else if (kind->method)
            status = dpa_baseline_solve(problem, kind->method, options, &solution);
        else
            status = dpa_solve(problem, NULL, options, &solution);
        if (call->after) call->after(call->around);
    }
    if (status == DPA_OK && solution) status = keep_solution(solution, call);
    if (status == DPA_OK && estimate) {
        call->count = 1;
        status = dpa_discrepancy_value(estimate, "value", call->numbers);
    }
    dpa_solution_destroy(solution);
    dpa_discrepancy_destroy(estimate);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    return status;
}

/* The results in a host that has done nothing, for comparison. */
static host_call plain_results[LENGTH(fit_kinds)];

static inline void make_plain_results(void) {
    for (size_t k = 0; k < LENGTH(fit_kinds); ++k) {
        if (plain_results[k].count > 0) continue;
        const dpa_status status = run_kind(&fit_kinds[k], &plain_results[k]);
        if (status != DPA_OK) print_error("%s: %s\n", fit_kinds[k].name, dpa_last_error());
        assert_int_equal(status, DPA_OK);
        assert_true(plain_results[k].count > 0);
    }
}

/* 0 where kind number k gives the plain result in the host's present state, to the last bit. */
static inline int differs(size_t k, host_call *call) {
    const host_call *plain = &plain_results[k];
    if (run_kind(&fit_kinds[k], call) != DPA_OK) return 1;
    if (call->count != plain->count) return 2;
    return memcmp(call->numbers, plain->numbers, plain->count * sizeof(double)) != 0 ? 3 : 0;
}

#endif

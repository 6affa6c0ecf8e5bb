/* Fits, baselines, plans and evaluations that cannot mean anything, or whose numbers overflow, are
 * refused by name and reason, and leave no result and no payment. */
#include "unit/private.h"

enum { M = 40, N = 30, D = 3, kMostPairs = 10 };

typedef enum {
    kNumbers,
    kSigns,
    kClasses,
    kUnlabelled,
    kHuge,
    kHugeLabels, /* of the target */
    kHugeSourceLabels,
    kHugeRows,   /* of the target */
    kHugeColumn, /* of the target */
    kFarSource,  /* all its rows */
    kEqualColumns,
    kLacking,     /* the source, a column */
    kLackingHuge, /* and the target's is huge */
    kOpposite,    /* the source's first rows, at both ends of what doubles are */
} data;

static instance data_of(data kind) {
    instance a = instance_random(5, M, N, D);
    for (size_t i = 0; i < M; ++i) {
        if (kind == kSigns) a.ys[i] = a.ys[i] < 0 ? -1 : 1;
        if (kind == kClasses) a.ys[i] = (double)(i % 3);
    }
    for (size_t i = 0; i < N; ++i) {
        if (kind == kSigns) a.yt[i] = a.yt[i] < 0 ? -1 : 1;
        if (kind == kClasses) a.yt[i] = (double)(i % 3);
        if (kind == kUnlabelled) a.yt[i] = NAN;
    }
    for (size_t k = 0; kind == kHuge && k < M * D; ++k) a.xs[k] *= 1e154;
    for (size_t k = 0; (kind == kHuge || kind == kHugeRows) && k < N * D; ++k) a.xt[k] *= 1e154;
    for (size_t i = 0; kind == kHugeSourceLabels && i < M; ++i) a.ys[i] *= 1e160;
    for (size_t i = 0; kind == kHugeLabels && i < N; ++i) a.yt[i] *= 1e160;
    for (size_t i = 0; kind == kHugeColumn && i < N; ++i) a.xt[i * D] *= 1e300;
    for (size_t k = 0; kind == kEqualColumns && k < (M + N) * D; ++k)
        a.xs[k] = a.xs[k / D * D]; /* of both samples */
    for (size_t k = 0; kind == kFarSource && k < M * D; ++k) a.xs[k] *= 1e100;
    for (size_t i = 0; kind >= kLacking && i < M; ++i) a.xs[i * D + D - 1] = 2;
    for (size_t i = 0; kind == kLackingHuge && i < N; ++i) a.xt[i * D + D - 1] *= 1e300;
    for (size_t i = 0; kind == kOpposite && i < 3; ++i) a.xs[i * D] = i == 0 ? 1.7e308 : -1.7e308;
    return a;
}

/* What is asked, of which data, with which options beside a budget or private_domain = none. */
typedef struct {
    const char *what; /* a baseline, or "fit", "plan", "forecast", "discrepancy", "budget" */
    data data;
    const char *pairs[kMostPairs][2];
    dpa_status status;
    const char *words;
} question;

#define PUBLIC \
    { "private_domain", "none" }
#define BUDGET \
    {"epsilon", "1"}, { "delta", "1e-5" }
#define NOISE \
    { "noise_multiplier", "3" }

#define MANY_STEPS \
    {"iterations", "1000000"}, {"batch_size", "10"}, { "grid_bits", "24" }
#define TEN "1 1 1 1 1 1 1 1 1 1 "
#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN

static const question questions[] = {
    {"biased_ridge", kClasses, {PUBLIC, {"loss", "softmax"}}, DPA_E_OPTION, "loss of one score"},
    {"gapboost", kNumbers, {PUBLIC}, DPA_E_OPTION, "gapboost needs loss = logistic"},
    {"coral", kSigns, {PUBLIC, {"loss", "logistic"}}, DPA_E_OPTION, "coral needs loss = squared"},
    {"noisy_sgd", kNumbers, {NOISE, {"sampling", "poisson"}}, DPA_E_OPTION, "sampling = poisson"},
    {"noisy_sgd", kNumbers, {BUDGET, {"clip_bound", "1e-70"}}, DPA_E_OPTION, "1e-60 and 1e60"},
    {"fit", kNumbers, {{"threads", "1"}}, DPA_E_OPTION, "epsilon and delta must be set"},
    {"fit", kNumbers, {NOISE}, DPA_E_OPTION, "epsilon and delta must be set"},
    {"fit",
     kClasses,
     {BUDGET, {"loss", "perceptron"}, {"metric", "hessian"}, {"alpha", "0.5"}},
     DPA_E_OPTION,
     "metric"},
    {"fit",
     kNumbers,
     {{"epsilon", "1e-9"}, {"delta", "1e-12"}},
     DPA_E_OPTION,
     "nothing for the gradients"},
    {"discrepancy",
     kNumbers,
     {NOISE, {"discrepancy_noise", "gaussian"}, {"laplace_epsilon", "1"}},
     DPA_E_OPTION,
     "discrepancy_noise = gaussian"},
    {"fit",
     kNumbers,
     {BUDGET, {"noise_multiplier", "0.5"}},
     DPA_E_OPTION,
     "does not give epsilon = 1"},
    {"fit", kNumbers, {{"epsilon", "1"}, {"delta", "1e-305"}}, DPA_E_OPTION, "0 or in [1e-300, 1)"},
    {"fit",
     kNumbers,
     {NOISE, {"epsilon", "1"}, {"delta", "1e-305"}},
     DPA_E_OPTION,
     "0 or in [1e-300, 1)"},
    {"fit",
     kUnlabelled,
     {BUDGET, {"private_domain", "source"}},
     DPA_E_LABEL,
     "the target, which is public, has no row with a label"},
    {"fit",
     kLacking,
     {{"epsilon", "1"}, {"delta", "0"}, {"own_columns", "regressed"}},
     DPA_E_OPTION,
     "too little for own_columns = regressed"},
    {"fit",
     kNumbers,
     {{"noise_multiplier", "1e5"}, {"inference", "yes"}},
     DPA_E_OPTION,
     "too little for inference = yes"},
    {"noisy_sgd",
     kNumbers,
     {{"epsilon", "3e-4"}, {"delta", "1e-9"}, {"sampling", "poisson"}, MANY_STEPS},
     DPA_E_OPTION,
     "too little for so many steps of sampled records"},
    {"forecast",
     kNumbers,
     {BUDGET, {"private_domain", "source"}},
     DPA_E_UNSUPPORTED,
     "private_domain must be target"},
    {"forecast",
     kNumbers,
     {BUDGET, {"loss", "perceptron"}, {"perceptron_output", "squared"}},
     DPA_E_UNSUPPORTED,
     "linear in the features"},
    {"forecast",
     kNumbers,
     {BUDGET, {"forecast_shifts", HUNDRED "1"}},
     DPA_E_OPTION,
     "must be 100 numbers at most"},
    {"forecast",
     kNumbers,
     {BUDGET, {"own_columns", "regressed"}},
     DPA_E_UNSUPPORTED,
     "own_columns must be constant"},
    {"discrepancy",
     kUnlabelled,
     {PUBLIC, {"discrepancy_kind", "labelled"}},
     DPA_E_LABEL,
     "the target has no labels"},
    {"discrepancy",
     kHuge,
     {PUBLIC, {"preprocess", "none"}},
     DPA_E_NUMERICAL,
     "least-squares fit of the public sample"},
    {"discrepancy",
     kHuge,
     {PUBLIC, {"preprocess", "none"}, {"form", "general"}},
     DPA_E_NUMERICAL,
     "least-squares fit of the public sample"},
};

/* Bounds whose squares vanish. */
#define PAPER(form)                                                                               \
    {"method", "paper"}, {"form", form}, {"label_bound", "1e-200"}, {"feature_radius", "1e-200"}, \
        {"radius", "1e-200"}, {"alpha", "0.5"}, {                                                 \
        "discrepancy", "0"                                                                        \
    }

/* Numbers beyond what doubles hold, which the public rows and the options show. */
static const question overflows[] = {
    {"augmented", kHugeLabels, {PUBLIC}, DPA_E_NUMERICAL, "no ridge of the augmented features"},
    {"augmented",
     kNumbers,
     {PUBLIC, {"ridge", "1e-320"}, {"alpha", "0.5"}},
     DPA_E_NUMERICAL,
     "no ridge of the augmented features"},
    {"discrepancy",
     kEqualColumns,
     {PUBLIC,
      {"preprocess", "whiten"},
      {"whiten_ridge", "1e-40"},
      {"discrepancy_center", "1 1 1 1"}},
     DPA_E_NUMERICAL,
     "the whitening matrix cannot be inverted"},
    {"biased_ridge", kHugeLabels, {PUBLIC}, DPA_E_NUMERICAL, "no ridge towards the source's fit"},
    {"ulsif",
     kNumbers,
     {PUBLIC, {"ratio_penalty", "1e-300"}, {"kernel_gamma", "1e-30"}},
     DPA_E_NUMERICAL,
     "the kernel moments with the penalty lambda are singular"},
    {"discrepancy", kHugeLabels, {PUBLIC}, DPA_E_NUMERICAL, "the moments of the samples overflow"},
    {"discrepancy",
     kHugeColumn,
     {PUBLIC, {"loss", "huber"}, {"radius", "1e150"}},
     DPA_E_NUMERICAL,
     "the losses of the samples overflow"},
    {"fit", kHugeSourceLabels, {BUDGET}, DPA_E_NUMERICAL, "the losses of the public sample"},
    {"gdm",
     kHugeSourceLabels,
     {PUBLIC, {"ridge", "1e100"}},
     DPA_E_NUMERICAL,
     "the objective is beyond double precision"},
    {"fit",
     kNumbers,
     {BUDGET, PAPER("general"), {"lambda_1", "1"}},
     DPA_E_OPTION,
     "the bound of the loss is 0"},
    {"fit",
     kOpposite,
     {PUBLIC, {"own_columns", "regressed"}, {"preprocess", "none"}},
     DPA_E_NUMERICAL,
     "the moments of the source overflow"},
    {"fit",
     kLackingHuge,
     {PUBLIC, {"own_columns", "regressed"}},
     DPA_E_NUMERICAL,
     "the moments of the target overflow"},
};

static dpa_status ask(const question *q, dpa_problem *problem, const dpa_options *options) {
    dpa_solution *solution = NULL;
    dpa_discrepancy *estimate = NULL;
    dpa_plan *plan = NULL;
    dpa_status status;
    if (!strcmp(q->what, "fit"))
        status = dpa_solve(problem, NULL, options, &solution);
    else if (!strcmp(q->what, "plan"))
        status = dpa_plan_for_problem(problem, options, &plan);
    else if (!strcmp(q->what, "forecast"))
        status = dpa_plan_forecast(problem, N, options, &plan);
    else if (!strcmp(q->what, "discrepancy"))
        status = dpa_discrepancy_estimate(problem, options, &estimate);
    else
        status = dpa_baseline_solve(problem, q->what, options, &solution);
    assert_true(!solution && !estimate && !plan);
    return status;
}

/* The same of numbers that are seen too late: the payment stands. */
static const question late[] = {
    {"fit",
     kFarSource,
     {BUDGET, {"loss", "huber"}, {"preprocess", "none"}},
     DPA_E_NUMERICAL,
     "the metric of the private steps overflows"},
    {"fit",
     kNumbers,
     {BUDGET, PAPER("convex")},
     DPA_E_NUMERICAL,
     "the private steps overflow; scale the data down"},
};

static void assert_refused(const question *all, size_t count, int paid) {
    for (size_t k = 0; k < count; ++k) {
        const question *q = &all[k];
        instance a = data_of(q->data);
        dpa_problem *problem = instance_problem(&a);
        dpa_options *options = NULL;
        double spent = 0;
        assert_ok(dpa_options_create(&options));
        for (size_t p = 0; p < kMostPairs && q->pairs[p][0]; ++p)
            assert_ok(dpa_options_parse(options, q->pairs[p][0], q->pairs[p][1]));
        dpa_status status = ask(q, problem, options);
        assert_error(status, q->status, q->words);
        (void)dpa_problem_budget(problem, "spent_mu", &spent);
        assert_true((spent > 0) == paid);
        dpa_options_destroy(options);
        dpa_problem_destroy(problem);
        instance_free(a);
    }
}

static void questions_without_a_meaning(void **state) {
    (void)state;
    assert_refused(questions, LENGTH(questions), 0);
}

static void numbers_beyond_doubles(void **state) {
    (void)state;
    assert_refused(overflows, LENGTH(overflows), 0);
    assert_refused(late, LENGTH(late), 1);
}

/* More features than rows: the rows themselves are the coordinates. */
static void wide_rows_beyond_doubles(void **state) {
    (void)state;
    instance a = instance_random(5, 4, 4, 30);
    for (size_t k = 0; k < 4 * 30; ++k) {
        a.xs[k] *= 1e-150;
        a.xt[k] *= 1e160;
    }
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options = public_options(NULL);
    dpa_solution *solution = NULL;
    assert_error(dpa_solve(problem, NULL, options, &solution), DPA_E_NUMERICAL,
                 "the rows of the samples overflow");
    assert_null(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
}

static int32_t no_pass(const uint8_t *request, size_t size, dpa_partial *total, void *user) {
    (void)request, (void)size, (void)total, (void)user;
    return 1;
}

static void rows_elsewhere_are_not_looked_at_here(void **state) {
    (void)state;
    instance a = data_of(kNumbers);
    dpa_problem *problem = instance_problem(&a);
    const double matrix[D * D] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const int64_t ids[M] = {0};
    assert_ok(dpa_problem_set_passes(problem, DPA_SOURCE, M, D, no_pass, NULL));
    assert_ok(dpa_problem_set_passes(problem, DPA_TARGET, N, D, no_pass, NULL));
    assert_error(dpa_problem_set_scores(problem, DPA_SOURCE, a.ys, M), DPA_E_UNSUPPORTED,
                 "elsewhere");
    assert_error(dpa_problem_set_groups(problem, DPA_TARGET, ids, N), DPA_E_UNSUPPORTED,
                 "elsewhere");
    dpa_problem_destroy(problem);
    assert_ok(dpa_problem_create(&problem));
    assert_ok(
        dpa_problem_set_source_map(problem, (dpa_matrix){matrix, D, D, D, DPA_ROW_MAJOR}, NULL, 0));
    assert_error(dpa_problem_set_passes(problem, DPA_SOURCE, M, D, no_pass, NULL),
                 DPA_E_UNSUPPORTED, "map them there");
    dpa_problem_destroy(problem);
    instance_free(a);
}

static dpa_solution *fit_of(data kind, const char *loss, const char *baseline) {
    instance a = data_of(kind);
    dpa_problem *problem = instance_problem(&a);
    dpa_options *options = public_options("loss", loss, NULL);
    dpa_solution *solution = NULL;
    if (baseline)
        assert_ok(dpa_baseline_solve(problem, baseline, options, &solution));
    else
        assert_ok(dpa_solve(problem, NULL, options, &solution));
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    instance_free(a);
    return solution;
}

static void predictions_of_different_kinds_are_not_compared(void **state) {
    (void)state;
    instance a = data_of(kSigns);
    dpa_problem *rows = instance_problem(&a);
    dpa_options *nothing = public_options(NULL);
    dpa_solution *numbers = fit_of(kNumbers, "squared", NULL);
    dpa_solution *signs = fit_of(kSigns, "logistic", NULL);
    dpa_evaluation *found = NULL;
    const dpa_solution *const both[] = {numbers, signs};
    assert_error(dpa_evaluate(rows, both, 2, nothing, &found), DPA_E_UNSUPPORTED,
                 "their labels mean the same");
    a.yt[4] = 0.5;
    assert_ok(dpa_problem_set_sample(rows, DPA_TARGET, (dpa_matrix){a.xt, N, D, D, DPA_ROW_MAJOR},
                                     a.yt, N));
    assert_error(dpa_evaluate(rows, both + 1, 1, nothing, &found), DPA_E_LABEL,
                 "row 4 of the target has a label that is none of the classes");
    for (size_t k = 0; k < D; ++k) a.xt[7 * D + k] = 1.7e308;
    assert_ok(dpa_problem_set_sample(rows, DPA_TARGET, (dpa_matrix){a.xt, N, D, D, DPA_ROW_MAJOR},
                                     a.yt, N));
    assert_error(dpa_evaluate(rows, both, 1, nothing, &found), DPA_E_NUMERICAL,
                 "the error of row 7 of the target is not finite");
    a.xt[7 * D] = 1e200;
    for (size_t k = 1; k < D; ++k) a.xt[7 * D + k] = 0;
    assert_ok(dpa_problem_set_sample(rows, DPA_TARGET, (dpa_matrix){a.xt, N, D, D, DPA_ROW_MAJOR},
                                     a.yt, N));
    assert_error(dpa_evaluate(rows, both, 1, nothing, &found), DPA_E_NUMERICAL,
                 "the errors are so large that their mean is not finite");
    assert_null(found);
    dpa_solution_destroy(numbers);
    dpa_solution_destroy(signs);
    dpa_options_destroy(nothing);
    dpa_problem_destroy(rows);
    instance_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(questions_without_a_meaning),
        cmocka_unit_test(numbers_beyond_doubles),
        cmocka_unit_test(wide_rows_beyond_doubles),
        cmocka_unit_test(rows_elsewhere_are_not_looked_at_here),
        cmocka_unit_test(predictions_of_different_kinds_are_not_compared),
    };
    return cmocka_run_group_tests_name("refusals of fits", tests, NULL, NULL);
}

#include <dpadapt/baseline.h>

#include "fault.h"

static void misuse_text(fixture *f) {
    (void)f;
    size_t count = 0;
    while (dpa_baseline_text(count, "name")) ++count;
    assert_null(dpa_baseline_text(count + 1, "name"));
    assert_null(dpa_baseline_text(SIZE_MAX, "meaning"));
    assert_null(dpa_baseline_text(0, NULL));
    assert_null(dpa_baseline_text(0, ""));
}

static dpa_status use_text(fixture *f, outcome *out) {
    const char *name = NULL, *meaning = NULL;
    INJECT(f, name = dpa_baseline_text(0, "name"));
    INJECT(f, meaning = dpa_baseline_text(0, "meaning"));
    const dpa_status status = record_text(out, name);
    return status ? status : record_text(out, meaning);
}

static void misuse_solve(fixture *f) {
    dpa_solution *solution = f->solution;
    CHECK_HANDLES(f, dpa_problem, dpa_baseline_solve(h, "dm", f->options, &solution));
    assert_null(solution);
    assert_status(dpa_baseline_solve(f->problem, "dm", (dpa_options *)f->token, &solution),
                  DPA_E_HANDLE);
    assert_status(dpa_baseline_solve(f->problem, NULL, f->options, &solution),
                  DPA_E_INVALID_ARGUMENT);
    assert_error(dpa_baseline_solve(f->problem, "nonsense", f->options, &solution),
                 DPA_E_OPTION_NAME, "nonsense");
    assert_status(dpa_baseline_solve(f->problem, "dm", f->options, NULL), DPA_E_INVALID_ARGUMENT);
    assert_error(dpa_baseline_solve(f->problem, "dm", NULL, &solution), DPA_E_OPTION,
                 "private_domain");
}

/* One about weights and one without: the others allocate thousands of times. */
static dpa_status use_solve(fixture *f, outcome *out) {
    static const char *const methods[] = {"target_only", "ulsif"};
    dpa_options *options =
        public_options("kernel_gamma", "0.1", "ratio_penalty", "0.1", "centers", "5", NULL);
    dpa_status status = DPA_OK;
    for (size_t k = 0; k < LENGTH(methods) && !status; ++k) {
        dpa_solution *solution = f->solution;
        double weights[kRows];
        INJECT(f, status = dpa_baseline_solve(f->problem, methods[k], options, &solution));
        assert_true((solution == NULL) == (status != DPA_OK));
        if (status) break;
        assert_ok(dpa_solution_array(solution, "source_weights", weights, kRows));
        record(out, weights, sizeof weights);
        dpa_solution_destroy(solution);
    }
    if (status) out->size = 0;
    dpa_options_destroy(options);
    return status;
}

static void misuse_plan(fixture *f) {
    dpa_options *options = private_options(NULL);
    dpa_plan *plan = (dpa_plan *)f->token;
    CHECK_HANDLES(f, dpa_problem, dpa_baseline_plan(h, "noisy_sgd", options, &plan));
    assert_null(plan);
    assert_status(dpa_baseline_plan(f->problem, "noisy_sgd", (dpa_options *)f->token, &plan),
                  DPA_E_HANDLE);
    assert_status(dpa_baseline_plan(f->problem, NULL, options, &plan), DPA_E_INVALID_ARGUMENT);
    assert_error(dpa_baseline_plan(f->problem, "nonsense", options, &plan), DPA_E_OPTION_NAME,
                 "nonsense");
    assert_error(dpa_baseline_plan(f->problem, "dm", options, &plan), DPA_E_OPTION, "nobody");
    assert_status(dpa_baseline_plan(f->problem, "noisy_sgd", options, NULL),
                  DPA_E_INVALID_ARGUMENT);
    assert_error(dpa_baseline_plan(f->problem, "noisy_sgd", NULL, &plan), DPA_E_OPTION, "epsilon");
    assert_null(plan);
    dpa_options_destroy(options);
}

static dpa_status use_plan(fixture *f, outcome *out) {
    dpa_options *options = private_options("sampling", "shuffled", NULL);
    dpa_plan *plan = (dpa_plan *)f->token;
    dpa_status status;
    INJECT(f, status = dpa_baseline_plan(f->problem, "noisy_sgd", options, &plan));
    dpa_options_destroy(options);
    assert_true((plan == NULL) == (status != DPA_OK));
    if (status) return status;
    double sigma = plan_value(plan, "sigma");
    RECORD(out, sigma);
    dpa_plan_destroy(plan);
    return DPA_OK;
}

static row rows[] = {{"dpa_baseline_text", misuse_text, use_text},
                     {"dpa_baseline_plan", misuse_plan, use_plan},
                     {"dpa_baseline_solve", misuse_solve, use_solve},
                     {NULL, NULL, NULL}};

row *const baseline_rows = rows;

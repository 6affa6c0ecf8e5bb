/* A private fit from the plan to predictions: many public rows, fewer private ones of another
 * law. */
#include <dpadapt/dpadapt.h>
#include <stdio.h>
#include <stdlib.h>

enum { FEATURES = 3, SOURCE = 20000, TARGET = 4000, LATER = 4000 };

typedef struct {
    double x[SOURCE][FEATURES];
    double y[SOURCE];
} sample;

static sample source, target, later;

/* Every call returns a status; dpa_last_error() says in words what was wrong. */
static void check(dpa_status status) {
    if (status == DPA_OK) return;
    fprintf(stderr, "%s: %s\n", dpa_status_string(status), dpa_last_error());
    exit(EXIT_FAILURE);
}

static double uniform(void) { return 2.0 * rand() / RAND_MAX - 1.0; }

static void make(sample *rows, size_t count, double third, double constant) {
    for (size_t i = 0; i < count; i++) {
        double *x = rows->x[i];
        for (size_t j = 0; j < FEATURES; j++) x[j] = uniform();
        rows->y[i] = 2 * x[0] - x[1] + third * x[2] + constant + uniform();
    }
}

/* On private rows that are in no fit: released with noise, and paid for. */
static double error_on_later_rows(const dpa_solution *fit, const dpa_options *options) {
    dpa_problem *rows;
    dpa_evaluation *found;
    dpa_measure error;
    check(dpa_problem_create(&rows));
    check(dpa_problem_lend_sample(
        rows, DPA_TARGET, (dpa_matrix){later.x[0], LATER, FEATURES, FEATURES, DPA_ROW_MAJOR},
        later.y, LATER));
    check(dpa_evaluate(rows, &fit, 1, options, &found));
    check(dpa_evaluation_measure(found, 0, &error));
    printf("%s on private rows: %.2f [%.2f, %.2f], with the true law 0.33\n", error.name,
           error.estimate, error.lower, error.upper);
    dpa_evaluation_destroy(found);
    dpa_problem_destroy(rows);
    return error.estimate;
}

int main(void) {
    make(&source, SOURCE, 0, 0);
    make(&target, TARGET, 1, 2);
    make(&later, LATER, 1, 2);

    dpa_options *options;
    check(dpa_options_create(&options));
    check(dpa_options_set(options, "epsilon", 1));
    check(dpa_options_set(options, "delta", 1e-6));

    /* The plan needs sizes and options only: no private row is read. */
    dpa_plan *plan;
    double noise;
    check(dpa_plan_create(SOURCE, TARGET, FEATURES, options, &plan));
    check(dpa_plan_value(plan, "noise_multiplier", &noise));
    printf("noise of a step: %.1f times what a record can change\n", noise);
    dpa_plan_destroy(plan);

    dpa_problem *problem;
    dpa_solution *fit;
    check(dpa_problem_create(&problem));
    check(dpa_problem_lend_sample(
        problem, DPA_SOURCE, (dpa_matrix){source.x[0], SOURCE, FEATURES, FEATURES, DPA_ROW_MAJOR},
        source.y, SOURCE));
    check(dpa_problem_lend_sample(
        problem, DPA_TARGET, (dpa_matrix){target.x[0], TARGET, FEATURES, FEATURES, DPA_ROW_MAJOR},
        target.y, TARGET));
    check(dpa_solve(problem, NULL, options, &fit));

    /* The report, for whoever approves the release. Asked without a buffer, it tells its size. */
    size_t needed = 0;
    dpa_solution_privacy_report(fit, DPA_REPORT_TEXT, NULL, 0, &needed);
    char *report = malloc(needed);
    check(dpa_solution_privacy_report(fit, DPA_REPORT_TEXT, report, needed, NULL));
    puts(report);
    free(report);

    /* A solution is saved as bytes, which C, R and Java read. */
    dpa_solution_serialize(fit, 1, NULL, 0, &needed);
    uint8_t *bytes = malloc(needed);
    check(dpa_solution_serialize(fit, 1, bytes, needed, NULL));
    dpa_solution *loaded;
    check(dpa_solution_deserialize(bytes, needed, &loaded));
    free(bytes);

    const double error = error_on_later_rows(loaded, options);
    dpa_solution_destroy(loaded);
    dpa_solution_destroy(fit);
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    return error < 0.5 ? EXIT_SUCCESS : EXIT_FAILURE;
}

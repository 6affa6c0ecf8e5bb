/* same_bits FILE OPTION=VALUE...: fits the samples of the file as R stores them and prints
 * intercept and coefficients as hexadecimal numbers. The file has doubles: rows of the source, rows
 * of the target, columns; then features and labels of the source, features and labels of the
 * target. */
#include <dpadapt/dpadapt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *read_doubles(FILE *file, size_t count) {
    double *values = malloc(count * sizeof *values);
    if (values == NULL || fread(values, sizeof *values, count, file) != count) exit(2);
    return values;
}

static void require(dpa_status status) {
    if (status == DPA_OK) return;
    fprintf(stderr, "%s\n", dpa_last_error());
    exit(1);
}

int main(int argc, char **argv) {
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL) return 2;
    double *sizes = read_doubles(file, 3);
    const size_t m = (size_t)sizes[0], n = (size_t)sizes[1], d = (size_t)sizes[2];
    double *source = read_doubles(file, m * (d + 1)), *target = read_doubles(file, n * (d + 1));
    double *coefficients = calloc(d, sizeof *coefficients), intercept;
    fclose(file);

    dpa_problem *problem;
    dpa_options *options;
    dpa_solution *solution;
    require(dpa_problem_create(&problem));
    require(dpa_options_create(&options));
    require(dpa_problem_lend_sample(
        problem, DPA_SOURCE, (dpa_matrix){source, m, d, m, DPA_COL_MAJOR}, source + m * d, m));
    require(dpa_problem_lend_sample(
        problem, DPA_TARGET, (dpa_matrix){target, n, d, n, DPA_COL_MAJOR}, target + n * d, n));
    for (int i = 2; i < argc; i++) {
        char *value = strchr(argv[i], '=');
        if (value == NULL) return 2;
        *value = '\0';
        require(dpa_options_parse(options, argv[i], value + 1));
    }
    require(dpa_solve(problem, NULL, options, &solution));
    require(dpa_solution_array(solution, "coefficients", coefficients, d));
    require(dpa_solution_array(solution, "intercept", &intercept, 1));
    printf("%a\n", intercept);
    for (size_t j = 0; j < d; j++) printf("%a\n", coefficients[j]);
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    free(coefficients);
    free(target);
    free(source);
    free(sizes);
    return 0;
}

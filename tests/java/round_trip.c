/* The C side of tests that compare languages:
 *      round_trip fit DATA MODEL NUMBERS [option=value...]    fits DATA and saves it as MODEL
 *      round_trip predict DATA MODEL NUMBERS                  reads MODEL instead
 * DATA are doubles: m, n, number of features, source features row by row, source labels, the same
 * of the target. NUMBERS receives doubles: intercept, coefficients, predictions for the target's
 * rows. */
#include <dpadapt/dpadapt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const char *what, const char *why) {
    fprintf(stderr, "round_trip: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

static void check(dpa_status status) {
    if (status != DPA_OK) die(dpa_status_string(status), dpa_last_error());
}

static void *read_file(const char *path, size_t *bytes) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) die(path, "cannot open");
    *bytes = (size_t)ftell(file);
    rewind(file);
    void *content = malloc(*bytes + 1);
    if (!content || fread(content, 1, *bytes, file) != *bytes) die(path, "cannot read");
    fclose(file);
    return content;
}

static void write_file(const char *path, const void *content, size_t bytes) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(content, 1, bytes, file) != bytes || fclose(file) != 0)
        die(path, "cannot write");
}

typedef struct {
    size_t m, n, d;
    const double *x, *y, *target_x, *target_y;
} samples;

static samples read_samples(const double *data) {
    samples s = {(size_t)data[0], (size_t)data[1], (size_t)data[2], data + 3, NULL, NULL, NULL};
    s.y = s.x + s.m * s.d;
    s.target_x = s.y + s.m;
    s.target_y = s.target_x + s.n * s.d;
    return s;
}

static dpa_solution *fit(const samples *s, int argc, char **argv) {
    dpa_problem *problem;
    dpa_options *options;
    dpa_solution *solution;
    check(dpa_problem_create(&problem));
    check(dpa_problem_lend_sample(problem, DPA_SOURCE,
                                  (dpa_matrix){s->x, s->m, s->d, s->d, DPA_ROW_MAJOR}, s->y, s->m));
    check(dpa_problem_lend_sample(problem, DPA_TARGET,
                                  (dpa_matrix){s->target_x, s->n, s->d, s->d, DPA_ROW_MAJOR},
                                  s->target_y, s->n));
    check(dpa_options_create(&options));
    for (int i = 0; i < argc; i++) {
        char *value = strchr(argv[i], '=');
        if (!value) die(argv[i], "no option=value");
        *value++ = '\0';
        check(dpa_options_parse(options, argv[i], value));
    }
    check(dpa_solve(problem, NULL, options, &solution));
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    return solution;
}

static void save(const dpa_solution *solution, const char *path) {
    size_t bytes;
    dpa_solution_serialize(solution, 1, NULL, 0, &bytes);
    uint8_t *content = malloc(bytes);
    check(dpa_solution_serialize(solution, 1, content, bytes, NULL));
    write_file(path, content, bytes);
    free(content);
}

static dpa_solution *load(const char *path) {
    size_t bytes;
    dpa_solution *solution;
    void *content = read_file(path, &bytes);
    check(dpa_solution_deserialize(content, bytes, &solution));
    free(content);
    return solution;
}

int main(int argc, char **argv) {
    if (argc < 5) die("usage", "round_trip fit|predict DATA MODEL NUMBERS [option=value...]");
    size_t bytes;
    double *data = read_file(argv[2], &bytes);
    samples s = read_samples(data);
    dpa_solution *solution;
    if (strcmp(argv[1], "fit") == 0) {
        solution = fit(&s, argc - 5, argv + 5);
        save(solution, argv[3]);
    } else {
        solution = load(argv[3]);
    }
    double *numbers = malloc((1 + s.d + s.n) * sizeof *numbers);
    check(dpa_solution_array(solution, "intercept", numbers, 1));
    check(dpa_solution_array(solution, "coefficients", numbers + 1, s.d));
    check(dpa_solution_predict(solution, DPA_PREDICT_LABELS,
                               (dpa_matrix){s.target_x, s.n, s.d, s.d, DPA_ROW_MAJOR},
                               numbers + 1 + s.d, s.n));
    write_file(argv[4], numbers, (1 + s.d + s.n) * sizeof *numbers);
    free(numbers);
    dpa_solution_destroy(solution);
    free(data);
    return EXIT_SUCCESS;
}

/* Uses the installed library from C: fits y = 2 x and checks the version given as the argument. */
#include <dpadapt/dpadapt.h>
#include <stdio.h>
#include <string.h>

static int failed(dpa_status status) {
    if (status != DPA_OK) fprintf(stderr, "%s\n", dpa_last_error());
    return status != DPA_OK;
}

int main(int argc, char **argv) {
    const double x[] = {1, 2, 3, 4};
    const double y[] = {2, 4, 6, 8};
    dpa_problem *problem = NULL;
    dpa_options *options = NULL;
    dpa_solution *solution = NULL;
    double coefficient = 0;

    if (argc != 2 || strcmp(argv[1], dpa_version()) != 0) return 1;
    if (failed(dpa_problem_create(&problem)) || failed(dpa_options_create(&options)) ||
        failed(dpa_options_parse(options, "private_domain", "none")) ||
        failed(dpa_problem_set_sample(problem, DPA_SOURCE, (dpa_matrix){x, 4, 1, 4, DPA_COL_MAJOR},
                                      y, 4)) ||
        failed(dpa_problem_set_sample(problem, DPA_TARGET, (dpa_matrix){x, 4, 1, 4, DPA_COL_MAJOR},
                                      y, 4)) ||
        failed(dpa_solve(problem, NULL, options, &solution)) ||
        failed(dpa_solution_array(solution, "coefficients", &coefficient, 1))) {
        return 1;
    }
    printf("coefficient %.3f\n", coefficient);
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    return coefficient > 1.9 && coefficient < 2.1 ? 0 : 1;
}

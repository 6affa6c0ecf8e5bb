/* Cells of public rows that are codes or slips, of a hundredth of each column: fits are as good as
 * without them, and say which columns have some. Nothing is said of private rows. */
#include "unit/losses.h"
#include "unit/private.h"

enum { kManySource = 1500, kManyTarget = 1000, kKnown = 1000, kLabel = kFeatures };

static const double codes[] = {999, -9999, 2147483648.0, 1e9};
static const char *const roles[] = {"none", "target", "source", "both"};

/* The rows of labelled_instance, in number; the last kKnown of the target are held out. */
static instance many(label_kind kind) {
    instance a = instance_random(5, kManySource, kManyTarget + kKnown, kFeatures);
    for (size_t i = 0; i < a.m + a.n; ++i) a.ys[i] = label_of(kind, a.ys[i]);
    a.n = kManyTarget;
    return a;
}

/* Every hundredth cell of a column, or label, of rows that are public, each column at others. */
static void spoil(instance *a, size_t column, double code, const char *role) {
    for (size_t i = column; i < a->m + a->n; i += 100) {
        if (!strcmp(role, i < a->m ? "source" : "target")) continue;
        if (column == kLabel)
            a->ys[i] = code;
        else
            a->xs[i * kFeatures + column] = code;
    }
}

static dpa_options *options_of(const loss_case *c, const char *role) {
    dpa_options *options = loss_options(c);
    if (!strcmp(role, "none")) return options;
    const char *const pairs[][2] = {
        {"private_domain", role}, {"epsilon", "4"}, {"delta", "1e-5"}, {"unsafe_seed", "3"}};
    for (size_t k = 0; k < LENGTH(pairs); ++k)
        assert_ok(dpa_options_parse(options, pairs[k][0], pairs[k][1]));
    return options;
}

static dpa_solution *fit(const instance *a, const loss_case *c, const char *role) {
    dpa_problem *problem = instance_problem(a);
    dpa_options *options = options_of(c, role);
    dpa_solution *solution = solve(problem, options);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    return solution;
}

/* Mean squared error of labels on the rows that are held out; of a caller's loss the objective. */
static double error_of(const instance *a, const loss_case *c, const char *role) {
    dpa_solution *solution = fit(a, c, role);
    double sum = c->outputs ? 0 : kKnown * solution_number(solution, "objective");
    if (c->outputs) {
        static double labels[kKnown];
        const size_t first = a->n * kFeatures;
        assert_ok(dpa_solution_predict(
            solution, DPA_PREDICT_LABELS,
            (dpa_matrix){a->xt + first, kKnown, kFeatures, kFeatures, DPA_ROW_MAJOR}, labels,
            kKnown));
        for (size_t i = 0; i < kKnown; ++i) sum += pow(labels[i] - a->yt[a->n + i], 2);
    }
    dpa_solution_destroy(solution);
    return sum / kKnown;
}

/* With both samples private there are no public cells, and a caller's loss has no private fit. */
static void they_do_no_harm_to_any_loss(void **state) {
    (void)state;
    for (size_t k = 0; k < LENGTH(loss_cases); ++k) {
        const loss_case *c = &loss_cases[k];
        if (k > 0 && !c->linear && !strcmp(c->loss, c[-1].loss)) continue;
        for (size_t r = 0; r < (c->outputs ? 3 : 1); ++r) {
            instance clean = many(c->labels);
            const double error = error_of(&clean, c, roles[r]);
            instance_free(clean);
            for (size_t i = 0; i < (c->linear ? LENGTH(codes) : 1); ++i) {
                instance a = many(c->labels);
                for (size_t j = 0; j < kFeatures; ++j) spoil(&a, j, codes[i], roles[r]);
                assert_at_most(error_of(&a, c, roles[r]), 1.1 * error);
                if (c->labels != kSigns && c->labels != kCounts) {
                    spoil(&a, kLabel, codes[i], roles[r]);
                    assert_at_most(error_of(&a, c, roles[r]), 1.1 * error);
                }
                instance_free(a);
            }
        }
    }
}

static void columns_are_named_of_public_samples_alone(void **state) {
    (void)state;
    static const struct {
        const char *role;
        int source, target;
    } cases[] = {{"none", 1, 1}, {"target", 1, 0}, {"source", 0, 1}, {"both", 0, 0}};
    static const loss_case squared = {"squared", kNumbers, 1, 1, {NULL}};
    for (size_t k = 0; k < LENGTH(cases); ++k) {
        instance a = many(kNumbers);
        a.xs[7 * kFeatures] = 999;                        /* one cell of the source */
        for (size_t i = 0; i < 5; ++i) a.yt[i] = -999999; /* labels of the target */
        dpa_problem *problem = instance_problem(&a);
        dpa_options *options = strcmp(cases[k].role, "both") ? options_of(&squared, cases[k].role)
                                                             : both_private(NULL, NULL);
        dpa_solution *solution = solve(problem, options);
        char *text = findings_of(solution, NULL),
             *report = solution_report(solution, DPA_REPORT_TEXT);
        const char *const said = "Public source, column 0: 1 of 1500 is 999; a code";
        const char *const of_labels = "Public target, label: 5 of 1000 are -999999; a code";
        assert_int_equal(strstr(text, said) != NULL, cases[k].source);
        assert_int_equal(strstr(text, of_labels) != NULL, cases[k].target);
        assert_int_equal(strstr(text, "Public ") != NULL, cases[k].source || cases[k].target);
        assert_int_equal(strstr(report, said) != NULL, cases[k].source);
        free(text);
        free(report);
        dpa_solution_destroy(solution);
        dpa_options_destroy(options);
        dpa_problem_destroy(problem);
        instance_free(a);
    }
}

/* Of a law without variance, and of indicators: measurements, however far. */
static void long_tails_and_rare_values_are_none(void **state) {
    (void)state;
    static const loss_case squared = {"squared", kNumbers, 1, 1, {NULL}};
    instance a = many(kNumbers);
    uint64_t seed = 9;
    double largest = 0;
    for (size_t i = 0; i < a.m + a.n; ++i) {
        a.xs[i * kFeatures] = pow(normal(&seed), 5);
        largest = fmax(largest, fabs(a.xs[i * kFeatures]));
        a.xs[i * kFeatures + 1] = i % 50 == 0 ? 7 : 0;
        a.xs[i * kFeatures + 2] = i % 10 == 0 ? 1e6 : uniform(&seed);
    }
    a.xs[0] = 5 * largest; /* a gap that only one value again and again makes a code */
    dpa_solution *solution = fit(&a, &squared, "none");
    char *text = findings_of(solution, NULL);
    assert_string_equal(text, "");
    free(text);
    dpa_solution_destroy(solution);
    instance_free(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_do_no_harm_to_any_loss),
        cmocka_unit_test(columns_are_named_of_public_samples_alone),
        cmocka_unit_test(long_tails_and_rare_values_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

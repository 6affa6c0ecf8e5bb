/* select.h: candidates compared by one loss, searches over grids, and what private rows let out. */
#include "unit/private.h"

enum { M = 120, N = 60, V = 40, D = 3 };

/* Training rows, and as a problem of its own validation rows of the same distribution. */
typedef struct {
    instance data, other;
    dpa_problem *problem, *validation;
} samples;

static samples new_samples(void) {
    samples s = {instance_random(21, M, N, D), instance_random(22, 1, V, D), NULL, NULL};
    s.problem = instance_problem(&s.data);
    assert_ok(dpa_problem_create(&s.validation));
    assert_ok(dpa_problem_set_sample(
        s.validation, DPA_TARGET, (dpa_matrix){s.other.xt, V, D, D, DPA_ROW_MAJOR}, s.other.yt, V));
    return s;
}

static void free_samples(samples s) {
    dpa_problem_destroy(s.problem);
    dpa_problem_destroy(s.validation);
    instance_free(s.data);
    instance_free(s.other);
}

static double mean_square(const samples *s, const dpa_solution *solution) {
    double predicted[V], sum = 0;
    assert_ok(dpa_solution_predict(solution, DPA_PREDICT_LABELS,
                                   (dpa_matrix){s->other.xt, V, D, D, DPA_ROW_MAJOR}, predicted,
                                   V));
    for (size_t i = 0; i < V; ++i) sum += pow(predicted[i] - s->other.yt[i], 2);
    return sum / V;
}

static dpa_search *search_of(const char *const *axes) {
    dpa_search *search = NULL;
    assert_ok(dpa_search_create(&search));
    for (; *axes; axes += 2) assert_ok(dpa_search_add(search, axes[0], axes[1]));
    return search;
}

static const char *const kAlphasAndRadii[] = {"alpha", "0, 0.5,0.9", "radius", "0.2,auto", NULL};

static void the_loop_by_hand_chooses_the_same(void **state) {
    (void)state;
    static const char *const alphas[] = {"0", "0.5", "0.9"}, *const radii[] = {"0.2", "auto"};
    samples s = new_samples();
    dpa_options *options = public_options(NULL);
    dpa_solution *fits[6], *best = NULL;
    double losses[6], loss, w[D], wanted[D];
    size_t least = 0, index = 99, k = 0;
    uint64_t count = 0;
    for (size_t a = 0; a < 3; ++a)
        for (size_t r = 0; r < 2; ++r, ++k) {
            assert_ok(dpa_options_parse(options, "alpha", alphas[a]));
            assert_ok(dpa_options_parse(options, "radius", radii[r]));
            fits[k] = solve(s.problem, options);
            losses[k] = mean_square(&s, fits[k]);
            if (losses[k] < losses[least]) least = k;
        }
    assert_ok(dpa_select(s.validation, (const dpa_solution *const *)fits, 6, options, &index));
    assert_int_equal(index, least);

    dpa_search *search = search_of(kAlphasAndRadii);
    count = search_number(search, "candidates");
    assert_int_equal(count, 6);
    assert_ok(dpa_search_run(search, s.problem, s.validation, NULL, options, &best));
    index = search_number(search, "chosen");
    assert_int_equal(index, least);
    for (k = 0; k < 6; ++k) {
        char text[8];
        dpa_status status = 1;
        assert_ok(dpa_search_value(search, "loss", k, &loss));
        assert_close(loss, losses[k], 1e-12, 0);
        assert_status(dpa_search_reason(search, k, &status, NULL, 0, NULL), DPA_E_BUFFER);
        assert_int_equal(status, DPA_OK);
        assert_ok(dpa_search_setting(search, k, "alpha", text, sizeof text, NULL));
        assert_string_equal(text, alphas[k / 2]);
        assert_ok(dpa_search_setting(search, k, "radius", text, sizeof text, NULL));
        assert_string_equal(text, radii[k % 2]);
    }
    assert_ok(dpa_solution_array(best, "coefficients", w, D));
    assert_ok(dpa_solution_array(fits[least], "coefficients", wanted, D));
    assert_same_bits(w, wanted, D);
    for (k = 0; k < 6; ++k) dpa_solution_destroy(fits[k]);
    dpa_solution_destroy(best);
    dpa_search_destroy(search);
    dpa_options_destroy(options);
    free_samples(s);
}

static void baselines_and_other_grids(void **state) {
    (void)state;
    static const char *const ridges[] = {"ridge", "0,0.01,0.1,1,10", NULL};
    samples s = new_samples();
    dpa_options *options = public_options(NULL);
    dpa_search *search = search_of(ridges);
    dpa_solution *best = NULL;
    double loss[5];
    size_t index = 9;
    assert_ok(dpa_search_run(search, s.problem, s.validation, "target_only", options, &best));
    for (size_t k = 0; k < 5; ++k) assert_ok(dpa_search_value(search, "loss", k, &loss[k]));
    index = search_number(search, "chosen");
    assert_close(mean_square(&s, best), loss[index], 1e-12, 0);
    for (size_t k = 0; k < 5; ++k) assert_at_most(loss[index], loss[k]);
    dpa_solution_destroy(best);
    assert_status(dpa_search_value(search, "loss", 5, &loss[0]), DPA_E_INVALID_ARGUMENT);
    assert_ok(dpa_search_add(search, "alpha", "0.5"));
    assert_status(dpa_search_value(search, "loss", 0, &loss[0]), DPA_E_STATE); /* another grid */
    dpa_search_destroy(search);
    dpa_options_destroy(options);
    free_samples(s);
}

/* Options are read as the fits read them: lambda_1 goes with a baseline whose form follows from it,
 * and with an axis that completes it. */
static void options_go_together_as_in_the_fits(void **state) {
    (void)state;
    static const char *const alphas[] = {"alpha", "0.2,0.5", NULL};
    static const char *const lambdas[] = {"lambda_1", "1,2", NULL};
    samples s = new_samples();
    dpa_options *priced = public_options("lambda_1", "1", NULL);
    dpa_options *open = public_options("form", "general", "lambda_2", "0.1", NULL);
    for (int k = 0; k < 2; ++k) {
        dpa_search *search = search_of(k ? lambdas : alphas);
        dpa_solution *best = NULL;
        assert_ok(dpa_search_run(search, s.problem, s.validation, k ? NULL : "best",
                                 k ? open : priced, &best));
        for (size_t index = 0; index < 2; ++index) {
            dpa_status status = 1;
            assert_status(dpa_search_reason(search, index, &status, NULL, 0, NULL), DPA_E_BUFFER);
            assert_int_equal(status, DPA_OK);
        }
        dpa_solution_destroy(best);
        dpa_search_destroy(search);
    }
    dpa_options_destroy(open);
    dpa_options_destroy(priced);
    free_samples(s);
}

static void fits_that_fail_are_left_out(void **state) {
    (void)state;
    static const char *const axes[] = {"lambda_2", "0,1", NULL}; /* a price of the general form */
    static const char *const bad[] = {"lambda_2", "1,2", NULL};
    samples s = new_samples();
    dpa_options *options = public_options(NULL);
    dpa_search *search = search_of(axes);
    dpa_solution *best = NULL;
    double loss = 0;
    dpa_status status = 0;
    size_t index = 9, size = 0;
    char why[200];
    assert_ok(dpa_search_run(search, s.problem, s.validation, NULL, options, &best));
    assert_ok(dpa_search_reason(search, 1, &status, why, sizeof why, NULL));
    assert_int_equal(status, DPA_E_OPTION);
    assert_ok(dpa_search_reason(search, 0, NULL, why, sizeof why, NULL));
    assert_string_equal(why, "");
    assert_ok(dpa_search_reason(search, 1, NULL, why, sizeof why, &size));
    assert_non_null(strstr(why, "lambda_2 belongs to form = general"));
    assert_int_equal(size, strlen(why) + 1);
    assert_status(dpa_search_reason(search, 1, NULL, why, size - 1, NULL), DPA_E_BUFFER);
    assert_ok(dpa_search_value(search, "loss", 1, &loss));
    assert_true(isnan(loss));
    index = search_number(search, "chosen");
    assert_int_equal(index, 0);
    dpa_solution_destroy(best);
    dpa_search_destroy(search);
    search = search_of(bad);
    assert_error(dpa_search_run(search, s.problem, s.validation, NULL, options, &best),
                 DPA_E_OPTION, "lambda_2");
    assert_null(best);
    assert_status(dpa_search_value(search, "chosen", 0, &loss), DPA_E_STATE);
    dpa_search_destroy(search);
    dpa_options_destroy(options);
    free_samples(s);
}

/* The second kernel reaches no other row: every weight of the source is 0. */
static void fits_beyond_double_precision_are_left_out(void **state) {
    (void)state;
    static const char *const axes[] = {"kernel_gamma", "0.1,1e300", NULL};
    static const char *const methods[] = {"ulsif", "rulsif"};
    samples s = new_samples();
    dpa_options *options = public_options(NULL);
    for (size_t k = 0; k < LENGTH(methods); ++k) {
        dpa_search *search = search_of(axes);
        dpa_solution *best = NULL;
        dpa_status status = 0;
        assert_ok(dpa_search_run(search, s.problem, s.validation, methods[k], options, &best));
        assert_status(dpa_search_reason(search, 1, &status, NULL, 0, NULL), DPA_E_BUFFER);
        assert_int_equal(status, DPA_E_NUMERICAL);
        dpa_solution_destroy(best);
        dpa_search_destroy(search);
    }
    dpa_options_destroy(options);
    free_samples(s);
}

static void wrong_axes_are_refused_at_once(void **state) {
    (void)state;
    dpa_search *search = NULL;
    uint64_t count = 0;
    assert_ok(dpa_search_create(&search));
    assert_error(dpa_search_add(search, "nonsense", "1"), DPA_E_OPTION_NAME, "nonsense");
    assert_error(dpa_search_add(search, "alpha", "0.5,2"), DPA_E_OPTION, "alpha");
    assert_error(dpa_search_add(search, "alpha", "0.5,"), DPA_E_OPTION_TYPE, "alpha");
    assert_status(dpa_search_add(search, "alpha", ""), DPA_E_OPTION_TYPE);
    assert_error(dpa_search_add(search, "private_domain", "none"), DPA_E_OPTION, "axis");
    assert_status(dpa_search_add(search, "selection_epsilon", "1"), DPA_E_OPTION);
    assert_status(dpa_search_add(search, "unsafe_seed", "1"), DPA_E_OPTION);
    assert_ok(dpa_search_add(search, "hidden_units", "4, 3 2")); /* blanks within a value */
    assert_status(dpa_search_add(search, "hidden_units", "5"), DPA_E_OPTION);
    assert_ok(dpa_search_add(search, "softmax_sharpness", "4,5"));
    assert_status(dpa_search_add(search, "softmax_sharpness", "6"), DPA_E_OPTION);
    count = search_number(search, "candidates");
    assert_int_equal(count, 4);
    dpa_search_destroy(search);
}

static int32_t count_calls(const double *x, size_t rows, size_t features, const double *label,
                           const double *theta, size_t parameters, double *losses,
                           double *gradients, void *user) {
    (void)x, (void)features, (void)label, (void)theta;
    ++*(int *)user;
    for (size_t i = 0; i < rows; ++i) losses[i] = 0;
    for (size_t i = 0; gradients && i < rows * parameters; ++i) gradients[i] = 0;
    return 0;
}

static int32_t count_candidates(const dpa_progress *progress, void *user) {
    *(int *)user += !strcmp(progress->phase, "candidates");
    return 0;
}

/* What cannot be compared afterwards is not fitted before. */
static void fits_that_nothing_compares_are_not_made(void **state) {
    (void)state;
    static const char *const alphas[] = {"alpha", "0.2,0.5", NULL};
    static const char *const losses[] = {"loss", "squared,custom", NULL};
    static const char *const mixed[] = {"loss", "squared,logistic", NULL};
    samples s = new_samples();
    dpa_options *options = public_options(NULL);
    dpa_solution *best = (dpa_solution *)&s;
    int fits = 0, calls = 0;
    assert_ok(dpa_options_set_progress(options, count_candidates, &fits));
    assert_ok(dpa_options_set_loss(options, count_calls, &calls, 1, INFINITY, INFINITY, INFINITY));
    for (int k = 0; k < 2; ++k) {
        dpa_search *search = search_of(k ? losses : alphas);
        assert_error(dpa_search_run(search, s.problem, s.validation, NULL, options, &best),
                     DPA_E_UNSUPPORTED, "dpa_search_run", "function of the caller");
        assert_null(best);
        dpa_search_destroy(search);
    }
    dpa_search *search = search_of(mixed);
    assert_error(dpa_search_run(search, s.problem, s.validation, NULL, options, &best),
                 DPA_E_OPTION, "selection_loss");
    dpa_search_destroy(search);
    /* A candidate without the function that it needs is left out, as before. */
    assert_int_equal(fits + calls, 0);
    assert_ok(dpa_options_set_loss(options, NULL, NULL, 0, 0, 0, 0));
    search = search_of(losses);
    assert_ok(dpa_search_run(search, s.problem, s.validation, NULL, options, &best));
    assert_int_equal(fits, 2);
    dpa_solution_destroy(best);
    dpa_search_destroy(search);
    dpa_options_destroy(options);
    free_samples(s);
}

/* Each half of the rows is about other people: two ledgers, each with its own price. */
static void a_private_search_pays_twice(void **state) {
    (void)state;
    samples s = new_samples();
    dpa_options *options = private_options("epsilon", "0.5", "selection_epsilon", "0.25",
                                           "selection_bound", "9", NULL);
    dpa_options *budget = private_options("epsilon", "2", NULL);
    dpa_search *search = search_of(kAlphasAndRadii);
    dpa_solution *best = (dpa_solution *)search;
    double loss = 7;
    size_t index = 99;
    /* Six fits are more than the first one's budget: known before any is paid for. */
    assert_status(dpa_search_run(search, s.problem, s.validation, NULL, options, &best),
                  DPA_E_BUDGET);
    assert_null(best);
    assert_int_equal(releases_of(s.problem) + releases_of(s.validation), 0);
    dpa_search_destroy(search);

    static const char *const shrinkages[] = {"shrinkage", "1,3.5", NULL};
    search = search_of(shrinkages);
    assert_ok(dpa_problem_set_budget(s.problem, budget));
    assert_ok(dpa_search_run(search, s.problem, s.validation, NULL, options, &best));
    index = search_number(search, "chosen");
    assert_true(index < 2);
    assert_status(dpa_search_value(search, "loss", 0, &loss), DPA_E_NOT_RELEASABLE);
    assert_true(loss == 7);

    char *json = problem_report(s.problem, DPA_REPORT_JSON);
    double mu;
    assert_ok(dpa_privacy_mu(0.5, 1e-5, 0, &mu));
    assert_close(json_number(json, "spent/mu"), sqrt(2) * mu, 1e-6, 0);
    assert_true(json_number(json, "spent/pure_epsilon") == 0);
    free(json);
    json = problem_report(s.validation, DPA_REPORT_JSON);
    assert_int_equal(json_count(json, "releases"), 1);
    assert_true(json_number(json, "spent/pure_epsilon") == 0.25);
    assert_true(json_number(json, "spent/mu") == 0);
    assert_true(json_number(json, "budget/epsilon") == 0.25);
    assert_true(json_number(json, "budget/delta") == 0);
    assert_non_null(strstr(json, "permute-and-flip"));
    free(json);
    char *text = problem_report(s.validation, DPA_REPORT_TEXT);
    assert_non_null(strstr(text, "epsilon = 0.25, delta = 0,"));
    free(text);
    /* The promise of the fit is not about the validation rows, and says so. */
    text = solution_report(best, DPA_REPORT_TEXT);
    assert_non_null(strstr(text, "one of 2 fits"));
    assert_non_null(strstr(text, "selection_epsilon = 0.25"));
    free(text);
    dpa_solution_destroy(best);
    dpa_search_destroy(search);
    dpa_options_destroy(budget);
    dpa_options_destroy(options);
    free_samples(s);
}

/* How many rows a person has is private. */
static void a_choice_counts_persons(void **state) {
    (void)state;
    enum { PERSONS = 30 };
    static const char *const shrinkages[] = {"shrinkage", "1,3.5", NULL};
    for (size_t rows = PERSONS; rows <= V; rows += V - PERSONS) {
        samples s = new_samples();
        int64_t ids[V];
        for (size_t i = 0; i < rows; ++i) ids[i] = i < PERSONS ? (int64_t)i : 0;
        assert_ok(dpa_problem_set_sample(s.validation, DPA_TARGET,
                                         (dpa_matrix){s.other.xt, rows, D, D, DPA_ROW_MAJOR},
                                         s.other.yt, rows));
        assert_ok(dpa_problem_set_groups(s.validation, DPA_TARGET, ids, rows));
        dpa_options *options = private_options("epsilon", "0.5", "selection_epsilon", "0.25",
                                               "selection_bound", "9", NULL);
        dpa_options *budget = private_options("epsilon", "2", NULL);
        dpa_search *search = search_of(shrinkages);
        dpa_solution *best = NULL;
        assert_ok(dpa_problem_set_budget(s.problem, budget));
        assert_ok(dpa_search_run(search, s.problem, s.validation, NULL, options, &best));
        char *text = solution_report(best, DPA_REPORT_TEXT);
        assert_non_null(strstr(text, "chosen by the rows of 30 persons at selection_epsilon"));
        free(text);
        dpa_solution_destroy(best);
        dpa_search_destroy(search);
        dpa_options_destroy(budget);
        dpa_options_destroy(options);
        free_samples(s);
    }
}

static dpa_problem *running;
static dpa_options *in_use;
static dpa_status answer;

/* Changes the options of the search that reports, and the rows that it is about to read. */
static int32_t meddle(const dpa_progress *progress, void *user) {
    const double x[D] = {0};
    (void)progress;
    (void)user;
    answer =
        dpa_problem_set_sample(running, DPA_TARGET, (dpa_matrix){x, 1, D, D, DPA_ROW_MAJOR}, x, 1);
    assert_ok(dpa_options_parse(in_use, "private_domain", "none"));
    return 0;
}

static void a_running_search_is_left_alone(void **state) {
    (void)state;
    static const char *const shrinkages[] = {"shrinkage", "1,3.5", NULL};
    samples s = new_samples();
    dpa_options *options = private_options("epsilon", "0.5", "selection_epsilon", "0.25",
                                           "selection_bound", "9", NULL);
    dpa_options *budget = private_options("epsilon", "2", NULL);
    dpa_search *search = search_of(shrinkages);
    dpa_solution *best = NULL;
    dpa_plan *plan = NULL;
    int32_t protection = 0;
    assert_ok(dpa_problem_set_budget(s.problem, budget));
    assert_ok(dpa_options_set_progress(options, meddle, NULL));
    in_use = options;
    running = s.validation;
    assert_ok(dpa_search_run(search, s.problem, s.validation, NULL, options, &best));
    assert_int_equal(answer, DPA_E_STATE);
    assert_ok(dpa_solution_privacy(best, &protection, NULL, NULL));
    assert_int_equal(protection, DPA_PROTECTION_GUARANTEED);
    assert_int_equal(releases_of(s.validation), 1);

    running = s.problem;
    answer = DPA_OK;
    assert_ok(dpa_options_parse(options, "private_domain", "target"));
    assert_ok(dpa_baseline_plan(s.problem, "noisy_sgd", options, &plan));
    assert_int_equal(answer, DPA_E_STATE);
    dpa_plan_destroy(plan);
    dpa_solution_destroy(best);
    dpa_search_destroy(search);
    dpa_options_destroy(budget);
    dpa_options_destroy(options);
    free_samples(s);
}

static void a_selection_spends_what_was_kept_for_it(void **state) {
    (void)state;
    samples s = new_samples();
    dpa_options *plain = public_options(NULL);
    dpa_options *options =
        private_options("selection_epsilon", "0.3", "selection_bound", "4", NULL);
    dpa_options *unbounded = private_options("selection_epsilon", "0.3", NULL);
    dpa_solution *fit = solve(s.problem, plain);
    const dpa_solution *candidates[] = {fit, fit};
    size_t index = 9;
    assert_error(dpa_select(s.validation, candidates, 2, NULL, &index), DPA_E_OPTION, "selection_");
    assert_error(dpa_select(s.validation, candidates, 2, unbounded, &index), DPA_E_OPTION,
                 "selection_bound");
    assert_int_equal(releases_of(s.validation), 0);
    assert_int_equal(index, 9);

    dpa_options *budget = private_options("epsilon", "1", "selection_epsilon", "0.6", NULL);
    assert_ok(dpa_problem_set_budget(s.validation, budget));
    assert_ok(dpa_select(s.validation, candidates, 2, options, &index));
    assert_ok(dpa_select(s.validation, candidates, 2, options, &index));
    assert_true(index < 2);
    index = 9;
    assert_status(dpa_select(s.validation, candidates, 2, options, &index), DPA_E_BUDGET);
    assert_int_equal(index, 9);
    assert_int_equal(releases_of(s.validation), 2);
    char *json = problem_report(s.validation, DPA_REPORT_JSON);
    assert_true(json_number(json, "budget/cap/mu") > 0); /* the rest of epsilon = 1 */
    free(json);
    dpa_solution_destroy(fit);
    dpa_options_destroy(budget);
    dpa_options_destroy(unbounded);
    dpa_options_destroy(options);
    dpa_options_destroy(plain);
    free_samples(s);
}

/* A public row with NaN is an error, a private one is not. */
static void only_public_rows_are_complained_about(void **state) {
    (void)state;
    samples s = new_samples();
    dpa_options *plain = public_options(NULL);
    dpa_options *options =
        private_options("selection_epsilon", "1", "selection_bound", "4", "unsafe_seed", "1", NULL);
    dpa_solution *fit = solve(s.problem, plain);
    const dpa_solution *candidates[] = {fit};
    size_t index = 9;
    s.other.xt[D * 3 + 1] = NAN;
    s.other.yt[5] = INFINITY;
    assert_ok(dpa_problem_lend_sample(
        s.validation, DPA_TARGET, (dpa_matrix){s.other.xt, V, D, D, DPA_ROW_MAJOR}, s.other.yt, V));
    assert_error(dpa_select(s.validation, candidates, 1, plain, &index), DPA_E_NONFINITE, "row 3");
    assert_int_equal(index, 9);
    assert_ok(dpa_select(s.validation, candidates, 1, options, &index));
    assert_int_equal(index, 0);
    char *text = problem_report(s.validation, DPA_REPORT_TEXT);
    assert_non_null(strstr(text, "unsafe_seed"));
    free(text);
    dpa_solution_destroy(fit);
    dpa_options_destroy(options);
    dpa_options_destroy(plain);
    free_samples(s);
}

/* What is wrong with the validation rows is found before the fits are paid for. */
static void nothing_is_paid_for_a_search_that_cannot_end(void **state) {
    (void)state;
    samples s = new_samples();
    dpa_options *options = private_options("private_domain", "source", NULL);
    dpa_options *other = private_options("selection_epsilon", "1", "selection_bound", "4", NULL);
    dpa_search *search = NULL;
    dpa_solution *best = NULL;
    assert_ok(dpa_search_create(&search));
    assert_ok(dpa_problem_set_budget(s.validation, options)); /* its source is private */
    assert_error(dpa_search_run(search, s.problem, s.validation, NULL, other, &best), DPA_E_STATE,
                 "private_domain");
    s.other.xt[0] = NAN;
    assert_ok(dpa_problem_lend_sample(
        s.validation, DPA_TARGET, (dpa_matrix){s.other.xt, V, D, D, DPA_ROW_MAJOR}, s.other.yt, V));
    assert_error(dpa_search_run(search, s.problem, s.validation, NULL, options, &best),
                 DPA_E_NONFINITE, "row 0");
    assert_int_equal(releases_of(s.problem) + releases_of(s.validation), 0);
    s.other.xt[0] = 0;
    assert_ok(dpa_search_run(search, s.problem, s.validation, NULL, options, &best));
    assert_true(releases_of(s.problem) > 0);
    assert_int_equal(releases_of(s.validation), 0); /* its target is public */
    dpa_solution_destroy(best);
    dpa_search_destroy(search);
    dpa_options_destroy(other);
    dpa_options_destroy(options);
    free_samples(s);
}

typedef struct {
    size_t candidates, selections, stop_after;
    dpa_search *search;
} watch;

static int32_t watched(const dpa_progress *progress, void *user) {
    watch *w = user;
    double count;
    if (!strcmp(progress->phase, "candidates")) ++w->candidates;
    if (!strcmp(progress->phase, "selection")) ++w->selections;
    assert_status(dpa_search_add(w->search, "alpha", "0"), DPA_E_STATE);
    assert_status(dpa_search_value(w->search, "candidates", 0, &count), DPA_E_STATE);
    return w->candidates == w->stop_after;
}

/* With alpha = 0 a fit has no use for a discrepancy, and is the best for its own rows. */
static void what_some_candidates_read_is_no_mistake(void **state) {
    (void)state;
    static const char *const some[] = {"alpha", "0,0.5", "discrepancy_radius", "0.5,2", NULL};
    static const char *const none[] = {"alpha", "0", "discrepancy_radius", "0.5,2", NULL};
    for (int k = 0; k < 2; ++k) {
        samples s = new_samples();
        dpa_options *options = public_options(NULL);
        dpa_search *search = search_of(k ? none : some);
        dpa_solution *best = NULL;
        assert_ok(dpa_problem_set_sample(s.validation, DPA_TARGET,
                                         (dpa_matrix){s.data.xt, N, D, D, DPA_ROW_MAJOR}, s.data.yt,
                                         N));
        assert_ok(dpa_search_run(search, s.problem, s.validation, NULL, options, &best));
        assert_true(solution_number(best, "alpha") == 0);
        const int told = strstr(solution_text(best, "finding_codes"), "option_not_read") != NULL;
        assert_int_equal(told, k);
        dpa_solution_destroy(best);
        dpa_search_destroy(search);
        dpa_options_destroy(options);
        free_samples(s);
    }
}

static void a_run_reports_and_can_be_stopped(void **state) {
    (void)state;
    samples s = new_samples();
    dpa_options *options = public_options(NULL);
    dpa_search *search = search_of(kAlphasAndRadii);
    dpa_solution *best = NULL;
    watch w = {0, 0, 3, search};
    double value = 7;
    assert_ok(dpa_options_set_progress(options, watched, &w));
    assert_status(dpa_search_run(search, s.problem, s.validation, NULL, options, &best),
                  DPA_E_CANCELLED);
    assert_null(best);
    assert_status(dpa_search_value(search, "chosen", 0, &value), DPA_E_STATE);
    assert_error(dpa_search_value(search, "winner", 0, &value), DPA_E_OPTION_NAME, "winner");
    assert_true(value == 7);
    w = (watch){0, 0, 99, search};
    assert_ok(dpa_search_run(search, s.problem, s.validation, NULL, options, &best));
    assert_int_equal(w.candidates, 6);
    assert_int_equal(w.selections, 6);
    dpa_solution_destroy(best);
    dpa_search_destroy(search);
    dpa_options_destroy(options);
    free_samples(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_loop_by_hand_chooses_the_same),
        cmocka_unit_test(baselines_and_other_grids),
        cmocka_unit_test(options_go_together_as_in_the_fits),
        cmocka_unit_test(fits_that_fail_are_left_out),
        cmocka_unit_test(fits_beyond_double_precision_are_left_out),
        cmocka_unit_test(fits_that_nothing_compares_are_not_made),
        cmocka_unit_test(wrong_axes_are_refused_at_once),
        cmocka_unit_test(a_private_search_pays_twice),
        cmocka_unit_test(a_choice_counts_persons),
        cmocka_unit_test(a_running_search_is_left_alone),
        cmocka_unit_test(a_selection_spends_what_was_kept_for_it),
        cmocka_unit_test(only_public_rows_are_complained_about),
        cmocka_unit_test(nothing_is_paid_for_a_search_that_cannot_end),
        cmocka_unit_test(what_some_candidates_read_is_no_mistake),
        cmocka_unit_test(a_run_reports_and_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Domain adaptation on the Irish wind data:  wind_demo wind.csv.gz [splits]
 *
 * Wanted: the wind speed at Malin Head in January, from the speeds at 11 other stations. Of January
 * few labelled days are at hand (the target), of the rest of the year many (the source). Protocol
 * of Bassily, Cortes, Mao and Mohri, "Differentially Private Domain Adaptation with Theoretical
 * Guarantees": 6016 source days; the 558 target days are split at random into 158 for training, 200
 * for choosing parameters (validation) and 200 for the test; 10 such splits. Every method below is
 * the same call of the library with other options.
 *
 * Then the same with the target's records protected: epsilon as in the table, delta = 0.01, nothing
 * chosen. As in the paper the training days are drawn with replacement up to 10000 records, and
 * epsilon is that of one record, not of a day, which occurs 63 times on average. Errors, and fits
 * without privacy, may stand beside private fits only because all days are public.
 */
#include <csv.h>
#include <dpadapt/dpadapt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

enum { FEATURES = 11, FIRST_FEATURE = 4, LABEL = 15, COLUMNS = 16 };
enum { SOURCE = 6016, TARGET = 558, TRAIN = 158, VALIDATION = 200, TEST = 200 };
enum { RESAMPLED = 10000, BUDGETS = 4 };
enum { SPLITS = 10, MOST_SPLITS = 1000, SEED = 1961, GRID = 12 };

#define HUGE_PRICE 1e6 /* kappa_1 at which every record keeps its reference weight */
#define END (-1.0)     /* closes a list of grid values */

/* A method is a grid over four options, of which the validation rows choose one point. */
typedef struct {
    const char *name;
    double alpha[GRID];       /* share of the source in the reference weights */
    double kappa_1[GRID];     /* price of leaving those, in units of the library's default */
    double discrepancy[GRID]; /* d, charged on source records, in the same units */
    double radius[GRID];      /* of the ball of predictors, in norms of the source fit */
} method;

/* clang-format off */
#define ALPHAS {0.1, 0.3, 0.5, 0.7, 0.9, END}
#define RADII {0.7, 0.8, 0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.3, 2, END}
static const method methods[] = {
    {"target only",  {0, END}, {HUGE_PRICE, END}, {0, END},    RADII},
    {"source only",  {1, END}, {HUGE_PRICE, END}, {0, END},    RADII},
    {"pooled ridge", ALPHAS,   {HUGE_PRICE, END}, {0, END},    RADII},
    {"CnvxAdap_inf", ALPHAS,   {0.25, 1, 4, END}, {0, 4, END}, {0.8, 0.9, 1, 1.1, 1.3, END}},
};
/* clang-format on */
enum { METHODS = sizeof methods / sizeof methods[0], DEFAULTS = METHODS };
enum { PRIVATE = METHODS + 1, ROWS = PRIVATE + BUDGETS };

static const double epsilons[BUDGETS] = {0.5, 1, 4, 10};
#define DELTA 0.01

typedef struct {
    double x[SOURCE][FEATURES];
    double y[SOURCE];
    size_t rows;
} sample;

static sample source;
static sample target;
static sample shuffled; /* the target in the order of one split: training, validation, test rows */

static double private_x[RESAMPLED][FEATURES]; /* the training rows, drawn with replacement */
static double private_y[RESAMPLED];

static double test_error[MOST_SPLITS][ROWS];
static double largest_gap; /* over all fits: proven bound on their distance from the minimum */
static long fits;

static void die(const char *what, const char *why) {
    fprintf(stderr, "wind_demo: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

/* Every call of the library returns a status; dpa_last_error() says in words what was wrong. */
static void check(dpa_status status) {
    if (status != DPA_OK) die(dpa_status_string(status), dpa_last_error());
}

typedef struct {
    int column;
    int is_target;
    long line;
    double value[COLUMNS];
} record;

static void on_field(void *text, size_t length, void *user) {
    record *r = user;
    if (r->column >= COLUMNS) die("data", "a row has too many columns");
    if (r->column == 0) r->is_target = length == 6 && memcmp(text, "target", 6) == 0;
    if (r->column > 0 && r->line > 0) r->value[r->column] = strtod(text, NULL);
    r->column++;
}

static void on_row(int end, void *user) {
    record *r = user;
    (void)end;
    if (r->column != COLUMNS) die("data", "a row has too few columns");
    if (r->line++ > 0) {
        sample *s = r->is_target ? &target : &source;
        if (s->rows == (r->is_target ? TARGET : SOURCE)) die("data", "too many rows");
        memcpy(s->x[s->rows], r->value + FIRST_FEATURE, sizeof s->x[0]);
        s->y[s->rows++] = r->value[LABEL];
    }
    r->column = 0;
}

static void read_data(const char *path) {
    struct csv_parser parser;
    record r = {0};
    char block[1 << 16];
    int length;
    gzFile file = gzopen(path, "rb");
    if (!file) die(path, "cannot open");
    if (csv_init(&parser, CSV_STRICT | CSV_APPEND_NULL) != 0) die("libcsv", "cannot start");
    while ((length = gzread(file, block, sizeof block)) > 0)
        if (csv_parse(&parser, block, (size_t)length, on_field, on_row, &r) != (size_t)length)
            die(path, csv_strerror(csv_error(&parser)));
    if (length < 0 || gzclose(file) != Z_OK) die(path, "damaged");
    csv_fini(&parser, on_field, on_row, &r);
    csv_free(&parser);
    if (source.rows != SOURCE || target.rows != TARGET) die(path, "not the expected rows");
}

/* splitmix64 (Steele, Lea, Flood 2014): the splits are the same everywhere. */
static uint64_t next_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Puts the target rows in the random order of a split. */
static void shuffle_target(int split) {
    uint64_t state = SEED + ((uint64_t)split << 32);
    for (size_t i = 0; i < TARGET; i++) {
        size_t j = next_random(&state) % (i + 1); /* its bias is below 1e-16 */
        memmove(shuffled.x[i], shuffled.x[j], sizeof shuffled.x[0]);
        shuffled.y[i] = shuffled.y[j];
        memcpy(shuffled.x[j], target.x[i], sizeof shuffled.x[0]);
        shuffled.y[j] = target.y[i];
    }
}

static dpa_options *new_options(void) {
    dpa_options *options;
    check(dpa_options_create(&options));
    check(dpa_options_parse(options, "private_domain", "none"));
    return options;
}

static dpa_problem *new_problem(const double *x, const double *y, size_t rows) {
    dpa_problem *problem;
    check(dpa_problem_create(&problem));
    check(dpa_problem_lend_sample(
        problem, DPA_SOURCE, (dpa_matrix){source.x[0], SOURCE, FEATURES, FEATURES, DPA_ROW_MAJOR},
        source.y, SOURCE));
    check(dpa_problem_lend_sample(
        problem, DPA_TARGET, (dpa_matrix){x, rows, FEATURES, FEATURES, DPA_ROW_MAJOR}, y, rows));
    return problem;
}

static dpa_solution *fit(dpa_problem *problem, const dpa_options *options) {
    dpa_solution *solution;
    double gap, objective;
    check(dpa_solve(problem, NULL, options, &solution));
    check(dpa_solution_value(solution, "duality_gap", &gap));
    check(dpa_solution_value(solution, "objective", &objective));
    largest_gap = fmax(largest_gap, gap / objective);
    fits++;
    return solution;
}

/* Mean squared error over some rows of the shuffled target. */
static double error_on(const dpa_solution *solution, size_t first, size_t rows) {
    double predicted[TARGET], sum = 0;
    check(dpa_solution_predict(
        solution, DPA_PREDICT_LABELS,
        (dpa_matrix){shuffled.x[first], rows, FEATURES, FEATURES, DPA_ROW_MAJOR}, predicted, rows));
    for (size_t i = 0; i < rows; i++) sum += pow(predicted[i] - shuffled.y[first + i], 2);
    return sum / (double)rows;
}

/* Test error of the grid point with the smallest validation error. */
static double tuned_error(dpa_problem *problem, const method *m, double unit_of_price,
                          double unit_of_radius) {
    double best = INFINITY, error = NAN;
    dpa_options *options = new_options();
    for (const double *a = m->alpha; *a != END; a++)
        for (const double *k = m->kappa_1; *k != END; k++)
            for (const double *d = m->discrepancy; *d != END; d++)
                for (const double *r = m->radius; *r != END; r++) {
                    check(dpa_options_set(options, "alpha", *a));
                    check(dpa_options_set(options, "kappa_1", *k * unit_of_price));
                    check(dpa_options_set(options, "discrepancy", *d * unit_of_price));
                    check(dpa_options_set(options, "radius", *r * unit_of_radius));
                    dpa_solution *solution = fit(problem, options);
                    double validation = error_on(solution, TRAIN, VALIDATION);
                    if (validation < best) {
                        best = validation;
                        error = error_on(solution, TRAIN + VALIDATION, TEST);
                    }
                    dpa_solution_destroy(solution);
                }
    dpa_options_destroy(options);
    return error;
}

static void resample(int split) {
    uint64_t state = ~(SEED + ((uint64_t)split << 32));
    for (size_t i = 0; i < RESAMPLED; i++) {
        size_t j = next_random(&state) % TRAIN;
        memcpy(private_x[i], shuffled.x[j], sizeof private_x[0]);
        private_y[i] = shuffled.y[j];
    }
}

/* Test error of a private fit. A problem has one budget, so every fit has a problem of its own;
 * over real people's records their budgets would add up. */
static double private_error(double epsilon) {
    dpa_problem *problem = new_problem(private_x[0], private_y, RESAMPLED);
    dpa_options *options;
    dpa_solution *solution;
    check(dpa_options_create(&options)); /* the target is private unless told otherwise */
    check(dpa_options_set(options, "epsilon", epsilon));
    check(dpa_options_set(options, "delta", DELTA));
    check(dpa_solve(problem, NULL, options, &solution));
    double error = error_on(solution, TRAIN + VALIDATION, TEST);
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    return error;
}

/* Default price and norm of the source fit. What the library derives from the source sample alone
 * shows in a fit with a set alpha: alpha = auto, the default, chooses price and radius anew. */
static void find_units(dpa_problem *problem, double *price, double *norm) {
    dpa_options *options = new_options();
    check(dpa_options_set(options, "alpha", 0.5));
    check(dpa_options_set(options, "discrepancy", 0));
    dpa_solution *solution = fit(problem, options);
    check(dpa_solution_value(solution, "kappa_1", price));
    check(dpa_solution_value(solution, "radius", norm));
    *norm /= 2; /* the default radius is twice the norm */
    dpa_solution_destroy(solution);
    dpa_options_destroy(options);
}

static void run_split(int split) {
    double price, norm;
    shuffle_target(split);
    dpa_problem *problem = new_problem(shuffled.x[0], shuffled.y, TRAIN);

    dpa_options *defaults = new_options();
    dpa_solution *solution = fit(problem, defaults);
    test_error[split][DEFAULTS] = error_on(solution, TRAIN + VALIDATION, TEST);
    dpa_solution_destroy(solution);
    dpa_options_destroy(defaults);

    find_units(problem, &price, &norm);
    for (int i = 0; i < METHODS; i++)
        test_error[split][i] = tuned_error(problem, &methods[i], price, norm);
    dpa_problem_destroy(problem);

    resample(split);
    for (int i = 0; i < BUDGETS; i++) test_error[split][PRIVATE + i] = private_error(epsilons[i]);
}

/* Mean and standard deviation over the splits of the error relative to target only. */
static void print_row(const char *name, int row, int splits, const char *paper) {
    double mean = 0, variance = 0;
    for (int i = 0; i < splits; i++) mean += test_error[i][row] / test_error[i][0] / splits;
    for (int i = 0; i < splits; i++)
        variance += pow(test_error[i][row] / test_error[i][0] - mean, 2) / (splits - 1);
    printf("  %-26s%.3f +- %.3f%s\n", name, mean, sqrt(variance), paper);
}

static double now(void) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int argc, char **argv) {
    int splits = argc == 3 ? atoi(argv[2]) : SPLITS;
    if (argc < 2 || argc > 3 || splits < 2 || splits > MOST_SPLITS)
        die("usage", "wind_demo wind.csv.gz [splits, 2 to 1000]");
    read_data(argv[1]);
    double begin = now();
    for (int i = 0; i < splits; i++) run_split(i);
    double seconds = now() - begin;

    printf("Irish wind: test error relative to target only, mean +- deviation of %d splits\n\n",
           splits);
    printf("  %-26s%-18s%s\n", "method", "here", "in the paper");
    for (int i = 0; i < METHODS; i++)
        print_row(methods[i].name, i, splits, i == METHODS - 1 ? "    0.985 +- 0.019" : "");
    print_row("defaults, nothing chosen", DEFAULTS, splits, "");
    for (int i = 0; i < BUDGETS; i++) {
        char name[32];
        snprintf(name, sizeof name, "private, epsilon = %g", epsilons[i]);
        print_row(name, PRIVATE + i, splits, "");
    }
    printf(
        "\nPrivate fits: delta = %g, nothing chosen. %d days were drawn with replacement to\n"
        "%d records: epsilon is that of a record, not of a day.\n",
        DELTA, TRAIN, RESAMPLED);
    printf("%ld fits without privacy, largest relative duality gap %.1e; %d private fits; %.1f s\n",
           fits, largest_gap, splits * BUDGETS, seconds);
    return EXIT_SUCCESS;
}

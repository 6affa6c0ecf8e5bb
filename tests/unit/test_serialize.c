/* solution.h: saved solutions of every loss come back bit for bit, damaged ones are refused. */
#include <inttypes.h>
#include <stdio.h>

#include "unit/losses.h"
#include "unit/private.h"

/* Everything that the getters answer, statuses included. */
typedef struct {
    uint8_t bytes[16384];
    size_t size;
} facts;

static void note(facts *f, const void *bytes, size_t size) {
    assert_true(size <= sizeof f->bytes - f->size);
    memcpy(f->bytes + f->size, bytes, size);
    f->size += size;
}

static void note_array(facts *f, dpa_status status, const double *values, size_t length) {
    note(f, &status, sizeof status);
    if (!status) note(f, values, length * sizeof *values);
}

static void note_numbers(facts *f, const dpa_solution *s) {
    static const char *const numbers[] = {"objective", "duality_gap", "gradient_mapping"};
    double value = 0;
    int64_t iterations = 0;
    int32_t termination = 0;
    for (size_t k = 0; k < LENGTH(numbers); ++k)
        note_array(f, dpa_solution_value(s, numbers[k], &value), &value, 1);
    for (size_t k = 0; dpa_solution_setting_name(k); ++k)
        note_array(f, dpa_solution_value(s, dpa_solution_setting_name(k), &value), &value, 1);
    iterations = (int64_t)solution_number(s, "iterations");
    termination = (int32_t)solution_number(s, "termination");
    note(f, &iterations, sizeof iterations);
    note(f, &termination, sizeof termination);
    note(f, solution_text(s, "loss"), strlen(solution_text(s, "loss")));
}

enum { kMostNumbers = 1000 };

/* Of a solution of a few features and outputs: those that forgers make larger ones are not looked
 * at. */
static facts facts_of(const dpa_solution *s, const instance *a) {
    facts f = {{0}, 0};
    double out[kMostNumbers];
    double parameters = 0;
    size_t shape[4], dimension = 0;
    assert_ok(dpa_solution_shape(s, &shape[0], &shape[1], &shape[2], &shape[3]));
    dimension = (size_t)solution_number(s, "dimension");
    note(&f, shape, sizeof shape);
    note(&f, &dimension, sizeof dimension);
    note_numbers(&f, s);
    const dpa_matrix x = {a->xt, kTargetRows, kFeatures, kFeatures, DPA_ROW_MAJOR};
    const size_t widths[] = {1, shape[1], shape[1], dimension}; /* in the order of DPA_PREDICT_* */
    for (size_t k = 0; k < LENGTH(widths) && shape[0] == kFeatures; ++k)
        note_array(&f, dpa_solution_predict(s, (int32_t)k, x, out, kTargetRows * widths[k]), out,
                   kTargetRows * widths[k]);
    const size_t coefficients = shape[0] * shape[1];
    note_array(&f, dpa_solution_array(s, "coefficients", out, coefficients), out, coefficients);
    note_array(&f, dpa_solution_array(s, "intercept", out, shape[1]), out, shape[1]);
    if (!dpa_solution_value(s, "parameters", &parameters)) {
        const size_t count = (size_t)parameters;
        note_array(&f, dpa_solution_array(s, "parameters", out, count), out, count);
    }
    for (int known = 0; dimension > 0 && dimension < 20 && known < 3; ++known) {
        const size_t length = dimension * (known == 0 ? 1 : known == 1 ? dimension : 2);
        note_array(&f,
                   known == 0   ? dpa_solution_array(s, "target_estimate", out, length)
                   : known == 1 ? dpa_solution_array(s, "covariance", out, length)
                                : dpa_solution_intervals(s, 0.9, out, length),
                   out, length);
    }
    for (size_t of = 0; of < 2 && shape[0] == kFeatures; ++of)
        note_array(&f,
                   dpa_solution_weigh(s, of ? DPA_TARGET : DPA_SOURCE, x, a->yt, kTargetRows, NULL,
                                      0, out, kTargetRows),
                   out, kTargetRows);
    if (shape[2] == kSourceRows)
        note_array(&f, dpa_solution_array(s, "source_weights", out, kSourceRows), out, kSourceRows);
    if (shape[3] == kTargetRows)
        note_array(&f, dpa_solution_array(s, "target_weights", out, kTargetRows), out, kTargetRows);
    return f;
}

typedef struct {
    instance data;
    const loss_case *loss;
    dpa_solution *solution;
    uint8_t *bytes;
    size_t size;
} fixture;

/* A few steps make a solution like any other. */
static dpa_solution *short_fit(const loss_case *c, const instance *a) {
    dpa_problem *problem = instance_problem(a);
    dpa_options *options = loss_options(c);
    assert_ok(dpa_options_parse(options, "iterations", "10"));
    assert_ok(dpa_options_parse(options, "alpha", "0.5"));
    dpa_solution *solution = solve(problem, options);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    return solution;
}

static int create(void **state) {
    static fixture f;
    f.loss = *state;
    f.data = labelled_instance(f.loss->labels);
    f.solution = short_fit(f.loss, &f.data);
    assert_status(dpa_solution_serialize(f.solution, 1, NULL, 0, &f.size), DPA_E_BUFFER);
    f.bytes = malloc(f.size);
    assert_non_null(f.bytes);
    assert_ok(dpa_solution_serialize(f.solution, 1, f.bytes, f.size, NULL));
    *state = &f;
    return 0;
}

static int destroy(void **state) {
    fixture *f = *state;
    dpa_solution_destroy(f->solution);
    free(f->bytes);
    instance_free(f->data);
    return 0;
}

static void every_getter_returns_the_same_bits(void **state) {
    fixture *f = *state;
    dpa_solution *copy = NULL;
    assert_ok(dpa_solution_deserialize(f->bytes, f->size, &copy));
    facts before = facts_of(f->solution, &f->data), after = facts_of(copy, &f->data);
    assert_int_equal(before.size, after.size);
    assert_memory_equal(before.bytes, after.bytes, before.size);
    uint8_t *again = malloc(f->size);
    size_t needed = 0;
    assert_ok(dpa_solution_serialize(copy, 1, again, f->size, &needed));
    assert_int_equal(needed, f->size);
    assert_memory_equal(again, f->bytes, f->size);
    free(again);
    dpa_solution_destroy(copy);
}

/* Their place in the saved bytes is empty, and everything else is there. */
static void a_predictor_is_the_solution_without_weights(void **state) {
    fixture *f = *state;
    dpa_solution *copy = NULL;
    double weights[kSourceRows + kTargetRows], expected[kTargetRows], found[kTargetRows];
    size_t size = 0;
    uint8_t *bytes = malloc(f->size);
    assert_ok(dpa_solution_serialize(f->solution, 0, bytes, f->size, &size));
    assert_int_equal(size, f->size - sizeof weights);
    assert_ok(dpa_solution_deserialize(bytes, size, &copy));
    assert_status(dpa_solution_array(copy, "source_weights", weights, kSourceRows),
                  DPA_E_NOT_RELEASABLE);
    assert_status(dpa_solution_array(copy, "target_weights", weights, kTargetRows),
                  DPA_E_NOT_RELEASABLE);
    /* of a function of the caller, there are none */
    const dpa_status status = dpa_solution_predict(
        f->solution, DPA_PREDICT_LABELS,
        (dpa_matrix){f->data.xt, kTargetRows, kFeatures, kFeatures, DPA_ROW_MAJOR}, expected,
        kTargetRows);
    assert_status(dpa_solution_predict(
                      copy, DPA_PREDICT_LABELS,
                      (dpa_matrix){f->data.xt, kTargetRows, kFeatures, kFeatures, DPA_ROW_MAJOR},
                      found, kTargetRows),
                  status);
    if (!status) assert_memory_equal(expected, found, sizeof expected);
    assert_ok(dpa_solution_serialize(copy, 1, bytes, size, NULL));
    free(bytes);
    dpa_solution_destroy(copy);
}

static void digest_of(const dpa_solution *solution, char text[65]) {
    size_t needed = 0;
    assert_ok(dpa_solution_text(solution, "digest", text, 65, &needed));
    assert_int_equal(needed, 65);
    assert_int_equal(strspn(text, "0123456789abcdef"), 64);
}

/* A solution has it, its predictor, and who reads either; another one has another. */
static void a_digest_names_the_predictor(void **state) {
    fixture *f = *state;
    char wanted[65], found[65];
    digest_of(f->solution, wanted);
    uint8_t *bytes = malloc(f->size);
    size_t size = 0;
    assert_ok(dpa_solution_serialize(f->solution, 0, bytes, f->size, &size));
    for (int slim = 0; slim < 2; ++slim) {
        dpa_solution *copy = NULL;
        assert_ok(dpa_solution_deserialize(slim ? bytes : f->bytes, slim ? size : f->size, &copy));
        digest_of(copy, found);
        assert_string_equal(found, wanted);
        dpa_solution_destroy(copy);
    }
    free(bytes);
    dpa_options *options = public_options("alpha", "0.125", NULL);
    dpa_problem *problem = random_problem(6, 30, 20, kFeatures);
    dpa_solution *other = solve(problem, options);
    digest_of(other, found);
    assert_string_not_equal(found, wanted);
    dpa_solution_destroy(other);
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
}

static void short_buffers_stay_untouched(void **state) {
    fixture *f = *state;
    uint8_t *out = malloc(f->size + 1);
    const size_t lengths[] = {0, 1, f->size / 2, f->size - 1};
    for (size_t i = 0; i < LENGTH(lengths); ++i) {
        size_t needed = 0;
        memset(out, 0xa5, f->size + 1);
        assert_error(dpa_solution_serialize(f->solution, 1, out, lengths[i], &needed), DPA_E_BUFFER,
                     "dpa_solution_serialize", "out_len");
        assert_int_equal(needed, f->size);
        for (size_t k = 0; k <= f->size; ++k) assert_int_equal(out[k], 0xa5);
    }
    assert_ok(dpa_solution_serialize(f->solution, 1, out, f->size + 1, NULL));
    assert_memory_equal(out, f->bytes, f->size);
    assert_int_equal(out[f->size], 0xa5);
    free(out);
}

static void assert_refused(const uint8_t *bytes, size_t size) {
    dpa_solution *s = (dpa_solution *)&s;
    assert_error(dpa_solution_deserialize(bytes, size, &s), DPA_E_FORMAT,
                 "dpa_solution_deserialize");
    assert_null(s);
}

/* Each length is tried in a block of exactly that size, so that a read past the end is caught. */
static void truncated_bytes_are_refused(void **state) {
    fixture *f = *state;
    for (size_t size = 0; size < f->size; ++size) {
        uint8_t *part = malloc(size + !size);
        memcpy(part, f->bytes, size);
        assert_refused(part, size);
        free(part);
    }
    uint8_t *longer = calloc(f->size + 1, 1);
    memcpy(longer, f->bytes, f->size);
    assert_refused(longer, f->size + 1);
    free(longer);
}

/* Under instruments, which take 30 times as long, one bit of each byte. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { kBitsOfAByte = 1 };
#else
enum { kBitsOfAByte = 8 };
#endif

static void every_flipped_bit_is_noticed(void **state) {
    fixture *f = *state;
    for (size_t k = 0; k < f->size; ++k)
        for (size_t bit = k; bit < k + kBitsOfAByte; ++bit) {
            f->bytes[k] ^= (uint8_t)(1 << bit % 8);
            assert_refused(f->bytes, f->size);
            f->bytes[k] ^= (uint8_t)(1 << bit % 8);
        }
    for (size_t k = 0; k < f->size; ++k) {
        uint8_t byte = f->bytes[k];
        f->bytes[k] = (uint8_t)~byte;
        assert_refused(f->bytes, f->size);
        f->bytes[k] = byte;
    }
}

static void noise_is_refused(void **state) {
    fixture *f = *state;
    uint64_t seed = 5;
    for (int round = 0; round < 2000; ++round) {
        uint8_t noise[300];
        size_t size = (size_t)(uniform(&seed) * sizeof noise);
        size_t kept = round % 2 ? (size_t)(uniform(&seed) * 40) : 0; /* a true start, then noise */
        for (size_t k = 0; k < size; ++k)
            noise[k] = k < kept ? f->bytes[k] : (uint8_t)(256 * uniform(&seed));
        assert_refused(noise, size);
    }
}

/* Writes a number at that place and makes the checksum right again, as a forger would. */
static void forge(fixture *f, size_t at, uint64_t value) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t k = 0; k < 8; ++k) f->bytes[at + k] = (uint8_t)(value >> 8 * k);
    for (size_t k = 0; k < f->size - 8; ++k) hash = (hash ^ f->bytes[k]) * UINT64_C(0x100000001b3);
    for (size_t k = 0; k < 8; ++k) f->bytes[f->size - 8 + k] = (uint8_t)(hash >> 8 * k);
}

/* Where the fields begin that say what the others must be. */
enum { kFormatAt = 8, kKindAt = 16, kHiddenAt = 32 };

/* Where the number of that name is: after the name. */
static size_t value_of(const fixture *f, const char *name) {
    size_t length = strlen(name);
    for (size_t at = kHiddenAt; at + length + 8 <= f->size; ++at)
        if (!memcmp(f->bytes + at, name, length)) return at + length;
    fail_msg("no number %s", name);
    return 0;
}

/* A count is saved as a number like all others. */
static uint64_t bits_of(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static uint64_t number_at(const fixture *f, size_t at) {
    uint64_t value = 0;
    for (size_t k = 0; k < 8; ++k) value |= (uint64_t)f->bytes[at + k] << 8 * k;
    return value;
}

static void refuse_at(fixture *f, size_t at, uint64_t value) {
    uint64_t before = number_at(f, at);
    forge(f, at, value);
    assert_refused(f->bytes, f->size);
    forge(f, at, before);
}

/* Times have a baseline besides. */
static uint64_t format_of(const fixture *f) { return strcmp(f->loss->loss, "survival") ? 1 : 3; }

static void other_formats_and_impossible_losses_are_refused(void **state) {
    fixture *f = *state;
    dpa_solution *s = NULL;
    static const uint64_t formats[] = {0, 5, 6, 7, 17, UINT64_MAX};
    for (size_t k = 0; k < LENGTH(formats); ++k) {
        char number[32];
        snprintf(number, sizeof number, "format %" PRIu64 ",", formats[k]);
        forge(f, kFormatAt, formats[k]);
        assert_error(dpa_solution_deserialize(f->bytes, f->size, &s), DPA_E_FORMAT, number);
    }
    refuse_at(f, kFormatAt, 2); /* that of a calibration, which is not there */
    refuse_at(f, kFormatAt, 4 - format_of(f));
    refuse_at(f, kFormatAt, 4); /* that of a range for each row, which is not there */
    forge(f, kFormatAt, format_of(f));
    assert_ok(dpa_solution_deserialize(f->bytes, f->size, &s)); /* the forger knows the checksum */
    dpa_solution_destroy(s);
    static const uint64_t kinds[] = {6, 7, 1000, UINT32_MAX, UINT64_C(1) << 32, UINT64_MAX};
    int own = !strcmp(f->loss->loss, "pinball"); /* 7; others have no level */
    for (size_t k = 0; k < LENGTH(kinds); ++k)
        if (!own || kinds[k] != 7) refuse_at(f, kKindAt, kinds[k]);
    static const double levels[] = {0, 1, -0.5, INFINITY, NAN};
    for (size_t k = 0; k < LENGTH(levels) && own; ++k) {
        refuse_at(f, value_of(f, "quantile_level"), bits_of(levels[k]));
        if (levels[k] != 1) refuse_at(f, value_of(f, "quantile_smoothing"), bits_of(levels[k]));
    }
    static const double sizes[] = {0, -1, -INFINITY, NAN}; /* errors clipped to that would be 0 */
    for (size_t k = 0; k < LENGTH(sizes); ++k)
        refuse_at(f, value_of(f, "error_bound"), bits_of(sizes[k]));
    static const double counts[] = {-1, 0.5, 2.5, 1e300, INFINITY, NAN};
    for (size_t k = 0; k < LENGTH(counts); ++k)
        refuse_at(f, value_of(f, "classes"), bits_of(counts[k]));
    static const double classes[] = {0, 1, 2, 4, 1001};
    for (size_t k = 0; k < LENGTH(classes) && f->loss->labels == kCounts; ++k)
        refuse_at(f, value_of(f, "classes"), bits_of(classes[k]));
    static const uint64_t units[] = {0, 1, 1000, 1001, UINT64_C(1) << 62, UINT64_MAX};
    int layers = !strcmp(f->loss->loss, "perceptron");
    for (size_t k = 0; k < LENGTH(units); ++k)
        if (layers) refuse_at(f, kHiddenAt + 8, units[k]);
    for (uint64_t k = 3; k < 6; ++k) refuse_at(f, kHiddenAt, k);
}

/* A number that nobody knows, or that is there twice, is no accident. */
static void unknown_names_are_refused(void **state) {
    fixture *f = *state;
    size_t at = value_of(f, "kappa_2") - 1;
    static const char letters[] = {'1', '3', '\0'};
    for (size_t k = 0; k < LENGTH(letters); ++k) {
        f->bytes[at] = (uint8_t)letters[k];
        forge(f, kFormatAt, format_of(f));
        assert_refused(f->bytes, f->size);
    }
    f->bytes[at] = '2';
    forge(f, kFormatAt, format_of(f));
    dpa_solution *s = NULL;
    assert_ok(dpa_solution_deserialize(f->bytes, f->size, &s));
    dpa_solution_destroy(s);
}

/* Intervals of a forged file, if it has any, have a lower end and an upper one. */
static void assert_ordered(const dpa_solution *s) {
    double ends[40], dimension = solution_number(s, "dimension");
    size_t p = (size_t)dimension;
    if (dimension > 20 || dpa_solution_intervals(s, 0.9, ends, 2 * p)) return;
    for (size_t k = 0; k < p; ++k) assert_true(ends[k] <= ends[p + k]);
}

/* Any number anywhere: refused, or a solution whose functions work. */
static void forged_numbers_do_no_harm(void **state) {
    fixture *f = *state;
    static const uint64_t values[] = {0,
                                      1,
                                      2,
                                      3,
                                      5,
                                      1000,
                                      UINT64_C(1) << 31,
                                      UINT64_C(1) << 32,
                                      UINT64_MAX / 8 + 1,
                                      UINT64_MAX,
                                      UINT64_C(0x7ff0000000000000),
                                      UINT64_C(0x7ff8000000000000),
                                      UINT64_C(0xbff0000000000000)}; /* -1 */
    size_t refused = 0, accepted = 0;
    for (size_t at = kFormatAt; at + 16 <= f->size; at += 8)
        for (size_t k = 0; k < LENGTH(values); ++k) {
            uint8_t before[8];
            dpa_solution *s = (dpa_solution *)f;
            memcpy(before, f->bytes + at, sizeof before);
            forge(f, at, values[k]);
            dpa_status status = dpa_solution_deserialize(f->bytes, f->size, &s);
            if (status) {
                assert_status(status, DPA_E_FORMAT);
                assert_null(s);
            } else {
                assert_true(facts_of(s, &f->data).size > 0);
                assert_ordered(s);
                dpa_solution_destroy(s);
            }
            ++*(status ? &refused : &accepted);
            memcpy(f->bytes + at, before, sizeof before);
        }
    assert_true(refused > 0 && accepted > 0);
}

static void arguments_are_checked(void **state) {
    fixture *f = *state;
    dpa_solution *s = f->solution;
    size_t needed = 7;
    uint8_t out[1];
    dpa_problem *problem = NULL;
    assert_ok(dpa_problem_create(&problem));
    assert_error(dpa_solution_serialize(NULL, 1, out, 1, &needed), DPA_E_HANDLE, "solution");
    assert_error(dpa_solution_serialize((dpa_solution *)problem, 1, out, 1, &needed), DPA_E_HANDLE,
                 "solution");
    assert_error(dpa_solution_serialize(f->solution, 1, NULL, f->size, NULL),
                 DPA_E_INVALID_ARGUMENT, "out");
    assert_int_equal(needed, 7);
    assert_error(dpa_solution_deserialize(NULL, f->size, &s), DPA_E_INVALID_ARGUMENT, "data");
    assert_null(s);
    assert_error(dpa_solution_deserialize(f->bytes, f->size, NULL), DPA_E_INVALID_ARGUMENT, "out");
    dpa_problem_destroy(problem);
}

/* Where the statement begins of which the reports are written, after its length. */
static size_t statement_at(const fixture *f) { return value_of(f, "dpa-stm1") - 8; }

/* Writes a number into it, and makes both checksums right again. */
static void forge_statement(fixture *f, size_t at, uint64_t value) {
    size_t begin = statement_at(f), end = begin + (size_t)number_at(f, begin - 8) - 8;
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t k = 0; k < 8; ++k) f->bytes[at + k] = (uint8_t)(value >> 8 * k);
    for (size_t k = begin; k < end; ++k) hash = (hash ^ f->bytes[k]) * UINT64_C(0x100000001b3);
    forge(f, end, hash);
}

/* A budget that is less than what its releases cost, and numbers that no statement has. */
static void promises_that_nothing_pays_for_are_refused(void **state) {
    fixture *f = *state;
    enum { kBudget = 8, kNeighbours = 16, kEpsilon = 24, kDelta = 32 };
    size_t at = statement_at(f);
    double epsilon, delta;
    uint64_t bits = number_at(f, at + kEpsilon);
    memcpy(&epsilon, &bits, sizeof bits);
    bits = number_at(f, at + kDelta);
    memcpy(&delta, &bits, sizeof bits);
    if (number_at(f, at + kBudget) == 0) { /* of a fit without privacy */
        forge_statement(f, at + kBudget, 1);
        assert_refused(f->bytes, f->size);
        forge_statement(f, at + kBudget, 0);
        return;
    }
    assert_true(epsilon > 0.1 && delta > 0);
    const struct {
        size_t place;
        uint64_t value;
    } forgeries[] = {{kBudget, 0},
                     {kBudget, 2},
                     {kNeighbours, 1},
                     {kNeighbours, 2},
                     {kEpsilon, bits_of(0.999 * epsilon)},
                     {kEpsilon, bits_of(0)},
                     {kEpsilon, bits_of(-epsilon)},
                     {kEpsilon, bits_of(NAN)},
                     {kEpsilon, bits_of(INFINITY)},
                     {kDelta, bits_of(0.9 * delta)},
                     {kDelta, bits_of(0)},
                     {kDelta, bits_of(NAN)}};
    for (size_t k = 0; k < LENGTH(forgeries); ++k) {
        uint64_t before = number_at(f, at + forgeries[k].place);
        forge_statement(f, at + forgeries[k].place, forgeries[k].value);
        assert_refused(f->bytes, f->size);
        forge_statement(f, at + forgeries[k].place, before);
    }
    dpa_solution *s = NULL;
    assert_ok(dpa_solution_deserialize(f->bytes, f->size, &s));
    dpa_solution_destroy(s);
}

static int create_private(void **state) {
    static fixture f;
    f.data = labelled_instance(kNumbers);
    dpa_problem *problem = instance_problem(&f.data);
    dpa_options *options = both_private(NULL, NULL);
    f.solution = solve(problem, options);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    assert_status(dpa_solution_serialize(f.solution, 1, NULL, 0, &f.size), DPA_E_BUFFER);
    f.bytes = malloc(f.size);
    assert_non_null(f.bytes);
    assert_ok(dpa_solution_serialize(f.solution, 1, f.bytes, f.size, NULL));
    *state = &f;
    return 0;
}

/* Weights that were not released leave only a number of rows, which no length of an array
 * confirms. */
static void row_counts_without_weights_are_those_of_a_problem(void **state) {
    fixture *f = *state;
    static const uint64_t possible[] = {1, 1000, UINT64_C(1) << 31, UINT64_C(1) << 40};
    static const uint64_t impossible[] = {0, (UINT64_C(1) << 40) + 1, UINT64_C(1) << 41,
                                          UINT64_MAX / 8, UINT64_MAX};
    size_t at = kFormatAt, shape[2];
    double weight = 7;
    while (number_at(f, at) != kSourceRows || number_at(f, at + 8) != kTargetRows) at += 8;
    for (size_t sample = 0; sample < 2; ++sample, at += 8) {
        uint64_t rows = number_at(f, at);
        for (size_t k = 0; k < LENGTH(impossible); ++k) refuse_at(f, at, impossible[k]);
        for (size_t k = 0; k < LENGTH(possible); ++k) {
            dpa_solution *s = NULL;
            forge(f, at, possible[k]);
            assert_ok(dpa_solution_deserialize(f->bytes, f->size, &s));
            assert_ok(dpa_solution_shape(s, NULL, NULL, &shape[0], &shape[1]));
            assert_int_equal(shape[sample], possible[k]);
            assert_status(dpa_solution_array(s, "target_weights", &weight, 1),
                          DPA_E_NOT_RELEASABLE);
            assert_status(dpa_solution_array(s, "target_weights", NULL, 0), DPA_E_NOT_RELEASABLE);
            assert_true(weight == 7);
            dpa_solution_destroy(s);
        }
        forge(f, at, rows);
    }
}

int main(void) {
    int failures = 0;
    for (size_t k = 0; k < LENGTH(loss_cases); ++k) {
#define TEST(name) \
    { #name, name, create, destroy, (void *)(uintptr_t)&loss_cases[k] }
        const struct CMUnitTest tests[] = {
            TEST(every_getter_returns_the_same_bits),
            TEST(a_predictor_is_the_solution_without_weights),
            TEST(a_digest_names_the_predictor),
            TEST(short_buffers_stay_untouched),
            TEST(truncated_bytes_are_refused),
            TEST(every_flipped_bit_is_noticed),
            TEST(noise_is_refused),
            TEST(other_formats_and_impossible_losses_are_refused),
            TEST(unknown_names_are_refused),
            TEST(forged_numbers_do_no_harm),
            TEST(promises_that_nothing_pays_for_are_refused),
            TEST(arguments_are_checked),
        };
        failures += cmocka_run_group_tests_name(loss_cases[k].loss, tests, NULL, NULL);
    }
#define PRIVATE_TEST(name) cmocka_unit_test_setup_teardown(name, create_private, destroy)
    const struct CMUnitTest tests[] = {
        PRIVATE_TEST(row_counts_without_weights_are_those_of_a_problem),
        PRIVATE_TEST(promises_that_nothing_pays_for_are_refused),
    };
    return failures + cmocka_run_group_tests_name("private", tests, NULL, NULL);
}

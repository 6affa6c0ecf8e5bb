/* solution.h: saved solutions come back bit for bit, damaged ones are refused. */
#include "check.h"

enum { kRows = 9, kTargets = 6, kCols = 2 };

/* Everything that the getters return. */
typedef struct {
    size_t shape[4];
    double coefficients[kCols], intercept, source_weights[kRows], target_weights[kTargets];
    double objective, gap, settings[8], predictions[kTargets];
    int64_t iterations;
    int32_t termination;
} facts;

static facts facts_of(const dpa_solution *s, const instance *a) {
    static const char *const names[] = {"alpha",  "kappa_1",     "kappa_2",        "kappa_inf",
                                        "radius", "discrepancy", "feature_radius", "label_bound"};
    facts f;
    memset(&f, 0, sizeof f); /* padding too: facts are compared as bytes */
    assert_ok(dpa_solution_shape(s, &f.shape[0], &f.shape[1], &f.shape[2], &f.shape[3]));
    assert_ok(dpa_solution_coefficients(s, f.coefficients, kCols));
    assert_ok(dpa_solution_intercept(s, &f.intercept, 1));
    assert_ok(dpa_solution_source_weights(s, f.source_weights, kRows));
    assert_ok(dpa_solution_target_weights(s, f.target_weights, kTargets));
    assert_ok(dpa_solution_objective(s, &f.objective));
    assert_ok(dpa_solution_duality_gap(s, &f.gap));
    assert_ok(dpa_solution_iterations(s, &f.iterations));
    assert_ok(dpa_solution_termination(s, &f.termination));
    for (size_t i = 0; i < LENGTH(names); ++i)
        assert_ok(dpa_solution_setting(s, names[i], &f.settings[i]));
    assert_ok(dpa_solution_predict(s, a->xt, kTargets, kCols, kCols, DPA_ROW_MAJOR, f.predictions,
                                   kTargets));
    return f;
}

typedef struct {
    instance data;
    dpa_solution *solution;
    uint8_t *bytes;
    size_t size;
} fixture;

static int create(void **state) {
    static fixture f;
    f.data = instance_random(4, kRows, kTargets, kCols);
    dpa_problem *problem = instance_problem(&f.data);
    dpa_options *options = public_options(NULL);
    f.solution = solve(problem, options);
    dpa_options_destroy(options);
    dpa_problem_destroy(problem);
    assert_status(dpa_solution_serialize(f.solution, NULL, 0, &f.size), DPA_E_BUFFER);
    f.bytes = malloc(f.size);
    assert_non_null(f.bytes);
    assert_ok(dpa_solution_serialize(f.solution, f.bytes, f.size, NULL));
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
    assert_memory_equal(&before, &after, sizeof before);
    uint8_t *again = malloc(f->size);
    size_t needed = 0;
    assert_ok(dpa_solution_serialize(copy, again, f->size, &needed));
    assert_int_equal(needed, f->size);
    assert_memory_equal(again, f->bytes, f->size);
    free(again);
    dpa_solution_destroy(copy);
}

static void short_buffers_stay_untouched(void **state) {
    fixture *f = *state;
    uint8_t *out = malloc(f->size + 1);
    const size_t lengths[] = {0, 1, f->size / 2, f->size - 1};
    for (size_t i = 0; i < LENGTH(lengths); ++i) {
        size_t needed = 0;
        memset(out, 0xa5, f->size + 1);
        assert_error(dpa_solution_serialize(f->solution, out, lengths[i], &needed), DPA_E_BUFFER,
                     "dpa_solution_serialize", "out_len");
        assert_int_equal(needed, f->size);
        for (size_t k = 0; k <= f->size; ++k) assert_int_equal(out[k], 0xa5);
    }
    assert_ok(dpa_solution_serialize(f->solution, out, f->size + 1, NULL));
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

static void every_flipped_bit_is_noticed(void **state) {
    fixture *f = *state;
    for (size_t k = 0; k < f->size; ++k)
        for (int bit = 0; bit < 8; ++bit) {
            f->bytes[k] ^= (uint8_t)(1 << bit);
            assert_refused(f->bytes, f->size);
            f->bytes[k] ^= (uint8_t)(1 << bit);
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

static void other_formats_and_impossible_sizes_are_refused(void **state) {
    fixture *f = *state;
    enum { kFormatAt = 8, kSizeAt = 16 };
    dpa_solution *s = NULL;
    static const uint64_t formats[] = {0, 1, 3, UINT64_MAX};
    for (size_t k = 0; k < LENGTH(formats); ++k) {
        forge(f, kFormatAt, formats[k]);
        assert_error(dpa_solution_deserialize(f->bytes, f->size, &s), DPA_E_FORMAT, "format");
    }
    forge(f, kFormatAt, 2);
    assert_ok(dpa_solution_deserialize(f->bytes, f->size, &s)); /* the forger knows the checksum */
    dpa_solution_destroy(s);
    static const uint64_t sizes[] = {0, 1, 3, 1000, UINT64_MAX / 8 + 1, UINT64_MAX};
    for (size_t k = 0; k < LENGTH(sizes); ++k) {
        forge(f, kSizeAt, sizes[k]);
        assert_refused(f->bytes, f->size);
    }
}

static void arguments_are_checked(void **state) {
    fixture *f = *state;
    dpa_solution *s = f->solution;
    size_t needed = 7;
    uint8_t out[1];
    dpa_problem *problem = NULL;
    assert_ok(dpa_problem_create(&problem));
    assert_error(dpa_solution_serialize(NULL, out, 1, &needed), DPA_E_HANDLE, "solution");
    assert_error(dpa_solution_serialize((dpa_solution *)problem, out, 1, &needed), DPA_E_HANDLE,
                 "solution");
    assert_error(dpa_solution_serialize(f->solution, NULL, f->size, NULL), DPA_E_INVALID_ARGUMENT,
                 "out");
    assert_int_equal(needed, 7);
    assert_error(dpa_solution_deserialize(NULL, f->size, &s), DPA_E_INVALID_ARGUMENT, "data");
    assert_null(s);
    assert_error(dpa_solution_deserialize(f->bytes, f->size, NULL), DPA_E_INVALID_ARGUMENT, "out");
    dpa_problem_destroy(problem);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, create, destroy)
    const struct CMUnitTest tests[] = {
        TEST(every_getter_returns_the_same_bits),
        TEST(short_buffers_stay_untouched),
        TEST(truncated_bytes_are_refused),
        TEST(every_flipped_bit_is_noticed),
        TEST(noise_is_refused),
        TEST(other_formats_and_impossible_sizes_are_refused),
        TEST(arguments_are_checked),
    };
    return cmocka_run_group_tests_name("serialize", tests, NULL, NULL);
}

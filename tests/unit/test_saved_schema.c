/* schema.h: schemas and models as bytes and texts, those that were damaged among them. */
#include <dpadapt/solution.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit/people.h"

static void saved_schemas_are_the_same(void **state) {
    (void)state;
    people p;
    uint8_t bytes[4096], again[4096];
    size_t size = 0, size_again = 0;
    dpa_schema *read = NULL;
    make(&p);
    dpa_schema *schema = learn(p.table, "answer", "softmax");
    assert_ok(dpa_schema_serialize(schema, bytes, sizeof bytes, &size));
    assert_ok(dpa_schema_deserialize(bytes, size, &read));
    assert_ok(dpa_schema_serialize(read, again, sizeof again, &size_again));
    assert_int_equal(size, size_again);
    assert_memory_equal(bytes, again, size);
    dpa_schema_destroy(read);
    for (size_t k = 0; k < size; ++k) {
        bytes[k] ^= 4;
        assert_status(dpa_schema_deserialize(bytes, size, &read), DPA_E_FORMAT);
        bytes[k] ^= 4;
    }
    dpa_schema_destroy(schema);
    dpa_table_destroy(p.table);
}

/* What a record without a label holds teaches nothing, and rows keep their numbers. */
/* A fit of the table to itself. */
static dpa_solution *fit_of(const people *p, const dpa_schema *schema, double *x, size_t count) {
    double y[kPublic];
    dpa_options *options = NULL;
    dpa_problem *problem = NULL;
    dpa_solution *solution = NULL;
    assert_ok(dpa_schema_apply(schema, p->table, x, kPublic * count, y, kPublic));
    assert_ok(dpa_options_create(&options));
    assert_ok(dpa_options_parse(options, "private_domain", "none"));
    assert_ok(dpa_options_parse(options, "loss", "logistic"));
    assert_ok(dpa_problem_create(&problem));
    assert_ok(dpa_problem_set_sample(
        problem, DPA_SOURCE, (dpa_matrix){x, kPublic, count, count, DPA_ROW_MAJOR}, y, kPublic));
    assert_ok(dpa_problem_set_sample(
        problem, DPA_TARGET, (dpa_matrix){x, kPublic, count, count, DPA_ROW_MAJOR}, y, kPublic));
    assert_ok(dpa_solve(problem, NULL, options, &solution));
    dpa_problem_destroy(problem);
    dpa_options_destroy(options);
    return solution;
}

static void models_hold_schema_and_predictor(void **state) {
    (void)state;
    people p;
    double x[kPublic * 4], expected[kPublic], found[kPublic];
    char text[16384], again[16384];
    make(&p);
    dpa_schema *schema = learn(p.table, "answer", "logistic"), *read = NULL;
    dpa_solution *solution = fit_of(&p, schema, x, 4), *predictor = NULL;
    assert_status(dpa_schema_model(schema, solution, 5, text, sizeof text, NULL),
                  DPA_E_INVALID_ARGUMENT);
    assert_ok(dpa_schema_model(schema, solution, 0, text, sizeof text, NULL));
    assert_true(json_is_object(text));
    assert_ok(dpa_schema_deserialize((const uint8_t *)text, strlen(text), &read));
    assert_ok(dpa_solution_deserialize((const uint8_t *)text, strlen(text), &predictor));
    assert_ok(dpa_solution_predict(solution, DPA_PREDICT_LABELS,
                                   (dpa_matrix){x, kPublic, 4, 4, DPA_ROW_MAJOR}, expected,
                                   kPublic));
    assert_ok(dpa_solution_predict(predictor, DPA_PREDICT_LABELS,
                                   (dpa_matrix){x, kPublic, 4, 4, DPA_ROW_MAJOR}, found, kPublic));
    assert_memory_equal(expected, found, sizeof found);
    assert_ok(dpa_schema_model(read, predictor, 0, again, sizeof again, NULL));
    assert_string_equal(text, again);
    dpa_solution_destroy(predictor);
    dpa_schema_destroy(read);
    /* The same through a file. */
    static const char path[] = "test_saved_schema.model";
    assert_error(dpa_solution_save(solution, schema, 0, "no/folder/model"), DPA_E_STORE,
                 "cannot write");
    assert_ok(dpa_solution_save(solution, schema, 0, path));
    assert_ok(dpa_solution_load(path, &read, &predictor));
    assert_ok(dpa_schema_model(read, predictor, 0, again, sizeof again, NULL));
    assert_string_equal(text, again);
    (void)remove(path);
    assert_error(dpa_solution_load(path, NULL, &predictor), DPA_E_STORE, "cannot read");
    assert_null(predictor);
    dpa_solution_destroy(solution);
    dpa_schema_destroy(read);
    dpa_schema_destroy(schema);
    dpa_table_destroy(p.table);
}

/* Where a member's text begins, and its length. */
static const char *member(const char *text, const char *name, size_t *length) {
    const char *begin = strstr(text, name);
    assert_non_null(begin);
    begin = strchr(strchr(begin + strlen(name), ':'), '"') + 1;
    *length = strcspn(begin, "\"");
    return begin;
}

static void schema_and_predictor_must_fit(void **state) {
    (void)state;
    people p;
    double x[kPublic * 4];
    char text[16384], other[16384], mixed[32768];
    size_t length, other_length;
    make(&p);
    dpa_schema *schema = learn(p.table, "answer", "logistic"), *read = NULL;
    dpa_solution *solution = fit_of(&p, schema, x, 4), *predictor = NULL;
    assert_ok(dpa_schema_model(schema, solution, 0, text, sizeof text, NULL));
    dpa_solution_destroy(solution);
    dpa_schema_destroy(schema);
    assert_ok(dpa_table_add_levels(p.table, "code", p.codes, kPublic, kColours, 3));
    schema = learn(p.table, "answer", "logistic");
    double wide[kPublic * 6];
    solution = fit_of(&p, schema, wide, 6);
    assert_ok(dpa_schema_model(schema, solution, 0, other, sizeof other, NULL));
    const char *begin = member(text, "\"schema\"", &length);
    const char *from = member(other, "\"schema\"", &other_length);
    (void)snprintf(mixed, sizeof mixed, "%.*s%.*s%s", (int)(begin - text), text, (int)other_length,
                   from, begin + length);
    assert_status(dpa_schema_deserialize((const uint8_t *)mixed, strlen(mixed), &read),
                  DPA_E_FORMAT);
    assert_status(dpa_solution_deserialize((const uint8_t *)mixed, strlen(mixed), &predictor),
                  DPA_E_FORMAT);
    assert_non_null(strstr(dpa_last_error(), "6 features, but its predictor has 4"));
    dpa_solution_destroy(solution);
    dpa_schema_destroy(schema);
    dpa_table_destroy(p.table);
}

/* The checksum made right again, as a forger would. */
static void seal(uint8_t *bytes, size_t size) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t k = 0; k < size - 8; ++k) hash = (hash ^ bytes[k]) * UINT64_C(0x100000001b3);
    for (size_t k = 0; k < 8; ++k) bytes[size - 8 + k] = (uint8_t)(hash >> 8 * k);
}

/* Names of labels without a meaning: of numbers, and of more than two signs. Wherever the byte is
 * that tells the kind of labels, it is forged once. */
static void forged_kinds_of_labels_are_refused(void **state) {
    (void)state;
    people p;
    make(&p);
    for (uint8_t kind = 0; kind < 2; ++kind) {
        uint8_t bytes[4096], forged[4096];
        size_t size = 0, refused = 0;
        dpa_schema *schema = learn(p.table, "colour", "softmax");
        assert_ok(dpa_schema_serialize(schema, bytes, sizeof bytes, &size));
        dpa_schema_destroy(schema);
        for (size_t k = 0; k < size - 8; ++k) {
            if (bytes[k] != 2) continue; /* that of classes */
            dpa_schema *read = NULL;
            memcpy(forged, bytes, size);
            forged[k] = kind;
            seal(forged, size);
            const dpa_status status = dpa_schema_deserialize(forged, size, &read);
            refused += status == DPA_E_FORMAT && strstr(dpa_last_error(), "its labels are none");
            dpa_schema_destroy(read);
        }
        assert_int_equal(refused, 1);
    }
    dpa_table_destroy(p.table);
}

/* What is no model, and members that are not those of the outermost object. */
static void other_texts_are_no_models(void **state) {
    (void)state;
    static const char *const texts[] = {
        "{",
        "{}",
        " {\"",
        "{\"a\\",
        "{\"schema\"",
        "{\"schema\":",
        "{\"schema\": 3, \"model\": [\"AAAA\"]}",
        "{\"schema\": \"\", \"model\": \"\"}",
        "{\"schema\": \"AAAA\", \"model\": \"AAAA\"}",
        "{\"schema\": \"*\", \"model\": \"*\"}",
        "{\"schema\": \"AAAA\\\"\", \"model\": \"AAA",
        "{\"x\\\"schema\": \"AAAA\", \"in\": {\"model\": \"AAAA\"}}",
        "}{\"model\": \"AAAA\", \"schema\": \"AAAA\"}"};
    for (size_t k = 0; k < LENGTH(texts); ++k) {
        const uint8_t *bytes = (const uint8_t *)texts[k];
        dpa_schema *schema = NULL;
        dpa_solution *solution = NULL;
        assert_status(dpa_schema_deserialize(bytes, strlen(texts[k]), &schema), DPA_E_FORMAT);
        assert_status(dpa_solution_deserialize(bytes, strlen(texts[k]), &solution), DPA_E_FORMAT);
    }
}

/* The files that every language refuses, by the member that is damaged. */
static void damaged_models_are_refused_by_member(void **state) {
    (void)state;
    char path[4096], file[128], member[64];
    uint8_t bytes[65536];
    const char *folder = getenv("DPADAPT_SOURCE_DIR");
    assert_non_null(folder);
    (void)snprintf(path, sizeof path, "%s/tests/data/models/damaged/cases.txt", folder);
    FILE *cases = fopen(path, "r");
    assert_non_null(cases);
    int count = 0;
    for (; fscanf(cases, "%127s %63s", file, member) == 2; ++count) {
        dpa_schema *schema = NULL;
        dpa_solution *solution = NULL;
        (void)snprintf(path, sizeof path, "%s/tests/data/models/damaged/%s", folder, file);
        FILE *in = fopen(path, "rb");
        assert_non_null(in);
        const size_t size = fread(bytes, 1, sizeof bytes, in);
        (void)fclose(in);
        assert_error(dpa_schema_deserialize(bytes, size, &schema), DPA_E_FORMAT, member);
        assert_error(dpa_solution_deserialize(bytes, size, &solution), DPA_E_FORMAT, member);
        assert_error(dpa_solution_load(path, &schema, &solution), DPA_E_FORMAT, member);
        assert_true(!schema && !solution);
    }
    (void)fclose(cases);
    assert_true(count >= 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saved_schemas_are_the_same),
        cmocka_unit_test(models_hold_schema_and_predictor),
        cmocka_unit_test(schema_and_predictor_must_fit),
        cmocka_unit_test(forged_kinds_of_labels_are_refused),
        cmocka_unit_test(other_texts_are_no_models),
        cmocka_unit_test(damaged_models_are_refused_by_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

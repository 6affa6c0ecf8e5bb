#include "report.h"

#include <catalog/pg_type.h>
#include <common/shortest_dec.h>
#include <executor/spi.h>
#include <lib/stringinfo.h>
#include <utils/array.h>
#include <utils/builtins.h>
#include <utils/json.h>

#include "model.h"

static const double kConfidence = 0.95; /* of intervals */

static void append_columns(StringInfo json, Datum columns) {
    Datum *names;
    int count;
    deconstruct_array(DatumGetArrayTypeP(columns), TEXTOID, -1, false, TYPALIGN_INT, &names, NULL,
                      &count);
    for (int j = 0; j < count; ++j) {
        if (j > 0) appendStringInfoString(json, ", ");
        escape_json(json, TextDatumGetCString(names[j]));
    }
}

static void append_features(StringInfo json, const dpa_schema *schema) {
    size_t count;
    guest_check(dpa_schema_feature_count(schema, &count));
    for (size_t j = 0; j < count; ++j) {
        char *name;
        GUEST_TEXT(name, dpa_schema_text, schema, "feature", j);
        if (j > 0) appendStringInfoString(json, ", ");
        escape_json(json, name);
    }
}

static void append_lines(StringInfo json, char *lines) {
    char *rest = NULL;
    for (char *line = strtok_r(lines, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        if (line != lines) appendStringInfoString(json, ", ");
        escape_json(json, line);
    }
}

/* Lines about columns, and the labels. */
static void append_schema(StringInfo json, const dpa_schema *schema) {
    char *lines, *labels;
    GUEST_TEXT(lines, dpa_schema_text, schema, "description", 0);
    GUEST_TEXT(labels, dpa_schema_text, schema, "labels", 0);
    appendStringInfoString(json, ", \"labels\": ");
    escape_json(json, labels);
    appendStringInfoString(json, ", \"schema\": [");
    append_lines(json, lines);
    appendStringInfoChar(json, ']');
}

static void append_number(StringInfo json, double value) {
    char digits[DOUBLE_SHORTEST_DECIMAL_LEN];
    double_to_shortest_decimal_buf(value, digits);
    appendStringInfoString(json, digits);
}

static void append_numbers(StringInfo json, const double *values, size_t count) {
    appendStringInfoChar(json, '[');
    for (size_t j = 0; j < count; ++j) {
        if (j > 0) appendStringInfoString(json, ", ");
        append_number(json, values[j]);
    }
    appendStringInfoChar(json, ']');
}

static void append_predictor(StringInfo json, const dpa_solution *solution) {
    size_t features, outputs;
    guest_check(dpa_solution_shape(solution, &features, &outputs, NULL, NULL));
    double *w = palloc((features + 1) * outputs * sizeof *w), *b = w + features * outputs;
    dpa_status status = dpa_solution_array(solution, "coefficients", w, features * outputs);
    if (status == DPA_E_UNSUPPORTED) return;
    guest_check(status);
    guest_check(dpa_solution_array(solution, "intercept", b, outputs));
    appendStringInfoString(json, ", \"coefficients\": [");
    for (size_t k = 0; k < outputs; ++k) {
        if (k > 0) appendStringInfoString(json, ", ");
        append_numbers(json, w + k * features, features);
    }
    appendStringInfoString(json, "], \"intercepts\": ");
    append_numbers(json, b, outputs);
}

/* The target's own estimate, the intercept last, where it was asked for. */
static void append_inference(StringInfo json, const dpa_solution *solution) {
    double dimension, p_value;
    guest_check(dpa_solution_value(solution, "dimension", &dimension));
    const size_t count = (size_t)dimension;
    double *estimate = palloc(3 * count * sizeof *estimate), *ends = estimate + count;
    if (dpa_solution_array(solution, "target_estimate", estimate, count) != DPA_OK) return;
    guest_check(dpa_solution_intervals(solution, kConfidence, ends, 2 * count));
    appendStringInfo(json, ", \"inference\": {\"confidence\": %g, \"estimate\": ", kConfidence);
    append_numbers(json, estimate, count);
    appendStringInfoString(json, ", \"lower\": ");
    append_numbers(json, ends, count);
    appendStringInfoString(json, ", \"upper\": ");
    append_numbers(json, ends + count, count);
    if (dpa_solution_value(solution, "domain_p_value", &p_value) == DPA_OK) {
        appendStringInfoString(json, ", \"p_value\": ");
        append_number(json, p_value);
    }
    appendStringInfoChar(json, '}');
}

/* What intervals of its predictions promise, if it has some. */
static void append_promise(StringInfo json, const dpa_solution *solution) {
    char *promise;
    GUEST_TEXT(promise, dpa_solution_text, solution, "calibration");
    if (promise[0] == '\0') return;
    appendStringInfoString(json, ", \"intervals\": ");
    escape_json(json, promise);
}

static void append_findings(StringInfo json, const guest_handles *h) {
    char *known = NULL, *lines;
    if (h->schema != NULL) GUEST_TEXT(known, dpa_schema_text, h->schema, "labels", 0);
    GUEST_TEXT(lines, dpa_solution_findings, h->solution, known);
    appendStringInfoString(json, ", \"notes\": [");
    append_lines(json, lines);
    appendStringInfoChar(json, ']');
}

Datum report_of(const guest_handles *h, Datum label, Datum columns) {
    StringInfoData json;
    char *privacy;
    initStringInfo(&json);
    appendStringInfoString(&json, "{\"label\": ");
    escape_json(&json, TextDatumGetCString(label));
    appendStringInfoString(&json, ", \"features\": [");
    if (h->schema != NULL)
        append_features(&json, h->schema);
    else
        append_columns(&json, columns);
    appendStringInfoChar(&json, ']');
    if (h->schema != NULL) append_schema(&json, h->schema);
    append_predictor(&json, h->solution);
    append_inference(&json, h->solution);
    append_promise(&json, h->solution);
    append_findings(&json, h);
    GUEST_REPORT(privacy, dpa_solution_privacy_report, h->solution);
    appendStringInfo(&json, ", \"privacy\": %s}", privacy);
    return DirectFunctionCall1(jsonb_in, CStringGetDatum(json.data));
}

/* report(name) */
PG_FUNCTION_INFO_V1(dpadapt_report);
Datum dpadapt_report(PG_FUNCTION_ARGS) {
    guest_handles *h = guest_new(CurrentMemoryContext);
    MemoryContext caller = CurrentMemoryContext;
    SPI_connect();
    saved_model model = model_load(PG_GETARG_DATUM(0), h);
    MemoryContext spi = MemoryContextSwitchTo(caller);
    Datum report = report_of(h, model.label, model.features);
    MemoryContextSwitchTo(spi);
    SPI_finish();
    PG_RETURN_DATUM(report);
}

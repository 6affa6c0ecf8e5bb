#include "report.h"

#include <catalog/pg_type.h>
#include <common/shortest_dec.h>
#include <executor/spi.h>
#include <lib/stringinfo.h>
#include <utils/array.h>
#include <utils/builtins.h>
#include <utils/json.h>

#include "model.h"

static void append_features(StringInfo json, Datum features) {
    Datum *names;
    int count;
    deconstruct_array(DatumGetArrayTypeP(features), TEXTOID, -1, false, TYPALIGN_INT, &names, NULL,
                      &count);
    appendStringInfoString(json, ", \"features\": [");
    for (int j = 0; j < count; ++j) {
        if (j > 0) appendStringInfoString(json, ", ");
        escape_json(json, TextDatumGetCString(names[j]));
    }
    appendStringInfoChar(json, ']');
}

static void append_numbers(StringInfo json, const double *values, size_t count) {
    char digits[DOUBLE_SHORTEST_DECIMAL_LEN];
    appendStringInfoChar(json, '[');
    for (size_t j = 0; j < count; ++j) {
        double_to_shortest_decimal_buf(values[j], digits);
        appendStringInfo(json, "%s%s", j > 0 ? ", " : "", digits);
    }
    appendStringInfoChar(json, ']');
}

static void append_predictor(StringInfo json, const dpa_solution *solution) {
    size_t features, outputs;
    guest_check(dpa_solution_shape(solution, &features, &outputs, NULL, NULL));
    double *w = palloc((features + 1) * outputs * sizeof *w), *b = w + features * outputs;
    dpa_status status = dpa_solution_coefficients(solution, w, features * outputs);
    if (status == DPA_E_UNSUPPORTED) return;
    guest_check(status);
    guest_check(dpa_solution_intercept(solution, b, outputs));
    appendStringInfoString(json, ", \"coefficients\": [");
    for (size_t k = 0; k < outputs; ++k) {
        if (k > 0) appendStringInfoString(json, ", ");
        append_numbers(json, w + k * features, features);
    }
    appendStringInfoString(json, "], \"intercepts\": ");
    append_numbers(json, b, outputs);
}

Datum report_of(const dpa_solution *solution, Datum label, Datum features) {
    StringInfoData json;
    char *privacy;
    initStringInfo(&json);
    appendStringInfoString(&json, "{\"label\": ");
    escape_json(&json, TextDatumGetCString(label));
    append_features(&json, features);
    append_predictor(&json, solution);
    GUEST_REPORT(privacy, dpa_solution_privacy_report, solution);
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
    Datum report = report_of(h->solution, model.label, model.features);
    MemoryContextSwitchTo(spi);
    SPI_finish();
    PG_RETURN_DATUM(report);
}

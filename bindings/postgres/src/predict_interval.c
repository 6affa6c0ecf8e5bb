/* predict_interval(name, features or row, level) and predict_set(name, row, level): between which
 * numbers, or among which classes, the label of a row lies; of models with a calibration. */
#include <access/htup_details.h>
#include <catalog/pg_type.h>
#include <funcapi.h>
#include <utils/array.h>
#include <utils/builtins.h>

#include "predict.h"

/* Finds whether the labels are classes, and what the source calls them. Two classes of one score
 * are -1 and +1. */
static void find_labels(cached_model *model) {
    const dpa_solution *solution = model->handles->solution;
    const dpa_matrix no_rows = {model->x, 0, model->features, model->features, DPA_ROW_MAJOR};
    double none;
    size_t outputs;
    if (dpa_solution_predict(solution, DPA_PREDICT_PROBABILITIES, no_rows, &none, 0) != DPA_OK) {
        model->classes = 0;
        return;
    }
    guest_check(dpa_solution_shape(solution, NULL, &outputs, NULL, NULL));
    const int count = outputs > 1 ? (int)outputs : 2;
    MemoryContext old = MemoryContextSwitchTo(model->context);
    model->labels = palloc(sizeof *model->labels * (size_t)count);
    for (int k = 0; k < count; ++k)
        model->labels[k] = predict_text(model, outputs > 1 ? k : 2 * k - 1);
    MemoryContextSwitchTo(old);
    model->classes = count;
}

static void require(cached_model *model, bool classes) {
    if (model->classes < 0) find_labels(model);
    if ((model->classes > 0) == classes) return;
    ereport(
        ERROR, errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
        errmsg("the labels of %s are %s", model->record.reader, classes ? "numbers" : "classes"),
        errhint(classes ? "dpadapt.predict_interval gives intervals."
                        : "dpadapt.predict_set gives sets of classes."));
}

static void intervals_of(const cached_model *model, const double *x, double level, double *out,
                         int width) {
    guest_check(dpa_solution_predict_interval(
        model->handles->solution, level,
        (dpa_matrix){x, 1, model->features, model->features, DPA_ROW_MAJOR}, out, (size_t)width));
}

/* The record of both ends. */
static Datum interval_of(FunctionCallInfo fcinfo, cached_model *model, const double *x) {
    double ends[2];
    bool nulls[2] = {false, false};
    require(model, false);
    intervals_of(model, x, PG_GETARG_FLOAT8(2), ends, 2);
    if (model->ends == NULL) {
        TupleDesc type;
        if (get_call_result_type(fcinfo, NULL, &type) != TYPEFUNC_COMPOSITE)
            elog(ERROR, "the result is no record");
        MemoryContext old = MemoryContextSwitchTo(model->context);
        model->ends = BlessTupleDesc(CreateTupleDescCopy(type));
        MemoryContextSwitchTo(old);
    }
    Datum values[2] = {Float8GetDatum(ends[0]), Float8GetDatum(ends[1])};
    return HeapTupleGetDatum(heap_form_tuple(model->ends, values, nulls));
}

PG_FUNCTION_INFO_V1(dpadapt_predict_interval);
Datum dpadapt_predict_interval(PG_FUNCTION_ARGS) {
    const double *x;
    cached_model *model = predict_array(fcinfo, &x);
    if (model == NULL) PG_RETURN_NULL();
    PG_RETURN_DATUM(interval_of(fcinfo, model, x));
}

PG_FUNCTION_INFO_V1(dpadapt_predict_interval_row);
Datum dpadapt_predict_interval_row(PG_FUNCTION_ARGS) {
    cached_model *model = predict_row(fcinfo);
    if (model == NULL) PG_RETURN_NULL();
    PG_RETURN_DATUM(interval_of(fcinfo, model, model->x));
}

PG_FUNCTION_INFO_V1(dpadapt_predict_set);
Datum dpadapt_predict_set(PG_FUNCTION_ARGS) {
    cached_model *model = predict_row(fcinfo);
    if (model == NULL) PG_RETURN_NULL();
    require(model, true);
    double *in_set = palloc(sizeof *in_set * (size_t)model->classes);
    Datum *labels = palloc(sizeof *labels * (size_t)model->classes);
    int count = 0;
    intervals_of(model, model->x, PG_GETARG_FLOAT8(2), in_set, model->classes);
    for (int k = 0; k < model->classes; ++k)
        if (in_set[k] == 1) labels[count++] = PointerGetDatum(model->labels[k]);
    PG_RETURN_ARRAYTYPE_P(construct_array(labels, count, TEXTOID, -1, false, TYPALIGN_INT));
}

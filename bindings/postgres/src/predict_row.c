/* predict(name, row) and predict_label(name, row): columns are found by their names. */
#include <math.h>
#include <utils/builtins.h>
#include <utils/float.h>

#include "predict.h"
#include "relation.h"

/* Features by the schema, which says what a null is. */
static void code(cached_model *model) {
    coder *row = model->coder;
    coder_clear(row);
    coder_add(row);
    for (int j = 0; j < row->count; ++j)
        coder_put(row, j, record_value(&model->record, j), record_is_null(&model->record, j));
    coder_apply(row, model->handles, model->features, model->x, NULL);
}

static void open_coder(cached_model *model) {
    if (model->coder != NULL) coder_free(model->coder);
    model->coder = NULL;
    MemoryContext old = MemoryContextSwitchTo(model->context);
    model->coder = coder_new(model->count, model->names, model->record.base);
    MemoryContextSwitchTo(old);
}

/* False if one of the features is null. */
static bool read_numbers(const cached_model *model) {
    const record_columns *record = &model->record;
    double *x = model->x;
    for (int j = 0; j < record->count; ++j) {
        int place = record->place[j];
        if (record->nulls[place]) return false;
        x[j] = relation_number(record->base[j], record->values[place]);
        if (isnan(x[j])) return false;
    }
    return true;
}

cached_model *predict_row(FunctionCallInfo fcinfo) {
    cached_model *model = predict_model(fcinfo->flinfo, PG_GETARG_TEXT_PP(0));
    bool is_new = record_open(&model->record, PG_GETARG_HEAPTUPLEHEADER(1));
    if (model->handles->schema == NULL) return read_numbers(model) ? model : NULL;
    if (is_new || model->coder == NULL) open_coder(model);
    code(model);
    return model;
}

PG_FUNCTION_INFO_V1(dpadapt_predict_row);
Datum dpadapt_predict_row(PG_FUNCTION_ARGS) {
    cached_model *model = predict_row(fcinfo);
    if (model == NULL) PG_RETURN_NULL();
    PG_RETURN_FLOAT8(predict_one(model, model->x));
}

text *predict_text(const cached_model *model, double label) {
    dpa_schema *schema = model->handles->schema;
    if (schema == NULL) return cstring_to_text(float8out_internal(label));
    char *out;
    GUEST_TEXT(out, dpa_schema_label_text, schema, label);
    return cstring_to_text(out);
}

PG_FUNCTION_INFO_V1(dpadapt_predict_label);
Datum dpadapt_predict_label(PG_FUNCTION_ARGS) {
    const cached_model *model = predict_row(fcinfo);
    if (model == NULL) PG_RETURN_NULL();
    PG_RETURN_TEXT_P(predict_text(model, predict_one(model, model->x)));
}

/* predict(name, features), and the model that it keeps. */
#include "predict.h"

#include <executor/spi.h>
#include <utils/array.h>
#include <utils/builtins.h>
#include <utils/memutils.h>

#include "model.h"
#include "names.h"

static bool is_named(const cached_model *model, const text *name) {
    size_t size = VARSIZE_ANY_EXHDR(name);
    return size == VARSIZE_ANY_EXHDR(model->name) &&
           memcmp(VARDATA_ANY(name), VARDATA_ANY(model->name), size) == 0;
}

/* In a context of its own below the call site's, which takes it along. */
static cached_model *load(FmgrInfo *site, text *name) {
    MemoryContext context =
        AllocSetContextCreate(site->fn_mcxt, "dpadapt model", ALLOCSET_SMALL_SIZES);
    MemoryContext old = MemoryContextSwitchTo(context);
    cached_model *model = palloc0(sizeof *model);
    model->context = context;
    model->handles = guest_new(context);
    model->name = (text *)pg_detoast_datum_copy((struct varlena *)name);
    SPI_connect();
    saved_model saved = model_load(PointerGetDatum(model->name), model->handles);
    MemoryContextSwitchTo(context);
    model->count = names_of(saved.features, "feature", &model->names);
    SPI_finish();
    guest_check(dpa_solution_shape(model->handles->solution, &model->features, NULL, NULL, NULL));
    if (model->handles->schema == NULL && model->features != (size_t)model->count)
        guest_check(DPA_E_FORMAT);
    model->x = palloc(sizeof *model->x * model->features);
    model->record = (record_columns){
        .parent = context,
        .reader = psprintf("model \"%s\"", text_to_cstring(model->name)),
        .wanted = model->count,
        .names = model->names,
        .texts = model->handles->schema != NULL,
    };
    model->classes = -1;
    MemoryContextSwitchTo(old);
    return model;
}

cached_model *predict_model(FmgrInfo *site, text *name) {
    cached_model *model = site->fn_extra;
    if (model != NULL && is_named(model, name)) return model;
    site->fn_extra = NULL;
    if (model != NULL) MemoryContextDelete(model->context);
    return site->fn_extra = load(site, name);
}

double predict_one(const cached_model *model, const double *x) {
    double label;
    guest_check(dpa_solution_predict(
        model->handles->solution, DPA_PREDICT_LABELS,
        (dpa_matrix){x, 1, model->features, model->features, DPA_ROW_MAJOR}, &label, 1));
    return label;
}

cached_model *predict_array(FunctionCallInfo fcinfo, const double **x) {
    cached_model *model = predict_model(fcinfo->flinfo, PG_GETARG_TEXT_PP(0));
    ArrayType *features = PG_GETARG_ARRAYTYPE_P(1);
    int count = ArrayGetNItems(ARR_NDIM(features), ARR_DIMS(features));
    if (model->handles->schema != NULL)
        ereport(ERROR, errcode(ERRCODE_DATATYPE_MISMATCH),
                errmsg("%s reads columns by a schema, and no array", model->record.reader),
                errhint("Give it the whole row: the alias of the table in place of the array."));
    if (ARR_NDIM(features) != 1 || (size_t)count != model->features)
        ereport(
            ERROR, errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
            errmsg("%s has %zu features, not %d", model->record.reader, model->features, count));
    *x = (const double *)ARR_DATA_PTR(features);
    return array_contains_nulls(features) ? NULL : model;
}

PG_FUNCTION_INFO_V1(dpadapt_predict);
Datum dpadapt_predict(PG_FUNCTION_ARGS) {
    const double *x;
    const cached_model *model = predict_array(fcinfo, &x);
    if (model == NULL) PG_RETURN_NULL();
    PG_RETURN_FLOAT8(predict_one(model, x));
}

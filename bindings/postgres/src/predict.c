/* predict(name, features): the model is loaded once for each place in a query that calls it. */
#include <catalog/pg_type.h>
#include <executor/spi.h>
#include <utils/array.h>
#include <utils/builtins.h>
#include <utils/memutils.h>

#include "guest.h"
#include "model.h"

typedef struct cached_model {
    text *name;
    size_t features;
    guest_handles *handles;
} cached_model;

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
    cached_model *model = palloc(sizeof *model);
    model->handles = guest_new(context);
    model->name = (text *)pg_detoast_datum_copy((struct varlena *)name);
    SPI_connect();
    (void)model_load(PointerGetDatum(model->name), model->handles);
    SPI_finish();
    guest_check(dpa_solution_shape(model->handles->solution, &model->features, NULL, NULL, NULL));
    MemoryContextSwitchTo(old);
    return model;
}

PG_FUNCTION_INFO_V1(dpadapt_predict);
Datum dpadapt_predict(PG_FUNCTION_ARGS) {
    FmgrInfo *site = fcinfo->flinfo;
    text *name = PG_GETARG_TEXT_PP(0);
    ArrayType *features = PG_GETARG_ARRAYTYPE_P(1);
    cached_model *model = site->fn_extra;
    if (model == NULL || !is_named(model, name)) {
        site->fn_extra = NULL;
        if (model != NULL) MemoryContextDelete(GetMemoryChunkContext(model));
        site->fn_extra = model = load(site, name);
    }
    int count = ArrayGetNItems(ARR_NDIM(features), ARR_DIMS(features));
    if (ARR_NDIM(features) != 1 || (size_t)count != model->features)
        ereport(ERROR, errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
                errmsg("model \"%s\" has %zu features, not %d", text_to_cstring(model->name),
                       model->features, count));
    if (array_contains_nulls(features)) PG_RETURN_NULL();
    double label;
    guest_check(dpa_solution_predict(model->handles->solution, (double *)ARR_DATA_PTR(features), 1,
                                     model->features, model->features, DPA_ROW_MAJOR, &label, 1));
    PG_RETURN_FLOAT8(label);
}

/* predict(name, row): features are found by the names of the row's columns. */
#include <access/htup_details.h>
#include <math.h>
#include <utils/builtins.h>
#include <utils/lsyscache.h>
#include <utils/memutils.h>
#include <utils/typcache.h>

#include "predict.h"
#include "relation.h"

static int place_of(TupleDesc columns, const char *feature, const cached_model *model) {
    for (int j = 0; j < columns->natts; ++j) {
        Form_pg_attribute column = TupleDescAttr(columns, j);
        if (!column->attisdropped && strcmp(NameStr(column->attname), feature) == 0) return j;
    }
    ereport(ERROR, errcode(ERRCODE_UNDEFINED_COLUMN),
            errmsg("model \"%s\" needs the column \"%s\", which the row does not have",
                   text_to_cstring(model->name), feature));
}

/* What was found for records of another type is gone. */
static void find_features(cached_model *model, Oid type, int32 modifier) {
    if (model->record.context != NULL) MemoryContextDelete(model->record.context);
    model->record.context = NULL;
    model->record.columns = NULL;
    record_places found = {.type = type, .modifier = modifier};
    found.context = AllocSetContextCreate(model->context, "dpadapt record", ALLOCSET_SMALL_SIZES);
    TupleDesc columns = lookup_rowtype_tupdesc(type, modifier);
    MemoryContext old = MemoryContextSwitchTo(found.context);
    found.columns = CreateTupleDescCopy(columns);
    found.place = palloc(sizeof *found.place * model->features);
    found.base = palloc(sizeof *found.base * model->features);
    found.values = palloc(sizeof *found.values * (size_t)columns->natts);
    found.nulls = palloc(sizeof *found.nulls * (size_t)columns->natts);
    found.x = palloc(sizeof *found.x * model->features);
    MemoryContextSwitchTo(old);
    ReleaseTupleDesc(columns);
    for (size_t j = 0; j < model->features; ++j) {
        found.place[j] = place_of(found.columns, model->names[j], model);
        Oid of_column = TupleDescAttr(found.columns, found.place[j])->atttypid;
        if (!relation_is_number(of_column))
            ereport(ERROR, errcode(ERRCODE_DATATYPE_MISMATCH),
                    errmsg("column \"%s\" of the row is of type %s, not a number", model->names[j],
                           format_type_be(of_column)));
        found.base[j] = getBaseType(of_column);
    }
    model->record = found;
}

PG_FUNCTION_INFO_V1(dpadapt_predict_row);
Datum dpadapt_predict_row(PG_FUNCTION_ARGS) {
    cached_model *model = predict_model(fcinfo->flinfo, PG_GETARG_TEXT_PP(0));
    HeapTupleHeader row = PG_GETARG_HEAPTUPLEHEADER(1);
    Oid type = HeapTupleHeaderGetTypeId(row);
    int32 modifier = HeapTupleHeaderGetTypMod(row);
    record_places *record = &model->record;
    if (record->columns == NULL || record->type != type || record->modifier != modifier)
        find_features(model, type, modifier);
    HeapTupleData tuple = {.t_len = HeapTupleHeaderGetDatumLength(row), .t_data = row};
    heap_deform_tuple(&tuple, record->columns, record->values, record->nulls);
    for (size_t j = 0; j < model->features; ++j) {
        int place = record->place[j];
        if (record->nulls[place]) PG_RETURN_NULL();
        record->x[j] = relation_number(record->base[j], record->values[place]);
        if (isnan(record->x[j])) PG_RETURN_NULL();
    }
    PG_RETURN_FLOAT8(predict_one(model, record->x));
}

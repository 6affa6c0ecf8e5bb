#include "model.h"

#include <catalog/pg_type.h>
#include <executor/spi.h>
#include <miscadmin.h>
#include <utils/acl.h>
#include <utils/builtins.h>

#include "relation.h"
#include "tables.h"

/* Takes the name for the role, for good; an error if it is another one's. */
static void take_name(Datum name) {
    Oid types[] = {TEXTOID, OIDOID};
    Datum values[] = {name, ObjectIdGetDatum(GetUserId())};
    bool isnull;
    tables_execute("INSERT INTO dpadapt.model_names VALUES ($1, $2) ON CONFLICT DO NOTHING",
                   lengthof(values), types, values, false);
    tables_execute("SELECT role FROM dpadapt.model_names WHERE name = $1", 1, types, values, true);
    Oid role = DatumGetObjectId(tables_value(&isnull));
    if (isnull || !has_privs_of_role(GetUserId(), role))
        ereport(ERROR, errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                errmsg("the name \"%s\" belongs to another role", TextDatumGetCString(name)),
                errdetail("It stays with the role that made the first model of that name."));
}

/* After an insertion of that name. */
static void check_new(Datum name) {
    if (SPI_processed != 1)
        ereport(ERROR, errcode(ERRCODE_DUPLICATE_OBJECT),
                errmsg("model \"%s\" exists", TextDatumGetCString(name)));
}

void model_reserve(Datum name, const problem_facts *facts) {
    Oid types[] = {TEXTOID, OIDOID, TEXTOID, TEXTOID, TEXTOID, TEXTARRAYOID, TEXTOID};
    Datum values[] = {
        name,
        ObjectIdGetDatum(GetUserId()),
        CStringGetTextDatum(relation_sql(facts->source)),
        CStringGetTextDatum(relation_sql(facts->target)),
        facts->label,
        facts->features,
        facts->options,
    };
    tables_execute(
        "INSERT INTO dpadapt.models (name, role, source, target, label, features, options, "
        "solution) VALUES ($1, $2, $3, $4, $5, $6, $7, '') ON CONFLICT DO NOTHING",
        lengthof(values), types, values, false);
    check_new(name);
    take_name(name);
}

void model_reserve_copy(Datum name, Datum model) {
    Oid types[] = {TEXTOID, OIDOID, TEXTOID};
    Datum values[] = {name, ObjectIdGetDatum(GetUserId()), model};
    tables_execute(
        "INSERT INTO dpadapt.models (name, role, source, target, label, features, options, "
        "solution) SELECT $1, $2, source, target, label, features, options, '' "
        "FROM dpadapt.models WHERE name = $3 ON CONFLICT DO NOTHING",
        lengthof(values), types, values, false);
    check_new(name);
    take_name(name);
}

/* A text, whose zero is not stored. */
static bytea *model_file(const guest_handles *h) {
    size_t size = 0;
    (void)dpa_schema_model(h->schema, h->solution, 0, NULL, 0, &size);
    bytea *bytes = palloc(VARHDRSZ + size);
    guest_check(dpa_schema_model(h->schema, h->solution, 0, VARDATA(bytes), size, NULL));
    SET_VARSIZE(bytes, VARHDRSZ + size - 1);
    return bytes;
}

static dpa_status without_weights(const dpa_solution *solution, uint8_t *out, size_t size,
                                  size_t *needed) {
    return dpa_solution_serialize(solution, 0, out, size, needed);
}

void model_store(Datum name, const guest_handles *h) {
    bytea *bytes;
    if (h->schema != NULL)
        bytes = model_file(h);
    else
        GUEST_BYTES(bytes, without_weights, h->solution);
    Oid types[] = {TEXTOID, BYTEAOID};
    Datum values[] = {name, PointerGetDatum(bytes)};
    tables_execute("UPDATE dpadapt.models SET solution = $2 WHERE name = $1", lengthof(values),
                   types, values, false);
    if (SPI_processed != 1) elog(ERROR, "the model cannot be saved");
}

saved_model model_load(Datum name, guest_handles *handles) {
    /* Callers are in the search path of their users. */
    static const char query[] =
        "SELECT target, label, features, solution FROM dpadapt.models "
        "WHERE name OPERATOR(pg_catalog.=) $1";
    saved_model model;
    Oid type = TEXTOID;
    bool isnull; /* no column can be */
    int result = SPI_execute_with_args(query, 1, &type, &name, NULL, true, 0);
    if (result != SPI_OK_SELECT) elog(ERROR, "no model: %s", SPI_result_code_string(result));
    if (SPI_processed != 1)
        ereport(ERROR, errcode(ERRCODE_UNDEFINED_OBJECT),
                errmsg("model \"%s\" does not exist", TextDatumGetCString(name)));
    HeapTuple row = SPI_tuptable->vals[0];
    TupleDesc columns = SPI_tuptable->tupdesc;
    model.target = SPI_getbinval(row, columns, 1, &isnull);
    model.label = SPI_getbinval(row, columns, 2, &isnull);
    model.features = SPI_getbinval(row, columns, 3, &isnull);
    bytea *bytes = DatumGetByteaPP(SPI_getbinval(row, columns, 4, &isnull));
    const uint8_t *data = (const uint8_t *)VARDATA_ANY(bytes);
    size_t size = VARSIZE_ANY_EXHDR(bytes);
    guest_check(dpa_solution_deserialize(data, size, &handles->solution));
    if (size > 0 && data[0] == '{') /* a model file */
        guest_check(dpa_schema_deserialize(data, size, &handles->schema));
    return model;
}

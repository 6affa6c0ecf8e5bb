/* evaluate(models, target, label, options): errors of models on protected rows, paid from their
 * ledger. */
#include <executor/spi.h>
#include <utils/array.h>
#include <utils/builtins.h>
#include <utils/json.h>

#include "model.h"
#include "names.h"
#include "relation.h"

/* What is measured together. */
typedef struct candidates {
    char **models;
    int count;
    const dpa_solution **solutions;
    guest_handles *first; /* of the first model, whose columns and schema all have */
    saved_model columns;
} candidates;

static bool same_names(Datum a, Datum b) {
    char **of_a, **of_b;
    int count = names_of(a, "feature", &of_a);
    if (count != names_of(b, "feature", &of_b)) return false;
    for (int j = 0; j < count; ++j)
        if (strcmp(of_a[j], of_b[j]) != 0) return false;
    return true;
}

static bool same_schemas(const guest_handles *a, const guest_handles *b) {
    bytea *of_a, *of_b;
    if (a->schema == NULL || b->schema == NULL) return a->schema == b->schema;
    GUEST_BYTES(of_a, dpa_schema_serialize, a->schema);
    GUEST_BYTES(of_b, dpa_schema_serialize, b->schema);
    return VARSIZE(of_a) == VARSIZE(of_b) && memcmp(of_a, of_b, VARSIZE(of_a)) == 0;
}

static void refuse(const candidates *all, int other, const char *what) {
    ereport(ERROR, errcode(ERRCODE_INVALID_PARAMETER_VALUE),
            errmsg("models \"%s\" and \"%s\" have different %s", all->models[0], all->models[other],
                   what));
}

static candidates load(Datum models, Oid target) {
    candidates all;
    all.count = names_of(models, "model", &all.models);
    all.solutions = palloc(sizeof *all.solutions * (size_t)all.count);
    for (int k = 0; k < all.count; ++k) {
        guest_handles *h = guest_new(CurrentMemoryContext);
        saved_model model = model_load(CStringGetTextDatum(all.models[k]), h);
        if (k == 0) all.columns = model, all.first = h;
        if (!same_names(all.columns.features, model.features)) refuse(&all, k, "features");
        if (!same_schemas(all.first, h)) refuse(&all, k, "schemas");
        if (strcmp(TextDatumGetCString(model.target), relation_sql(target)) == 0)
            ereport(WARNING,
                    errmsg("model \"%s\" was fitted to relation \"%s\"", all.models[k],
                           relation_name(target)),
                    errdetail("Rows that it has seen make it look better than it is."));
        all.solutions[k] = h->solution;
    }
    return all;
}

/* The columns of the models, and a label, which may have another name here. */
static target_rows *open_target(guest_handles *h, const candidates *all, Oid relation, Datum label,
                                Datum options) {
    size_t features;
    target_rows *target = target_open(h, relation, options);
    row_columns columns = {.label = TextDatumGetCString(label), .coded = h->schema != NULL};
    columns.features = names_of(all->columns.features, "feature", &columns.names);
    columns_check(&columns);
    target_read(target, &columns, TextDatumGetCString(all->columns.label));
    guest_check(dpa_solution_shape(all->solutions[0], &features, NULL, NULL, NULL));
    target_check(target, &columns, TextDatumGetCString(all->columns.label), h, features);
    target_set(target, h, features);
    return target;
}

/* Pays, and reads the target by passes. */
static void measure(guest_handles *h, const candidates *all, target_rows *target) {
    guest_leave();
    dpa_status status =
        dpa_evaluate(h->problem, all->solutions, (size_t)all->count, h->options, &h->evaluation);
    guest_return();
    if (status != DPA_OK) guest_rethrow(&target->errors);
    guest_check(status);
}

/* The report of the library, and what "solution": 0, 1, ... stands for. */
static Datum report_of_models(const guest_handles *h, const candidates *all) {
    StringInfoData json;
    char *measures, *privacy;
    initStringInfo(&json);
    GUEST_REPORT(measures, dpa_evaluation_report, h->evaluation);
    appendBinaryStringInfo(&json, measures, (int)strlen(measures) - 1); /* but for the brace */
    appendStringInfoString(&json, ", \"models\": [");
    for (int k = 0; k < all->count; ++k) {
        if (k > 0) appendStringInfoString(&json, ", ");
        escape_json(&json, all->models[k]);
    }
    GUEST_REPORT(privacy, dpa_problem_privacy_report, h->problem);
    appendStringInfo(&json, "], \"privacy\": %s}", privacy);
    return DirectFunctionCall1(jsonb_in, CStringGetDatum(json.data));
}

PG_FUNCTION_INFO_V1(dpadapt_evaluate);
Datum dpadapt_evaluate(PG_FUNCTION_ARGS) {
    MemoryContext caller = CurrentMemoryContext;
    PreventCommandIfReadOnly("dpadapt.evaluate");
    guest_refuse_nulls(fcinfo);
    Oid relation = PG_GETARG_OID(1);
    SPI_connect();
    candidates all = load(PG_GETARG_DATUM(0), relation);
    guest_handles *h = all.first; /* has the schema */
    target_rows *target = open_target(h, &all, relation, PG_GETARG_DATUM(2), PG_GETARG_DATUM(3));
    measure(h, &all, target);

    MemoryContext spi = MemoryContextSwitchTo(caller);
    Datum report = report_of_models(h, &all);
    MemoryContextSwitchTo(spi);
    SPI_finish();
    PG_RETURN_DATUM(report);
}

/* fit(name, source, target, label, features, options) */
#include <catalog/pg_type.h>
#include <executor/spi.h>
#include <utils/array.h>
#include <utils/builtins.h>

#include "guest.h"
#include "ledger.h"
#include "model.h"
#include "relation.h"
#include "report.h"
#include "source.h"
#include "target.h"

static int names_of(ArrayType *features, char ***names) {
    Datum *values;
    bool *nulls;
    int count;
    deconstruct_array(features, TEXTOID, -1, false, TYPALIGN_INT, &values, &nulls, &count);
    *names = palloc(sizeof **names * (size_t)(count + 1));
    for (int j = 0; j < count; ++j) {
        if (nulls[j])
            ereport(ERROR, errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
                    errmsg("the name of feature %d must not be null", j + 1));
        (*names)[j] = TextDatumGetCString(values[j]);
    }
    if (count == 0)
        ereport(ERROR, errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("there are no features"));
    return count;
}

/* Pays and fits; the library reads the target by passes. */
static void solve(guest_handles *h, target_rows *target) {
    guest_leave();
    dpa_status status = dpa_solve(h->problem, NULL, h->options, &h->solution);
    guest_return();
    if (status != DPA_OK) target_rethrow(target);
    guest_check(status);
}

PG_FUNCTION_INFO_V1(dpadapt_fit);
Datum dpadapt_fit(PG_FUNCTION_ARGS) {
    MemoryContext caller = CurrentMemoryContext;
    guest_refuse_nulls(fcinfo);
    model_facts facts = {.name = PG_GETARG_DATUM(0),
                         .source = PG_GETARG_OID(1),
                         .target = PG_GETARG_OID(2),
                         .label = PG_GETARG_DATUM(3),
                         .features = PG_GETARG_DATUM(4),
                         .options = PG_GETARG_DATUM(5)};
    char *label = TextDatumGetCString(facts.label), **names;
    int features = names_of(PG_GETARG_ARRAYTYPE_P(4), &names);
    if (ledger_exists(facts.source))
        ereport(ERROR, errcode(ERRCODE_WRONG_OBJECT_TYPE),
                errmsg("relation \"%s\" is protected and cannot be a public source",
                       relation_name(facts.source)));

    SPI_connect();
    guest_handles *h = guest_new(CurrentMemoryContext);
    ledger_open(facts.target, h);
    guest_check(dpa_options_create(&h->options));
    guest_parse(h->options, TextDatumGetCString(facts.options));
    guest_check(dpa_problem_create(&h->problem));
    guest_check(dpa_problem_use_ledger(h->problem, h->ledger));
    target_rows *target = target_open(facts.target, label, features, names);
    target_set(target, h->problem, h->options, features);
    source_set(h->problem, facts.source, label, features, names, &target->errors);
    model_reserve(&facts);
    solve(h, target);
    model_store(facts.name, h->solution);

    MemoryContext spi = MemoryContextSwitchTo(caller);
    Datum report = report_of(h->solution, facts.label, facts.features);
    MemoryContextSwitchTo(spi);
    SPI_finish();
    PG_RETURN_DATUM(report);
}

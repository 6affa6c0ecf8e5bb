/* evaluate(models, target, label, options): errors of models on protected rows, paid from their
 * ledger. */
#include <executor/spi.h>
#include <utils/builtins.h>
#include <utils/json.h>

#include "candidates.h"

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
    candidates all = candidates_load(PG_GETARG_DATUM(0), relation);
    guest_handles *h = all.first;
    target_rows *target = candidates_target(&all, relation, PG_GETARG_DATUM(2), PG_GETARG_DATUM(3));
    measure(h, &all, target);

    MemoryContext spi = MemoryContextSwitchTo(caller);
    Datum report = report_of_models(h, &all);
    MemoryContextSwitchTo(spi);
    SPI_finish();
    PG_RETURN_DATUM(report);
}

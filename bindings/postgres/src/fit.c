/* fit(name, source, target, label, features, options) and plan(source, ...) */
#include <executor/spi.h>
#include <utils/builtins.h>

#include "model.h"
#include "report.h"

static problem_facts facts_from(FunctionCallInfo fcinfo, int first) {
    guest_refuse_nulls(fcinfo);
    return (problem_facts){.source = PG_GETARG_OID(first),
                           .target = PG_GETARG_OID(first + 1),
                           .label = PG_GETARG_DATUM(first + 2),
                           .features = PG_GETARG_DATUM(first + 3),
                           .options = PG_GETARG_DATUM(first + 4)};
}

/* Pays and fits; the library reads the target by passes. */
static void solve(guest_handles *h, target_rows *target) {
    guest_leave();
    dpa_status status = dpa_solve(h->problem, NULL, h->options, &h->solution);
    guest_return();
    if (status != DPA_OK) guest_rethrow(&target->errors);
    guest_check(status);
}

/* Reads the source only. */
static void plan(guest_handles *h, target_rows *target) {
    guest_leave();
    dpa_status status = dpa_plan_for_problem(h->problem, h->options, &h->plan);
    guest_return();
    if (status != DPA_OK) guest_rethrow(&target->errors);
    guest_check(status);
}

PG_FUNCTION_INFO_V1(dpadapt_fit);
Datum dpadapt_fit(PG_FUNCTION_ARGS) {
    MemoryContext caller = CurrentMemoryContext;
    PreventCommandIfReadOnly("dpadapt.fit");
    problem_facts facts = facts_from(fcinfo, 1);
    Datum name = PG_GETARG_DATUM(0);
    SPI_connect();
    guest_handles *h = guest_new(CurrentMemoryContext);
    model_reserve(name, &facts);
    target_rows *target = problem_open(h, &facts);
    solve(h, target);
    model_store(name, h);

    MemoryContext spi = MemoryContextSwitchTo(caller);
    Datum report = report_of(h, facts.label, facts.features);
    MemoryContextSwitchTo(spi);
    SPI_finish();
    PG_RETURN_DATUM(report);
}

PG_FUNCTION_INFO_V1(dpadapt_plan);
Datum dpadapt_plan(PG_FUNCTION_ARGS) {
    MemoryContext caller = CurrentMemoryContext;
    problem_facts facts = facts_from(fcinfo, 0);
    SPI_connect();
    guest_handles *h = guest_new(CurrentMemoryContext);
    plan(h, problem_open(h, &facts));

    MemoryContext spi = MemoryContextSwitchTo(caller);
    char *json;
    GUEST_REPORT(json, dpa_plan_report, h->plan);
    Datum report = DirectFunctionCall1(jsonb_in, CStringGetDatum(json));
    MemoryContextSwitchTo(spi);
    SPI_finish();
    PG_RETURN_DATUM(report);
}

/* calibrate(name, model, target, label, options): a copy of a model with intervals of its
 * predictions, by protected rows, paid from their ledger. */
#include <catalog/pg_type.h>
#include <executor/spi.h>
#include <utils/array.h>

#include "candidates.h"
#include "report.h"

/* Pays, and reads the target by passes. */
static void calibrate(guest_handles *h, target_rows *target) {
    dpa_solution *calibrated;
    guest_leave();
    dpa_status status = dpa_solution_calibrate(h->solution, h->problem, h->options, &calibrated);
    guest_return();
    if (status != DPA_OK) guest_rethrow(&target->errors);
    guest_check(status);
    dpa_solution_destroy(h->solution);
    h->solution = calibrated;
}

PG_FUNCTION_INFO_V1(dpadapt_calibrate);
Datum dpadapt_calibrate(PG_FUNCTION_ARGS) {
    MemoryContext caller = CurrentMemoryContext;
    PreventCommandIfReadOnly("dpadapt.calibrate");
    guest_refuse_nulls(fcinfo);
    Datum name = PG_GETARG_DATUM(0), model = PG_GETARG_DATUM(1);
    Oid relation = PG_GETARG_OID(2);
    SPI_connect();
    ArrayType *models = construct_array(&model, 1, TEXTOID, -1, false, TYPALIGN_INT);
    candidates one = candidates_load(PointerGetDatum(models), relation);
    model_reserve_copy(name, model);
    target_rows *target = candidates_target(&one, relation, PG_GETARG_DATUM(3), PG_GETARG_DATUM(4));
    calibrate(one.first, target);
    model_store(name, one.first);

    MemoryContext spi = MemoryContextSwitchTo(caller);
    Datum report = report_of(one.first, one.columns.label, one.columns.features);
    MemoryContextSwitchTo(spi);
    SPI_finish();
    PG_RETURN_DATUM(report);
}

#include "target.h"

#include <catalog/pg_type.h>
#include <executor/spi.h>
#include <miscadmin.h>
#include <utils/builtins.h>
#include <utils/memutils.h>

#include "ledger.h"
#include "relation.h"

/* The only value of a query, run as the owner, who can do nothing then but read; 0 for NULL. */
static Datum query_as_owner(const target_rows *target, const char *query, bytea *request) {
    Oid user, type = BYTEAOID;
    int security;
    bool isnull;
    Datum argument = PointerGetDatum(request);
    GetUserIdAndSecContext(&user, &security);
    SetUserIdAndSecContext(target->owner,
                           security | SECURITY_LOCAL_USERID_CHANGE | SECURITY_RESTRICTED_OPERATION);
    int result = SPI_execute_with_args(query, request != NULL, &type, &argument, NULL, true, 0);
    SetUserIdAndSecContext(user, security);
    if (result != SPI_OK_SELECT || SPI_processed != 1)
        elog(ERROR, "a pass failed: %s", SPI_result_code_string(result));
    Datum value = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, &isnull);
    return isnull ? (Datum)0 : value;
}

static bytea *as_bytea(const uint8_t *data, size_t size) {
    bytea *bytes = palloc(VARHDRSZ + size);
    SET_VARSIZE(bytes, VARHDRSZ + size);
    if (size > 0) memcpy(VARDATA(bytes), data, size);
    return bytes;
}

static char *pass_query(Oid relation, const char *label, int features, char **names) {
    StringInfoData sql;
    initStringInfo(&sql);
    appendStringInfoString(&sql, "SELECT dpadapt.pass($1, ARRAY[");
    for (int j = 0; j < features; ++j) {
        if (j > 0) appendStringInfoString(&sql, ", ");
        relation_append_number(&sql, relation, names[j]);
    }
    appendStringInfoString(&sql, "], ");
    relation_append_number(&sql, relation, label);
    appendStringInfo(&sql, ") FROM %s", relation_sql(relation));
    return sql.data;
}

static target_rows *open_rows(Oid relation, const char *label, int features, char **names) {
    target_rows *target = palloc0(sizeof *target);
    target->relation = relation;
    target->owner = relation_open_private(relation);
    target->query = pass_query(relation, label, features, names);
    target->errors.context = CurrentMemoryContext;
    target->scratch =
        AllocSetContextCreate(CurrentMemoryContext, "dpadapt pass", ALLOCSET_DEFAULT_SIZES);
    (void)query_as_owner(target, psprintf("%s WHERE false", target->query), as_bytea(NULL, 0));
    target->rows = DatumGetInt64(query_as_owner(
        target, psprintf("SELECT pg_catalog.count(*) FROM %s", relation_sql(relation)), NULL));
    return target;
}

static void answer(target_rows *target, const uint8_t *request, size_t size, dpa_partial *total) {
    MemoryContextReset(target->scratch);
    MemoryContext old = MemoryContextSwitchTo(target->scratch);
    Datum sum = query_as_owner(target, target->query, as_bytea(request, size));
    if (sum == (Datum)0) elog(ERROR, "a pass saw no rows");
    bytea *bytes = DatumGetByteaPP(sum);
    guest_check(dpa_partial_merge(total, (uint8_t *)VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes)));
    SPI_freetuptable(SPI_tuptable);
    MemoryContextSwitchTo(old);
}

static int32_t pass(const uint8_t *request, size_t size, dpa_partial *total, void *user) {
    target_rows *target = user;
    GUEST_KEEPING_ERRORS(&target->errors, answer(target, request, size, total));
    return target->errors.error != NULL;
}

/* Interrupts are more than cancelling, such as messages of parallel workers: PostgreSQL knows. But
 * the end of the process, which is no jump, waits until the library has returned. */
static int32_t progress(const dpa_progress *state, void *user) {
    target_rows *target = user;
    (void)state;
    if (target->errors.error == NULL && !ProcDiePending)
        GUEST_KEEPING_ERRORS(&target->errors, CHECK_FOR_INTERRUPTS());
    return target->errors.error != NULL || ProcDiePending;
}

target_rows *target_problem(guest_handles *h, Oid relation, const char *label, Datum options,
                            int features, char **names) {
    ledger_open(relation, h);
    guest_check(dpa_options_create(&h->options));
    guest_parse(h->options, TextDatumGetCString(options));
    guest_check(dpa_problem_create(&h->problem));
    guest_check(dpa_problem_use_ledger(h->problem, h->ledger));
    target_rows *target = open_rows(relation, label, features, names);
    guest_check(dpa_problem_set_target_passes(h->problem, (size_t)target->rows, (size_t)features,
                                              pass, target));
    guest_check(dpa_options_set_progress(h->options, progress, target));
    return target;
}

void target_rethrow(target_rows *target) {
    if (target->errors.error != NULL) ReThrowError(target->errors.error);
    CHECK_FOR_INTERRUPTS();
}

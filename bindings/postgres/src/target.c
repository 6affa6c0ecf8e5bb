#include "target.h"

#include <catalog/pg_type.h>
#include <executor/spi.h>
#include <miscadmin.h>
#include <utils/builtins.h>
#include <utils/lsyscache.h>
#include <utils/memutils.h>

#include "coder.h"
#include "family.h"
#include "ledger.h"
#include "ledger_file.h"
#include "relation.h"
#include "share.h"

/* The only value of a query, run as the owner, who can do nothing then but read; 0 for NULL.
 * Arguments are bytea. */
static Datum query_as_owner(const target_rows *target, const char *query, int count,
                            Datum *arguments) {
    Oid user, types[] = {BYTEAOID, BYTEAOID};
    int security;
    bool isnull;
    GetUserIdAndSecContext(&user, &security);
    SetUserIdAndSecContext(target->owner,
                           security | SECURITY_LOCAL_USERID_CHANGE | SECURITY_RESTRICTED_OPERATION);
    int result = SPI_execute_with_args(query, count, types, arguments, NULL, true, 0);
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

static char *pass_query(Oid relation, const row_columns *columns) {
    StringInfoData sql;
    initStringInfo(&sql);
    appendStringInfoString(&sql, "SELECT dpadapt.pass($1, ARRAY[");
    for (int j = 0; j < columns->features; ++j) {
        if (j > 0) appendStringInfoString(&sql, ", ");
        relation_append_number(&sql, relation, columns->names[j]);
    }
    appendStringInfoString(&sql, "], ");
    relation_append_number(&sql, relation, columns->label);
    appendStringInfo(&sql, ") FROM %s", relation_sql(relation));
    return sql.data;
}

static char *pass_rows_query(Oid relation, const row_columns *columns, const char *label) {
    StringInfoData sql;
    initStringInfo(&sql);
    appendStringInfoString(&sql, "SELECT dpadapt.pass_rows($1, $2, r.*) FROM (SELECT ");
    columns_append_values(&sql, relation, columns, label);
    appendStringInfo(&sql, " FROM %s) AS r", relation_sql(relation));
    return sql.data;
}

void target_read(target_rows *target, const row_columns *columns, const char *label) {
    Datum nothing = PointerGetDatum(as_bytea(NULL, 0)), arguments[] = {nothing, nothing};
    Oid relation = target->relation;
    target->query =
        columns->coded ? pass_rows_query(relation, columns, label) : pass_query(relation, columns);
    (void)query_as_owner(target, psprintf("%s WHERE false", target->query), 1 + columns->coded,
                         arguments);
    target->rows = DatumGetInt64(query_as_owner(
        target, psprintf("SELECT pg_catalog.count(*) FROM %s", relation_sql(relation)), 0, NULL));
}

/* What has been paid for this pass is where a dump finds it before a row is read. So is whose rows
 * these are. */
static void keep_ledgers(target_rows *target) {
    for (int k = 0; k < 2 && target->ledgers[k] != NULL; ++k) {
        int64 blocks = ledger_file_blocks(target->ledgers[k]);
        if (blocks == target->blocks[k]) continue;
        ledger_keep(target->ledgers[k]);
        if (k == 0) family_keep(target->ledgers[0], target->relation);
        target->blocks[k] = blocks;
    }
}

static void answer(target_rows *target, const uint8_t *request, size_t size, dpa_partial *total) {
    MemoryContextReset(target->scratch);
    MemoryContext old = MemoryContextSwitchTo(target->scratch);
    keep_ledgers(target);
    Datum arguments[] = {PointerGetDatum(as_bytea(request, size)), PointerGetDatum(target->schema)};
    Datum sum = query_as_owner(target, target->query, target->schema == NULL ? 1 : 2, arguments);
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

target_rows *target_open(guest_handles *h, Oid relation, Datum options) {
    target_rows *target = palloc0(sizeof *target);
    share_open(relation, h, target->ledgers);
    guest_check(dpa_options_create(&h->options));
    guest_parse(h->options, TextDatumGetCString(options));
    guest_check(dpa_problem_create(&h->problem));
    guest_check(dpa_problem_use_ledger(h->problem, h->ledger));
    target->relation = relation;
    target->owner = relation_open_private(relation);
    target->errors.context = CurrentMemoryContext;
    target->scratch =
        AllocSetContextCreate(CurrentMemoryContext, "dpadapt pass", ALLOCSET_DEFAULT_SIZES);
    guest_check(dpa_options_set_progress(h->options, progress, target));
    return target;
}

void target_check(const target_rows *target, const row_columns *columns, const char *label,
                  guest_handles *h, size_t features) {
    if (h->schema == NULL) return;
    int count = columns->features + 1;
    char **names = palloc(sizeof *names * (size_t)count);
    Oid *base = palloc(sizeof *base * (size_t)count);
    for (int j = 0; j < count; ++j) {
        const char *here = j + 1 < count ? columns->names[j] : columns->label;
        names[j] = j + 1 < count ? columns->names[j] : pstrdup(label);
        base[j] = getBaseType(get_atttype(target->relation, get_attnum(target->relation, here)));
    }
    coder *nothing = coder_new(count, names, base);
    coder_add(nothing);
    for (int j = 0; j < count; ++j) coder_put(nothing, j, (Datum)0, true);
    double *x = palloc(sizeof *x * features), y;
    coder_apply(nothing, h, features, x, &y);
    coder_free(nothing);
}

void target_set(target_rows *target, guest_handles *h, size_t features) {
    if (h->schema != NULL) GUEST_BYTES(target->schema, dpa_schema_serialize, h->schema);
    guest_check(dpa_problem_set_passes(h->problem, DPA_TARGET, (size_t)target->rows, features, pass,
                                       target));
}

#include "tables.h"

#include <access/parallel.h>
#include <access/table.h>
#include <access/tableam.h>
#include <access/xact.h>
#include <access/xlog.h>
#include <catalog/namespace.h>
#include <catalog/pg_class.h>
#include <executor/executor.h>
#include <executor/spi.h>
#include <nodes/makefuncs.h>
#include <storage/lmgr.h>
#include <utils/guc.h>
#include <utils/lsyscache.h>
#include <utils/rel.h>
#include <utils/snapmgr.h>
#include <utils/syscache.h>

/* Of any object; no object has that many columns. */
enum { kLockPart = 7001 };

static Oid table_named(const char *name) {
    Oid table = get_relname_relid(name, get_namespace_oid("dpadapt", false));
    if (!OidIsValid(table)) elog(ERROR, "the table dpadapt.%s is missing", name);
    return table;
}

static Oid owner_of_tables(void) {
    HeapTuple tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(table_named("models")));
    if (!HeapTupleIsValid(tuple)) elog(ERROR, "the table dpadapt.models is missing");
    Oid owner = ((Form_pg_class)GETSTRUCT(tuple))->relowner;
    ReleaseSysCache(tuple);
    return owner;
}

static void set(const char *name, const char *value) {
    (void)set_config_option(name, value, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0,
                            false);
}

/* A view of the caller's, or their session, may have set a search path with operators of theirs.
 * Workers would take longer than the query. What is only read is read as it is now: a transaction
 * of the caller's may have begun before a partition was attached, whose rows a pass would see. */
void tables_execute(const char *query, int count, Oid *types, Datum *values, bool read_only) {
    Oid user;
    int security, settings = NewGUCNestLevel();
    GetUserIdAndSecContext(&user, &security);
    SetUserIdAndSecContext(owner_of_tables(),
                           security | SECURITY_LOCAL_USERID_CHANGE | SECURITY_RESTRICTED_OPERATION);
    set("search_path", "pg_catalog, pg_temp");
    set("max_parallel_workers_per_gather", "0");
    if (read_only) PushActiveSnapshot(GetLatestSnapshot());
    int result = SPI_execute_with_args(query, count, types, values, NULL, read_only, 0);
    if (read_only) PopActiveSnapshot();
    AtEOXact_GUC(false, settings);
    SetUserIdAndSecContext(user, security);
    if (result < 0)
        elog(ERROR, "a table of dpadapt is not at hand: %s", SPI_result_code_string(result));
}

Datum tables_value(bool *isnull) {
    *isnull = SPI_processed == 0;
    if (*isnull) return (Datum)0;
    return SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1, isnull);
}

text_list tables_texts(const char *query, int count, Oid *types, Datum *values) {
    text_list found;
    tables_execute(query, count, types, values, true);
    found.count = (int)SPI_processed;
    found.texts = palloc(sizeof *found.texts * (SPI_processed + 1));
    for (int k = 0; k < found.count; ++k)
        found.texts[k] = SPI_getvalue(SPI_tuptable->vals[k], SPI_tuptable->tupdesc, 1);
    SPI_freetuptable(SPI_tuptable);
    return found;
}

void tables_insert(const char *table, int count, Datum *values) {
    Relation rel = table_open(table_named(table), RowExclusiveLock);
    if (RelationGetDescr(rel)->natts != count) elog(ERROR, "dpadapt.%s has other columns", table);
    EState *estate = CreateExecutorState();
    ResultRelInfo *info = makeNode(ResultRelInfo);
    InitResultRelInfo(info, rel, 1, NULL, 0);
    ExecOpenIndices(info, false);
    TupleTableSlot *slot = table_slot_create(rel, NULL);
    ExecClearTuple(slot);
    for (int j = 0; j < count; ++j) slot->tts_values[j] = values[j], slot->tts_isnull[j] = false;
    ExecStoreVirtualTuple(slot);
    HOLD_INTERRUPTS(); /* an entry without its place in the index would be added again */
    table_tuple_insert(rel, slot, GetCurrentCommandId(true), TABLE_INSERT_FROZEN, NULL);
    if (info->ri_NumIndices > 0)
        (void)ExecInsertIndexTuples(info, slot, estate, false, false, NULL, NIL);
    RESUME_INTERRUPTS();
    ExecDropSingleTupleTableSlot(slot);
    ExecCloseIndices(info);
    FreeExecutorState(estate);
    table_close(rel, RowExclusiveLock);
}

void tables_flush(void) { XLogFlush(XactLastRecEnd); }

bool tables_are_open(void) { return !XactReadOnly && !RecoveryInProgress() && !IsInParallelMode(); }

void tables_lock(void) {
    LockDatabaseObject(RelationRelationId, table_named("models"), kLockPart, ExclusiveLock);
}

void tables_unlock(void) {
    UnlockDatabaseObject(RelationRelationId, table_named("models"), kLockPart, ExclusiveLock);
}

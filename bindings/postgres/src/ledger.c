#include "ledger.h"

#include <catalog/pg_type.h>
#include <executor/spi.h>
#include <utils/builtins.h>
#include <utils/fmgrprotos.h>
#include <utils/jsonb.h>

#include "family.h"
#include "ledger_file.h"
#include "tables.h"

/* Blocks of a ledger in the tables. */
static int64 count_where(const char *what, const char *id) {
    Oid type = TEXTOID;
    Datum value = CStringGetTextDatum(id);
    bool isnull;
    tables_execute(psprintf("SELECT %s FROM dpadapt.ledger_entries WHERE ledger = $1", what), 1,
                   &type, &value, true);
    return DatumGetInt64(tables_value(&isnull));
}

static int64 kept_blocks(const char *id) {
    return count_where("coalesce(max(sequence), -1) + 1", id);
}

static char *read_kept(const char *id, int64 first, int64 count) {
    Oid types[] = {TEXTOID, INT8OID, INT8OID};
    Datum values[] = {CStringGetTextDatum(id), Int64GetDatum(first), Int64GetDatum(first + count)};
    char *bytes = MemoryContextAllocHuge(CurrentMemoryContext, (size_t)count * kLedgerBlock + 1);
    tables_execute(
        "SELECT DISTINCT sequence, block FROM dpadapt.ledger_entries "
        "WHERE ledger = $1 AND sequence >= $2 AND sequence < $3 ORDER BY sequence",
        3, types, values, true);
    bool whole = SPI_processed == (uint64)count;
    for (int64 k = 0; k < count && whole; ++k) {
        bool isnull;
        bytea *block = DatumGetByteaPP(
            SPI_getbinval(SPI_tuptable->vals[k], SPI_tuptable->tupdesc, 2, &isnull));
        whole = VARSIZE_ANY_EXHDR(block) == kLedgerBlock;
        if (whole) memcpy(bytes + k * kLedgerBlock, VARDATA_ANY(block), kLedgerBlock);
    }
    SPI_freetuptable(SPI_tuptable);
    return whole ? bytes : NULL;
}

static void refuse_histories(const char *id) {
    ereport(ERROR, errcode(ERRCODE_DATA_CORRUPTED),
            errmsg("ledger \"%s\" has two histories", family_name(id)),
            errdetail("The file \"%s\" and the rows of dpadapt.ledger_entries do not go on from "
                      "each other.",
                      ledger_file_path(id)),
            errhint("A superuser decides which one counts, and takes the other one away."));
}

/* The longer one of file and table continues the other one; then the file is the longer one. */
static void mend(const char *id) {
    int64 file = ledger_file_blocks(id), kept = kept_blocks(id);
    if (file < 0 && kept == 0)
        ereport(ERROR, errcode(ERRCODE_DATA_CORRUPTED),
                errmsg("ledger \"%s\" is lost: neither its file nor its rows are there",
                       family_name(id)));
    if (kept == 0) return;
    /* Each number is there once; in one query, since others add entries meanwhile. */
    if (count_where("count(*) - (max(sequence) + 1)", id) > 0 &&
        count_where("count(DISTINCT (sequence, block)) - (max(sequence) + 1)", id) > 0)
        refuse_histories(id);
    int64 common = Min(file, kept);
    if (common > 0) {
        char *last = read_kept(id, common - 1, 1);
        if (last == NULL || memcmp(last, ledger_file_read(id, common - 1, 1), kLedgerBlock) != 0)
            refuse_histories(id);
    }
    if (kept <= file) return;
    int64 first = Max(file, 0);
    char *more = read_kept(id, first, kept - first);
    if (more == NULL) refuse_histories(id);
    if (file < 0)
        ledger_file_create(id, more, kept);
    else
        ledger_file_extend(id, file, more, kept - file);
}

void ledger_open(const char *id, guest_handles *handles) {
    mend(id);
    family_note(id);
    guest_check(dpa_ledger_open(ledger_file_path(id), &handles->ledger));
    ledger_keep(id);
}

void ledger_keep(const char *id) {
    if (!tables_are_open() || ledger_file_blocks(id) <= kept_blocks(id)) return;
    tables_lock();
    int64 kept = kept_blocks(id), more = ledger_file_blocks(id) - kept;
    if (more > 0) {
        const char *blocks = ledger_file_read(id, kept, more);
        for (int64 k = 0; k < more; ++k) {
            bytea *block = palloc(VARHDRSZ + kLedgerBlock);
            SET_VARSIZE(block, VARHDRSZ + kLedgerBlock);
            memcpy(VARDATA(block), blocks + k * kLedgerBlock, kLedgerBlock);
            Datum values[] = {CStringGetTextDatum(id), Int64GetDatum(kept + k),
                              PointerGetDatum(block)};
            tables_insert("ledger_entries", lengthof(values), values);
        }
        tables_flush();
    }
    tables_unlock();
}

char *ledger_tells(const dpa_ledger *ledger, const char *key) {
    char *json;
    GUEST_REPORT(json, dpa_ledger_report, ledger);
    Datum report = DirectFunctionCall1(jsonb_in, CStringGetDatum(json));
    LOCAL_FCINFO(call, 2);
    InitFunctionCallInfoData(*call, NULL, 2, InvalidOid, NULL, NULL);
    call->args[0] = (NullableDatum){report, false};
    call->args[1] = (NullableDatum){CStringGetTextDatum(key), false};
    Datum member = jsonb_object_field_text(call);
    return call->isnull ? pstrdup("") : TextDatumGetCString(member);
}

void ledger_make(guest_handles *h, const char *options, double epsilon, double delta, bool locks) {
    char unit[16];
    guest_check(dpa_options_create(&h->options));
    guest_parse(h->options, options);
    guest_check(dpa_options_get(h->options, "unit", unit, sizeof unit, NULL));
    if (strcmp(unit, "person") == 0)
        ereport(ERROR, errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                errmsg("a ledger of relations is about records, not persons"));
    guest_check(dpa_options_parse(h->options, "unit", "record"));
    guest_check(dpa_options_set(h->options, "epsilon", epsilon));
    guest_check(dpa_options_set(h->options, "delta", delta));
    guest_check(dpa_options_parse(h->options, "private_domain", "target"));
    guest_check(dpa_ledger_create(NULL, h->options, locks ? 1 : 0, &h->ledger));
}

char *ledger_store(const dpa_ledger *ledger) {
    bytea *bytes;
    char *id = ledger_tells(ledger, "id");
    GUEST_BYTES(bytes, dpa_ledger_serialize, ledger);
    ledger_file_create(id, VARDATA(bytes), (VARSIZE(bytes) - VARHDRSZ) / kLedgerBlock);
    ledger_keep(id);
    return id;
}

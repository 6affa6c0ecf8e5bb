/* allow(relation, role, epsilon, delta, options) and disallow(relation, role) */
#include "share.h"

#include <access/xlog.h>
#include <catalog/objectaddress.h>
#include <catalog/pg_type.h>
#include <executor/spi.h>
#include <utils/acl.h>
#include <utils/array.h>
#include <utils/builtins.h>
#include <utils/json.h>
#include <utils/lsyscache.h>

#include "family.h"
#include "ledger.h"
#include "relation.h"
#include "tables.h"

/* The last row of a role counts; one without a share takes it away. A role is what its server knows
 * it by, not its name, which another one may have later. pg_upgrade makes another server with the
 * same roles; a dump comes to one with others: there it is a role only with its name, too. */
static const char latest[] =
    "SELECT s.role, r.rolname, s.share FROM (SELECT DISTINCT ON (role) * "
    "FROM dpadapt.ledger_shares WHERE ledger = $1 ORDER BY role, number DESC) AS s "
    "JOIN pg_roles AS r ON r.oid = s.role AND (s.server = $2 OR s.name = r.rolname) "
    "WHERE s.share <> ''";

static Datum this_server(void) { return Int64GetDatum((int64)GetSystemIdentifier()); }

static char *name_of_role(Oid role) { return GetUserNameFromId(role, false); }

char *share_of(const char *ledger, Oid role) {
    Oid types[] = {TEXTOID, INT8OID, OIDOID};
    Datum values[] = {CStringGetTextDatum(ledger), this_server(), ObjectIdGetDatum(role)};
    bool isnull;
    tables_execute(psprintf("SELECT share FROM (%s) AS s WHERE role = $3", latest), lengthof(types),
                   types, values, true);
    Datum share = tables_value(&isnull);
    return isnull ? NULL : TextDatumGetCString(share);
}

void share_open(Oid relation, guest_handles *h, const char **ids) {
    ids[0] = family_open(relation);
    ids[1] = NULL;
    if (pg_class_ownercheck(relation, GetUserId())) {
        ledger_open(ids[0], h);
        return;
    }
    ids[1] = share_of(ids[0], GetUserId());
    if (ids[1] == NULL)
        ereport(ERROR, errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
                errmsg("role \"%s\" has no share of ledger \"%s\"",
                       GetUserNameFromId(GetUserId(), false), family_name(ids[0])),
                errhint("Who owns the relation gives one with dpadapt.allow."));
    guest_handles *whole = guest_new(CurrentMemoryContext);
    ledger_open(ids[0], whole);
    ledger_open(ids[1], h);
    guest_check(dpa_ledger_set_parent(h->ledger, whole->ledger));
}

/* Of all roles but one. */
static text_list shares(const char *ledger, Oid without, char ***roles) {
    text_list found = {0};
    Oid types[] = {TEXTOID, INT8OID, OIDOID};
    Datum values[] = {CStringGetTextDatum(ledger), this_server(), ObjectIdGetDatum(without)};
    tables_execute(
        psprintf("SELECT rolname, share FROM (%s) AS s WHERE role <> $3 ORDER BY 1", latest),
        lengthof(types), types, values, true);
    SPITupleTable *rows = SPI_tuptable;
    found.texts = palloc(sizeof *found.texts * (rows->numvals + 1));
    *roles = palloc(sizeof **roles * (rows->numvals + 1));
    for (uint64 k = 0; k < rows->numvals; ++k) {
        (*roles)[k] = SPI_getvalue(rows->vals[k], rows->tupdesc, 1);
        found.texts[found.count++] = SPI_getvalue(rows->vals[k], rows->tupdesc, 2);
    }
    return found;
}

char *share_list(const char *ledger) {
    static const char *keys[] = {"budget", "spent", "left"};
    StringInfoData json;
    char **roles;
    text_list all = shares(ledger, InvalidOid, &roles);
    initStringInfo(&json);
    for (int k = 0; k < all.count; ++k) {
        guest_handles *h = guest_new(CurrentMemoryContext);
        ledger_open(all.texts[k], h);
        appendStringInfoString(&json, k > 0 ? ", {\"role\": " : "[{\"role\": ");
        escape_json(&json, roles[k]);
        for (size_t j = 0; j < lengthof(keys); ++j)
            appendStringInfo(&json, ", \"%s\": %s", keys[j], ledger_tells(h->ledger, keys[j]));
        appendStringInfoChar(&json, '}');
    }
    appendStringInfoString(&json, all.count > 0 ? "]" : "[]");
    return json.data;
}

/* What others may still spend and the new share are at most what is left, in each part. */
static void check_room(const guest_handles *whole, const char *id, Oid role,
                       const guest_handles *share) {
    char **roles;
    text_list others = shares(id, role, &roles);
    Datum *parts = palloc(sizeof *parts * (size_t)(others.count + 1));
    for (int k = 0; k < others.count; ++k) {
        guest_handles *h = guest_new(CurrentMemoryContext);
        ledger_open(others.texts[k], h);
        parts[k] = CStringGetTextDatum(ledger_tells(h->ledger, "left"));
    }
    parts[others.count] = CStringGetTextDatum(ledger_tells(share->ledger, "left"));
    Oid types[] = {TEXTOID, TEXTARRAYOID};
    Datum values[] = {CStringGetTextDatum(ledger_tells(whole->ledger, "left")),
                      PointerGetDatum(construct_array(parts, others.count + 1, TEXTOID, -1, false,
                                                      TYPALIGN_INT))};
    tables_execute(
        "SELECT key FROM unnest($2) AS part, jsonb_each_text(part::jsonb) "
        "WHERE key LIKE '%units%' GROUP BY key HAVING sum(value::numeric) > "
        "coalesce(($1::jsonb ->> key)::numeric, 0)",
        2, types, values, true);
    if (SPI_processed > 0)
        ereport(ERROR, errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
                errmsg("ledger \"%s\" has too little left for this share and those of others",
                       family_name(id)),
                errdetail("Left is %s.", ledger_tells(whole->ledger, "left")));
}

static void add_row(const char *ledger, Oid role, const char *share) {
    Oid type = TEXTOID;
    Datum value = CStringGetTextDatum(ledger);
    bool isnull;
    tables_execute(
        "SELECT coalesce(max(number), 0) + 1 FROM dpadapt.ledger_shares "
        "WHERE ledger = $1",
        1, &type, &value, true);
    Datum number = tables_value(&isnull);
    Datum values[] = {
        value,  ObjectIdGetDatum(role),    CStringGetTextDatum(name_of_role(role)), this_server(),
        number, CStringGetTextDatum(share)};
    tables_insert("ledger_shares", lengthof(values), values);
    tables_flush();
}

/* The ledger of a relation that the caller owns, like all others that are counted there. */
static char *own_ledger(FunctionCallInfo fcinfo, const char *what) {
    guest_refuse_nulls(fcinfo);
    PreventCommandIfReadOnly(what);
    char *id = family_open(PG_GETARG_OID(0));
    family_check_owner(id);
    return id;
}

static void tell_former(const char *id, Oid role, const char *former) {
    if (former == NULL) return;
    guest_handles *h = guest_new(CurrentMemoryContext);
    ledger_open(former, h);
    ereport(NOTICE,
            errmsg("the former share of role \"%s\" in ledger \"%s\" is over", name_of_role(role),
                   family_name(id)),
            errdetail("What it has spent stays spent: %s.", ledger_tells(h->ledger, "spent")));
}

PG_FUNCTION_INFO_V1(dpadapt_allow);
Datum dpadapt_allow(PG_FUNCTION_ARGS) {
    SPI_connect();
    char *id = own_ledger(fcinfo, "dpadapt.allow");
    Oid role = PG_GETARG_OID(1);
    guest_handles *whole = guest_new(CurrentMemoryContext),
                  *share = guest_new(CurrentMemoryContext);
    tables_lock();
    ledger_open(id, whole);
    bool locked = *ledger_tells(whole->ledger, "locked_private_domain") != '\0';
    ledger_make(share, text_to_cstring(PG_GETARG_TEXT_PP(4)), PG_GETARG_FLOAT8(2),
                PG_GETARG_FLOAT8(3), locked);
    guest_check(dpa_ledger_set_parent(share->ledger, whole->ledger)); /* that it can be one */
    check_room(whole, id, role, share);
    char *former = share_of(id, role);
    add_row(id, role, ledger_store(share->ledger));
    tables_unlock();
    tell_former(id, role, former);
    SPI_finish();
    PG_RETURN_VOID();
}

PG_FUNCTION_INFO_V1(dpadapt_disallow);
Datum dpadapt_disallow(PG_FUNCTION_ARGS) {
    SPI_connect();
    char *id = own_ledger(fcinfo, "dpadapt.disallow");
    Oid role = PG_GETARG_OID(1);
    char *former = share_of(id, role);
    if (former == NULL)
        ereport(ERROR, errcode(ERRCODE_UNDEFINED_OBJECT),
                errmsg("role \"%s\" has no share of ledger \"%s\"", name_of_role(role),
                       family_name(id)));
    tables_lock();
    add_row(id, role, "");
    tables_unlock();
    tell_former(id, role, former);
    SPI_finish();
    PG_RETURN_VOID();
}

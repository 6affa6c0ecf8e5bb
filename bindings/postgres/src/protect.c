/* protect(relation, epsilon, delta, options, locked, ledger) and budget(relation) */
#include <catalog/objectaddress.h>
#include <catalog/pg_class.h>
#include <executor/spi.h>
#include <utils/acl.h>
#include <utils/builtins.h>
#include <utils/lsyscache.h>

#include "family.h"
#include "ledger.h"
#include "relation.h"
#include "share.h"
#include "tables.h"

enum { kMostName = 200 };

static void check_owner(Oid relation) {
    if (!pg_class_ownercheck(relation, GetUserId()))
        aclcheck_error(ACLCHECK_NOT_OWNER, get_relkind_objtype(get_rel_relkind(relation)),
                       relation_name(relation));
}

/* NULL: that of the relation. */
static char *checked_name(const text *given) {
    char *name = text_to_cstring(given);
    if (*name == '\0') return NULL;
    bool fine = strlen(name) <= kMostName;
    for (const char *c = name; *c != '\0'; ++c) fine = fine && (unsigned char)*c >= ' ';
    if (!fine)
        ereport(
            ERROR, errcode(ERRCODE_INVALID_NAME),
            errmsg("the name of a ledger has 1 to %d bytes and no control characters", kMostName));
    return name;
}

/* What the arguments ask for, in memory. */
static void make_ledger(guest_handles *h, FunctionCallInfo fcinfo) {
    ledger_make(h, text_to_cstring(PG_GETARG_TEXT_PP(3)), PG_GETARG_FLOAT8(1), PG_GETARG_FLOAT8(2),
                PG_GETARG_BOOL(4));
}

/* The ledger that the relation joins, or NULL: people of it are in none that the catalogue or the
 * names know. */
static char *find_ledger(Oid relation, const char *family) {
    text_list found[] = {family_relatives(relation), {0}}; /* the first by its names, too */
    if (family != NULL) found[1] = family_named(family);
    char *id = NULL;
    for (size_t i = 0; i < lengthof(found); ++i)
        for (int k = 0; k < found[i].count; ++k) {
            if (id != NULL && strcmp(id, found[i].texts[k]) != 0)
                ereport(ERROR, errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                        errmsg("relation \"%s\" belongs to two ledgers: \"%s\", \"%s\"",
                               relation_name(relation), family_name(id),
                               family_name(found[i].texts[k])),
                        errdetail("It shares rows with a relation of a ledger, or has the name of "
                                  "one."));
            id = found[i].texts[k];
        }
    if (id != NULL && family != NULL && found[1].count == 0)
        ereport(ERROR, errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                errmsg("relation \"%s\" belongs to ledger \"%s\", not \"%s\"",
                       relation_name(relation), family_name(id), family),
                errdetail("It shares rows with a relation of that ledger, or has the name of "
                          "one."));
    return id;
}

/* Nothing of a ledger changes, whoever joins. */
static void check_same(const guest_handles *wanted, const guest_handles *ledger, const char *id) {
    static const char *keys[] = {"budget", "locked_private_domain", "unit"};
    static const char *words[] = {"budget", "lock", "unit"};
    for (size_t k = 0; k < lengthof(keys); ++k) {
        const char *there = ledger_tells(ledger->ledger, keys[k]);
        if (strcmp(there, ledger_tells(wanted->ledger, keys[k])) != 0)
            ereport(ERROR, errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("the relation would join ledger \"%s\", which has another %s",
                           family_name(id), words[k]),
                    errdetail("It is %s, and does not change.", there));
    }
}

static void join(Oid relation, const char *id, const guest_handles *wanted) {
    guest_handles *h = guest_new(CurrentMemoryContext);
    family_check_owner(id);
    ledger_open(id, h);
    check_same(wanted, h, id);
    family_add(id, NULL, relation);
    ereport(NOTICE,
            errmsg("relation \"%s\" is counted in ledger \"%s\"", relation_name(relation),
                   family_name(id)),
            errdetail("What is spent there stays spent: %s.", ledger_tells(h->ledger, "spent")));
}

static char *begin(Oid relation, const char *family, const guest_handles *wanted) {
    char *id = ledger_store(wanted->ledger), *others = family_others(id);
    family_add(id, family ? family : relation_sql(relation), relation);
    if (others != NULL)
        ereport(NOTICE,
                errmsg("relation \"%s\" has a new ledger beside others: %s",
                       relation_name(relation), others),
                errdetail("A copy of a table shares no rows that the catalogue knows of. The "
                          "budgets of people who are in two ledgers add up."));
    return id;
}

PG_FUNCTION_INFO_V1(dpadapt_protect);
Datum dpadapt_protect(PG_FUNCTION_ARGS) {
    guest_refuse_nulls(fcinfo);
    Oid relation = PG_GETARG_OID(0);
    PreventCommandIfReadOnly("dpadapt.protect");
    (void)relation_open_private(relation);
    check_owner(relation);
    if (get_rel_persistence(relation) == RELPERSISTENCE_TEMP)
        ereport(ERROR, errcode(ERRCODE_WRONG_OBJECT_TYPE),
                errmsg("\"%s\" is temporary and cannot be protected", relation_name(relation)),
                errdetail("Another session could have a table of the same name."));
    SPI_connect();
    guest_handles *wanted = guest_new(CurrentMemoryContext);
    make_ledger(wanted, fcinfo);
    const char *family = checked_name(PG_GETARG_TEXT_PP(5));
    tables_lock();
    char *known = family_ledger(relation);
    if (known != NULL) {
        family_keep(known, relation); /* it may have another name */
        ereport(ERROR, errcode(ERRCODE_DUPLICATE_OBJECT),
                errmsg("relation \"%s\" is protected already", relation_name(relation)),
                errdetail("The budget of a ledger does not change."));
    }
    family_check_rights(relation);
    char *id = find_ledger(relation, family);
    family_tell_unknown(relation);
    if (get_rel_relkind(relation) == RELKIND_MATVIEW)
        ereport(NOTICE, errmsg("the number of rows of \"%s\" is public", relation_name(relation)),
                errdetail("A materialized view must leave out no row by private columns."));
    if (id != NULL)
        join(relation, id, wanted);
    else
        id = begin(relation, family, wanted);
    tables_unlock();
    family_tell_elsewhere(id, relation);
    SPI_finish();
    PG_RETURN_VOID();
}

PG_FUNCTION_INFO_V1(dpadapt_budget);
Datum dpadapt_budget(PG_FUNCTION_ARGS) {
    MemoryContext caller = CurrentMemoryContext;
    char *json;
    SPI_connect();
    guest_handles *h = guest_new(CurrentMemoryContext);
    const char *id = family_open(PG_GETARG_OID(0));
    ledger_open(id, h);
    GUEST_REPORT(json, dpa_ledger_report, h->ledger);
    *strrchr(json, '}') = '\0'; /* for another member */
    json = psprintf("%s, \"shares\": %s}", json, share_list(id));
    MemoryContext spi = MemoryContextSwitchTo(caller);
    Datum report = DirectFunctionCall1(jsonb_in, CStringGetDatum(json));
    MemoryContextSwitchTo(spi);
    SPI_finish();
    PG_RETURN_DATUM(report);
}

#include "ledger.h"

#include <catalog/objectaddress.h>
#include <common/file_perm.h>
#include <miscadmin.h>
#include <storage/fd.h>
#include <unistd.h>
#include <utils/acl.h>
#include <utils/builtins.h>
#include <utils/lsyscache.h>

#include "relation.h"

static const char folder[] = "dpadapt";

char *ledger_path(Oid relation) {
    return psprintf("%s/%u_%u.ledger", folder, MyDatabaseId, relation);
}

bool ledger_exists(Oid relation) { return access(ledger_path(relation), F_OK) == 0; }

void ledger_open(Oid relation, guest_handles *handles) {
    if (!ledger_exists(relation))
        ereport(ERROR, errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                errmsg("relation \"%s\" is not protected", relation_name(relation)),
                errhint("Its owner opens its ledger with dpadapt.protect."));
    guest_check(dpa_ledger_open(ledger_path(relation), &handles->ledger));
}

static void make_folder(void) {
    if (MakePGDirectory(folder) == 0)
        fsync_fname(".", true);
    else if (errno != EEXIST)
        ereport(ERROR, errcode_for_file_access(),
                errmsg("could not create directory \"%s\": %m", folder));
}

/* protect(relation, epsilon, delta, options, locked) */
PG_FUNCTION_INFO_V1(dpadapt_protect);
Datum dpadapt_protect(PG_FUNCTION_ARGS) {
    guest_handles *h = guest_new(CurrentMemoryContext);
    guest_refuse_nulls(fcinfo);
    Oid relation = PG_GETARG_OID(0);
    relation_open_private(relation);
    if (!pg_class_ownercheck(relation, GetUserId()))
        aclcheck_error(ACLCHECK_NOT_OWNER, get_relkind_objtype(get_rel_relkind(relation)),
                       relation_name(relation));
    if (ledger_exists(relation))
        ereport(ERROR, errcode(ERRCODE_DUPLICATE_OBJECT),
                errmsg("relation \"%s\" is protected already", relation_name(relation)),
                errdetail("The budget of a ledger does not change."));
    guest_check(dpa_options_create(&h->options));
    guest_parse(h->options, text_to_cstring(PG_GETARG_TEXT_PP(3)));
    guest_check(dpa_options_set_double(h->options, "epsilon", PG_GETARG_FLOAT8(1)));
    guest_check(dpa_options_set_double(h->options, "delta", PG_GETARG_FLOAT8(2)));
    guest_check(dpa_options_set_string(h->options, "private_domain", "target"));
    make_folder();
    guest_check(dpa_ledger_create_file(ledger_path(relation), h->options, PG_GETARG_BOOL(4) ? 1 : 0,
                                       &h->ledger));
    PG_RETURN_VOID();
}

/* budget(relation) */
PG_FUNCTION_INFO_V1(dpadapt_budget);
Datum dpadapt_budget(PG_FUNCTION_ARGS) {
    guest_handles *h = guest_new(CurrentMemoryContext);
    char *json;
    ledger_open(PG_GETARG_OID(0), h);
    GUEST_REPORT(json, dpa_ledger_report, h->ledger);
    PG_RETURN_DATUM(DirectFunctionCall1(jsonb_in, CStringGetDatum(json)));
}

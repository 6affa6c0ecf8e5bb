#include "family.h"

#include <catalog/objectaddress.h>
#include <catalog/pg_type.h>
#include <executor/spi.h>
#include <utils/acl.h>
#include <utils/builtins.h>
#include <utils/lsyscache.h>

#include "relation.h"
#include "tables.h"

static text_list texts_of(const char *query, Oid type, Datum value) {
    return tables_texts(query, 1, &type, &value);
}

/* Ids become names of files. */
static text_list ids_of(const char *query, Oid type, Datum value) {
    text_list found = texts_of(query, type, value);
    for (int k = 0; k < found.count; ++k)
        if (strlen(found.texts[k]) != kIdLetters ||
            strspn(found.texts[k], "0123456789abcdef") != kIdLetters)
            elog(ERROR, "\"%s\" is not the id of a ledger", found.texts[k]);
    return found;
}

text_list family_relatives(Oid relation) {
    return ids_of(
        "SELECT ledger FROM dpadapt.counted_of($1) UNION "
        "SELECT m.ledger FROM dpadapt.reached_from("
        "ARRAY(SELECT dpadapt.rows_from($1)), true, true) AS r "
        "JOIN dpadapt.ledger_relations AS m ON m.relation = r.object "
        "WHERE m.kind = 'r' AND r.class = 'pg_class'::regclass",
        REGCLASSOID, ObjectIdGetDatum(relation));
}

void family_check_rights(Oid relation) {
    text_list others = texts_of(
        "SELECT dpadapt.rows_from($1)::regclass EXCEPT SELECT object::regclass "
        "FROM dpadapt.reached_from(ARRAY[$1::oid], false, true) LIMIT 1",
        REGCLASSOID, ObjectIdGetDatum(relation));
    if (others.count == 0) return;
    ereport(ERROR, errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
            errmsg("relation \"%s\" reads %s, and cannot have its rows", relation_name(relation),
                   others.texts[0]),
            errdetail("The owner of a view or function may not read what that reads, or a "
                      "materialized view is not populated."));
}

text_list family_named(const char *name) {
    return ids_of("SELECT DISTINCT ledger FROM dpadapt.ledger_names WHERE name = $1", TEXTOID,
                  CStringGetTextDatum(name));
}

char *family_ledger(Oid relation) {
    text_list own = ids_of(
        "SELECT DISTINCT ledger FROM dpadapt.ledger_relations WHERE relation = $1 AND kind = 'r'",
        REGCLASSOID, ObjectIdGetDatum(relation));
    if (own.count == 0) return NULL;
    text_list all = family_relatives(relation);
    if (all.count == 1) return own.texts[0];
    ereport(ERROR, errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
            errmsg("relation \"%s\" shares rows with relations of another ledger, or has the name "
                   "of one: \"%s\", \"%s\"",
                   relation_name(relation), family_name(all.texts[0]), family_name(all.texts[1])),
            errhint("Two ledgers cannot count the same rows. What one of them has counted is not "
                    "counted anew after it is detached."));
}

char *family_open(Oid relation) {
    char *id = family_ledger(relation);
    if (id == NULL)
        ereport(ERROR, errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                errmsg("relation \"%s\" is not protected", relation_name(relation)),
                errhint("Its owner opens its ledger with dpadapt.protect."));
    return id;
}

char *family_name(const char *id) {
    text_list names = texts_of(
        "SELECT name FROM dpadapt.ledger_names WHERE ledger = $1 "
        "ORDER BY kind = 'f' DESC LIMIT 1",
        TEXTOID, CStringGetTextDatum(id));
    return names.count > 0 ? names.texts[0] : pstrdup(id);
}

char *family_others(const char *id) {
    text_list names = texts_of(
        "SELECT string_agg(DISTINCT quote_ident(name), ', ') FROM dpadapt.ledger_names "
        "WHERE kind = 'f' AND ledger <> $1",
        TEXTOID, CStringGetTextDatum(id));
    return names.texts[0];
}

void family_check_owner(const char *id) {
    text_list all = texts_of(
        "SELECT m.relation::oid FROM dpadapt.ledger_relations AS m "
        "JOIN pg_class AS c ON c.oid = m.relation WHERE m.ledger = $1 AND m.kind = 'r'",
        TEXTOID, CStringGetTextDatum(id));
    for (int k = 0; k < all.count; ++k) {
        Oid relation = (Oid)strtoul(all.texts[k], NULL, 10);
        if (!pg_class_ownercheck(relation, GetUserId()))
            aclcheck_error(ACLCHECK_NOT_OWNER, get_relkind_objtype(get_rel_relkind(relation)),
                           relation_name(relation));
    }
}

void family_tell_unknown(Oid relation) {
    text_list unknown =
        texts_of("SELECT string_agg(DISTINCT u, ', ') FROM dpadapt.unknown_of($1) AS u",
                 REGCLASSOID, ObjectIdGetDatum(relation));
    if (unknown.texts[0] == NULL) return;
    ereport(NOTICE,
            errmsg("the catalogue cannot tell whose rows \"%s\" has", relation_name(relation)),
            errdetail("It reads %s: a body that is no parsed SQL, or a foreign table.",
                      unknown.texts[0]),
            errhint("Rows of protected people belong to their ledger, and to no public source."));
}

/* A relation whose rows are in no public source: one that a ledger has counted, but for what was
 * behind a view, such as codes; this only where all tables of the source are such ones. */
static const char private_rows[] =
    "WITH counted AS MATERIALIZED (SELECT * FROM dpadapt.counted_of($1)) "
    "(SELECT oid, ledger, protected FROM counted WHERE whole "
    " ORDER BY oid = $1 AND protected DESC, protected DESC LIMIT 1) UNION ALL "
    "SELECT coalesce(c.oid, $2), c.ledger, c.oid IS NULL "
    "FROM (VALUES (true)) AS one LEFT JOIN (SELECT * FROM counted LIMIT 1) AS c ON true "
    "WHERE EXISTS (SELECT dpadapt.tables_of($1)) AND NOT EXISTS "
    "(SELECT dpadapt.tables_of($1) EXCEPT SELECT dpadapt.tables_of($2) "
    " EXCEPT SELECT oid FROM counted)";

void family_refuse_source(Oid source, Oid target) {
    Oid types[] = {REGCLASSOID, REGCLASSOID};
    Datum values[] = {ObjectIdGetDatum(source), ObjectIdGetDatum(target)};
    bool isnull;
    tables_execute(private_rows, lengthof(types), types, values, true);
    if (SPI_processed > 0) {
        HeapTuple row = SPI_tuptable->vals[0];
        TupleDesc columns = SPI_tuptable->tupdesc;
        Oid other = DatumGetObjectId(SPI_getbinval(row, columns, 1, &isnull));
        const char *id = SPI_getvalue(row, columns, 2);
        bool protected = DatumGetBool(SPI_getbinval(row, columns, 3, &isnull));
        if (!protected)
            ereport(
                ERROR, errcode(ERRCODE_WRONG_OBJECT_TYPE),
                errmsg("relation \"%s\" shares rows with what ledger \"%s\" has counted, or has "
                       "a name of it, and cannot be a public source",
                       relation_name(source), family_name(id)));
        if (other == source)
            ereport(ERROR, errcode(ERRCODE_WRONG_OBJECT_TYPE),
                    errmsg("relation \"%s\" is protected and cannot be a public source",
                           relation_name(source)));
        ereport(ERROR, errcode(ERRCODE_WRONG_OBJECT_TYPE),
                errmsg("relation \"%s\" shares rows with \"%s\", which is protected, and cannot be "
                       "a public source",
                       relation_name(source), relation_name(other)));
    }
    family_tell_unknown(source);
}

#include "family.h"

#include <catalog/objectaddress.h>
#include <catalog/pg_type.h>
#include <executor/spi.h>
#include <utils/acl.h>
#include <utils/builtins.h>
#include <utils/lsyscache.h>

#include "ledger.h"
#include "ledger_file.h"
#include "relation.h"
#include "tables.h"

enum { kIdLetters = 32 };

/* The first column of what a query with one argument reads. */
static ledger_ids texts_of(const char *query, Oid type, Datum value) {
    ledger_ids found;
    tables_execute(query, 1, &type, &value, true);
    found.count = (int)SPI_processed;
    found.ids = palloc(sizeof *found.ids * (SPI_processed + 1));
    for (int k = 0; k < found.count; ++k)
        found.ids[k] = SPI_getvalue(SPI_tuptable->vals[k], SPI_tuptable->tupdesc, 1);
    SPI_freetuptable(SPI_tuptable);
    return found;
}

/* Ids become names of files. */
static ledger_ids ids_of(const char *query, Oid type, Datum value) {
    ledger_ids found = texts_of(query, type, value);
    for (int k = 0; k < found.count; ++k)
        if (strlen(found.ids[k]) != kIdLetters ||
            strspn(found.ids[k], "0123456789abcdef") != kIdLetters)
            elog(ERROR, "\"%s\" is not the id of a ledger", found.ids[k]);
    return found;
}

ledger_ids family_relatives(Oid relation) {
    return ids_of(
        "WITH own AS MATERIALIZED (SELECT dpadapt.rows_from($1) AS relation) "
        "SELECT DISTINCT m.ledger FROM dpadapt.ledger_relations AS m "
        "JOIN pg_class AS c ON c.oid = m.relation WHERE m.relation = $1 OR EXISTS "
        "(SELECT dpadapt.rows_from(m.relation) INTERSECT SELECT relation FROM own)",
        REGCLASSOID, ObjectIdGetDatum(relation));
}

ledger_ids family_named(const char *name) {
    return ids_of("SELECT DISTINCT ledger FROM dpadapt.ledger_names WHERE name = $1", TEXTOID,
                  CStringGetTextDatum(name));
}

static ledger_ids ledgers_with(Oid relation) {
    return ids_of("SELECT DISTINCT ledger FROM dpadapt.ledger_relations WHERE relation = $1",
                  REGCLASSOID, ObjectIdGetDatum(relation));
}

char *family_ledger(Oid relation) {
    ledger_ids own = ledgers_with(relation);
    if (own.count == 0) return NULL;
    ledger_ids all = family_relatives(relation);
    if (all.count == 1) return own.ids[0];
    ereport(ERROR, errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
            errmsg("relation \"%s\" shares rows with relations of another ledger: \"%s\", \"%s\"",
                   relation_name(relation), family_name(all.ids[0]), family_name(all.ids[1])),
            errhint("Detach one from the other: two ledgers cannot count the same rows."));
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
    ledger_ids names = texts_of(
        "SELECT name FROM dpadapt.ledger_names WHERE ledger = $1 "
        "ORDER BY family DESC LIMIT 1",
        TEXTOID, CStringGetTextDatum(id));
    return names.count > 0 ? names.ids[0] : pstrdup(id);
}

char *family_others(const char *id) {
    ledger_ids names = texts_of(
        "SELECT string_agg(DISTINCT quote_ident(name), ', ') FROM dpadapt.ledger_names "
        "WHERE family AND ledger <> $1",
        TEXTOID, CStringGetTextDatum(id));
    return names.ids[0];
}

void family_check_owner(const char *id) {
    ledger_ids all = texts_of(
        "SELECT m.relation::oid FROM dpadapt.ledger_relations AS m "
        "JOIN pg_class AS c ON c.oid = m.relation WHERE m.ledger = $1",
        TEXTOID, CStringGetTextDatum(id));
    for (int k = 0; k < all.count; ++k) {
        Oid relation = (Oid)strtoul(all.ids[k], NULL, 10);
        if (!pg_class_ownercheck(relation, GetUserId()))
            aclcheck_error(ACLCHECK_NOT_OWNER, get_relkind_objtype(get_rel_relkind(relation)),
                           relation_name(relation));
    }
}

static bool is_among(const char *id, ledger_ids known) {
    for (int k = 0; k < known.count; ++k)
        if (strcmp(known.ids[k], id) == 0) return true;
    return false;
}

/* Lines of the notes: of a family's name, another name, a relation. */
static void add_name(const char *id, const char *name, bool family, bool noted) {
    if (is_among(id, family_named(name))) return;
    Datum values[] = {CStringGetTextDatum(name), CStringGetTextDatum(id), BoolGetDatum(family)};
    tables_insert("ledger_names", lengthof(values), values);
    if (!noted) ledger_notes_append(psprintf("%c %s %s", family ? 'f' : 'n', id, name));
}

static void add_relation(const char *id, Oid relation, bool noted) {
    if (is_among(id, ledgers_with(relation))) return;
    Datum values[] = {ObjectIdGetDatum(relation), CStringGetTextDatum(id)};
    tables_insert("ledger_relations", lengthof(values), values);
    if (!noted) ledger_notes_append(psprintf("r %s %u", id, relation));
}

void family_add(const char *id, const char *family, Oid relation) {
    add_relation(id, relation, false);
    if (family != NULL) add_name(id, family, true, false);
    add_name(id, relation_sql(relation), false, false);
    tables_flush();
}

typedef struct note_search {
    const char *id;
    bool found;
} note_search;

static void look_for(const char *line, void *user) {
    note_search *search = user;
    search->found |=
        strlen(line) > kIdLetters + 2 && strncmp(line + 2, search->id, kIdLetters) == 0;
}

void family_note(const char *id) {
    note_search search = {id, false};
    ledger_notes_each(look_for, &search);
    if (search.found) return;
    ledger_ids lines = texts_of(
        "SELECT CASE WHEN family THEN 'f ' ELSE 'n ' END || ledger || ' ' || name "
        "FROM dpadapt.ledger_names WHERE ledger = $1 UNION ALL "
        "SELECT 'r ' || ledger || ' ' || relation::oid FROM dpadapt.ledger_relations "
        "WHERE ledger = $1",
        TEXTOID, CStringGetTextDatum(id));
    for (int k = 0; k < lines.count; ++k) ledger_notes_append(lines.ids[k]);
}

void family_refuse_source(Oid source, Oid target) {
    Oid types[] = {REGCLASSOID, REGCLASSOID};
    Datum values[] = {ObjectIdGetDatum(source), ObjectIdGetDatum(target)};
    bool isnull;
    tables_execute(
        "SELECT c.oid FROM dpadapt.ledger_relations AS m JOIN pg_class AS c "
        "ON c.oid = m.relation WHERE c.oid IN (SELECT dpadapt.rows_from($1)) "
        "ORDER BY c.oid <> $1 LIMIT 1",
        1, types, values, true);
    Oid protected = DatumGetObjectId(tables_value(&isnull));
    if (!isnull && protected == source)
        ereport(ERROR, errcode(ERRCODE_WRONG_OBJECT_TYPE),
                errmsg("relation \"%s\" is protected and cannot be a public source",
                       relation_name(source)));
    if (isnull) {
        tables_execute(
            "SELECT $2::oid WHERE EXISTS (SELECT dpadapt.tables_of($1)) AND NOT EXISTS "
            "(SELECT dpadapt.tables_of($1) EXCEPT SELECT dpadapt.tables_of($2))",
            2, types, values, true);
        protected = DatumGetObjectId(tables_value(&isnull));
    }
    if (!isnull)
        ereport(ERROR, errcode(ERRCODE_WRONG_OBJECT_TYPE),
                errmsg("relation \"%s\" shares rows with \"%s\", which is protected, and cannot be "
                       "a public source",
                       relation_name(source), relation_name(protected)));
}

static void take_back(const char *line, void *user) {
    char id[kIdLetters + 1];
    (void)user;
    if (strlen(line) < kIdLetters + 4) return;
    strlcpy(id, line + 2, sizeof id);
    const char *rest = line + kIdLetters + 3;
    Oid relation = line[0] == 'r' ? (Oid)strtoul(rest, NULL, 10) : InvalidOid;
    if (line[0] != 'r') add_name(id, rest, line[0] == 'f', true);
    if (get_rel_name(relation) != NULL) add_relation(id, relation, true);
    ledger_keep(id);
}

/* ledgers_return(): what was protected in this database before the extension was dropped. */
PG_FUNCTION_INFO_V1(dpadapt_ledgers_return);
Datum dpadapt_ledgers_return(PG_FUNCTION_ARGS) {
    (void)fcinfo;
    SPI_connect();
    ledger_notes_each(take_back, NULL);
    SPI_finish();
    PG_RETURN_VOID();
}

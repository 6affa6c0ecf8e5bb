/* What ledgers have counted: lines of the extension's tables, and of the notes of a database. */
#include <catalog/pg_type.h>
#include <commands/dbcommands.h>
#include <executor/spi.h>
#include <utils/builtins.h>
#include <utils/lsyscache.h>

#include "family.h"
#include "ledger.h"
#include "ledger_file.h"
#include "tables.h"

/* What the tables know of a ledger: a line of each row, with its kind, the id, and a name or the
 * number of a relation. The notes have the same lines. */
#define KNOWN                                                                                   \
    "(SELECT kind::text || ' ' || ledger || ' ' || name FROM dpadapt.ledger_names "             \
    "WHERE ledger = $1 UNION ALL "                                                              \
    "SELECT kind::text || ' ' || ledger || ' ' || relation::oid FROM dpadapt.ledger_relations " \
    "WHERE ledger = $1)"

static const char *part_of_line(const char *line) { return line + kIdLetters + 3; }

/* Adds a row for good. */
static void add_line(const char *line) {
    const char *rest = part_of_line(line), *table = "ledger_names";
    Datum what = CStringGetTextDatum(rest);
    if (strchr("rpb", line[0]) != NULL) {
        table = "ledger_relations";
        what = ObjectIdGetDatum((Oid)strtoul(rest, NULL, 10));
    }
    Datum id = PointerGetDatum(cstring_to_text_with_len(line + 2, kIdLetters));
    Datum values[] = {what, id, CharGetDatum(line[0])};
    tables_insert(table, lengthof(values), values);
}

/* What the tables do not know yet of the lines that a query gives. */
static text_list new_lines(const char *query, int count, Oid *types, Datum *values) {
    return tables_texts(
        psprintf("SELECT line COLLATE \"C\" FROM (%s) AS l (line) EXCEPT " KNOWN, query), count,
        types, values);
}

static void add_new(const char *query, int count, Oid *types, Datum *values) {
    text_list lines = new_lines(query, count, types, values);
    for (int k = 0; k < lines.count; ++k) add_line(lines.texts[k]);
    if (lines.count == 0) return;
    ledger_notes_append(lines.texts, lines.count);
    tables_flush();
}

void family_keep(const char *id, Oid relation) {
    Oid types[] = {TEXTOID, REGCLASSOID};
    Datum values[] = {CStringGetTextDatum(id), ObjectIdGetDatum(relation)};
    add_new(
        "SELECT kind || ' ' || $1 || ' ' || what FROM "
        "(SELECT * FROM dpadapt.names_from($2, false, true) UNION ALL "
        "SELECT n.oid, n.name, true FROM dpadapt.names_from($2, true, true) AS n "
        "JOIN pg_class AS c USING (oid) WHERE c.relkind = 'm') AS n, LATERAL (VALUES "
        "(CASE WHEN whole THEN 'p' ELSE 'b' END, n.oid::text), "
        "(CASE WHEN whole THEN 'n' ELSE 'm' END, n.name)) AS l (kind, what)",
        lengthof(types), types, values);
}

void family_add(const char *id, const char *family, Oid relation) {
    Oid types[] = {TEXTOID, REGCLASSOID, TEXTOID};
    Datum values[] = {CStringGetTextDatum(id), ObjectIdGetDatum(relation),
                      CStringGetTextDatum(family ? family : "")};
    add_new(
        "SELECT 'r ' || $1 || ' ' || $2::oid UNION ALL "
        "SELECT 'f ' || $1 || ' ' || $3 WHERE $3 <> ''",
        lengthof(types), types, values);
    family_keep(id, relation);
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
    ledger_notes_each(MyDatabaseId, look_for, &search);
    if (search.found) return;
    Oid type = TEXTOID;
    Datum value = CStringGetTextDatum(id);
    text_list lines = tables_texts("SELECT * FROM " KNOWN " AS l", 1, &type, &value);
    ledger_notes_append(lines.texts, lines.count);
}

typedef struct name_search {
    const char *own;
    text_list names;
    char id[kIdLetters + 1], name[NAMEDATALEN * 4], family[NAMEDATALEN * 4];
} name_search;

static void look_for_name(const char *line, void *user) {
    name_search *search = user;
    if (strlen(line) < kIdLetters + 4 || strchr("fnm", line[0]) == NULL) return;
    const char *rest = part_of_line(line);
    if (line[0] == 'f' && strncmp(line + 2, search->id, kIdLetters) == 0)
        strlcpy(search->family, rest, sizeof search->family);
    if (line[0] == 'f' || search->id[0] != '\0' || strncmp(line + 2, search->own, kIdLetters) == 0)
        return;
    for (int k = 0; k < search->names.count; ++k)
        if (strcmp(search->names.texts[k], rest) == 0) {
            strlcpy(search->id, line + 2, sizeof search->id);
            strlcpy(search->name, rest, sizeof search->name);
        }
}

void family_tell_elsewhere(const char *id, Oid relation) {
    Oid type = REGCLASSOID;
    Datum value = ObjectIdGetDatum(relation);
    name_search search = {.own = id};
    search.names =
        tables_texts("SELECT name FROM dpadapt.names_from($1, false, false)", 1, &type, &value);
    for (Oid database = 0; (database = ledger_notes_next(database)) != InvalidOid;) {
        const char *where = get_database_name(database);
        if (database == MyDatabaseId || where == NULL) continue; /* that one is gone */
        search.id[0] = search.family[0] = '\0';
        ledger_notes_each(database, look_for_name, &search);
        if (search.id[0] == '\0') continue;
        ledger_notes_each(database, look_for_name, &search); /* the family may come first */
        ereport(NOTICE,
                errmsg("ledger \"%s\" of database \"%s\" counts a relation with the name %s, too",
                       search.family, where, search.name),
                errdetail("The budgets of people who are in two ledgers add up."),
                errhint("A dump of the whole database carries its ledgers, one of a table does "
                        "not."));
    }
}

static void take_back(const char *line, void *user) {
    (void)user;
    if (strlen(line) < kIdLetters + 4) return;
    char *id = pnstrdup(line + 2, kIdLetters);
    Oid types[] = {TEXTOID, TEXTOID};
    Datum values[] = {CStringGetTextDatum(id), CStringGetTextDatum(line)};
    bool gone = strchr("rpb", line[0]) != NULL &&
                get_rel_name((Oid)strtoul(part_of_line(line), NULL, 10)) == NULL;
    if (!gone && new_lines("SELECT $2", lengthof(types), types, values).count > 0) add_line(line);
    ledger_keep(id);
}

/* ledgers_return(): what was protected in this database before the extension was dropped. */
PG_FUNCTION_INFO_V1(dpadapt_ledgers_return);
Datum dpadapt_ledgers_return(PG_FUNCTION_ARGS) {
    (void)fcinfo;
    SPI_connect();
    ledger_notes_each(MyDatabaseId, take_back, NULL);
    SPI_finish();
    PG_RETURN_VOID();
}

#include "columns.h"

#include <catalog/pg_type.h>
#include <utils/builtins.h>
#include <utils/lsyscache.h>

#include "names.h"
#include "relation.h"

static bool has_two_classes(const dpa_options *options) {
    char loss[32];
    guest_check(dpa_options_get(options, "loss", loss, sizeof loss, NULL));
    return strcmp(loss, "logistic") == 0;
}

/* Columns that are not there are for those to tell who read them. */
static bool has_text(Oid source, const char *column) {
    AttrNumber number = get_attnum(source, column);
    return number > 0 && relation_is_text(get_atttype(source, number));
}

static bool has_boolean(Oid source, const char *column) {
    AttrNumber number = get_attnum(source, column);
    return number > 0 && getBaseType(get_atttype(source, number)) == BOOLOID;
}

static bool needs_schema(Oid source, const row_columns *columns, const dpa_options *options) {
    if (has_text(source, columns->label)) return true;
    if (has_boolean(source, columns->label) && has_two_classes(options)) return true;
    for (int j = 0; j < columns->features; ++j)
        if (has_text(source, columns->names[j])) return true;
    return false;
}

void columns_check(const row_columns *columns) {
    for (int j = 0; j < columns->features; ++j) {
        bool again = strcmp(columns->names[j], columns->label) == 0;
        for (int k = 0; k < j; ++k)
            again = again || strcmp(columns->names[j], columns->names[k]) == 0;
        if (again)
            ereport(
                ERROR, errcode(ERRCODE_DUPLICATE_COLUMN),
                errmsg("column \"%s\" is given twice, or as feature and label", columns->names[j]));
    }
}

row_columns columns_of(Oid source, Datum label, Datum features, const dpa_options *options) {
    row_columns columns = {.label = TextDatumGetCString(label)};
    columns.features = names_of(features, "feature", &columns.names);
    columns_check(&columns);
    columns.coded = needs_schema(source, &columns, options);
    return columns;
}

void columns_append_values(StringInfo sql, Oid relation, const row_columns *columns,
                           const char *label) {
    for (int j = 0; j < columns->features; ++j) {
        relation_append_value(sql, relation, columns->names[j]);
        appendStringInfo(sql, " AS %s, ", quote_identifier(columns->names[j]));
    }
    relation_append_value(sql, relation, columns->label);
    appendStringInfo(sql, " AS %s", quote_identifier(label));
}

#include "relation.h"

#include <access/detoast.h>
#include <access/relation.h>
#include <catalog/pg_class.h>
#include <catalog/pg_type.h>
#include <math.h>
#include <parser/parse_coerce.h>
#include <utils/builtins.h>
#include <utils/fmgrprotos.h>
#include <utils/lsyscache.h>
#include <utils/rel.h>

enum { kMostLetters = 1000 }; /* of a text */

static const double kMostNumeric = 1e300; /* larger ones are NULL */

char *relation_name(Oid relation) {
    char *name = get_rel_name(relation);
    return name ? name : psprintf("%u", relation);
}

char *relation_sql(Oid relation) {
    return quote_qualified_identifier(get_namespace_name(get_rel_namespace(relation)),
                                      get_rel_name(relation));
}

Oid relation_open_private(Oid relation) {
    Relation rel = relation_open(relation, AccessShareLock);
    Oid owner = rel->rd_rel->relowner;
    char kind = rel->rd_rel->relkind;
    if (kind != RELKIND_RELATION && kind != RELKIND_PARTITIONED_TABLE && kind != RELKIND_MATVIEW)
        ereport(ERROR, errcode(ERRCODE_WRONG_OBJECT_TYPE),
                errmsg("\"%s\" is not a table or materialized view", RelationGetRelationName(rel)));
    if (rel->rd_rel->relforcerowsecurity)
        ereport(ERROR, errcode(ERRCODE_WRONG_OBJECT_TYPE),
                errmsg("row security is forced on \"%s\", so the number of its rows is not public",
                       RelationGetRelationName(rel)));
    relation_close(rel, NoLock);
    return owner;
}

bool relation_is_number(Oid type) {
    switch (getBaseType(type)) {
        case INT2OID:
        case INT4OID:
        case INT8OID:
        case FLOAT4OID:
        case FLOAT8OID:
        case BOOLOID:
        case NUMERICOID:
            return true;
        default:
            return false;
    }
}

double relation_number(Oid base_type, Datum value) {
    switch (base_type) {
        case INT2OID:
            return DatumGetInt16(value);
        case INT4OID:
            return DatumGetInt32(value);
        case INT8OID:
            return (double)DatumGetInt64(value);
        case FLOAT4OID:
            return DatumGetFloat4(value);
        case BOOLOID:
            return DatumGetBool(value) ? 1 : 0;
        case NUMERICOID: {
            double number = DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow, value));
            return fabs(number) < kMostNumeric ? number : NAN;
        }
        default:
            return DatumGetFloat8(value);
    }
}

bool relation_is_text(Oid type) {
    Oid base = getBaseType(type);
    return base == BPCHAROID || IsBinaryCoercible(base, TEXTOID) || type_is_enum(base);
}

char *relation_text(Oid base_type, Datum value) {
    if (type_is_enum(base_type)) return DatumGetCString(DirectFunctionCall1(enum_out, value));
    Datum trimmed = base_type == BPCHAROID ? DirectFunctionCall1(rtrim1, value) : value;
    Datum cut = trimmed;
    if (toast_raw_datum_size(cut) - VARHDRSZ > kMostLetters)
        cut = DirectFunctionCall2(text_left, cut, Int32GetDatum(kMostLetters));
    char *letters = TextDatumGetCString(cut);
    if (cut != trimmed) pfree(DatumGetPointer(cut));
    if (trimmed != value) pfree(DatumGetPointer(trimmed));
    return letters;
}

static Oid type_of(Oid relation, const char *column) {
    AttrNumber number = get_attnum(relation, column);
    if (number <= 0)
        ereport(ERROR, errcode(ERRCODE_UNDEFINED_COLUMN),
                errmsg("column \"%s\" of relation \"%s\" does not exist", column,
                       relation_name(relation)));
    return get_atttype(relation, number);
}

static void refuse_type(Oid relation, const char *column, Oid type, const char *wanted) {
    ereport(ERROR, errcode(ERRCODE_DATATYPE_MISMATCH),
            errmsg("column \"%s\" of relation \"%s\" is of type %s, %s", column,
                   relation_name(relation), format_type_be(type), wanted));
}

void relation_append_number(StringInfo sql, Oid relation, const char *column) {
    Oid type = type_of(relation, column);
    const char *name = quote_identifier(column);
    if (!relation_is_number(type)) refuse_type(relation, column, type, "not a number");
    switch (getBaseType(type)) {
        case BOOLOID:
            appendStringInfo(sql, "%s::pg_catalog.int4::pg_catalog.float8", name);
            break;
        case NUMERICOID: /* the cast fails beyond 1e308 and below 1e-323 */
            appendStringInfo(sql,
                             "CASE WHEN pg_catalog.abs(%s) OPERATOR(pg_catalog.<) 1e300 "
                             "THEN pg_catalog.round(%s, 300)::pg_catalog.float8 END",
                             name, name);
            break;
        default:
            appendStringInfo(sql, "%s::pg_catalog.float8", name);
    }
}

void relation_append_value(StringInfo sql, Oid relation, const char *column) {
    Oid type = type_of(relation, column);
    const char *name = quote_identifier(column);
    bool is_text = relation_is_text(type);
    if (!is_text && !relation_is_number(type))
        refuse_type(relation, column, type, "neither a number nor a text");
    if (is_text && !type_is_enum(getBaseType(type)))
        appendStringInfo(sql, "pg_catalog.left(%s::pg_catalog.text, %d)", name, kMostLetters);
    else
        appendStringInfoString(sql, name);
}

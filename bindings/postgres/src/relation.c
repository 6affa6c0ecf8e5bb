#include "relation.h"

#include <access/relation.h>
#include <catalog/pg_class.h>
#include <catalog/pg_type.h>
#include <math.h>
#include <utils/builtins.h>
#include <utils/fmgrprotos.h>
#include <utils/lsyscache.h>
#include <utils/rel.h>

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

void relation_append_number(StringInfo sql, Oid relation, const char *column) {
    AttrNumber number = get_attnum(relation, column);
    const char *name = quote_identifier(column);
    if (number <= 0)
        ereport(ERROR, errcode(ERRCODE_UNDEFINED_COLUMN),
                errmsg("column \"%s\" of relation \"%s\" does not exist", column,
                       relation_name(relation)));
    Oid type = get_atttype(relation, number);
    if (!relation_is_number(type))
        ereport(ERROR, errcode(ERRCODE_DATATYPE_MISMATCH),
                errmsg("column \"%s\" of relation \"%s\" is of type %s, not a number", column,
                       relation_name(relation), format_type_be(type)));
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

/* Relations and their columns as SQL of which no part comes from the caller as text. All names have
 * their schema: what a view of the caller's runs could have changed the search path. */
#ifndef DPA_POSTGRES_RELATION_H
#define DPA_POSTGRES_RELATION_H

#include <lib/stringinfo.h>

#include "guest.h"

/** Name for messages. */
char *relation_name(Oid relation);

/** Name with schema and quotes, for SQL. */
char *relation_sql(Oid relation);

/** Locks a relation whose rows can be private against changes of its definition until the
 *  transaction ends, and returns its owner. Tables and materialized views only: the expressions of
 *  a view could fail, and tell private values by the error. */
Oid relation_open_private(Oid relation);

/** Appends the column as an expression of type float8 that fails for no value: numbers that a
 *  double cannot hold are NULL. Columns that are no numbers are an error. */
void relation_append_number(StringInfo sql, Oid relation, const char *column);

/** Appends the column as it is, but for texts, which are cut: a record of them, whole, could be too
 *  large for PostgreSQL, and an error would tell. Columns that no schema takes are an error. */
void relation_append_value(StringInfo sql, Oid relation, const char *column);

/** Whether values of this type are numbers, domains by what they are made of. */
bool relation_is_number(Oid type);

/** Whether they are texts: those, what PostgreSQL takes for them, and enums. */
bool relation_is_text(Oid type);

/** The same value for one that is there already: NaN where that would be NULL. */
double relation_number(Oid base_type, Datum value);

/** The first letters of a text, which are all that a schema sees; to be freed. */
char *relation_text(Oid base_type, Datum value);

#endif

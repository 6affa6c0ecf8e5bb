#include "record.h"

#include <access/htup_details.h>
#include <utils/builtins.h>
#include <utils/lsyscache.h>
#include <utils/memutils.h>
#include <utils/typcache.h>

#include "relation.h"

static int place_of(const record_columns *c, const char *name) {
    for (int j = 0; j < c->all->natts; ++j) {
        Form_pg_attribute column = TupleDescAttr(c->all, j);
        if (!column->attisdropped && strcmp(NameStr(column->attname), name) == 0) return j;
    }
    ereport(ERROR, errcode(ERRCODE_UNDEFINED_COLUMN),
            errmsg("%s needs the column \"%s\", which the row does not have", c->reader, name),
            errhint("Give the alias of a table or subquery, whose columns have names."));
}

static Oid base_of(const record_columns *c, int place) {
    Form_pg_attribute column = TupleDescAttr(c->all, place);
    bool is_text = c->texts && relation_is_text(column->atttypid);
    if (!is_text && !relation_is_number(column->atttypid))
        ereport(ERROR, errcode(ERRCODE_DATATYPE_MISMATCH),
                errmsg("column \"%s\" of the row is of type %s, %s", NameStr(column->attname),
                       format_type_be(column->atttypid),
                       c->texts ? "neither a number nor a text" : "not a number"));
    return getBaseType(column->atttypid);
}

/* What was found for records of another type is gone; an error leaves nothing. */
static void find(record_columns *c, Oid type, int32 modifier) {
    if (c->context != NULL) MemoryContextDelete(c->context);
    c->context = NULL;
    c->all = NULL;
    record_columns new = *c;
    new.context = AllocSetContextCreate(c->parent, "dpadapt record", ALLOCSET_SMALL_SIZES);
    TupleDesc columns = lookup_rowtype_tupdesc(type, modifier);
    MemoryContext old = MemoryContextSwitchTo(new.context);
    new.all = CreateTupleDescCopy(columns);
    size_t all = (size_t)columns->natts, count = c->wanted > 0 ? (size_t)c->wanted : all;
    new.found = palloc(sizeof *new.found *count);
    new.place = palloc(sizeof *new.place *count);
    new.base = palloc(sizeof *new.base *count);
    new.values = palloc(sizeof *new.values *all);
    new.nulls = palloc(sizeof *new.nulls *all);
    MemoryContextSwitchTo(old);
    ReleaseTupleDesc(columns);
    new.count = (int)count;
    for (int j = 0; j < new.count; ++j) {
        new.place[j] = c->wanted > 0 ? place_of(&new, c->names[j]) : j;
        new.found[j] = NameStr(TupleDescAttr(new.all, new.place[j])->attname);
        new.base[j] = base_of(&new, new.place[j]);
    }
    new.type = type;
    new.modifier = modifier;
    *c = new;
}

bool record_open(record_columns *c, HeapTupleHeader record) {
    Oid type = HeapTupleHeaderGetTypeId(record);
    int32 modifier = HeapTupleHeaderGetTypMod(record);
    bool is_new = c->all == NULL || c->type != type || c->modifier != modifier;
    if (is_new) find(c, type, modifier);
    HeapTupleData tuple = {.t_len = HeapTupleHeaderGetDatumLength(record), .t_data = record};
    heap_deform_tuple(&tuple, c->all, c->values, c->nulls);
    return is_new;
}

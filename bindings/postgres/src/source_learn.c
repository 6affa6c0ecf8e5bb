/* Public rows that teach a schema, which then makes features and labels of them. */
#include <executor/spi.h>
#include <utils/builtins.h>
#include <utils/lsyscache.h>
#include <utils/memutils.h>

#include "coder.h"
#include "relation.h"
#include "source.h"

enum { kFetch = 1000 };

static Portal open_rows(Oid relation, const row_columns *columns) {
    StringInfoData sql;
    initStringInfo(&sql);
    appendStringInfoString(&sql, "SELECT ");
    columns_append_values(&sql, relation, columns, columns->label);
    appendStringInfo(&sql, " FROM %s", relation_sql(relation));
    return SPI_cursor_open_with_args(NULL, sql.data, 0, NULL, NULL, NULL, true, 0);
}

static coder *coder_for(TupleDesc row, const row_columns *columns) {
    size_t count = (size_t)columns->features + 1;
    char **names = palloc(sizeof *names * count);
    Oid *base = palloc(sizeof *base * count);
    for (size_t j = 0; j < count; ++j) {
        names[j] = j + 1 < count ? columns->names[j] : columns->label;
        base[j] = getBaseType(TupleDescAttr(row, j)->atttypid);
    }
    return coder_new((int)count, names, base);
}

static void add(coder *rows, HeapTuple tuple, TupleDesc type) {
    coder_add(rows);
    for (int j = 0; j < rows->count; ++j) {
        bool isnull;
        Datum value = SPI_getbinval(tuple, type, j + 1, &isnull);
        coder_put(rows, j, value, isnull);
    }
}

static coder *read_all(Oid relation, const row_columns *columns) {
    Portal portal = open_rows(relation, columns);
    coder *rows = coder_for(portal->tupDesc, columns);
    do {
        SPI_cursor_fetch(portal, true, kFetch);
        for (uint64 i = 0; i < SPI_processed; ++i)
            add(rows, SPI_tuptable->vals[i], SPI_tuptable->tupdesc);
        SPI_freetuptable(SPI_tuptable);
        if (coder_size(rows) > (size_t)source_memory * 1024)
            ereport(ERROR, errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
                    errmsg("relation \"%s\" is larger than dpadapt.source_memory",
                           relation_name(relation)),
                    errdetail("Columns of texts need a schema, which is learnt in memory."),
                    errhint("SET dpadapt.source_memory, or give fewer public rows."));
    } while (SPI_processed > 0);
    SPI_cursor_close(portal);
    if (rows->rows == 0)
        ereport(ERROR, errcode(ERRCODE_DATA_EXCEPTION),
                errmsg("relation \"%s\" has no rows", relation_name(relation)));
    return rows;
}

/* A text is a category, whatever it looks like. */
static void learn(const coder *rows, guest_handles *h, const guest_errors *errors) {
    coder_table(rows, h);
    int features = rows->count - 1;
    for (int j = 0; j < features; ++j)
        if (rows->columns[j].is_text)
            guest_check(dpa_table_hint(h->table, "text", rows->columns[j].name));
    guest_leave();
    dpa_status status =
        dpa_schema_learn(h->table, rows->columns[features].name, h->options, &h->schema);
    guest_return();
    if (status != DPA_OK) guest_rethrow(errors);
    guest_check(status);
}

size_t source_learn(guest_handles *h, Oid relation, const row_columns *columns,
                    const guest_errors *errors) {
    coder *rows = read_all(relation, columns);
    size_t count = rows->rows, features;
    learn(rows, h, errors);
    guest_check(dpa_schema_feature_count(h->schema, &features));
    double *x = MemoryContextAllocHuge(CurrentMemoryContext, count * features * sizeof *x);
    double *y = MemoryContextAllocHuge(CurrentMemoryContext, count * sizeof *y);
    coder_apply(rows, h, features, x, y);
    coder_free(rows);
    guest_check(dpa_problem_lend_sample(h->problem, DPA_SOURCE,
                                        (dpa_matrix){x, count, features, features, DPA_ROW_MAJOR},
                                        y, count));
    return features;
}

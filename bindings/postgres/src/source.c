#include "source.h"

#include <executor/spi.h>
#include <math.h>
#include <utils/memutils.h>

#include "relation.h"

enum { kFetch = 1000 };

static Portal open_rows(Oid relation, const char *label, int features, char **names) {
    StringInfoData sql;
    initStringInfo(&sql);
    appendStringInfoString(&sql, "SELECT ");
    for (int j = 0; j < features; ++j) {
        relation_append_number(&sql, relation, names[j]);
        appendStringInfoString(&sql, ", ");
    }
    relation_append_number(&sql, relation, label);
    appendStringInfo(&sql, " FROM %s", relation_sql(relation));
    return SPI_cursor_open_with_args(NULL, sql.data, 0, NULL, NULL, NULL, true, 0);
}

static void *enlarge(void *array, size_t size) {
    return array ? repalloc_huge(array, size) : MemoryContextAllocHuge(CurrentMemoryContext, size);
}

void source_set(dpa_problem *problem, Oid relation, const char *label, int features, char **names) {
    size_t cols = (size_t)features, rows = 0, room = 0;
    double *x = NULL, *y = NULL;
    Portal portal = open_rows(relation, label, features, names);
    for (SPI_cursor_fetch(portal, true, kFetch); SPI_processed > 0;
         SPI_cursor_fetch(portal, true, kFetch)) {
        SPITupleTable *table = SPI_tuptable;
        if (rows + SPI_processed > room) {
            room = 2 * room + kFetch;
            x = enlarge(x, room * cols * sizeof *x);
            y = enlarge(y, room * sizeof *y);
        }
        for (uint64 i = 0; i < SPI_processed; ++i, ++rows)
            for (int j = 0; j <= features; ++j) {
                bool isnull;
                Datum value = SPI_getbinval(table->vals[i], table->tupdesc, j + 1, &isnull);
                double *place = j < features ? &x[rows * cols + (size_t)j] : &y[rows];
                *place = isnull ? NAN : DatumGetFloat8(value);
            }
        SPI_freetuptable(table);
    }
    SPI_cursor_close(portal);
    if (rows == 0)
        ereport(ERROR, errcode(ERRCODE_DATA_EXCEPTION),
                errmsg("relation \"%s\" has no rows", relation_name(relation)));
    guest_check(dpa_problem_set_source(problem, x, rows, cols, cols, DPA_ROW_MAJOR, y, rows));
}

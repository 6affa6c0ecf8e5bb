#include "source.h"

#include <executor/spi.h>
#include <math.h>
#include <utils/memutils.h>

#include "relation.h"

enum { kFetch = 1000 };

int source_memory = 1024 * 1024;

/* Some rows of a source in memory, label beside features. */
typedef struct block {
    size_t cols, rows, room;
    double *x, *y;
} block;

static void *enlarge(void *array, size_t size) {
    return array ? repalloc_huge(array, size) : MemoryContextAllocHuge(CurrentMemoryContext, size);
}

static void make_room(block *rows, size_t more) {
    if (rows->rows + more <= rows->room) return;
    rows->room = 2 * rows->room + kFetch;
    rows->x = enlarge(rows->x, rows->room * rows->cols * sizeof *rows->x);
    rows->y = enlarge(rows->y, rows->room * sizeof *rows->y);
}

static void release(block *rows) {
    if (rows->room == 0) return;
    pfree(rows->x);
    pfree(rows->y);
}

static char *query_of(Oid relation, const row_columns *columns) {
    StringInfoData sql;
    initStringInfo(&sql);
    appendStringInfoString(&sql, "SELECT ");
    for (int j = 0; j < columns->features; ++j) {
        relation_append_number(&sql, relation, columns->names[j]);
        appendStringInfoString(&sql, ", ");
    }
    relation_append_number(&sql, relation, columns->label);
    appendStringInfo(&sql, " FROM %s", relation_sql(relation));
    return sql.data;
}

static Portal open_rows(const char *query) {
    return SPI_cursor_open_with_args(NULL, query, 0, NULL, NULL, NULL, true, 0);
}

/* Appends the next rows of the portal; false when there are no more. */
static bool fetch(Portal portal, block *rows) {
    SPI_cursor_fetch(portal, true, kFetch);
    SPITupleTable *table = SPI_tuptable;
    uint64 count = SPI_processed;
    make_room(rows, count);
    for (uint64 i = 0; i < count; ++i, ++rows->rows)
        for (size_t j = 0; j <= rows->cols; ++j) {
            bool isnull;
            Datum value = SPI_getbinval(table->vals[i], table->tupdesc, (int)j + 1, &isnull);
            double *place =
                j < rows->cols ? &rows->x[rows->rows * rows->cols + j] : &rows->y[rows->rows];
            *place = isnull ? NAN : DatumGetFloat8(value);
        }
    SPI_freetuptable(table);
    return count > 0;
}

/* What a pass over the source needs; it lives in the context of SPI. */
typedef struct source_rows {
    const char *query;
    size_t cols;
    guest_errors *errors;
} source_rows;

static void add_rows(const source_rows *source, dpa_partial *total) {
    block rows = {.cols = source->cols};
    Portal portal = open_rows(source->query);
    for (; fetch(portal, &rows); rows.rows = 0)
        guest_check(dpa_partial_add(
            total, (dpa_matrix){rows.x, rows.rows, rows.cols, rows.cols, DPA_ROW_MAJOR}, rows.y,
            rows.rows, NULL, 0));
    SPI_cursor_close(portal);
    release(&rows);
}

static int32_t pass(const uint8_t *request, size_t size, dpa_partial *total, void *user) {
    source_rows *source = user;
    (void)request;
    (void)size;
    GUEST_KEEPING_ERRORS(source->errors, add_rows(source, total));
    return source->errors->error != NULL;
}

static bool is_large(const block *rows) {
    return rows->rows * (rows->cols + 1) * sizeof(double) > (size_t)source_memory * 1024;
}

size_t source_set(guest_handles *h, Oid relation, const row_columns *columns,
                  guest_errors *errors) {
    if (columns->coded) return source_learn(h, relation, columns, errors);
    block rows = {.cols = (size_t)columns->features};
    source_rows *source = palloc(sizeof *source);
    *source = (source_rows){query_of(relation, columns), rows.cols, errors};
    Portal portal = open_rows(source->query);
    size_t count = 0;
    bool large = false;
    while (fetch(portal, &rows)) {
        large = large || is_large(&rows);
        if (!large) continue;
        count += rows.rows; /* which is all that is needed of these rows now */
        rows.rows = 0;
    }
    SPI_cursor_close(portal);
    count += rows.rows;
    if (count == 0)
        ereport(ERROR, errcode(ERRCODE_DATA_EXCEPTION),
                errmsg("relation \"%s\" has no rows", relation_name(relation)));
    if (large) release(&rows);
    guest_check(large
                    ? dpa_problem_set_passes(h->problem, DPA_SOURCE, count, rows.cols, pass, source)
                    : dpa_problem_lend_sample(
                          h->problem, DPA_SOURCE,
                          (dpa_matrix){rows.x, count, rows.cols, rows.cols, DPA_ROW_MAJOR}, rows.y,
                          count));
    return rows.cols;
}

#include "coder.h"

#include <catalog/pg_type.h>
#include <math.h>
#include <utils/memutils.h>

#include "relation.h"

enum { kBlock = 16384 }; /* rows, between which a backend can be stopped */

static const size_t kNull = SIZE_MAX;

static void *enlarge(const coder *rows, void *array, size_t size) {
    return array ? repalloc_huge(array, size) : MemoryContextAllocHuge(rows->context, size);
}

coder *coder_new(int count, char **names, const Oid *base) {
    coder *rows = palloc0(sizeof *rows);
    rows->context = CurrentMemoryContext;
    rows->count = count;
    rows->columns = palloc0(sizeof *rows->columns * (size_t)count);
    for (int j = 0; j < count; ++j) {
        bool is_text = relation_is_text(base[j]);
        rows->columns[j] = (coder_column){.name = names[j], .base = base[j], .is_text = is_text};
    }
    return rows;
}

void coder_free(coder *rows) {
    for (int j = 0; rows->room > 0 && j < rows->count; ++j)
        pfree(rows->columns[j].is_text ? (void *)rows->columns[j].texts
                                       : (void *)rows->columns[j].numbers);
    pfree(rows->columns);
    if (rows->letters != NULL) pfree(rows->letters);
    pfree(rows);
}

void coder_clear(coder *rows) {
    rows->rows = 0;
    rows->used = 0;
}

void coder_add(coder *rows) {
    if (rows->rows++ < rows->room) return;
    rows->room = 2 * rows->room + 1;
    for (int j = 0; j < rows->count; ++j) {
        coder_column *column = &rows->columns[j];
        if (column->is_text)
            column->texts = enlarge(rows, column->texts, rows->room * sizeof *column->texts);
        else
            column->numbers = enlarge(rows, column->numbers, rows->room * sizeof *column->numbers);
    }
}

static size_t keep(coder *rows, const char *text) {
    size_t place = rows->used, size = strlen(text) + 1;
    if (place + size > rows->most) {
        rows->most = 2 * (place + size);
        rows->letters = enlarge(rows, rows->letters, rows->most);
    }
    memcpy(rows->letters + place, text, size);
    rows->used += size;
    return place;
}

void coder_put(coder *rows, int j, Datum value, bool isnull) {
    coder_column *column = &rows->columns[j];
    size_t row = rows->rows - 1;
    if (!column->is_text) {
        column->numbers[row] = isnull ? NAN : relation_number(column->base, value);
    } else if (isnull) {
        column->texts[row] = kNull;
    } else {
        char *text = relation_text(column->base, value);
        column->texts[row] = keep(rows, text);
        pfree(text);
    }
}

size_t coder_size(const coder *rows) {
    return rows->rows * (size_t)rows->count * sizeof(double) + rows->used;
}

/* Some of the rows as the table. */
static void make_table(const coder *rows, guest_handles *h, size_t first, size_t count) {
    const char **texts = MemoryContextAllocHuge(CurrentMemoryContext, count * sizeof *texts);
    dpa_table_destroy(h->table);
    h->table = NULL;
    guest_check(dpa_table_create(count, &h->table));
    for (int j = 0; j < rows->count; ++j) {
        CHECK_FOR_INTERRUPTS();
        const coder_column *column = &rows->columns[j];
        if (!column->is_text) {
            guest_check(
                dpa_table_add_numbers(h->table, column->name, column->numbers + first, count));
            if (column->base == BOOLOID)
                guest_check(dpa_table_hint(h->table, "boolean", column->name));
            continue;
        }
        for (size_t i = 0; i < count; ++i) {
            size_t place = column->texts[first + i];
            texts[i] = place == kNull ? NULL : rows->letters + place;
        }
        guest_check(dpa_table_add_texts(h->table, column->name, texts, count));
    }
    pfree(texts);
}

void coder_table(const coder *rows, guest_handles *h) { make_table(rows, h, 0, rows->rows); }

void coder_apply(const coder *rows, guest_handles *h, size_t features, double *x, double *y) {
    for (size_t first = 0; first < rows->rows; first += kBlock) {
        size_t count = Min(kBlock, rows->rows - first);
        make_table(rows, h, first, count);
        guest_check(dpa_schema_apply(h->schema, h->table, x + first * features, count * features,
                                     y == NULL ? NULL : y + first, y == NULL ? 0 : count));
    }
    dpa_table_destroy(h->table);
    h->table = NULL;
}

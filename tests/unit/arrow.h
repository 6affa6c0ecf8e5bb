/* A producer of Arrow's structures over arrays of the test; it counts what was released. */
#ifndef DPADAPT_TESTS_ARROW_H
#define DPADAPT_TESTS_ARROW_H

#include <stdio.h>

#include "check.h"

enum { kMostArrowColumns = 24 };

/* A column: a schema and an array, of which the batch has copies. */
typedef struct arrow_column {
    struct ArrowSchema schema;
    struct ArrowArray array;
    const void *buffers[5];
    struct ArrowSchema *child_schema;
    struct ArrowArray *child_array;
} arrow_column;

typedef struct {
    struct ArrowSchema schema;
    struct ArrowArray array;
    const void *buffers[1];
    struct ArrowSchema *schemas[kMostArrowColumns];
    struct ArrowArray *arrays[kMostArrowColumns];
} arrow_batch;

/* A stream of batches. */
typedef struct {
    arrow_batch *batches;
    size_t count, next;
    int fails;   /* 1: get_schema, 2: get_next after the batches */
    int schemas; /* given */
} arrow_source;

static struct { int schemas, arrays, streams; } arrow_released;

static inline void arrow_part_of_schema(struct ArrowSchema *schema) { schema->release = NULL; }
static inline void arrow_part_of_array(struct ArrowArray *array) { array->release = NULL; }
static inline void arrow_release_schema(struct ArrowSchema *schema) {
    ++arrow_released.schemas;
    schema->release = NULL;
}
static inline void arrow_release_array(struct ArrowArray *array) {
    ++arrow_released.arrays;
    array->release = NULL;
}
static inline void arrow_release_stream(struct ArrowArrayStream *stream) {
    ++arrow_released.streams;
    stream->release = NULL;
}

/* Values of a primitive format from `offset` on; no bitmap where all are there. */
static inline void arrow_values(arrow_column *column, const char *name, const char *format,
                                size_t length, size_t offset, const void *valid,
                                const void *values) {
    memset(column, 0, sizeof *column);
    column->schema.format = format;
    column->schema.name = name;
    column->schema.release = arrow_part_of_schema;
    column->buffers[0] = valid;
    column->buffers[1] = values;
    column->array.length = (int64_t)length;
    column->array.null_count = valid ? -1 : 0;
    column->array.offset = (int64_t)offset;
    column->array.n_buffers = 2;
    column->array.buffers = column->buffers;
    column->array.release = arrow_part_of_array;
}

/* Texts by offsets of 32 ("u") or 64 bits ("U"). */
static inline void arrow_texts(arrow_column *column, const char *name, const char *format,
                               size_t length, const void *valid, const void *offsets,
                               const char *letters) {
    arrow_values(column, name, format, length, 0, valid, offsets);
    column->buffers[2] = letters;
    column->array.n_buffers = 3;
}

/* Lists of the elements of another column. */
static inline void arrow_lists(arrow_column *column, const char *name, const char *format,
                               size_t length, size_t offset, const void *valid,
                               arrow_column *elements) {
    arrow_values(column, name, format, length, offset, valid, NULL);
    column->array.n_buffers = 1;
    column->child_schema = &elements->schema;
    column->child_array = &elements->array;
    column->schema.n_children = column->array.n_children = 1;
    column->schema.children = &column->child_schema;
    column->array.children = &column->child_array;
}

static inline void arrow_make_batch(arrow_batch *batch, arrow_column *columns, size_t count,
                                    size_t rows) {
    assert_true(count <= kMostArrowColumns);
    memset(batch, 0, sizeof *batch);
    for (size_t k = 0; k < count; ++k) {
        batch->schemas[k] = &columns[k].schema;
        batch->arrays[k] = &columns[k].array;
    }
    batch->schema.format = "+s";
    batch->schema.n_children = batch->array.n_children = (int64_t)count;
    batch->schema.children = batch->schemas;
    batch->array.children = batch->arrays;
    batch->array.length = (int64_t)rows;
    batch->array.n_buffers = 1;
    batch->array.buffers = batch->buffers;
    batch->schema.release = arrow_release_schema;
    batch->array.release = arrow_release_array;
}

/* A column of lists, "x", of row-major rows, and one of labels, "y". */
typedef struct {
    arrow_column elements, columns[2];
    arrow_batch batch;
    char format[16];
} arrow_list_batch;

static inline void arrow_make_lists(arrow_list_batch *b, const double *x, const double *y,
                                    size_t rows, size_t cols, size_t offset) {
    snprintf(b->format, sizeof b->format, "+w:%d", (int)cols);
    arrow_values(&b->elements, "item", "g", rows * cols, 0, NULL, x);
    arrow_lists(&b->columns[0], "x", b->format, rows - offset, offset, NULL, &b->elements);
    arrow_values(&b->columns[1], "y", "g", rows - offset, offset, NULL, y);
    arrow_make_batch(&b->batch, b->columns, 2, rows - offset);
}

static inline int arrow_get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    arrow_source *source = stream->private_data;
    memset(out, 0xa5, sizeof *out); /* after a failure nobody looks at it */
    if (source->fails == 1) return 5;
    ++source->schemas;
    *out = source->batches[0].schema;
    return 0;
}

static inline int arrow_get_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    arrow_source *source = stream->private_data;
    memset(out, 0xa5, sizeof *out);
    if (source->next == source->count && source->fails == 2) return 5;
    if (source->next < source->count)
        *out = source->batches[source->next++].array;
    else
        memset(out, 0, sizeof *out);
    return 0;
}

static inline const char *arrow_get_last_error(struct ArrowArrayStream *stream) {
    (void)stream;
    return "patient 17 is no number";
}

static inline struct ArrowArrayStream arrow_stream_of(arrow_source *source) {
    const struct ArrowArrayStream stream = {arrow_get_schema, arrow_get_next, arrow_get_last_error,
                                            arrow_release_stream, source};
    memset(&arrow_released, 0, sizeof arrow_released);
    source->next = 0;
    source->schemas = 0;
    return stream;
}

#endif

/** Arrow: rows and tables by the Arrow C data interface and the Arrow C stream interface, which
 *  DuckDB, Polars, pyarrow, Java's arrow-c-data and others speak.
 *
 *  A record batch is a struct of columns. What is read as numbers:
 *
 *      floats of 16, 32, 64 bits, integers of 8 to 64 bits, decimals of 32 to 128 bits
 *                                                   one feature, the nearest double
 *      booleans                                     one feature, 0 or 1
 *      fixed-size lists of these                    a feature for each place
 *      columns of type null                         one feature that is always missing
 *
 *  Columns are found by their names. `features` are the names of those that make the features, in
 *  their order: NULL, with feature_count = 0, for all columns but the label, in the order of the
 *  batch. The rest is not looked at. Texts and categories become features by a schema, see
 *  dpa_table_create_arrow.
 *
 *  A null, of a column or of a whole row, is NaN, and means what problem.h says of it: a label that
 *  is null is no label; a private record with a feature that is null counts and adds nothing; in a
 *  public row it is DPA_E_NONFINITE when the rows are used.
 *
 *  Who releases: what keeps rows takes a stream. On success the stream and all that came from it
 *  belong to the library, which releases each of them once (some, whose memory serves as it is,
 *  when the sample is replaced or the problem destroyed, in that thread; where another call still
 *  uses the problem, at that call's end, in its thread), and `release` of the caller's stream is
 *  NULL, as after every move. On failure the caller's stream is as it was, but for the schema and
 *  the batches that were read: they may ask its get_last_error, and release it. What only
 *  looks at rows takes a batch, borrows it during the call and never releases it.
 *
 *  Damage is DPA_E_FORMAT as far as it can be seen: structures that were released, pointers that
 *  are missing, negative or enormous lengths and offsets, other children or buffers than the type
 *  has, children that are too short, more than 2^20 batches of a stream without rows. Sizes of
 *  buffers are not part of the interface: nothing can tell that one is too short. Other types are
 *  DPA_E_UNSUPPORTED. Messages name columns and types, and neither they nor a status depends on
 *  what rows hold. A failing stream is DPA_E_CALLBACK;
 *  its own message may quote rows, so it is not repeated here.
 */
#ifndef DPADAPT_ARROW_H
#define DPADAPT_ARROW_H

#include <dpadapt/status.h>
#include <dpadapt/types.h>

DPA_EXTERN_C_BEGIN

/* As the Arrow project defines them, word for word. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

/** A stream of one batch, for functions that take streams.
 *  @param schema  Moved into the stream on success.
 *  @param batch   Moved into the stream on success.
 *  @param out     Receives the stream; its schema can be asked for once. `release` is NULL on
 *                 failure.
 *  @return DPA_OK; DPA_E_INVALID_ARGUMENT for NULL; DPA_E_FORMAT for released ones;
 *          DPA_E_NO_MEMORY.  Any thread.  Since 0.1. */
DPA_API dpa_status dpa_arrow_stream(struct ArrowSchema *schema, struct ArrowArray *batch,
                                    struct ArrowArrayStream *out);

/** Sets the source sample from a stream, replacing an earlier one. Its rows are copied, but for one
 *  batch whose features are a single column of doubles, or of fixed-size lists of them, aligned and
 *  without nulls: that is kept as it is, and labels likewise where they are doubles.
 *  @param problem        Changed only on success.
 *  @param rows           Released on success, see above. Read to its end; all batches are held
 *                        until then.
 *  @param features       Array of length feature_count of zero-terminated names, or NULL.
 *  @param feature_count  0 where features is NULL.
 *  @param label          Name of the column of labels; NULL: there are none.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT for NULL, and for a column that is missing,
 *          there twice, or feature and label; DPA_E_FORMAT and DPA_E_UNSUPPORTED, see above;
 *          DPA_E_EMPTY for zero rows or columns; DPA_E_OVERFLOW; DPA_E_DIMENSION when there are
 *          other numbers of features than in the other sample; DPA_E_CALLBACK; DPA_E_STATE;
 *          DPA_E_NO_MEMORY.  Cost: one copy at most.  Since 0.1. */
DPA_API dpa_status dpa_problem_set_source_arrow(dpa_problem *problem, struct ArrowArrayStream *rows,
                                                const char *const *features, size_t feature_count,
                                                const char *label);

/** Sets the target sample; as dpa_problem_set_source_arrow.  Since 0.1. */
DPA_API dpa_status dpa_problem_set_target_arrow(dpa_problem *problem, struct ArrowArrayStream *rows,
                                                const char *const *features, size_t feature_count,
                                                const char *label);

/** Adds the rows of a batch to a partial sum, as dpa_partial_add (passes.h).
 *  @param partial  Changed only on success.
 *  @param schema   Of the batch; borrowed.
 *  @param batch    Borrowed; no rows are a part too.
 *  @param label    Name of the column of labels; must not be NULL.
 *  The rest as dpa_problem_set_source_arrow, and DPA_E_STATE when there would be more records than
 *  the request speaks of.  Since 0.1. */
DPA_API dpa_status dpa_partial_add_arrow(dpa_partial *partial, const struct ArrowSchema *schema,
                                         const struct ArrowArray *batch,
                                         const char *const *features, size_t feature_count,
                                         const char *label);

/** Predicts labels for the rows of a batch, as dpa_solution_predict.
 *  @param schema    Of the batch; borrowed.
 *  @param batch     Borrowed; no rows are allowed. A null gives NaN for its row.
 *  @param features  Those of the fit, in their order.
 *  @param out       Array of length [length of the batch], filled.
 *  @param out_len   Length of out; other values give DPA_E_DIMENSION and leave out unchanged.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_FORMAT; DPA_E_UNSUPPORTED;
 *          DPA_E_DIMENSION; DPA_E_OVERFLOW; DPA_E_NO_MEMORY.  Any thread.  Cost: that
 *          of dpa_solution_predict and of one copy, in little memory.  Since 0.1. */
DPA_API dpa_status dpa_solution_predict_arrow(const dpa_solution *solution,
                                              const struct ArrowSchema *schema,
                                              const struct ArrowArray *batch,
                                              const char *const *features, size_t feature_count,
                                              double *out, size_t out_len);

/** A table (schema.h) from a stream: numbers and booleans as numbers, texts (utf8, large_utf8,
 *  utf8_view) as dpa_table_add_texts reads them, dictionaries of texts as categories, columns of
 *  nulls as missing values. So schemas apply to Arrow's columns. Dictionaries may differ from batch
 *  to batch; codes that are in none are missing values.
 *  @param rows  Released on success; as dpa_problem_set_source_arrow. All its columns are read, and
 *               copied.
 *  @param out   Receives the handle, to be released by dpa_table_destroy; NULL stored on failure.
 *  @return As dpa_problem_set_source_arrow.  Since 0.1. */
DPA_API dpa_status dpa_table_create_arrow(struct ArrowArrayStream *rows, dpa_table **out);

DPA_EXTERN_C_END

#endif

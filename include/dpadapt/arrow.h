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
 *  Columns are found by name. `features` lists the columns that are features, in their order.
 *  NULL, with feature_count = 0, takes all columns but the label, in the order of the batch. Other
 *  columns are ignored. Texts and categories become features by a schema, see
 *  dpa_table_create_arrow.
 *
 *  A null, of a column or of a whole row, is read as NaN (problem.h). A null label means "no
 *  label". A private record with a null feature counts as a record and adds nothing. A public row
 *  with a null feature is DPA_E_NONFINITE when the rows are used.
 *
 *  Ownership: functions that keep rows take a stream. On success the library owns the stream and
 *  all that came from it, and `release` of the caller's stream is NULL, as after every move. The
 *  library releases each structure once. Memory that serves as it is stays until the sample is
 *  replaced or the problem destroyed, and is released in that thread. If another call still uses
 *  the problem then, it is released at that call's end, in its thread. On failure the caller keeps
 *  the stream, without the schema and the batches that were read; get_last_error may be asked, and
 *  the caller releases it. Functions that only read rows take a batch, borrow it during the call
 *  and never release it.
 *
 *  Damage that can be seen is DPA_E_FORMAT:
 *
 *      - structures that were released, pointers that are missing
 *      - negative or enormous lengths and offsets
 *      - other children or buffers than the type has, children that are too short
 *      - more than 2^20 batches of a stream without rows
 *
 *  The interface has no sizes of buffers, so a buffer that is too short cannot be detected. Other
 *  types are DPA_E_UNSUPPORTED. Messages name columns and types. Neither a message nor a status
 *  depends on what rows hold. A failing stream is DPA_E_CALLBACK; its own message may quote rows,
 *  so it is not repeated.
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
 *          DPA_E_NO_MEMORY.  Any thread.  Since 0.2. */
DPA_API dpa_status dpa_arrow_stream(struct ArrowSchema *schema, struct ArrowArray *batch,
                                    struct ArrowArrayStream *out);

/** Sets the sample of a domain from a stream, replacing an earlier one. Its rows are copied, with
 *  one exception: a single batch whose features are one column of doubles, or of fixed-size lists
 *  of doubles, aligned and without nulls, is kept as it is. So are labels that are doubles.
 *  @param problem        Changed only on success.
 *  @param domain         DPA_SOURCE or DPA_TARGET.
 *  @param rows           Released on success, see above. Read to its end; all batches are held
 *                        until then.
 *  @param features       Array of length feature_count of zero-terminated names, or NULL.
 *  @param feature_count  0 where features is NULL.
 *  @param label          Name of the column of labels; NULL: there are none.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT for NULL, and for a given name of which
 *          there is no column, or more than one, or that is feature and label; DPA_E_FORMAT and
 *          DPA_E_UNSUPPORTED, see above; DPA_E_EMPTY for zero rows or columns; DPA_E_OVERFLOW;
 *          DPA_E_DIMENSION when there are other numbers of features than in the other sample;
 *          DPA_E_CALLBACK; DPA_E_STATE; DPA_E_NO_MEMORY.  Cost: one copy at most.  Since 0.2. */
DPA_API dpa_status dpa_problem_set_arrow(dpa_problem *problem, int32_t domain,
                                         struct ArrowArrayStream *rows, const char *const *features,
                                         size_t feature_count, const char *label);

/** Adds the rows of a batch to a partial sum, as dpa_partial_add (passes.h).
 *  @param partial  Changed only on success.
 *  @param schema   Of the batch; borrowed.
 *  @param batch    Borrowed; no rows are a part too.
 *  @param label    Name of the column of labels; must not be NULL.
 *  The rest as dpa_problem_set_arrow, and DPA_E_STATE when there would be more records than
 *  the request covers.  Since 0.2. */
DPA_API dpa_status dpa_partial_add_arrow(dpa_partial *partial, const struct ArrowSchema *schema,
                                         const struct ArrowArray *batch,
                                         const char *const *features, size_t feature_count,
                                         const char *label);

/** Predicts labels for the rows of a batch, as dpa_solution_predict does.
 *  @param schema    Of the batch; borrowed.
 *  @param batch     Borrowed; no rows are allowed. A null gives NaN for its row.
 *  @param features  Those of the fit, in their order.
 *  @param out       Array of length [length of the batch], filled.
 *  @param out_len   Length of out; other values give DPA_E_DIMENSION and leave out unchanged.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT; DPA_E_FORMAT; DPA_E_UNSUPPORTED;
 *          DPA_E_DIMENSION; DPA_E_OVERFLOW; DPA_E_NO_MEMORY.  Any thread.  Cost: that
 *          of dpa_solution_predict and of one copy, in little memory.  Since 0.2. */
DPA_API dpa_status dpa_solution_predict_arrow(const dpa_solution *solution,
                                              const struct ArrowSchema *schema,
                                              const struct ArrowArray *batch,
                                              const char *const *features, size_t feature_count,
                                              double *out, size_t out_len);

/** A table (schema.h) from a stream. Numbers and booleans become numbers. Texts (utf8, large_utf8,
 *  utf8_view) are read as by dpa_table_add_texts. Dictionaries of texts become categories, and
 *  columns of nulls missing values. Dictionaries may differ from batch to batch; codes that are in
 *  none are missing values.
 *  @param rows  Released on success; as dpa_problem_set_arrow. All its columns are read, and
 *               copied.
 *  @param out   Receives the handle, to be released by dpa_table_destroy; NULL stored on failure.
 *  @return As dpa_problem_set_arrow.  Since 0.2. */
DPA_API dpa_status dpa_table_create_arrow(struct ArrowArrayStream *rows, dpa_table **out);

DPA_EXTERN_C_END

#endif

/** Schemas: how columns of numbers and texts become features and labels.
 *
 *  A schema is computed from a public table alone. It is applied to every table, public or private,
 *  record by record: the features of a record depend on that record and the schema alone.
 *
 *      number     one feature. A missing value becomes the median of the public column. If missing
 *                 values are not rare, there is also a feature "name=(missing)"
 *      category   a feature "name=level" for each level but the first, the reference. Rare levels
 *                 share "name=(other)". A level that the public column lacks is the reference
 *      not used   constant columns, row numbers, and texts whose 50 most common levels have less
 *                 than half of the rows. A level is common if at least 10 rows, and 1 row in 100,
 *                 have it.
 *                 dpa_table_hint may allow more
 *      label      a number; for two classes (loss = logistic) -1 and +1; for several (softmax)
 *                 0, 1, ... Of two classes the second is +1: 1 of 0 and 1, yes of no and yes, true
 *                 of false and true, else the greater one
 *
 *  Texts that the public column spells differently are different levels, or labels. Blanks at their
 *  ends do not count, and a number is the same in any notation. A cell of another table is matched
 *  in this order; a cell that fits several levels in a step is unknown:
 *
 *      - the level with the same spelling
 *      - the only level that differs in capitals (A to Z) alone
 *      - where two levels mean no and yes, the one that a usual word for them means: -1, 0, no, n,
 *        false, f; 1, yes, y, true, t
 *
 *  A value that does not fit its column counts as missing, and a label that is unknown as no label
 *  (NaN). No status or message of a function here depends on a private value.
 *
 *      dpa_table_create, dpa_table_add_numbers / _texts / _levels       public rows, private rows
 *      dpa_schema_learn(public table, "label", options)
 *      dpa_schema_feature_count, then dpa_schema_apply for each table   x, y
 *      dpa_problem_set_sample for each domain
 *      dpa_schema_set_loss, dpa_solve
 */
#ifndef DPADAPT_SCHEMA_H
#define DPADAPT_SCHEMA_H

#include <dpadapt/status.h>
#include <dpadapt/types.h>

DPA_EXTERN_C_BEGIN

/** A table without columns.
 *  @param rows  Number of records, from 1 to 2^31 - 1.
 *  @param out   Receives the handle, to be released by dpa_table_destroy; NULL stored on failure.
 *  @return DPA_OK; DPA_E_INVALID_ARGUMENT; DPA_E_EMPTY; DPA_E_OVERFLOW; DPA_E_NO_MEMORY.
 *  Since 0.2. */
DPA_API dpa_status dpa_table_create(size_t rows, dpa_table **out);

/** Adds a column of numbers.
 *  @param table   Changed only on success.
 *  @param name    Of the column, zero-terminated; another one than the columns before.
 *  @param values  Array of length rows; NaN and infinity stand for a missing value. Copied.
 *  @param rows    As many as the table has, else DPA_E_DIMENSION.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT for NULL and for a name that is there;
 *          DPA_E_DIMENSION; DPA_E_NO_MEMORY.  Since 0.2. */
DPA_API dpa_status dpa_table_add_numbers(dpa_table *table, const char *name, const double *values,
                                         size_t rows);

/** Adds a column of texts, which are read like the cells of a file. A text that is a number is a
 *  number. An empty text, NA, null or nan is a missing value. Blanks of Unicode and letters of no
 *  width at both ends are dropped; all else is a part of the text.
 *  @param values  Array of length rows of zero-terminated texts; NULL is a missing value. Copied.
 *  The rest as dpa_table_add_numbers.  Since 0.2. */
DPA_API dpa_status dpa_table_add_texts(dpa_table *table, const char *name,
                                       const char *const *values, size_t rows);

/** Adds a category by the numbers of its levels. It stays a category if its levels look like
 *  numbers.
 *  @param codes        Array of length rows; what is not from 0 to level_count - 1 is a missing
 *                      value. Copied.
 *  @param levels       Array of length level_count of zero-terminated texts. Copied.
 *  @param level_count  At most 2^31 - 1.
 *  The rest as dpa_table_add_numbers; DPA_E_OVERFLOW.  Since 0.2. */
DPA_API dpa_status dpa_table_add_levels(dpa_table *table, const char *name, const int32_t *codes,
                                        size_t rows, const char *const *levels, size_t level_count);

/** Sets a rule for the schemas that are made from this table:
 *
 *      "ignore"     the column of that name is no feature
 *      "category"   it is a category even if it holds numbers; it may have up to 1000 levels that
 *                   10 rows have
 *      "text"       it is a category even if all its texts are numbers, unless it has too many
 *                   levels
 *      "boolean"    the type of a column of numbers is boolean. dpa_schema_apply and
 *                   dpa_inspect_table refuse a boolean column that matches no level
 *      "missing"    that word is a missing value in every table, like the usual words
 *      "positive"   that label is +1, of two classes
 *      "class"      the labels of several classes are those given, in this order: 0, 1, ...; all
 *                   of them must be given
 *      "compute"    a feature is computed from columns of the record, such as
 *                   "bmi = weight / height^2". It stands behind the features of the columns. With
 *                   "ignore" for a column, computed features alone read it
 *
 *  A computed feature is "NAME = EXPRESSION", or an expression that is its own name:
 *
 *      COLUMN, 2.5        a column of numbers by its name, a number. Names of other than letters,
 *                         digits, "." and "_" stand between backticks, `like this`
 *      + - * / ^          as usual; -x^2 is -(x^2), x^2^3 is x^8
 *      == != < <= > >=    1 where it holds, else 0
 *      & | !              and, or, not: of 0 and any other number
 *      COLUMN == "text"   1 where the cell is that level of a category, else 0; != is the contrary.
 *                         A quote within the text is written twice
 *      abs sqrt exp expm1 log log1p log2 log10 sin cos tan floor ceiling    of one number
 *      min(a, b), max(a, b), ifelse(condition, a, b)
 *      pieces(x, degree, begin, c0, c1, ..., begin, c0, c1, ...)    a piecewise polynomial: each
 *                         piece is c0 + c1 (x - begin) + ... from its begin on. The first one has
 *                         no lower end
 *
 *  A missing number is the median of its public column, as in other features. Where the value is
 *  not finite, the feature is what missing cells give; public records of dpa_schema_learn may have
 *  no such value.
 *
 *  @param what   One of these words.
 *  @param value  The column, word, label or computed feature. For "positive" only the last call
 *                counts; for the other words all calls count.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT for NULL, another word, and what is no
 *          expression; DPA_E_NO_MEMORY.  Since 0.2. */
DPA_API dpa_status dpa_table_hint(dpa_table *table, const char *what, const char *value);

/** Number of records. The arrays of dpa_schema_apply need it for a table that was made from a
 *  stream.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT.  Since 0.2. */
DPA_API dpa_status dpa_table_row_count(const dpa_table *table, size_t *count);

/** Releases the table; NULL is accepted and ignored.  Since 0.2. */
DPA_API void dpa_table_destroy(dpa_table *table);

/** Makes a schema from public rows. Never give it private ones: the schema and its number of
 *  features depend on all values.
 *  @param table    All columns but the label are features, except by rules of dpa_table_hint.
 *                  Records without a label are left out, and the description counts them.
 *  @param label    The name of the column of labels.
 *  @param options  NULL for the defaults. `loss`, `perceptron_output` and `classes` are read,
 *                  because labels depend on them; dpa_schema_set_loss gives them, and the numbers
 *                  of the loss, to fits. A number for `classes` means that labels which are numbers
 *                  are 0, 1, ... already; fits alone refuse more classes (DPA_E_LABEL).
 *                  The progress function and the cancel token are used.
 *  @param out      Receives the handle, to be released by dpa_schema_destroy; NULL stored on
 *                  failure.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT when the table lacks the label or a column
 *          that dpa_table_hint named; for a "category" with less than half of the rows in 1000
 *          levels at most of 10 rows or more each; for two features of one name; and for a feature
 *          computed from an ignored column of more than 1000 levels; DPA_E_LABEL for labels without
 *          meaning for the loss, or other labels than those of "class"; DPA_E_NONFINITE for a text
 *          in a column of numbers, or a computed feature without a finite value (the message names
 *          row and column, which count from 0);
 *          DPA_E_EMPTY when no column is left as a feature, or no record has a label; DPA_E_FORMAT
 *          for a name or a level that is kept and is not UTF-8; DPA_E_CANCELLED; DPA_E_NO_MEMORY.
 *          Since 0.2. */
DPA_API dpa_status dpa_schema_learn(const dpa_table *table, const char *label,
                                    const dpa_options *options, dpa_schema **out);

/** Releases the schema; NULL is accepted and ignored.  Since 0.2. */
DPA_API void dpa_schema_destroy(dpa_schema *schema);

/** Number of features.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT.  Any thread.  Since 0.2. */
DPA_API dpa_status dpa_schema_feature_count(const dpa_schema *schema, size_t *count);

/** A text about the schema:
 *
 *      feature      name of a feature, such as "age" or "colour=red"
 *      labels       recognized labels, such as "no or yes"; any other text counts as no label. For
 *                   dpa_solution_findings
 *      unused       which columns are not used, and why, in a line each
 *      description  how each column is used, in a line each, for people. Computed from public rows
 *
 *  @param index   Of the feature, from 0; of other texts it is ignored.
 *  @param needed  Receives the size with its zero; may be NULL.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT for an index that is none;
 *          DPA_E_OPTION_NAME for other names; DPA_E_BUFFER when out_len is too small (out is
 *          unchanged); DPA_E_NO_MEMORY.  Any thread.  Since 0.2. */
DPA_API dpa_status dpa_schema_text(const dpa_schema *schema, const char *name, size_t index,
                                   char *out, size_t out_len, size_t *needed);

/** The label as the public table writes it, such as "yes" for 1; numbers as they are. For
 *  predictions; as dpa_schema_text.  Since 0.2. */
DPA_API dpa_status dpa_schema_label_text(const dpa_schema *schema, double label, char *out,
                                         size_t out_len, size_t *needed);

/** Sets the option `loss` where it was not set, and its numbers, to that of the options of
 *  dpa_schema_learn, or of the model whose schema this is. A loss for numbers becomes one for the
 *  labels of the schema if these are classes: logistic for two, softmax and `classes` for several.
 *  Else nothing changes: a loss that was set, be it to the default, is kept.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_OPTION for softmax of one class or of more than 1000, and
 *          nothing changes; DPA_E_NO_MEMORY.  Since 0.2. */
DPA_API dpa_status dpa_schema_set_loss(const dpa_schema *schema, dpa_options *options);

/** Features and labels of a table, public or private.
 *  @param table  Must have the columns that the schema uses, by name; others are ignored.
 *  @param x      Filled with rows x features, row-major, in feature units. A value that does not
 *                fit counts as missing, in every table: it becomes the median of the public column,
 *                and an unknown level becomes the reference. NaN where the schema has no median (a
 *                model with both samples private). dpa_inspect_table lists the values that do not
 *                fit.
 *  @param x_len  rows * dpa_schema_feature_count.
 *  @param y      Filled with the labels, NaN where there is none. If it is NULL, the table need not
 *                have labels.
 *  @param y_len  rows, or 0.
 *  @return DPA_OK; DPA_E_HANDLE; DPA_E_INVALID_ARGUMENT for NULL, and without one of the columns,
 *          which the message names, and for a "boolean" of dpa_table_hint that can be no level or
 *          label; DPA_E_DIMENSION; DPA_E_UNSUPPORTED for a model that corrects the scores of
 *          another one, which a column holds; DPA_E_NO_MEMORY.  Any thread.  Since 0.2. */
DPA_API dpa_status dpa_schema_apply(const dpa_schema *schema, const dpa_table *table, double *x,
                                    size_t x_len, double *y, size_t y_len);

/** The schema as bytes, to be kept beside a saved solution. It is as public as the rows that it was
 *  made from. As dpa_solution_serialize.  Since 0.2. */
DPA_API dpa_status dpa_schema_serialize(const dpa_schema *schema, uint8_t *out, size_t out_len,
                                        size_t *needed);

/** Reads what dpa_schema_serialize wrote, or the schema of a model file (dpa_schema_model).
 *  @return DPA_OK; DPA_E_INVALID_ARGUMENT for NULL; DPA_E_FORMAT for anything else;
 *          DPA_E_NO_MEMORY.  Since 0.2. */
DPA_API dpa_status dpa_schema_deserialize(const uint8_t *data, size_t data_len, dpa_schema **out);

/** Schema and predictor as a model file, a JSON object. The command and every language read it:
 *  dpa_schema_deserialize and dpa_solution_deserialize take its bytes. Its members "schema" and
 *  "model" hold the saved bytes of both. The others are for people. They follow from these bytes,
 *  and a file in which they do not is DPA_E_FORMAT; so is one with an unknown member.
 *  @param solution  Has the features of the schema, else DPA_E_DIMENSION.
 *  @param weights   0: without the weights of the records, which a predictor does not need.
 *  The rest as dpa_schema_text; DPA_E_NO_MEMORY.  Since 0.2. */
DPA_API dpa_status dpa_schema_model(const dpa_schema *schema, const dpa_solution *solution,
                                    int32_t weights, char *out, size_t out_len, size_t *needed);

DPA_EXTERN_C_END

#endif

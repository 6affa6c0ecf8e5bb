/** Conversions between R and the library's C interface, used by the generated wrappers. Every
 *  function either returns or raises an R condition of class dpadapt_error; there are no C++ frames
 *  below the wrappers. */
#ifndef DPADAPT_GLUE_H
#define DPADAPT_GLUE_H

#define R_NO_REMAP
#define STRICT_R_HEADERS
#include <Rinternals.h>
#include <dpadapt/status.h>
#include <stddef.h>

/** Raises the condition of a status, with that message. */
void glue_fail(dpa_status status, const char *message);

/** Raises the condition of a status that is neither DPA_OK nor DPA_E_BUFFER, which callers of a
 *  wrapper with a buffer see by its result. */
void glue_check(dpa_status status);

/** A handle without an address, with its finalizer; `type` is kept as its tag. */
SEXP glue_handle(const char *type, R_CFinalizer_t finalizer);

/** Address of a handle of that type; NULL for R's NULL. A handle of another type, and one that is
 *  closed or came from a file, are errors. */
void *glue_pointer(SEXP handle, const char *type);

/** Addresses of a list of handles of that type, in memory that R releases after the call. */
void **glue_pointers(SEXP handles, const char *type, size_t *count);

const double *glue_matrix(SEXP x, size_t *rows, size_t *cols);
const double *glue_vector(SEXP y, size_t *length);
/** Whole numbers, in memory that R releases after the call. */
const int64_t *glue_ids(SEXP ids, size_t *length);
const uint8_t *glue_bytes(SEXP data, size_t *length);
const char *glue_string(SEXP text, const char *name);
/** Texts in UTF-8, NULL for NA, in memory that R releases after the call. */
const char *const *glue_texts(SEXP texts, const char *name, size_t *length);
const int *glue_integers(SEXP values, const char *name, size_t *length);
double glue_number(SEXP value, const char *name);

/** A whole number from `least` to 2^53; R has no integers of 64 bits. */
double glue_whole(SEXP value, const char *name, double least);
int32_t glue_int32(SEXP value, const char *name);

/** Length of an array that a call fills. */
size_t glue_length(SEXP length);

/** One of several such lengths. */
size_t glue_part_length(SEXP lengths, int part);

/** A list of two. */
SEXP glue_pair(SEXP first, SEXP second);

/** NULL becomes R's NULL. */
SEXP glue_text(const char *text);
SEXP glue_text_or_size(const char *text, size_t length, size_t needed);

/** The numbers, with the text as their attribute of that name; without it where that is NULL. */
SEXP glue_named(SEXP numbers, const char *name, const char *value);

/** The numbers so far, NULL or anything else that is no numbers for none, with one more. */
SEXP glue_append(SEXP numbers, const char *name, double value);

#endif

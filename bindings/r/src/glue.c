#include "glue.h"

#include <dpadapt/types.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

#define LARGEST_WHOLE 9007199254740992.0 /* 2^53 */

void glue_fail(dpa_status status, const char *message) {
    SEXP package = Rf_protect(Rf_mkString("dpadapt"));
    SEXP space = Rf_protect(R_FindNamespace(package));
    SEXP name = Rf_protect(Rf_mkString(dpa_status_string(status)));
    SEXP text = Rf_protect(glue_text(message));
    SEXP code = Rf_protect(Rf_ScalarInteger(status));
    Rf_eval(Rf_protect(Rf_lang4(Rf_install("raise"), code, name, text)), space);
    Rf_error("%s", message); /* not reached: raise() does not return */
}

void glue_check(dpa_status status) {
    if (status != DPA_OK && status != DPA_E_BUFFER) glue_fail(status, dpa_last_error());
}

SEXP glue_handle(const char *type, R_CFinalizer_t finalizer) {
    SEXP handle = Rf_protect(R_MakeExternalPtr(NULL, Rf_install(type), R_NilValue));
    R_RegisterCFinalizerEx(handle, finalizer, TRUE);
    Rf_unprotect(1);
    return handle;
}

void *glue_pointer(SEXP handle, const char *type) {
    if (handle == R_NilValue) return NULL;
    char message[128];
    if (TYPEOF(handle) != EXTPTRSXP || R_ExternalPtrTag(handle) != Rf_install(type)) {
        snprintf(message, sizeof message, "this is not a handle of type %s", type);
        glue_fail(DPA_E_HANDLE, message);
    }
    void *address = R_ExternalPtrAddr(handle);
    if (address == NULL) {
        snprintf(message, sizeof message, "this %s was closed, or comes from another session",
                 type);
        glue_fail(DPA_E_HANDLE, message);
    }
    return address;
}

void **glue_pointers(SEXP handles, const char *type, size_t *count) {
    if (TYPEOF(handles) != VECSXP)
        glue_fail(DPA_E_INVALID_ARGUMENT, "handles must be given in a list");
    *count = (size_t)XLENGTH(handles);
    void **addresses = (void **)R_alloc(*count, sizeof(void *));
    for (size_t i = 0; i < *count; i++)
        addresses[i] = glue_pointer(VECTOR_ELT(handles, (R_xlen_t)i), type);
    return addresses;
}

const double *glue_matrix(SEXP x, size_t *rows, size_t *cols) {
    if (TYPEOF(x) != REALSXP || !Rf_isMatrix(x))
        glue_fail(DPA_E_INVALID_ARGUMENT, "x must be a matrix of doubles");
    *rows = (size_t)Rf_nrows(x);
    *cols = (size_t)Rf_ncols(x);
    return REAL(x);
}

const double *glue_vector(SEXP y, size_t *length) {
    *length = 0;
    if (y == R_NilValue) return NULL; /* no labels */
    if (TYPEOF(y) != REALSXP)
        glue_fail(DPA_E_INVALID_ARGUMENT, "labels must be a vector of doubles");
    if (XLENGTH(y) > INT_MAX) /* before REAL() expands a compact sequence */
        glue_fail(DPA_E_OVERFLOW, "labels must be less than 2^31");
    *length = (size_t)XLENGTH(y);
    return REAL(y);
}

const int64_t *glue_ids(SEXP ids, size_t *length) {
    if (TYPEOF(ids) != INTSXP) glue_fail(DPA_E_INVALID_ARGUMENT, "ids must be integers");
    *length = (size_t)XLENGTH(ids);
    int64_t *wide = (int64_t *)R_alloc(*length, sizeof *wide);
    const int *from = INTEGER(ids);
    for (size_t i = 0; i < *length; ++i) wide[i] = from[i];
    return wide;
}

const uint8_t *glue_bytes(SEXP data, size_t *length) {
    if (TYPEOF(data) != RAWSXP) glue_fail(DPA_E_INVALID_ARGUMENT, "bytes must be a raw vector");
    *length = (size_t)XLENGTH(data);
    return RAW(data);
}

static void fail_named(const char *name, const char *rule) {
    char message[192];
    snprintf(message, sizeof message, "%s %s", name, rule);
    glue_fail(DPA_E_INVALID_ARGUMENT, message);
}

const char *glue_string(SEXP text, const char *name) {
    if (TYPEOF(text) != STRSXP || XLENGTH(text) != 1 || STRING_ELT(text, 0) == NA_STRING)
        fail_named(name, "must be one string");
    return Rf_translateCharUTF8(STRING_ELT(text, 0));
}

const char *const *glue_texts(SEXP texts, const char *name, size_t *length) {
    if (TYPEOF(texts) != STRSXP) fail_named(name, "must be strings");
    *length = (size_t)XLENGTH(texts);
    /* Of no texts R would allocate NULL. */
    const char **utf8 = (const char **)R_alloc(*length + 1, sizeof *utf8);
    for (size_t i = 0; i < *length; ++i) {
        SEXP text = STRING_ELT(texts, (R_xlen_t)i);
        const int as_it_is = Rf_getCharCE(text) == CE_BYTES; /* R would refuse to translate it */
        utf8[i] = text == NA_STRING ? NULL : as_it_is ? CHAR(text) : Rf_translateCharUTF8(text);
    }
    return utf8;
}

const int *glue_integers(SEXP values, const char *name, size_t *length) {
    if (TYPEOF(values) != INTSXP) fail_named(name, "must be integers");
    *length = (size_t)XLENGTH(values);
    return INTEGER(values);
}

double glue_number(SEXP value, const char *name) {
    const int type = TYPEOF(value);
    if ((type != REALSXP && type != INTSXP && type != LGLSXP) || XLENGTH(value) != 1)
        fail_named(name, "must be one number");
    return Rf_asReal(value);
}

double glue_whole(SEXP value, const char *name, double least) {
    const double number = glue_number(value, name);
    if (!(number >= least && number <= LARGEST_WHOLE) || number != floor(number))
        fail_named(name, least < 0 ? "must be a whole number between -2^53 and 2^53"
                                   : "must be a whole number between 0 and 2^53");
    return number;
}

int32_t glue_int32(SEXP value, const char *name) {
    const double number = glue_whole(value, name, -LARGEST_WHOLE);
    if (number < INT32_MIN || number > INT32_MAX) fail_named(name, "must be less than 2^31");
    return (int32_t)number;
}

size_t glue_length(SEXP length) {
    const double number = glue_whole(length, "length", 0);
    if (number > (double)R_XLEN_T_MAX) fail_named("length", "is beyond what R can hold");
    return (size_t)number;
}

size_t glue_part_length(SEXP lengths, int part) {
    if (TYPEOF(lengths) != REALSXP || XLENGTH(lengths) <= part)
        fail_named("lengths", "must be numbers");
    SEXP one = Rf_protect(Rf_ScalarReal(REAL(lengths)[part]));
    const size_t length = glue_length(one);
    Rf_unprotect(1);
    return length;
}

SEXP glue_pair(SEXP first, SEXP second) {
    SEXP pair = Rf_protect(Rf_allocVector(VECSXP, 2));
    SET_VECTOR_ELT(pair, 0, first);
    SET_VECTOR_ELT(pair, 1, second);
    Rf_unprotect(1);
    return pair;
}

SEXP glue_text(const char *text) {
    if (text == NULL) return R_NilValue;
    return Rf_ScalarString(Rf_mkCharCE(text, CE_UTF8));
}

SEXP glue_text_or_size(const char *text, size_t length, size_t needed) {
    return needed > length ? Rf_ScalarReal((double)needed) : glue_text(text);
}

SEXP glue_append(SEXP numbers, const char *name, double value) {
    Rf_protect(numbers);
    const R_xlen_t before = TYPEOF(numbers) == REALSXP ? XLENGTH(numbers) : 0;
    SEXP result = Rf_protect(Rf_allocVector(REALSXP, before + 1));
    SEXP names = Rf_protect(Rf_allocVector(STRSXP, before + 1));
    for (R_xlen_t i = 0; i < before; i++) {
        REAL(result)[i] = REAL(numbers)[i];
        SET_STRING_ELT(names, i, STRING_ELT(Rf_getAttrib(numbers, R_NamesSymbol), i));
    }
    REAL(result)[before] = value;
    SET_STRING_ELT(names, before, Rf_mkChar(name));
    Rf_setAttrib(result, R_NamesSymbol, names);
    Rf_unprotect(3);
    return result;
}

SEXP glue_named(SEXP numbers, const char *name, const char *value) {
    Rf_protect(numbers);
    SEXP text = Rf_protect(glue_text(value));
    Rf_setAttrib(numbers, Rf_install(name), text);
    Rf_unprotect(2);
    return numbers;
}

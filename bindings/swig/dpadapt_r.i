/** Typemaps for R. Every R object that a call fills is made before the call and every input is
 *  checked before it, so that an error of R, which is a longjmp, finds nothing to release. R's own
 *  functions for the conversions are in glue.h of the package. */
%{
#include "callbacks.h"
#include "glue.h"
%}
%insert("sinitroutine") %{
    R_useDynamicSymbols(dll, FALSE);
    R_forceSymbols(dll, TRUE);
%}

/* What has no typemap of its own below must not fall back on those of SWIG. */
%typemap(in) SWIGTYPE, SWIGTYPE *, SWIGTYPE **, SWIGTYPE [], double *, char *, size_t *, int32_t *,
             int64_t *, uint64_t *
%{
#error "no typemap for $1_type $1_name"
%}
%typemap(out) void
%{
    $result = R_NilValue;
%}
%typemap(out) SWIGTYPE, SWIGTYPE *
%{
#error "no typemap for a result of type $1_type"
%}
%typemap(freearg) SWIGTYPE *, double *, char *, const char *, size_t *, int32_t *, int64_t *,
                  uint64_t * ""

%define DPA_HANDLE(noun)
%{
static void finalize_##noun(SEXP handle) {
    dpa_##noun *taken = R_ExternalPtrAddr(handle);
    R_ClearExternalPtr(handle);
    dpa_##noun##_destroy(taken);
}
%}
%typemap(in, numinputs = 0) dpa_##noun **out (dpa_##noun *made = NULL, SEXP handle)
%{
    handle = Rf_protect(glue_handle("dpa_" #noun, finalize_##noun));
    $1 = &made;
%}
%typemap(argout) dpa_##noun **out
%{
    R_SetExternalPtrAddr(handle$argnum, made$argnum);
    $result = handle$argnum;
    Rf_unprotect(1);
%}
%typemap(in) dpa_##noun *, const dpa_##noun *
%{
    $1 = glue_pointer($input, "dpa_" #noun);
%}
/* Closes the handle: what it points to is released now, and once. */
%exception dpa_##noun##_destroy
%{
    if (arg1 != NULL) finalize_##noun(noun);
%}
%enddef
DPA_HANDLES

%typemap(in) (const double *y, size_t y_len), (const double *offset, size_t offset_len),
                (const double *times, size_t times_len)
%{
    $1 = (double *)glue_vector($input, &$2);
%}
%typemap(in) (const double *weights, size_t n), (const double *scores, size_t n)
%{
    $1 = (double *)glue_vector($input, &$2);
%}
%typemap(in) (const int64_t *ids, size_t n)
%{
    $1 = (int64_t *)glue_ids($input, &$2);
%}
%typemap(argout) (const int64_t *ids, size_t n) ""
%typemap(freearg) (const int64_t *ids, size_t n) ""
%typemap(in) (const uint8_t *data, size_t data_len)
%{
    $1 = (uint8_t *)glue_bytes($input, &$2);
%}
%typemap(in) (const dpa_solution *const *candidates, size_t count)
%{
    $1 = ($1_ltype)glue_pointers($input, "dpa_solution", &$2);
%}

/* Arrays to be filled: the caller gives the length. */
%typemap(in) (double *out, size_t out_len) (SEXP filled)
%{
    $2 = glue_length($input);
    filled = Rf_protect(Rf_allocVector(REALSXP, (R_xlen_t)$2));
    $1 = REAL(filled);
%}
%typemap(argout) (double *out, size_t out_len)
%{
    $result = filled$argnum;
    Rf_unprotect(1);
%}

/* Texts and bytes: the caller gives a length, and is told the needed one where that is too
 * small. */
%typemap(in) (char *out, size_t out_len, size_t *needed) (size_t size = 0)
%{
    $2 = glue_length($input);
    $1 = $2 > 0 ? R_alloc($2, 1) : NULL;
    $3 = &size;
%}
%typemap(argout) (char *out, size_t out_len, size_t *needed)
%{
    $result = glue_text_or_size($1, $2, size$argnum);
%}
%typemap(in) (uint8_t *out, size_t out_len, size_t *needed) (SEXP filled, size_t size = 0)
%{
    $2 = glue_length($input);
    filled = Rf_protect(Rf_allocVector(RAWSXP, (R_xlen_t)$2));
    $1 = RAW(filled);
    $3 = &size;
%}
%typemap(argout) (uint8_t *out, size_t out_len, size_t *needed)
%{
    $result = size$argnum > $2 ? Rf_ScalarReal((double)size$argnum) : filled$argnum;
    Rf_unprotect(1);
%}

/* Results that are numbers: a vector of doubles with the names of the arguments. */
%define DPA_NUMBER(type)
%typemap(in, numinputs = 0) type * (type number = 0)
%{
    $1 = &number;
%}
%typemap(argout) type *
%{
    $result = glue_append($result, "$1_name", (double)number$argnum);
%}
%typemap(in) const type *
%{
#error "no typemap for $1_type $1_name"
%}
%typemap(argout) const type * ""
%enddef
DPA_NUMBER(double)
%typemap(argout) double *deviation
%{
    Rf_protect($result);
    Rf_setAttrib($result, Rf_install("$1_name"), Rf_protect(Rf_ScalarReal(number$argnum)));
    Rf_unprotect(2);
%}
DPA_NUMBER(size_t)
DPA_NUMBER(int32_t)
DPA_NUMBER(int64_t)
DPA_NUMBER(uint64_t)

/* The reason of a failure tells whether there is one. */
%typemap(in, numinputs = 0) dpa_status *status
%{
    $1 = NULL;
%}
%typemap(argout) dpa_status *status ""

%typemap(in) double
%{
    $1 = glue_number($input, "$1_name");
%}
%typemap(in) size_t
%{
    $1 = (size_t)glue_whole($input, "$1_name", 0);
%}
%typemap(in) uint64_t
%{
    $1 = (uint64_t)glue_whole($input, "$1_name", 0);
%}
%typemap(in) int64_t
%{
    $1 = (int64_t)glue_whole($input, "$1_name", -9007199254740992.0);
%}
%typemap(in) int32_t
%{
    $1 = glue_int32($input, "$1_name");
%}
%typemap(in) const char *
%{
    $1 = (char *)glue_string($input, "$1_name");
%}
/* NULL for no method, and no file. */
%typemap(in) const char *method, const char *path
%{
    $1 = $input == R_NilValue ? NULL : (char *)glue_string($input, "$1_name");
%}
%typemap(in) SEXP
%{
    $1 = $input;
%}

%typemap(out) size_t
%{
    $result = Rf_ScalarReal((double)$1);
%}
%typemap(out) const char *
%{
    $result = glue_text($1);
%}
%typemap(out) SEXP
%{
    $result = $1;
%}
%typemap(out) dpa_status
%{
    $result = R_NilValue;
    glue_check($1);
%}

/* The functions of callbacks.h. */
SEXP glue_callbacks(SEXP progress, SEXP loss);
SEXP glue_resume(SEXP callbacks);
dpa_status glue_set_progress(dpa_options *options, SEXP callbacks);
dpa_status glue_set_loss(dpa_options *options, SEXP callbacks, size_t parameters, double loss_bound,
                         double gradient_bound, double smoothness);

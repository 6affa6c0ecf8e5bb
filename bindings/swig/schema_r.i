/** Columns of schema.h for R: vectors with their lengths, and what a schema makes of a table, a
 *  list of features and labels. */
DPA_HANDLE(table)
DPA_HANDLE(schema)
%typemap(in) (const double *values, size_t rows)
%{
    $1 = (double *)glue_vector($input, &$2);
%}
%typemap(in) (const char *const *values, size_t rows),
             (const char *const *levels, size_t level_count)
%{
    $1 = ($1_ltype)glue_texts($input, "$1_name", &$2);
%}
%typemap(in) (const int32_t *codes, size_t rows)
%{
    $1 = ($1_ltype)glue_integers($input, "$1_name", &$2);
%}
%typemap(argout) (const int32_t *codes, size_t rows) ""
%typemap(freearg) (const int32_t *codes, size_t rows),
                  (const char *const *values, size_t rows),
                  (const char *const *levels, size_t level_count) ""

/* The caller gives both lengths; without labels theirs is 0. */
%typemap(in) (double *x, size_t x_len, double *y, size_t y_len) (SEXP features, SEXP labels)
%{
    $2 = glue_part_length($input, 0);
    $4 = glue_part_length($input, 1);
    features = Rf_protect(Rf_allocVector(REALSXP, (R_xlen_t)$2));
    labels = Rf_protect(Rf_allocVector(REALSXP, (R_xlen_t)$4));
    $1 = REAL(features);
    $3 = $4 > 0 ? REAL(labels) : NULL;
%}
%typemap(argout) (double *x, size_t x_len, double *y, size_t y_len)
%{
    $result = glue_pair(features$argnum, labels$argnum);
    Rf_unprotect(2);
%}

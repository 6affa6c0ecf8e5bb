/** Matrices, measures and the progress of a call, which are structures in C. SWIG makes no classes
 *  of them: a matrix is one argument in every language, which its typemap of dpa_matrix opens, and
 *  a measure is copied into what the language has for it. */
%ignore dpa_matrix;
%ignore dpa_measure;
%ignore dpa_progress;

#if defined(SWIGR)
%typemap(in) dpa_matrix
%{
    $1.data = glue_matrix($input, &$1.rows, &$1.cols);
    $1.leading_dimension = $1.rows;
    $1.layout = DPA_COL_MAJOR;
%}

/* A measure is its numbers, with its name and its note as attributes, where it has them. */
%typemap(in, numinputs = 0) dpa_measure *out (dpa_measure measure)
%{
    $1 = &measure;
%}
%typemap(argout) dpa_measure *out
%{
    $result = glue_append($result, "solution", (double)measure$argnum.solution);
    $result = glue_append($result, "estimate", measure$argnum.estimate);
    $result = glue_append($result, "lower", measure$argnum.lower);
    $result = glue_append($result, "upper", measure$argnum.upper);
    $result = glue_append($result, "from", measure$argnum.from);
    $result = glue_append($result, "to", measure$argnum.to);
    $result = glue_append($result, "rows", measure$argnum.rows);
    $result = glue_named($result, "name", measure$argnum.name);
    $result = glue_named($result, "note", measure$argnum.note);
%}
#elif defined(SWIGJAVA)
/* A Matrix: data, rows and columns. */
%typemap(jni) dpa_matrix "jobject"
%typemap(jtype) dpa_matrix "Matrix"
%typemap(jstype) dpa_matrix "Matrix"
%typemap(javain) dpa_matrix "$javainput"
%typemap(in) dpa_matrix (glue::Matrix opened)
%{
    if (!opened.open(jenv, $input, "$1_name")) return $null;
    $1 = opened.matrix();
%}

/* A measure goes into { name, double[] of the numbers in the order of the structure, note }, with
 * texts as bytes. */
%typemap(jni) dpa_measure *out "jobjectArray"
%typemap(jtype) dpa_measure *out "Object[]"
%typemap(jstype) dpa_measure *out "Object[]"
%typemap(javain) dpa_measure *out "$javainput"
%typemap(in) dpa_measure *out (dpa_measure measure)
%{
    $1 = &measure;
%}
%typemap(argout) dpa_measure *out
%{
    glue::give(jenv, measure$argnum, $input);
%}
#endif

/** Typemaps for Java. The generated classes are package-private; the classes of org.dpadapt,
 *  written by hand, check all sizes before they call them, and own the handles, which travel as
 *  long. What a call fills is an array of the caller. Every call first asks the loader for the
 *  library, which then says why there is none. The classes of glue.hpp release by their destructors
 *  what they took, so every check may return at once. */
%pragma(java) jniclassclassmodifiers="final class"
%pragma(java) moduleclassmodifiers="final class"
%rename("$ignore", regexmatch$name="^DPA_[A-Z]", %$isconstant) "";
%include "version.i"

%{
#include "callbacks.hpp"
#include "glue.hpp"
%}

/* What has no typemap of its own below must not fall back on those of SWIG. */
%typemap(in) SWIGTYPE, SWIGTYPE **, SWIGTYPE []
%{
#error "no typemap for $1_type $1_name"
%}

/* Handles. */
%typemap(jstype) SWIGTYPE * "long"
%typemap(javain) SWIGTYPE * "$javainput"
%typemap(javaout) SWIGTYPE *, size_t "{ NativeLoader.require(); return $jnicall; }"
%typemap(javaout) void "{ NativeLoader.require(); $jnicall; }"

/* An argument of a type of C that one class of glue.hpp opens: type of JNI, type of Java. */
%define DPA_ARGUMENT(c_type, jni_type, java_type, opener)
%typemap(jni) c_type "jni_type"
%typemap(jtype) c_type "java_type"
%typemap(jstype) c_type "java_type"
%typemap(javain) c_type "$javainput"
%typemap(freearg) c_type ""
%typemap(argout) c_type ""
%typemap(in) c_type (glue::opener opened)
%{
    if (!opened.open(jenv, $input)) return $null;
    $1 = const_cast<$1_ltype>(opened.data());
%}
%enddef
DPA_ARGUMENT(const char *, jbyteArray, byte[], Text)
%typemap(jstype) const char * "String"
%typemap(javain) const char * "Check.text($javainput, \"$1_name\")"
%typemap(out) const char *
%{
    $result = glue::bytes(jenv, $1);
%}
%typemap(javaout) const char * "{ NativeLoader.require(); return Check.string($jnicall); }"
DPA_ARGUMENT(const double *, jobject, Object, Input)
%typemap(in) const double * (glue::Input opened)
%{
    if (!opened.open(jenv, $input, "$1_name")) return $null;
    $1 = const_cast<$1_ltype>(opened.data());
%}
DPA_ARGUMENT(double *, jdoubleArray, double[], Doubles)
DPA_ARGUMENT(size_t *, jlongArray, long[], Sizes)
DPA_ARGUMENT(int64_t *, jlongArray, long[], Longs)
DPA_ARGUMENT(int32_t *, jintArray, int[], Ints)
DPA_ARGUMENT(uint64_t *, jlongArray, long[], Counts)
DPA_ARGUMENT(dpa_status *, jintArray, int[], Ints)

/* The same with the length, which Java's arrays know. */
%define DPA_ARRAY(c_type, name, length, jni_type, java_type, opener)
%typemap(jni) (c_type name, size_t length) "jni_type"
%typemap(jtype) (c_type name, size_t length) "java_type"
%typemap(jstype) (c_type name, size_t length) "java_type"
%typemap(javain) (c_type name, size_t length) "$javainput"
%typemap(freearg) (c_type name, size_t length) ""
%typemap(argout) (c_type name, size_t length) ""
%typemap(in) (c_type name, size_t length) (glue::opener opened)
%{
    if (!opened.open(jenv, $input)) return $null;
    $1 = const_cast<$1_ltype>(opened.data());
    $2 = opened.size();
%}
%enddef
DPA_ARRAY(double *, out, out_len, jdoubleArray, double[], Doubles)
DPA_ARRAY(char *, out, out_len, jbyteArray, byte[], Chars)
DPA_ARRAY(uint8_t *, out, out_len, jbyteArray, byte[], Bytes)
DPA_ARRAY(const uint8_t *, data, data_len, jbyteArray, byte[], ConstBytes)

%define DPA_HANDLE(noun)
%typemap(jni) dpa_##noun **out "jlongArray"
%typemap(jtype) dpa_##noun **out "long[]"
%typemap(jstype) dpa_##noun **out "long[]"
%typemap(javain) dpa_##noun **out "$javainput"
%typemap(in) dpa_##noun **out (dpa_##noun *made = nullptr)
%{
    $1 = &made;
%}
%typemap(argout) dpa_##noun **out
%{
    {
        const jlong address = reinterpret_cast<jlong>(made$argnum);
        jenv->SetLongArrayRegion($input, 0, 1, &address);
    }
%}
%enddef
DPA_HANDLES
DPA_HANDLE(cancel)

/* Ids as long[], which is of the same size. */
%typemap(jni) (const int64_t *ids, size_t n) "jlongArray"
%typemap(jtype) (const int64_t *ids, size_t n) "long[]"
%typemap(jstype) (const int64_t *ids, size_t n) "long[]"
%typemap(javain) (const int64_t *ids, size_t n) "$javainput"
%typemap(freearg) (const int64_t *ids, size_t n) ""
%typemap(argout) (const int64_t *ids, size_t n) ""
%typemap(in) (const int64_t *ids, size_t n) (glue::ConstSizes opened)
%{
    if (!opened.open(jenv, $input)) return $null;
    $1 = reinterpret_cast<$1_ltype>(const_cast<std::size_t *>(opened.data()));
    $2 = opened.size();
%}

/* Handles as long[]. */
%typemap(jni) (const dpa_solution *const *candidates, size_t count) "jlongArray"
%typemap(jtype) (const dpa_solution *const *candidates, size_t count) "long[]"
%typemap(jstype) (const dpa_solution *const *candidates, size_t count) "long[]"
%typemap(javain) (const dpa_solution *const *candidates, size_t count) "$javainput"
%typemap(freearg) (const dpa_solution *const *candidates, size_t count) ""
%typemap(argout) (const dpa_solution *const *candidates, size_t count) ""
%typemap(in) (const dpa_solution *const *candidates, size_t count) (glue::ConstSizes opened)
%{
    if (!opened.open(jenv, $input)) return $null;
    $1 = reinterpret_cast<$1_ltype>(const_cast<std::size_t *>(opened.data()));
    $2 = opened.size();
%}

/* The environment of JNI is no argument of Java. */
%typemap(in, numinputs = 0) JNIEnv *jenv
%{
    $1 = jenv;
%}

/* A buffer that is too small is no error here: the length that is needed has been stored. */
%typemap(jni) dpa_status "void"
%typemap(jtype) dpa_status "void"
%typemap(jstype) dpa_status "void"
%typemap(javaout) dpa_status "{ NativeLoader.require(); $jnicall; }"
%apply int { dpa_status status };

/* Numbers without sign travel as long, which the classes keep positive. */
%apply long long { uint64_t };
%typemap(out, null="") dpa_status
%{
    if ($1 != DPA_OK && $1 != DPA_E_BUFFER) {
        glue::raise(jenv, $1);
        return $null;
    }
%}

%include "callbacks.hpp"

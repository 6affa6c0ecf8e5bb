/** The module: the C headers themselves are the declarations, so nothing is typed twice. What makes
 *  that work is in the language's file: one typemap for each shape of arguments, by the names that
 *  the headers never vary. A shape without a typemap does not compile. unbound.txt says which
 *  functions are left out, and why. */
%module dpadapt

%{
#include <dpadapt/dpadapt.h>
#include <dpadapt/inspect.h>
%}

%include "dpadapt_common.i"
#if defined(SWIGR)
%include "dpadapt_r.i"
%include "schema_r.i"
#elif defined(SWIGJAVA)
%include "dpadapt_java.i"
%include "schema_java.i"
#else
#error "no typemaps for this language"
#endif
%include "matrices.i"

%include <dpadapt/status.h>
%include <dpadapt/types.h>
%include <dpadapt/options.h>
%include <dpadapt/problem.h>
%include <dpadapt/discrepancy.h>
%include <dpadapt/privacy.h>
%include <dpadapt/solution.h>
%include <dpadapt/baseline.h>
%include <dpadapt/select.h>
%include <dpadapt/evaluate.h>
%include <dpadapt/votes.h>
%include <dpadapt/ledger.h>
%include <dpadapt/schema.h>
%include <dpadapt/inspect.h>
#if defined(SWIGJAVA)
%include "dpadapt_passes.i"
%include "dpadapt_arrow.i"
#endif

/** Passes, for Java: what a worker needs comes from the header, the driver's callback is bound by
 *  hand. */
%{
#include "passes.hpp"
/* As the other functions that take ids. */
#define dpa_partial_add(partial, x, y, y_len, ids, n) \
    dpa_partial_add(partial, x, y, y_len, (const int64_t *)(const void *)(ids), n)
%}

DPA_HANDLE(partial)
DPA_ARRAY(const uint8_t *, request, request_len, jbyteArray, byte[], ConstBytes)
%ignore dpa_pass_fn;
%ignore dpa_problem_set_passes;

%include "passes.hpp"
%include <dpadapt/passes.h>

/** Passes, for Java: what a worker needs comes from the header, the driver's callback is bound by
 *  hand. */
%{
#include "passes.hpp"
%}

DPA_HANDLE(partial)
DPA_ARGUMENT(const float *, jfloatArray, float[], ConstFloats)
DPA_ARRAY(const uint8_t *, request, request_len, jbyteArray, byte[], ConstBytes)
%ignore dpa_pass_fn;
%ignore dpa_problem_set_target_passes;
%ignore dpa_problem_set_source_passes;

%include "passes.hpp"
%include <dpadapt/passes.h>

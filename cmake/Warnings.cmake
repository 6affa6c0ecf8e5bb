# dpa_warnings(target): the warnings that all code of this project is free of. Left out are:
# designated initializers with fewer fields, on purpose; int to unsigned, in cmocka's macros; GCC
# 12's false alarms about overlapping strings (its bug 105651) and, with sanitizers, about the
# standard library's regular expressions (its bug 105562).
set(DPA_WARNINGS -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wcast-align -Wcast-qual -Wformat=2
                 -Wundef -Wvla -Wno-missing-field-initializers)
set(DPA_WARNINGS_C -Wstrict-prototypes -Wmissing-prototypes -Wno-sign-conversion)
set(DPA_WARNINGS_CXX -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast -Wextra-semi
                     $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
                     $<$<CXX_COMPILER_ID:Clang,AppleClang>:-Wthread-safety>)
# Where files are compiled as one, a local name may be another file's.
set(DPA_SHADOW -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local>)
if(DPA_SANITIZE)
  list(APPEND DPA_WARNINGS_CXX $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()

function(dpa_warnings target)
  target_compile_options(
    ${target} PRIVATE ${DPA_WARNINGS} "$<$<COMPILE_LANGUAGE:C>:${DPA_WARNINGS_C}>"
                      "$<$<COMPILE_LANGUAGE:CXX>:${DPA_WARNINGS_CXX}>"
                      $<$<BOOL:${DPA_WERROR}>:-Werror>)
endfunction()

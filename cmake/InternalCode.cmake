# How code that includes the headers of src/ is compiled: the library and the tests of its
# internals.

# Armadillo is 290 000 lines: read once, not once a file.
file(CONFIGURE OUTPUT armadillo.cpp CONTENT "")
add_library(dpadapt_armadillo OBJECT "${PROJECT_BINARY_DIR}/armadillo.cpp")

# dpa_internal_code(target): for code that includes the library's own headers. It shares the
# compiled Armadillo, so all of it has the same options.
function(dpa_internal_code target)
  # Contracted multiply-adds would make results depend on the compiler's choices; errno keeps loops
  # with square roots from being vectorised.
  target_compile_options(${target} PRIVATE -fPIC -ffp-contract=off -fno-math-errno)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/include"
                                               "${PROJECT_SOURCE_DIR}/src")
  target_include_directories(${target} SYSTEM PRIVATE "${ARMADILLO_INCLUDE_DIR}")
  # Tests see the names of an internal library, and mutants replace functions even of their own
  # folder; the list of exports hides them from others.
  if(NOT DPA_INTERNAL_LIBRARY)
    set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden
                                               VISIBILITY_INLINES_HIDDEN ON)
  endif()
  dpa_warnings(${target})
  dpa_harden(${target})
  if(target STREQUAL "dpadapt_armadillo")
    target_precompile_headers(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src/linalg/arma.hpp")
  else()
    target_precompile_headers(${target} REUSE_FROM dpadapt_armadillo)
  endif()
endfunction()
dpa_internal_code(dpadapt_armadillo)

# dpa_library_code(target): how the library's sources are compiled.
function(dpa_library_code target)
  dpa_internal_code(${target})
  target_compile_definitions(${target} PRIVATE DPA_BUILDING)
endfunction()

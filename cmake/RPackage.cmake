# r-package: the source tarball of the R package dpadapt, with the core's sources and SWIG's
# wrappers inside.
if(DPA_SANITIZE OR DPA_TEST_LAUNCHER OR CMAKE_CXX_FLAGS MATCHES "--coverage|-fprofile-instr")
  return() # R could not load a library with instruments
endif()
find_program(DPA_R R)
find_program(DPA_SWIG NAMES swig swig4.0)
if(DPA_SWIG)
  execute_process(COMMAND "${DPA_SWIG}" -version OUTPUT_VARIABLE swig_version)
  string(REGEX MATCH "[0-9]+\\.[0-9]+" swig_version "${swig_version}")
endif()
# The typemaps are tested with what this series of SWIG generates.
if(NOT DPA_R OR NOT DPA_SWIG OR NOT swig_version VERSION_EQUAL 4.1)
  message(STATUS "No R, or no SWIG 4.1: the R package is not built")
  return()
endif()

set(DPA_R_FOLDER "${PROJECT_BINARY_DIR}/r")
set(DPA_R_TARBALL "${DPA_R_FOLDER}/dpadapt_${PROJECT_VERSION}.tar.gz")
set(bindings "${PROJECT_SOURCE_DIR}/bindings")
set(tree "${DPA_R_FOLDER}/source/dpadapt")
set(wrapper "${DPA_R_FOLDER}/swig/dpadapt_wrap.c")
set(r_folders ${folders}) # for all systems, of which configure takes one
list(APPEND r_folders base/platform/posix base/platform/windows)
list(REMOVE_DUPLICATES r_folders)

file(GLOB interfaces CONFIGURE_DEPENDS "${bindings}/swig/*.i")
file(GLOB public_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/dpadapt/*.h")
file(GLOB_RECURSE package_files CONFIGURE_DEPENDS "${bindings}/r/*")
file(GLOB_RECURSE core_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*.hpp"
     "${PROJECT_SOURCE_DIR}/src/*.def")

file(MAKE_DIRECTORY "${DPA_R_FOLDER}/swig")
add_custom_command(
  OUTPUT "${wrapper}" DEPENDS ${interfaces} ${public_headers} VERBATIM COMMENT "SWIG for R"
  COMMAND "${DPA_SWIG}" -r -Wall -Werror "-I${bindings}/swig" "-I${PROJECT_SOURCE_DIR}/include"
          -o "${wrapper}" "${bindings}/swig/dpadapt.i")

# The vignette is built with a package that links the core of this build; the tarball has its
# sources.
add_custom_command(
  OUTPUT "${DPA_R_TARBALL}" VERBATIM COMMENT "R package ${PROJECT_VERSION}"
  DEPENDS "${wrapper}" ${package_files} ${core_headers} ${public_headers} dpadapt_static
          "${CMAKE_CURRENT_LIST_DIR}/assemble_r.cmake"
  COMMAND "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}" "-DTREE=${tree}" "-DWRAPPER=${wrapper}"
          "-DFOLDERS=${r_folders}" -P "${CMAKE_CURRENT_LIST_DIR}/assemble_r.cmake"
  COMMAND "${CMAKE_COMMAND}" -E chdir "${DPA_R_FOLDER}"
          "${CMAKE_COMMAND}" -E env "DPADAPT_LIBS=$<TARGET_FILE:dpadapt_static>"
          OPENBLAS_NUM_THREADS=1 "${DPA_R}" CMD build --no-manual "${tree}")
set(all "")
if(DPA_BUILD_TESTS)
  set(all ALL)
endif()
add_custom_target(r-package ${all} DEPENDS "${DPA_R_TARBALL}")

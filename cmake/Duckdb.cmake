# The extension of DuckDB, by its stable C extension API: one file with the library inside. The two
# headers of that API are looked for in DPA_DUCKDB_INCLUDE_DIR; without them npm is asked once.
set(DPA_DUCKDB_INCLUDE_DIR "${PROJECT_BINARY_DIR}/duckdb/include" CACHE PATH
    "Folder of duckdb_extension.h and duckdb.h")
set(folder "${PROJECT_SOURCE_DIR}/bindings/duckdb")
find_program(DPA_NPM npm)
mark_as_advanced(DPA_NPM)
if(NOT EXISTS "${DPA_DUCKDB_INCLUDE_DIR}/duckdb_extension.h" AND DPA_NPM AND NOT DPA_SANITIZE)
  execute_process(COMMAND sh "${folder}/headers.sh" "${DPA_DUCKDB_INCLUDE_DIR}"
                  RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    file(REMOVE "${DPA_DUCKDB_INCLUDE_DIR}/duckdb_extension.h")
  endif()
endif()
if(NOT EXISTS "${DPA_DUCKDB_INCLUDE_DIR}/duckdb_extension.h" OR DPA_SANITIZE)
  message(STATUS "No headers of DuckDB's extensions, or sanitizers: its extension is not built")
  return()
endif()

if(APPLE)
  set(platform osx)
else()
  set(platform linux)
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  string(APPEND platform _arm64)
else()
  string(APPEND platform _amd64)
endif()

file(GLOB sources CONFIGURE_DEPENDS "${folder}/src/*.c")
add_library(dpadapt_duckdb_library MODULE ${sources})
target_include_directories(dpadapt_duckdb_library SYSTEM PRIVATE "${DPA_DUCKDB_INCLUDE_DIR}")
target_link_libraries(dpadapt_duckdb_library PRIVATE dpadapt_static)
dpa_warnings(dpadapt_duckdb_library)
dpa_harden(dpadapt_duckdb_library)
set_target_properties(dpadapt_duckdb_library PROPERTIES LINKER_LANGUAGE CXX
                      LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/duckdb")
if(UNIX AND NOT APPLE)
  target_link_options(dpadapt_duckdb_library PRIVATE LINKER:--as-needed LINKER:--strip-debug
                      "LINKER:--version-script=${folder}/exports.map")
  set_target_properties(dpadapt_duckdb_library PROPERTIES LINK_DEPENDS "${folder}/exports.map")
endif()
if(DPA_PORTABLE) # and the extension in the folder gcc4 finds what lies beside this one
  dpa_portable(dpadapt_duckdb_library)
  set_target_properties(dpadapt_duckdb_library PROPERTIES INSTALL_RPATH
                                                          "${DPA_ORIGIN}:${DPA_ORIGIN}/..")
  file(COPY ${DPA_BESIDE} "${PROJECT_BINARY_DIR}/licences"
       DESTINATION "${PROJECT_BINARY_DIR}/duckdb")
endif()

set(DPA_DUCKDB_EXTENSION "${PROJECT_BINARY_DIR}/duckdb/dpadapt.duckdb_extension")
set(extensions "${DPA_DUCKDB_EXTENSION}")
add_custom_command(
  OUTPUT "${DPA_DUCKDB_EXTENSION}"
  COMMAND sh "${folder}/footer.sh" "$<TARGET_FILE:dpadapt_duckdb_library>"
          "${DPA_DUCKDB_EXTENSION}" "${platform}" "v${PROJECT_VERSION}"
  DEPENDS dpadapt_duckdb_library "${folder}/footer.sh" VERBATIM)
# DuckDB 1.2 of PyPI names its platform by the compiler that it comes from.
if(platform STREQUAL "linux_amd64")
  set(DPA_DUCKDB_OLD_EXTENSION "${PROJECT_BINARY_DIR}/duckdb/gcc4/dpadapt.duckdb_extension")
  list(APPEND extensions "${DPA_DUCKDB_OLD_EXTENSION}")
  add_custom_command(
    OUTPUT "${DPA_DUCKDB_OLD_EXTENSION}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/duckdb/gcc4"
    COMMAND sh "${folder}/footer.sh" "$<TARGET_FILE:dpadapt_duckdb_library>"
            "${DPA_DUCKDB_OLD_EXTENSION}" "${platform}_gcc4" "v${PROJECT_VERSION}"
    DEPENDS dpadapt_duckdb_library "${folder}/footer.sh" VERBATIM)
endif()
add_custom_target(dpadapt_duckdb ALL DEPENDS ${extensions})

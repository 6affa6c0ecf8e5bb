# The extension of PostgreSQL, for the server that pg_config describes: one module with the library
# inside, in the folders of that server. `cmake --install BUILD --component postgres` installs it.
find_program(DPA_PG_CONFIG pg_config)
mark_as_advanced(DPA_PG_CONFIG)
function(dpa_pg_config name out)
  execute_process(COMMAND "${DPA_PG_CONFIG}" --${name} OUTPUT_VARIABLE value
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(${out} "${value}" PARENT_SCOPE)
endfunction()
if(DPA_PG_CONFIG)
  dpa_pg_config(version DPA_PG_VERSION)
  dpa_pg_config(bindir DPA_PG_BINDIR)
  dpa_pg_config(includedir-server include_dir)
endif()
if(NOT DPA_PG_CONFIG OR NOT EXISTS "${include_dir}/postgres.h" OR DPA_SANITIZE)
  message(STATUS "No server headers of PostgreSQL, or sanitizers: its extension is not built")
  return()
endif()
dpa_pg_config(pkglibdir module_dir)
dpa_pg_config(sharedir share_dir)

set(folder "${PROJECT_SOURCE_DIR}/bindings/postgres")
file(GLOB sources CONFIGURE_DEPENDS "${folder}/src/*.c")
add_library(dpadapt_postgres MODULE ${sources})
target_include_directories(dpadapt_postgres SYSTEM PRIVATE "${include_dir}")
target_link_libraries(dpadapt_postgres PRIVATE dpadapt_static)
# postgres.h must come before all other headers, and its macros are not free of our warnings.
target_compile_options(dpadapt_postgres PRIVATE -include postgres.h -Wall -Wextra
                       -Wmissing-prototypes -fno-strict-aliasing -fwrapv
                       $<$<BOOL:${DPA_WERROR}>:-Werror>)
target_compile_definitions(dpadapt_postgres PRIVATE _GNU_SOURCE)
dpa_harden(dpadapt_postgres)
set_target_properties(dpadapt_postgres PROPERTIES PREFIX "" OUTPUT_NAME dpadapt C_EXTENSIONS ON
                      LINKER_LANGUAGE CXX LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/postgres")
if(UNIX AND NOT APPLE)
  target_link_options(dpadapt_postgres PRIVATE LINKER:--as-needed LINKER:--strip-debug
                      "LINKER:--version-script=${folder}/exports.map")
  set_target_properties(dpadapt_postgres PROPERTIES LINK_DEPENDS "${folder}/exports.map")
endif()

install(TARGETS dpadapt_postgres DESTINATION "${module_dir}" COMPONENT postgres EXCLUDE_FROM_ALL)
install(FILES "${folder}/dpadapt.control" "${folder}/dpadapt--0.2.sql"
        DESTINATION "${share_dir}/extension" COMPONENT postgres EXCLUDE_FROM_ALL)

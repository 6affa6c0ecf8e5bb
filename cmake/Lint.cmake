# Formatting and static analysis as tests with the label lint. The target `tidy` analyses only what
# changed since its last success; `format` rewrites the sources.
find_program(DPA_CLANG_FORMAT clang-format)
find_program(DPA_CLANG_TIDY clang-tidy)
find_program(DPA_SHELLCHECK shellcheck)

file(GLOB_RECURSE formatted CONFIGURE_DEPENDS
     "${PROJECT_SOURCE_DIR}/include/*.h" "${PROJECT_SOURCE_DIR}/include/*.hpp"
     "${PROJECT_SOURCE_DIR}/src/*.[ch]pp"
     "${PROJECT_SOURCE_DIR}/tests/*.[ch]" "${PROJECT_SOURCE_DIR}/tests/*.[ch]pp"
     "${PROJECT_SOURCE_DIR}/examples/*.[ch]" "${PROJECT_SOURCE_DIR}/examples/*.[ch]pp"
     "${PROJECT_SOURCE_DIR}/bindings/postgres/src/*.[ch]"
     "${PROJECT_SOURCE_DIR}/bindings/r/src/*.[ch]" "${PROJECT_SOURCE_DIR}/bindings/java/*.[ch]pp")
if(DPA_CLANG_FORMAT)
  dpa_add_test(lint lint.format "${DPA_CLANG_FORMAT}" --dry-run -Werror ${formatted})
  add_custom_target(format COMMAND "${DPA_CLANG_FORMAT}" -i ${formatted} VERBATIM)
endif()

if(DPA_CLANG_TIDY)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*.cpp")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/*.hpp"
       "${PROJECT_SOURCE_DIR}/src/*.def" "${PROJECT_SOURCE_DIR}/include/*.h")
  # Clang reads neither precompiled headers of GCC nor all of its warnings.
  set(commands "${PROJECT_BINARY_DIR}/tidy/compile_commands.json")
  add_custom_command(
    OUTPUT "${commands}" VERBATIM
    DEPENDS "${PROJECT_BINARY_DIR}/compile_commands.json"
    COMMAND sed "s/ -Winvalid-pch//; s/ -Wno-restrict//; s/ -include [^ ]*cmake_pch[.]hxx//"
            "${PROJECT_BINARY_DIR}/compile_commands.json" > "${commands}")
  set(stamps "")
  foreach(source ${sources})
    file(RELATIVE_PATH name "${PROJECT_SOURCE_DIR}/src" "${source}")
    string(MAKE_C_IDENTIFIER "${name}" stamp)
    set(stamp "${PROJECT_BINARY_DIR}/tidy/${stamp}")
    add_custom_command(
      OUTPUT "${stamp}" VERBATIM COMMENT "clang-tidy ${name}"
      DEPENDS "${source}" ${headers} "${PROJECT_SOURCE_DIR}/.clang-tidy" "${commands}"
      COMMAND "${DPA_CLANG_TIDY}" --quiet -p "${PROJECT_BINARY_DIR}/tidy" "${source}"
      COMMAND "${CMAKE_COMMAND}" -E touch "${stamp}")
    list(APPEND stamps "${stamp}")
  endforeach()
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/tidy")
  add_custom_target(tidy DEPENDS ${stamps})
  dpa_add_test(lint lint.tidy_nightly "${CMAKE_COMMAND}" --build "${PROJECT_BINARY_DIR}"
               --target tidy --parallel 2)
  set_property(TEST lint.tidy_nightly PROPERTY PROCESSORS 2)
endif()

if(DPA_SHELLCHECK)
  file(GLOB_RECURSE scripts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/*.sh"
       "${PROJECT_SOURCE_DIR}/tests/*.sh" "${PROJECT_SOURCE_DIR}/.ci/run"
       "${PROJECT_SOURCE_DIR}/bindings/r/configure" "${PROJECT_SOURCE_DIR}/bindings/r/cleanup")
  dpa_add_test(lint lint.shell "${DPA_SHELLCHECK}" --external-sources
               --source-path=${PROJECT_SOURCE_DIR} ${scripts})
endif()

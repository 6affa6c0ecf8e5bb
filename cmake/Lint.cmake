# Formatting and static analysis as tests with the label lint; the target `format` rewrites the
# sources.
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

# A build of its own, by the preset: there clang-tidy reads the files of a folder as one, with each
# header once, and Clang's own commands.
if(DPA_CLANG_TIDY)
  dpa_add_test(lint lint.tidy_nightly "${CMAKE_COMMAND}" --workflow --preset tidy)
  set_tests_properties(lint.tidy_nightly PROPERTIES PROCESSORS 2
                       WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
endif()

if(DPA_SHELLCHECK)
  file(GLOB_RECURSE scripts CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/*.sh"
       "${PROJECT_SOURCE_DIR}/tests/*.sh" "${PROJECT_SOURCE_DIR}/packaging/*.sh"
       "${PROJECT_SOURCE_DIR}/.ci/run" "${PROJECT_SOURCE_DIR}/bindings/r/configure*"
       "${PROJECT_SOURCE_DIR}/bindings/r/cleanup*")
  dpa_add_test(lint lint.shell "${DPA_SHELLCHECK}" --external-sources
               --source-path=${PROJECT_SOURCE_DIR} ${scripts})
endif()

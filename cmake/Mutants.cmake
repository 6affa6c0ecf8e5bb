# A mutant is one source file of the library with one deliberate defect, linked into a test that
# must then fail: proof that the test can see that defect. `// mutant: NAME` in the sources marks
# the statement that gets it. The program's symbols come before those of the library, so the
# library's own copy of the file stays unused.
add_custom_target(mutants)
set(DPA_INTERNAL_CODE dpadapt_static)
if(DPA_INTERNAL_LIBRARY)
  set(DPA_INTERNAL_CODE dpadapt_internal)
endif()
if(TARGET dpadapt_cli_objects)
  add_library(dpadapt_cli_static STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:dpadapt_cli_objects>)
  target_link_libraries(dpadapt_cli_static PUBLIC CLI11::CLI11 PkgConfig::SODIUM
                                                  ZLIB::ZLIB ${DPA_INTERNAL_CODE})
endif()
set(DPA_MUTANTS "${PROJECT_SOURCE_DIR}/tests/mutants")

# dpa_link_mutant(name test marker from to): builds the test with the mutated file.
function(dpa_link_mutant name test marker from to)
  set(mutated "${CMAKE_CURRENT_BINARY_DIR}/mutants/${name}.cpp")
  add_custom_command(
    OUTPUT "${mutated}" VERBATIM COMMENT "Mutant ${name}"
    DEPENDS ${library_sources} "${DPA_MUTANTS}/mutate.py"
    COMMAND "${DPA_PYTHON}" -B "${DPA_MUTANTS}/mutate.py" "${PROJECT_SOURCE_DIR}/src" ${marker}
            "${from}" "${to}" "${mutated}")

  string(REPLACE "." "_" tested "test_${test}")
  set(target "mutant_${name}")
  add_library(${target}_code OBJECT EXCLUDE_FROM_ALL "${mutated}")
  dpa_library_code(${target}_code)
  target_compile_options(${target}_code PRIVATE -Wno-error)
  add_executable(${target} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${target}_code>
                                            $<TARGET_OBJECTS:${tested}>)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  set(code ${DPA_INTERNAL_CODE})
  if(test MATCHES "^cli\\.")
    set(code dpadapt_cli_static)
  endif()
  target_link_libraries(${target} PRIVATE ${code} PkgConfig::CMOCKA)
  add_dependencies(mutants ${target})

  dpa_add_test(mutants mutant.${name} "${DPA_PYTHON}" "${DPA_MUTANTS}/first_failure.py"
               $<TARGET_FILE:${target}>)
  set_property(TEST mutant.${name} PROPERTY FIXTURES_REQUIRED mutants)
  set_property(TEST mutant.${name} APPEND PROPERTY LABELS nightly)
endfunction()

# dpa_add_mutant(name test from to): the test fails when the marked statement has `to` for `from`.
function(dpa_add_mutant name test from to)
  dpa_link_mutant(${name} ${test} ${name} "${from}" "${to}")
  set_property(TEST mutant.${name} PROPERTY WILL_FAIL TRUE)
endfunction()

# dpa_add_control(name test marker text): linked in the same way with the text as it is, it passes.
function(dpa_add_control name test marker text)
  dpa_link_mutant(${name} ${test} ${marker} "${text}" "${text}")
endfunction()

# dpa_mutant_tests(file): each mutant of the file has its marker and text; and the build of all
# mutants, which `all` leaves out.
function(dpa_mutant_tests file)
  dpa_add_test(mutants mutants.markers "${DPA_PYTHON}" "${DPA_MUTANTS}/markers.py"
               "${PROJECT_SOURCE_DIR}/src" "${file}")
  dpa_add_test(mutants mutants.build_nightly "${CMAKE_COMMAND}" --build "${PROJECT_BINARY_DIR}"
               --target mutants --parallel 2)
  set_tests_properties(mutants.build_nightly PROPERTIES FIXTURES_SETUP mutants PROCESSORS 2
                                                        RESOURCE_LOCK build_folder)
endfunction()

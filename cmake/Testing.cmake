# dpa_add_*_tests: a test is a file in a folder of tests/; its label is the folder, its name
# folder.topic. A file named *_nightly.* has the label nightly besides, which ordinary runs leave
# out.

# The distribution's python3 comes first: it has the packages that packages.sh installs.
find_program(DPA_PYTHON python3 HINTS /usr/bin REQUIRED)
# A program is linked anew for its own changes, not for the library's.
set(CMAKE_LINK_DEPENDS_NO_SHARED ON)
set(DPA_TEST_LAUNCHER "" CACHE STRING "Command that runs each C and C++ test, such as valgrind")

set(DPA_TEST_ENVIRONMENT ${DPA_SANITIZER_ENVIRONMENT} PYTHONDONTWRITEBYTECODE=1
                         "DPADAPT_SOURCE_DIR=${PROJECT_SOURCE_DIR}"
                         "DPADAPT_LIBRARY=$<TARGET_FILE:dpadapt>")
if(TARGET dpadapt_cli)
  set(command $<TARGET_FILE:dpadapt_cli>)
  if(WIN32 AND DPA_TEST_LAUNCHER) # tests in Python start one file
    set(command "${PROJECT_BINARY_DIR}/tests/dpadapt")
    file(GENERATE OUTPUT "${command}"
         CONTENT "#!/bin/sh\nexec ${DPA_TEST_LAUNCHER} '$<TARGET_FILE:dpadapt_cli>' \"$@\"\n"
         FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
    list(APPEND DPA_TEST_ENVIRONMENT DPADAPT_SYSTEM=windows)
  endif()
  list(APPEND DPA_TEST_ENVIRONMENT "DPADAPT_CLI=${command}")
endif()

# dpa_test_files(folder pattern out): the sources in a folder of tests/.
function(dpa_test_files folder pattern out)
  file(GLOB files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/${folder}/${pattern}")
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# dpa_test_name(folder file out): such as unit.status for unit/test_status.c.
function(dpa_test_name folder file out)
  cmake_path(GET file STEM topic)
  string(REGEX REPLACE "^(test|bench)_" "" topic "${topic}")
  set(${out} "${folder}.${topic}" PARENT_SCOPE)
endfunction()

# These begin first, so that no long test runs alone in the end.
set(dpa_long_tests
    r.install
    java.verify
    spark.verify
    r.memory
    r.check
    privacy.general_private
    fault.table
    r.testthat
    experiments.quick
    fault.every_point)

# Under AddressSanitizer each of these takes minutes, or measures time: there they run at night.
set(dpa_slow_instrumented privacy.general_private privacy.audit fault.table unit.forecast
    unit.law_of_units unit.serialize threads.cancel_rows threads.handles)

# dpa_add_test(folder name command...): labels, of which arrow is on what reads it, environment,
# time limit, exit code 77 for a skipped test.
function(dpa_add_test folder name)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  set(labels ${folder})
  set(limit 300)
  set(threads 1)
  # A program that is killed writes no counters of lines.
  if(DPA_SANITIZE OR DPA_TEST_LAUNCHER OR CMAKE_CXX_FLAGS MATCHES "-fprofile-instr")
    set(limit 900)
    if(DPA_TEST_LAUNCHER MATCHES valgrind)
      set(limit 3600)
    endif()
  elseif(folder STREQUAL "threads")
    set(threads 2)
  elseif(folder STREQUAL "fault")
    set(limit 600)
  endif()
  if(name MATCHES "_nightly$")
    list(APPEND labels nightly)
    set(limit 3600)
  elseif(name IN_LIST dpa_slow_instrumented)
    list(APPEND labels slow_instrumented)
  endif()
  list(FIND dpa_long_tests ${name} place)
  if(name MATCHES "^(unit|fuzz|engines)\\.arrow")
    list(APPEND labels arrow)
  endif()
  if(NOT place EQUAL -1)
    math(EXPR cost "1000 - ${place}")
    set_tests_properties(${name} PROPERTIES COST ${cost})
  endif()
  set_tests_properties(
    ${name} PROPERTIES LABELS "${labels}" TIMEOUT ${limit} SKIP_RETURN_CODE 77 ENVIRONMENT
                       "${DPA_TEST_ENVIRONMENT};OPENBLAS_NUM_THREADS=${threads}")
  if(folder STREQUAL "host") # in the environment that hosts have: a BLAS thread of every core
    set_tests_properties(${name} PROPERTIES ENVIRONMENT_MODIFICATION OPENBLAS_NUM_THREADS=unset:)
  endif()
endfunction()

# dpa_add_program(folder name libraries files...): one test program; FOLDER-tests builds all of
# them.
function(dpa_add_program folder name libraries)
  string(REPLACE "." "_" target "test_${name}")
  add_executable(${target} ${ARGN} $<TARGET_OBJECTS:test_filter>)
  if(DPA_SANITIZE)
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX) # of sanitizers, Clang has two
  endif()
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_link_libraries(${target} PRIVATE ${libraries} PkgConfig::CMOCKA Threads::Threads m)
  if("${libraries}" STREQUAL "${DPA_INTERNAL}")
    dpa_internal_code(${target})
    target_compile_options(${target} PRIVATE -O1) # they are compiled longer than they run
  else()
    dpa_warnings(${target})
  endif()
  if(NOT TARGET ${folder}-tests)
    add_custom_target(${folder}-tests)
  endif()
  add_dependencies(${folder}-tests ${target})
  dpa_add_test(${folder} ${name} ${DPA_TEST_LAUNCHER} $<TARGET_FILE:${target}>)
endfunction()

# These are about what Windows has not: processes that fork, limits, links, loaders by name.
set(dpa_posix_tests unit.compilers unit.cpp unit.lent_rows unit.two_copies unit.wiped)

# dpa_add_programs(folder pattern libraries): one program of each file.
function(dpa_add_programs folder pattern libraries)
  dpa_test_files(${folder} ${pattern} files)
  foreach(file ${files})
    dpa_test_name(${folder} ${file} name)
    if(NOT (WIN32 AND name IN_LIST dpa_posix_tests))
      dpa_add_program(${folder} ${name} "${libraries}" ${file})
    endif()
  endforeach()
endfunction()

# dpa_add_python_tests(folder): each file is run by python3.
function(dpa_add_python_tests folder)
  dpa_test_files(${folder} "test_*.py" files)
  foreach(file ${files})
    dpa_test_name(${folder} ${file} name)
    dpa_add_test(${folder} ${name} "${DPA_PYTHON}" "${file}")
  endforeach()
endfunction()

# dpa_add_benchmarks(folder pattern): Google Benchmark programs; those that know --smoke are tests
# too.
function(dpa_add_benchmarks folder pattern)
  dpa_test_files(${folder} ${pattern} files)
  foreach(file ${files})
    dpa_test_name(${folder} ${file} name)
    string(REPLACE "." "_" target "${name}")
    add_executable(${target} ${file})
    target_link_libraries(${target} PRIVATE ${DPA_INTERNAL} benchmark::benchmark)
    dpa_internal_code(${target})
    file(STRINGS ${file} smoke REGEX "smoke")
    if(DPA_BUILD_TESTS AND smoke)
      dpa_add_test(${folder} ${name} $<TARGET_FILE:${target}> --smoke)
    endif()
  endforeach()
endfunction()

# dpa_add_syntax_test(folder name standard file flags...): the file compiles without a warning.
function(dpa_add_syntax_test folder name standard file)
  set(language c)
  set(compiler "${CMAKE_C_COMPILER}")
  if(standard MATCHES "^c\\+\\+")
    set(language c++)
    set(compiler "${CMAKE_CXX_COMPILER}")
  endif()
  dpa_add_test(${folder} ${name} "${compiler}" -x ${language} -std=${standard} -pedantic
               -Wall -Wextra -Werror -fsyntax-only "-I${PROJECT_SOURCE_DIR}/include" ${ARGN}
               "${file}")
endfunction()

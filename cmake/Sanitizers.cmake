# DPA_SANITIZE: compiles everything with the sanitizers; a report ends the program with an error, so
# that its test fails. DPA_SANITIZER_ENVIRONMENT is what the tests need besides.
set(DPA_SANITIZER_ENVIRONMENT "")
if(NOT DPA_SANITIZE)
  return()
endif()

add_compile_options(-fsanitize=${DPA_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
add_link_options(-fsanitize=${DPA_SANITIZE})
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")  # GCC says by itself what it does
  foreach(name IN ITEMS address thread)
    string(TOUPPER ${name} upper)
    if(DPA_SANITIZE MATCHES ${name})
      add_compile_definitions(__SANITIZE_${upper}__)
    endif()
  endforeach()
endif()
if(DPA_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link) # libFuzzer sees which edges an input takes
endif()

set(leaks 0)
if(DPA_SANITIZE MATCHES "address")
  # LeakSanitizer stops the world by ptrace, which some containers forbid: every program would fail.
  include(CheckCXXSourceRuns)
  set(CMAKE_REQUIRED_FLAGS "-fsanitize=address")
  check_cxx_source_runs("int main() { return 0; }" DPA_LEAK_SANITIZER_RUNS)
  unset(CMAKE_REQUIRED_FLAGS)
  if(DPA_LEAK_SANITIZER_RUNS)
    set(leaks 1)
  endif()
endif()

list(APPEND DPA_SANITIZER_ENVIRONMENT
     "ASAN_OPTIONS=detect_leaks=${leaks}:strict_string_checks=1:detect_stack_use_after_return=1"
     "UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1"
     "TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1")

# The native library of the Java package, and its sources by SWIG, where Maven (bindings/java) packs
# them: java/native and java/glue of the build directory.
# The typemaps are tested with what this series generates.
find_package(SWIG 4.1...<4.2 QUIET COMPONENTS java)
find_package(Java 17 QUIET COMPONENTS Runtime Development)
if(Java_FOUND)
  file(REAL_PATH "${Java_JAVAC_EXECUTABLE}" javac)
  cmake_path(GET javac PARENT_PATH bin)
  # Of the JDK that runs here, also for another processor.
  find_path(DPA_JNI_INCLUDE_DIR jni.h HINTS "${bin}/../include" NO_DEFAULT_PATH
            NO_CMAKE_FIND_ROOT_PATH)
  find_path(DPA_JNI_PLATFORM_DIR jni_md.h HINTS "${bin}/../include" NO_DEFAULT_PATH
            NO_CMAKE_FIND_ROOT_PATH PATH_SUFFIXES linux darwin win32)
  mark_as_advanced(DPA_JNI_INCLUDE_DIR DPA_JNI_PLATFORM_DIR)
endif()
if(NOT SWIG_FOUND OR NOT DPA_JNI_INCLUDE_DIR OR NOT DPA_JNI_PLATFORM_DIR OR DPA_SANITIZE)
  message(STATUS "No SWIG or no JDK, or sanitizers: the Java package is not built")
  return()
endif()

# The words of NativePlatform.
string(TOLOWER "${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}" platform)
string(REPLACE "darwin" "macos" platform "${platform}")
string(REPLACE "amd64" "x86_64" platform "${platform}")
string(REPLACE "arm64" "aarch64" platform "${platform}")
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  include(CheckCXXSymbolExists)
  check_cxx_symbol_exists(__GLIBC__ features.h DPA_HAS_GLIBC)
  if(NOT DPA_HAS_GLIBC)
    string(APPEND platform "-musl")
  endif()
endif()

set(DPA_JAVA_DIR "${PROJECT_BINARY_DIR}/java")
set(glue_dir "${DPA_JAVA_DIR}/glue/org/dpadapt")
set(native_source "${PROJECT_SOURCE_DIR}/bindings/java/src/main/native")
# A constant of the classes, which nothing else on the class path can hide.
file(CONFIGURE OUTPUT "${DPA_JAVA_DIR}/version.i" @ONLY
     CONTENT [[
%pragma(java) modulecode="  static final String VERSION = \"@PROJECT_VERSION@\";
"
]])
file(GLOB interfaces CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bindings/swig/*.i"
     "${PROJECT_SOURCE_DIR}/include/dpadapt/*.h" "${native_source}/*.hpp")
file(GLOB native_sources CONFIGURE_DEPENDS "${native_source}/*.cpp")

add_custom_command(
  OUTPUT "${DPA_JAVA_DIR}/wrap.cpp" "${glue_dir}/Native.java" "${glue_dir}/NativeJNI.java"
  DEPENDS ${interfaces} "${DPA_JAVA_DIR}/version.i" VERBATIM COMMENT "SWIG for Java"
  COMMAND "${CMAKE_COMMAND}" -E rm -rf "${glue_dir}"
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${glue_dir}"
  COMMAND "${SWIG_EXECUTABLE}" -java -c++ -module Native -noproxy -nopgcpp -Wall -Werror
          "-I${PROJECT_SOURCE_DIR}/include" "-I${native_source}" "-I${DPA_JAVA_DIR}"
          -package org.dpadapt -outdir "${glue_dir}" -o "${DPA_JAVA_DIR}/wrap.cpp"
          "${PROJECT_SOURCE_DIR}/bindings/swig/dpadapt.i")

# A program that writes the options' methods from their table, and must run here; the methods are
# the same for every system.
add_executable(dpadapt_java_options
               "${PROJECT_SOURCE_DIR}/bindings/java/src/main/generator/option_setters.cpp")
target_include_directories(dpadapt_java_options PRIVATE "${PROJECT_SOURCE_DIR}/src")
dpa_warnings(dpadapt_java_options)
set(setters "${DPA_JAVA_DIR}/setters/org/dpadapt")
file(MAKE_DIRECTORY "${setters}")
add_custom_command(
  OUTPUT "${setters}/OptionSetters.java" DEPENDS dpadapt_java_options VERBATIM
  COMMENT "Options for Java" COMMAND dpadapt_java_options "${setters}/OptionSetters.java")
add_custom_target(java-options DEPENDS "${setters}/OptionSetters.java")

# SWIG's code is not free of our warnings, and casts between unrelated pointer types.
add_library(dpadapt_java_glue OBJECT "${DPA_JAVA_DIR}/wrap.cpp")
target_compile_options(dpadapt_java_glue PRIVATE -Wall -Wextra $<$<BOOL:${DPA_WERROR}>:-Werror>)

set(kind MODULE)
if(APPLE) # whose bundles zig does not link
  set(kind SHARED)
endif()
add_library(dpadapt_java ${kind} ${native_sources} $<TARGET_OBJECTS:dpadapt_java_glue>)
dpa_warnings(dpadapt_java)
foreach(target dpadapt_java_glue dpadapt_java)
  target_include_directories(${target} PRIVATE "${native_source}")
  target_include_directories(${target} SYSTEM PRIVATE "${DPA_JNI_INCLUDE_DIR}"
                                                      "${DPA_JNI_PLATFORM_DIR}")
  target_compile_options(${target} PRIVATE -fno-strict-aliasing)
  target_link_libraries(${target} PRIVATE dpadapt_static)
endforeach()
set_target_properties(
  dpadapt_java_glue dpadapt_java
  PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
             LIBRARY_OUTPUT_DIRECTORY "${DPA_JAVA_DIR}/native/${platform}")
if(UNIX AND NOT APPLE)
  set(map "${PROJECT_SOURCE_DIR}/bindings/java/src/main/native/exports.map")
  target_link_options(dpadapt_java PRIVATE "LINKER:--version-script=${map}" LINKER:--as-needed
                      LINKER:--strip-debug LINKER:--no-undefined)
  set_target_properties(dpadapt_java PROPERTIES LINK_DEPENDS "${map}")
endif()
# What lies beside it in the jar, and in which order NativeLoader loads all of them.
set(native_dir "${DPA_JAVA_DIR}/native/${platform}")
set(beside_names "")
foreach(file ${DPA_BESIDE})
  cmake_path(GET file FILENAME name)
  list(APPEND beside_names "${name}")
  file(COPY "${file}" DESTINATION "${native_dir}")
endforeach()
if(DPA_PORTABLE)
  dpa_portable(dpadapt_java)
  file(COPY "${PROJECT_BINARY_DIR}/licences" DESTINATION "${native_dir}")
  list(JOIN beside_names "\n" text)
  file(WRITE "${native_dir}/libraries" "${text}\n")
endif()
if(WIN32) # the virtual machine's name for it; and its header, of Linux here, exports nothing there
  set_target_properties(dpadapt_java PROPERTIES PREFIX "")
  foreach(target dpadapt_java_glue dpadapt_java)
    target_compile_definitions(${target} PRIVATE "JNIEXPORT=__declspec(dllexport)")
  endforeach()
endif()

add_custom_target(java-native DEPENDS dpadapt_java)
if(CMAKE_SYSTEM_NAME STREQUAL CMAKE_HOST_SYSTEM_NAME)
  add_dependencies(java-native java-options)
  add_dependencies(dpadapt_java java-options)
endif()

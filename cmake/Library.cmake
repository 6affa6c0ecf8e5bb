# dpadapt::dpadapt (shared) and dpadapt::static, made from one set of objects that internal tests
# link too.
set(BLA_VENDOR OpenBLAS CACHE STRING "BLAS and LAPACK to link, a vendor name of FindBLAS")
if(DPA_PORTABLE)
  include(Portable)
else()
  find_package(BLAS REQUIRED)
  find_package(LAPACK REQUIRED)
endif()
find_package(Threads REQUIRED)
find_path(ARMADILLO_INCLUDE_DIR armadillo REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(SODIUM REQUIRED IMPORTED_TARGET libsodium)

set(system posix)
if(WIN32)
  set(system windows)
endif()
set(folders base base/platform base/platform/${system} linalg random schema loss privacy problem
            arrow solution sums objective records discrepancy paper private baseline select
            evaluate engine capi)
list(TRANSFORM folders REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/src/\\1/*.cpp"
     OUTPUT_VARIABLE patterns)
file(GLOB library_sources CONFIGURE_DEPENDS ${patterns})

include(InternalCode)
add_library(dpadapt_objects OBJECT ${library_sources})
dpa_library_code(dpadapt_objects)
set(DPA_LINKED LAPACK::LAPACK BLAS::BLAS PkgConfig::SODIUM Threads::Threads ${CMAKE_DL_LIBS})
if(WIN32)
  list(APPEND DPA_LINKED bcrypt)
endif()
target_link_libraries(dpadapt_objects PUBLIC ${DPA_LINKED})
if(DPA_PORTABLE) # it is the one that is linked, whatever the system's is
  target_compile_definitions(dpadapt_objects PRIVATE DPA_OPENBLAS)
endif()
# What must not see Armadillo, does not.
file(GLOB without_armadillo CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/base/*.cpp"
     "${PROJECT_SOURCE_DIR}/src/base/platform/*.cpp"
     "${PROJECT_SOURCE_DIR}/src/base/platform/${system}/*.cpp"
     "${PROJECT_SOURCE_DIR}/src/random/*.cpp" "${PROJECT_SOURCE_DIR}/src/schema/*.cpp"
     "${PROJECT_SOURCE_DIR}/src/privacy/*.cpp" "${PROJECT_SOURCE_DIR}/src/sums/*.cpp")
set_source_files_properties(${without_armadillo} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)

# With DPA_UNITY the files of a folder are compiled as one, so their own names differ.
foreach(source ${library_sources})
  cmake_path(GET source PARENT_PATH folder)
  cmake_path(GET folder FILENAME folder)
  set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${folder})
endforeach()
set_target_properties(dpadapt_objects PROPERTIES UNITY_BUILD ${DPA_UNITY} UNITY_BUILD_MODE GROUP)
if(DPA_UNITY)
  target_compile_options(dpadapt_objects PRIVATE ${DPA_SHADOW}) # a local name and another file's
endif()
# Types of the interface for abi.baseline, whatever the level of the others.
if(NOT DPA_SANITIZE AND CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
  file(GLOB capi CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/capi/*.cpp")
  if(DPA_UNITY)
    set(capi "${PROJECT_BINARY_DIR}/CMakeFiles/dpadapt_objects.dir/Unity/unity_capi_cxx.cxx")
  endif()
  set_property(SOURCE ${capi} APPEND PROPERTY COMPILE_OPTIONS -g2)
endif()

# dpa_build_info() tells how the library was compiled.
string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${config}} -ffp-contract=off" flags)
target_compile_definitions(dpadapt_objects PRIVATE "DPA_BUILD_FLAGS=\"${flags}\"")

# Tests of internals link this one, so that each is small and none is linked anew when the library
# changes.
set(DPA_INTERNAL dpadapt_objects)
if(DPA_INTERNAL_LIBRARY)
  set(DPA_INTERNAL dpadapt_internal)
  add_library(dpadapt_internal SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:dpadapt_objects>)
  set_target_properties(dpadapt_internal PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(dpadapt_internal PUBLIC ${DPA_LINKED})
endif()

add_library(dpadapt SHARED $<TARGET_OBJECTS:dpadapt_objects>)
set_target_properties(dpadapt PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${DPA_SOVERSION})

add_library(dpadapt_static STATIC $<TARGET_OBJECTS:dpadapt_objects>)
set_target_properties(dpadapt_static PROPERTIES OUTPUT_NAME dpadapt EXPORT_NAME static)
# A C program that links the static library needs the C++ runtime by name.
set(DPA_RUNTIME_LIBRARIES ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
list(REMOVE_ITEM DPA_RUNTIME_LIBRARIES ${CMAKE_C_IMPLICIT_LINK_LIBRARIES})
target_link_libraries(dpadapt_static INTERFACE "$<$<LINK_LANGUAGE:C>:${DPA_RUNTIME_LIBRARIES}>")

dpa_harden(dpadapt)
foreach(target dpadapt dpadapt_static)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${target} PRIVATE ${DPA_LINKED})
  target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
                                              "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
endforeach()
add_library(dpadapt::dpadapt ALIAS dpadapt)
add_library(dpadapt::static ALIAS dpadapt_static)

if(DPA_PORTABLE)
  dpa_portable(dpadapt)
endif()
if(UNIX AND NOT APPLE)
  set(map "${PROJECT_SOURCE_DIR}/cmake/abi/dpadapt.map")
  target_link_options(dpadapt PRIVATE "LINKER:--version-script=${map}" LINKER:--as-needed)
  set_target_properties(dpadapt PROPERTIES LINK_DEPENDS "${map}")
  if(NOT DPA_SANITIZE)
    target_link_options(dpadapt PRIVATE LINKER:--no-undefined)
  endif()
endif()

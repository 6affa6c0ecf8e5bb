# DPA_PORTABLE: BLAS and LAPACK are an OpenBLAS that lies beside the library and goes with it, and
# libsodium is in it, so that it needs the C library of its system and nothing else. They are those
# of cmake/zig.sh.
find_library(DPA_OPENBLAS_LIBRARY scipy_openblas libscipy_openblas REQUIRED)
find_library(DPA_OPENBLAS_NAMES blas_names REQUIRED)
set(LAPACK_LIBRARIES "${DPA_OPENBLAS_NAMES}" "${DPA_OPENBLAS_LIBRARY}")
foreach(target BLAS::BLAS LAPACK::LAPACK)
  add_library(${target} INTERFACE IMPORTED)
  target_link_libraries(${target} INTERFACE ${LAPACK_LIBRARIES})
endforeach()

# Beside the library already where it is built; each after those that it needs.
cmake_path(GET DPA_OPENBLAS_LIBRARY PARENT_PATH folder)
set(DPA_BESIDE "")
foreach(pattern "libgcc_s.*" "libquadmath*" "libgfortran*" "libscipy_openblas.so" "libscipy_*.dll"
                "libscipy_*.dylib")
  file(GLOB found "${folder}/${pattern}")
  list(APPEND DPA_BESIDE ${found})
endforeach()
file(COPY ${DPA_BESIDE} "${folder}/../licences" DESTINATION "${PROJECT_BINARY_DIR}")
if(WIN32) # which looks for them where the program is
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
endif()
set(DPA_ORIGIN "$ORIGIN")
if(APPLE)
  set(DPA_ORIGIN "@loader_path")
  foreach(language C CXX) # CMake knows it on a Mac only
    set(CMAKE_SHARED_LIBRARY_RUNTIME_${language}_FLAG "-Wl,-rpath,")
  endforeach()
endif()

# dpa_portable(target): finds what lies beside it, and shows nobody what it brings along.
function(dpa_portable target)
  set_target_properties(${target} PROPERTIES BUILD_RPATH "${DPA_ORIGIN}"
                                             INSTALL_RPATH "${DPA_ORIGIN}"
                                             BUILD_WITH_INSTALL_RPATH ON)
  if(APPLE) # its name must not be this folder's
    set_target_properties(${target} PROPERTIES INSTALL_NAME_DIR "@rpath"
                                               BUILD_WITH_INSTALL_NAME_DIR ON)
  elseif(UNIX) # zig's C++ library has 45 MB of symbols for debuggers
    target_link_options(${target} PRIVATE -s)
  endif()
endfunction()

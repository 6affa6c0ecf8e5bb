# Cross compiles by zig, which brings the C and C++ libraries of each system: DPA_ZIG is the folder
# that cmake/zig.sh has made for one of them.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES DPA_ZIG DPA_ZIG_SYSTEM)
set(CMAKE_SYSTEM_NAME ${DPA_ZIG_SYSTEM})
set(CMAKE_SYSTEM_PROCESSOR x86_64)
if(DPA_ZIG MATCHES "aarch64")
  set(CMAKE_SYSTEM_PROCESSOR aarch64)
endif()
set(CMAKE_C_COMPILER "${DPA_ZIG}/bin/cc")
set(CMAKE_CXX_COMPILER "${DPA_ZIG}/bin/c++")
set(CMAKE_AR "${DPA_ZIG}/bin/ar")
set(CMAKE_RANLIB "${DPA_ZIG}/bin/ranlib")
set(CMAKE_RC_COMPILER "${DPA_ZIG}/bin/rc")
set(CMAKE_DLLTOOL "${DPA_ZIG}/bin/dlltool")

set(CMAKE_FIND_ROOT_PATH "${DPA_ZIG}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_LIBRARY_PATH "${DPA_ZIG}/lib")
set(CMAKE_INCLUDE_PATH "${DPA_ZIG}/include")
set(ENV{PKG_CONFIG_LIBDIR} "${DPA_ZIG}/lib/pkgconfig")

# zig adds instructions that stop at what is undefined, such as an offset of a null pointer.
# It compiles its C++ library anew for each level: CMake's trials take that of the library, too.
set(CMAKE_C_FLAGS_INIT "-O2 -fno-sanitize=undefined")
set(CMAKE_CXX_FLAGS_INIT "-O2 -fno-sanitize=undefined")

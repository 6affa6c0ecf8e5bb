# Headers, libraries, command, CMake package and pkg-config file; the installed prefix may be moved.
include(CMakePackageConfigHelpers)

# Components are the packages of Packages.cmake.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/dpadapt" TYPE INCLUDE COMPONENT dev
        FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md"
              "${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${PROJECT_SOURCE_DIR}/CITATION.cff"
              "${PROJECT_SOURCE_DIR}/CONTRIBUTING.md" "${PROJECT_SOURCE_DIR}/SECURITY.md"
        TYPE DOC COMPONENT dev)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" "${PROJECT_SOURCE_DIR}/examples" TYPE DOC
        COMPONENT dev PATTERN "*.pyc" EXCLUDE)
install(TARGETS dpadapt EXPORT dpadapt-shared
        LIBRARY COMPONENT library NAMELINK_COMPONENT dev)
install(TARGETS dpadapt_static EXPORT dpadapt-static ARCHIVE COMPONENT dev)
if(DPA_BUILD_CLI)
  install(TARGETS dpadapt_cli RUNTIME COMPONENT command)
endif()

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/dpadapt")
foreach(kind shared static)
  install(EXPORT dpadapt-${kind} NAMESPACE dpadapt:: DESTINATION "${package_dir}" COMPONENT dev)
endforeach()
configure_package_config_file(cmake/dpadapt-config.cmake.in dpadapt-config.cmake
                              INSTALL_DESTINATION "${package_dir}")
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(dpadapt-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/dpadapt-config.cmake"
              "${CMAKE_CURRENT_BINARY_DIR}/dpadapt-config-version.cmake"
        DESTINATION "${package_dir}" COMPONENT dev)

# Libs.private: what a C program must name besides -ldpadapt when it links the static library.
set(private_libs "")
foreach(library ${LAPACK_LIBRARIES} ${SODIUM_LINK_LIBRARIES} ${CMAKE_THREAD_LIBS_INIT}
                ${DPA_RUNTIME_LIBRARIES})
  if(IS_ABSOLUTE "${library}")
    cmake_path(GET library PARENT_PATH folder)
    if(NOT folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
      list(APPEND private_libs "-L${folder}")
    endif()
    cmake_path(GET library STEM library)
    string(REGEX REPLACE "^lib" "" library "${library}")
  endif()
  if(NOT library MATCHES "^-")
    string(PREPEND library "-l")
  endif()
  list(APPEND private_libs "${library}")
endforeach()
# What a static OpenBLAS needs itself, so that a program can be linked without any shared library.
foreach(library gfortran quadmath)
  execute_process(COMMAND "${CMAKE_C_COMPILER}" "-print-file-name=lib${library}.a"
                  OUTPUT_VARIABLE file OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(IS_ABSOLUTE "${file}")
    list(APPEND private_libs "-l${library}")
  endif()
endforeach()
list(APPEND private_libs -lpthread)
list(REMOVE_DUPLICATES private_libs)
list(JOIN private_libs " " DPA_LIBS_PRIVATE)

set(pkgconfig_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH DPA_PREFIX "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" DPA_PREFIX "${DPA_PREFIX}")
configure_file(cmake/dpadapt.pc.in dpadapt.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/dpadapt.pc" DESTINATION "${pkgconfig_dir}" COMPONENT dev)

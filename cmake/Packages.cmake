# Debian packages by CPack, made by cmake/debian.sh: library, its development files, the command,
# and where they have been built the R and the Java package.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME dpadapt)
set(CPACK_PACKAGE_CONTACT "dpadapt maintainers <dpadapt-maintainers@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX "${CMAKE_INSTALL_PREFIX}")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
# Where the command finds the library, which no package has yet.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}")
set(CPACK_COMPONENTS_ALL library dev)
if(DPA_BUILD_CLI)
  list(APPEND CPACK_COMPONENTS_ALL command)
endif()

# What their own tools have built; without it these packages are left out.
set(staged "${PROJECT_BINARY_DIR}/packages")
set(jar "${staged}/dpadapt-${PROJECT_VERSION}.jar")
if(EXISTS "${staged}/dpadapt/DESCRIPTION")
  list(APPEND CPACK_COMPONENTS_ALL r)
  install(DIRECTORY "${staged}/dpadapt" DESTINATION lib/R/site-library COMPONENT r
          USE_SOURCE_PERMISSIONS)
endif()
if(EXISTS "${jar}")
  list(APPEND CPACK_COMPONENTS_ALL java)
  install(FILES "${jar}" DESTINATION share/java COMPONENT java)
endif()

# dpa_debian(component name section description [DEPENDS on...])
function(dpa_debian component name section description)
  cmake_parse_arguments(PARSE_ARGV 4 arg "" "" DEPENDS)
  string(TOUPPER ${component} upper)
  list(JOIN arg_DEPENDS ", " depends)
  foreach(pair "NAME:${name}" "SECTION:${section}" "DEPENDS:${depends}")
    string(REGEX MATCH "^([A-Z]+):(.*)$" pair "${pair}")
    set(CPACK_DEBIAN_${upper}_PACKAGE_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}" PARENT_SCOPE)
  endforeach()
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${description}" PARENT_SCOPE)
endfunction()

set(library "libdpadapt${DPA_SOVERSION}")
set(same "(= ${PROJECT_VERSION})")
dpa_debian(library ${library} libs "The shared library of dpadapt, with a C interface")
dpa_debian(dev libdpadapt-dev libdevel
           "Headers for C and C++, static library, pkg-config and CMake files, documents"
           DEPENDS "${library} ${same}" libopenblas-dev libsodium-dev gfortran)
dpa_debian(command dpadapt science "The command dpadapt, its manual and completion for shells"
           DEPENDS "${library} ${same}")
dpa_debian(r r-cran-dpadapt gnu-r "The R package dpadapt" DEPENDS r-base-core)
dpa_debian(java libdpadapt-java java "The Java package org.dpadapt, with its native library"
           DEPENDS "default-jre-headless (>= 2:1.17) | java17-runtime-headless" libopenblas0
                   libsodium23)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)

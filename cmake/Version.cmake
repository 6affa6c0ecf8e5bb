# The version is written in one place, include/dpadapt/version.h; this reads it from there.
set(header "${CMAKE_CURRENT_LIST_DIR}/../include/dpadapt/version.h")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${header}")

foreach(name VERSION_MAJOR VERSION_MINOR VERSION_PATCH SOVERSION)
  file(STRINGS "${header}" line REGEX "^#define DPA_${name} [0-9]+$")
  if(NOT line)
    message(FATAL_ERROR "${header} does not define DPA_${name}")
  endif()
  string(REGEX REPLACE ".* " "" DPA_${name} "${line}")
endforeach()
set(DPA_VERSION "${DPA_VERSION_MAJOR}.${DPA_VERSION_MINOR}.${DPA_VERSION_PATCH}")

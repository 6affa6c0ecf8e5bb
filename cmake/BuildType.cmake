# A build directory made without a preset is optimised and can be debugged; clang tools find its
# commands.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Type of build" FORCE)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

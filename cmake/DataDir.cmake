# Read by ctest when it runs: where tests look for large data sets, which are optional.
if(NOT DEFINED ENV{DPADAPT_DATA_DIR})
  cmake_path(SET data_dir NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../shared/data")
  set(ENV{DPADAPT_DATA_DIR} "${data_dir}")
endif()

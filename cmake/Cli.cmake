# The command dpadapt: a user of the public headers like any other.
find_package(CLI11 REQUIRED)
find_package(Csv REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)

# It has the schema of tables in itself, as long as the library does not export one. All but main is
# a set of objects, which fuzzers link too.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/cli/*.cpp"
     "${PROJECT_SOURCE_DIR}/src/schema/*.cpp" "${PROJECT_SOURCE_DIR}/src/base/text.cpp")
list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
add_library(dpadapt_cli_objects OBJECT ${sources})
target_include_directories(dpadapt_cli_objects PUBLIC "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(dpadapt_cli_objects
                      PUBLIC dpadapt::dpadapt CLI11::CLI11 Csv::Csv nlohmann_json::nlohmann_json
                             PkgConfig::SODIUM ZLIB::ZLIB)
# Of the JSON library only.
target_precompile_headers(dpadapt_cli_objects PRIVATE
                          "${PROJECT_SOURCE_DIR}/src/cli/report.hpp")
add_executable(dpadapt_cli "${PROJECT_SOURCE_DIR}/src/cli/main.cpp")
target_link_libraries(dpadapt_cli PRIVATE dpadapt_cli_objects)
foreach(target dpadapt_cli_objects dpadapt_cli)
  dpa_warnings(${target})
  dpa_harden(${target})
endforeach()

file(RELATIVE_PATH libraries "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
set_target_properties(dpadapt_cli PROPERTIES OUTPUT_NAME dpadapt
                                             INSTALL_RPATH "$ORIGIN/${libraries}")

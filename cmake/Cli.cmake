# The command dpadapt: a user of the public headers like any other.
find_package(CLI11 REQUIRED)
find_package(Csv REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)

# It has the schema of tables in itself, as long as the library does not export one.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/cli/*.cpp"
     "${PROJECT_SOURCE_DIR}/src/schema/*.cpp" "${PROJECT_SOURCE_DIR}/src/base/text.cpp")
add_executable(dpadapt_cli ${sources})
target_include_directories(dpadapt_cli PRIVATE "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(dpadapt_cli PRIVATE dpadapt::dpadapt CLI11::CLI11 Csv::Csv
                                          nlohmann_json::nlohmann_json PkgConfig::SODIUM ZLIB::ZLIB)
dpa_warnings(dpadapt_cli)
dpa_harden(dpadapt_cli)
# Of the JSON library only.
target_precompile_headers(dpadapt_cli PRIVATE "${PROJECT_SOURCE_DIR}/src/cli/report.hpp")

file(RELATIVE_PATH libraries "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
set_target_properties(dpadapt_cli PROPERTIES OUTPUT_NAME dpadapt
                                             INSTALL_RPATH "$ORIGIN/${libraries}")

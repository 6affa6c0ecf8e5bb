# The command dpadapt: a user of the public headers like any other.
find_package(ZLIB REQUIRED)
if(DPA_PORTABLE) # both are headers alone, and lie among those of the other system
  add_library(CLI11::CLI11 INTERFACE IMPORTED)
  add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
else()
  find_package(CLI11 REQUIRED)
  find_package(nlohmann_json REQUIRED)
endif()

# It has the schema of tables in itself, for records that it reads one by one from files larger than
# a table of schema.h. All but main is a set of objects, which fuzzers link too.
file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/cli/*/*.cpp"
     "${PROJECT_SOURCE_DIR}/src/cli/system/${system}/*.cpp"
     "${PROJECT_SOURCE_DIR}/src/schema/*.cpp" "${PROJECT_SOURCE_DIR}/src/base/control.cpp"
     "${PROJECT_SOURCE_DIR}/src/base/bytes.cpp" "${PROJECT_SOURCE_DIR}/src/base/text.cpp")
list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
if(WIN32) # whose headers are not enough
  foreach(name system target owner_file)
    list(APPEND sources "${PROJECT_SOURCE_DIR}/src/base/platform/windows/${name}.cpp")
  endforeach()
endif()
add_library(dpadapt_cli_objects OBJECT ${sources})
# As in Library.cmake, but in a few parts: one would be longer than the rest of a build.
set(number 0)
foreach(source ${sources})
  if(source MATCHES "/src/cli/")
    math(EXPR part "${number} / 16")
    math(EXPR number "${number} + 1")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP cli_${part})
  endif()
endforeach()
set_target_properties(dpadapt_cli_objects PROPERTIES UNITY_BUILD ${DPA_UNITY}
                                                     UNITY_BUILD_MODE GROUP)
target_compile_options(dpadapt_cli_objects PRIVATE -ffp-contract=off)
target_include_directories(dpadapt_cli_objects PUBLIC "${PROJECT_SOURCE_DIR}/src")
target_link_libraries(dpadapt_cli_objects
                      PUBLIC dpadapt::dpadapt CLI11::CLI11 nlohmann_json::nlohmann_json
                             PkgConfig::SODIUM ZLIB::ZLIB)
# The officer's pages are files of HTML, and in the command texts.
foreach(name officer.en officer.de)
  set(page "${PROJECT_SOURCE_DIR}/src/cli/show/${name}.html")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${page}")
  file(READ "${page}" page)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/cli/${name}.inc"
       CONTENT "R\"page(@page@)page\"" @ONLY)
endforeach()
target_include_directories(dpadapt_cli_objects PRIVATE "${PROJECT_BINARY_DIR}/cli")
target_precompile_headers(dpadapt_cli_objects PRIVATE <nlohmann/json.hpp> <CLI/CLI.hpp>)
add_executable(dpadapt_cli "${PROJECT_SOURCE_DIR}/src/cli/run/main.cpp")
target_link_libraries(dpadapt_cli PRIVATE dpadapt_cli_objects)
if(UNIX AND NOT APPLE) # OpenBLAS finds it before its own
  target_link_options(dpadapt_cli PRIVATE LINKER:--export-dynamic-symbol=openblas_num_threads_env)
endif()
if(WIN32) # UTF-8 in arguments and names of files; an import library of another name than the DLL's
  enable_language(RC)
  target_sources(dpadapt_cli PRIVATE "${CMAKE_CURRENT_LIST_DIR}/dpadapt.rc")
  set_target_properties(dpadapt_cli PROPERTIES ARCHIVE_OUTPUT_NAME dpadapt_command)
endif()
foreach(target dpadapt_cli_objects dpadapt_cli)
  dpa_warnings(${target})
  dpa_harden(${target})
endforeach()
if(DPA_UNITY)
  target_compile_options(dpadapt_cli_objects PRIVATE ${DPA_SHADOW})
endif()

file(RELATIVE_PATH libraries "${CMAKE_INSTALL_FULL_BINDIR}" "${CMAKE_INSTALL_FULL_LIBDIR}")
# Relative while building, too: no path of the build is in the file that is installed.
set_target_properties(dpadapt_cli PROPERTIES OUTPUT_NAME dpadapt BUILD_RPATH_USE_ORIGIN ON
                                             INSTALL_RPATH "$ORIGIN/${libraries}")

# The page for man is what the command prints about itself, so it must run here.
if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
  set(manual "${PROJECT_BINARY_DIR}/manual")
  file(MAKE_DIRECTORY "${manual}")
  add_custom_command(
    OUTPUT "${manual}/dpadapt.1" VERBATIM DEPENDS dpadapt_cli COMMENT "The page for man"
    COMMAND dpadapt_cli manual > "${manual}/dpadapt.1")
  add_custom_target(manual ALL DEPENDS "${manual}/dpadapt.1")
  if(PROJECT_IS_TOP_LEVEL)
    install(FILES "${manual}/dpadapt.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1"
            COMPONENT command)
    install(FILES "${CMAKE_CURRENT_LIST_DIR}/completion.bash" RENAME dpadapt COMPONENT command
            DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  endif()
endif()

cmake_minimum_required(VERSION 3.25)
# Puts the R package together in the folder TREE: bindings/r, the sources of ROOT, the WRAPPER that
# SWIG made. R compiles src/core/*.cpp: each includes the files of a folder.
file(REMOVE_RECURSE "${TREE}")
file(COPY "${ROOT}/bindings/r/" DESTINATION "${TREE}")
file(COPY "${ROOT}/include/dpadapt" DESTINATION "${TREE}/src/include")
foreach(folder ${FOLDERS})
  cmake_path(GET folder PARENT_PATH parent)
  file(COPY "${ROOT}/src/${folder}" DESTINATION "${TREE}/src/core/${parent}")
  file(GLOB files RELATIVE "${ROOT}/src" "${ROOT}/src/${folder}/*.cpp")
  set(includes "")
  foreach(file ${files})
    string(APPEND includes "#include \"${file}\"\n")
  endforeach()
  string(REPLACE "/" "_" name "${folder}") # R compiles what is not in a folder of its own
  file(WRITE "${TREE}/src/core/${name}.cpp" "${includes}")
endforeach()
file(COPY "${WRAPPER}" DESTINATION "${TREE}/src")
file(COPY "${ROOT}/tests/data/wind.csv.gz" DESTINATION "${TREE}/inst/extdata")

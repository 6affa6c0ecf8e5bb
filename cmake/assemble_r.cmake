# Puts the R package together in the folder TREE: bindings/r, the sources of ROOT, the WRAPPER that SWIG made.
file(REMOVE_RECURSE "${TREE}")
file(COPY "${ROOT}/bindings/r/" DESTINATION "${TREE}")
file(COPY "${ROOT}/include/dpadapt" DESTINATION "${TREE}/src/include")
foreach(folder ${FOLDERS})
  file(COPY "${ROOT}/src/${folder}" DESTINATION "${TREE}/src/core")
endforeach()
file(COPY "${WRAPPER}" DESTINATION "${TREE}/src")
file(COPY "${ROOT}/tests/data/wind.csv.gz" DESTINATION "${TREE}/inst/extdata")

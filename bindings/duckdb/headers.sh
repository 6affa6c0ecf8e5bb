#!/bin/sh
# headers.sh FOLDER: puts the headers of DuckDB's stable C extension API (MIT licence) there, out of
# DuckDB's own package for Node.
set -eu
folder=$1
mkdir -p "$folder"
cd "$folder"
npm pack --silent duckdb@1.4.4 >/dev/null
tar -xzf duckdb-1.4.4.tgz --strip-components=5 package/src/duckdb/src/include/duckdb.h \
    package/src/duckdb/src/include/duckdb_extension.h
rm duckdb-1.4.4.tgz
sha256sum --check --quiet <<'SUMS'
cbe6a827284375c5a646b8f27dbd3a00808ce8738b5bbb49c190cb1e08540281  duckdb.h
514a5b639cd800e90f1556e8e039cff7f0b4a256e461754dd55caf79dc16db00  duckdb_extension.h
SUMS

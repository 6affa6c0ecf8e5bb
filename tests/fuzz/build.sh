#!/bin/sh
# build.sh SOURCE FOLDER: the fuzzers for libFuzzer; 77, a skipped test, where there is no Clang.
set -eu
command -v clang++ >/dev/null || exit 77
cd "$1"
cmake --preset fuzz -B "$2"
cmake --build "$2" --target fuzz-tests --parallel 2

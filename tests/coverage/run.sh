#!/bin/sh
# run.sh FOLDER [CORPUS]: builds by Clang with counters, runs the tests of C, C++, the command and
# against references, and the fuzzers' inputs (the seeds, and those that tests/fuzz/run.sh has
# left in CORPUS), and lists the lines of src that nothing reached. It fails where explained.list
# has no reason for one. FOLDER gets the profiles.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p "$1"
folder=$(cd "$1" && pwd)
corpus=${2:-}
cmake --preset coverage >&2
cmake --build --preset coverage >&2
build=$PWD/build/coverage
rm -rf "$folder/profiles"
export LLVM_PROFILE_FILE="$folder/profiles/%2m.profraw"
# A failing test is told by another suite; here its lines count like any other's.
ctest --preset coverage >&2 || echo "run.sh: some tests failed" >&2
if [ -n "$corpus" ]; then
    for topic in "$corpus"/*/; do
        "$build/tests/fuzz/fuzz_$(basename "$topic")" 0 "$topic" >/dev/null 2>&1 ||
            echo "run.sh: $topic failed" >&2
    done
fi
llvm-profdata merge -sparse -o "$folder/all.profdata" "$folder"/profiles/*.profraw
llvm-cov export -format=lcov -instr-profile="$folder/all.profdata" "$build/libdpadapt.so" \
    -object "$build/dpadapt" >"$folder/lines.lcov"
python3 tests/coverage/unreached.py "$folder/lines.lcov" src \
    tests/coverage/explained.list

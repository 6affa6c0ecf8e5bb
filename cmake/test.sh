#!/bin/sh
# Builds everything with warnings as errors and runs all ordinary tests; then the library's own
# tests and the fuzzers' seeds, compiled by Clang and with sanitizers.
set -eu
cd "$(dirname "$0")/.."
. cmake/packages.sh

# shellcheck disable=SC2086 # a list of words
install_packages $test_packages
for preset in dev clang; do
    cmake --preset $preset
    cmake --build --preset $preset
    ctest --preset $preset
done

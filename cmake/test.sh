#!/bin/sh
# Builds everything with warnings as errors and runs all ordinary tests.
set -eu
cd "$(dirname "$0")/.."
. cmake/packages.sh

# shellcheck disable=SC2086 # a list of words
install_packages $test_packages
cmake --preset dev
cmake --build --preset dev
ctest --preset dev

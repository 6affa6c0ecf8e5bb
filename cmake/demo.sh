#!/bin/sh
# Builds the library and runs the demonstration on the wind data.
set -eu
cd "$(dirname "$0")/.."
. cmake/packages.sh

# shellcheck disable=SC2086 # a list of words
install_packages $demo_packages
cmake --preset release -B build/demo -DDPA_BUILD_CLI=OFF -DDPA_BUILD_BENCH=OFF --log-level=WARNING
cmake --build build/demo --target wind_demo -- --quiet
exec build/demo/tests/examples/wind_demo tests/data/wind.csv.gz

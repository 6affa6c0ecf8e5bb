#!/bin/sh
# benchmark.sh FOLDER [--speed] [ARGUMENT...]: builds the release, fetches the libraries to compare
# with from PyPI into a folder of the build, and runs the benchmark (tests/benchmark), or the
# comparison of speeds. Further arguments go to run.py, or speed.py. DPADAPT_DATA_DIR names the
# folder of the larger data sets.
set -eu
cd "$(dirname "$0")/.."
. cmake/packages.sh

folder=${1:?usage: cmake/benchmark.sh FOLDER [--speed] [ARGUMENT...]}
shift
script=run.py
if [ "${1:-}" = --speed ]; then
    script=speed.py
    shift
fi
# shellcheck disable=SC2086 # a list of words
install_packages $demo_packages libbenchmark-dev python3 python3-venv
cmake --preset release -B build/benchmark -DDPA_BUILD_CLI=OFF --log-level=WARNING
cmake --build build/benchmark --target dpadapt bench_pass -- --quiet

python=build/benchmark/python/bin/python
if ! [ -x "$python" ]; then
    python3 -m venv build/benchmark/python
    "$python" -m pip install --quiet --disable-pip-version-check \
        --requirement tests/benchmark/requirements.txt
    # It asks for the whole of TensorFlow, and finds the part for processors.
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps adapt==0.4.5
fi
DPADAPT_LIBRARY="$PWD/build/benchmark/libdpadapt.so"
DPADAPT_BENCH="$PWD/build/benchmark/tests"
export DPADAPT_LIBRARY DPADAPT_BENCH
exec "$python" "tests/benchmark/$script" "$folder" "$@"

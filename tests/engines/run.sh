#!/bin/sh
# run.sh FOLDER PYTHON TEST PACKAGE...: runs the test by a Python of its own that has the packages
# of PyPI, which are fetched once into the folder; exit code 77, skipped, where they cannot be.
set -eu
folder=$1 python=$2 test=$3
shift 3
own="$folder/bin/python"
if ! [ -x "$own" ]; then "$python" -m venv "$folder" || exit 77; fi
"$own" -m pip install --quiet --disable-pip-version-check "$@" || exit 77
exec "$own" "$test"

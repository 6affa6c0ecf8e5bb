#!/bin/sh
# baseline.sh LIBRARY SOURCE_DIR: every function of the committed baseline is there and unchanged.
set -eu
command -v abidiff >/dev/null || exit 77
exec abidiff --no-added-syms --exported-interfaces-only --drop-private-types --no-show-locs \
    --headers-dir2 "$2/include" "$2/cmake/abi/dpadapt.abi" "$1"

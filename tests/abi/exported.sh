#!/bin/sh
# exported.sh LIBRARY: the sorted names of everything that a shared library exports.
set -eu
nm --dynamic --defined-only "$1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort

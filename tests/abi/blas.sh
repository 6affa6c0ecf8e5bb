#!/bin/sh
# blas.sh LIBRARY ZIG: each function of BLAS and LAPACK that the library calls is one for which the
# portable builds have a jump.
set -eu
jumps=$(sed -n '/^names="/,/"$/p' "$2" | tr -d '"' | sed 's/^names=//' | tr -s ' \n' '\n')
called=$(nm -D --undefined-only "$1" | awk '$2 ~ /^[a-z0-9]+_$/ { print $2 }')
echo "$called" | grep -q '^dgemm_$'
missing=$(echo "$called" | grep -vxF "$jumps") || exit 0
echo "cmake/zig.sh has no jump to: $missing" >&2
exit 1

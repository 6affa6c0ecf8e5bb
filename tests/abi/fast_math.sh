#!/bin/sh
# fast_math.sh COMPILER SOURCE_DIR: the library refuses options that change what arithmetic means.
set -eu
compile() {
    "$1" -std=c++20 -fsyntax-only -I"$2/include" -I"$2/src" "$3" -x c++ "$2/src/base/error.hpp" 2>&1
}
compile "$1" "$2" -O2
for option in -ffast-math -ffinite-math-only; do
    if message=$(compile "$1" "$2" "$option"); then exit 1; fi
    printf '%s\n' "$message" | grep -q 'must not be compiled with -ffast-math'
done

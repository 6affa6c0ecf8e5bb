#!/bin/sh
# footer.sh LIBRARY EXTENSION PLATFORM VERSION: the library with what DuckDB reads at the end of an
# extension before it loads it: eight fields of 32 bytes, the first one last, and no signature.
set -eu
library=$1 extension=$2 platform=$3 version=$4
field() {
    printf '%s' "$1"
    head -c $((32 - ${#1})) /dev/zero
}
{
    cat "$library"
    for text in '' '' '' C_STRUCT "$version" v1.2.0 "$platform" 4; do field "$text"; done
    head -c 256 /dev/zero
} >"$extension.new"
mv "$extension.new" "$extension"

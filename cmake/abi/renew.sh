#!/bin/sh
# renew.sh LIBRARY: writes the list of symbols and the ABI baseline anew from a library built by gcc
# with -g (preset dev, x86-64 Linux), for a release that adds functions or breaks the ABI on
# purpose.
set -eu
library=$(realpath "$1")
cd "$(dirname "$0")/../.."

description=$(mktemp)
trap 'rm -f "$description"' EXIT
abidw --headers-dir include --drop-private-types --exported-interfaces-only --no-corpus-path \
    --no-comp-dir-path --no-show-locs --no-elf-needed "$library" |
    sed "s|path='$PWD/|path='|" >"$description"
if ! grep -q 'parameter type-id' "$description"; then
    echo "renew.sh: $library has no types of parameters (the preset dev has them)" >&2
    exit 1
fi
cat "$description" >cmake/abi/dpadapt.abi
sh tests/abi/exported.sh "$library" >cmake/abi/dpadapt.symbols

#!/bin/sh
# renew.sh LIBRARY: writes the list of symbols and the ABI baseline anew from a library built by gcc
# with -g (preset dev, x86-64 Linux), for a release that adds functions or breaks the ABI on
# purpose.
set -eu
library=$(realpath "$1")
cd "$(dirname "$0")/../.."

sh tests/abi/exported.sh "$library" >cmake/abi/dpadapt.symbols
abidw --headers-dir include --drop-private-types --exported-interfaces-only --no-corpus-path \
    --no-comp-dir-path --no-show-locs --no-elf-needed "$library" |
    sed "s|path='$PWD/|path='|" >cmake/abi/dpadapt.abi

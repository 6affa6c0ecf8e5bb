#!/bin/sh
# reproducible.sh SOURCE GENERATOR: the release is built twice, in folders and at times of their
# own, without a compiler cache. Every installed file must have the same bytes.
set -eu
source=$1
generator=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset CMAKE_CXX_COMPILER_LAUNCHER CMAKE_C_COMPILER_LAUNCHER

build() { # build FOLDER: installs into FOLDER/prefix and lists the digests
    mkdir -p "$work/$1/source"
    git -C "$source" ls-files -z | (cd "$source" && tar --null --files-from - --create) |
        tar --extract --touch --directory "$work/$1/source"
    cmake -S "$work/$1/source" -B "$work/$1/build" -G "$generator" -DCMAKE_BUILD_TYPE=Release \
        -DDPA_UNITY=ON -DDPA_BUILD_TESTS=OFF -DCMAKE_INSTALL_PREFIX=/usr
    cmake --build "$work/$1/build"
    DESTDIR="$work/$1/prefix" cmake --install "$work/$1/build"
    (cd "$work/$1/prefix" && find . -type f -exec sha256sum {} + | sort -k 2) >"$work/$1/digests"
    [ "$(grep -c -E '/(libdpadapt|dpadapt)' "$work/$1/digests")" -ge 3 ]
}

build one
sleep 2 # a time stamp that was compiled in would differ
build another/deeper/folder
diff "$work/one/digests" "$work/another/deeper/folder/digests"

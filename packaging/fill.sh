#!/bin/sh
# fill.sh ARCHIVE FOLDER [URL]: copies the recipes to FOLDER, with the digests of the source archive
# and where it lies (default: where a release is to be had). No archive has its own digest in it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
archive=$1 folder=$2
url=${3:-https://dpadapt.org/releases/${archive##*/}}
digest() { "$1" "$archive" | cut -d ' ' -f 1; }
mkdir -p "$folder"
for kind in conda conan homebrew vcpkg debian; do
    rm -rf "${folder:?}/$kind"
    cp -r "$here/$kind" "$folder/"
done
cp "$here"/../tests/install/consumer/* "$folder/conan/test_package/"
find "$folder" -type f -exec sed -i -e "s|@URL@|$url|" -e "s|@SHA256@|$(digest sha256sum)|" \
    -e "s|@SHA512@|$(digest sha512sum)|" {} +

#!/bin/sh
# artefacts.sh FOLDER [KIND...]: makes what a release has in FOLDER, of the commit that is checked
# out; the same bytes each time. KIND is source, recipes, r, duckdb, debian, wheels or jar (default:
# all). JOBS as in portable.sh.
set -eu
cd "$(dirname "$0")/.."
. cmake/packages.sh
[ $# -ge 1 ] || { echo "usage: cmake/artefacts.sh FOLDER [KIND...]" >&2; exit 2; }
mkdir -p "$1"
folder=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- source recipes r duckdb debian wheels jar

SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
version=$(sed -n 's/^Version: //p' bindings/r/DESCRIPTION) # release.sh compares it with version.h
archive=$folder/dpadapt-$version.tar.gz
jobs=${JOBS:-2}
others="musl windows macos-aarch64 macos-x86_64"

pack() { # pack ARCHIVE FOLDER NAME: by name, without times and owners
    tar --create --file - --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 \
        --numeric-owner --mode=go=rX,u+rw,a-s --format=ustar --directory "$2" "$3" |
        gzip -n -9 >"$1"
}
make_source() {
    git archive --prefix="dpadapt-$version/" HEAD | gzip -n -9 >"$archive"
}
make_recipes() {
    [ -f "$archive" ] || make_source
    sh packaging/fill.sh "$archive" "$work/dpadapt-$version-recipes"
    pack "$folder/dpadapt-$version-recipes.tar.gz" "$work" "dpadapt-$version-recipes"
}
make_r() {
    # shellcheck disable=SC2086 # a list of words
    install_packages $test_packages
    cmake --preset release -B build/artefacts -DDPA_BUILD_CLI=OFF -DDPA_BUILD_BENCH=OFF \
        -DDPA_BUILD_JAVA=OFF --log-level=WARNING
    cmake --build build/artefacts --parallel "$jobs" --target dpadapt_static
    cc -shared -fPIC -O2 -o "$work/same.so" cmake/same_each_time.c
    LD_PRELOAD="$work/same.so" cmake --build build/artefacts --target r-package
    tar --extract --file "build/artefacts/r/dpadapt_$version.tar.gz" --directory "$work"
    # R writes who packed it and when, and names temporary files.
    sed -i "s/^Packaged: .*/Packaged: $(date -u -d "@$SOURCE_DATE_EPOCH" '+%F %T UTC'); dpadapt/" \
        "$work/dpadapt/DESCRIPTION"
    sed -i 's|/[^ ]*/Rtmp[^ /]*/file[0-9a-f]*|/tmp/file|g' "$work"/dpadapt/inst/doc/*.html
    pack "$folder/dpadapt_$version.tar.gz" "$work" dpadapt
}
make_duckdb() { # with what lies beside it
    command -v npm >/dev/null || install_packages npm
    sh cmake/portable.sh portable dpadapt_duckdb
    name=dpadapt-$version-duckdb-linux_amd64
    cp -r build/portable/duckdb "$work/$name"
    rm -r "$work/$name/include" "$work/$name/libdpadapt_duckdb_library.so"
    pack "$folder/$name.tar.gz" "$work" "$name"
}
make_debian() {
    # shellcheck disable=SC2086 # a list of words
    install_packages $test_packages
    [ -f "$folder/dpadapt_$version.tar.gz" ] || make_r
    R_TARBALL=$folder/dpadapt_$version.tar.gz sh cmake/debian.sh "$work" build/artefacts-debian
    cp "$work"/*.deb "$folder/"
}
make_wheels() {
    for platform in portable $others; do
        sh cmake/portable.sh "$platform" wheel
        cp "build/$platform"/dpadapt-*.whl "$folder/"
    done
}
make_jar() {
    # shellcheck disable=SC2086 # a list of words
    sh cmake/jar.sh "$work" $others
    cp "$work"/dpadapt-*.jar "$folder/"
}

for kind in "$@"; do
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    case $kind in
        source | recipes | r | duckdb | debian | wheels | jar) "make_$kind" ;;
        *) echo "artefacts.sh: unknown kind $kind" >&2; exit 2 ;;
    esac
    rm -rf "$work"
done

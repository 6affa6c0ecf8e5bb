#!/bin/sh
# debian.sh FOLDER [BUILD]: makes Debian packages of this source in FOLDER: libdpadapt2,
# libdpadapt-dev, dpadapt, and r-cran-dpadapt and libdpadapt-java where R and SWIG, Maven and a JDK
# are there. BUILD keeps the build (default: FOLDER/build). R_TARBALL is the package of R, if it is
# not to be made here. With SOURCE_DATE_EPOCH they have the same bytes each time; that of R, which
# records where it was installed from, in the same folder.
set -eu
cd "$(dirname "$0")/.."
[ $# -ge 1 ] || { echo "usage: cmake/debian.sh FOLDER [BUILD]" >&2; exit 2; }
mkdir -p "$1"
folder=$(realpath "$1")
build=${2:-$folder/build}

configure() {
    cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr \
        -DCMAKE_INSTALL_LIBDIR="lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)" \
        -DDPA_BUILD_TESTS=OFF -DDPA_UNITY=ON "-DCPACK_OUTPUT_FILE_PREFIX=$folder" >"$build.log"
}
has_target() { cmake --build "$build" --target help | grep -q "^$1:"; }

mkdir -p "$build"
build=$(realpath "$build")
configure
cmake --build "$build"
staged=$build/packages
rm -rf "$staged"
mkdir "$staged"
if has_target r-package; then
    [ -n "${R_TARBALL:-}" ] || cmake --build "$build" --target r-package
    day=$(date -u -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}" '+%F %T UTC')
    rm -rf "$build/unpacked"
    mkdir "$build/unpacked"
    tar --extract --file "${R_TARBALL:-$(ls "$build"/r/dpadapt_*.tar.gz)}" -C "$build/unpacked"
    echo 'CFLAGS += -g0' >"$build/Makevars"
    DPADAPT_LIBS=$build/libdpadapt.a R_MAKEVARS_USER=$build/Makevars R CMD INSTALL \
        --built-timestamp="$day" --library="$staged" "$build/unpacked/dpadapt"
fi
if has_target java-native && command -v mvn >/dev/null; then
    cmake --build "$build" --target java-native
    for way in --offline --no-snapshot-updates; do
        mvn -B -q "$way" -f bindings/java package -DskipTests "-Ddpadapt.native=$build/java" \
            "-Ddpadapt.output=$build/maven" && break
    done
    cp "$build"/maven/dpadapt-*[0-9].jar "$staged"
fi
configure # finds what has been staged
(cd "$build" && cpack)
ls "$folder"/*.deb

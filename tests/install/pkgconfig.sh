#!/bin/sh
# pkgconfig.sh shared|static|alone CC PREFIX LIBDIR VERSION: builds and runs the consumer by
# pkg-config.
set -eu
kind=$1 compiler=$2 prefix=$3 libdir=$4 version=$5
here=$(dirname "$0")
export PKG_CONFIG_PATH="$prefix/$libdir/pkgconfig"

pkg-config --exact-version="$version" dpadapt
case $kind in
    shared)
        libs="$(pkg-config --libs dpadapt) -Wl,-rpath,$prefix/$libdir" ;;
    static) # the linker would take the shared library, which lies beside it
        libs=$(pkg-config --static --libs dpadapt | sed 's/-ldpadapt/-l:libdpadapt.a/') ;;
    alone) # a program without any shared library
        libs="-static $(pkg-config --static --libs dpadapt)" ;;
esac
# shellcheck disable=SC2046,SC2086 # lists of flags
"$compiler" $(pkg-config --cflags dpadapt) "$here/consumer/consumer.c" -o "pkgconfig_$kind" $libs
"./pkgconfig_$kind" "$version"
if [ "$kind" = alone ] && ldd "./pkgconfig_$kind" >/dev/null 2>&1; then
    echo "the program needs shared libraries:" && ldd "./pkgconfig_$kind" && exit 1
fi

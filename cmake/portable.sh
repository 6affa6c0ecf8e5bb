#!/bin/sh
# portable.sh PLATFORM [TARGET...]: one command for a preset of zig: what it needs, the library, its
# wheel for Python, and the tests that can be run here; or these targets alone, of which wheel is
# the library and its wheel. PLATFORM is portable, musl, windows, macos-aarch64 or macos-x86_64.
# JOBS is how many files are compiled at once.
set -eu
cd "$(dirname "$0")/.."
. cmake/packages.sh
platform=$1
shift
folder=build/$platform
library=$folder/libdpadapt.so
case $platform in
    portable) tag=manylinux_2_17_x86_64 ;;
    musl) tag=musllinux_1_2_x86_64 portable_packages="$portable_packages musl" ;;
    windows) tag=win_amd64 portable_packages="$portable_packages wine wine64"
        library=$folder/libdpadapt.dll ;;
    macos-aarch64) tag=macosx_11_0_arm64 library=$folder/libdpadapt.dylib ;;
    macos-x86_64) tag=macosx_11_0_x86_64 library=$folder/libdpadapt.dylib ;;
    *) echo "portable.sh: unknown platform $platform" >&2; exit 2 ;;
esac
# shellcheck disable=SC2086 # a list of words
install_packages $portable_packages
sh cmake/zig.sh "$platform" build/zig
cmake --preset "$platform"
build() { cmake --build "$folder" --parallel "${JOBS:-2}" --target "$@"; }

# No newer functions than those of glibc 2.17, none of a C++ library, and no library but those that
# lie beside it and what every system has.
check_symbols() { # check_symbols FOLDER
    for file in "$1"/lib*.so*; do
        [ ! -L "$file" ] || continue
        newest=$(objdump -T "$file" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)
        [ "$(printf 'GLIBC_2.17\n%s\n' "$newest" | sort -V | tail -n 1)" = GLIBC_2.17 ]
        if objdump -T "$file" | grep -E 'GLIBCXX|CXXABI'; then return 1; fi
        for needed in $(objdump -p "$file" | awk '$1 == "NEEDED" { print $2 }'); do
            echo "${file##*/} needs $needed"
            [ -f "$1/$needed" ] || echo "$needed" |
                grep -qE '^(libc|libm|libpthread|libdl|librt|libz|libgcc_s|ld-linux-x86-64)\.so'
        done
    done
}
make_wheel() {
    build "${library##*/}" # the name of the target is that of the command, too
    python3 bindings/python/build_wheel.py "$library" "$folder" --platform "$tag"
    [ "$platform" != portable ] || check_symbols "$folder"
}
if [ "$*" = wheel ]; then
    make_wheel
    exit
fi
if [ $# -gt 0 ]; then
    build "$@"
    for made in "$folder/java/native/linux-x86_64" "$folder/duckdb"; do
        if [ "$platform" = portable ] && [ -d "$made" ]; then check_symbols "$made"; fi
    done
    exit
fi
make_wheel

# The bits of noise and of sums, the accountant, ledgers, and the ways to read and save.
tests="test_unit_requests test_unit_budget test_unit_passes test_unit_serialize
    test_random_golden test_privacy_accountant test_privacy_vector_sum test_core_owner_file"
case $platform in
    macos*) # nothing of it runs here: it looks beside itself, and nowhere in this folder
        grep -q @loader_path "$library"
        if grep -q "$PWD/$folder/libdpadapt" "$library"; then exit 1; fi
        exit ;;
esac
# shellcheck disable=SC2086 # a list of words
build $tests
# shellcheck disable=SC2086 # a list of words
names=$(echo $tests | sed -e 's/test_\([a-z]*\)_/\1./g' -e 's/ /|/g')
if [ "$platform" = windows ]; then # and the command, by its own tests
    build dpadapt_cli
    for file in tests/cli/test_*.py; do
        name=${file#tests/cli/test_}
        [ "$name" != "${name%_nightly.py}" ] || names="$names|cli.${name%.py}"
    done
    export WINEDEBUG=-all WINEPREFIX="$PWD/$folder/wine"
    mkdir -p "$WINEPREFIX"
    wineserver -p
    trap 'wineserver -k' EXIT
    wine cmd /c exit >/dev/null 2>&1 # starts services, which keep the streams of who starts them
fi
OPENBLAS_NUM_THREADS=1 ctest --test-dir "$folder" --output-on-failure --no-tests=error \
    --parallel "${JOBS:-2}" -R "^($names)\$"

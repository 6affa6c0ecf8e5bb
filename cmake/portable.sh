#!/bin/sh
# portable.sh PLATFORM: one command for a preset of zig: what it needs, the library, and the tests
# that can be run here. PLATFORM is portable, musl, windows, macos-aarch64 or macos-x86_64.
set -eu
cd "$(dirname "$0")/.."
. cmake/packages.sh
platform=$1
# shellcheck disable=SC2086 # a list of words
install_packages $portable_packages
sh cmake/zig.sh "$platform" build/zig
cmake --preset "$platform"
build() { cmake --build "build/$platform" --parallel 2 --target "$@"; }

# No newer functions than those of glibc 2.17, none of a C++ library, and no library but those that
# lie beside it and the system's.
check_symbols() {
    library=build/portable/libdpadapt.so
    newest=$(objdump -T "$library" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)
    [ "$(printf 'GLIBC_2.17\n%s\n' "$newest" | sort -V | tail -n 1)" = GLIBC_2.17 ]
    if objdump -T "$library" | grep -E 'GLIBCXX|CXXABI'; then return 1; fi
    objdump -p "$library" | awk '$1 == "NEEDED" { print $2 }' |
        grep -vE '^(libscipy_openblas|libc|libm|libpthread|libdl|librt|ld-linux-x86-64)\.so' ||
        return 0
    return 1
}

# The bits of noise and of sums, the accountant, ledgers, and the ways to read and save.
tests="test_unit_requests test_unit_budget test_unit_passes test_unit_serialize
    test_random_golden test_privacy_accountant test_privacy_vector_sum test_core_owner_file"
case $platform in
    macos*) build dpadapt && exit ;; # nothing of it runs here
esac
# shellcheck disable=SC2086 # a list of words
build dpadapt $tests
[ "$platform" != portable ] || check_symbols
# shellcheck disable=SC2086 # a list of words
names=$(echo $tests | sed -e 's/test_\([a-z]*\)_/\1./g' -e 's/ /|/g')
OPENBLAS_NUM_THREADS=1 ctest --test-dir "build/$platform" --output-on-failure --no-tests=error \
    -R "^($names)\$"

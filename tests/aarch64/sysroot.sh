#!/bin/sh
# sysroot.sh FOLDER: Debian's libraries for aarch64, unpacked there by an apt of its own, so that
# nothing is installed. 77, a skipped test, where they or the compiler cannot be had.
set -eu
command -v qemu-aarch64 >/dev/null && command -v aarch64-linux-gnu-g++ >/dev/null || exit 77
command -v apt-get >/dev/null || exit 77
[ ! -f "$1/complete" ] || exit 0
mkdir -p "$1/apt/lists/partial" "$1/apt/cache/archives/partial" "$1/debs"
cd "$1"
root=$(pwd)
: >apt/status
apt() {
    apt-get -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$root/apt" \
        -o Dir::State::Lists="$root/apt/lists" -o Dir::State::status="$root/apt/status" \
        -o Dir::Cache="$root/apt/cache" -o APT::Sandbox::User=root "$@"
}
apt -qq update || exit 77
(cd debs && apt -qq download libopenblas0-serial libopenblas-serial-dev libsodium23 \
    libsodium-dev libcmocka0 libcmocka-dev libgfortran5 libgcc-s1 libstdc++6 zlib1g \
    openjdk-17-jre-headless) || exit 77
for package in debs/*.deb; do dpkg-deb -x "$package" .; done
libraries=usr/lib/aarch64-linux-gnu
ln -sf openblas-serial/libopenblas.so "$libraries/libopenblas.so"
ln -sf openblas-serial/libopenblas.so.0 "$libraries/libopenblas.so.0"
for header in /usr/include/armadillo /usr/include/armadillo_bits; do
    ln -sf "$header" usr/include/
done
touch complete

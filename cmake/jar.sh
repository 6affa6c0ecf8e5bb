#!/bin/sh
# jar.sh FOLDER [PLATFORM...]: makes one jar for several systems in FOLDER: for Linux from glibc
# 2.17 on, and these presets of zig (musl, windows, macos-aarch64, macos-x86_64; the first two if
# none is named). It is not tested here; install.jar_nightly does that. JOBS as in portable.sh.
set -eu
cd "$(dirname "$0")/.."
. cmake/packages.sh
[ $# -ge 1 ] || { echo "usage: cmake/jar.sh FOLDER [PLATFORM...]" >&2; exit 2; }
mkdir -p "$1"
folder=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- musl windows
install_packages swig openjdk-17-jdk-headless maven

rm -rf "$folder/parts" "$folder/maven"
mkdir -p "$folder/parts"
for platform in portable "$@"; do
    case $platform in
        portable) sh cmake/portable.sh portable java-native ;;
        *) sh cmake/portable.sh "$platform" dpadapt_java ;;
    esac
    cp -r "build/$platform/java/native" "$folder/parts/"
done
# The classes are the same everywhere.
cp -r build/portable/java/glue build/portable/java/setters "$folder/parts/"

package() {
    mvn -B -q -f bindings/java package -Dmaven.test.skip=true "$@" \
        "-Ddpadapt.native=$folder/parts" "-Ddpadapt.output=$folder/maven"
}
package --offline >/dev/null 2>&1 || package
cp "$folder"/maven/dpadapt-*.jar "$folder/"
ls -l "$folder"/dpadapt-*.jar

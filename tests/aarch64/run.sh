#!/bin/sh
# run.sh SOURCE FOLDER: builds library and tests for aarch64 in that folder and runs them under
# qemu-user: random numbers, exact sums and the accountant, whose tests know the bits, and the API;
# and a Java program.
set -eu
source=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
sh "$source/tests/aarch64/sysroot.sh" "$folder/sysroot"
cd "$source"
libraries="$folder/sysroot/usr/lib/aarch64-linux-gnu"
path="$libraries:$folder/sysroot/lib/aarch64-linux-gnu"
launcher="qemu-aarch64;-L;/usr/aarch64-linux-gnu;-E;LD_LIBRARY_PATH=$path"
cmake --preset aarch64 -B "$folder" -DDPA_SYSROOT="$folder/sysroot" -DDPA_BUILD_JAVA=ON \
    -DDPA_TEST_LAUNCHER="$launcher" -DCMAKE_CROSSCOMPILING_EMULATOR="$launcher"
cmake --build "$folder" --parallel 2 --target random-tests unit-tests \
    test_privacy_vector_sum test_privacy_outer_sum test_privacy_moment_sum \
    test_privacy_accountant test_core_records_tasks test_core_records_request \
    test_core_records_public test_core_records_many test_core_records_persons \
    partition_worker
cd "$folder"
# random.fork: qemu-user accepts MADV_WIPEONFORK and does not do it. random.key_page, unit.wiped
# and unit.lent_rows look at the memory of the process, and find the emulator's.
OPENBLAS_NUM_THREADS=1 ctest --output-on-failure --no-tests=error \
    -E 'nightly|^random[.](fork|key_page)$|^unit[.](wiped|lent_rows)$' \
    -R '^(random|unit|privacy[.](vector_sum|outer_sum|moment_sum|accountant)$|core[.]records)'

# The classes of the jar and its native library, in Debian's virtual machine for aarch64.
cmake --build . --parallel 2 --target java-native
mkdir -p classes/native
cp -r java/native/linux-aarch64 classes/native/
find "$source/bindings/java/src/main/java/org" java/glue java/setters -name '*.java' >sources.txt
javac -d classes @sources.txt "$source/examples/java/PrivateFit.java"
qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH="$path" \
    sysroot/usr/lib/jvm/java-17-openjdk-arm64/bin/java -Xint -cp classes PrivateFit

#!/bin/sh
# run.sh SOURCE FOLDER: builds library and tests for aarch64 in that folder and runs them under
# qemu-user: random numbers, exact sums and the accountant, whose tests know the bits, and the API.
set -eu
source=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
sh "$source/tests/aarch64/sysroot.sh" "$folder/sysroot"
cd "$source"
libraries="$folder/sysroot/usr/lib/aarch64-linux-gnu"
launcher="qemu-aarch64;-L;/usr/aarch64-linux-gnu;-E;LD_LIBRARY_PATH=$libraries"
cmake --preset aarch64 -B "$folder" -DDPA_SYSROOT="$folder/sysroot" \
    -DDPA_TEST_LAUNCHER="$launcher"
cmake --build "$folder" --parallel 2 --target random-tests unit-tests \
    test_privacy_vector_sum test_privacy_outer_sum test_privacy_moment_sum \
    test_privacy_accountant test_core_records_tasks test_core_records_request partition_worker
cd "$folder"
# random.fork: qemu-user accepts MADV_WIPEONFORK and does not do it. unit.wiped: it searches the
# memory of the process, and finds the emulator's.
OPENBLAS_NUM_THREADS=1 ctest --output-on-failure --no-tests=error \
    -E 'nightly|^random[.]fork$|^unit[.]wiped$' \
    -R '^(random|unit|privacy[.](vector_sum|outer_sum|moment_sum|accountant)$|core[.]records)'

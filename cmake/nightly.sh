#!/bin/sh
# nightly.sh [SUITE...]: the slow suites, each to its end, in one command; without a name all of
# them. A suite that fails does not stop the next; the last lines tell what each one did.
set -u
cd "$(dirname "$0")/.." || exit 2
. cmake/packages.sh

suites=${*:-"nightly asan-ubsan tsan valgrind fuzz libcxx"}
# shellcheck disable=SC2086 # a list of words
install_packages $test_packages $nightly_packages || exit 2

failed=0
told=""
for suite in $suites; do
    preset=$suite
    [ "$suite" != nightly ] || preset=dev
    begin=$(date +%s)
    if cmake --preset "$preset" && cmake --build --preset "$preset" && ctest --preset "$suite"; then
        word=passed
    else
        word=FAILED
        failed=1
    fi
    told="$told$(printf '%-12s %s after %s s' "$suite" "$word" $(($(date +%s) - begin)))
"
done
printf '%s' "$told"
exit $failed

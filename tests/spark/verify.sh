#!/bin/sh
# verify.sh MAVEN PROJECT JAR OUTPUT WITHOUT [OPTION...]: packs bindings/spark and runs its tests on
# a real Spark, but those with the tag WITHOUT; without the network if Maven has all that it needs.
# Exit code 77, skipped, where Spark cannot be fetched. Options are Maven's.
set -eu
maven=$1 project=$2 jar=$3 output=$4 without=$5
log=$output.log
shift 5
options=$*

fail() {
    cat "$log"
    printf '%s\n' "$1" >&2
    exit 1
}

maven() {
    # shellcheck disable=SC2086 # options are words
    "$maven" -B -f "$project" "$@" "-Ddpadapt.jar=$jar" "-Ddpadapt.output=$output" \
        "-Ddpadapt.without=$without" $options >"$log" 2>&1
}

ls "$jar"
rm -rf "$output"
if ! maven verify --offline; then
    grep -q 'in offline mode' "$log" || fail "Maven failed"
    if ! maven verify; then
        grep -m 1 -E 'Could not transfer|Could not find artifact|in offline mode' "$log" ||
            fail "Maven failed"
        printf 'Maven cannot fetch Spark: its tests are skipped\n'
        exit 77
    fi
fi
grep -q 'Failures: 0, Errors: 0, Skipped: 0$' "$log" || fail "tests were skipped"
grep -h 's of CPU' "$log" || : # what a long test prints
ls "$output"/dpadapt-spark-*[0-9].jar

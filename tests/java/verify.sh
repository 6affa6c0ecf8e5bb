#!/bin/sh
# verify.sh MAVEN PROJECT NATIVE OUTPUT PROGRAM NO_MALLOC [OPTION...]: runs Maven's verify, without
# the network if it has all that it needs. No test may be skipped, and the virtual machine's checks
# of the native code must have nothing to say. Options are Maven's.
set -eu
maven=$1 project=$2 native=$3 output=$4 program=$5 no_malloc=$6
shift 6
options=$*
log=$output.log

fail() {
    cat "$log"
    printf '%s\n' "$1" >&2
    exit 1
}

# What is run, then options; installing is skipped, but its plugin is then there for later, too.
maven() {
    # shellcheck disable=SC2086 # options are words
    "$maven" -B -f "$project" "$@" -Dmaven.install.skip=true "-Ddpadapt.native=$native" \
        "-Ddpadapt.output=$output" "-Ddpadapt.program=$program" \
        "-Ddpadapt.no_malloc=$no_malloc" $options >"$log" 2>&1
}

rm -rf "$output"
if ! maven verify --offline; then
    grep -q 'in offline mode' "$log" || fail "Maven failed"
    maven install || fail "Maven failed"
fi
grep -q 'Failures: 0, Errors: 0, Skipped: 0$' "$log" || fail "tests were skipped"
objections='WARNING in native|FATAL ERROR in native|WARNING: JNI'
# Arrow's own native code finds its classes so when it is loaded.
names='java/lang/(Object|RuntimeException)|org/apache/arrow/c/[A-Za-z/$]+'
if grep -rhE "$objections" "$log" "$output/surefire-reports" |
    grep -vE "FindClass received a bad class descriptor \"L($names);\""; then
    fail "the virtual machine objects to the native code"
fi
for kind in "" -sources -javadoc; do
    ls "$output"/dpadapt-*[0-9]$kind.jar
done

#!/bin/sh
# run.sh PROGRAMS SECONDS CORPUS [TOPIC...]: fuzzes by libFuzzer, one topic after the other, and
# says how many inputs it has run. What is found is left in CORPUS as found-TOPIC-*.
set -eu
programs=$(cd "$1" && pwd)
seconds=$2
mkdir -p "$3"
corpus=$(cd "$3" && pwd)
shift 3
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- solution model csv private_rows ledger certificate request partial schema \
    arrow options calls fit

status=0
for topic in "$@"; do
    words="$here/dictionaries/$topic.dict"
    [ -f "$words" ] || words="$here/dictionaries/bytes.dict"
    mkdir -p "$corpus/$topic"
    log="$corpus/$topic.log"
    if OPENBLAS_NUM_THREADS=1 "$programs/fuzz_$topic" -max_total_time="$seconds" -timeout=60 \
        -rss_limit_mb=2560 -dict="$words" -artifact_prefix="$corpus/found-$topic-" \
        -print_final_stats=1 "$corpus/$topic" "$here/seeds/$topic" >"$log" 2>&1; then
        result="nothing found"
    else
        result="FOUND SOMETHING, see $log"
        status=1
    fi
    count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    echo "$topic: ${count:-?} executions, $result"
done
exit $status

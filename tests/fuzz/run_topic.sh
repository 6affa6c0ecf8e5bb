#!/bin/sh
# run_topic.sh PROGRAMS SECONDS CORPUS TOPIC: one topic of run.sh. CORPUS/TOPIC.runs gets a line,
# how many inputs were run and in how many seconds.
set -eu
programs=$1 seconds=$2 corpus=$3 topic=$4
here=$(cd "$(dirname "$0")" && pwd)
words="$here/dictionaries/$topic.dict"
[ -f "$words" ] || words="$here/dictionaries/bytes.dict"
mkdir -p "$corpus/$topic"
set -- "$here/seeds/$topic"
case $topic in
    solution) set -- "$@" "$here/../data/saved/format_1" ;;
    partial) set -- "$@" "$here/seeds/request" ;;
esac
log="$corpus/$topic.log"
begin=$(date +%s)
status=0
OPENBLAS_NUM_THREADS=1 "$programs/fuzz_$topic" -max_total_time="$seconds" -timeout=60 \
    -rss_limit_mb=2560 -dict="$words" -artifact_prefix="$corpus/found-$topic-" \
    -print_final_stats=1 "$corpus/$topic" "$@" >"$log" 2>&1 || status=1
count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
echo "${count:-0} $(($(date +%s) - begin))" >>"$corpus/$topic.runs"
[ $status -eq 0 ] || echo "$topic: FOUND SOMETHING, see $log"
exit $status

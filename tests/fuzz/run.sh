#!/bin/sh
# run.sh PROGRAMS SECONDS CORPUS [TOPIC...]: fuzzes by libFuzzer, each topic for that long and JOBS
# topics at a time (one, unless the environment says more). What is learnt stays in CORPUS/TOPIC, so
# that the next run goes on there; what is found is left as CORPUS/found-TOPIC-*. The table at the
# end adds up the executions of all runs with this CORPUS.
set -eu
programs=$(cd "$1" && pwd)
seconds=$2
mkdir -p "$3"
corpus=$(cd "$3" && pwd)
shift 3
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- solution model csv private_rows ledger accountant certificate request \
    partial schema arrow options calls fit evaluate

status=0
printf '%s\n' "$@" | xargs -n 1 -P "${JOBS:-1}" \
    sh "$here/run_topic.sh" "$programs" "$seconds" "$corpus" || status=1

sum() { # sum of the first numbers of these files
    cat "$@" | awk '{ all += $1 } END { printf "%d", all }'
}
last() { # last TOPIC NAME: the last number after that name in the topic's log
    sed -n "s/^#.* $2: \([0-9]*\) .*/\1/p" "$corpus/$1.log" | tail -n 1
}
line='%-13s %13s %11s %8s %9s %7s %6s\n'
# shellcheck disable=SC2059 # one format for all lines
{
    printf "$line" topic executions 'a second' edges features inputs found
    for topic in "$@"; do
        run=$(tail -n 1 "$corpus/$topic.runs")
        printf "$line" "$topic" "$(sum "$corpus/$topic.runs")" \
            "$((${run% *} / (${run#* } > 0 ? ${run#* } : 1)))" "$(last "$topic" cov)" \
            "$(last "$topic" ft)" "$(find "$corpus/$topic" -type f | wc -l)" \
            "$(find "$corpus" -maxdepth 1 -name "found-$topic-*" | wc -l)"
    done
    printf "$line" all "$(sum "$corpus"/*.runs)" '' '' '' '' \
        "$(find "$corpus" -maxdepth 1 -name 'found-*' | wc -l)"
}
exit $status

#!/bin/sh
# compare_seeds.sh PROGRAM FOLDER: the seeds in FOLDER are what PROGRAM writes today; after a change
# of the format they would be refused, and fuzzers would begin with nothing.
set -eu
fresh=$(mktemp -d)
trap 'rm -r "$fresh"' EXIT
"$1" "$fresh"
for seed in "$fresh"/*; do
    cmp "$seed" "$2/${seed##*/}"
done

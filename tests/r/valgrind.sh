#!/bin/sh
# valgrind.sh R SCRIPT ARGUMENT: no leak and no wrong access of memory that has the package on its
# stack.
set -eu
command -v valgrind >/dev/null || exit 77
checks="--leak-check=full --show-leak-kinds=definite --num-callers=40"
"$1" -d "valgrind $checks --log-file=valgrind.%p.log" --vanilla --no-echo --file="$2" --args "$3"
# Records are separated by lines without text.
awk 'BEGIN { RS = "==[0-9]+== \n" }
     /dpadapt\.so/ && /definitely lost|Invalid|uninitialised/ { print; found = 1 }
     END { exit found }' valgrind.*.log
grep -h 'definitely lost:' valgrind.*.log

#!/bin/sh
# undefined.sh STATIC_LIBRARY: the library never prints, exits or touches the state of its process.
set -eu
printing='v?f?d?printf|__v?f?d?printf_chk|f?puts|f?putc|putchar|perror|fwrite|write'
streams='std(in|out|err)|_ZSt4c(in|out|err|log)'
files='open|open64|fopen|fopen64|freopen'
ending='exit|_exit|_Exit|quick_exit|atexit|abort|raise|kill|__assert_fail'
process='signal|sigaction|(secure_)?getenv|setenv|putenv|setlocale'
random='fesetround|fesetenv|s?rand|s?random'

# The files that the library opens and writes are the ledgers and models that its host names.
needed=$(nm --undefined-only "$1" | awk '
    /:$/ { ledger = /ledger_file|owner_file|new_file|unity_posix/ }
    $1 == "U" && !(ledger && ($2 == "open" || $2 == "write")) { print $2 }' | sort -u)
[ -n "$needed" ]
if printf '%s\n' "$needed" | grep -xE "$printing|$streams|$files|$ending|$process|$random"; then
    echo "The core must not use the symbols above."
    exit 1
fi

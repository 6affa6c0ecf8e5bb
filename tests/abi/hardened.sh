#!/bin/sh
# hardened.sh FILE...: read-only relocations, bound at the start, canaries on the stack, and
# functions of the C library that check sizes.
set -eu
for file in "$@"; do
    readelf --wide --program-headers "$file" | grep -q GNU_RELRO
    readelf --wide --dynamic "$file" | grep -qE 'BIND_NOW|FLAGS_1.*NOW'
    nm --dynamic --undefined-only "$file" | grep -q __stack_chk_fail
    nm --dynamic --undefined-only "$file" | grep -qE '__[a-z]+_chk(@|$)'
    readelf --wide --program-headers "$file" | grep GNU_STACK | grep -qv RWE
done

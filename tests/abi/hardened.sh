#!/bin/sh
# hardened.sh FILE...: read-only relocations, bound at the start, and canaries on the stack.
set -eu
for file in "$@"; do
    readelf --wide --program-headers "$file" | grep -q GNU_RELRO
    readelf --wide --dynamic "$file" | grep -qE 'BIND_NOW|FLAGS_1.*NOW'
    nm --dynamic --undefined-only "$file" | grep -q __stack_chk_fail
    readelf --wide --program-headers "$file" | grep GNU_STACK | grep -qv RWE
done

#!/bin/sh
# symbols.sh LIBRARY SOURCE_DIR: the exports are the functions of the headers and the committed
# list.
set -eu
sh "$2/tests/abi/exported.sh" "$1" >exported.txt

echo "Exported (>) against cmake/abi/dpadapt.symbols (<):"
diff "$2/cmake/abi/dpadapt.symbols" exported.txt
echo "Exported (>) against the declarations in include/dpadapt (<):"
sed -n 's/^DPA_API .*[ *]\(dpa_[a-z0-9_]*\)(.*/\1/p' "$2"/include/dpadapt/*.h | LC_ALL=C sort |
    diff - exported.txt

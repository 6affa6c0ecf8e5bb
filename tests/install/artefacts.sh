#!/bin/sh
# artefacts.sh SOURCE FOLDER: what this system's own compiler makes of a release, made twice, in
# clones of their own: each file has the same bytes. The .deb of R records its folder.
set -eu
source=$1 folder=$2
git -C "$source" rev-parse --git-dir >/dev/null 2>&1 || exit 77
unset CMAKE_CXX_COMPILER_LAUNCHER CMAKE_C_COMPILER_LAUNCHER
rm -rf "$folder"
for place in one another/deeper; do
    git clone --quiet "$source" "$folder/$place/clone"
    "$folder/$place/clone/cmake/artefacts.sh" "$folder/$place/out" source recipes r duckdb debian
    (cd "$folder/$place/out" && sha256sum -- *) | grep -v r-cran >"$folder/$place/sums"
done
cat "$folder/one/sums"
diff "$folder/one/sums" "$folder/another/deeper/sums"
[ "$(wc -l <"$folder/one/sums")" -ge 7 ]

#!/bin/sh
# release.sh BUILD FOLDER [KEY [KIND...]]: makes what artefacts.sh makes of the commit that is
# checked out, in FOLDER, which is empty, with a bill of materials, checksums and, with a private
# key of ssh (if it is not empty), their signature; then the tag vVERSION. BUILD is a build of this
# commit whose tests have passed. docs/release.md has the steps before.
set -eu
cd "$(dirname "$0")/.."
if [ $# -lt 2 ]; then
    echo "usage: cmake/release.sh BUILD FOLDER [KEY [KIND...]]" >&2
    exit 2
fi
build=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
key=${3:-}
shift 2
[ $# -eq 0 ] || shift

refuse() {
    echo "release.sh: $*" >&2
    exit 1
}

number() { sed -n "s/^#define DPA_VERSION_$1 //p" include/dpadapt/version.h; }
version="$(number MAJOR).$(number MINOR).$(number PATCH)"
tag="v$version"

[ -z "$(git status --porcelain)" ] || refuse "there are changes that no commit has"
grep -q '^## .*(unreleased)$' CHANGELOG.md &&
    refuse "CHANGELOG.md still has an unreleased version; give it a day"
git rev-parse --quiet --verify "refs/tags/$tag" >/dev/null && refuse "the tag $tag is there"
[ -z "$(ls -A "$folder")" ] || refuse "$folder is not empty"
python3 tests/abi/version.py .
for check in symbols baseline; do # they leave lists where they are run
    (root=$PWD && cd "$folder" && sh "$root/tests/abi/$check.sh" "$build/libdpadapt.so" "$root") ||
        refuse "the library does not have the interface that cmake/abi records"
done
rm "$folder/exported.txt"

sh cmake/artefacts.sh "$folder" "$@"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
python=$folder/.python
python3 -m venv "$python"
"$python/bin/pip" install --quiet --disable-pip-version-check 'spdx-tools>=0.8,<0.9'
"$python/bin/python" cmake/sbom.py "$version" "$folder/dpadapt-$version.spdx.json" \
    "$build/libdpadapt.so" "$build/dpadapt" "$folder"/*
rm -r "$python"

sums=$(cd "$folder" && sha256sum -- *)
echo "$sums" >"$folder/SHA256SUMS"
if [ -n "$key" ]; then
    ssh-keygen -q -Y sign -n dpadapt -f "$key" "$folder/SHA256SUMS"
    git -c gpg.format=ssh -c user.signingKey="$key" tag --sign --message "dpadapt $version" "$tag"
else
    git tag --annotate --message "dpadapt $version" "$tag"
fi
echo "$folder has dpadapt $version; to publish: git push origin $tag"

#!/bin/sh
# release.sh SOURCE BUILD: releases are refused where something is missing; one that is made, of the
# kinds that need no compiler, has checksums, a signature and a tag that hold, and an archive that
# is the commit.
set -eu
source=$1
build=$2
git -C "$source" rev-parse --git-dir >/dev/null 2>&1 || exit 77
command -v ssh-keygen >/dev/null && command -v abidiff >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=Tester GIT_AUTHOR_EMAIL=tester@example.org
export GIT_COMMITTER_NAME=Tester GIT_COMMITTER_EMAIL=tester@example.org

# The working tree, as a commit of its own.
mkdir "$work/clone"
git -C "$source" ls-files -z --cached --others --exclude-standard |
    (cd "$source" && tar --null --files-from - --create --ignore-failed-read) |
    tar --extract --directory "$work/clone"
cd "$work/clone"
git init --quiet
git add --all
git commit --quiet --message 'All files'
release() { cmake/release.sh "$build" "$work/out" "$work/key" source recipes >"$work/told" 2>&1; }
refused() { # refused TEXT: no release is made, for the reason that the text names
    if release; then exit 1; fi
    grep -q "$1" "$work/told"
}

grep -q '^## .*(unreleased)$' CHANGELOG.md || sed -i '2a ## 9.9.9 (unreleased)\n' CHANGELOG.md
git commit --quiet --all --allow-empty --message 'Unreleased changes'
refused 'an unreleased version'

sed -i -e '/^## 9.9.9/d' -e '/^## /s/(unreleased)$/(2026-01-01)/' CHANGELOG.md
grep -q '^date-released' CITATION.cff || echo 'date-released: 2026-01-01' >>CITATION.cff
refused 'no commit has'

git commit --quiet --all --message 'A release'
ssh-keygen -q -t ed25519 -N '' -f "$work/key"
if ! release; then
    cat "$work/told"
    grep -q 'No matching distribution' "$work/told" && exit 77 # PyPI cannot be reached
    exit 1
fi
cd "$work/out"
ls
sha256sum --check SHA256SUMS
echo "release $(cat "$work/key.pub")" >"$work/signers"
ssh-keygen -Y verify -n dpadapt -I release -f "$work/signers" -s SHA256SUMS.sig <SHA256SUMS
git -C "$work/clone" -c gpg.ssh.allowedSignersFile="$work/signers" tag --verify "$(
    git -C "$work/clone" describe --exact-match)"
mkdir content
tar --extract --gzip --file dpadapt-*[0-9].tar.gz --directory content
diff -r --exclude .git "$work/clone" content/dpadapt-*
tar --extract --gzip --file dpadapt-*-recipes.tar.gz
for recipe in conda/recipe.yaml conan/conanfile.py homebrew/dpadapt.rb; do
    grep -q "$(sha256sum dpadapt-*[0-9].tar.gz | cut -d ' ' -f 1)" dpadapt-*-recipes/$recipe
done
"$work/clone/cmake/artefacts.sh" "$work/again" source recipes
for file in "$work"/again/*; do cmp "$file" "${file##*/}"; done
grep -q libopenblas ./*.spdx.json
cd "$work/clone"
refused 'the tag'

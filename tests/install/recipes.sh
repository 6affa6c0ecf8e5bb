#!/bin/sh
# recipes.sh SOURCE FOLDER: each recipe of packaging is read, rendered or run by the tool that it is
# for, on an archive of this source. Conan compiles the library, dpkg-buildpackage all.
set -eu
source=$1 folder=$2
for tool in ruby dpkg-buildpackage dh lintian; do
    command -v "$tool" >/dev/null || { echo "no $tool here"; exit 77; }
done
python=$folder/python/bin
if ! [ -x "$python/conan" ]; then
    /usr/bin/python3 -m venv "$folder/python"
    "$python/pip" install --quiet --disable-pip-version-check conan==2.34.0 \
        py-rattler-build==0.73.0 || exit 77
fi
version=$(sed -n 's/^ *version = "\(.*\)"/\1/p' "$source/packaging/conan/conanfile.py")
rm -rf "$folder/work"
mkdir -p "$folder/work"
cd "$folder/work"
archive=$PWD/dpadapt-$version.tar.gz
git -C "$source" ls-files -z --cached --others --exclude-standard |
    tar --create --gzip --file "$archive" --directory "$source" --null --files-from - \
        --ignore-failed-read --transform "s|^|dpadapt-$version/|"
sh "$source/packaging/fill.sh" "$archive" recipes "file://$archive"
if grep -rnE '@(URL|SHA[0-9]+)@' recipes; then exit 1; fi
options=$(grep -rhoE 'DPA_(BUILD_[A-Z]+|UNITY)' recipes | sort -u)
for option in $options; do
    grep -q "^option($option " "$source/CMakeLists.txt" || { echo "no option $option"; exit 1; }
done

ruby -wc recipes/homebrew/dpadapt.rb
"$python/python" - recipes/conda/recipe.yaml "$version" <<'END'
import sys
from rattler_build import PlatformConfig, RenderConfig, Stage0Recipe, VariantConfig

compilers = VariantConfig({"c_compiler": ["gcc"], "cxx_compiler": ["gxx"], "c_stdlib": ["sysroot"]})
for platform in ("linux-64", "linux-aarch64", "osx-arm64"):
    config = RenderConfig(PlatformConfig(target_platform=platform, build_platform=platform,
                                         host_platform=platform))
    (one,) = Stage0Recipe.from_file(sys.argv[1]).render(compilers, config)
    told = one.recipe.to_dict()
    assert told["package"]["version"] == sys.argv[2], told
    assert f"gxx_{platform}" in told["requirements"]["build"], told
    assert told["about"]["license"] == "Apache-2.0", told
END
mkdir vcpkg
cmake "-DRECIPE=$PWD/recipes/vcpkg" "-DWORK=$PWD/vcpkg" -P "$source/tests/install/vcpkg.cmake"

export CONAN_HOME="$PWD/conan"
"$python/conan" profile detect
"$python/conan" create recipes/conan --no-remote -o '&:system=True' -o '&:command=False' \
    -s compiler.cppstd=20 -c tools.cmake.cmaketoolchain:generator=Ninja -c tools.build:jobs=1

tar --extract --file "$archive"
mv recipes/debian "dpadapt-$version/"
# Not optimised and without debugging information, so that it does not take long.
export DEB_BUILD_OPTIONS="noopt noautodbgsym" DEB_CXXFLAGS_STRIP=-g
(cd "dpadapt-$version" && dpkg-buildpackage -b -us -uc -j1)
# No bug of Debian's asks for the package.
lintian --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs ./*.changes

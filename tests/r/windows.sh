#!/bin/sh
# windows.sh R TARBALL SOURCE: configure.win, R's own rules for a DLL (winshlib.mk) and zig compile
# and link the package for Windows. R for Windows is not at hand: import libraries stand for R.dll,
# Rblas.dll and Rlapack.dll, with the names that R's headers declare and the package lacks.
set -eu
r=$1 tarball=$2 source=$3
sh "$source/cmake/zig.sh" windows "$source/build/zig"
system=$source/build/zig/windows
folder_of() { "$r" --no-echo -e "cat(R.home('$1'))"; }
R_HOME=$("$r" RHOME)
R_INCLUDE_DIR=$(folder_of include)
R_SHARE_DIR=$(folder_of share)
export R_HOME R_INCLUDE_DIR R_SHARE_DIR LC_ALL=C.UTF-8
rm -rf windows
mkdir windows
cd windows
tar --extract --gzip --file "$tarball"

# What the Makeconf of R for Windows says otherwise than that of this R; as zig.cmake for zig.
cat >tools.mk <<END
CC = ${CMAKE_C_COMPILER_LAUNCHER:-} $system/bin/cc -O2 -fno-sanitize=undefined
CXX20 = ${CMAKE_CXX_COMPILER_LAUNCHER:-} $system/bin/c++ -O2 -fno-sanitize=undefined
CFLAGS =
CXX20FLAGS =
CPPFLAGS =
LDFLAGS =
CPICFLAGS =
CXX20PICFLAGS =
C_VISIBILITY =
CXX_VISIBILITY =
FLIBS =
BLAS_LIBS = -L"$PWD" -lRblas
LAPACK_LIBS = -L"$PWD" -lRlapack
LIBR = -L"$PWD" -lR
objects: \$(OBJECTS)
END
export R_MAKEVARS_USER="$PWD/tools.mk"
mkdir armadillo # alone, without the other headers of this system
ln -s /usr/include/armadillo /usr/include/armadillo_bits armadillo/
cd dpadapt
ARMADILLO_CPPFLAGS="-I$PWD/../armadillo" PKG_CONFIG_LIBDIR="$system/lib/pkgconfig" \
    sh ./configure.win
grep -q 'platform_windows\.o' src/Makevars
cd src
run() { # as R CMD SHLIB does on Windows for a package of C++20
    # shellcheck disable=SC2016 # variables of make
    make --no-print-directory -f Makevars -f "$R_HOME/etc/Makeconf" -f "$R_MAKEVARS_USER" \
        -f "$R_SHARE_DIR/make/winshlib.mk" SHLIB=dpadapt.dll 'CXX=$(CXX20) $(CXX20STD)' \
        'CXXFLAGS=$(CXX20FLAGS)' 'CXXPICFLAGS=$(CXX20PICFLAGS)' 'SHLIB_LD=$(CXX)' \
        SHLIB_LDFLAGS=-shared "$@"
}
run objects
if run all BLAS_LIBS= LAPACK_LIBS= LIBR= 2>lacking; then exit 1; fi
/usr/bin/python3 "$source/tests/r/import_libraries.py" "$R_INCLUDE_DIR" lacking "$PWD/../.."
for name in R Rblas Rlapack; do
    "$system/bin/dlltool" -m i386:x86-64 -d "../../$name.def" -l "../../lib$name.a"
done
run all
/usr/bin/python3 "$source/tests/r/import_libraries.py" --check dpadapt.dll

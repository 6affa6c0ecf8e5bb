#!/bin/sh
# zig.sh PLATFORM FOLDER: a compiler for another system, and what library and command need of it, in
# the folder: zig (PyPI), OpenBLAS (wheels of PyPI, by digest), libsodium, zlib and cmocka (Debian's
# sources).
# PLATFORM is portable (glibc 2.17), musl, windows, macos-aarch64 or macos-x86_64.
set -eu
platform=$1
mkdir -p "$2"
root=$(cd "$2" && pwd)
case $platform in
    portable) target=x86_64-linux-gnu.2.17 tag=manylinux2014_x86_64
        version=0.3.31.188.0 \
        digest=29534062c634a635c4d86b7f238541a81a39e457048ad3d717f54843530a0112 ;;
    musl) target=x86_64-linux-musl tag=musllinux_1_2_x86_64
        version=0.3.34.481.3 \
        digest=46fac855d3c05004f9ee111eeeeb0aeb076c6411fc6f87c34a49b8ba729c4c38 ;;
    windows) target=x86_64-windows-gnu tag=win_amd64
        version=0.3.34.481.3 \
        digest=963e311354df08856c22aad17d77209448d2d8fc3bc4b3b1d87912828797cf13 ;;
    macos-aarch64) target=aarch64-macos.11.0 tag=macosx_11_0_arm64
        version=0.3.34.481.3 \
        digest=813bb8101da2f64555c4a5e71c3714539d92b0b4f1841ec12b80d50e56cde46c ;;
    macos-x86_64) target=x86_64-macos.11.0 tag=macosx_10_9_x86_64
        version=0.3.34.237.2 \
        digest=f40c15a3dc64f62e448d556280a9bec75d0aa896b013335c40fc5d8e36805a3c ;;
    *) echo "zig.sh: unknown platform $platform" >&2; exit 2 ;;
esac
sysroot="$root/$platform"
[ ! -f "$sysroot/ready" ] || exit 0
mkdir -p "$sysroot/bin" "$sysroot/include" "$sysroot/lib/pkgconfig" "$root/sources"

# The compiler, under the names that CMake and configure expect.
[ -x "$root/zig/ziglang/zig" ] ||
    python3 -m pip install -q --target "$root/zig" ziglang==0.17.1 || exit 77
tool() { # tool NAME ARGUMENTS
    printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$root/zig/ziglang/zig" "$2" >"$sysroot/bin/$1"
    chmod +x "$sysroot/bin/$1"
}
tool cc "cc -target $target"
tool c++ "c++ -target $target"
for name in ar ranlib rc dlltool; do tool $name $name; done

# Debian's sources, checked by apt, by an apt of its own.
fetch_sources() {
    cd "$root/sources"
    [ ! -f fetched ] || return 0
    mkdir -p lists/partial cache
    key=/usr/share/keyrings/debian-archive-keyring.gpg
    echo "deb-src [signed-by=$key] http://deb.debian.org/debian bookworm main" >list
    set -- -qq -o APT::Sandbox::User=root -o Dir::Etc::sourcelist="$root/sources/list" \
        -o Dir::Etc::sourceparts=/dev/null -o Dir::State::Lists="$root/sources/lists" \
        -o Dir::Cache="$root/sources/cache"
    apt-get "$@" update || exit 77
    apt-get "$@" source --download-only libsodium cmocka zlib || exit 77
    touch fetched
}
(fetch_sources)

describe() { # describe NAME VERSION LIBRARY FLAGS: for pkg-config
    cat >"$sysroot/lib/pkgconfig/$1.pc" <<EOF
Name: $1
Description: $1, static
Version: $2
Libs: -L$sysroot/lib -l$3
Cflags: -I$sysroot/include $4
EOF
}

# Without its configure, which Debian's sources lack: what all of these systems have.
build_sodium() {
    mkdir -p "$sysroot/sodium" && cd "$sysroot/sodium"
    tar xf "$root"/sources/libsodium_*.orig.tar.gz --strip-components=1
    cd src/libsodium
    sed -e 's/@VERSION@/1.0.18/' -e 's/@SODIUM_LIBRARY_VERSION_MAJOR@/10/' \
        -e 's/@SODIUM_LIBRARY_VERSION_MINOR@/3/' -e 's/@SODIUM_LIBRARY_MINIMAL_DEF@//' \
        include/sodium/version.h.in >include/sodium/version.h
    flags="-O2 -w -fPIC -fvisibility=hidden -fno-sanitize=undefined -DCONFIGURED=1
        -DSODIUM_STATIC -DNATIVE_LITTLE_ENDIAN=1 -DHAVE_TI_MODE=1 -DTLS=_Thread_local
        -Iinclude -Iinclude/sodium"
    case $target in x86_64*) flags="$flags -DHAVE_CPUID=1 -DHAVE_MMINTRIN_H=1
        -DHAVE_EMMINTRIN_H=1 -DHAVE_PMMINTRIN_H=1 -DHAVE_TMMINTRIN_H=1 -DHAVE_SMMINTRIN_H=1
        -DHAVE_AVXINTRIN_H=1 -DHAVE_AVX2INTRIN_H=1 -DHAVE_AVX512FINTRIN_H=1
        -DHAVE_WMMINTRIN_H=1" ;; esac
    [ "$platform" = windows ] || flags="$flags -DHAVE_PTHREAD=1 -DHAVE_SYS_MMAN_H=1
        -DHAVE_MMAP=1 -DHAVE_MLOCK=1 -DHAVE_MADVISE=1 -DHAVE_MPROTECT=1 -DHAVE_RAISE=1
        -DHAVE_SYSCONF=1 -DHAVE_NANOSLEEP=1"
    find . -name '*.c' | while read -r source; do
        case $source in
            *ssse3*) own=-mssse3 ;;
            *sse41*) own=-msse4.1 ;;
            *avx2* | *dolbeau/*u8*) own=-mavx2 ;;
            *avx512f*) own=-mavx512f ;;
            *aesni*) own="-maes -mpclmul -mavx" ;;
            *sandy2x*) own=-mavx ;;
            *) own="" ;;
        esac
        case $target in aarch64*) own="" ;; esac
        # shellcheck disable=SC2086,SC2116 # a line of words
        echo $flags $own -c "$source" -o "$(echo "$source" | tr / _ | sed 's/^[._]*//').o"
    done | xargs -P "${JOBS:-2}" -L 1 "$sysroot/bin/cc"
    rm -f "$sysroot/lib/libsodium.a"
    "$sysroot/bin/ar" rcs "$sysroot/lib/libsodium.a" ./*.o
    cp -r include/sodium.h include/sodium "$sysroot/include/"
    describe libsodium 1.0.18 sodium -DSODIUM_STATIC
}
build_cmocka() {
    mkdir -p "$sysroot/cmocka" && cd "$sysroot/cmocka"
    tar xf "$root"/sources/cmocka_*.orig.tar.xz --strip-components=1
    set -- -DHAVE_INTTYPES_H -DHAVE_STDINT_H -DHAVE_STRUCT_TIMESPEC -DHAVE_SETJMP_H \
        -DHAVE_STRINGS_H -DHAVE_SIGNAL_H -D_CRT_SECURE_NO_WARNINGS
    [ "$platform" = windows ] || set -- "$@" -DHAVE_UNISTD_H -DHAVE_SYS_TYPES_H \
        -DHAVE_CLOCK_GETTIME_REALTIME
    case $platform in macos*) ;; *) set -- "$@" -DHAVE_MALLOC_H ;; esac
    : >src/config.h
    "$sysroot/bin/cc" -O2 -w "$@" -DHAVE_CONFIG_H -Iinclude -Isrc -c src/cmocka.c -o cmocka.o
    "$sysroot/bin/ar" rcs "$sysroot/lib/libcmocka.a" cmocka.o
    cp include/cmocka*.h "$sysroot/include/"
    describe cmocka 1.1.5 cmocka ""
}
build_zlib() {
    mkdir -p "$sysroot/zlib" && cd "$sysroot/zlib"
    tar xf "$root"/sources/zlib_*.orig.tar.bz2 --strip-components=1
    set -- -DHAVE_UNISTD_H=1
    case $platform in
        windows) set -- ;;
        macos*) set -- "$@" -Dfdopen=fdopen ;; # which it takes for that of classic systems
    esac
    for name in adler32 crc32 deflate gzclose gzlib gzread gzwrite infback inffast inflate \
        inftrees trees zutil; do
        "$sysroot/bin/cc" -O2 -w -fPIC -fno-sanitize=undefined "$@" -c "$name.c" -o "$name.o"
    done
    rm -f "$sysroot/lib/libz.a"
    "$sysroot/bin/ar" rcs "$sysroot/lib/libz.a" ./*.o
    cp zlib.h zconf.h "$sysroot/include/"
}

# The functions have scipy_ before their names in these wheels: a jump under each name that is
# called.
names="dasum_ ddot_ dgbcon_ dgbsv_ dgbsvx_ dgbtrf_ dgbtrs_ dgecon_ dgels_ dgelsd_ dgemm_ dgemv_
    dgeqrf_ dgesdd_ dgesv_ dgesvx_ dgetrf_ dgetrs_ dgtsv_ dlangb_ dlange_ dlansy_ dnrm2_ dorgqr_
    dpbtrf_ dpocon_ dposv_ dposvx_ dpotrf_ dpotri_ dpotrs_ dsyev_ dsyevd_ dsyrk_ dtrcon_ dtrtrs_
    ilaenv_"
jumps() {
    case $platform in macos*) bar=_ ;; *) bar= ;; esac
    echo ".text"
    for name in $names openblas_get_config openblas_get_num_threads openblas_set_num_threads \
        openblas_get_parallel; do
        case $platform in
            portable | musl) jump="jmp scipy_$name@PLT" hide=".hidden $name" ;;
            macos-aarch64) jump="b _scipy_$name" hide=".private_extern _$name" ;;
            macos-x86_64) jump="jmp _scipy_$name" hide=".private_extern _$name" ;;
            windows) jump="jmp scipy_$name" hide="" ;;
        esac
        printf '.globl %s\n%s\n%s: %s\n' "$bar$name" "$hide" "$bar$name" "$jump"
    done
    case $platform in portable | musl) echo '.section .note.GNU-stack,"",@progbits' ;; esac
}
fetch_openblas() {
    mkdir -p "$sysroot/openblas" && cd "$sysroot/openblas"
    echo "scipy-openblas32==$version --hash=sha256:$digest" >wanted
    python3 -m pip download -q --require-hashes --no-deps --only-binary=:all: --platform "$tag" \
        -r wanted || exit 77
    python3 -m zipfile -e ./*.whl .
    find scipy_openblas32/lib -maxdepth 1 -type f -exec cp {} "$sysroot/lib/" \;
    jumps >names.s
    "$sysroot/bin/cc" -c names.s -o names.o
    "$sysroot/bin/ar" rcs "$sysroot/lib/libblas_names.a" names.o
}
[ -f "$sysroot/lib/libsodium.a" ] || build_sodium
[ -f "$sysroot/lib/libcmocka.a" ] || build_cmocka
[ -f "$sysroot/lib/libblas_names.a" ] || fetch_openblas
[ -f "$sysroot/lib/libz.a" ] || build_zlib

# Of all that goes with the library; the Apache licence of Armadillo is that of the project.
mkdir -p "$sysroot/licences"
(
    cd "$sysroot/licences"
    cp "$sysroot/sodium/LICENSE" libsodium.txt
    cp "$(find "$sysroot/openblas" -path '*dist-info*' -name 'LICENSE*' | head -n 1)" OpenBLAS.txt
    cp /usr/share/doc/libarmadillo-dev/copyright Armadillo.txt
    cp "$sysroot/zlib/LICENSE" zlib.txt
    cp "$root/zig/ziglang/LICENSE" zig.txt
    cp "$root/zig/ziglang/lib/libcxx/LICENSE.TXT" libcxx.txt
    [ "$platform" != windows ] || cp "$root/zig/ziglang/lib/libc/mingw/COPYING" mingw-w64.txt
)
for header in armadillo armadillo_bits CLI nlohmann; do
    ln -sfn "/usr/include/$header" "$sysroot/include/$header"
done
touch "$sysroot/ready"

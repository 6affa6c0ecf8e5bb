# Sourced by demo.sh and test.sh: the Debian packages that each needs, and their installation.
# shellcheck shell=sh

demo_packages="g++ cmake ninja-build pkg-config libarmadillo-dev libopenblas-dev
    libsodium-dev zlib1g-dev libcsv-dev"
# shellcheck disable=SC2034 # read by test.sh
test_packages="$demo_packages libcli11-dev nlohmann-json3-dev
    libcmocka-dev libbenchmark-dev python3 python3-venv python3-numpy python3-scipy python3-cvxopt
    python3-matplotlib python3-tqdm python3-sklearn python3-pandas
    binutils abigail-tools clang libclang-rt-dev clang-format clang-tidy shellcheck valgrind
    make gfortran swig r-base-core r-cran-testthat r-cran-knitr r-cran-markdown r-cran-generics
    r-cran-rpart r-cran-survival
    qpdf tidy
    openjdk-17-jdk-headless maven postgresql-15 postgresql-server-dev-15"

# What some nightly tests need besides: other systems, another processor, another C++ library.
# shellcheck disable=SC2034 # read by nightly.sh
nightly_packages="clang-16 libc++-16-dev libc++abi-16-dev debootstrap g++-aarch64-linux-gnu
    qemu-user python3-pip llvm libopenblas0-openmp ruby debhelper lintian"

# What the presets of zig need to build for other systems (cmake/portable.sh).
# shellcheck disable=SC2034 # read by portable.sh
portable_packages="cmake ninja-build pkg-config libarmadillo-dev libcli11-dev nlohmann-json3-dev
    python3 python3-pip binutils bzip2"

# install_packages NAME...: installs those that are missing.
install_packages() {
    if ! command -v apt-get >/dev/null; then
        printf 'No apt-get here; please provide what these Debian packages contain:\n' >&2
        printf '    %s\n' "$@" >&2
        exit 2
    fi
    missing=""
    for package in "$@"; do
        case $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) in
            installed) ;;
            *) missing="$missing $package" ;;
        esac
    done
    [ -n "$missing" ] || return 0

    as_root=""
    if [ "$(id -u)" -ne 0 ] && command -v sudo >/dev/null; then as_root="sudo"; fi
    # shellcheck disable=SC2086 # a list of words
    if ! { can_fetch $missing && fetch_packages $missing; }; then
        $as_root apt-get update
        fetch_packages $missing
    fi
}

can_fetch() { # false when the package lists are empty, as on a fresh system
    apt-get install --simulate --no-install-recommends "$@" >/dev/null 2>&1
}

fetch_packages() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

#!/bin/sh
# install.sh R TARBALL LIBRARY: compiles and installs the package; the log is kept for check.sh.
set -eu
"$1" CMD INSTALL --library="$3" "$2" >install.log 2>&1 || {
    cat install.log
    exit 1
}

#!/bin/sh
# check.sh R TARBALL [LIBRARY]: R CMD check without errors, warnings and unexplained notes. With LIBRARY the package that
# install.sh has put there is checked, not compiled again, and its tests are not run, because they are a test of their own.
set -eu
folder=check_compiled
if [ $# -eq 3 ]; then
    folder=check_installed
    installed="--install=check:$PWD/install.log --library=$3 --no-tests"
else
    installed=""
fi
rm -rf $folder
mkdir $folder
cd $folder

# Not asked for: the internet, LaTeX, and a script of another package about the shell of configure, which is linted here.
export _R_CHECK_CRAN_INCOMING_=false _R_CHECK_SYSTEM_CLOCK_=false _R_CHECK_BASHISMS_=false
# shellcheck disable=SC2086 # a list of words
"$1" CMD check --as-cran --no-manual $installed "$2" || true

# Explained notes: templates make the library large; without compilation there are no object files to look at.
grep -E '^\* checking .* \.\.\. .*(NOTE|WARNING|ERROR)' dpadapt.Rcheck/00check.log |
    grep -vE '(installed package size|compiled code) \.\.\. NOTE' && exit 1
grep '^Status:' dpadapt.Rcheck/00check.log

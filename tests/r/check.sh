#!/bin/sh
# check.sh R TARBALL [LIBRARY]: R CMD check without errors, warnings and unexplained notes. With
# LIBRARY the package that install.sh has put there is checked, not compiled again, and its tests,
# which are a test of their own, are not run.
set -eu
folder=check_compiled
if [ $# -eq 3 ]; then
    folder=check_installed
    installed="--install=check:$PWD/install.log --library=$3 --no-tests"
else
    installed=""
fi
# On a system without locales the check would ask for one that is not there.
export LC_ALL=C.UTF-8
rm -rf $folder
mkdir $folder
cd $folder

# Not asked for: the internet and LaTeX. For the script checkbashisms of another package
# stands shellcheck, which looks for the same in configure.
export _R_CHECK_CRAN_INCOMING_=false _R_CHECK_SYSTEM_CLOCK_=false
mkdir bin
# shellcheck disable=SC2016 # the variable is for the script
printf '#!/bin/sh\nshift 2\nexec shellcheck --shell=sh "$@"\n' >bin/checkbashisms
chmod +x bin/checkbashisms
PATH="$PWD/bin:$PATH"
# shellcheck disable=SC2086 # a list of words
"$1" CMD check --as-cran --no-manual $installed "$2" || true

# Explained notes: templates make the library large; without compilation there are no object files
# to look at.
grep -E '^\* checking .* \.\.\. .*(NOTE|WARNING|ERROR)' dpadapt.Rcheck/00check.log |
    grep -vE '(installed package size|compiled code) \.\.\. NOTE' && exit 1
grep '^Status:' dpadapt.Rcheck/00check.log
! grep -qE '^Status:.*(ERROR|WARNING)' dpadapt.Rcheck/00check.log

#!/bin/sh
# debian.sh SOURCE FOLDER: Debian packages are built, installed into a clean system, and used there:
# the command, a C and a C++ program, R and Java.
set -eu
source=$1 folder=$2
for tool in debootstrap dpkg-shlibdeps dpkg-architecture; do
    command -v "$tool" >/dev/null || { echo "no $tool here"; exit 77; }
done
[ "$(id -u)" -eq 0 ] || { echo "debootstrap needs root"; exit 77; }
mkdir -p "$folder"
sh "$source/cmake/debian.sh" "$folder/packages" "$folder/build"
set -- "$folder"/packages/*.deb
[ $# -eq 5 ] || { echo "not five packages: $*"; exit 1; }

system=$(mktemp -d)
chmod 755 "$system" # programs there run as other users, too
trap 'rm -rf "$system"' EXIT
debootstrap --variant=minbase bookworm "$system" >"$folder/debootstrap.log" 2>&1 ||
    { echo "no Debian mirror can be reached"; exit 77; }
# Documents are installed too, which a minimal system may leave out.
rm -f "$system"/etc/dpkg/dpkg.cfg.d/*
cp /etc/resolv.conf "$system/etc/" 2>/dev/null || true
mkdir "$system/trial"
cp "$@" "$source/tests/install/consumer/consumer.c" "$source/examples/cpp/search.cpp" \
    "$source/examples/java/PrivateFit.java" "$source/examples/r/private_fit.R" "$system/trial/"
cat >"$system/trial/try.sh" <<'END'
set -eux
export DEBIAN_FRONTEND=noninteractive
cd /trial
apt-get update -qq
apt-get install -y --no-install-recommends ./*.deb g++ pkg-config man-db groff-base \
    default-jdk-headless >install.log
awk -v OFS=, 'BEGIN { print "a,b,y"; for (i = 0; i < 400; i++)
    print i % 7, i % 5, 2 * (i % 7) - i % 5 + i % 3 }' >rows.csv
cp rows.csv target.csv
dpadapt fit --source rows.csv --target target.csv --label y --epsilon 1 --delta 1e-6 \
    --output model.json --report report.html
dpadapt predict --model model.json --data rows.csv --output predictions.csv
test "$(wc -l <predictions.csv)" -eq 401
man dpadapt | grep -q rehearse
test -s /usr/share/bash-completion/completions/dpadapt
test -s /usr/share/doc/dpadapt/docs/privacy.md
gcc consumer.c -o consumer $(pkg-config --cflags --libs dpadapt)
./consumer "$(pkg-config --modversion dpadapt)"
gcc -static consumer.c -o alone $(pkg-config --static --cflags --libs dpadapt)
./alone "$(pkg-config --modversion dpadapt)"
g++ -std=c++20 search.cpp -o search $(pkg-config --cflags --libs dpadapt)
./search
Rscript private_fit.R
java -cp /usr/share/java/dpadapt-*.jar PrivateFit.java
apt-get remove -y dpadapt libdpadapt-dev 'libdpadapt[0-9]*' >remove.log
! test -e /usr/bin/dpadapt
END
mount --bind /proc "$system/proc"
trap 'umount "$system/proc"; rm -rf "$system"' EXIT
chroot "$system" sh /trial/try.sh

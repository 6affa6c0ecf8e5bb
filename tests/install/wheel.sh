#!/bin/sh
# wheel.sh SOURCE FOLDER: the wheel of cmake/portable.sh on Debian 11, which has an older glibc and
# no compiler, BLAS or libsodium, beside NumPy's own OpenBLAS: the Python tests, and what the pages
# show. So the extension of DuckDB: a fit and a prediction.
set -eu
source=$1 folder=$2
command -v debootstrap >/dev/null || { echo "no debootstrap here"; exit 77; }
[ "$(id -u)" -eq 0 ] || { echo "debootstrap needs root"; exit 77; }
mkdir -p "$folder"
sh "$source/cmake/portable.sh" portable
sh "$source/cmake/portable.sh" portable dpadapt_duckdb
rm -rf "$folder/wheels"
python3 -m pip download -q --dest "$folder/wheels" --only-binary=:all: --python-version 3.9 \
    --platform manylinux2014_x86_64 --platform manylinux_2_17_x86_64 \
    "$source"/build/portable/dpadapt-*.whl pandas duckdb ||
    { echo "no index of Python packages can be reached"; exit 77; }

system=$(mktemp -d)
trap 'rm -rf "$system"' EXIT
debootstrap --variant=minbase --include=python3,python3-pip bullseye "$system" \
    >"$folder/debootstrap.log" 2>&1 || { echo "no Debian mirror can be reached"; exit 77; }
mkdir -p "$system/trial/bindings" "$system/trial/cmake"
cp "$folder"/wheels/*.whl "$system/trial/"
cp -r "$source/build/portable/duckdb" "$system/trial/"
cp -r "$source/bindings/python" "$system/trial/bindings/"
cp -r "$source/cmake/abi" "$system/trial/cmake/"
cp -r "$source/docs" "$source/include" "$source/tests" "$source/LICENSE" "$source/README.md" \
    "$system/trial/"
cat >"$system/trial/try.sh" <<'END_OF_TRIAL'
set -eux
cd /trial
unset PYTHONPATH DPADAPT_LIBRARY DPADAPT_CLI PIP_FIND_LINKS PIP_CERT
export PYTHONDONTWRITEBYTECODE=1 OPENBLAS_NUM_THREADS=1 DPADAPT_SOURCE_DIR=/trial
pip3 install -q --no-index --find-links . ./dpadapt-*.whl pandas duckdb
python3 -c 'from ctypes.util import find_library as find
assert not any(map(find, ["openblas", "blas", "sodium"]))'
python3 tests/examples/pages.py . pages python python3 '{source}'
python3 - <<'END_OF_PROGRAM'
import duckdb

db = duckdb.connect(config={"allow_unsigned_extensions": "true"})
folder = "duckdb/gcc4" if duckdb.__version__.startswith("1.2.") else "duckdb"
db.execute(f"LOAD '/trial/{folder}/dpadapt.duckdb_extension'")
db.execute("""CREATE TABLE fits AS
              SELECT unnest(dpa_fit(i % 2 = 0, {'x': sin(i), 'y': 2 * sin(i)}, 'y',
                                    {'epsilon': 10, 'delta': 1e-6}))
              FROM range(20000) AS s(i)""")
at_one, = db.execute("SELECT dpa_predict(model, {'x': 1.0}) FROM fits").fetchone()
assert abs(at_one - 2) < 0.1, at_one
END_OF_PROGRAM
cd tests/python
for test in test_*.py; do python3 "$test"; done
END_OF_TRIAL
mount --bind /proc "$system/proc"
trap 'umount "$system/proc"; rm -rf "$system"' EXIT
chroot "$system" sh /trial/try.sh

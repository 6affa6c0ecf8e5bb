"""What the package's DLL takes from R for Windows.

import_libraries.py HEADERS LACKING FOLDER writes R.def, Rblas.def and Rlapack.def to the folder:
the names that the linker lacks, each by the header of R that declares it.
import_libraries.py --check DLL refuses another import than R's and the system's, or no export of
R_init_dpadapt."""

import pathlib
import re
import subprocess
import sys

OF_SYSTEM = re.compile(r"(KERNEL32|ADVAPI32|bcrypt|api-ms-win-crt-[a-z]+-l1-1-0)\.dll", re.I)
OF_R = {"R.dll", "Rblas.dll", "Rlapack.dll"}
IN_RLAPACK = {"ilaenv_"}  # which no header declares, and R's dlapack.f has


def declared(path):
    text = path.read_text(errors="replace")
    return set(re.findall(r"\b\w+\b", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)))


def fortran(path):
    return {f"{name}_" for name in re.findall(r"\bF77_\w+\((\w+)\)", path.read_text())}


def write(headers, lacking, folder):
    text = pathlib.Path(lacking).read_text()
    wanted = dict((name, bool(data)) for data, name in
                  re.findall(r"undefined symbol: (__declspec\(dllimport\) )?(\w+)", text))
    files = [path for path in pathlib.Path(headers).rglob("*.h")]
    known = {"Rblas": fortran(pathlib.Path(headers) / "R_ext/BLAS.h"),
             "Rlapack": fortran(pathlib.Path(headers) / "R_ext/Lapack.h") | IN_RLAPACK,
             "R": set().union(*map(declared, files))}
    found = {library: [] for library in known}
    for name, data in sorted(wanted.items()):
        library = next((one for one, names in known.items() if name in names), None)
        if library is None:
            sys.exit(f"no header of R declares {name}")
        found[library].append(f"{name} DATA" if data else name)
    for library, names in found.items():
        print(f"{library}.dll: {len(names)} names")
        lines = [f"LIBRARY {library}.dll", "EXPORTS", *names]
        (pathlib.Path(folder) / f"{library}.def").write_text("\n".join(lines) + "\n")


def check(dll):
    told = subprocess.run(["objdump", "--private-headers", dll], check=True, capture_output=True,
                          text=True).stdout
    imports = set(re.findall(r"DLL Name: (\S+)", told))
    exports = re.findall(r"^\s*\[\s*\d+\](?: \+base\[\s*\d+\])?\s+(?:[0-9a-f]{4}\s+)?(\w+)$", told,
                         re.M)
    strange = {name for name in imports - OF_R if not OF_SYSTEM.fullmatch(name)}
    print(f"imports {sorted(imports)}, exports {len(exports)} names")
    if strange or not OF_R <= imports:
        sys.exit(f"strange imports {sorted(strange)}, missing {sorted(OF_R - imports)}")
    if "R_init_dpadapt" not in exports:
        sys.exit("R_init_dpadapt is not exported")


if sys.argv[1] == "--check":
    check(sys.argv[2])
else:
    write(*sys.argv[1:])

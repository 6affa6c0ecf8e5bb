"""One wheel for every Python of a platform: the package, and the shared library inside it.

    build_wheel.py LIBRARY FOLDER [--platform TAG]

writes FOLDER/dpadapt-VERSION-py3-none-TAG.whl without network, compiler or other packages; the same
inputs give the same bytes. The OpenBLAS of cmake/zig.sh and the folder of licences go into it from
beside the library; cmake/portable.sh knows the tags. A library that needs more, such as the
system's BLAS, makes a wheel for this system alone. It is also the build backend of pyproject.toml:
`pip install bindings/python` takes the library that DPADAPT_LIBRARY names.
"""

import argparse
import base64
import hashlib
import os
import re
import sysconfig
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
MOMENT = (1980, 1, 1, 0, 0, 0)
NAMES = {".so": "libdpadapt.so", ".dylib": "libdpadapt.dylib", ".dll": "dpadapt.dll"}
BESIDE = re.compile(r"lib(scipy_openblas|gfortran|quadmath|gcc_s)\b.*")


def version():
    header = (HERE / "../../include/dpadapt/version.h").read_text()
    numbers = dict(re.findall(r"^#define DPA_VERSION_(\w+) (\d+)$", header, re.MULTILINE))
    return ".".join(numbers[part] for part in ("MAJOR", "MINOR", "PATCH"))


def metadata():
    project = (HERE / "pyproject.toml").read_text()

    def one(name):
        return re.search(rf'^{name} = "(.*)"$', project, re.MULTILINE)[1]

    needed = re.findall(r'"([^"]+)"', re.search(r"^dependencies = (.*)$", project,
                                                re.MULTILINE)[1])
    extras = re.findall(r'(\w+) = \["(\w+)"\]', re.search(r"^optional-dependencies = (.*)$",
                                                          project, re.MULTILINE)[1])
    lines = ["Metadata-Version: 2.1", f"Name: {one('name')}", f"Version: {version()}",
             f"Summary: {one('description')}", f"Requires-Python: {one('requires-python')}"]
    lines += [f"Requires-Dist: {package}" for package in needed]
    for extra, package in extras:
        lines += [f"Provides-Extra: {extra}", f'Requires-Dist: {package}; extra == "{extra}"']
    return "\n".join(lines) + "\n"


def write(library, folder, platform=None):
    """The name of the wheel."""
    library = Path(library).resolve()
    tag = platform or re.sub(r"[-.]", "_", sysconfig.get_platform())
    inside = next(name for ending, name in NAMES.items() if ending in library.name)
    about = f"dpadapt-{version()}.dist-info"
    files = {f"dpadapt/{path.name}": path.read_bytes()
             for path in sorted((HERE / "dpadapt").glob("*.py"))}
    files[f"dpadapt/{inside}"] = library.read_bytes()
    if any(library.parent.glob("libscipy_openblas.*")):
        files.update({f"dpadapt/{path.name}": path.read_bytes()
                      for path in sorted(library.parent.iterdir()) if BESIDE.fullmatch(path.name)})
    files[f"{about}/licenses/LICENSE"] = (HERE / "../../LICENSE").read_bytes()
    files.update({f"{about}/licenses/{path.name}": path.read_bytes()
                  for path in sorted(library.parent.glob("licences/*"))})
    files[f"{about}/METADATA"] = metadata().encode()
    files[f"{about}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: dpadapt\nRoot-Is-Purelib: false\n"
                               f"Tag: py3-none-{tag}\n").encode()
    record = [f"{name},sha256={_digest(content)},{len(content)}"
              for name, content in files.items()] + [f"{about}/RECORD,,"]
    files[f"{about}/RECORD"] = ("\n".join(record) + "\n").encode()

    name = f"dpadapt-{version()}-py3-none-{tag}.whl"
    Path(folder).mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            wheel.writestr(entry, content)
    return name


def _digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The hook of pip and of other build tools."""
    library = os.environ.get("DPADAPT_LIBRARY")
    if not library:
        raise SystemExit("DPADAPT_LIBRARY must name the built libdpadapt.so")
    return write(library, wheel_directory, (config_settings or {}).get("platform"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("folder")
    parser.add_argument("--platform")
    words = parser.parse_args()
    print(write(words.library, words.folder, words.platform))


if __name__ == "__main__":
    main()

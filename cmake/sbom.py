"""sbom.py VERSION OUTPUT FILE...: a bill of materials (SPDX 2.3, JSON) of built files.

It names the Debian packages of the shared libraries that the files ask the loader for, and of the
headers that are compiled into them, with the versions that are installed here; and what wheels and
jars bring along, by the licences in them."""

import datetime
import hashlib
import os
import re
import subprocess
import sys
import zipfile

from spdx_tools.spdx.model import (Actor, ActorType, Checksum, ChecksumAlgorithm, CreationInfo,
                                   Document, File, Package, Relationship, RelationshipType,
                                   SpdxNoAssertion)
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document
from spdx_tools.spdx.writer.json.json_writer import write_document_to_file

COMPILED_IN = ("libarmadillo-dev", "libcli11-dev", "nlohmann-json3-dev")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed(path):
    """The files of the libraries that this one asks the loader for, but for our own."""
    with open(path, "rb") as file:
        if file.read(4) != b"\x7fELF":
            return set()
    names = set(re.findall(r"\(NEEDED\)\s+Shared library: \[(\S+)\]",
                           output("readelf", "--dynamic", "--wide", path)))
    found = dict(re.findall(r"^\s*(\S+) => (/\S+)", output("ldd", path), re.MULTILINE))
    return {found[name] for name in names if name in found and "dpadapt" not in name}


def package_of(library):
    """The Debian package; its list has the file where it lay before /usr was merged, or after."""
    real = os.path.realpath(library)
    for place in (library, real, real.removeprefix("/usr")):
        told = subprocess.run(("dpkg", "--search", place), capture_output=True, text=True)
        if told.returncode == 0:
            return told.stdout.split(":")[0]
    sys.exit(f"sbom.py: no package has {library}")


def installed(name):
    version = output("dpkg-query", "--show", "--showformat", "${Version}", name)
    return Package(spdx_id="SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name), name=name,
                   version=version, download_location=SpdxNoAssertion(), files_analyzed=False)


def brought(path):
    """The names of what is inside a wheel or a jar."""
    if not path.endswith((".whl", ".jar")):
        return set()
    found = (re.search(r"/licen[cs]es/([\w-]+)\.txt$", name) for name in
             zipfile.ZipFile(path).namelist())
    return {match[1] for match in found if match}


def inside(name):
    return Package(spdx_id=f"SPDXRef-inside-{name}", name=name, download_location=SpdxNoAssertion(),
                   files_analyzed=False)


def built(index, path):
    with open(path, "rb") as file:
        digest = hashlib.sha256(file.read())
    return File(spdx_id=f"SPDXRef-File-{index}", name="./" + os.path.basename(path),
                checksums=[Checksum(ChecksumAlgorithm.SHA256, digest.hexdigest()),
                           Checksum(ChecksumAlgorithm.SHA1, sha1(path))])


def sha1(path):  # the format asks for it
    with open(path, "rb") as file:
        return hashlib.sha1(file.read(), usedforsecurity=False).hexdigest()


def describe(version, paths):
    day = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", 0)),
                                          datetime.timezone.utc).replace(tzinfo=None)
    info = CreationInfo(spdx_version="SPDX-2.3", spdx_id="SPDXRef-DOCUMENT", name="dpadapt",
                        document_namespace=f"https://dpadapt.org/spdx/{version}",
                        creators=[Actor(ActorType.TOOL, "sbom.py")], created=day)
    ours = Package(spdx_id="SPDXRef-dpadapt", name="dpadapt", version=version,
                   download_location=SpdxNoAssertion(), files_analyzed=False)
    names = {package_of(library) for path in paths for library in needed(path)}
    others = [installed(name) for name in sorted(names.union(COMPILED_IN))]
    others += [inside(name) for name in sorted(set().union(*map(brought, paths)))]
    files = [built(index, path) for index, path in enumerate(paths)]
    related = [Relationship("SPDXRef-DOCUMENT", RelationshipType.DESCRIBES, ours.spdx_id)]
    related += [Relationship(file.spdx_id, RelationshipType.GENERATED_FROM, ours.spdx_id)
                for file in files]
    related += [Relationship(ours.spdx_id, RelationshipType.DEPENDS_ON, other.spdx_id)
                for other in others]
    return Document(info, packages=[ours, *others], files=files, relationships=related)


def main():
    version, path, *files = sys.argv[1:]
    document = describe(version, files)
    for fault in validate_full_spdx_document(document):
        sys.exit(f"sbom.py: {fault.validation_message}")
    write_document_to_file(document, path, validate=False)


if __name__ == "__main__":
    main()

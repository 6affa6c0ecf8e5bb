"""The machine on which speeds are measured."""

import ctypes
import functools
import importlib.metadata
import os
import platform


@functools.cache
def _field(path, name):
    with open(path) as file:
        return next((line.split(":")[1].strip() for line in file if line.startswith(name)), "")


def _flags():
    return _field("/proc/cpuinfo", "flags").split()


def kernels_of_blas():
    """What to set so that OpenBLAS uses the processor: a release that is older than that falls back
    to its first kernels, where numpy's own and those of other rivals are newer."""
    if "OPENBLAS_CORETYPE" in os.environ or platform.machine() != "x86_64":
        return {}
    flags = _flags()
    wide = {"avx512f", "avx512dq", "avx512bw", "avx512vl"} <= set(flags)
    chosen = "SKYLAKEX" if wide else "HASWELL" if {"avx2", "fma"} <= set(flags) else ""
    return {"OPENBLAS_CORETYPE": chosen} if chosen else {}


def _blas():
    """The kernels that the library's OpenBLAS takes by itself."""
    try:
        library = ctypes.CDLL("libopenblas.so.0")
        library.openblas_get_corename.restype = ctypes.c_char_p
        return library.openblas_get_corename().decode()
    except (OSError, AttributeError):
        return "unknown"


def _version(name):
    try:
        return f"{name} {importlib.metadata.version(name)}"
    except importlib.metadata.PackageNotFoundError:
        return f"no {name}"


def facts():
    """Lines for the page."""
    rivals = ("numpy", "scikit-learn", "adapt", "ecos", "clarabel", "scs")
    chosen = kernels_of_blas().get("OPENBLAS_CORETYPE", "the same")
    return [f"Processor: {_field('/proc/cpuinfo', 'model name')}, {os.cpu_count()} cores, cache "
            f"{_field('/proc/cpuinfo', 'cache size')}"
            + (", AVX-512" if "avx512f" in _flags() else "")
            + f"; memory {int(_field('/proc/meminfo', 'MemTotal').split()[0]) / 2**20:.0f} GiB.",
            f"{platform.system()} {platform.release()}, Python {platform.python_version()}, "
            + ", ".join(map(_version, rivals)) + ".",
            f"OpenBLAS of the library takes {_blas()} kernels by itself; set for all: {chosen}."]

"""Leaves a test as skipped (exit code 77) when what it compares with is not installed."""

import importlib
import os
import sys

SKIPPED = 77


def require(*modules):
    """Names everything that is missing at once: the modules and the library under test."""
    missing = []
    for name in modules:
        try:
            importlib.import_module(name)
        except ImportError:
            missing.append("the Python module " + name)
    library = os.environ.get("DPADAPT_LIBRARY", "")
    if not os.path.isfile(library):
        missing.append("DPADAPT_LIBRARY, the path of the shared library")
    if missing:
        print("skipped, missing: " + "; ".join(missing))
        sys.exit(SKIPPED)

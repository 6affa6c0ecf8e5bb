"""The package of bindings/python with the library of DPADAPT_LIBRARY, without that name the
installed package, and samples for its tests. 77, a skipped test, where scikit-learn or pandas is
missing."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ["DPADAPT_SOURCE_DIR"])
PACKAGE = ROOT / "bindings/python"
if "DPADAPT_LIBRARY" in os.environ:
    sys.path.insert(0, str(PACKAGE))

try:
    import numpy as np
    import pandas as pd
    import sklearn  # noqa: F401
except ImportError as missing:
    print(missing)
    sys.exit(77)

BUDGET = {"epsilon": 1, "delta": 1e-5}


def numbers(rows=400, shift=0.0, seed=1):
    """Features and labels that are numbers."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(rows, 3))
    return x, x @ [1.0, 2.0, 3.0] + shift + random.normal(size=rows)


def people(rows, shift=0):
    """Numbers with gaps, a category, and two classes as texts."""
    k = np.arange(rows)
    return pd.DataFrame({"age": np.where(k % 9 == 0, np.nan, 20 + (7 * k) % 31),
                         "smoker": pd.Categorical.from_codes(k % 3 - 1, ["no", "yes"]),
                         "outcome": np.where((7 * k) % 31 + shift > 14, "dead", "live")})


def parted(frame):
    """Features and labels."""
    return frame[["age", "smoker"]], frame["outcome"]


class PythonCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def command(self, *arguments):
        if "DPADAPT_CLI" not in os.environ:  # as on a system that has the wheel alone
            self.skipTest("the command is not here")
        return subprocess.run([os.environ["DPADAPT_CLI"], *map(str, arguments)], check=True,
                              cwd=self.folder, stdout=subprocess.PIPE, text=True).stdout

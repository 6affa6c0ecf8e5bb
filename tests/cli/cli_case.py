"""What the tests of the command line share: the program, a scratch directory, small samples."""

import json
import os
import random
import subprocess
import tempfile
import unittest
from pathlib import Path

import left_out_on_windows

PROGRAM = os.environ["DPADAPT_CLI"]
NOT_PRIVATE = ("--set", "private_domain=none")
SEED = ("--set", "unsafe_seed=7")
ALPHA = ("--set", "alpha=0.5")  # when it is chosen, a private fit may leave the target aside
FEATURES = ["x1", "x2", "x3"]
COEFFICIENTS = [2.0, -1.0, 0.5]


def budget(epsilon="2", delta="1e-4"):
    return ("--set", "epsilon=" + epsilon, "--set", "delta=" + delta)


PRIVATE = budget()


def linear_rows(count, shift, seed):
    """Rows x1, x2, x3, y of a noisy linear model whose features are shifted."""
    generator = random.Random(seed)
    rows = []
    for _ in range(count):
        x = [generator.gauss(shift, 1.0) for _ in COEFFICIENTS]
        noise = generator.gauss(0.0, 0.1)
        rows.append(x + [sum(c * v for c, v in zip(COEFFICIENTS, x)) + 1.0 + shift + noise])
    return rows


def csv_text(names, rows):
    lines = [",".join(names)]
    lines += [",".join(v if isinstance(v, str) else repr(v) for v in row) for row in rows]
    return "\n".join(lines) + "\n"


class CliCase(unittest.TestCase):
    def setUp(self):
        if os.environ.get("DPADAPT_SYSTEM") == "windows":
            left_out_on_windows.check(self)
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = Path(scratch.name)
        self.source_rows = linear_rows(60, 0.0, 1)
        self.target_rows = linear_rows(25, 0.5, 2)
        self.source = self.write("source.csv", csv_text(FEATURES + ["y"], self.source_rows))
        self.target = self.write("target.csv", csv_text(FEATURES + ["y"], self.target_rows))
        self.files = ("--source", self.source, "--target", self.target, "--label", "y")

    def path(self, name):
        return str(self.directory / name)

    def write(self, name, content):
        data = content.encode() if isinstance(content, str) else content
        (self.directory / name).write_bytes(data)
        return self.path(name)

    def run_cli(self, *arguments, **keywords):
        keywords = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | keywords
        return subprocess.run([PROGRAM, *arguments], text=True, timeout=120, **keywords)

    def succeed(self, *arguments, **keywords):
        done = self.run_cli(*arguments, **keywords)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def fail_with(self, code, *arguments, **keywords):
        """Runs a command that fails; one line on standard error, nothing on standard output."""
        done = self.run_cli(*arguments, **keywords)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(done.stdout, ("", None))
        self.assertRegex(done.stderr, r"\Adpadapt: [^\n]+\n\Z")
        return done.stderr

    def fit(self, *arguments):
        """The report of a fit of the two small samples."""
        return json.loads(self.succeed("fit", *self.files, *NOT_PRIVATE, "--json", *arguments))

    def fit_model(self, *arguments):
        """The path of a model file, and the report of the fit."""
        path = self.path("model.json")
        return path, self.fit("--output", path, *arguments)

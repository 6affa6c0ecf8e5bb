"""Whole commands, of which the k-th allocation, mapping, thread, file operation ... fails: a
documented exit code and one line, the old file or the new one, and nothing paid for is lost."""

import json
import os
import unittest
from pathlib import Path

from cli_case import ALPHA, NOT_PRIVATE, PRIVATE, CliCase

FAIL_POINTS = os.environ.get("DPADAPT_FAIL_POINTS")
KINDS = ("memory", "map", "thread", "random", "open", "write", "sync", "name")
CODES = (0, 1, 3, 4, 5)
LIBSODIUM_HAS_ABORTED = -6  # as it does, before anything is paid, where it gets no random bytes


@unittest.skipUnless(FAIL_POINTS, "needs a library to preload")
class EveryPoint(CliCase):
    most = 3  # points of a kind that are tried

    def run_at(self, kind, number, *arguments):
        temporary = Path(self.path("tmp"))
        temporary.mkdir(exist_ok=True)
        for old in temporary.iterdir():
            old.unlink()
        self.write("old.json", "precious")
        environment = os.environ | {"LD_PRELOAD": FAIL_POINTS, "FAIL_KIND": kind,
                                    "FAIL_NUMBER": str(number), "FAIL_COUNT": self.path("count"),
                                    "TMPDIR": str(temporary)}
        Path(self.path("count")).unlink(missing_ok=True)
        return self.run_cli(*arguments, env=environment)

    def points(self, *arguments):
        """Runs with a failure, and where it was."""
        tried = 0
        for kind in KINDS:
            self.assertEqual(self.run_at(kind, 0, *arguments).returncode, 0)
            count = int(Path(self.path("count")).read_text())
            for number in range(1, count + 1, max(1, count // self.most)):
                tried += 1
                with self.subTest(arguments[0], kind=kind, number=number):
                    done = self.run_at(kind, number, *arguments)
                    if kind == "random" and done.returncode == LIBSODIUM_HAS_ABORTED:
                        self.assertEqual(Path(self.path("old.json")).read_text(), "precious")
                        continue
                    self.assertIn(done.returncode, CODES, done.stderr)
                    if done.returncode != 0:
                        self.assertRegex(done.stderr, r"\Adpadapt: [^\n]+\n\Z")
                    yield done, kind
        print(f"{' '.join(arguments[:1])}: {tried} points tried", flush=True)

    def check_old_or_new(self, done):
        text = Path(self.path("old.json")).read_text()
        if text != "precious":
            self.assertEqual(json.loads(text)["format"], "dpadapt model 1")
        self.assertTrue(done.returncode != 0 or text != "precious")
        return text

    def test_fit(self):
        for done, _ in self.points("fit", *self.files, *NOT_PRIVATE, *ALPHA, "--output",
                                   self.path("old.json")):
            self.check_old_or_new(done)

    def test_private_fit(self):
        for done, _ in self.points("fit", *self.files, *PRIVATE, "--output",
                                      self.path("old.json")):
            self.check_old_or_new(done)
            if done.returncode == 5:
                rescued = list(Path(self.path("tmp")).iterdir())
                self.assertTrue(rescued or "standard output" in done.stderr)

    def test_predict(self):
        model, _ = self.fit_model()
        rows = self.succeed("predict", "--model", model, "--data", self.target)
        for done, _ in self.points("predict", "--model", model, "--data", self.target):
            self.assertEqual(done.stdout, rows if done.returncode == 0 else done.stdout)

    def test_ledger(self):
        """Whatever fails, the file is a ledger afterwards, and has the fit if there is one."""
        ledger = self.path("people.ledger")
        init = ("ledger", "init", ledger, "--set", "epsilon=500", "--set", "delta=1e-3")
        self.succeed(*init)
        points = self.points("fit", *self.files, *PRIVATE, "--ledger", ledger, "--output",
                             self.path("old.json"))
        for number, (done, _) in enumerate(points):
            self.check_old_or_new(done)
            self.succeed("ledger", "verify", ledger)
            if number % 1000 == 999:  # the budget is enough for 2400 fits
                Path(ledger).unlink()
                self.succeed(*init)


if __name__ == "__main__":
    unittest.main()

"""Where the address space is limited a command ends: with its result, or because memory is
exhausted."""

import os
import resource
import unittest
from pathlib import Path

from cli_case import NOT_PRIVATE, PRIVATE, CliCase

MEBIBYTE = 1 << 20


@unittest.skipIf("ASAN_OPTIONS" in os.environ,
     "the sanitizer reserves more addresses than any limit")
class AddressSpace(CliCase):
    def ended(self, limit, threads, *arguments):
        environment = os.environ | {"OPENBLAS_NUM_THREADS": str(threads)}
        return self.run_cli(*arguments, env=environment, preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_AS, (limit * MEBIBYTE, limit * MEBIBYTE)))

    def end(self, limit, threads, *arguments):
        done = self.ended(limit, threads, *arguments)
        if done.returncode != 0:
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertRegex(done.stderr, "memory")
        return done.returncode

    def test_every_limit(self):
        for threads in (1, 2):
            found = [self.end(limit, threads, "fit", *self.files, *choice)
                     for limit in (90, 130, 200, 280, 360, 440, 1000)
                     for choice in (NOT_PRIVATE, PRIVATE)]
            self.assertEqual((found[0], found[-1]), (1, 0))

    def test_a_private_line_of_many_cells_takes_no_more_than_another(self):
        commas = self.write("commas.csv", Path(self.target).read_text() + 8_000_000 * "," + "\n")
        source = self.files[:self.files.index("--target")]
        rest = self.files[self.files.index("--target") + 2:]
        self.assertEqual(self.end(200, 1, "fit", *source, "--target", commas, *rest, *PRIVATE), 0)

    def test_predictions(self):
        model, _ = self.fit_model("--set", "loss=huber")
        for limit in (90, 200, 400):
            self.end(limit, 2, "predict", "--model", model, "--data", self.target)

    def test_the_file_whose_rows_exhaust_it_is_named(self):
        big = self.write("big.csv", "x1,x2,x3,y\n" + "1,2,3,4\n2,1,3,5\n" * 500_000)
        model, _ = self.fit_model()
        for call in (("fit", *self.files[2:], *NOT_PRIVATE, "--source"),
                     ("predict", "--model", model, "--data")):
            named = 0
            for limit in range(80, 220, 20):
                done = self.ended(limit, 1, *call, big)
                if done.returncode == 0 or "dpa_solve" in done.stderr:
                    continue
                self.assertEqual(done.stderr, f"dpadapt: {big}: memory exhausted by its rows\n")
                named += 1
            self.assertGreater(named, 1, call[0])


if __name__ == "__main__":
    unittest.main()

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
    def end(self, limit, threads, *arguments):
        environment = os.environ | {"OPENBLAS_NUM_THREADS": str(threads)}
        done = self.run_cli(*arguments, env=environment, preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_AS, (limit * MEBIBYTE, limit * MEBIBYTE)))
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


if __name__ == "__main__":
    unittest.main()

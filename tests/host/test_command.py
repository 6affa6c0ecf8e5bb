"""What the command needs of its process: no thread, little stack, and no more memory than there
is."""

import os
import resource
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))
from cli_case import NOT_PRIVATE, PRIVATE, PROGRAM, SEED, CliCase

NOBODY = 65534
MEBIBYTE = 1 << 20


def forbid_processes():
    resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
    if os.getuid() == 0:  # whom no such limit holds
        os.setgroups([])
        os.setuid(NOBODY)


class Process(CliCase):
    def setUp(self):
        super().setUp()
        self.directory.chmod(0o777)

    def test_the_limit_of_processes(self):
        probe = subprocess.run([PROGRAM, "--version"], preexec_fn=forbid_processes, check=False,
                               capture_output=True)
        if probe.returncode == 126:
            self.skipTest("nobody may not run it here")
        for arguments in (("options",), ("fit", *self.files, *NOT_PRIVATE),
                          ("fit", *self.files, *PRIVATE, *SEED)):
            done = self.run_cli(*arguments, preexec_fn=forbid_processes)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("OpenBLAS", done.stderr)

    def test_a_number_of_blas_threads_changes_nothing(self):
        fits = {self.run_cli("fit", *self.files, *PRIVATE, *SEED, env=os.environ | more).stdout
                for more in ({}, {"OPENBLAS_NUM_THREADS": "1"}, {"OPENBLAS_NUM_THREADS": "8"})}
        self.assertEqual(len(fits), 1)

    @unittest.skipIf("ASAN_OPTIONS" in os.environ, "the sanitizer takes more than any limit")
    def test_limits_of_memory(self):
        for limit in (8, 100, 160, 250, 1000):
            done = self.run_cli("fit", *self.files, *PRIVATE,
                                preexec_fn=lambda: resource.setrlimit(
                                    resource.RLIMIT_DATA, (limit * MEBIBYTE, limit * MEBIBYTE)))
            if limit < 1000 and done.returncode != 0:
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertRegex(done.stderr, "memory")
            else:
                self.assertEqual(done.returncode, 0, done.stderr)

    @unittest.skipIf("ASAN_OPTIONS" in os.environ, "the sanitizer's frames are larger")
    def test_a_small_stack(self):
        size = 256 << 10
        done = self.run_cli("fit", *self.files, *PRIVATE, preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_STACK, (size, size)))
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()

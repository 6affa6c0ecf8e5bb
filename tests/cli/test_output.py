"""Output that cannot be written: exit code 4, and nothing half-done is left behind."""

import os
import subprocess
import unittest
from pathlib import Path

from cli_case import NOT_PRIVATE, PROGRAM, CliCase


class Output(CliCase):
    def commands(self):
        model, _ = self.fit_model()
        yield ("fit", *self.files, *NOT_PRIVATE)
        yield ("fit", *self.files, *NOT_PRIVATE, "--json")
        yield ("predict", "--model", model, "--data", self.target)
        yield ("discrepancy", *self.files, *NOT_PRIVATE)
        yield ("options",)
        yield ("--help",)
        yield ("--version",)

    def test_full_disk(self):
        for command in self.commands():
            with self.subTest(command[0]), open("/dev/full", "w") as full:
                message = self.fail_with(4, *command, stdout=full)
                self.assertIn("standard output: cannot be written: No space left", message)

    def test_reader_that_has_left(self):
        for command in self.commands():
            with self.subTest(command[0]):
                reader, writer = os.pipe()
                os.close(reader)
                message = self.fail_with(4, *command, stdout=writer)
                os.close(writer)
                self.assertIn("Broken pipe", message)

    def test_closed_standard_output(self):
        for command in self.commands():
            with self.subTest(command[0]):
                shell = ["sh", "-c", 'exec "$0" "$@" >&-', PROGRAM, *command]
                done = subprocess.run(shell, stderr=subprocess.PIPE, text=True, timeout=120)
                self.assertEqual(done.returncode, 4)
                self.assertIn("standard output: cannot be written", done.stderr)

    def test_full_disk_under_a_file(self):
        model, _ = self.fit_model()
        for command in (("fit", *self.files, *NOT_PRIVATE),
                        ("predict", "--model", model, "--data", self.target)):
            with self.subTest(command[0]):
                message = self.fail_with(4, *command, "--output", "/dev/full")
                self.assertIn("/dev/full: cannot be written: No space left", message)

    def test_bad_paths_are_found_before_data_are_read(self):
        for path in (self.path("missing/model.json"), str(self.directory)):
            files = ("--source", "missing.csv", "--target", "missing.csv", "--label", "y")
            message = self.fail_with(4, "fit", *files, "--output", path)
            self.assertIn(path + ": cannot be written", message)

    def test_a_failed_command_leaves_no_file(self):
        output = self.path("model.json")
        self.fail_with(2, "fit", *self.files, "--output", output)
        self.assertFalse(Path(output).exists())

    def test_a_failed_command_leaves_an_old_file_as_it_was(self):
        output = self.write("model.json", "precious")
        self.fail_with(2, "fit", *self.files, "--output", output)
        self.assertEqual(Path(output).read_text(), "precious")


if __name__ == "__main__":
    unittest.main()

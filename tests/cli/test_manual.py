"""The page for man and the completion of bash, made from the help."""

import pathlib
import re
import shutil
import subprocess
import unittest

from cli_case import PROGRAM, CliCase


class Manual(CliCase):
    def commands(self):
        return re.findall(r"(?m)^  (\w+)  +\S", self.succeed("--help").split("Subcommands:")[1]
                          .split("\n\n")[0])

    def test_every_command_and_flag_is_on_the_page(self):
        page = self.succeed("manual").replace(r"\-", "-")
        self.assertGreater(len(self.commands()), 12)
        for command in self.commands():
            self.assertRegex(page, rf"\n{command}\n")
            for flag in re.findall(r"(?m)^  (?:-\w,)?(--[\w-]+)", self.succeed(command, "--help")):
                self.assertRegex(page, rf"[ ,]{flag}\s")

    @unittest.skipUnless(shutil.which("groff"), "no groff here")
    def test_groff_has_nothing_to_say_about_it(self):
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z"], text=True,
                              input=self.succeed("manual"), capture_output=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def complete(self, *words):
        """What bash offers for the last word."""
        script = pathlib.Path(__file__).parents[2] / "cmake/completion.bash"
        shell = ('. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; };'
                 '_dpadapt; printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", shell, "bash", script, PROGRAM, *words], text=True,
                              capture_output=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_bash_completes_commands_and_flags(self):
        self.assertEqual(sorted(self.complete("")[:len(self.commands())]), sorted(self.commands()))
        self.assertEqual(self.complete("rehe"), ["rehearse"])
        self.assertEqual(self.complete("fit", "--so"), ["--source", "--source-map"])
        self.assertIn("--head", self.complete("ledger", "--"))
        self.assertEqual(self.complete("fit", "--source", "fi"), [])  # a file: bash's own


if __name__ == "__main__":
    unittest.main()

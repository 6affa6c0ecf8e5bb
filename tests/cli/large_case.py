"""What the tests of --memory share: fits that read a large file anew for each pass over it."""

import os
import subprocess
import time
from pathlib import Path

from cli_case import PRIVATE, PROGRAM

MEBIBYTE = 1 << 20


class LargeCase:
    """Beside CliCase; `large` is the file and `row` what may be added to it."""

    def unpaid(self, *arguments):
        """A fit that is refused before anything is paid."""
        ledger = self.path("budget.ledger")
        self.succeed("ledger", "init", ledger, *PRIVATE)
        before = Path(ledger).read_bytes()
        done = self.run_cli("fit", *arguments, *PRIVATE, "--ledger", ledger)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(Path(ledger).read_bytes(), before)
        os.unlink(ledger)
        return done

    def test_a_file_that_changes_is_noticed(self):
        with subprocess.Popen([PROGRAM, "fit", *self.files, *PRIVATE, "--memory", "1M"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as fit:
            while fit.poll() is None:
                with open(self.large, "a") as file:
                    file.write(self.row)
                time.sleep(0.01)
            self.assertEqual((fit.returncode, fit.stdout.read()), (3, ""))
            self.assertRegex(fit.stderr.read(),
                             rf"\A.*{Path(self.large).name} was changed while the fit read it")

    def peak(self, path, *arguments):
        """Of memory, of a program of its own, with that file in the place of the large one."""
        program = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, "
                   "stdout=subprocess.DEVNULL); "
                   "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
        files = (path if name == self.large else name for name in self.files)
        command = [PROGRAM, "fit", *files, *PRIVATE, "--set", "iterations=2", *arguments]
        done = subprocess.run(["python3", "-c", program, *command], capture_output=True,
                              text=True, check=True)
        return 1024 * int(done.stdout)

"""Ctrl-C and the progress display."""

import os
import pty
import signal
import subprocess
import termios
import time
import unittest

from cli_case import (FEATURES, NOT_PRIVATE, PRIVATE, PROGRAM, CliCase, csv_text,
                      linear_rows)


def listen_to_interrupts():
    """A test run in the background ignores SIGINT, and its children would too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class TerminalCase(CliCase):
    def start(self, *arguments, **keywords):
        process = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE,
                                   preexec_fn=listen_to_interrupts, text=True, **keywords)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def open_terminal(self):
        try:
            terminal, side = pty.openpty()
        except OSError as error:
            self.skipTest(f"no terminal to be had: {error}")
        self.addCleanup(os.close, terminal)
        return terminal, side

    def drawn_on(self, terminal):
        """What a program that has ended wrote; reading past it is an error on Linux."""
        text = b""
        try:
            while block := os.read(terminal, 4096):
                text += block
        except OSError:
            pass
        return text.decode().replace("\r", "")

    def fit_arguments(self, source):
        return ("fit", "--source", source, "--target", self.target, "--label", "y", *NOT_PRIVATE)


class Interrupts(TerminalCase):
    def test_while_data_are_read(self):
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        commands = [self.fit_arguments(pipe), ("discrepancy", *self.fit_arguments(pipe)[1:]),
                    ("predict", "--model", pipe, "--data", self.target)]
        for command in commands:
            with self.subTest(command[0]):
                process = self.start(*command, stderr=subprocess.PIPE)
                self.addCleanup(process.stderr.close)
                with open(pipe, "w"):  # returns when the program has opened the other end
                    process.send_signal(signal.SIGINT)
                self.assertEqual(process.wait(60), 130)
                self.assertEqual(process.stdout.read(), "")
                self.assertEqual(process.stderr.read(), "dpadapt: interrupted\n")

    def test_while_computing(self):
        # A stopped terminal holds the program within its computation, at the first report.
        terminal, side = self.open_terminal()
        termios.tcflow(side, termios.TCOOFF)
        model = self.path("model.json")
        process = self.start(*self.fit_arguments(self.source), "--output", model, stderr=side)
        time.sleep(0.5)  # a slower program gets the signal earlier; the end is the same
        process.send_signal(signal.SIGINT)
        termios.tcflow(side, termios.TCOON)
        os.close(side)
        self.assertEqual(process.wait(60), 130)
        self.assertEqual(process.stdout.read(), "")
        self.assertFalse(os.path.exists(model))
        self.assertTrue(self.drawn_on(terminal).endswith("dpadapt: interrupted\n"))


    def test_after_the_payment(self):
        """Many steps follow it, and the ledger tells when it has been made."""
        rows = self.write("rows.csv", csv_text(FEATURES + ["y"], linear_rows(20000, 0.5, 4)))
        files = ("--source", self.source, "--target", rows, "--label", "y")
        slow = (*PRIVATE, "--set", "iterations=100000")
        for command in ("fit", "compare", "baseline"):
            with self.subTest(command):
                ledger = self.path(command + ".ledger")
                self.succeed("ledger", "init", ledger, "--set", "epsilon=9", "--set", "delta=1e-3")
                unpaid = os.path.getsize(ledger)
                method = ("noisy_sgd",) if command == "baseline" else ()
                process = self.start(command, *method, *files, *slow, "--ledger", ledger,
                                     stderr=subprocess.PIPE)
                self.addCleanup(process.stderr.close)
                while os.path.getsize(ledger) == unpaid and process.poll() is None:
                    time.sleep(0.01)
                process.send_signal(signal.SIGINT)
                self.assertEqual(process.wait(60), 130)
                self.assertEqual(process.stderr.read(), "dpadapt: interrupted; the fit is paid "
                                                        "for and gives no result\n")


class ProgressDisplay(TerminalCase):
    def test_is_drawn_on_a_terminal(self):
        terminal, side = self.open_terminal()
        process = self.start(*self.fit_arguments(self.source), stderr=side)
        output, _ = process.communicate(timeout=120)
        os.close(side)
        self.assertEqual(process.returncode, 0)
        bar = r"\n0% .* 100%\n[|-]+\n\*{51}\n"
        self.assertRegex(self.drawn_on(terminal), rf"\A([\w ]+{bar})*solve{bar}\Z")
        self.assertNotIn("*", output)

    def test_is_not_drawn_elsewhere(self):
        for command in ("fit", "discrepancy"):
            done = self.run_cli(command, *self.files, *NOT_PRIVATE)
            self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()

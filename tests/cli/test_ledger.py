import json
import os
import stat
import unittest
from pathlib import Path

from cli_case import NOT_PRIVATE, CliCase

BUDGET = ("--set", "epsilon=1", "--set", "delta=1e-4")
CALL = ("--set", "epsilon=0.9", "--set", "delta=1e-4")
BLOCK = 4096


class Ledger(CliCase):
    def setUp(self):
        super().setUp()
        self.ledger = self.path("budget")

    def init(self, *arguments):
        made = self.succeed("ledger", "init", self.ledger, *BUDGET, "--json", *arguments)
        return json.loads(made)

    def show(self):
        return json.loads(self.succeed("ledger", "show", self.ledger, "--json"))

    def test_commands_share_a_budget(self):
        self.init()
        self.succeed("fit", *self.files, *CALL, "--ledger", self.ledger)
        message = self.fail_with(2, "fit", *self.files, *CALL, "--ledger", self.ledger)
        self.assertIn("budget", message)
        self.fail_with(2, "baseline", "ada_ssp", *self.files, *CALL, "--ledger", self.ledger)
        self.succeed("baseline", "ada_ssp", *self.files, "--set", "epsilon=0.1", "--set",
                     "delta=1e-4", "--ledger", self.ledger)
        shown = self.show()
        self.assertEqual([entry["sequence"] for entry in shown["entries"]], [1, 2])
        self.assertEqual(shown["entries"][0]["options"], "epsilon=0.9 delta=1e-04")
        self.assertEqual(shown["entries"][0]["target_rows"], 25)
        self.assertGreater(shown["left"]["mu"], 0)

    def test_a_discrepancy_and_a_selection_pay_too(self):
        self.init("--set", "selection_epsilon=0.2", "--set", "discrepancy_share=0.3")
        self.succeed("discrepancy", *self.files, "--set", "epsilon=0.3", "--set", "delta=1e-4",
                     "--ledger", self.ledger)
        self.succeed("select", *self.files, "--set", "epsilon=0.1", "--set", "delta=1e-4", "--set",
                     "selection_epsilon=0.2", "--set", "selection_bound=4", "--grid",
                     "shrinkage=2,3", "--ledger", self.ledger)
        words = [entry["releases"].split(" (")[0] for entry in self.show()["entries"]]
        self.assertEqual((words[0], words[-1]),
                         ("discrepancy", "selection of a candidate by permute-and-flip"))
        self.assertEqual(len(words), 4)

    def test_a_ledger_is_made_once_and_for_its_user(self):
        self.init()
        self.assertEqual(stat.S_IMODE(os.stat(self.ledger).st_mode), 0o600)
        before = Path(self.ledger).read_bytes()
        self.assertIn("exists", self.fail_with(4, "ledger", "init", self.ledger, *BUDGET))
        self.assertEqual(Path(self.ledger).read_bytes(), before)
        self.fail_with(2, "ledger", "init", self.path("other"))

    def test_lock(self):
        self.init("--lock")
        self.fail_with(2, "fit", *self.files, *CALL, "--set", "unsafe_seed=1", "--ledger",
                       self.ledger)
        self.fail_with(2, "fit", *self.files, *CALL, "--set", "private_domain=source", "--ledger",
                       self.ledger)
        self.succeed("fit", *self.files, *CALL, "--ledger", self.ledger)

    def test_usage(self):
        self.init()
        self.fail_with(2, "ledger")
        self.fail_with(2, "ledger", "show")
        self.fail_with(2, "fit", *self.files, *NOT_PRIVATE, "--ledger", self.ledger)
        self.fail_with(2, "fit", *self.files, *CALL, "--ledger", self.ledger, "--output",
                       self.ledger)
        self.fail_with(4, "fit", *self.files, *CALL, "--ledger", self.path("missing"))
        self.fail_with(2, "select", *self.files, *CALL, "--budget", "1,1e-4", "--ledger",
                       self.ledger)
        self.fail_with(2, "ledger", "verify", self.ledger, "--head", "abc")

    def test_verify(self):
        head = self.init()["head"]
        for _ in range(3):
            self.succeed("fit", *self.files, "--set", "epsilon=0.1", "--set", "delta=1e-4",
                         "--ledger", self.ledger)
        last = self.show()["head"]
        self.assertEqual(self.succeed("ledger", "verify", self.ledger, "--head", head),
                         f"entries: 3\nhead: {last}\n")
        good = Path(self.ledger).read_bytes()
        self.assertEqual(len(good), 4 * BLOCK)
        blocks = [good[k:k + BLOCK] for k in range(0, len(good), BLOCK)]
        bad = {
            "cut": good[:-1],
            "edited": good.replace(b"epsilon=0.1", b"epsilon=0.2", 1),
            "reordered": blocks[0] + blocks[2] + blocks[1] + blocks[3],
            "without one": blocks[0] + blocks[2] + blocks[3],
            "empty": b"",
        }
        for name, content in bad.items():
            with self.subTest(name):
                self.write("budget", content)
                self.fail_with(3, "ledger", "verify", self.ledger)
                self.fail_with(3, "fit", *self.files, *CALL, "--ledger", self.ledger)
                self.assertEqual(Path(self.ledger).read_bytes(), content)
        self.write("budget", good[:-BLOCK])  # nothing but the hash that was kept can tell
        self.succeed("ledger", "verify", self.ledger)
        self.fail_with(3, "ledger", "verify", self.ledger, "--head", last)


if __name__ == "__main__":
    unittest.main()

import json
import os
import re
import stat
import unittest
from pathlib import Path

from cli_case import NOT_PRIVATE, PRIVATE, CliCase

BUDGET = ("--set", "epsilon=1", "--set", "delta=1e-4")
CALL = ("--set", "epsilon=0.9", "--set", "delta=1e-4")
BLOCK = 4096
FAIL_AT = os.environ.get("DPADAPT_FAIL_AT")


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
        beyond = self.fail_with(2, "fit", *self.files, "--set", "epsilon=3", "--set", "delta=1e-4",
                                "--ledger", self.ledger)  # of what no budget of the file holds
        self.assertNotIn("spent are (mu = 0,", beyond)
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


@unittest.skipUnless(FAIL_AT, "needs a library to preload")
class EveryStep(CliCase):
    """Each call that writes fails once, and is the last one of the process once: a ledger has
    the entries of what was released, or more."""

    def steps(self, *arguments, kill):
        for at in range(1, 100):
            environment = os.environ | {"LD_PRELOAD": FAIL_AT, "FAIL_AT": str(at),
                                        "ASAN_OPTIONS": "verify_asan_link_order=0"}
            if kill:
                environment["FAIL_BY_KILL"] = "1"
            done = self.run_cli(*arguments, env=environment)
            yield at, done
            if done.returncode == 0:
                return
        self.fail("there is always a step that fails")

    def entries(self, ledger):
        return int(re.search(r"Entries: (\d+)", self.succeed("ledger", "show", ledger)).group(1))

    def test_a_new_ledger_is_there_or_is_not(self):
        for kill in (False, True):
            for at, done in self.steps("ledger", "init", self.path("new"), *PRIVATE, kill=kill):
                with self.subTest(step=at, kill=kill):
                    if not Path(self.path("new")).exists():
                        continue
                    shown = self.run_cli("ledger", "show", self.path("new"))
                    os.unlink(self.path("new"))
                    if kill and done.returncode:  # no fit takes one that is a part
                        self.assertIn(shown.returncode, (0, 3), shown.stderr)
                    else:
                        self.assertIn("Entries: 0", shown.stdout)

    def test_what_was_released_is_paid(self):
        model, ledger = self.path("model.json"), self.path("spent")
        for kill in (False, True):
            self.succeed("ledger", "init", ledger, "--set", "epsilon=90", "--set", "delta=1e-3")
            before = 0
            for at, done in self.steps("fit", *self.files, *PRIVATE, "--ledger", ledger,
                                       "--output", model, kill=kill):
                with self.subTest(step=at, kill=kill):
                    if os.path.getsize(ledger) % BLOCK:  # nothing was read for that entry
                        self.assertTrue(kill)
                        self.assertIn("ends within a block",
                                      self.fail_with(3, "ledger", "show", ledger))
                        self.assertFalse(Path(model).exists())
                        os.truncate(ledger, os.path.getsize(ledger) // BLOCK * BLOCK)
                    paid = self.entries(ledger) - before
                    self.assertIn(paid, (0, 1))
                    rescued = "is rescued" in done.stderr or done.returncode == 5
                    if done.returncode == 0 or rescued or Path(model).exists():
                        self.assertEqual(paid, 1)
                    before += paid
                    Path(model).unlink(missing_ok=True)
            self.assertGreater(at, 8)
            os.unlink(ledger)


if __name__ == "__main__":
    unittest.main()

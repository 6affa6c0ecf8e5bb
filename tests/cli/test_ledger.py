import base64
import json
import os
import re
import stat
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cli_case import FEATURES, NOT_PRIVATE, PRIVATE, CliCase, csv_text, linear_rows

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
        message = self.fail_with(6, "fit", *self.files, *CALL, "--ledger", self.ledger)
        self.assertIn("budget", message)
        beyond = self.fail_with(6, "fit", *self.files, "--set", "epsilon=3", "--set", "delta=1e-4",
                                "--ledger", self.ledger)  # of what no budget of the file holds
        self.assertNotIn("spent are (mu = 0,", beyond)
        self.fail_with(6, "baseline", "ada_ssp", *self.files, *CALL, "--ledger", self.ledger)
        self.succeed("baseline", "ada_ssp", *self.files, "--set", "epsilon=0.1", "--set",
                     "delta=1e-4", "--ledger", self.ledger)
        shown = self.show()
        self.assertEqual([entry["sequence"] for entry in shown["entries"]], [1, 2])
        self.assertEqual(shown["entries"][0]["options"], "epsilon=0.9 delta=1e-04")
        self.assertEqual(shown["entries"][0]["target_rows"], 25)
        self.assertGreater(shown["left"]["mu"], 0)

    def test_what_is_left_is_told_as_epsilon(self):
        self.init("--set", "selection_epsilon=0.1", "--set", "discrepancy_share=0.2")
        small = (*self.files, "--set", "epsilon=0.2", "--set", "delta=1e-4", "--ledger",
                 self.ledger)
        other = self.write("other.csv", csv_text(FEATURES + ["y"], linear_rows(40, 0.5, 3)))
        model = self.path("model.json")
        self.succeed("fit", *small, "--output", model)
        unseen = ("--model", model, "--data", other, *small[6:])
        for command in (("fit", *small), ("discrepancy", *small), ("evaluate", *unseen),
                        ("calibrate", *unseen, "--output", self.path("sure.json")),
                        ("compare", *small)):
            with self.subTest(command[0]):
                left = json.loads(self.succeed(*command, "--json"))["ledger_left"]
                shown = self.show()["left"]
                self.assertEqual((left["epsilon"], left["mu"]), (shown["epsilon"], shown["mu"]))
                self.assertEqual(left["delta"], 1e-4)
        text = self.succeed("fit", *small)
        self.assertRegex(text, r"\nThe ledger has left: epsilon = 0\.\d+ at delta = 1e-04 \(mu = ")
        self.assertNotIn("ledger_left", json.loads(self.succeed("fit", *small[:-2], "--json")))

    def test_processes_side_by_side_spend_one_budget(self):
        self.init()
        small = ("fit", *self.files, "--set", "epsilon=0.3", "--set", "delta=1e-5", "--ledger",
                 self.ledger)
        with ThreadPoolExecutor(2) as pool:
            found = list(pool.map(lambda _: self.run_cli(*small).returncode, range(20)))
        self.assertEqual(set(found), {0, 6})
        shown = self.show()
        self.assertEqual(len(shown["entries"]), found.count(0))
        self.assertGreaterEqual(shown["left"]["mu"], 0)
        self.fail_with(6, *small)

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

    def test_a_pipe_is_no_ledger(self):
        os.mkfifo(self.ledger)  # whose reader would wait for a writer
        self.assertIn("regular file", self.fail_with(4, "ledger", "show", self.ledger))
        self.assertIn("regular file", self.fail_with(4, "fit", *self.files, *CALL, "--ledger",
                                                     self.ledger))

    def test_lock(self):
        made = self.init()
        self.assertTrue(made["locks"])
        self.assertIn("locks its problems", self.succeed("ledger", "show", self.ledger))
        self.fail_with(2, "fit", *self.files, *CALL, "--set", "unsafe_seed=1", "--ledger",
                       self.ledger)
        self.fail_with(2, "fit", *self.files, *CALL, "--set", "private_domain=source", "--ledger",
                       self.ledger)
        self.succeed("fit", *self.files, *CALL, "--ledger", self.ledger)

    def test_an_open_ledger_says_so(self):
        self.assertFalse(self.init("--open")["locks"])
        self.assertIn("does not lock", self.succeed("ledger", "show", self.ledger))
        report = self.path("report.json")
        said = self.succeed("fit", *self.files, *CALL, "--set", "private_domain=source",
                            "--ledger", self.ledger, "--report", report)
        self.assertIn("does not lock its problems", said)
        shared = json.loads(Path(report).read_text())["shared_ledger"]
        self.assertEqual((shared["locks"], shared["unit"], shared["neighbours"]),
                         (False, "record", "replace"))

    def patients(self, name, seed, who):
        """30 persons with two rows each."""
        rows = linear_rows(60, 0.5, seed)
        return self.write(name, csv_text(["who", *FEATURES, "y"],
                                         [[who + str(i // 2), *row] for i, row in enumerate(rows)]))

    def test_patients_have_a_budget_that_outlives_a_command(self):
        target, others = self.patients("wards.csv", 3, "a"), self.patients("test.csv", 4, "b")
        files = ("--source", self.source, "--target", target, "--label", "y", "--group", "who")
        small = ("--set", "epsilon=0.2", "--set", "delta=1e-5", "--ledger", self.ledger)
        made = self.init("--unit", "person", "--set", "selection_epsilon=0.3")
        self.assertEqual(made["unit"], "person")
        self.assertIn("about persons", self.succeed("ledger", "show", self.ledger))
        model, report = self.path("model.json"), self.path("report.json")
        for _ in range(5):
            self.succeed("fit", *files, *small, "--output", model, "--report", report)
        for _ in range(2):
            self.succeed("evaluate", "--model", model, "--data", others, "--group", "who", *small,
                         "--set", "evaluation_bound=4")
        shared = json.loads(Path(report).read_text())["shared_ledger"]
        self.assertEqual((shared["unit"], shared["entry_count"], len(shared["own_entries"])),
                         ("person", 5, 1))
        self.succeed("select", *files, "--validation", others, "--set", "epsilon=0.1", "--set",
                     "delta=1e-5", "--set", "selection_epsilon=0.3", "--set", "selection_bound=4",
                     "--grid", "shrinkage=2,3", "--ledger", self.ledger, "--report", report)
        entries = self.show()["entries"]
        self.assertEqual(len(entries), 10)  # of the search two fits and a choice
        self.assertEqual({entry["target_rows"] for entry in entries}, {30})
        self.assertIn("has these entries",
                      self.succeed("verify", report, "--ledger", self.ledger))
        self.assertIn("budget", self.fail_with(6, "fit", *files, *BUDGET, "--ledger", self.ledger))
        self.assertIn("budget", self.fail_with(
            6, "fit", *files, "--set", "epsilon=0.7", "--set", "delta=1e-5", "--ledger",
            self.ledger))
        self.assertEqual(len(self.show()["entries"]), 10)

    def test_units_are_not_mixed(self):
        target = self.patients("wards.csv", 3, "a")
        grouped = ("--source", self.source, "--target", target, "--label", "y", "--group", "who")
        self.init("--unit", "person")
        records = self.path("records")
        self.succeed("ledger", "init", records, *BUDGET)
        for files, ledger in ((self.files, self.ledger), (grouped, records)):
            for command in (("fit",), ("discrepancy",), ("baseline", "private_dm")):
                message = self.fail_with(2, *command, *files, *CALL, "--ledger", ledger)
                self.assertIn("unit = record", message)
                self.assertIn("unit = person", message)
        self.fail_with(2, "fit", *self.files, *CALL, "--set", "unit=person")
        self.fail_with(2, "fit", *grouped, *CALL, "--set", "unit=record")
        self.assertEqual(self.show()["entries"], [])
        self.assertIn("Entries: 0", self.succeed("ledger", "show", records))

    def test_models_do_not_hold_the_history(self):
        self.init()
        model, shapes = self.path("model.json"), set()
        for _ in range(6):
            self.succeed("fit", *self.files, "--set", "epsilon=0.05", "--set", "delta=1e-5",
                         "--ledger", self.ledger, "--output", model)
            text = Path(model).read_text()
            inside = base64.b64decode(json.loads(text)["model"])
            # Not the length: findings depend on what the noise was.
            shapes.add((text.count('"'), inside.count(b"epsilon="), inside.count(b"gradient of")))
        self.assertEqual([shape[1:] for shape in shapes], [(1, 1)])

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

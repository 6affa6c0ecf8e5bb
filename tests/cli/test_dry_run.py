import json
import os
import unittest
from pathlib import Path

from cli_case import FEATURES, NOT_PRIVATE, CliCase, budget, csv_text, linear_rows

SMALL = budget("0.5", "1e-5")
SEARCH = ("--grid", "shrinkage=2,3", "--set", "selection_epsilon=0.2", "--set",
          "selection_bound=4")


class DryRun(CliCase):
    def setUp(self):
        super().setUp()
        self.ledger = self.path("budget")
        self.model = self.path("model.json")
        self.other = self.write("other.csv", csv_text(FEATURES + ["y"], linear_rows(40, 0.5, 3)))
        self.succeed("ledger", "init", self.ledger, *budget("2", "1e-4"), "--set",
                     "selection_epsilon=0.2", "--set", "discrepancy_share=0.2")
        self.succeed("fit", *self.files, *budget(), "--output", self.model)
        unseen = ("--model", self.model, "--data", self.other)
        self.commands = {
            "fit": ("fit", *self.files),
            "fit --holdout": ("fit", *self.files, "--holdout", "0.3"),
            "baseline": ("baseline", "ada_ssp", *self.files),
            "discrepancy": ("discrepancy", *self.files),
            "compare": ("compare", *self.files),
            "evaluate": ("evaluate", *unseen),
            "calibrate": ("calibrate", *unseen, "--output", self.path("sure.json")),
            "select": ("select", *self.files, *SEARCH),
        }

    def show(self):
        return json.loads(self.succeed("ledger", "show", self.ledger, "--json"))

    def dry(self, *arguments):
        """What it tells, and that it leaves every file as it was."""
        def files():
            return {p.name: (p.read_bytes(), os.stat(p).st_mtime_ns)
                    for p in self.directory.iterdir()}
        before = files()
        told = json.loads(self.succeed(*arguments, "--dry-run", "--json"))
        self.assertEqual(files(), before)
        return told

    def test_it_tells_what_is_paid_then(self):
        for name, command in self.commands.items():
            with self.subTest(name):
                call = (*command, *SMALL, "--ledger", self.ledger)
                told = self.dry(*call)
                before = self.show()
                self.succeed(*call)
                after = self.show()
                entries = after["entries"][len(before["entries"]):]
                self.assertEqual([paid["price"]["mu"] for paid in told["pays"]],
                                 [entry["cost"]["mu"] for entry in entries])
                self.assertEqual([paid["releases"] for paid in told["pays"]],
                                 [entry["releases"] for entry in entries])
                for when, then in (("before", before), ("after", after)):
                    for part in ("mu", "epsilon"):
                        self.assertEqual(told["ledger"][when]["left"][part], then["left"][part])
                self.assertGreater(told["ledger"]["after"]["spent"]["epsilon"],
                                   told["ledger"]["before"]["spent"]["epsilon"])
                Path(self.ledger).unlink()
                self.succeed("ledger", "init", self.ledger, *budget("2", "1e-4"), "--set",
                             "selection_epsilon=0.2", "--set", "discrepancy_share=0.2")

    def test_without_a_ledger_each_payment_has_the_whole_budget(self):
        for name, command in self.commands.items():
            with self.subTest(name):
                told = self.dry(*command, *budget("0.5", "1e-5"), *(
                    ("--budget", "1.5,1e-4") if name == "select" else ()))
                self.assertIsNone(told["ledger"])
                self.assertGreater(len(told["pays"]), 0)
                for paid in told["pays"]:
                    self.assertLess(0, paid["price"]["epsilon"])
                    self.assertLessEqual(paid["price"]["epsilon"], 0.5)
        paid = self.dry("fit", *self.files, *budget("1", "1e-5"))["pays"][0]["price"]
        self.assertAlmostEqual(paid["epsilon"], 1, delta=1e-6)
        self.assertEqual(paid["delta"], 1e-5)

    def test_what_is_refused_has_the_exit_code_of_the_call(self):
        for name, command in self.commands.items():
            for call in ((*command, *budget("30", "1e-4"), "--ledger", self.ledger),
                         (*command, "--set", "epsilon=1")):
                with self.subTest(name, call=call):
                    code = self.run_cli(*call).returncode
                    self.assertIn(code, (2, 6))
                    self.fail_with(code, *call, "--dry-run")
        self.fail_with(6, *self.commands["fit"], *budget("30", "1e-4"), "--ledger", self.ledger,
                       "--dry-run")
        self.assertEqual(self.show()["entries"], [])

    def test_a_search_is_refused_where_it_would_be(self):
        choice = ("--set", "selection_epsilon=0.5", "--set", "selection_bound=4", "--grid",
                  "shrinkage=2,3")
        codes = set()
        for share in ("0.5", "0.9"):
            for more in ((), ("--budget", "5,1e-5"), ("--budget", "1.2,1e-6"),
                         ("--ledger", self.ledger)):
                call = ("select", *self.files, *choice, *budget("1", "1e-6"), "--set",
                        "discrepancy_share=" + share, *more)
                with self.subTest(call=call):
                    dry = self.run_cli(*call, "--dry-run")
                    real = self.run_cli(*call)
                    self.assertEqual(dry.returncode, real.returncode, dry.stderr + real.stderr)
                    codes.add(real.returncode)
        self.assertIn(0, codes)
        self.assertGreater(len(codes), 1)

    def test_files(self):
        report = self.path("report.html")
        told = self.dry("fit", *self.files, *SMALL, "--output", self.model, "--report", report)
        self.assertEqual(told["writes"], [
            {"argument": "--output", "file": self.model, "exists": True},
            {"argument": "--report", "file": report, "exists": False}])
        self.fail_with(4, "fit", *self.files, *SMALL, "--output", self.path("none/model.json"),
                       "--dry-run")

    def test_people_read_it(self):
        text = self.succeed("fit", *self.files, *SMALL, "--ledger", self.ledger, "--output",
                            self.model, "--dry-run")
        for words in ("nothing was paid", "Would pay for the fit: epsilon = ", "left, before: ",
                      "left, after: ", "Would write --output: ", "in place of what is there"):
            self.assertIn(words, text)

    def test_no_value_of_a_private_row_counts(self):
        wild = [[1e300, "nan", "?", "inf"] for _ in self.target_rows]
        other = self.write("wild.csv", csv_text(FEATURES + ["y"], wild))
        for name, command in self.commands.items():
            changed = [{self.target: other}.get(word, word) for word in command]
            if name in ("evaluate", "calibrate"):
                wild_rows = self.write("rows.csv", csv_text(FEATURES + ["y"], wild + wild[:15]))
                changed = [{self.other: wild_rows}.get(word, word) for word in command]
            with self.subTest(name):
                call = (*SMALL, "--ledger", self.ledger)
                self.assertEqual(self.dry(*command, *call), self.dry(*changed, *call))

    def test_no_value_counts_where_both_samples_are_private(self):
        wild = [["nan", "?", "inf", "nan"] for _ in self.source_rows]
        other = self.write("wild.csv", csv_text(FEATURES + ["y"], wild))
        general = [word for value in ("private_domain=both", "feature_radius=5", "alpha=0.5",
                                      "clip_bound=1", "radius=5", "preprocess=none")
                   for word in ("--set", value)]
        both = (*general, "--set", "label_bound=5", "--set", "kappa_1=1")
        for name, more in (("fit --holdout", ()), ("select", ("--budget", "2,1e-4"))):
            command = (*self.commands[name], *SMALL, *both, *more)
            with self.subTest(name):
                changed = [{self.source: other}.get(word, word) for word in command]
                self.assertEqual(self.dry(*command), self.dry(*changed))
        rows = [[*row[:3], i % 2] for i, row in enumerate(self.source_rows)]
        files = [self.write(name, csv_text(FEATURES + ["y"], rows)) for name in ("s.csv", "t.csv")]
        self.dry("fit", "--source", files[0], "--target", files[1], "--label", "y", "--holdout",
                 "0.3", *SMALL, *general, "--set", "loss=logistic")

    def test_persons(self):
        rows = [[str(i // 2), *row] for i, row in enumerate(linear_rows(60, 0.5, 4))]
        visits = self.write("visits.csv", csv_text(["who", *FEATURES, "y"], rows))
        files = ("--source", self.source, "--target", visits, "--label", "y", "--group", "who")
        told = self.dry("fit", *files, *SMALL)
        self.assertLessEqual(told["pays"][0]["price"]["epsilon"], 0.5)
        self.dry("discrepancy", *files, *SMALL)
        self.dry("evaluate", "--model", self.model, "--data", visits, "--group", "who", *SMALL)
        self.fail_with(2, "fit", *files, *SMALL, "--ledger", self.ledger, "--dry-run")

    def test_nothing_private_is_no_dry_run(self):
        self.fail_with(2, "fit", *self.files, *NOT_PRIVATE, "--dry-run")
        self.fail_with(2, "assess", "--source", self.source, "--label", "y", "--dry-run")
        self.fail_with(2, "assess", *self.files, *NOT_PRIVATE, "--dry-run")
        self.fail_with(2, "evaluate", "--model", self.model, "--data", self.other, *NOT_PRIVATE,
                       "--dry-run")


if __name__ == "__main__":
    unittest.main()

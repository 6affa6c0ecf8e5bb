"""What a flag cannot do is never silent: with a private target each one changes what is printed or
written, or is refused."""

import re
import unittest
from pathlib import Path

from feature_pairs import FeaturePairs

UNUSED = "kind,w,score,z,person"
BASE = {"--label": "y", "--ignore": UNUSED, "--epsilon": "20", "--delta": "1e-4"}
SEARCH = ("select", "--grid", "shrinkage=1,3", "--set", "selection_epsilon=1", "--set",
          "selection_bound=9", "--seed", "3")
COMMANDS = {"fit": ("fit",), "compare": ("compare",), "baseline": ("baseline", "joint_ssp"),
            "discrepancy": ("discrepancy",), "select": SEARCH}
USES = ("--weight", "--scores", "--group")  # of a column that is left out else
SAME = {("discrepancy", "--delta"): "Laplace noise needs none",
        ("discrepancy", "--set"): "by one record it changes by B/n at most in either relation",
        ("fit", "--memory"): "the same fit in less memory",
        ("discrepancy", "--alpha"): "the share of the source has no part in a discrepancy",
        ("baseline", "--alpha"): "joint_ssp reads the target alone"}


def without(*names):
    return ",".join(name for name in UNUSED.split(",") if name not in names)


class Flags(FeaturePairs):
    def rows(self):
        """Flags, what is given besides, and their values."""
        labels = {"--label": "z", "--ignore": "kind,w,score,y,person", "--loss": "logistic"}
        return {
            "--source": ({}, self.more), "--target": ({}, self.blanks),
            "--data": ({}, self.both), "--add-source": ({}, self.more),
            "--label": ({"--ignore": "kind,w,y,z,person"}, "score"),
            "--scores": ({"--ignore": without("score")}, "score"),
            "--weight": ({"--ignore": without("w")}, "w"), "--domain": ({}, "x3"),
            "--features": ({}, "x1"), "--ignore": ({}, UNUSED + ",x3"),
            "--source-map": ({}, self.map), "--own": ({"--target": self.own,
                                                        "--ignore": "kind"}, "own=1"),
            "--group": ({"--ignore": without("person")}, "person"),
            "--event": ({}, "kind"),
            "--categories": ({"--ignore": without("w")}, "w"), "--compute": ({}, "x1^2"),
            "--missing": ({"--ignore": without("w")}, "1"),
            "--positive": (labels, "no"), "--rows": ({}, "25"),
            "--set": ({}, "neighbours=zero_out"), "--epsilon": ({}, "3"),
            "--delta": ({}, "1e-6"), "--loss": ({}, "huber"), "--alpha": ({}, "0.3"),
            "--method": ({}, "paper"), "--ledger": ({}, "HERE/l"),
            "--output": ({}, "HERE/model.json"), "--report": ({}, "HERE/report.txt"),
            "--keep-weights": ({"--output": "HERE/model.json"}, None),
            "--json": ({}, None), "--dry-run": ({}, None),
            "--job": ({"--ledger": "HERE/l"}, "weekly"),
            "--weights": ({"--json": None}, None), "--memory": ({}, "1M"),
            "--holdout": ({}, "0.4"), "--test": ({}, self.blanks),
            "--test-rows": ({"--test": self.blanks}, "20"),
            "--validation": ({}, self.blanks),
            "--validation-rows": ({"--validation": self.blanks}, "20"),
            "--validation-share": ({}, "0.4"), "--validation-report": ({}, "HERE/v.txt"),
            "--grid": ({}, "clip_quantile=0.7,0.9"), "--seed": ({}, "4"),
            "--budget": ({}, "60,1e-3")}

    def found(self, command, arguments):
        """Exit code, messages, and what is printed and written, without what is never the same."""
        folder = Path(self.path("here"))
        for old in folder.iterdir() if folder.exists() else ():
            old.unlink()
        folder.mkdir(exist_ok=True)
        (folder / "l").write_bytes(self.ledgers["target"])
        given = arguments
        texts = [*command, "--set", "unsafe_seed=1"]
        if "--source" not in given:
            texts += ["--source", self.source]
        if "--target" not in given:
            texts += ["--target", self.target]
        for flag, value in given.items():
            if flag == "--seed":
                at = texts.index("--seed")
                del texts[at:at + 2]
            texts += [flag] if value is None else [flag, value]
        done = self.run_cli(*[text.replace("HERE/", str(folder) + "/") for text in texts])
        files = sorted((path.name, re.sub(rb"Date: [^\n]*", b"", path.read_bytes()))
                       for path in folder.iterdir())
        return done.returncode, done.stdout, done.stderr, files

    def test_no_flag_is_silent(self):
        rows = self.rows()
        for name, command in COMMANDS.items():
            help_text = self.succeed(name, "--help")
            flags = set(re.findall(r"^  (--[a-z-]+)", help_text, re.M))
            self.assertEqual(flags - set(rows), set(), "a flag without a row")
            for flag in sorted(flags):
                context, value = rows[flag]
                before = {**BASE, **context}
                if flag in USES:
                    before = BASE
                with self.subTest(command=name, flag=flag):
                    after = {**BASE, **context, flag: value}
                    one, two = self.found(command, before), self.found(command, after)
                    self.assertIn(two[0], (0, 2, 3, 6), two[2])
                    if two[0] != 0:
                        self.assertRegex(two[2], r"\Adpadapt: [^\n]{15,}")
                    elif (name, flag) not in SAME:
                        self.assertNotEqual(one, two, "silent")

    def test_an_empty_value_is_refused(self):
        """As a variable of the shell that is not set gives it: no ledger would be paid from."""
        for command in ("fit", "baseline", "discrepancy", "select", "compare", "plan", "inspect",
                        "evaluate", "calibrate", "predict"):
            values = re.findall(r"^  (--[a-z-]+) (?:COLUMN|FILE|MODEL)(?:[.][a-z]+)?(?: |$)",
                                self.succeed(command, "--help"), re.M)
            needed = [flag for flag in ("--model", "--data", "--output") if flag in values]
            needed = needed if "--model" in needed else []
            self.assertGreater(len(values), 2, command)
            for flag in values:
                with self.subTest(command=command, flag=flag):
                    given = [word for one in needed if one != flag for word in (one, one[2:])]
                    self.assertIn("empty value", self.fail_with(2, command, *given, flag, ""))

    def test_evaluate(self):
        model = self.path("model.json")
        self.succeed("fit", "--source", self.source, "--target", self.target, *sum(
            ([flag, value] for flag, value in BASE.items()), []), "--output", model)
        values = {"--label": ("score",), "--event": ("kind",), "--source": (self.source,),
                  "--rows": ("25",), "--weight": ("w",),
                  "--group": ("person",), "--json": (), "--dry-run": (),
                  "--set": ("confidence=0.5",), "--epsilon": ("3",), "--delta": ("1e-6",)}
        files = {"--model", "--data", "--ledger", "--job"}  # other tests know what they do
        flags = set(re.findall(r"^  (--[a-z-]+)", self.succeed("evaluate", "--help"), re.M))
        self.assertEqual(flags, set(values) | files)
        base = {"--model": (model,), "--data": (self.target,), "--epsilon": ("20",),
                "--delta": ("1e-4",)}

        def run(arguments):
            done = self.run_cli("evaluate", "--set", "unsafe_seed=1", *sum(
                ([flag, *value] for flag, value in arguments.items()), []))
            return done.returncode, done.stdout
        expected = run(base)
        self.assertEqual(expected[0], 0)
        for flag, value in values.items():
            with self.subTest(flag):
                self.assertNotEqual(run({**base, flag: value}), expected)

if __name__ == "__main__":
    unittest.main()

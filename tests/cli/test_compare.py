"""Whether adaptation helps: assess; compare on held-out rows, rehearse on public rows alone."""

import json
import math
import unittest

from cli_case import FEATURES, NOT_PRIVATE, PRIVATE, CliCase, csv_text, linear_rows


class Compare(CliCase):
    def setUp(self):
        super().setUp()
        self.test_rows = linear_rows(400, 0.5, 9)
        self.test = self.write("test.csv", csv_text(FEATURES + ["y"], self.test_rows))

    def compare(self, *arguments):
        return json.loads(self.succeed("compare", *self.files, "--json", *arguments))

    def estimate(self, report, model, name="squared_error"):
        (found,) = [m for m in report["measures"] if (m["name"], m["model"]) == (name, model)]
        return found["estimate"]

    def mean_square(self, report):
        w = report["coefficients"]
        return math.fsum(
            (row[3] - report["intercept"] - math.fsum(a * b for a, b in zip(w, row))) ** 2
            for row in self.test_rows
        ) / len(self.test_rows)

    def test_without_privacy_each_row_is_the_error_of_that_fit(self):
        report = self.compare("--test", self.test, *NOT_PRIVATE)
        fits = {"adapted": ("fit",)}
        fits |= {name: ("baseline", name) for name in ("source_only", "target_only", "pooled")}
        for name, command in fits.items():
            fit = json.loads(self.succeed(*command, *self.files, *NOT_PRIVATE, "--json"))
            self.assertAlmostEqual(self.estimate(report, name), self.mean_square(fit), delta=1e-9)

    def test_verdicts_follow_from_the_intervals_of_differences(self):
        report = self.compare("--test", self.test, *NOT_PRIVATE)
        gaps = [m for m in report["measures"] if m["name"] == "squared_error_difference"]
        self.assertEqual(len(gaps), len(report["verdicts"]))
        self.assertEqual({gap["against"] for gap in gaps}, {"source_only"})
        for gap, verdict in zip(gaps, report["verdicts"]):
            better, worse = gap["upper"] < 0, gap["lower"] > 0
            self.assertEqual("is better than" in verdict, better)
            self.assertEqual("is worse than" in verdict, worse)
            self.assertEqual("no difference" in verdict, not better and not worse)
        self.assertTrue(any("better" in verdict for verdict in report["verdicts"]))

    def test_the_table_has_a_line_for_each_fit(self):
        text = self.succeed("compare", *self.files, "--test", self.test, *NOT_PRIVATE)
        lines = text.splitlines()
        (at,) = [i for i, line in enumerate(lines) if "root_mean_squared_error" in line]
        names = [line.split()[0] for line in lines[at + 1:at + 5]]
        self.assertEqual(names, ["source_only", "target_only", "pooled", "adapted"])
        starts = {line.index("[") for line in lines[at + 1:at + 5]}
        self.assertLess(max(starts) - min(starts), 4)

    def test_private_rows_are_compared_by_a_private_evaluation(self):
        rows = linear_rows(3000, 0.5, 8)
        target = self.write("many.csv", csv_text(FEATURES + ["y"], rows))
        files = ("--source", self.source, "--target", target, "--label", "y")
        report = json.loads(self.succeed("compare", *files, *PRIVATE, "--json"))
        self.assertEqual({m["model"] for m in report["measures"]}, {"source_only", "adapted"})
        self.assertEqual((report["protection"], report["privacy"]["private"]),
                         ("guaranteed", True))
        self.assertTrue(700 < report["rows"] < 1100)
        text = self.succeed("compare", *files, *PRIVATE)
        before, private, _ = ("\n" + text).partition("\nPRIVATE: ")
        self.assertTrue(private)
        for line in before.splitlines():  # noise decides whether there is a finding
            self.assertRegex(line, "^(|(adapted|source_only): The errors may have a long tail.*)$")

    def test_the_public_predictor_has_the_weights_of_its_rows(self):
        rows = linear_rows(3000, 0.5, 8)
        target = self.write("many.csv", csv_text(FEATURES + ["y"], rows))
        wrong = [[*row[:3], row[3] + 1000, 1e-9] for row in self.source_rows]
        source = self.write("weighed.csv", csv_text(
            [*FEATURES, "y", "w"], [*([*row, 1] for row in self.source_rows), *wrong]))
        report = json.loads(self.succeed("compare", "--source", source, "--target", target,
                                         "--label", "y", "--weight", "w", *PRIVATE, "--set",
                                         "unsafe_seed=3", "--json"))
        self.assertLess(self.estimate(report, "source_only"), 50000)  # 250 000 without weights

    def test_the_public_predictor_never_sees_private_rows(self):
        found = []
        for seed in (8, 18):
            rows = linear_rows(3000, 5.0 * seed, seed)
            target = self.write("many.csv", csv_text(FEATURES + ["y"], rows))
            files = ("--source", self.source, "--target", target, "--label", "y")
            # The rows of the evaluation are the same, and so is its noise.
            report = json.loads(self.succeed(
                "compare", *files, "--test", self.test, *PRIVATE, "--set", "unsafe_seed=3",
                "--json"))
            found.append(self.estimate(report, "source_only"))
        self.assertAlmostEqual(*found, delta=0.2)

    def test_a_ledger_is_charged_for_both(self):
        ledger = self.path("ledger")
        self.succeed("ledger", "init", ledger, "--set", "epsilon=5", "--set", "delta=1e-3")
        self.compare("--test", self.test, "--ledger", ledger, *PRIVATE)
        shown = json.loads(self.succeed("ledger", "show", ledger, "--json"))
        self.assertEqual(len(shown["entries"]), 2)

    def test_a_ledger_that_does_not_suffice_for_both_pays_neither(self):
        price = ("--set", "epsilon=1", "--set", "delta=1e-6")
        for k, command in enumerate((("compare", "--test", self.test), ("compare",),
                                     ("fit", "--holdout", "0.2"))):
            with self.subTest(command):
                ledger = self.path(f"scarce{k}")
                self.succeed("ledger", "init", ledger, "--set", "epsilon=1.2", "--set",
                             "delta=1e-6")
                message = self.fail_with(6, *command, *self.files, *price, "--ledger", ledger)
                self.assertIn("the fit and the evaluation together", message)
                shown = json.loads(self.succeed("ledger", "show", ledger, "--json"))
                self.assertEqual(shown["entries"], [])
                self.succeed("fit", *self.files, *price, "--ledger", ledger)  # suffices for one
                message = self.fail_with(6, *command, *self.files, *price, "--ledger", ledger)
                self.assertIn("has too little left", message)

    def test_a_price_that_is_missing_is_told_like_that_of_a_fit(self):
        ledger = self.path("priceless")
        self.succeed("ledger", "init", ledger, *PRIVATE)
        for arguments in ((), ("--ledger", ledger)):
            message = self.fail_with(2, "compare", *self.files, *arguments)
            self.assertIn("private_domain to none", message)

    def test_a_ledger_that_just_suffices_for_both_pays_both(self):
        ledger = self.path("ample")
        self.succeed("ledger", "init", ledger, "--set", "epsilon=1.46", "--set", "delta=1e-6")
        self.compare("--test", self.test, "--epsilon", "1", "--delta", "1e-6", "--ledger", ledger)
        left = json.loads(self.succeed("ledger", "show", ledger, "--json"))["left"]
        self.assertLess(left["mu"], 0.1)

    def test_what_cannot_be_compared_is_told(self):
        both = (*PRIVATE, "--set", "private_domain=both")
        self.assertIn("public sample", self.fail_with(2, "compare", *self.files, *both))
        message = self.fail_with(2, "compare", *self.files, *NOT_PRIVATE, "--holdout", "0")
        self.assertIn("--holdout", message)
        seen = ("compare", *self.files, "--test", self.target, *NOT_PRIVATE)
        self.assertIn("cannot judge", self.fail_with(2, *seen))


class Rehearse(CliCase):
    def setUp(self):
        super().setUp()
        rows = [row + ["far"] for row in linear_rows(400, 0.5, 3)]
        rows += [row + ["near"] for row in linear_rows(800, 0.0, 4)]
        rows[7][3] = ""  # without a label
        self.public = self.write("public.csv", csv_text([*FEATURES, "y", "place"], rows))

    def rehearse(self, *arguments):
        return json.loads(self.succeed("rehearse", "--label", "y", "--json", *arguments))

    def test_a_column_tells_who_plays_the_target(self):
        report = self.rehearse("--source", self.public, "--by", "place=FAR", "--epsilons", "1,100",
                               "--repeats", "3")
        self.assertEqual((report["source_rows"], report["test_rows"]), (800, 133))
        self.assertEqual([row["target_rows"] for row in report["table"]], [66, 133, 266])
        last = report["table"][-1]
        self.assertLess(last["target_only"], 0.2)  # the noise has deviation 0.1
        self.assertGreater(last["source_only"], 0.3)
        small, large = last["private"]
        self.assertEqual((small["epsilon"], large["epsilon"]), (1, 100))
        self.assertLess(large["mean"], 0.5 * last["source_only"])
        for cell in last["private"]:
            self.assertLessEqual(cell["least"], cell["mean"])
            self.assertLessEqual(cell["mean"], cell["largest"])

    def test_noise_is_fresh(self):
        arguments = ("--source", self.public, "--by", "place=far", "--epsilons", "4", "--sizes",
                     "100", "--repeats", "2")
        first, second = (self.rehearse(*arguments)["table"][0] for _ in range(2))
        self.assertEqual(first["target_only"], second["target_only"])
        self.assertNotEqual(first["private"], second["private"])

    def test_rows_are_drawn_or_given(self):
        quick = ("--epsilons", "1", "--sizes", "10", "--repeats", "1")
        one = self.rehearse("--source", self.public, "--ignore", "place", *quick[2:], "--set",
                            "epsilon=2", "--set", "delta=1e-6")
        self.assertEqual([cell["epsilon"] for cell in one["table"][0]["private"]], [2])
        drawn = self.rehearse("--source", self.public, "--ignore", "place", "--share", "0.25",
                              *quick)
        self.assertEqual((drawn["source_rows"], drawn["test_rows"]), (899, 100))
        given = self.rehearse(*self.files[:4], *NOT_PRIVATE, *quick)
        self.assertEqual((given["source_rows"], given["test_rows"]), (60, 9))

    def test_weights_stay_with_their_rows(self):
        """Rows whose labels are 10 too large, of hardly any weight: neither fits nor errors show
        them, which both would if a row had another's weight."""
        source, target = (self.write(f"weighed{k}.csv", csv_text([*FEATURES, "y", "w"], [
            [*row[:3], row[3] + (10 if i % 5 == 0 else 0), 1e-6 if i % 5 == 0 else 1.0]
            for i, row in enumerate(linear_rows(400, 0.5 * k, 5 + k))])) for k in range(2))
        files = ("--source", source, "--target", target, *NOT_PRIVATE, "--epsilons", "1",
                 "--sizes", "200", "--repeats", "1")
        weighed = self.rehearse(*files, "--weight", "w")["table"][0]
        plain = self.rehearse(*files, "--ignore", "w")["table"][0]
        self.assertLess(weighed["target_only"], 0.2)
        self.assertGreater(plain["target_only"], 3)  # 10 of every fifth row

    def test_classes_are_judged_by_their_log_loss(self):
        report = self.rehearse(
            "--source", self.write("c.csv", "x,y\n" + "1,dead\n2,live\n3,live\n2,dead\n" * 40),
            "--loss", "logistic", "--epsilons", "1", "--repeats", "1")
        self.assertEqual(report["measure"], "log_loss")

    def test_the_table_says_that_nothing_was_spent(self):
        text = self.succeed("rehearse", "--source", self.public, "--label", "y", "--ignore",
                            "place", "--epsilons", "1,2", "--repeats", "1")
        self.assertIn("nothing was spent", text)
        self.assertRegex(text, r"rows +source_only +target_only +adapted +eps 1 +eps 2\n")

    def test_bad_arguments_are_told(self):
        source = ("rehearse", "--source", self.public, "--label", "y")
        for arguments, expected in (
            (("--by", "place"), "COLUMN=VALUE"),
            (("--by", "place=here"), 'has "here"'),
            (("--ignore", "place", "--sizes", "0"), "--sizes"),
            (("--ignore", "place", "--share", "0"), "--share"),
        ):
            self.assertIn(expected, self.fail_with(2, *source, *arguments))
        self.assertIn("--source is needed", self.fail_with(2, "rehearse", "--label", "y"))


class Assess(CliCase):
    def sentence(self, *arguments):
        text = self.succeed("assess", "--source", self.source, "--label", "y", *arguments)
        return text.splitlines()[0]

    def test_public_rows_give_one_sentence(self):
        found = self.sentence("--epsilons", "0.5,1", "--repeats", "1")
        number = r"\d[\d.e+-]*"
        self.assertRegex(found, rf"\AWith 12 rows and epsilon 1 expect an error of {number} "
                                rf"\(source alone {number}, without privacy {number}\); ")
        self.assertRegex(found, r"(at least \d+ rows, of those tried,|that many rows do not) beat")

    def test_the_rows_that_are_needed_beat_the_source_with_all_that_are_more(self):
        rows = csv_text([*FEATURES, "y", "place"], [
            *([*row, "far"] for row in linear_rows(900, 3.0, 3)),
            *([*row, "near"] for row in linear_rows(200, 0.0, 4))])
        report = json.loads(self.succeed(
            "assess", "--source", self.write("places.csv", rows), "--label", "y", "--by",
            "place=far", "--epsilons", "1,100", "--sizes", "50,600,300", "--repeats", "1",
            "--json"))
        better = {row["target_rows"]:  # by a hundredth
                  row["private"][0]["mean"] <= 0.99 * row["source_only"]
                  for row in report["table"]}
        needed = [n for n in better if all(better[m] for m in better if m >= n)]
        expected = f"at least {min(needed)} rows" if needed else "that many rows do not"
        self.assertIn(expected, report["sentence"])

    def test_a_target_that_does_not_exist_is_foretold(self):
        quick = ("--target-rows", "40", "--set", "forecast_repeats=2")
        self.assertRegex(self.sentence(*quick), r"\AWith 40 rows, epsilon 1 and a shift of 1 expec")
        report = json.loads(self.succeed("assess", "--source", self.source, "--label", "y", *quick,
                                         "--json"))
        self.assertEqual(len(report["table"]), 16)
        self.assertFalse(any("bound" in name for row in report["table"] for name in row))
        self.fail_with(2, "assess", *self.files, *quick)
        classes = self.write("classes.csv", csv_text(FEATURES + ["y"], [
            [*row[:3], "yes" if row[3] > 0 else "no"] for row in self.source_rows]))
        text = self.succeed("assess", "--source", classes, "--label", "y", "--loss", "logistic",
                            *quick)
        self.assertIn("The error is\nthe share of wrong labels; the shift is", text)

    def test_a_private_target_is_measured_and_pays(self):
        report = json.loads(self.succeed("assess", *self.files, *PRIVATE, "--json"))
        self.assertEqual({m["model"] for m in report["measures"]}, {"source_only", "adapted"})
        self.assertRegex(report["sentence"], r"\AOn \d+ rows? that no fit has seen, the "
                         r"squared_error is about \S+ \[\S+, \S+\] for source_only, "
                         r"\S+ \[\S+, \S+\] for adapted\.\Z")
        test = self.write("t.csv", csv_text(FEATURES + ["y"], linear_rows(9, 0.5, 5)))
        report = json.loads(self.succeed("assess", *self.files, *NOT_PRIVATE, "--test", test,
                                         "--json"))
        self.assertEqual(len({m["model"] for m in report["measures"]}), 4)
        self.assertRegex(report["sentence"], r"squared_error is \S+ for source_only, ")

    def test_what_has_no_effect_is_refused(self):
        quick = ("--source", self.source, "--label", "y", "--target-rows", "40")
        for flag, value in (("--by", "x1=1"), ("--share", "0.2"), ("--epsilons", "2"),
                            ("--sizes", "10"), ("--repeats", "2")):
            for call in ((*self.files, *PRIVATE), quick):
                message = self.fail_with(2, "assess", *call, flag, value)
                self.assertIn(flag + " has no effect", message)
        for flag in ("--ledger", "--holdout", "--test"):
            message = self.fail_with(2, "assess", *quick, flag, "0.5")
            self.assertIn(flag + " has no effect", message)

    def test_random_rows_are_told_from_others(self):
        source = ("rehearse", "--source", self.write("places.csv", csv_text(
            [*FEATURES, "y", "place"], [[*row, "ab"[i % 2]] for i, row in
                                        enumerate(self.source_rows)])), "--label", "y")
        quick = ("--epsilons", "1", "--repeats", "1", "--sizes", "10")
        drawn = self.succeed(*source, "--ignore", "place", *quick)
        self.assertIn("there is nothing to adapt to: --by COLUMN=VALUE names", drawn)
        named = self.succeed(*source, "--by", "place=a", *quick)
        self.assertNotIn("nothing to adapt to", named)
        self.assertIn("Not used, because it divides the rows: place.", named)

    def test_public_target_rows_are_rehearsed(self):
        report = json.loads(self.succeed("assess", *self.files, *NOT_PRIVATE, "--epsilons", "1",
                                         "--repeats", "1", "--json"))
        self.assertEqual(report["source_rows"], 60)


if __name__ == "__main__":
    unittest.main()

"""Command lines and files that cannot mean anything are refused, with the code of their kind."""

import json
import os
import unittest
from pathlib import Path

from cli_case import FEATURES, NOT_PRIVATE, PRIVATE, SEED, CliCase, csv_text

USAGE, BAD_DATA = 2, 3


class Refusals(CliCase):
    def refused(self, code, words, *arguments, **keywords):
        self.assertIn(words, self.fail_with(code, *arguments, **keywords))

    def test_rehearse(self):
        rehearse = ("rehearse", "--label", "y", "--source", self.source)
        private = (*rehearse, "--target", self.target)
        two = (*private, *NOT_PRIVATE)
        few = self.write("few.csv", csv_text(FEATURES + ["y"], self.target_rows[:1]))
        for words, arguments in (
                ("leave --add-source out", (*two, "--add-source", self.source)),
                ("leave --target and --data out", (*two, "--by", "x1=1")),
                ("--source-map needs --target", (*rehearse, "--source-map", self.source)),
                ("cannot be standard input", ("rehearse", "--label", "y", "--source", "-", "--by",
                                              "x1=1")),
                ("too few rows play the target", (*rehearse, "--target", few, *NOT_PRIVATE)),
                ("the target is private", private),
                ("the target is private", (*private, "--set", "private_domain=source")),
                ("the target is private", ("rehearse", "--label", "y", "--data", self.target)),
                ("the source is private", (*rehearse, "--set", "private_domain=source")),
                ("the source is private", (*rehearse, "--set", "private_domain=both")),
                ("are for private records", (*rehearse, "--rows", "9")),
                ("are for private records", (*two, "--group", "x1"))):
            with self.subTest(words):
                self.refused(USAGE, words, *arguments, "--epsilons", "1", "--repeats", "1",
                             input="")

    def test_samples(self):
        both = self.write("both.csv", csv_text(FEATURES + ["y", "domain"], [
            [*row, "source" if i % 2 else "target"] for i, row in enumerate(self.source_rows)]))
        unlabelled = self.write("unlabelled.csv", csv_text(FEATURES + ["y"], [
            [*row[:3], ""] for row in self.source_rows]))
        weighed = self.write("weighed.csv", csv_text(FEATURES + ["y", "w"], [
            [*row, 1.0] for row in self.source_rows]))
        with self.subTest("own"):
            self.refused(USAGE, "--own needs --source and --target", "fit", "--data", both,
                         "--label", "y", "--own", "z=1", *NOT_PRIVATE)
        with self.subTest("unlabelled"):
            self.refused(BAD_DATA, "no row has a label", "fit", *self.files, "--add-source",
                         unlabelled, *NOT_PRIVATE)
        with self.subTest("weights"):
            self.refused(BAD_DATA, "some sources have the column", "fit", "--source", weighed,
                         "--target", self.target, "--label", "y", "--weight", "w", "--add-source",
                         self.source, *NOT_PRIVATE)
        with self.subTest("private sources"):
            for files, domain in ((self.files, "source"),
                                  (("--data", both, "--label", "y"), "target")):
                self.refused(USAGE, "needs --source, and public source rows", "fit", *files,
                             "--add-source", weighed, *PRIVATE, "--set",
                             "private_domain=" + domain)
        with self.subTest("private weights"):
            self.refused(USAGE, "--weight needs a public sample", "fit", "--source", weighed,
                         "--target", weighed, "--label", "y", "--weight", "w", *PRIVATE, "--set",
                         "private_domain=both")

    def test_texts_that_no_model_can_hold(self):
        latin = self.write("latin.csv", b"place,y\n" + b"caf\xe9,1\ninn,2\n" * 9)
        self.refused(BAD_DATA, 'each level of column "place" must be UTF-8', "fit", "--source",
                     latin, "--target", latin, "--label", "y", *NOT_PRIVATE)

    def test_quotes_within_a_name_are_two(self):
        names = ['"a""b"', *FEATURES, "y"]
        rows = self.write("quoted.csv", csv_text(names, [["word", *row] for row in
                                                         self.source_rows]))
        fit = ("fit", "--source", rows, "--target", rows, "--label", "y", *NOT_PRIVATE)
        self.assertNotIn('a"b', self.succeed(*fit, "--ignore", '"a""b"'))
        self.refused(BAD_DATA, 'no column ""a"b"', *fit, "--ignore", '"a"b')

    def test_a_forecast_needs_some_rows(self):
        few = self.write("few.csv", csv_text(FEATURES + ["y"], self.source_rows[:11]))
        self.refused(BAD_DATA, "12 rows of the source", "plan", "--forecast", "--source", few,
                     "--label", "y", "--target-rows", "10", *PRIVATE)

    def test_models_of_different_scores(self):
        rows = csv_text([*FEATURES, "y", "s"], [[*row, 0.5] for row in self.source_rows])
        scored = self.write("scored.csv", rows)
        models = [self.path("with.json"), self.path("without.json")]
        for model, flag in zip(models, ("--scores", "--ignore")):
            self.succeed("fit", "--source", scored, "--target", scored, "--label", "y", flag, "s",
                         *NOT_PRIVATE, "--output", model)
        self.refused(BAD_DATA, "corrects other scores than", "evaluate", "--model", models[0],
                     "--model", models[1], "--data", scored, "--label", "y", *NOT_PRIVATE)

    def test_compare_divides_records(self):
        grouped = self.write("grouped.csv", csv_text(["who", *FEATURES, "y"], [
            ["a", *row] for row in self.target_rows]))
        persons = ("compare", "--source", self.source, "--target", grouped, "--label", "y",
                   "--group", "who", *PRIVATE)
        self.refused(USAGE, "--group needs --test", *persons)
        others = self.write("others.csv", Path(grouped).read_text().replace("a,", "b,"))
        report = self.succeed(*persons, "--test", others)
        self.assertIn("Errors on 1 person of the target", report)
        self.assertIn("who is in both pays both prices", report)
        price = json.loads(self.succeed(*persons, "--test", others, "--json"))["price"]
        self.assertIn("who is in both pays both prices", price)

    def test_the_number_of_persons_rows_stays_private(self):
        lines = [["ab"[i % 2], *row] for i, row in enumerate(self.target_rows)]
        grouped, others = (self.write(name, csv_text(["who", *FEATURES, "y"], lines))
                           for name in ("grouped.csv", "others.csv"))
        ledger = self.path("ledger")
        self.succeed("ledger", "init", ledger, *PRIVATE)
        message = self.fail_with(
            USAGE, "compare", "--source", self.source, "--target", grouped, "--label", "y",
            "--group", "who", "--test", others, "--test-rows", "100", *PRIVATE, "--ledger", ledger)
        self.assertIn("--test-rows is refused with --group", message)
        self.assertNotIn(str(len(lines)), message)
        entries = json.loads(self.succeed("ledger", "show", ledger, "--json"))["entries"]
        self.assertEqual(entries, [])  # nothing was paid

    def test_rows_of_a_fit_cannot_judge_it(self):
        link = self.path("link.csv")
        os.symlink(self.target, link)
        hard = self.path("hard.csv")
        os.link(self.target, hard)
        spelt = str(self.directory / "." / ".." / self.directory.name / "target.csv")
        for test in (self.target, spelt, link, hard):
            self.refused(USAGE, "--test must not be the file of --target", "compare", *self.files,
                         "--test", test, *NOT_PRIVATE)
        # Rows of a private source would be shown without noise.
        self.refused(USAGE, "--test must not be the file of --source", "compare", *self.files,
                     "--test", self.source, *PRIVATE, "--set", "private_domain=source")
        copy = self.write("copy.csv", Path(self.target).read_text())
        self.succeed("compare", *self.files, "--test", copy, *NOT_PRIVATE)

    def test_rows_of_a_fit_cannot_come_by_standard_input(self):
        with open(self.target) as rows:
            self.refused(USAGE, "--test must not be the file of --target", "compare", *self.files,
                         "--test", "-", *NOT_PRIVATE, stdin=rows)

    def test_an_option_has_one_value(self):
        for one, other in ((("--epsilon", "1"), ("--set", "epsilon=2")),
                           (("--set", "epsilon=1"), ("--set", "epsilon=2"))):
            self.refused(USAGE, "two values for the option epsilon: ", "fit", *self.files, *one,
                         *other, "--delta", "1e-3")
        self.refused(USAGE, "two values for the option epsilon: ", "ledger", "init",
                     self.path("ledger"), "--set", "epsilon=1", "--epsilon", "2", "--delta", "0")
        self.assertFalse(os.path.exists(self.path("ledger")))
        for same in (("--set", "epsilon=1.0"), ("--set", "epsilon=1"), ("--set", "epsilon=10e-1")):
            self.succeed("fit", *self.files, "--epsilon", "1", *same, "--delta", "1e-3", *same)

    def test_an_output_is_a_file(self):
        for flag in ("--report", "--output"):
            self.refused(USAGE, f"{flag} needs the name of a file", "fit", *self.files,
                         *NOT_PRIVATE, flag, "-")

    def test_no_private_cell_is_told(self):
        broken = self.write("broken.csv", csv_text(FEATURES + ["y"], [
            *self.target_rows, [1.0, "SECRET", 0.0, "LABEL"]]))
        message = self.fail_with(USAGE, "rehearse", "--label", "y", "--source", self.source,
                                 "--target", broken)
        self.assertNotIn("SECRET", message)
        self.assertNotIn("LABEL", message)

    def test_a_map_names_the_column_that_it_makes(self):
        nameless = self.write("map.csv", "column,(constant),x2\n,1,0.5\n")
        self.refused(BAD_DATA, "has no name", "fit", *self.files, "--source-map", nameless,
                     *NOT_PRIVATE)

    def test_rows_are_not_both_public_and_private(self):
        link = self.path("link.csv")
        os.symlink(self.source, link)
        pair = ("--source", self.source, "--target", link, "--label", "y")
        other = ("--set", "private_domain=source")
        search = ("--grid", "shrinkage=2,4")
        for command in (("fit", *PRIVATE), ("fit", *PRIVATE, *other), ("compare", *PRIVATE),
                        ("fit", *PRIVATE, "--memory", "1M"), ("discrepancy", *PRIVATE),
                        ("baseline", "ada_ssp", *PRIVATE), ("select", *PRIVATE, *search),
                        ("plan", *PRIVATE), ("inspect", *PRIVATE)):
            with self.subTest(command):
                self.refused(USAGE, "both public and private", *command, *pair)
        self.refused(USAGE, "both public and private", "fit", *PRIVATE, *self.files,
                     "--source-map", self.target)
        both = self.write("both.csv", "column,domain,y\nx1,SECRET,1\n")
        message = self.fail_with(USAGE, "fit", *PRIVATE, "--data", both, "--label", "y",
                                 "--source-map", both)
        self.assertIn("both public and private", message)
        self.assertNotIn("SECRET", message)
        self.refused(USAGE, "both public and private", "select", *PRIVATE, *search, *self.files,
                     "--validation", self.source)
        model = self.path("model.json")
        self.succeed("fit", *pair, *NOT_PRIVATE, "--output", model)
        self.succeed("rehearse", *pair, *NOT_PRIVATE, "--epsilons", "1", "--repeats", "1")
        self.refused(USAGE, "both public and private", "evaluate", "--model", model, "--data",
                     self.target, "--source", self.target, *PRIVATE)

    def test_labels_that_a_model_does_not_know(self):
        words = [[*row[:3], "yes" if row[3] > 0 else "no"] for row in self.source_rows]
        source = self.write("words.csv", csv_text(FEATURES + ["y"], words))
        model = self.path("model.json")
        self.succeed("fit", "--source", source, "--target", source, "--label", "y", "--set",
                     "loss=logistic", *NOT_PRIVATE, "--output", model)
        words[4][3] = "perhaps"
        other = self.write("other.csv", csv_text(FEATURES + ["y"], words))
        self.refused(BAD_DATA, '"perhaps"', "evaluate", "--model", model, "--data", other,
                     *NOT_PRIVATE)


if __name__ == "__main__":
    unittest.main()

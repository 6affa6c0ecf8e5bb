"""Files without labels, or with few of them, and scores of a model that exists already."""

import json
import math
import unittest
from pathlib import Path

from cli_case import FEATURES, NOT_PRIVATE, PRIVATE, SEED, CliCase, csv_text, linear_rows


class Labels(CliCase):
    def setUp(self):
        super().setUp()
        self.bare = self.write("bare.csv",
                               csv_text(FEATURES, [row[:3] for row in self.target_rows]))
        self.bare_files = ("--source", self.source, "--target", self.bare, "--label", "y")

    def coefficients(self, *arguments):
        report = json.loads(self.succeed(*arguments, "--json"))
        return report["coefficients"]

    def test_what_needs_no_labels_reads_a_file_without_them(self):
        for method in ("dm", "gdm", "kmm", "kliep", "ulsif", "rulsif", "source_only"):
            options = (*NOT_PRIVATE, "--set", "centers=10", "--set", "radius=5")
            with_labels = self.coefficients("baseline", method, *self.files, *options)
            self.assertEqual(self.coefficients("baseline", method, *self.bare_files, *options),
                             with_labels)
        private = ("baseline", "private_dm", *PRIVATE, *SEED)
        self.assertEqual(self.coefficients(*private, *self.bare_files),
                         self.coefficients(*private, *self.files))
        unlabelled = ("--set", "discrepancy_kind=unlabelled", "--set", "radius=2")
        self.assertEqual(
            self.succeed("discrepancy", *self.bare_files, *NOT_PRIVATE, *unlabelled),
            self.succeed("discrepancy", *self.files, *NOT_PRIVATE, *unlabelled))

    def test_what_needs_labels_says_so(self):
        for command in (("fit", *NOT_PRIVATE), ("fit", *PRIVATE),
                        ("baseline", "target_only", *NOT_PRIVATE),
                        ("baseline", "joint_ssp", *PRIVATE)):
            self.assertIn("no labels", self.fail_with(3, *command, *self.bare_files))
        for command in ("fit", "compare"):
            self.assertIn("no labels", self.fail_with(3, command, *self.bare_files, *PRIVATE,
                                                      "--holdout", "0.4"))
        self.assertIn("no column", self.fail_with(3, "fit", "--source", self.bare, "--target",
                                                  self.target, "--label", "y", *NOT_PRIVATE))

    def test_a_public_target_may_have_few_labels(self):
        some = [row[:3] + [row[3] if i % 2 else ""] for i, row in enumerate(self.target_rows)]
        some = self.write("some.csv", csv_text(FEATURES + ["y"], some))
        few = self.write("few.csv", csv_text(FEATURES + ["y"], self.target_rows[1::2]))
        found = [self.coefficients("fit", "--source", self.source, "--target", path, "--label",
                                   "y", *NOT_PRIVATE) for path in (some, few)]
        for a, b in zip(*found):
            self.assertAlmostEqual(a, b, delta=1e-9)
        report = json.loads(self.succeed("fit", "--source", self.source, "--target", some,
                                         "--label", "y", "--json", "--weights", *NOT_PRIVATE))
        self.assertEqual(len(report["target_weights"]), len(self.target_rows))
        self.assertEqual(report["target_weights"][0], 0)


def classes(count, shift, seed, words):
    """Rows of two classes that features tell, in the words for them."""
    rows = linear_rows(count, shift, seed)
    return csv_text(FEATURES + ["y"], [row[:3] + [words[row[3] > 1.0 + 3 * shift]]
                                       for row in rows])


class Counting(CliCase):
    """Whether private records counted is told by what was released alone."""

    def fit_of(self, words, *arguments):
        source = self.write("public.csv", classes(3000, 0.0, 1, ["0", "1"]))
        target = self.write("private.csv", classes(3000, 0.5, 2, words))
        return self.succeed("fit", "--source", source, "--target", target, "--label", "y",
                            "--loss", "logistic", "--epsilon", "4", "--delta", "1e-5", *SEED,
                            *arguments)

    def test_labels_in_another_coding_are_not_called_used(self):
        counted = json.loads(self.fit_of(["1.5", "2"], "--json"))
        self.assertLess(1 - counted["settings"]["alpha"], 0.1)  # hardly any label is known
        self.assertIsNone(counted["used_private_data"])
        report = json.loads(self.fit_of(["1.5", "2"], "--json", "--set", "labelled_share=1"))
        self.assertGreater(1 - report["settings"]["alpha"], 0.1)  # it has moved, by pooling
        self.assertLess(report["settings"]["evidence"], 2)
        self.assertIsNone(report["used_private_data"])
        text = self.fit_of(["1.5", "2"], "--report", self.path("report.txt"),
                           "--set", "labelled_share=1")
        for told in (text, (self.directory / "report.txt").read_text()):
            self.assertNotIn("The private rows were used", told)
            self.assertIn("Whether any private row counted cannot be told", told)
            self.assertIn("its label is 0 or 1 (also -1", told)
            self.assertIn("dpadapt inspect", told)

    def test_the_right_labels_are(self):
        report = json.loads(self.fit_of(["0", "1"], "--json"))
        self.assertGreater(report["settings"]["evidence"], 2)
        self.assertIs(report["used_private_data"], True)
        text = self.fit_of(["no", "yes"])
        self.assertIn("The private rows were used: ", text)
        self.assertIn("its label is 0 or 1 (also -1", text)

    def test_public_rows_without_a_label_are_counted(self):
        rows = [row[:3] + [row[3] if i % 6 else ""] for i, row in enumerate(self.source_rows)]
        source = self.write("some.csv", csv_text(FEATURES + ["y"], rows))
        more = ("fit", "--source", source, "--target", self.target, "--label", "y", *NOT_PRIVATE)
        self.assertIn("\n10 public rows have no label and were left out.\n", self.succeed(*more))
        self.assertIn("\nOf the added sources: 10 public rows",
                      self.succeed(*more, "--add-source", source))


class Sources(CliCase):
    def test_a_poisoned_source_is_left_out(self):
        poisoned = [row[:3] + [-row[3]] for row in linear_rows(60, 0.0, 5)]
        poisoned = self.write("poisoned.csv", csv_text(FEATURES + ["y"], poisoned))
        report = json.loads(self.succeed("fit", *self.files, "--add-source", poisoned, "--json",
                                         *NOT_PRIVATE))
        good, bad = report["sources"]
        self.assertEqual((bad["file"], bad["rows"], bad["weight"]), (poisoned, 60, 0))
        self.assertGreater(good["weight"], 0)
        alone = self.succeed("fit", *self.files, "--json", *NOT_PRIVATE)
        for a, b in zip(report["coefficients"], json.loads(alone)["coefficients"]):
            self.assertAlmostEqual(a, b, delta=1e-9)
        for command in ("fit", "plan"):
            self.assertIn("several sources are chosen by the target's labels", self.fail_with(
                2, command, *self.files, "--add-source", poisoned, *PRIVATE))
        self.assertIn("weight 0.", self.succeed("fit", *self.files, "--add-source", poisoned,
                                                *NOT_PRIVATE))

    def test_private_fits_and_one_file_refuse(self):
        more = ("--add-source", self.source)
        self.assertIn("several sources", self.fail_with(2, "fit", *self.files, *more, *PRIVATE))
        self.assertIn("--add-source", self.fail_with(
            2, "fit", *self.files, *more, *PRIVATE, "--set", "private_domain=source"))


class Weights(CliCase):
    """A row of weight 2 counts like two rows; a column of weights is no feature."""

    def weighted(self, name, rows):
        rows = [row[:3] + [i % 3, row[3]] for i, row in enumerate(rows)]
        return self.write(name, csv_text(FEATURES + ["w", "y"], rows))

    def coefficients(self, source, target, *options):
        report = self.succeed("fit", "--source", source, "--target", target, "--label", "y",
                              "--json", "--set", "alpha=0.5", "--set", "discrepancy=0.1", *options)
        return json.loads(report)["coefficients"]

    def test_rows_count_by_their_weights(self):
        source = self.weighted("weighted.csv", self.source_rows)
        rows = [row for i, row in enumerate(self.source_rows) for _ in range(i % 3)]
        repeated = self.write("repeated.csv", csv_text(FEATURES + ["y"], rows))
        for options in (NOT_PRIVATE, (*PRIVATE, *SEED)):
            options = (*options, "--set", "tolerance=1e-14")
            found = [self.coefficients(source, self.target, "--weight", "w", *options),
                     self.coefficients(repeated, self.target, *options)]
            self.assertEqual(len(found[0]), 3)
            for a, b in zip(*found):
                self.assertAlmostEqual(a, b, delta=1e-9)

    def test_weights_of_private_rows_need_a_public_bound(self):
        """They were not read, and nothing said so."""
        source = self.weighted("weighted.csv", self.source_rows)
        target = self.weighted("private.csv", self.target_rows)
        rows = Path(target).read_text().splitlines()
        both = self.write("both.csv", "\n".join([rows[0] + ",domain"] + [
            row + (",source" if i % 2 else ",target") for i, row in enumerate(rows[1:])]) + "\n")
        for files in (("--source", source, "--target", target),
                      ("--source", self.source, "--target", target), ("--data", both)):
            for command in (("fit",), ("compare",), ("baseline", "joint_ssp"), ("plan",),
                            ("inspect",)):
                with self.subTest(command=command, files=files):
                    message = self.fail_with(2, *command, *files, "--label", "y", "--weight", "w",
                                             *PRIVATE)
                    self.assertIn("row_weight_bound=W", message)
        self.assertIn('no file of public rows has the column "w"', self.fail_with(
            3, "fit", *self.files, "--weight", "w", *PRIVATE))

    def test_weights_of_private_rows_are_clipped_to_a_public_bound(self):
        weights = [i % 3 for i in range(len(self.target_rows))]
        options = ("--weight", "w", "--set", "epsilon=50", "--set", "delta=1e-4", *SEED, "--set",
                   "shrinkage=0", "--set", "row_weight_bound=2")

        def found(texts):
            rows = [row[:3] + [text, row[3]] for row, text in zip(self.target_rows, texts)]
            target = self.write("private.csv", csv_text(FEATURES + ["w", "y"], rows))
            return self.coefficients(self.source, target, *options)
        expected = found(weights)
        strange = ["heavy" if w == 0 else "1e300" if w == 2 else w for w in weights]
        strange[0] = "-4"
        strange[3] = ""
        self.assertEqual(found(strange), expected)
        self.assertNotEqual(found([1] * len(weights)), expected)
        self.assertIn('no file has the column "w"', self.fail_with(
            3, "fit", *self.files, *options))
        self.assertIn("row_weight_bound", self.fail_with(
            2, "fit", *self.files, *PRIVATE, "--set", "row_weight_bound=2"))

    def test_one_file_has_the_weights_of_both(self):
        rows = [["source"] + row[:3] + [1 + i % 2, row[3]]
                for i, row in enumerate(self.source_rows)]
        rows += [["target"] + row[:3] + [i % 3, row[3]] for i, row in enumerate(self.target_rows)]
        data = self.write("both.csv", csv_text(["domain"] + FEATURES + ["w", "y"], rows))
        source = self.write("s.csv", csv_text(FEATURES + ["w", "y"],
                                              [row[1:] for row in rows if row[0] == "source"]))
        target = self.write("t.csv", csv_text(FEATURES + ["w", "y"],
                                              [row[1:] for row in rows if row[0] == "target"]))
        options = ("--label", "y", "--json", "--weight", "w", *PRIVATE, *SEED, "--set",
                   "row_weight_bound=2")
        one = json.loads(self.succeed("fit", "--data", data, *options))
        two = json.loads(self.succeed("fit", "--source", source, "--target", target, *options))
        self.assertEqual(one["coefficients"], two["coefficients"])
        options = ("--label", "y", "--weight", "w", "--set", "row_weight_bound=2", "--set",
                   "epsilon=1", "--set", "delta=1e-5")
        select = ("select", "--grid", "shrinkage=2,3", "--budget", "4,1e-4", "--set",
                  "selection_epsilon=0.5", "--set", "selection_bound=4")
        unseen = self.write("unseen.csv", Path(target).read_text())
        for command in (("compare",), ("assess",), select, ("compare", "--test", unseen),
                        (*select, "--validation", unseen)):
            self.succeed(*command, "--source", source, "--target", target, *options)

    def test_a_weight_that_is_none_has_a_place(self):
        rows = [row[:3] + ["heavy" if i == 4 else 1, row[3]]
                for i, row in enumerate(self.source_rows)]
        source = self.write("weighted.csv", csv_text(FEATURES + ["w", "y"], rows))
        message = self.fail_with(3, "fit", "--source", source, "--target", self.target, "--label",
                                 "y", "--weight", "w", *NOT_PRIVATE)
        self.assertIn("line 6", message)
        self.assertIn("heavy", message)


class OwnColumns(CliCase):
    """The target has a column that the source lacks."""

    def setUp(self):
        super().setUp()
        self.wide = [row[:3] + [float(i % 7), row[3] + i % 7]
                     for i, row in enumerate(linear_rows(200, 0.5, 2))]
        self.target = self.write("wide.csv", csv_text(FEATURES + ["own", "y"], self.wide))
        self.files = ("--source", self.source, "--target", self.target, "--label", "y")
        self.model = self.path("model.json")

    def test_source_rows_have_a_constant_there(self):
        rows = [row[:3] + [3, row[3]] for row in self.source_rows]
        filled = self.write("filled.csv", csv_text(FEATURES + ["own", "y"], rows))
        for options in (NOT_PRIVATE, (*PRIVATE, *SEED)):
            report = json.loads(self.succeed("fit", *self.files, "--own", "own=3", "--json",
                                             *options))
            expected = json.loads(self.succeed(
                "fit", "--source", filled, *self.files[2:], "--features",
                ",".join([*FEATURES, "own"]), "--json", *options))
            self.assertEqual(len(report["coefficients"]), 4)
            self.assertEqual(report["coefficients"], expected["coefficients"])

    def test_its_own_block_is_learnt(self):
        said = self.succeed("fit", *self.files, "--own", "own=3", "--output", self.model,
                            *NOT_PRIVATE)
        self.assertIn("Columns of the target alone: own", said)
        lines = self.succeed("predict", "--model", self.model, "--data", self.target)
        square = [(float(p) - row[4])**2 for p, row in zip(lines.splitlines()[1:], self.wide)]
        self.assertLess(sum(square) / len(square), 0.1)  # without the column about 4

    def test_the_target_tells_of_it_by_its_other_columns(self):
        rows = [row[:3] + [3, row[3]] for row in self.source_rows]
        filled = self.write("filled.csv", csv_text(FEATURES + ["own", "y"], rows))
        regressed = ("--set", "own_columns=regressed", "--set", "own_spread=2")
        for options in (NOT_PRIVATE, (*PRIVATE, *SEED)):
            fits = [json.loads(self.succeed("fit", *given, *self.files[2:], "--json", *options,
                                            *regressed))
                    for given in ((*self.files[:2], "--own", "own=3"), ("--source", filled,
                                  "--features", ",".join([*FEATURES, "own"])))]
            self.assertEqual(fits[0]["coefficients"], fits[1]["coefficients"])
        self.assertIn("for columns that the source lacks", json.dumps(fits[0]["privacy"]))

    def test_what_cannot_be_is_refused(self):
        for text, reason in (("own", "COLUMN=VALUE"), ("own=much", "COLUMN=VALUE"),
                             ("=3", "COLUMN=VALUE"), (FEATURES[0] + "=3", "the source has")):
            self.assertIn(reason, self.fail_with(2, "fit", *self.files, "--own", text,
                                                 *NOT_PRIVATE))
        self.assertIn("public source", self.fail_with(
            2, "fit", *self.files, "--own", "own=3", *PRIVATE, "--set", "private_domain=source"))
        self.assertIn("nobody", self.fail_with(3, "fit", *self.files, "--own", "nobody=3",
                                               *NOT_PRIVATE))


class Scores(CliCase):
    """A curve that no linear fit follows is the work of a model that somebody else has made."""

    def setUp(self):
        super().setUp()
        self.scored = {}
        for name, count, shift, seed in (("source", 300, 0.0, 1), ("target", 200, 0.5, 2)):
            rows = []
            for row in linear_rows(count, shift, seed):
                score = 3 * math.sin(2 * row[0])
                rows.append(row[:3] + [score, row[3] + score])
            self.scored[name] = rows
            self.write(name + "_scored.csv", csv_text(FEATURES + ["vendor", "y"], rows))
        self.files = ("--source", self.path("source_scored.csv"),
                      "--target", self.path("target_scored.csv"), "--label", "y",
                      "--scores", "vendor")
        self.model = self.path("model.json")

    def predictions(self):
        lines = self.succeed("predict", "--model", self.model, "--data",
                             self.path("target_scored.csv")).splitlines()[1:]
        return [float(line) for line in lines]

    def test_predictions_are_corrected_scores(self):
        for options in (NOT_PRIVATE, PRIVATE):
            self.succeed("fit", *self.files, *options, "--output", self.model)
            square = [(p - row[4])**2 for p, row in zip(self.predictions(),
                                                        self.scored["target"])]
            self.assertLess(sum(square) / len(square), 0.5)  # without the scores about 4
            measured = json.loads(self.succeed("evaluate", "--model", self.model, "--data",
                                               self.path("target_scored.csv"), "--json",
                                               *NOT_PRIVATE))
            (mean,) = [m for m in measured["measures"] if m["name"] == "squared_error"]
            self.assertAlmostEqual(mean["estimate"], sum(square) / len(square), delta=1e-9)

    def test_it_is_the_fit_of_what_the_scores_leave(self):
        left = [row[:3] + [row[4] - row[3]] for row in self.scored["target"]]
        source = [row[:3] + [row[4] - row[3]] for row in self.scored["source"]]
        files = ("--source", self.write("a.csv", csv_text(FEATURES + ["y"], source)),
                 "--target", self.write("b.csv", csv_text(FEATURES + ["y"], left)),
                 "--label", "y")
        found = [json.loads(self.succeed("fit", *f, *PRIVATE, *SEED, "--json"))["coefficients"]
                 for f in (self.files, files)]
        self.assertEqual(found[0], found[1])

    def test_a_private_row_without_a_score_is_one_without_a_label(self):
        found = []
        for column, text in ((3, ""), (4, "")):
            rows = [list(row) for row in self.scored["target"]]
            rows[7][column] = text
            path = self.write("hole.csv", csv_text(FEATURES + ["vendor", "y"], rows))
            arguments = ("--source", self.path("source_scored.csv"), "--target", path, "--label",
                         "y", "--scores", "vendor")
            found.append(self.succeed("fit", *arguments, *PRIVATE, *SEED, "--json"))
        self.assertEqual(*found)

    def test_classes_have_no_such_scores(self):
        message = self.fail_with(2, "fit", *self.files, *NOT_PRIVATE, "--loss", "logistic")
        self.assertIn("--scores", message)


if __name__ == "__main__":
    unittest.main()

import gzip
import json
import math
import os
import unittest
from pathlib import Path

from cli_case import COEFFICIENTS, FEATURES, NOT_PRIVATE, CliCase, csv_text

SETTINGS = ["alpha", "radius", "discrepancy", "kappa_1", "kappa_2", "kappa_inf", "lambda_1",
            "lambda_2", "lambda_inf", "softmax_sharpness", "feature_radius", "label_bound",
            "prediction_lowest", "prediction_highest", "error_bound", "evidence", "counted_records",
            "counted_deviation", "huber_threshold", "classes", "quantile_level",
            "quantile_smoothing", "typical_label"]
KEYS = ["loss", "outputs", "coefficients", "intercept", "objective", "duality_gap",
        "gradient_mapping", "discrepancy", "iterations", "termination", "features", "schema",
        "settings", "inference", "protection", "privacy", "used_private_data", "finding_codes",
        "notes"]


class Report(CliCase):
    def test_keys_are_exactly_the_documented_ones(self):
        report = self.fit()
        self.assertEqual(list(report), KEYS)
        self.assertEqual(list(report["settings"]), SETTINGS)

    def test_values_describe_the_fit(self):
        report = self.fit("--set", "alpha=0.25", "--set", "kappa_2=0.125")
        self.assertEqual(report["features"], FEATURES)
        self.assertEqual((report["loss"], report["outputs"]), ("squared", 1))
        self.assertIsNone(report["gradient_mapping"])
        self.assertEqual(report["termination"], "converged")
        self.assertEqual(report["settings"]["alpha"], 0.25)
        self.assertEqual(report["settings"]["kappa_2"], 0.125)
        self.assertEqual(report["settings"]["discrepancy"], report["discrepancy"])
        self.assertGreater(report["iterations"], 0)
        self.assertLessEqual(report["duality_gap"], 1e-8 * report["objective"])
        for found, true in zip(report["coefficients"], COEFFICIENTS):
            self.assertAlmostEqual(found, true, delta=0.2)

    def test_without_privacy_it_says_so(self):
        report = self.fit()
        self.assertEqual(report["protection"], "none")
        self.assertIs(report["privacy"]["private"], False)
        first = self.succeed("fit", *self.files, *NOT_PRIVATE).splitlines()[0]
        self.assertEqual(first, report["privacy"]["summary"])
        self.assertRegex(first, r"\ANOT PRIVATE: .*private_domain is none")

    def test_infinite_settings_are_null(self):
        report = self.fit()
        self.assertIsNone(report["settings"]["feature_radius"])
        self.assertIsNone(report["settings"]["label_bound"])
        bounded = self.fit("--set", "feature_radius=2.5", "--set", "label_bound=4")
        self.assertEqual(bounded["settings"]["feature_radius"], 2.5)
        self.assertEqual(bounded["settings"]["label_bound"], 4.0)

    def test_weights_are_added_on_demand(self):
        report = self.fit("--weights", "--set", "alpha=0.5")
        self.assertEqual(list(report), KEYS + ["source_weights", "target_weights"])
        self.assertEqual(len(report["source_weights"]), len(self.source_rows))
        self.assertEqual(len(report["target_weights"]), len(self.target_rows))
        reference = 0.5 / len(self.source_rows)
        self.assertLessEqual(max(report["source_weights"]), reference * (1 + 1e-12))
        self.assertGreater(min(report["target_weights"]), 0.0)

    def test_text_names_every_coefficient_and_the_settings_that_apply(self):
        report = self.fit()
        lines = self.succeed("fit", *self.files, *NOT_PRIVATE).splitlines()
        begin = next(i for i, line in enumerate(lines) if line.startswith("The target's own"))
        own = lines[begin:lines.index("Fit")]
        self.assertRegex(own[2], rf"\A  {FEATURES[0]} +\S+ +\S+ +\S+ to \S+\Z")
        self.assertRegex(own[-1], r"\A  p-value of equal domains +\S+\Z")
        lines = [line for line in lines if line not in own]
        values = dict(line.rsplit(None, 1) for line in lines if line.startswith("  "))
        shown = {name.strip(): value for name, value in values.items()}
        self.assertEqual(shown.keys(), {*FEATURES, "(intercept)", "loss", "objective",
                                        "duality gap", "iterations", "termination",
                                        "alpha", "radius", "kappa_1", "error_bound"})
        self.assertEqual(shown["termination"], report["termination"])
        for name, value in zip(FEATURES, report["coefficients"]):
            self.assertTrue(math.isclose(float(shown[name]), value, rel_tol=1e-7))


class Inference(CliCase):
    def test_without_privacy_every_coefficient_has_an_interval(self):
        found = self.fit()["inference"]
        self.assertEqual([own["name"] for own in found["coefficients"]],
                         FEATURES + ["(intercept)"])
        for own in found["coefficients"]:
            self.assertEqual(list(own), ["name", "estimate", "standard_error", "lower", "upper",
                                         "level"])
            self.assertLess(own["lower"], own["estimate"])
            self.assertAlmostEqual(own["estimate"] - own["lower"], own["upper"] - own["estimate"])
            self.assertGreater(own["upper"] - own["estimate"], 1.9 * own["standard_error"])
        self.assertTrue(0 <= found["p_value"] <= 1)
        self.assertEqual(self.fit("--set", "inference=no")["inference"]["coefficients"], None)

    def test_a_private_fit_needs_the_release_and_says_so(self):
        budget = ["--json", "--set", "epsilon=8", "--set", "delta=1e-4"]
        plain = json.loads(self.succeed("fit", *self.files, *budget))["inference"]
        self.assertIsNone(plain["coefficients"])
        self.assertIn("option inference = yes", plain["reason"])
        report = json.loads(self.succeed("fit", *self.files, *budget, "--set", "inference=yes"))
        self.assertEqual(len(report["inference"]["coefficients"]), len(FEATURES) + 1)
        self.assertIn("for intervals", json.dumps(report["privacy"]))


class Columns(CliCase):
    def test_target_columns_are_matched_by_name(self):
        names = ["y", "note", "x3", "x1", "x2"]
        rows = [[y, "free text", x3, x1, x2] for x1, x2, x3, y in self.target_rows]
        self.target = self.write("reordered.csv", csv_text(names, rows))
        expected = self.fit()
        self.files = ("--source", self.source, "--target", self.target, "--label", "y")
        found = self.fit()
        told = "Not used, because only the other sample has these columns: note."
        for notes in (found["notes"], found["schema"]["notes"]):
            notes.remove(told)
        self.assertEqual(found, expected)
        self.assertNotIn(told, self.succeed("fit", *self.files, *NOT_PRIVATE, "--features",
                                            ",".join(FEATURES)))
        self.assertIn(told, self.succeed("fit", *self.files, *NOT_PRIVATE))

    def test_codes_in_public_columns_are_told_by_name(self):
        expected = self.fit()["coefficients"]
        rows = [list(row) for row in self.source_rows]
        rows[7][1] = 999.0
        self.source = self.write("coded.csv", csv_text(FEATURES + ["y"], rows))
        self.files = ("--source", self.source, "--target", self.target, "--label", "y")
        found = self.fit()
        self.assertIn("Public source, x2: 1 of 60 is 999; a code for missing? --missing 999. "
                      "The column's median replaces it.", found["notes"])
        self.assertFalse(any("code" in note for note in self.fit("--missing", "999.0")["notes"]))
        for one, other in zip(found["coefficients"], expected):
            self.assertAlmostEqual(one, other, delta=0.2)

    def test_features_restrict_and_order(self):
        chosen = self.fit("--features", "x3,x1")
        self.assertEqual(chosen["features"], ["x3", "x1"])
        ignored = self.fit("--ignore", "x2")
        self.assertEqual(ignored["features"], ["x1", "x3"])
        for found, expected in zip(chosen["coefficients"], reversed(ignored["coefficients"])):
            self.assertAlmostEqual(found, expected, delta=1e-6)

    def test_ignored_columns_may_hold_text_and_be_missing_in_the_target(self):
        expected = self.fit()
        rows = [[f"record {i}", *row] for i, row in enumerate(self.source_rows)]
        self.source = self.write("noted.csv", csv_text(["note", *FEATURES, "y"], rows))
        self.files = ("--source", self.source, "--target", self.target, "--label", "y")
        self.assertEqual(self.fit("--ignore", "note"), expected)

    def test_one_file_with_a_domain_column_is_the_same_as_two(self):
        expected = self.fit()
        rows = [["source", *row] for row in self.source_rows]
        rows += [["target", *row] for row in self.target_rows]
        for column, choice in (("domain", ()), ("where", ("--domain", "where"))):
            both = self.write("both.csv", csv_text([column, *FEATURES, "y"], rows))
            report = self.succeed("fit", "--data", both, *choice, "--label", "y", *NOT_PRIVATE,
                                  "--json")
            self.assertEqual(json.loads(report), expected)

    def test_domains_have_other_words(self):
        expected = self.fit()
        rows = [["m", *row] for row in self.source_rows]
        rows += [["f", *row] for row in self.target_rows]
        both = self.write("both.csv", csv_text(["sex", *FEATURES, "y"], rows))
        report = self.succeed("fit", "--data", both, "--domain", "sex=m,f", "--label", "y",
                              *NOT_PRIVATE, "--json")
        self.assertEqual(json.loads(report), expected)

    def test_names_with_commas_stand_between_quotes(self):
        expected = self.fit()
        rows = [[f"record {i}", 3, *row] for i, row in enumerate(self.source_rows)]
        header = ['"last, first"', "other", *FEATURES, "y"]
        self.source = self.write("noted.csv", csv_text(header, rows))
        self.files = ("--source", self.source, "--target", self.target, "--label", "y")
        self.assertEqual(self.fit("--ignore", '"last, first",other'), expected)
        self.assertEqual(self.fit("--ignore", "other", "--ignore", '"last, first"'), expected)

    def test_a_domain_column_is_no_feature_in_two_files(self):
        expected = self.fit()
        rows = [[*row, "source"] for row in self.source_rows]
        source = self.write("marked.csv", csv_text([*FEATURES, "y", "domain"], rows))
        self.files = ("--source", source, "--target", self.target, "--label", "y")
        self.assertEqual(self.fit(), expected)


class Formats(CliCase):
    def fit_source(self, content):
        source = self.write("variant.csv", content)
        self.files = ("--source", source, "--target", self.target, "--label", "y")
        return self.fit()

    def rows_as(self, pattern):
        lines = [",".join(pattern.format(v) for v in row) for row in self.source_rows]
        return "\n" + "\n".join(lines)

    def test_variants_of_the_same_table_give_the_same_fit(self):
        expected = self.fit()
        plain = Path(self.source).read_text()
        header, body = plain.split("\n", 1)
        packed = gzip.compress(plain.encode())
        members = gzip.compress(f"{header}\n".encode()) + gzip.compress(body.encode())
        variants = {
            "gzip": packed,
            "two gzip members": members,
            "CRLF": plain.replace("\n", "\r\n"),
            "byte order mark": b"\xef\xbb\xbf" + plain.encode(),
            "no final newline": plain.rstrip("\n"),
            "blank lines": plain.replace("\n", "\n\n") + "\r\n",
            "quoted": '"x1","x2","x3","y"\n' + body,
            "quoted numbers": header + self.rows_as('"{}"'),
            "blanks in quotes": header + self.rows_as('" {}\t"'),
            "blanks outside": header + self.rows_as("  {}\t"),
            "plus signs": header + self.rows_as("{:+}"),
        }
        for name, content in variants.items():
            with self.subTest(name):
                self.assertEqual(self.fit_source(content), expected)

    def test_numbers_do_not_depend_on_the_locale(self):
        expected = self.fit()
        german = os.environ | {"LC_ALL": "de_DE.UTF-8"}
        report = self.succeed("fit", *self.files, *NOT_PRIVATE, "--json", env=german)
        self.assertEqual(json.loads(report), expected)


if __name__ == "__main__":
    unittest.main()

import json
import unittest
from pathlib import Path

from cli_case import FEATURES, PRIVATE, SEED, CliCase, csv_text


class Group(CliCase):
    def grouped(self, rows, ids, first=True):
        names = ["who", *FEATURES, "y"] if first else [*FEATURES, "y", "who"]
        lines = [[who, *row] if first else [*row, who] for who, row in zip(ids, rows)]
        return self.write("grouped.csv", csv_text(names, lines))

    def fit(self, target, *arguments):
        return json.loads(self.succeed("fit", "--source", self.source, "--target", target,
                                       "--label", "y", *PRIVATE, *SEED, "--json", *arguments))

    def test_with_one_row_each_it_is_the_fit_to_records(self):
        records = self.fit(self.target)
        for first in (True, False):
            ids = [f"patient {k * 7 % 25}" for k in range(25)]
            persons = self.fit(self.grouped(self.target_rows, ids, first), "--group", "who")
            self.assertEqual(persons["coefficients"], records["coefficients"])
            self.assertEqual(persons["privacy"]["unit"], "person")
            self.assertEqual(persons["privacy"]["target_rows"], 25)
            self.assertEqual(records["privacy"]["unit"], "record")

    def test_the_number_of_persons_decides_the_noise(self):
        target = self.grouped(self.target_rows, [str(k % 5) for k in range(25)])
        plan = json.loads(self.succeed("plan", "--source", self.source, "--target", target,
                                       "--label", "y", *PRIVATE, "--group", "who", "--json"))
        self.assertEqual(plan["target_rows"], 5)
        self.assertEqual(plan["releases"][0]["sensitivity"], 2 / 5)

    def test_both_samples_in_one_file(self):
        rows = [["s", *row, "source"] for row in self.source_rows]
        rows += [[str(k % 5), *row, "target"] for k, row in enumerate(self.target_rows)]
        data = self.write("data.csv", csv_text(["who", *FEATURES, "y", "domain"], rows))
        fit = json.loads(self.succeed("fit", "--data", data, "--label", "y", "--group", "who",
                                      *PRIVATE, *SEED, "--json"))
        ids = [str(k % 5) for k in range(25)]
        apart = self.fit(self.grouped(self.target_rows, ids), "--group", "who")
        self.assertEqual(fit["coefficients"], apart["coefficients"])

    def test_errors_of_public_rows_do_not_count_the_rows_before(self):
        messages = set()
        for rows in (5, 25):
            lines = [[str(k % 5), *row, "target"] for k, row in enumerate(self.target_rows[:rows])]
            lines += [["s", *row, "source"] for row in self.source_rows]
            lines.append(["s", *self.source_rows[0][:-1], "high", "source"])
            data = self.write("data.csv", csv_text(["who", *FEATURES, "y", "domain"], lines))
            messages.add(self.fail_with(3, "fit", "--data", data, "--label", "y", "--group", "who",
                                        *PRIVATE))
        message, = messages
        self.assertIn(f"public row {len(self.source_rows) + 1} (y)", message)

    def test_a_line_that_is_no_record_stays_with_its_person(self):
        ids = [str(k % 5) for k in range(25)]
        target = self.grouped(self.target_rows, ids)
        lines = open(target).read().splitlines()
        for bad in ("3,NA,1,2,3", "3,1,2", "3,1,2,3,4,5", "3,,,,", '3,"1,2,3'):
            path = self.write("bad.csv", "\n".join([*lines[:4], bad, *lines[5:]]) + "\n")
            self.assertEqual(self.fit(path, "--group", "who")["privacy"]["target_rows"], 5)

    def test_a_line_of_any_length_stays_with_its_person(self):
        ids = [str(k % 5) for k in range(25)]
        for first in (True, False):
            target = self.grouped(self.target_rows, ids, first)
            lines = open(target).read().splitlines()
            for long in ("1," + 9 * 2**20 * "x", 9 * 2**20 * ","):
                lines[4] = "3," + long if first else long + ",3"
                path = self.write("long.csv", "\n".join(lines) + "\n")
                self.assertEqual(self.fit(path, "--group", "who")["privacy"]["target_rows"], 5)

    def test_long_numbers_are_other_persons(self):
        ids = [str(1234567890123456000 + k // 5) for k in range(25)]
        fit = self.fit(self.grouped(self.target_rows, ids), "--group", "who")
        self.assertEqual(fit["privacy"]["target_rows"], 5)

    def test_further_rows_of_a_person_are_left_out(self):
        ids = [str(k % 5) for k in range(25)]
        limit = ("--group", "who", "--set", "rows_per_person=5")
        fit = self.fit(self.grouped(self.target_rows, ids), *limit)
        more = self.fit(self.grouped(self.target_rows + [[9, 9, 9, -99]], ids + ["3"]), *limit)
        self.assertEqual(fit["coefficients"], more["coefficients"])

    def evaluate(self, model, data, *arguments):
        return json.loads(self.succeed("evaluate", "--model", model, "--data", data, *PRIVATE,
                                       *SEED, "--json", *arguments))

    def test_errors_are_those_of_persons(self):
        model = self.path("model.json")
        super().fit("--output", model)
        records = self.evaluate(model, self.target)
        each = self.grouped(self.target_rows, [str(k) for k in range(25)])
        persons = self.evaluate(model, each, "--group", "who")
        self.assertEqual(persons["measures"], records["measures"])
        self.assertEqual(persons["privacy"]["unit"], "person")
        self.assertEqual((records["rows"], persons["persons"]), (25, 25))
        self.assertNotIn("rows", persons)
        few = self.grouped(self.target_rows, [str(k % 5) for k in range(25)], False)
        found = self.evaluate(model, few, "--group", "who")
        self.assertEqual((found["persons"], found["privacy"]["target_rows"]), (5, 5))
        self.fail_with(2, "evaluate", "--model", model, "--data", few, *PRIVATE, "--group", "who",
                       "--rows", "25")

    def choice(self, target):
        return ("select", "--source", self.source, "--target", target, "--label", "y", *PRIVATE,
                *SEED, "--group", "who", "--set", "selection_epsilon=1", "--set",
                "selection_bound=9", "--grid", "metric_ridge=0.1,0.5", "--budget", "4,1e-3")

    def test_persons_may_choose_among_fits(self):
        target = self.grouped(self.target_rows, [str(k % 5) for k in range(25)])
        validation = self.write("validation.csv", Path(target).read_text())
        choice = self.choice(target)
        report = json.loads(self.succeed(*choice, "--validation", validation, "--json"))
        for part in (report["selection_privacy"], report["fit"]["privacy"]):
            self.assertEqual((part["unit"], part["target_rows"]), ("person", 5))
        self.assertNotIn("validation_rows", report)
        self.assertIn("--group", self.fail_with(2, *choice))

    def test_the_number_of_rows_of_those_who_choose_is_nowhere(self):
        target = self.grouped(self.target_rows, [str(k % 5) for k in range(25)])
        choice = self.choice(target)
        model, report, judges = map(self.path, ("model.json", "report.json", "judges.json"))
        found = []
        for rows in (1, 7):  # of the last person, all alike
            lines = [[str(k % 5), *row] for k, row in enumerate(self.target_rows[:20])]
            lines += rows * [["last", *self.target_rows[20]]]
            validation = self.write("validation.csv", csv_text(["who", *FEATURES, "y"], lines))
            said = [self.succeed(*choice, "--validation", validation, *more) for more in (
                ["--json"], ["--output", model, "--report", report, "--validation-report",
                             judges])]
            said += [Path(path).read_text() for path in (model, report, judges)]
            for text in said:
                self.assertNotRegex(text, fr"\b{len(lines)} (private|validation|rows)")
            self.assertIn("chosen by the rows of 6 persons", said[0])
            found.append(said)
        self.assertEqual(*found)

    def test_the_number_of_rows_is_not_told_where_they_cannot_be_divided(self):
        target = self.grouped(self.target_rows, [str(k % 5) for k in range(25)])
        for command in (("fit", "--holdout"), ("select", "--grid", "shrinkage=2,4",
                                               "--validation-share")):
            for share in ("0.0001", "0.3"):
                message = self.fail_with(2, *command, share, "--source", self.source, "--target",
                                         target, "--label", "y", *PRIVATE, "--group", "who")
                self.assertIn("with --group rows are not divided", message)
                self.assertNotIn("25", message)

    def test_a_fixed_alpha_has_its_discrepancy(self):
        target = self.grouped(self.target_rows, [str(k % 5) for k in range(25)])
        fit = self.fit(target, "--group", "who", "--set", "alpha=0.5")
        self.assertEqual([release["release"]["purpose"] for release in fit["privacy"]["releases"]]
                         .count("discrepancy"), 1)

    def test_usage_errors(self):
        ids = [str(k % 5) for k in range(25)]
        target = self.grouped(self.target_rows, ids)
        data = ("--source", self.source, "--target", target, "--label", "y", *PRIVATE)
        self.fail_with(2, "fit", *data, "--group", "y")
        self.fail_with(2, "fit", *data, "--group", "who", "--rows", "25")
        message = self.fail_with(2, "fit", *data, "--group", "who", "--memory", "1M")
        self.assertIn("--memory does not go with --group", message)
        self.fail_with(2, "select", *data, "--group", "who", "--set", "selection_epsilon=1")
        self.fail_with(2, "fit", *data, "--group", "who", "--holdout", "0.2")
        message = self.fail_with(2, "fit", *data, "--group", "who", "--set", "method=paper")
        self.assertIn("persons", message)
        self.fail_with(3, "fit", *data, "--group", "nobody")
        middle = self.write("middle.csv", csv_text(["x1", "who", "x2", "x3", "y"],
                                                   [[r[0], "1", *r[1:]] for r in self.target_rows]))
        message = self.fail_with(3, "fit", "--source", self.source, "--target", middle,
                                 "--label", "y", *PRIVATE, "--group", "who")
        self.assertIn("first or the last", message)


if __name__ == "__main__":
    unittest.main()

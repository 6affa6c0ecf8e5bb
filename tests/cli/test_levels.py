"""Levels are texts: which level, label or person a cell means, and what is told of others."""

import csv
import json
import os
import unittest
from collections import defaultdict
from pathlib import Path

from cli_case import NOT_PRIVATE, CliCase, csv_text

CASES = Path(os.environ["DPADAPT_SOURCE_DIR"]) / "tests/data/levels/cases.csv"


def cases():
    """The cells and their meanings of each column of levels; booleans are for others."""
    found = defaultdict(list)
    with open(CASES, newline="") as file:
        for line in csv.DictReader(file):
            if not line["cell"].startswith("<"):
                found[line["levels"]].append((line["cell"], line["means"]))
    return {tuple(levels.split("|")): cells for levels, cells in found.items()}


def rows_of(levels):
    return [[level, float(i % 5), 10.0 * k + i % 5]
            for k, level in enumerate(levels) for i in range(20 - k)]


class Levels(CliCase):
    def use(self, source, target, names=("level", "x", "y")):
        files = [self.write(name + ".csv", csv_text(list(names), rows))
                 for name, rows in (("source", source), ("target", target))]
        self.files = ("--source", files[0], "--target", files[1], "--label", names[-1])

    def test_the_file_of_cases(self):
        for levels, cells in cases().items():
            rows = rows_of(levels)
            self.use(rows, rows)
            model, _ = self.fit_model()
            data = self.write("cells.csv", csv_text(["level", "x"], [[c, 0.0] for c, _ in cells]))
            done = self.run_cli("predict", "--model", model, "--data", data)
            unknown = [cell.strip() for cell, means in cells if means == "unknown"]
            if unknown:
                self.assertIn(f"level: {len(unknown)} of {len(cells)} rows "
                              f"{'has' if len(unknown) == 1 else 'have'} a level that the "
                              f'schema does not know: "{unknown[0]}"', done.stderr)
            else:
                self.assertEqual(done.stderr, "")
            for (cell, means), line in zip(cells, done.stdout.split()[1:], strict=True):
                place = 0 if means == "unknown" else levels.index(means)
                with self.subTest(levels=levels, cell=cell):
                    self.assertAlmostEqual(float(line), 10 * place, delta=1)

    def test_a_rare_level_is_no_other_one(self):
        rows = rows_of(["Aa", "bb"]) * 60 + [["AA", 0.0, 0.0]]
        self.use(rows, rows)
        columns = self.fit()["schema"]["columns"]
        self.assertEqual((columns[0]["levels"], columns[0]["rare"]), (["Aa", "bb"], ["AA"]))

    def test_how_texts_match_is_told(self):
        rows = rows_of(["a", "b"])
        self.use(rows, rows)
        text = self.succeed("fit", *self.files, *NOT_PRIVATE)
        self.assertIn("capitals (A to Z) alone", " ".join(text.split()))

    def test_new_levels_of_a_public_target_are_counted(self):
        rows = rows_of(["A", "B"])
        new = [["C" if i % 3 == 0 else "A", float(i), 1.0 + i] for i in range(30)]
        note = 'level: 10 of 30 rows have a level that the schema does not know: "C"'
        self.use(rows, new)
        self.assertIn(note, " ".join(self.fit()["notes"]))
        model, _ = self.fit_model()
        done = self.run_cli("evaluate", "--model", model, "--data", self.path("target.csv"),
                            *NOT_PRIVATE)
        self.assertIn(note, done.stderr)
        one = [["source", *row] for row in rows] + [["target", *row] for row in new]
        data = self.write("one.csv", csv_text(["domain", "level", "x", "y"], one))
        self.files = ("--data", data, "--label", "y")
        self.assertIn(note, " ".join(self.fit()["notes"]))
        private = json.loads(self.succeed("fit", *self.files, "--set", "epsilon=1", "--set",
                                          "delta=1e-3", "--json"))
        self.assertNotIn("does not know", json.dumps(private))

    def test_every_call_tells_new_levels(self):
        rows = rows_of(["A", "B"])
        new = [["C" if i % 3 == 0 else "A", float(i % 7), 1.0 + i % 7] for i in range(60)]
        self.use(rows, new)
        note = 'level: 20 of 60 rows have a level that the schema does not know: "C"'
        again = self.write("again.csv", Path(self.path("source.csv")).read_bytes())
        known = ("--source", self.path("source.csv"), "--target", again, "--label", "y")
        unseen = self.path("target.csv")
        quick = ("--epsilons", "1", "--repeats", "1", "--sizes", "20")
        for call in (("discrepancy", *self.files), ("compare", *self.files),
                     ("rehearse", *self.files, *quick), ("inspect", *self.files)):
            with self.subTest(call[0]):
                self.assertIn(note, self.succeed(*call, *NOT_PRIVATE))
                report = json.loads(self.succeed(*call, *NOT_PRIVATE, "--json"))
                told = [one if isinstance(one, str) else one["note"]
                        for one in report.get("notes", report.get("found"))]
                self.assertTrue(any(note in one for one in told), told)
                self.assertNotIn("does not know", self.succeed(call[0], *known, *call[7:],
                                                               *NOT_PRIVATE))
        model, _ = self.fit_model()
        for call in (("compare", *known, "--test", unseen, *NOT_PRIVATE),
                     ("assess", *known, "--test", unseen, *NOT_PRIVATE),
                     ("select", *known, "--validation", unseen, "--grid", "alpha=0.1,0.5",
                      *NOT_PRIVATE),
                     ("calibrate", "--model", model, "--data", unseen, *NOT_PRIVATE, "--output",
                      self.path("sure.json")),
                     ("evaluate", "--model", model, "--data", again, "--source", unseen, "--set",
                      "epsilon=1", "--set", "delta=1e-3")):
            with self.subTest(call[0], call=call):
                done = self.run_cli(*call)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(note, done.stderr)
        private = self.succeed("discrepancy", *self.files, "--set", "epsilon=1", "--set",
                               "delta=1e-3")
        self.assertNotIn("does not know", private)

    def test_labels_that_differ_by_capitals_are_two_classes(self):
        rows = [["m" if i % 2 else "M", float(i % 7), "m" if i % 2 else "M"] for i in range(60)]
        self.use(rows, rows, ("level", "x", "sex"))
        labels = self.fit("--loss", "logistic")["schema"]["labels"]
        self.assertEqual(labels["names"], ["M", "m"])

    def test_classes_are_the_distinct_public_labels(self):
        for codes in ([10, 20, 30], [0, 50, 99]):
            rows = [["a", i % 3 + i % 7 / 10, str(codes[i % 3])] for i in range(90)]
            self.use(rows, rows, ("level", "x", "y"))
            report = self.fit("--loss", "softmax")
            self.assertEqual(report["schema"]["labels"]["names"], list(map(str, codes)))
            self.assertEqual(len(report["coefficients"]), 3)
            model, _ = self.fit_model("--loss", "softmax")
            done = self.succeed("predict", "--model", model, "--data", self.path("target.csv"))
            self.assertEqual(set(done.split()[1:]), set(map(str, codes)))

    def test_a_category_by_name_has_up_to_a_thousand_levels(self):
        rows = [[f"code {i % 200}", float(i % 5), float(i % 200)] for i in range(20000)]
        self.use(rows, rows)
        self.assertIn("200 different values in 20000 rows; half of the rows must be of 50 levels",
                      json.dumps(self.fit()["schema"]["dropped"]))
        column = self.fit("--categories", "level")["schema"]["columns"][0]
        self.assertEqual(len(column["levels"]), 200)
        self.use([[f"code {i}", row[1], row[2]] for i, row in enumerate(rows[:3000])], rows)
        message = self.fail_with(3, "fit", *self.files, *NOT_PRIVATE, "--categories", "level")
        self.assertIn('"level" of --categories is none', message)
        self.assertIn("1000 levels at most, with at least 10 rows each", message)

    def test_control_characters_of_levels_do_not_reach_the_terminal(self):
        rows = [f"{'a' if k % 2 else 'b' + chr(27) + '[31m'},{k % 7}" for k in range(60)]
        source, target = (self.write(name, "\n".join(["g,y", *rows]) + "\n")
                          for name in ("s.csv", "t.csv"))
        text = self.succeed("fit", "--source", source, "--target", target, "--label", "y", "--set",
                            "private_domain=none")
        self.assertNotIn(chr(27), text)
        self.assertIn("g=b\\x1b[31m", text)

    def test_ids_that_differ_in_spelling_are_one_person(self):
        def persons(spell):
            rows = [[float(i % 7), float(i % 7)] for i in range(300)]
            ids = [spell(i) for i in range(300)]
            self.use(rows, rows, ("x", "y"))
            target = self.write("persons.csv", csv_text(
                ["id", "x", "y"], [[name, *row] for name, row in zip(ids, rows)]))
            text = self.succeed("fit", "--source", self.path("source.csv"), "--target", target,
                                "--label", "y", "--group", "id", "--set", "epsilon=1", "--set",
                                "delta=1e-3", "--set", "unsafe_seed=3", "--json")
            return json.loads(text)["privacy"]["target_rows"]

        spellings = (lambda i: f"{'Pp'[i % 2]}{i // 3}", lambda i: f"{i // 3}{['', '.0'][i % 2]}",
                     lambda i: f"P{i // 3}{['', ' '][i % 2]}")
        for k, spell in enumerate(spellings):
            with self.subTest(k):
                self.assertEqual(persons(spell), 100)


if __name__ == "__main__":
    unittest.main()

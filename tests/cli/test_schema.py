"""Raw tables: texts, blanks, missing values, codings of labels, other separators."""

import json
import random
import unittest

from cli_case import ALPHA, NOT_PRIVATE, PRIVATE, SEED, CliCase, csv_text

COLOURS = ["red", "red", "red", "blue", "blue", "pink"]
DUMMIES = ["age", "age=(missing)", "colour=blue", "colour=pink"]


def people(count, shift, seed):
    """Rows id, age, colour, note, outcome."""
    generator = random.Random(seed)
    rows = []
    for k in range(count):
        age = round(generator.gauss(50 + shift, 10))
        colour = generator.choice(COLOURS)
        score = (age - 50) / 10 + (colour == "blue") - 0.3
        outcome = "dead" if score + generator.gauss(0, 1) > 0 else "live"
        shown = generator.choice(["", "NA", "nk"]) if generator.random() < 0.2 else str(age)
        rows.append([str(1000 + k), shown, colour, f"note {k}", outcome])
    return rows


NAMES = ["id", "age", "colour", "note", "outcome"]
LOSS = ("--label", "outcome", "--loss", "logistic", "--missing", "nk", "--positive", "dead")


class Raw(CliCase):
    def setUp(self):
        super().setUp()
        self.people = people(300, 0, 1)
        self.others = people(80, 5, 2)
        self.source = self.write("s.csv", csv_text(NAMES, self.people))
        self.target = self.write("t.csv", csv_text(NAMES, self.others))

    def raw(self, *arguments, command="fit", source=None, target=None):
        text = self.succeed(command, "--source", source or self.source, "--target",
                            target or self.target, *LOSS, *arguments, "--json")
        return json.loads(text)

    def with_target(self, rows, names=NAMES, name="changed.csv"):
        return self.write(name, csv_text(names, rows))

    def private(self, rows):
        """Noise may hide what few records tell; without shrinkage all of it is seen."""
        return self.raw(*PRIVATE, *ALPHA, *SEED, "--set", "shrinkage=0",
                        target=self.with_target(rows))

    def by_hand(self, rows, median):
        """The features as a user without a schema would write them."""
        result = []
        for _, age, colour, _, outcome in rows:
            missing = age in ("", "NA", "nk")
            result.append([median if missing else float(age), float(missing),
                           float(colour == "blue"), float(colour == "pink"),
                           1.0 if outcome == "dead" else -1.0])
        return result

    def tables_by_hand(self):
        ages = sorted(float(row[1]) for row in self.people if row[1] not in ("", "NA", "nk"))
        median = ages[len(ages) // 2]
        return [self.write(name, csv_text([*DUMMIES, "outcome"], self.by_hand(rows, median)))
                for name, rows in (("hs.csv", self.people), ("ht.csv", self.others))]


class Features(Raw):
    def test_a_raw_file_gives_the_fit_of_features_made_by_hand(self):
        source, target = self.tables_by_hand()
        files = ("--source", source, "--target", target, "--label", "outcome", "--loss", "logistic")
        for choice in (NOT_PRIVATE, (*PRIVATE, *SEED)):
            raw = self.raw(*choice)
            hand = json.loads(self.succeed("fit", *files, *choice, "--json"))
            self.assertEqual(raw["features"], DUMMIES)
            self.assertEqual((raw["coefficients"], raw["intercept"]),
                             (hand["coefficients"], hand["intercept"]))
            found = self.raw(*choice, command="discrepancy")
            self.assertEqual(found["value"], json.loads(
                self.succeed("discrepancy", *files, *choice, "--json"))["value"])

    def test_what_was_made_of_the_columns_is_printed_and_saved(self):
        model = self.path("model.json")
        report = self.raw(*NOT_PRIVATE, "--output", model)
        dropped = {column["name"]: column["reason"] for column in report["schema"]["dropped"]}
        self.assertIn("an id", dropped["id"])
        self.assertIn("300 different values", dropped["note"])
        with open(model, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["features"], report["features"])
        text = self.succeed("fit", "--source", self.source, "--target", self.target, *LOSS,
                            *NOT_PRIVATE)
        self.assertRegex(text, r"(?m)^  colour +category red \(reference\), blue, pink$")
        self.assertRegex(text, r"(?m)^  \(label\) +live is -1, dead is \+1; .* of dead$")
        self.assertRegex(text, r"(?m)^  note +not used: a text")

    def test_predictions_are_of_raw_rows_and_in_the_words_of_the_label(self):
        model = self.path("model.json")
        self.raw(*NOT_PRIVATE, "--output", model)
        source, target = self.tables_by_hand()
        plain = self.path("plain.json")
        self.succeed("fit", "--source", source, "--target", target, "--label", "outcome",
                     "--loss", "logistic", *NOT_PRIVATE, "--output", plain)
        rows = self.with_target([row[:4] for row in self.others], NAMES[:4])
        found, expected = [self.succeed("predict", "--model", fitted, "--data", data,
                                        "--probabilities").splitlines()[1:]
                           for fitted, data in ((model, rows), (plain, target))]
        words = {"-1": "live", "1": "dead"}
        self.assertEqual(found, [words[label] + "," + probability for label, probability in
                                 (line.split(",") for line in expected)])

    def test_selection_reads_its_rows_by_the_same_schema(self):
        rows = self.with_target(people(40, 5, 3))
        found = self.raw(*NOT_PRIVATE, "--grid", "alpha=0.1,0.9", "--validation", rows,
                         command="select")
        self.assertEqual(found["fit"]["features"], DUMMIES)
        self.assertEqual(found["validation_rows"], 40)

    def test_evaluation_reads_rows_by_the_schema_of_the_model(self):
        model, plain = self.path("model.json"), self.path("plain.json")
        self.raw(*NOT_PRIVATE, "--output", model)
        source, target = self.tables_by_hand()
        self.succeed("fit", "--source", source, "--target", target, "--label", "outcome",
                     "--loss", "logistic", *NOT_PRIVATE, "--output", plain)
        found, expected = [json.loads(self.succeed(
            "evaluate", "--model", fitted, "--data", data, *NOT_PRIVATE, "--json"))
            for fitted, data in ((model, self.target), (plain, target))]
        self.assertEqual(json.dumps(found).replace(model, plain), json.dumps(expected))
        other = self.path("other.json")
        self.succeed("fit", "--source", self.source, "--target", self.target, "--label", "outcome",
                     "--loss", "logistic", "--missing", "nk", *NOT_PRIVATE, "--output", other)
        self.assertIn("another coding of columns and labels", self.fail_with(
            3, "evaluate", "--model", model, "--model", other, "--data", self.target,
            *NOT_PRIVATE))

    def test_the_public_sample_alone_teaches(self):
        self.others[0][2] = "a colour of the target"
        for row in self.others:
            row[1] = "" if row[1] == "60" else row[1]
        found = self.raw(*PRIVATE, target=self.with_target(self.others))
        self.assertEqual(found["schema"], self.raw(*PRIVATE)["schema"])
        turned = self.raw(*PRIVATE, "--set", "private_domain=source", source=self.target,
                          target=self.source)
        self.assertEqual(turned["schema"], found["schema"])


class Codings(Raw):
    def recoded(self, rows, words):
        return [[*row[:4], words[row[4]]] for row in rows]

    def test_every_usual_coding_of_a_private_label_gives_the_same_fit(self):
        self.source = self.write("s.csv", csv_text(NAMES, self.recoded(
            self.people, {"live": "-1", "dead": "1"})))
        found = []
        for live, dead in (("-1", "1"), ("0", "1"), ("no", "yes"), ("FALSE", "TRUE"), ("N", "Y")):
            rows = self.with_target(self.recoded(self.others, {"live": live, "dead": dead}))
            found.append(self.succeed("fit", "--source", self.source, "--target", rows, "--label",
                                      "outcome", "--missing", "nk", "--loss", "logistic", *PRIVATE,
                                      *SEED, "--json"))
        self.assertEqual(found, found[:1] * 5)

    def test_letters_may_be_large(self):
        rows = self.recoded(self.others, {"live": "LIVE", "dead": " Dead"})
        rows = [[*row[:2], row[2].upper(), *row[3:]] for row in rows]
        self.assertEqual(self.private(rows), self.private(self.others))

    def test_a_private_coding_that_is_unknown_is_told_to_the_custodian_alone(self):
        rows = self.with_target(self.recoded(self.others, {"live": "l", "dead": "d"}))
        silent = self.run_cli("fit", "--source", self.source, "--target", rows, *LOSS, *PRIVATE)
        self.assertEqual((silent.returncode, silent.stderr), (0, ""))
        found = self.raw(*PRIVATE, command="inspect", target=rows)
        self.assertEqual(found["files"]["target"]["columns"]["outcome"], {"unknown label": 80})

    def test_several_classes_keep_their_names(self):
        words = {"live": "C", "dead": "A"}
        for rows, name in ((self.people, "s.csv"), (self.others, "t.csv")):
            rows = [[*row[:4], "B" if row[2] == "pink" else words[row[4]]] for row in rows]
            self.write(name, csv_text(NAMES, rows))
        model = self.path("model.json")
        self.succeed("fit", "--source", self.source, "--target", self.target, "--label", "outcome",
                     "--missing", "nk", "--loss", "softmax", *NOT_PRIVATE, "--output", model)
        lines = self.succeed("predict", "--model", model, "--data", self.target,
                             "--probabilities").splitlines()
        self.assertEqual(lines[0], "prediction,probability_A,probability_B,probability_C")
        self.assertEqual({line.split(",")[0] for line in lines[1:]}, {"A", "B", "C"})


class PrivateCells(Raw):
    """One odd cell changes its own record as a missing value does, and nothing else."""

    def test_odd_cells_are_missing_values(self):
        base = [list(row) for row in self.others]
        base[7][1], base[7][2] = "", "red"
        expected = self.private(base)
        for age, colour in (("x", "red"), ("1e999", ""), ("inf", "green"), ("1;5", "1"),
                            ("0x1", "\x01")):
            base[7][1], base[7][2] = age, colour
            with self.subTest(age=age, colour=colour):
                self.assertEqual(self.private(base), expected)
        base[7][4] = "undead"
        null = self.private(base)
        self.assertNotEqual(null, expected)
        for cells in (["1"], ["1"] * 9, ["", "60", "red", "", ""]):
            self.assertEqual(self.private([*base[:7], cells, *base[8:]]), null)

    def test_plans_and_messages_are_the_same(self):
        odd = [["x", "y", "z", "", "q"]] * len(self.others)
        for command in ("plan", "fit"):
            runs = [self.run_cli(command, "--source", self.source, "--target",
                                 self.with_target(rows), *LOSS, *PRIVATE)
                    for rows in (self.others, odd)]
            self.assertEqual((runs[0].returncode, runs[0].stderr),
                             (runs[1].returncode, runs[1].stderr))
        self.assertEqual(*[self.raw(*PRIVATE, command="plan", target=self.with_target(rows))
                           for rows in (self.others, odd)])


class Separators(Raw):
    def written(self, name, rows, separator, decimal):
        text = csv_text(NAMES, [[row[0], row[1] and row[1].replace(".", decimal), *row[2:]]
                                for row in rows])
        self.assertNotIn('"', text)
        if decimal == ",":
            text = "\n".join(separator.join(cells) for cells in
                             [NAMES, *[[r[0], r[1].replace(".", ","), *r[2:]] for r in rows]])
            return self.write(name, text + "\n")
        return self.write(name, text.replace(",", separator))

    def test_semicolons_tabs_and_decimal_commas(self):
        for rows in (self.people, self.others):
            for row in rows:
                row[1] += ".25" if row[1].isdigit() else ""
        self.source = self.write("s.csv", csv_text(NAMES, self.people))
        self.target = self.write("t.csv", csv_text(NAMES, self.others))
        for choice in (NOT_PRIVATE, (*PRIVATE, *ALPHA, *SEED)):
            expected = self.raw(*choice)
            for separator, decimal in ((";", ","), (";", "."), ("\t", ","), ("\t", ".")):
                with self.subTest(separator=separator, decimal=decimal):
                    source = self.written("s2.csv", self.people, separator, decimal)
                    target = self.written("t2.csv", self.others, separator, decimal)
                    self.assertEqual(self.raw(*choice, source=source, target=target), expected)
                    self.assertEqual(self.raw(*choice, target=target), expected)

    def test_standard_input(self):
        expected = self.raw(*NOT_PRIVATE)
        for flag, name in (("--source", "s.csv"), ("--target", "t.csv")):
            files = {"--source": self.source, "--target": self.target} | {flag: "-"}
            with open(self.path(name), encoding="utf-8") as file:
                text = self.succeed("fit", *[word for pair in files.items() for word in pair],
                                    *LOSS, *NOT_PRIVATE, "--json", stdin=file)
            self.assertEqual(json.loads(text), expected)
        self.assertIn("cannot both be standard input", self.fail_with(
            2, "fit", "--source", "-", "--target", "-", *LOSS))


class Complaints(Raw):
    def reject(self, *arguments):
        done = self.run_cli("fit", "--source", self.source, "--target", self.target, "--label",
                            "outcome", *NOT_PRIVATE, *arguments)
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        return done.stderr

    def test_all_columns_and_ten_cells_are_named_at_once(self):
        message = self.reject("--loss", "logistic")
        self.assertEqual(message.count('(age): "nk" is not a number'), 10)
        self.assertRegex(message, r"and \d+ more")
        self.assertIn("--missing WORD", message)
        for k in range(3):
            self.people[k][4] = "unsure"
            self.people[k][1] = "old"
        self.write("s.csv", csv_text(NAMES, self.people))
        message = self.reject("--loss", "logistic", "--missing", "nk")
        self.assertEqual(message.count('"old" is not a number'), 3)
        self.assertIn('the labels are "dead", "live", "unsure"', message)

    def test_text_labels_point_to_the_losses_of_classes(self):
        message = self.reject("--missing", "nk")
        self.assertIn('(outcome): "dead" is not a number', message)
        self.assertRegex(message, r"\Adpadapt: [^\n]*--loss logistic[^\n]*:\n")

    def test_words_that_are_not_there(self):
        self.assertIn('"alive" is not among the labels "live", "dead"',
                      self.reject("--loss", "logistic", "--missing", "nk", "--positive", "alive")
                      .replace('"dead", "live"', '"live", "dead"'))
        self.assertIn('no feature is called "colours"',
                      self.reject("--loss", "logistic", "--categories", "colours"))

    def test_numbers_become_categories_on_demand(self):
        for row in [*self.people, *self.others]:
            row[1] = row[1][:1] + "0" if row[1].isdigit() else row[1]
        self.people[0][1] = "120"
        self.write("s.csv", csv_text(NAMES, self.people))
        self.write("t.csv", csv_text(NAMES, self.others))
        found = self.raw(*NOT_PRIVATE, "--categories", "age", "--features", "age")["features"]
        self.assertEqual(found[-1], "age=(missing)")
        self.assertIn("age=60", found)
        self.assertNotIn("age=120", found)
        self.assertIn("a column of --features is none: note: a text",
                      self.reject("--loss", "logistic", "--missing", "nk", "--features",
                                  "age,note"))

    def test_public_rows_without_a_label_are_left_out(self):
        expected = self.raw(*NOT_PRIVATE)
        for row in ("2000,50,red,x,", "2000,60,blue,y,NA"):
            self.source = self.write("s.csv", csv_text(NAMES, self.people) + row + "\n")
            found = self.raw(*NOT_PRIVATE)
            self.assertEqual(found["coefficients"], expected["coefficients"])


if __name__ == "__main__":
    unittest.main()

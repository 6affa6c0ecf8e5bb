"""Whether an option that is set changes the result, or the call says that it does not.

Made from the table of options: each value of each option, in each kind of fit.
"""

import json
import re
import unittest

from cli_case import NOT_PRIVATE, SEED, CliCase, budget, csv_text, linear_rows

NAMES = ["x1", "x2", "x3", "y"]
# Of no effect on any result, or on none that these samples have.
ELSEWHERE = {
    "threads": "results do not depend on it",
    "row_weight_bound": "for weights of rows",
    "unit": "for rows of persons",
    "inference": "auto is one of its words",
    "own_columns": "for columns that the source lacks",
    "start_seed": "for draws that these samples are too small to need",
    "tolerance": "these fits end below it",
    "optimizer": "the same optimum",
    "form": "the same objective by its other name",
    "discrepancy_side": "the two sides are alike here",
    "discrepancy_method": "the same maximum",
    "centers": "no more than there are rows",
    "rounds": "boosting ends before",
    "iterations": "these fits end before",
    "softmax_sharpness": "where lambda_inf = 0",
    "shrinkage": "the domains differ by far more than noise",
    "prediction_range": "none is auto without privacy",
}

# Whose options may be in the same object.
OTHERS = {"evaluations", "selections", "forecasts"}


def values(option):
    """Words and numbers that the option takes."""
    for part in re.findall(r"[\[(][^\])]*[\])]|\w+", option["values"]):
        if part[0] in "[(":
            low, high = (float(end) for end in part[1:-1].split(","))
            width = min(10.0, high - low)
            for number in (low + 0.3 * min(1.0, width), low + 0.6 * width):
                yield str(int(number) + 1) if option["type"] == "integer" else f"{number:.4g}"
        elif part == "numbers":
            yield "3"
        elif part != option["default"]:
            yield part


class Unread(CliCase):
    def setUp(self):
        super().setUp()
        target = self.write("many.csv", csv_text(NAMES, linear_rows(300, 0.5, 2)))
        self.numbers = ("--source", self.source, "--target", target, "--label", "y")
        classes = []
        for name, rows in (("s", linear_rows(60, 0, 1)), ("t", linear_rows(300, 0.5, 2))):
            for row in rows:
                row[-1] = 1 if row[-1] + row[0] * row[1] > 0.5 else -1
            classes.append(self.write(name + ".csv", csv_text(NAMES, rows)))
        self.classes = ("--source", classes[0], "--target", classes[1], "--label", "y",
                        "--set", "loss=logistic")
        self.options = json.loads(self.succeed("options", "--all", "--json"))
        self.names = {option["name"] for option in self.options}

    def stripped(self, value):
        """Without what only repeats the options."""
        if isinstance(value, list):
            return [self.stripped(item) for item in value]
        if not isinstance(value, dict):
            return value
        left_out = {"options", "notes", "finding_codes", "statement", "discrepancy"}
        if "radius" in value:
            left_out |= self.names
        return {key: self.stripped(item) for key, item in value.items() if key not in left_out}

    def outcome(self, arguments):
        """Result and findings; None where the call is refused."""
        done = self.run_cli(*arguments, "--json")
        if done.returncode != 0:
            self.assertIn(done.returncode, (1, 2, 3), done.stderr)
            return None
        report = json.loads(done.stdout)
        return self.stripped(report), "\n".join(report["notes"])

    def check(self, *arguments):
        """Values of each option until one changes the result, or is said not to."""
        plain, _ = self.outcome(arguments)
        silent, false = [], []
        for option in self.options:
            name = option["name"]
            given = any(word.startswith(name + "=") for word in arguments)
            if given or name in ELSEWHERE or OTHERS & set(option["readers"].split(", ")):
                continue
            found = None
            for value in sorted(set(values(option)) - {option["default"]}):
                found = self.outcome((*arguments, "--set", f"{name}={value}")) or found
                if found is not None and (found[0] != plain or name in found[1]):
                    break
            if found is None or f"ption {name} was set, but it changes nothing but" in found[1]:
                continue
            is_told = re.search(f"ption {name} (was set, but|is for) ", found[1]) is not None
            if is_told == (found[0] != plain):
                (false if is_told else silent).append(name)
        with self.subTest(arguments):
            self.assertEqual((silent, false), ([], []))

    def test_fits_without_privacy(self):
        self.check("fit", *self.numbers, *NOT_PRIVATE)
        self.check("fit", *self.numbers, *NOT_PRIVATE, "--set", "alpha=0.5")
        self.check("fit", *self.classes, *NOT_PRIVATE)

    def test_private_fits(self):
        for domain in ("target", "source"):
            self.check("fit", *self.numbers, *budget(), *SEED, "--set", "private_domain=" + domain)
        self.check("fit", *self.classes, *budget(), *SEED)

    def test_private_fits_of_a_given_alpha(self):
        self.check("fit", *self.numbers, *budget(), *SEED, "--set", "alpha=0.5")
        self.check("fit", *self.classes, *budget(), *SEED, "--set", "alpha=0.5", "--set",
                   "lambda_1=0.7")

        self.check("fit", *self.numbers, *budget(), *SEED, "--set", "alpha=1", "--set",
                   "kappa_1=2")

    def test_the_papers_method(self):
        self.check("fit", *self.numbers, *budget(), *SEED, "--set", "alpha=0.5", "--set",
                   "method=paper", "--set", "iterations=30")

    def test_baselines(self):
        for method in ("pooled", "kmm", "rulsif"):
            self.check("baseline", method, *self.numbers, *NOT_PRIVATE)
        self.check("baseline", "best", *self.classes, *NOT_PRIVATE, "--set", "lambda_1=0.7")
        for method in ("ada_ssp", "public_ssp", "noisy_sgd"):
            self.check("baseline", method, *self.numbers, *budget(), *SEED)

    def test_evaluations_refuse_what_is_for_fits(self):
        model = self.path("fitted.json")
        self.succeed("fit", *self.numbers, *NOT_PRIVATE, "--output", model)
        rows = ("--model", model, "--data", self.target, "--label", "y")
        for privacy, words in (("public", NOT_PRIVATE), ("private", budget())):
            read = {"every call", f"{privacy} calls", "evaluations", f"{privacy} evaluations"}
            for option in self.options:
                for value in values(option):
                    done = self.run_cli("evaluate", *rows, *words, "--set",
                                        f"{option['name']}={value}")
                    if read & set(option["readers"].split(", ")):
                        self.assertNotIn("evaluations", done.stderr)
                    else:
                        self.assertIn(f"option {option['name']} is for ", done.stderr)

    def test_a_search_does_not_say_that_its_options_are_not_read(self):
        text = self.succeed("select", *self.classes, *NOT_PRIVATE, "--grid", "alpha=0.1,0.5",
                            "--set", "selection_loss=logistic")
        self.assertNotIn("selection_loss", text)
        text = self.succeed("fit", *self.numbers, *NOT_PRIVATE, "--holdout", "0.3", "--set",
                            "confidence=0.5", "--set", "bound_quantile=0.5")
        self.assertNotIn("read", text)

    def test_a_discrepancy_moves_no_fit_that_keeps_its_weights(self):
        for loss in ("huber", "pinball"):
            made = ("fit", *self.numbers, *NOT_PRIVATE, "--loss", loss, "--set", "alpha=0.3")
            plain, _ = self.outcome(made)
            found, notes = self.outcome((*made, "--set", "discrepancy=0.3"))
            self.assertEqual(found["coefficients"], plain["coefficients"])
            self.assertIn("option discrepancy was set, but it changes nothing but the objective",
                          notes)
        self.assertNotIn("option discrepancy", self.outcome(
            ("fit", *self.numbers, *NOT_PRIVATE, "--set", "discrepancy=0.3"))[1])

    def test_rows_per_person_needs_persons(self):
        text = self.succeed("fit", *self.numbers, *budget(), *SEED, "--set", "rows_per_person=2")
        self.assertIn("option rows_per_person was set, but it changes nothing", text)

    def test_numbers_have_no_positive_label(self):
        self.assertIn("positive = 5 changes nothing", self.succeed(
            "fit", *self.numbers, *NOT_PRIVATE, "--positive", "5"))

    def test_discrepancies_refuse_what_is_for_others(self):
        for option in ("epochs=3", "unsafe_seed=1", "discrepancy_share=0.5"):
            self.assertIn(", not for public discrepancies", self.fail_with(
                2, "discrepancy", *self.numbers, *NOT_PRIVATE, "--set", option))


if __name__ == "__main__":
    unittest.main()

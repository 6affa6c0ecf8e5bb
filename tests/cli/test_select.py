import csv
import gzip
import json
import os
import re
import unittest
from pathlib import Path

from cli_case import FEATURES, NOT_PRIVATE, SEED, CliCase, csv_text, linear_rows
from pages import drawn, needs_node

WIND = Path(os.environ["DPADAPT_SOURCE_DIR"]) / "tests" / "data" / "wind.csv.gz"


def error(lines, labels):
    return sum((float(p) - y) ** 2 for p, y in zip(lines, labels, strict=True)) / len(labels)


class Select(CliCase):
    def setUp(self):
        super().setUp()
        self.validation_rows = linear_rows(30, 0.5, 3)
        self.validation = self.write("validation.csv",
                                     csv_text(["y"] + FEATURES,
                                               [r[3:] + r[:3] for r in self.validation_rows]))

    def select(self, *arguments):
        return json.loads(self.succeed("select", *self.files, "--json", *arguments))

    def predictions(self, model, data):
        return self.succeed("predict", "--model", model, "--data", data).splitlines()[1:]

    def test_the_loop_by_hand_chooses_the_same(self):
        labels = [row[3] for row in self.validation_rows]
        losses = []
        for alpha in ("0", "0.5", "0.9"):
            for radius in ("0.5", "auto"):
                model, _ = self.fit_model("--set", f"alpha={alpha}", "--set", f"radius={radius}")
                losses.append(error(self.predictions(model, self.validation), labels))
        output = self.path("best.json")
        report = self.select(*NOT_PRIVATE, "--validation", self.validation, "--output", output,
                             "--grid", "alpha=0,0.5,0.9", "--grid", "radius=0.5,auto")
        for candidate, loss in zip(report["candidates"], losses, strict=True):
            self.assertAlmostEqual(candidate["loss"] / loss, 1, places=9)
            self.assertEqual(candidate["status"], "DPA_OK")
        self.assertEqual(report["chosen"], losses.index(min(losses)))
        self.assertEqual(report["settings"], report["candidates"][report["chosen"]]["settings"])
        found = error(self.predictions(output, self.validation), labels)
        self.assertAlmostEqual(found, min(losses))

    def test_weights_of_public_rows_decide(self):
        """Rows that only one of two fits predicts well have all the weight, or none."""
        fits = [self.predictions(self.fit_model("--set", f"alpha={alpha}")[0], self.validation)
                for alpha in ("0", "0.9")]
        labels = [row[3] for row in self.validation_rows]
        better = [abs(float(a) - y) < abs(float(b) - y) for a, b, y in zip(*fits, labels)]
        self.assertTrue(any(better) and not all(better))
        for chosen in range(2):
            data = self.write("weighed.csv", csv_text([*FEATURES, "w", "y"], [
                [*row[:3], int(good == (chosen == 0)), row[3]]
                for row, good in zip(self.validation_rows, better)]))
            source = self.write("even.csv", csv_text([*FEATURES, "w", "y"], [
                [*row[:3], 1, row[3]] for row in self.source_rows]))
            report = json.loads(self.succeed(
                "select", "--source", source, "--target", self.target, "--label", "y", "--json",
                "--weight", "w", *NOT_PRIVATE, "--validation", data, "--grid", "alpha=0,0.9"))
            self.assertEqual(report["chosen"], chosen)
            self.assertNotIn("notes", report)

    def test_the_protocol_of_the_paper_on_wind(self):
        """Rows 0 .. 6 of every nine target rows train and 7, 8 choose; the same loop by fit and
        predict."""
        with gzip.open(WIND, "rt") as file:
            names, *rows = csv.reader(file)
        target = [row for row in rows if row[0] == "target"][:360]
        source = [row for row in rows if row[0] == "source"]
        parts = {"source": source, "train": [r for i, r in enumerate(target) if i % 9 < 7],
                 "validation": [r for i, r in enumerate(target) if i % 9 >= 7]}
        paths = {name: self.write(f"{name}.csv", csv_text(names, part))
                 for name, part in parts.items()}
        files = ("--source", paths["source"], "--target", paths["train"], "--label", "MAL",
                 "--ignore", "domain,year,month,day", *NOT_PRIVATE, "--set", "kappa_1=1e6",
                 "--set", "discrepancy=0")
        labels = [float(row[-1]) for row in parts["validation"]]
        losses = {}
        for alpha in ("0.1", "0.5", "0.9"):
            for radius in ("3", "5", "20"):
                self.succeed("fit", *files, "--set", f"alpha={alpha}", "--set", f"radius={radius}",
                             "--output", self.path("one.json"))
                losses[alpha, radius] = error(
                    self.predictions(self.path("one.json"), paths["validation"]), labels)
        report = json.loads(self.succeed("select", *files, "--validation",
                                         paths["validation"], "--json",
                                         "--grid", "alpha=0.1,0.5,0.9", "--grid", "radius=3,5,20"))
        self.assertEqual(report["validation_rows"], 80)
        for candidate, loss in zip(report["candidates"], losses.values(), strict=True):
            self.assertAlmostEqual(candidate["loss"] / loss, 1, places=9)
        best = min(losses, key=losses.get)
        self.assertEqual(report["settings"], {"alpha": best[0], "radius": best[1]})

    def test_a_share_of_the_target_is_kept(self):
        grid = ("--grid", "ridge=0,1", "--method", "target_only")
        report = self.select(*NOT_PRIVATE, *grid)
        self.assertEqual(report["validation_rows"], 6)  # 2/9 of 25
        self.assertEqual(self.select(*NOT_PRIVATE, *grid), report)
        other = self.select(*NOT_PRIVATE, *grid, "--seed", "2")
        self.assertNotEqual(other["candidates"], report["candidates"])
        half = self.select(*NOT_PRIVATE, *grid, "--validation-share", "0.5")
        self.assertIn(half["validation_rows"], (12, 13))
        self.fail_with(2, "select", *self.files, *NOT_PRIVATE, *grid, "--validation-share", "0.001")

    def test_text_marks_the_chosen(self):
        text = self.succeed("select", *self.files, *NOT_PRIVATE, "--grid", "alpha=0,0.5")
        marked = [line for line in text.splitlines() if line.startswith("* ")]
        self.assertEqual(len(marked), 1)
        self.assertIn("alpha=", marked[0])
        self.assertIn("Coefficients", text)

    def test_text_tells_why_a_candidate_was_left_out(self):
        text = self.succeed("select", *self.files, *NOT_PRIVATE, "--loss", "huber", "--grid",
                            "form=convex,general")
        self.assertRegex(text, r"  form=convex  DPA_E_OPTION: .* needs the squared loss.*\n"
                               r"\* form=general  loss [0-9.]+\n")

    @needs_node
    def test_pages_draw_many_releases_and_the_selection(self):
        """Twelve bars at most, and of the validation rows the choice, which is all of its part."""
        fits, choice = self.path("fits.html"), self.path("choice.html")
        small = ",".join(f"{0.001 * k:g}" for k in range(1, 14))
        self.select("--set", "epsilon=1", "--set", "delta=1e-5", "--set", "selection_epsilon=300",
                    "--set", "selection_bound=4", "--grid", f"radius={small},10", *SEED, "--budget",
                    "50,1e-2", "--report", fits, "--validation-report", choice)
        releases, choices = (drawn(Path(page).read_text()).rsplit("What was released.", 1)[1]
                             .split("</figure>")[0] for page in (fits, choice))
        self.assertRegex(releases, r">and \d+ more<")
        self.assertEqual(releases.count('class="whole"'), 12)
        whole, paid = (re.search(f'class="{kind}" x="0" y="[0-9.]+" width="([0-9.]+)"', choices)[1]
                       for kind in ("whole", "paid"))
        self.assertEqual(whole, paid)

    def test_private_selection_shows_the_index_and_the_prices(self):
        private = ("--set", "epsilon=1", "--set", "delta=1e-5", "--set", "selection_epsilon=0.5",
                   "--set", "selection_bound=4", "--grid", "shrinkage=2,3", *SEED)
        message = self.fail_with(6, "select", *self.files, *private)
        self.assertIn("--budget EPSILON,DELTA fixes a larger budget", message)
        path = self.path("rows.json")
        text = self.succeed("select", *self.files, *private, "--budget", "2,1e-5")
        self.assertEqual(text.count("loss not released"), 2)
        self.assertIn("one of the two prices, not both", text)
        report = self.select(*private, "--budget", "2,1e-5", "--validation-report", path)
        self.assertEqual([c["loss"] for c in report["candidates"]], [None, None])
        spent = json.loads(Path(path).read_text())["spent"]
        self.assertEqual((spent["pure_epsilon"], spent["mu"]), (0.5, 0))
        self.assertEqual(report["selection_privacy"]["spent"], spent)
        self.assertGreater(report["fit"]["privacy"]["spent"]["mu"], 0)

    def test_bad_private_rows_are_not_complained_about(self):
        rows = csv_text(FEATURES + ["y"], self.validation_rows) + "nan,1,inf,secret\n1\n"
        path = self.write("bad.csv", rows)
        private = ("--set", "epsilon=1", "--set", "delta=1e-5", "--set", "selection_epsilon=0.5",
                   "--set", "selection_bound=4", *SEED, "--validation", path)
        self.assertEqual(self.select(*private)["validation_rows"], 32)
        self.fail_with(3, "select", *self.files, *NOT_PRIVATE, "--validation", path)
        self.fail_with(2, "select", *self.files, *NOT_PRIVATE, "--validation", self.target)

    def test_wrong_arguments(self):
        base = ("select", *self.files, *NOT_PRIVATE)
        for wrong, word in ((("--grid", "alpha"), "key=a,b,c"),
                            (("--grid", "nonsense=1"), "nonsense"),
                            (("--grid", "alpha=2"), "alpha"),
                            (("--method", "nonsense"), "nonsense"),
                            (("--validation", self.validation, "--validation-share", "0.5"),
                             "valid")):
            self.assertIn(word, self.fail_with(2, *base, *wrong))


if __name__ == "__main__":
    unittest.main()

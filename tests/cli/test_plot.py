"""--plot: SVG files that are whole, with a mark for every number, in its place."""

import json
import math
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from cli_case import FEATURES, NOT_PRIVATE, PRIVATE, SEED, CliCase, csv_text, linear_rows

SVG = "{http://www.w3.org/2000/svg}"


class Picture:
    """The marks of a drawing, by name and class."""

    def __init__(self, path):
        self.root = ElementTree.parse(path).getroot()
        self.width, self.height = (float(self.root.get(side)) for side in ("width", "height"))

    def marks(self, name, kind):
        return [m for m in self.root.iter(SVG + name) if m.get("class") == kind]

    def pointed(self, name, kind):
        """Those that tell their numbers: the others belong to legends and axes."""
        return [m for m in self.marks(name, kind) if m.find(SVG + "title") is not None]

    def words(self):
        return [text.text for text in self.root.iter(SVG + "text")]


def places(marks, *names):
    return [tuple(float(mark.get(name)) for name in names) for mark in marks]


def on_a_line(pairs):
    """Whether places are one linear function of values, up to the digits of a place."""
    (a, b), (c, d) = min(pairs), max(pairs)
    slope = (d - b) / (c - a)
    return all(abs(b + slope * (value - a) - place) < 0.11 for value, place in pairs), slope


class Plot(CliCase):
    def check_whole(self, picture):
        self.assertEqual(picture.root.tag, SVG + "svg")
        self.assertIsNotNone(picture.root.find(SVG + "title").text)
        self.assertIsNotNone(picture.root.find(SVG + "desc").text)
        for mark in picture.root.iter():
            for side, names in ((picture.width, ("x", "x1", "x2", "cx")),
                                (picture.height, ("y", "y1", "y2", "cy"))):
                for name in names:
                    if mark.get(name):
                        self.assertTrue(0 <= float(mark.get(name)) <= side, (mark.attrib, side))

    def draw(self, *arguments):
        path = self.path("picture.svg")
        report = json.loads(self.succeed(*arguments, "--json", "--plot", path))
        picture = Picture(path)
        self.check_whole(picture)
        return report, picture

    def forecast(self, *arguments):
        return self.draw("plan", "--forecast", "--source", self.source, "--label", "y",
                         "--target-rows", "40", "--set", "forecast_repeats=2", *arguments)

    def test_a_forecast_has_a_mark_for_every_error_in_its_place(self):
        report, picture = self.forecast()
        cells = report["forecast"]
        shifts = sorted({cell["shift"] for cell in cells})
        ordered = [cell for shift in shifts for cell in cells if cell["shift"] == shift]
        ranges = places(picture.pointed("line", "private"), "x1", "y1", "y2")
        self.assertEqual(len(ranges), len(cells))
        panel = len(cells) // len(shifts)
        heights = []
        for first in range(0, len(cells), panel):
            own = ordered[first:first + panel]
            values = []
            for method in ("private", "source_only", "target_only"):
                dots = places(picture.marks("circle", method)[first:first + panel], "cx", "cy")
                values += [(cell[method], y) for cell, (_, y) in zip(own, dots)]
                straight, slope = on_a_line([(math.log(cell["epsilon"]), x)
                                             for cell, (x, _) in zip(own, dots)])
                self.assertTrue(straight and slope > 0)
            for cell, (_, low, high) in zip(own, ranges[first:first + panel]):
                values += [(cell["private_lower"], low), (cell["private_upper"], high)]
            straight, slope = on_a_line(values)
            self.assertTrue(straight and slope < 0)
            heights.append(slope)
        self.assertAlmostEqual(min(heights) / max(heights), 1, delta=0.05)  # panels can be compared
        self.assertEqual(len(picture.marks("polyline", "private")), len(shifts))
        for shift in shifts:
            self.assertIn(f"domains differ by {shift:g}", picture.words())
        self.assertIn("The learning bound says nothing in 16 of 16 cells.", picture.words())

    def test_one_cell_is_a_picture_too(self):
        report, picture = self.forecast(*PRIVATE, "--set", "forecast_shifts=1")
        self.assertEqual(len(report["forecast"]), 1)
        self.assertEqual(len(picture.marks("circle", "private")), 1)

    def check_intervals(self, measures, picture, kinds):
        """All dots and lines of a measure lie on its axis."""
        dots = {kind: iter(places(picture.pointed("circle", kind), "cx")) for kind in kinds}
        lines = {kind: iter(places(picture.pointed("line", kind), "x1", "x2")) for kind in kinds}
        models = list(dict.fromkeys(m.get("model", "") for m in measures))
        for name in dict.fromkeys(m["name"] for m in measures):
            pairs = []
            for measure in measures:
                if measure["name"] != name:
                    continue
                kind = kinds[models.index(measure.get("model", ""))]
                pairs.append((measure["estimate"], next(dots[kind])[0]))
                pairs += zip((measure["lower"], measure["upper"]), next(lines[kind]))
            straight, slope = on_a_line(pairs)
            self.assertTrue(straight and slope > 0, name)
        return dots, lines

    def test_an_evaluation_has_an_interval_for_every_measure_of_every_model(self):
        models = [self.path("first & <best>.json"), self.path("second.json")]
        for model, seed in zip(models, ("5", "6")):
            self.succeed("fit", *self.files, *PRIVATE, "--set", f"unsafe_seed={seed}",
                         "--output", model)
        data = self.write("rows.csv", csv_text(FEATURES + ["y"], linear_rows(900, 0.5, 3)))
        report, picture = self.draw("evaluate", "--model", models[0], "--model", models[1],
                                    "--data", data, *PRIVATE, *SEED)
        measures = report["measures"]
        self.assertTrue(any(m["name"].endswith("_difference") for m in measures))
        dots, lines = self.check_intervals(measures, picture, ("first", "second"))
        for rest in (*dots.values(), *lines.values()):
            self.assertEqual(list(rest), [])
        self.assertEqual(len(picture.marks("circle", "third")), 0)
        self.assertTrue(any("first & <best>.json" in (words or "") for words in picture.words()))

    def test_classes_have_their_calibration(self):
        rows = [row[:3] + [1.0 if row[3] > 1 else -1.0] for row in linear_rows(1500, 0.2, 4)]
        table = self.write("classes.csv", csv_text(FEATURES + ["y"], rows))
        model = self.path("classes.json")
        self.succeed("fit", "--source", table, "--target", table, "--label", "y", "--set",
                     "loss=logistic", *NOT_PRIVATE, "--output", model)
        for privacy in (NOT_PRIVATE, (*PRIVATE, *SEED)):
            report, picture = self.draw("evaluate", "--model", model, "--data", table, *privacy)
            dots, lines = self.check_intervals(report["measures"], picture, ("first",))
            bins = [bin for bin in report["calibration"]
                    if None not in (bin["estimate"], bin["lower"], bin["upper"])]
            self.assertGreater(len(bins), 3)
            count = len(report["measures"])
            across = places(picture.pointed("circle", "first")[count:], "cx", "cy")
            up = places(picture.pointed("line", "first")[count:], "x1", "y1", "y2")
            self.assertEqual((len(across), len(up)), (len(bins), len(bins)))
            middle = [((bin["from"] + bin["to"]) / 2, x) for bin, (x, _) in zip(bins, across)]
            height = [(bin["estimate"], y) for bin, (_, y) in zip(bins, across)]
            for bin, (_, low, high) in zip(bins, up):
                height += [(bin["lower"], low), (bin["upper"], high)]
            straight, sideways = on_a_line(middle)
            self.assertTrue(straight)
            straight, upwards = on_a_line(height)
            self.assertTrue(straight)
            self.assertAlmostEqual(sideways, -upwards, delta=0.02 * sideways)  # a square

    def test_what_cannot_be_drawn_is_said_before_anything_is_computed(self):
        plan = ("plan", "--source", self.source, "--label", "y", "--target-rows", "40")
        self.assertIn(".svg", self.fail_with(2, *plan, "--forecast", "--plot", self.path("a.png")))
        self.fail_with(2, "plan", *self.files, *PRIVATE, "--plot", self.path("a.svg"))
        model, _ = self.fit_model()
        nowhere = self.path("no/such/folder.svg")
        ledger = self.path("ledger")
        self.succeed("ledger", "init", ledger, *PRIVATE)
        self.fail_with(4, "evaluate", "--model", model, "--data", self.target, *PRIVATE,
                       "--ledger", ledger, "--plot", nowhere)
        shown = json.loads(self.succeed("ledger", "show", ledger, "--json"))
        self.assertEqual(shown["entries"], [])
        self.assertFalse(Path(nowhere).exists())


if __name__ == "__main__":
    unittest.main()

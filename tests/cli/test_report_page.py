"""The report of a fit as text, JSON and page: its origin, what is drawn, what is not told."""

import hashlib
import html.parser
import json
import re
import unittest
from pathlib import Path

from cli_case import ALPHA, FEATURES, NOT_PRIVATE, PRIVATE, CliCase, csv_text
from pages import drawn, needs_node


class Page(html.parser.HTMLParser):
    """Tags, texts and pictures of a page, which must be balanced."""

    VOID = {"meta", "link", "line", "rect", "circle", "polyline", "br"}

    def __init__(self, content):
        super().__init__()
        self.open, self.tags, self.texts = [], [], []
        self.feed(content)
        self.close()
        if self.open:
            raise AssertionError(f"not closed: {self.open}")

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        if self.open.pop() != tag:
            raise AssertionError(f"{tag} is closed, but not open")

    def handle_data(self, data):
        self.texts.append((self.open[-1] if self.open else "", data.strip()))

    def all(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


def sha256(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


class Report(CliCase):
    def report(self, name, *arguments):
        self.succeed("fit", *self.files, *PRIVATE, *ALPHA, "--report", self.path(name), *arguments)
        return Path(self.path(name)).read_text()

    def test_json_tells_where_the_result_comes_from(self):
        model = self.path("model.json")
        report = json.loads(self.report("report.json", "--output", model))
        origin = report["provenance"]
        self.assertRegex(origin["date"], r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual((origin["command"], origin["label"]), ("fit", "y"))
        self.assertEqual(origin["options"], ["epsilon=2", "delta=1e-4", "alpha=0.5"])
        self.assertEqual(origin["columns"], FEATURES)
        source, target = origin["data"]
        self.assertEqual((source["file"], source["sha256"]), (self.source, sha256(self.source)))
        self.assertEqual(source["rows"], len(self.source_rows))
        self.assertEqual(target, {"sample": "target", "file": self.target, "private": True})
        self.assertEqual(origin["model_sha256"], sha256(model))

    def test_what_was_said_about_columns_is_told(self):
        report = json.loads(self.report("report.json", "--missing", "nk", "--missing", "no word",
                                        "--ignore", "x3"))
        self.assertEqual(report["provenance"]["columns_by"],
                         ["--ignore x3", "--missing nk", "--missing no word"])
        text = self.report("report.txt", "--ignore", "x3")
        self.assertIn("\nColumns and labels by: --ignore x3\n", text)

    def test_a_saved_model_has_its_report_in_every_form(self):
        model = self.path("model.json")
        whole = self.report("fit.txt", "--output", model)
        for form in ("json", "txt", "html"):
            self.succeed("report", "--model", model, "--report", self.path("again." + form))
        text = Path(self.path("again.txt")).read_text()
        self.assertEqual(text.split("\n\n")[0], whole.split("\n\n")[0])
        self.assertEqual(self.succeed("report", "--model", model), text)
        privacy = json.loads(Path(self.path("again.json")).read_text())
        self.assertIs(privacy["private"], True)
        page = Path(self.path("again.html")).read_text()
        self.assertIn('<p class="promise">PRIVATE: ', page)
        self.assertIn("A private record counts only if", page)
        self.succeed("verify", self.path("again.json"))
        self.assertIn("same file", self.fail_with(2, "report", "--model", model, "--report",
                                                  model))

    def test_no_form_has_a_digest_of_private_rows(self):
        rows = [["source"] + row for row in self.source_rows]
        rows += [["target"] + row for row in self.target_rows]
        both = self.write("both.csv", csv_text(["domain", *FEATURES, "y"], rows))
        for files, secret in ((self.files, self.target), (("--data", both, "--label", "y"), both)):
            self.files = files
            for form in ("json", "txt", "html"):
                self.assertNotIn(sha256(secret), self.report("report." + form))

    def test_public_files_all_have_digests(self):
        path = self.path("report.json")
        self.succeed("fit", *self.files, *NOT_PRIVATE, "--report", path)
        files = json.loads(Path(path).read_text())["provenance"]["data"]
        self.assertEqual([f["sha256"] for f in files], [sha256(self.source), sha256(self.target)])

    def test_text_begins_with_sentences_and_ends_with_numbers(self):
        text = self.report("report.txt")
        first, origin, numbers = text.split("\n\n", 2)
        self.assertTrue(first.startswith("PRIVATE: "))
        self.assertIn("What is protected is a record", first)
        self.assertIn("of 100 that hold it", first)
        self.assertIn(f"SHA-256 {sha256(self.source)}", origin)
        self.assertTrue(numbers.startswith("private: true"))

    def test_a_report_with_its_origin_verifies(self):
        self.report("report.json")
        self.assertIn('"command":"fit"', self.succeed("verify", self.path("report.json")))

    def test_the_page_needs_nothing_else(self):
        content = self.report("report.html")
        page = Page(content)
        names = {tag for tag, _ in page.tags}
        self.assertFalse(names & {"img", "iframe", "object"})
        self.assertEqual([list(script) for script in page.all("script")], [["type", "id"], []])
        policy = page.all("meta")[1]["content"]
        self.assertTrue(policy.startswith("default-src 'none';"))
        self.assertNotRegex(content, r"https?:|url\(|@import|\bon\w+=|\bfetch\b|\bimport\b")
        self.assertEqual([link["href"] for link in page.all("link")], ["data:,"])
        self.assertEqual(page.all("p")[0]["class"], "promise")

    @needs_node
    def test_the_page_draws_what_the_report_says(self):
        page = Page(drawn(self.report("report.html")))
        report = json.loads(self.report("report.json"))
        self.assertEqual(len(page.all("svg")), 4)
        texts = [text for _, text in page.texts]
        for sentence in report["plain_words"] + report["not_covered"]:
            self.assertIn(sentence, texts)
        bars = [float(bar["width"]) for bar in page.all("rect") if bar["class"] == "paid"]
        found = [a["found"] for a in report["attackers"] if a["wrongly_suspected"] == 0.05]
        for bar, share in zip(bars, found):
            self.assertAlmostEqual(bar / 340, share, delta=1e-3)
        dots = [dot for dot in page.all("circle") if dot["class"] == "public"]
        self.assertEqual(len(dots), len(FEATURES))
        (promised,) = [c for c in page.all("polyline") if c["class"] == "promised"]
        points = [tuple(map(float, point.split(","))) for point in promised["points"].split()]
        self.assertEqual(len(points), len(report["budget"]["curve"]))
        self.assertEqual(points, sorted(points))
        self.assertEqual([y for _, y in points], sorted(y for _, y in points))

    @needs_node
    def test_effects_are_those_of_the_two_predictors(self):
        content = self.report("report.html", "--set", "unsafe_seed=7")
        dots = [d for d in Page(drawn(content)).all("circle") if "cx" in d]
        fits = [json.loads(self.succeed(*command, *self.files, "--json", *options))
                for command, options in (
                    (("baseline", "source_only"), NOT_PRIVATE),
                    (("fit",), (*PRIVATE, *ALPHA, "--set", "unsafe_seed=7")))]
        spread = []
        for j in range(3):
            column = [row[j] for row in self.source_rows]
            mean = sum(column) / len(column)
            spread.append((sum((x - mean) ** 2 for x in column) / (len(column) - 1)) ** 0.5)
        effects = [[w * s for w, s in zip(fit["coefficients"], spread)] for fit in fits]
        most = max(abs(effect) for fit in effects for effect in fit)
        wanted = sorted(170 + effect / most * 162 for effect in effects[1])
        shown = sorted(float(dot["cx"]) for dot in dots if dot["class"] == "released")[:4]
        for place in wanted:
            self.assertTrue(any(abs(place - x) < 0.1 for x in shown), (wanted, shown))

    def test_no_private_row_is_in_the_effects_of_the_public_predictor(self):
        def effects():
            content = self.report("report.html", "--set", "private_domain=source")
            (facts,) = re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', content)
            return {effect["name"]: effect["public"] for effect in json.loads(facts)["effects"]}
        found = effects()
        self.assertEqual(sorted(found), FEATURES)
        self.write("source.csv", csv_text(FEATURES + ["y"], [
            [3 * value for value in row] for row in self.source_rows]))
        self.assertEqual(effects(), found)

    @needs_node
    def test_names_of_columns_are_no_markup(self):
        rows = csv_text(["<b>&x1", "x2", "x3", "y"], self.source_rows)
        self.source = self.write("odd.csv", rows)
        self.target = self.write("odd_target.csv", rows)
        self.files = ("--source", self.source, "--target", self.target, "--label", "y")
        page = Page(drawn(self.report("report.html")))
        self.assertFalse(page.all("b"))
        self.assertIn("<b>&x1", [text for tag, text in page.texts if tag == "text"])

    @needs_node
    def test_long_names_of_columns_end_at_a_letter(self):
        name = 'a "quoted" name, 39 letters before the \u00fc and more of them'
        quoted = '"' + name.replace('"', '""') + '"'
        rows = csv_text([quoted, "x2", "x3", "y"], self.source_rows)
        self.source = self.write("odd.csv", rows)
        self.target = self.write("odd_target.csv", rows)
        self.files = ("--source", self.source, "--target", self.target, "--label", "y")
        page = Page(drawn(self.report("report.html")))
        shown = [text for tag, text in page.texts if tag == "text" and text.startswith("a ")]
        self.assertTrue(shown)
        for text in shown:
            self.assertEqual(text, name[:40] + "...")

    def test_what_is_not_private_is_told_in_red(self):
        for arguments in (("--set", "unsafe_seed=7"), NOT_PRIVATE):
            path = self.path("report.html")
            privacy = () if arguments is NOT_PRIVATE else PRIVATE
            self.succeed("fit", *self.files, *privacy, *arguments, "--report", path)
            page = Page(Path(path).read_text())
            self.assertEqual(page.all("p")[0]["class"], "promise none")

    @needs_node
    def test_other_commands_have_pages_too(self):
        path = self.path("report.html")
        for command in (("baseline", "joint_ssp"), ("discrepancy",)):
            self.succeed(*command, *self.files, *PRIVATE, "--report", path)
            self.assertGreaterEqual(len(Page(drawn(Path(path).read_text())).all("svg")), 3)


if __name__ == "__main__":
    unittest.main()

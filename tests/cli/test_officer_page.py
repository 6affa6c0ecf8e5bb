"""The page that an officer signs: what it says, and that `verify` writes it again."""

import html
import json
import re
import unittest
from pathlib import Path

from cli_case import FEATURES, NOT_PRIVATE, CliCase, budget, csv_text, linear_rows
from test_report_page import Page

WORDS = ("--purpose", "Staffing <of> wards & units", "--recipient", "Dr. Müller", "--custodian",
         "Hospital X", "--valid", "until 2027-06-30")


class OfficerPage(CliCase):
    def setUp(self):
        super().setUp()
        self.report, self.page = self.path("report.json"), self.path("page.html")
        self.ledger = self.path("budget")

    def fit(self, *arguments):
        self.succeed("fit", *self.files, *budget("0.5", "1e-5"), "--report", self.report,
                     *arguments)
        return json.loads(Path(self.report).read_text())

    def write_page(self, *arguments):
        self.succeed("page", self.report, "--output", self.page, *WORDS, *arguments)
        content = Path(self.page).read_text()
        Page(content)  # every tag is closed
        return content

    def rows(self, content):
        """The cells of its tables."""
        return [[html.unescape(cell) for cell in re.findall(r"<t[dh]>(.*?)</t[dh]>", row)]
                for row in re.findall(r"<tr>(.*?)</tr>", content)]

    def with_ledger(self):
        self.succeed("ledger", "init", self.ledger, *budget("2", "1e-4"))
        self.succeed("fit", *self.files, *budget("0.5", "1e-5"), "--ledger", self.ledger)
        return self.fit("--ledger", self.ledger)

    def test_it_has_the_numbers_of_the_accountant(self):
        report = self.with_ledger()
        cells = self.rows(self.write_page())
        numbers = {row[0]: row[1:] for row in cells}
        self.assertEqual(numbers["Purpose"], ["Staffing <of> wards & units"])
        self.assertEqual(numbers["Recipient"], ["Dr. Müller"])
        shown = json.loads(self.succeed("ledger", "show", self.ledger, "--json"))

        def epsilon(mu, records=1):
            return float(self.succeed("privacy", "epsilon", "--mu", str(records * mu), "--delta",
                                      "1e-4"))
        for name, value, up in (
                ("Spent by this result", epsilon(report["spent"]["mu"]), True),
                ("Spent by all results up to now, this one included",
                 epsilon(shown["spent"]["mu"]), True),
                ("Left for later results", shown["left"]["epsilon"], False),
                ("The whole budget", 2, True)):
            with self.subTest(name):
                told = float(numbers[name][0])
                self.assertAlmostEqual(told, value, delta=2e-3)
                self.assertGreaterEqual(told - value if up else value - told, -1e-9)
        for records in (1, 2, 5, 10):
            own, whole = map(float, numbers[str(records)])
            self.assertAlmostEqual(own / epsilon(report["spent"]["mu"], records), 1, delta=2e-3)
            self.assertAlmostEqual(whole / epsilon(report["budget"]["cap"]["mu"], records), 1,
                                   delta=2e-3)
            if records > 1:
                self.assertGreater(whole, 2 * records)

    def test_without_a_ledger_all_is_this_result(self):
        self.fit()
        numbers = {row[0]: row[1:] for row in self.rows(self.write_page())}
        self.assertEqual(numbers["Spent by this result"],
                         numbers["Spent by all results up to now, this one included"])

    def test_german(self):
        self.with_ledger()
        english, german = self.write_page(), self.write_page("--language", "de")
        self.assertIn('<html lang="de">', german)
        first, second = self.rows(english), self.rows(german)
        self.assertEqual([[cell.replace(",", ".") for cell in row[1:]] for row in second[4:]
                          if row[1:] and row[1][0].isdigit()],
                         [row[1:] for row in first[4:] if row[1:] and row[1][0].isdigit()])
        self.assertIn("Zweck", german)
        self.assertIn("delta =\n0.0001.", english)  # no power of ten
        self.assertIn("Delta = 0,0001.", german)
        self.assertNotIn("{{", english + german)

    def test_verify_writes_it_again(self):
        self.with_ledger()
        for language in ("en", "de"):
            content = self.write_page("--language", language, "--ledger", self.ledger)
            said = self.succeed("verify", self.page, "--ledger", self.ledger)
            self.assertIn('purpose: "Staffing <of> wards & units"', said)
            self.assertIn("recipient", said)
            for old, new in ((r"<td>2</td>", "<td>1</td>"), ("until 2027", "until 2037"),
                             ("</body>", "<p>more</p></body>"), ("0001", "001")):
                self.assertIn(old, content)
                Path(self.page).write_text(content.replace(old, new, 1))
                with self.subTest(language=language, old=old):
                    self.assertIn("the page is not what", self.fail_with(3, "verify", self.page))

    def test_another_report_in_it_is_found(self):
        self.fit()
        content = self.write_page()
        other = json.loads(Path(self.report).read_text())
        other["budget"]["epsilon"] = 0.1
        Path(self.report).write_text(json.dumps(other))
        self.fail_with(3, "page", self.report, "--output", self.page, *WORDS)
        self.assertEqual(Path(self.page).read_text(), content)

    def test_it_lists_the_calibration_that_the_model_holds(self):
        model, sure = self.path("model.json"), self.path("sure.json")
        self.fit("--output", model)
        rows = self.write("rows.csv", csv_text([*FEATURES, "y"], linear_rows(200, 0.0, 5)))
        self.succeed("calibrate", "--model", model, "--data", rows, *budget("7", "0.001"),
                     "--output", sure)
        self.succeed("report", "--model", sure, "--report", self.report)
        held = json.loads(Path(self.report).read_text())["call"]["calibration_of_intervals"]
        self.assertEqual(held, {"private": True, "epsilon": 7, "delta": 0.001, "unit": "record",
                                "rows": 200, "relation": "replace"})
        self.succeed("verify", self.report)
        for language, words in (("en", "epsilon = 7 and delta = 0.001"),
                                ("de", "Epsilon = 7 und Delta = 0,001")):
            self.assertIn(words, " ".join(self.write_page("--language", language).split()))
        self.fail_with(2, "calibrate", "--model", model, "--data", rows, *budget("7", "0.001"),
                       "--set", "neighbours=zero_out", "--output", sure)

    def test_persons(self):
        rows = [[str(i // 2), *row] for i, row in enumerate(linear_rows(60, 0.5, 4))]
        visits = self.write("visits.csv", csv_text(["who", *FEATURES, "y"], rows))
        self.succeed("fit", "--source", self.source, "--target", visits, "--label", "y", "--group",
                     "who", *budget("0.5", "1e-3"), "--report", self.report)
        content = self.write_page()
        self.assertIn("Each of the 30 persons", content)
        self.assertNotIn("records of the private data", content)

    def test_what_promises_nothing_is_refused(self):
        self.fit("--set", "unsafe_seed=1")
        self.fail_with(3, "page", self.report, "--output", self.page, *WORDS)
        self.fail_with(2, "page", self.report, "--output", self.page, *WORDS[2:])
        self.fail_with(2, "page", self.report, "--output", self.page, *WORDS, "--language", "fr")
        self.fail_with(2, "page", self.report, "--output", self.report, *WORDS)
        self.succeed("fit", *self.files, *NOT_PRIVATE, "--report", self.report)
        self.fail_with(3, "page", self.report, "--output", self.page, *WORDS)

    def test_it_is_short(self):
        self.with_ledger()
        text = re.sub(r"<style>.*?</style>|<script.*?</script>|<[^>]+>", " ", self.write_page(),
                      flags=re.S)
        self.assertLess(len(text.split()), 420)


if __name__ == "__main__":
    unittest.main()

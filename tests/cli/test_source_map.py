"""A source whose columns are others than the target's, by a public map."""

import json
import unittest
from pathlib import Path

from cli_case import FEATURES, NOT_PRIVATE, PRIVATE, SEED, CliCase, csv_text

MAP = "column,(constant),length,width\nx1,,0.5,\nx3,1,0.25,-0.5\n"


class SourceMap(CliCase):
    """x1 and x3 are made of length and width; x2 has its own name in both files."""

    def setUp(self):
        super().setUp()
        self.rows = [[2 * x1 + 1, x2, x1 - x3, y] for x1, x2, x3, y in self.source_rows]
        self.wide = self.write_wide(self.rows)
        self.map = self.write("map.csv", MAP)
        mapped = [[0.5 * length, x2, 1 + 0.25 * length + -0.5 * width, y]
                  for length, x2, width, y in self.rows]
        self.by_hand = self.write("by_hand.csv", csv_text(FEATURES + ["y"], mapped))

    def write_wide(self, rows, name="wide.csv"):
        return self.write(name, csv_text(["length", "x2", "width", "y"], rows))

    def of(self, source, *arguments, command="fit"):
        return json.loads(self.succeed(command, "--source", source, *self.files[2:], "--json",
                                       "--features", "x1,x2,x3", *arguments))

    def mapped(self, *arguments, wide=None, **keywords):
        return self.of(wide or self.wide, "--source-map", self.map, *arguments, **keywords)

    def test_a_fit_is_that_of_rows_mapped_before(self):
        for options in (NOT_PRIVATE, (*PRIVATE, *SEED),
                        (*PRIVATE, *SEED, "--set", "private_domain=source")):
            self.assertEqual(self.mapped(*options)["coefficients"],
                             self.of(self.by_hand, *options)["coefficients"])

    def test_other_commands_take_the_map(self):
        value = self.mapped(*NOT_PRIVATE, command="discrepancy")["value"]
        self.assertEqual(value, self.of(self.by_hand, *NOT_PRIVATE, command="discrepancy")["value"])
        plan = self.succeed("plan", "--forecast", "--source", self.wide, "--source-map", self.map,
                            "--label", "y", "--target-rows", "50", "--json")
        self.assertEqual(len(json.loads(plan)["table"]), 16)
        added = self.mapped("--add-source", self.wide, *NOT_PRIVATE)["sources"]
        self.assertEqual([source["rows"] for source in added], [60, 60])
        large = self.mapped("--memory", "1M", *PRIVATE, *SEED)
        self.assertEqual(large["coefficients"], self.mapped(*PRIVATE, *SEED)["coefficients"])

    def test_model_and_report_speak_the_columns_of_the_target(self):
        model, report = self.path("model.json"), self.path("report.json")
        said = self.succeed("fit", "--source", self.wide, "--source-map", self.map, *self.files[2:],
                            *NOT_PRIVATE, "--output", model, "--report", report)
        self.assertIn("Made of the source's columns length, width by a public map: x1, x3.", said)
        names = self.of(self.wide, "--source-map", self.map, *NOT_PRIVATE)["features"]
        self.assertEqual(sorted(names), FEATURES)
        self.assertEqual(len(self.succeed("predict", "--model", model, "--data",
                                          self.target).splitlines()), 26)
        files = json.loads(Path(report).read_text())["provenance"]["data"]
        self.assertEqual([file["sample"] for file in files],
                         ["source", "target", "map of the source"])
        self.assertEqual(len(files[2]["sha256"]), 64)

    def test_a_private_cell_that_is_no_number_makes_its_own_columns_missing(self):
        private = (*PRIVATE, *SEED, "--set", "private_domain=source")
        rows = [list(row) for row in self.rows]
        rows[7][2] = "broad"
        mapped = [list(row) for row in self.source_rows]
        for row, (length, _, width, _) in zip(mapped, self.rows):
            row[0], row[2] = 0.5 * length, 1 + 0.25 * length + -0.5 * width
        mapped[7][2] = ""
        missing = self.write("missing.csv", csv_text(FEATURES + ["y"], mapped))
        odd = self.mapped(*private, wide=self.write_wide(rows, "odd.csv"))
        self.assertEqual(odd["coefficients"], self.of(missing, *private)["coefficients"])

    def test_a_public_cell_that_is_no_number_is_named(self):
        rows = [list(row) for row in self.rows]
        rows[7][2] = "broad"
        message = self.fail_with(3, "fit", "--source", self.write_wide(rows), "--source-map",
                                 self.map, *self.files[2:], *NOT_PRIVATE)
        self.assertIn("line 9 (x3 by --source-map)", message)
        self.assertIn("broad", message)

    def test_what_is_wrong_with_a_map_is_told(self):
        def reason(text, code=3, *more):
            path = self.write("bad.csv", text)
            return self.fail_with(code, "fit", "--source", self.wide, "--source-map", path,
                                  *self.files[2:], *NOT_PRIVATE, *more)

        self.assertIn('no column "depth"', reason("column,depth\nx1,1\n"))
        self.assertIn("two rows", reason("column,length\nx1,1\nx1,2\n"))
        self.assertIn("bad.csv: line 2", reason("column,length\nx1,much\n"))
        self.assertIn('"x2" is there', reason("column,length,width\nx1,1,\nx2,,1\n"))
        self.assertIn("no column", reason("column,length\nx9,1\n"))
        message = self.fail_with(2, "fit", "--data", self.wide, "--label", "y", "--source-map",
                                 self.map, *NOT_PRIVATE)
        self.assertIn("--source-map needs", message)


if __name__ == "__main__":
    unittest.main()

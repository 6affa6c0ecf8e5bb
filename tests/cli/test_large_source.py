"""A public source that needs more memory than --memory allows is read anew for each pass over it:
the least squares of all rows, whatever columns of texts it has, in memory that does not grow with
the rows."""

import gzip
import json
import os
import random
import unittest
from pathlib import Path

from cli_case import ALPHA, PRIVATE, SEED, CliCase, csv_text
from large_case import MEBIBYTE, LargeCase

COLUMNS = ["a", "ward", "b", "id", "y"]
ROWS = 120000  # 4.8 MB as numbers; 65536 rows are held in any case
NEARLY_PUBLIC = ("--set", "epsilon=0.01", "--set", "delta=1e-4", "--set", "iterations=2")


def stays(count, shift, seed):
    generator = random.Random(seed)
    for i in range(count):
        a, b, ward = generator.gauss(shift, 1), generator.random(), generator.choice("uuuvvw")
        label = 2 * a - b + "uvw".index(ward) + shift + generator.gauss(0, 0.1)
        yield [round(a, 4), ward, round(b, 4), i, round(label, 4)]


def lines_of(rows):
    return csv_text(COLUMNS, rows).splitlines(keepends=True)


SOURCE = lines_of(stays(ROWS, 0.0, 1))
SOURCE[100:103] = ["1,u,2,99,\n", ",v,0.5,100,2\n", "0.25,rare,0.5,101,2\n"]
TARGET = "".join(lines_of(stays(2000, 0.3, 2)))


class LargeSource(LargeCase, CliCase):
    row = "1,u,2,3,4\n"

    def setUp(self):
        super().setUp()
        self.source = self.large = self.write("stays.csv", "".join(SOURCE))
        self.target = self.write("patients.csv", TARGET)
        self.files = ("--source", self.source, "--target", self.target, "--label", "y")

    def fit(self, *arguments, private=PRIVATE, seed=SEED):
        return json.loads(self.succeed("fit", *self.files, *private, *seed, "--json", *arguments))

    def near(self, found, wanted, most):
        one, other = (dict(zip(report["features"], report["coefficients"]),
                           intercept=report["intercept"]) for report in (found, wanted))
        self.assertEqual(one.keys(), other.keys())
        for name, value in other.items():
            self.assertAlmostEqual(one[name], value, delta=most, msg=name)

    def test_the_public_fit_is_that_of_all_rows(self):
        another = {"private": NEARLY_PUBLIC, "seed": ("--set", "unsafe_seed=8")}
        wanted = self.fit(**another)  # where noise moves nothing
        found = self.fit("--memory", "1M", **another)
        self.near(found, wanted, 1e-6)
        self.assertIn("1 public row has no label and was left out.", found["notes"])
        self.assertTrue(any(f"of the {ROWS - 1} public rows" in note for note in found["notes"]))
        self.near(self.fit("--memory", "1M"), self.fit(), 0.05)  # clips are those of the sample

    def test_the_bits_are_those_without_it_where_the_rows_fit(self):
        few = self.write("few.csv", "".join(SOURCE[:60000]))
        self.files = ("--source", few, "--target", self.target, "--label", "y")
        wanted, found = self.fit(), self.fit("--memory", "1M")
        self.assertEqual(found, wanted)
        self.files = ("--source", self.source, "--target", self.target, "--label", "y")
        whole, enough = self.fit(), self.fit("--memory", "10M")
        self.assertEqual(enough["coefficients"], whole["coefficients"])

    def test_the_order_of_the_rows_and_gzip_change_no_bits_of_the_public_fit(self):
        # With the columns of numbers alone the schema does not depend on which rows teach it.
        chosen = ("--memory", "1M", "--features", "a,b")
        bare = [line for line in SOURCE if not line.startswith(",")]  # nor on their median
        first = self.write("bare.csv", "".join(bare))
        reverse = Path(self.path("reverse.csv.gz"))
        reverse.write_bytes(gzip.compress("".join([bare[0], *bare[:0:-1]]).encode()))
        models = []
        for path in (first, str(reverse)):
            self.files = ("--source", path, "--target", self.target, "--label", "y")
            models.append(self.fit(*chosen))
        self.assertEqual(models[0]["coefficients"], models[1]["coefficients"])
        self.assertEqual(models[0]["intercept"], models[1]["intercept"])

    def test_levels_need_memory_of_their_own(self):
        rows = [f"{i % 40 + 100}x,{i % 7},{i % 40 / 8 + i % 7}\n" for i in range(70000)]
        path, target = (self.write(name, "".join(["zone,a,y\n", *rows]))
                        for name in ("levels.csv", "target.csv"))
        self.files = ("--source", path, "--target", target, "--label", "y")
        report = self.fit("--memory", "4M")  # 2 MB of cells, 23 MB of numbers
        self.assertFalse(any("learnt from" in note for note in report["notes"]))
        done = self.run_cli("fit", *self.files, *PRIVATE, *ALPHA, "--memory", "4M")
        self.assertIn("every public row", done.stderr)

    def test_both_files_may_be_large(self):
        large = self.write("large.csv", "".join(lines_of(stays(40000, 0.3, 3))))
        self.files = ("--source", self.source, "--target", large, "--label", "y")
        report = self.fit("--memory", "1M", "--weights")
        self.assertIsNone(report["source_weights"])
        self.near(report, self.fit(), 0.05)

    def test_a_map_and_a_report_go_with_it(self):
        factors = self.write("map.csv", "column,a,(constant)\na,2,-1\n")
        mapped = ("--source-map", factors)
        for name in ("report.html", "report.txt"):
            path = self.path(name)
            found = self.fit("--memory", "1M", *mapped, "--report", path, private=NEARLY_PUBLIC)
            self.near(found, self.fit(*mapped, private=NEARLY_PUBLIC), 1e-6)
            self.assertRegex(Path(path).read_text(), rf"stays.csv\D+{ROWS - 1} rows")

    def test_what_is_wrong_is_told_with_its_line_and_unpaid(self):
        for text, words in (("1,u,zzz,5,2\n", 'line {}, column 3 (b): "zzz"'),
                            ("1,u,2,5,zzz\n", 'line {}, column 5 (y): "zzz"')):
            for line in (4, 7, 60001, ROWS):  # some of which do not teach the schema
                broken = list(SOURCE)
                broken[line - 1] = text
                path = self.write("broken.csv", "".join(broken))
                done = self.unpaid("--source", path, "--target", self.target, "--label", "y",
                                   "--memory", "1M")
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn(words.format(line), done.stderr)

    def test_what_needs_every_row_is_refused(self):
        done = self.run_cli("fit", *self.files, *PRIVATE, *ALPHA, "--memory", "1M")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("every public row", done.stderr)

    def test_a_stream_is_refused(self):
        done = self.run_cli("fit", "--source", "/dev/stdin", "--target", self.target, "--label",
                            "y", *PRIVATE, "--memory", "1M", input="".join(SOURCE))
        self.assertEqual(done.returncode, 2)
        self.assertIn("several times", done.stderr)

    @unittest.skipIf("ASAN_OPTIONS" in os.environ, "the sanitizer needs memory of its own")
    def test_memory_does_not_grow_with_the_rows(self):
        path = self.path("larger.csv")
        with open(path, "w") as file:
            file.write(SOURCE[0])
            for _ in range(6):
                file.writelines(SOURCE[1:])  # 29 MB as numbers
        in_memory = self.peak(path)
        small, large = (self.peak(p, "--memory", "2M") for p in (self.source, path))
        self.assertLess(large, small + 8 * MEBIBYTE)
        self.assertGreater(in_memory, large + 20 * MEBIBYTE)


if __name__ == "__main__":
    unittest.main()

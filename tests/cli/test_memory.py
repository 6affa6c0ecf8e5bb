"""A private target that needs more memory than --memory allows is read anew for each step: the same
result, whatever it holds, in memory that does not grow with the rows."""

import base64
import gzip
import json
import os
import random
import unittest
from pathlib import Path

from cli_case import ALPHA, NOT_PRIVATE, PRIVATE, SEED, CliCase, csv_text
from large_case import MEBIBYTE, LargeCase

COLUMNS = ["a", "ward", "b", "y"]


def stays(count, shift, seed):
    generator = random.Random(seed)
    for _ in range(count):
        a, b, ward = generator.gauss(shift, 1), generator.random(), generator.choice("uvw")
        yield [a, ward, b, 2 * a - b + "uvw".index(ward) + shift + generator.gauss(0, 0.1)]


def lines(rows):
    return csv_text(COLUMNS, rows).splitlines(keepends=True)


class Memory(LargeCase, CliCase):
    row = "1,u,2,3\n"

    def setUp(self):
        super().setUp()
        self.source = self.write("stays.csv", csv_text(COLUMNS, stays(2000, 0.0, 1)))
        # What is none of the things that a row can be, a missing label, a column of its own.
        rows = lines(stays(30000, 0.3, 2))
        rows[100:106] = ["\n", "1,u\n", "1,zzz,2,\n", 'x"y,u,,3\n', "1e400,v,0,1\n",
                         "," * 40 + "\n"]
        self.target = self.large = self.write("large.csv", "".join(rows))
        self.files = ("--source", self.source, "--target", self.target, "--label", "y")

    def fit(self, *arguments):
        report = json.loads(self.succeed("fit", *self.files, *PRIVATE, *SEED, "--json", *arguments))
        return {key: report[key] for key in report if key != "provenance"}

    def test_the_result_has_the_same_bits(self):
        few = ("--set", "iterations=3")
        for more in ((), (*ALPHA, *few), ("--rows", "29000", *few), ("--rows", "31000", *few),
                     ("--set", "inference=yes", *few), ("--features", "b,ward", *few)):
            with self.subTest(more):
                wanted = self.fit(*more)
                self.assertEqual(self.fit(*more, "--memory", "1M"), wanted)  # 1.2 MB of rows
                self.assertEqual(self.fit(*more, "--memory", "1G"), wanted)

    def test_models_gzip_and_columns_that_only_the_target_has(self):
        table = [line.rstrip("\n") for line in Path(self.target).read_text().splitlines()]
        content = "\n".join(line + (",other" if k == 0 else ",7") for k, line in enumerate(table))
        path = Path(self.source).parent / "large.csv.gz"
        path.write_bytes(gzip.compress(content.encode() + b"\n"))
        self.files = ("--source", self.source, "--target", str(path), "--label", "y")
        model = str(path.parent / "model.json")
        texts = []
        for memory in ((), ("--memory", "1M")):
            self.fit(*memory, "--output", model)
            texts.append(Path(model).read_text())
        self.assertEqual(*texts)
        self.assertIn(b"other", base64.b64decode(json.loads(texts[0])["schema"]))

    def test_what_it_does_not_go_with_is_refused_before_anything_is_paid(self):
        for more, words in ((("--group", "a"), "--group"), (("--own", "z=1"), "--own"),
                            (("--set", "method=paper"), "method = paper"),
                            (("--set", "private_domain=source"), "private target")):
            self.assertIn(words, self.unpaid(*self.files, *more, "--memory", "1M").stderr)
        self.assertIn("private target", self.fail_with(2, "fit", *self.files, *NOT_PRIVATE,
                                                       "--memory", "1M"))
        for size in ("12", "1.5M", "-1M", "2T", "M", "100000000G"):
            self.assertIn("--memory", self.fail_with(2, "fit", *self.files, *PRIVATE,
                                                     "--memory", size))

    def test_a_stream_is_refused(self):
        done = self.run_cli("fit", "--source", self.source, "--target", "/dev/stdin", "--label",
                            "y", *PRIVATE, "--memory", "1M", input="a,ward,b,y\n1,u,2,3\n")
        self.assertEqual(done.returncode, 2)

    def test_an_empty_target_is_refused(self):
        empty = self.write("empty.csv", "a,ward,b,y\n")
        self.assertIn("no rows", self.fail_with(3, "fit", "--source", self.source, "--target",
                                                empty, "--label", "y", *PRIVATE, "--memory", "1M"))

    def test_a_target_without_labels_is_refused_in_the_same_words(self):
        lines = Path(self.target).read_text().splitlines()
        self.assertTrue(lines[0].endswith(",y"))
        bare = self.write("bare.csv", "".join(line.rsplit(",", 1)[0] + "\n" for line in lines))
        words = {self.unpaid("--source", self.source, "--target", bare, "--label", "y",
                             *memory).stderr
                 for memory in ((), ("--memory", "1M"), ("--memory", "1G"))}
        self.assertEqual(len(words), 1)
        self.assertIn("the target has no labels", words.pop())

    @unittest.skipIf("ASAN_OPTIONS" in os.environ, "the sanitizer needs memory of its own")
    def test_memory_does_not_grow_with_the_rows(self):
        rows = lines(stays(30000, 0.3, 2))
        path = Path(self.source).parent / "larger.csv"
        with open(path, "w") as file:
            file.write(rows[0])
            for _ in range(20):
                file.writelines(rows[1:])  # 24 MB as numbers
        in_memory = self.peak(str(path))
        small, large = (self.peak(p, "--memory", "4M") for p in (self.target, str(path)))
        self.assertLess(large, small + 4 * MEBIBYTE)
        self.assertGreater(in_memory, large + 20 * MEBIBYTE)


if __name__ == "__main__":
    unittest.main()

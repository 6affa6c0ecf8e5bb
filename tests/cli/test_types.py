"""Files have texts alone: a number of any spelling is the number that tests/data/types/cases.txt
says, with blanks around it or not; any other text is none, which a column of numbers lacks."""

import os
import sys
import unittest
from pathlib import Path

from cli_case import CliCase

sys.path.insert(0, str(Path(os.environ["DPADAPT_SOURCE_DIR"], "tests", "data", "types")))
import cases  # noqa: E402

BLANKS = ("", " ", "\t", "\u00a0", "\u3000", "\u200b")


def number(one):
    """None for what is no number in a file, where nothing but its letters says what it is."""
    try:
        return float(one.value)
    except ValueError:
        return None


class Types(CliCase):
    def predictions(self, cells):
        quoted = [cell.replace('"', '""') for cell in cells]
        self.write("rows.csv", "it\n" + "".join(f'"{cell}"\n' for cell in quoted))
        done = self.run_cli("predict", "--model", self.path("model.json"), "--data",
                            self.path("rows.csv"), "--output", self.path("out.csv"))
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = Path(self.path("out.csv")).read_text().splitlines()[1:]
        self.assertEqual(len(rows), len(cells))
        return [row.split(",")[-1] for row in rows]

    def test_each_value_is_its_number_or_does_not_fit(self):
        public = self.write("public.csv", "it,y\n" + "".join(
            f"{i % 9 - 4},{2 * (i % 9)}\n" for i in range(90)))
        self.succeed("fit", "--source", public, "--target", public, "--label", "y", "--set",
                     "private_domain=none", "--output", self.path("model.json"))
        for blank in BLANKS:
            every = cases.cases()
            got = self.predictions([blank + one.value + blank for one in every])
            wanted = self.predictions(["NA" if number(one) is None else repr(number(one))
                                       for one in every])
            for one, is_so, should_be in zip(every, got, wanted):
                with self.subTest(type=one.type, value=one.value, blank=blank):
                    self.assertEqual(is_so, should_be)
        self.assertGreater(len(set(got)), 15)


if __name__ == "__main__":
    unittest.main()

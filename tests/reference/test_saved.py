"""Solutions that earlier versions saved: each says what it said when it was made
(make_saved.py)."""

import glob
import json
import os
import unittest

from prerequisites import require

require("numpy")

import numpy as np

from make_saved import SETTINGS
from saved_solutions import facts_of_bytes

FOLDERS = sorted(glob.glob(os.path.join(os.environ["DPADAPT_SOURCE_DIR"], "tests", "data", "saved",
                                        "format_*")))
COMPUTED = {"scores", "probabilities", "transform"}  # in another order of sums on other processors


class SavedSolutions(unittest.TestCase):
    def check(self, expected, found):
        self.assertEqual(set(expected), set(found))
        for name, value in expected.items():
            with self.subTest(fact=name):
                if name in COMPUTED and isinstance(value, list):
                    np.testing.assert_allclose(found[name], value, rtol=1e-12, atol=1e-12)
                else:
                    self.assertEqual(found[name], value)

    def test_every_format_that_was_ever_released_is_read(self):
        self.assertEqual([os.path.basename(folder) for folder in FOLDERS],
                         ["format_1"])

    def test_a_solution_says_what_it_said_when_it_was_saved(self):
        for folder in FOLDERS:
            with open(os.path.join(folder, "facts.json"), encoding="utf-8") as file:
                facts = json.load(file)
            self.assertEqual(set(facts) | {"facts.json"}, set(os.listdir(folder)))
            for name, expected in facts.items():
                with self.subTest(solution=os.path.join(os.path.basename(folder), name)):
                    with open(os.path.join(folder, name), "rb") as file:
                        self.check(expected, facts_of_bytes(file.read(), SETTINGS))


if __name__ == "__main__":
    unittest.main()

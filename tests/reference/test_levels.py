"""Which level a cell means: the cases that all languages share, through the C API."""

import csv
import ctypes
import os
import unittest
from collections import defaultdict
from pathlib import Path

import numpy as np
from dpadapt_ctypes import LIBRARY, Error, Predictor, _call

CASES = Path(os.environ["DPADAPT_SOURCE_DIR"], "tests/data/levels/cases.csv")
SIZE = ctypes.c_size_t


def table(columns):
    rows = len(next(iter(columns.values())))
    handle = ctypes.c_void_p()
    _call("dpa_table_create", SIZE(rows), ctypes.byref(handle))
    for name, values in columns.items():
        kind, add = ((ctypes.c_char_p, "texts") if isinstance(values[0], bytes)
                     else (ctypes.c_double, "numbers"))
        _call(f"dpa_table_add_{add}", handle, name, (kind * rows)(*values), SIZE(rows))
        if isinstance(values[0], bool):
            _call("dpa_table_hint", handle, b"boolean", name)
    return handle


class Levels(unittest.TestCase):
    def features(self, schema, cell):
        own = table({b"level": [cell], b"x": [0.0]})
        self.addCleanup(LIBRARY.dpa_table_destroy, own)
        count = SIZE()
        _call("dpa_schema_feature_count", schema, ctypes.byref(count))
        x, text = (ctypes.c_double * count.value)(), ctypes.create_string_buffer(4096)
        _call("dpa_schema_apply", schema, own, x, count, None, SIZE(0))
        _call("dpa_inspect_table", schema, own, text, SIZE(len(text)), None)
        return list(x), text.value.decode()

    def test_the_file_of_cases(self):
        found = defaultdict(list)
        with open(CASES, newline="") as file:
            for line in csv.DictReader(file):
                found[line["levels"]].append((line["cell"], line["means"]))
        for names, cells in found.items():
            levels = names.split("|")
            rows = [(level.encode(), i % 5.0, 10.0 * k + i % 5)
                    for k, level in enumerate(levels) for i in range(20 - k)]
            public = table(dict(zip((b"level", b"x", b"y"), map(list, zip(*rows)))))
            self.addCleanup(LIBRARY.dpa_table_destroy, public)
            schema = ctypes.c_void_p()
            _call("dpa_schema_learn", public, b"y", None, ctypes.byref(schema))
            self.addCleanup(LIBRARY.dpa_schema_destroy, schema)
            for cell, means in cells:
                value = {"<true>": True, "<false>": False}.get(cell, cell.encode())
                with self.subTest(levels=names, cell=cell):
                    if means == "refused":
                        with self.assertRaisesRegex(Error, '"level" is of booleans'):
                            self.features(schema, value)
                        continue
                    meant = levels[0] if means == "unknown" else means
                    x, text = self.features(schema, value)
                    self.assertEqual(x, self.features(schema, meant.encode())[0])
                    self.assertEqual("does not know" in text, means == "unknown")

    def test_codes_with_gaps_are_no_classes(self):
        x = np.random.default_rng(1).normal(size=(90, 2))
        for codes, absent in (([10, 20, 30], 0), ([0, 50, 99], 1), ([1, 2, 3], 0)):
            rows = x, np.array(codes, float)[np.arange(90) % 3]
            options = {"private_domain": "none", "loss": "softmax"}
            with self.assertRaisesRegex(Error, f"no public label is {absent}, but one is"):
                Predictor(rows, rows, **options)
            self.assertEqual(Predictor(rows, rows, classes=100, **options)(x).shape, (90, 100))


if __name__ == "__main__":
    unittest.main()

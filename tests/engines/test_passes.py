"""Passes from Python: any parts, in any order, give the bits of rows in memory; what goes wrong is
an exception."""

import unittest

import numpy as np

import case
from case import passes
from dpadapt import errors


class Passes(unittest.TestCase):
    def parts(self, request, count):
        x, y = case.target()
        order = np.random.default_rng(len(request)).permutation(count)
        pieces = np.array_split(np.arange(len(y)), count)
        return [passes.carry_out(request, [(x[pieces[k]], y[pieces[k]])], int(k)) for k in order]

    def test_any_parts_give_the_bits_of_rows_in_memory(self):
        wanted = case.fit_in_memory()
        for count in (1, 2, 7, 1000):
            with self.subTest(parts=count):
                self.assertEqual(case.fit(lambda request: self.parts(request, count)), wanted)

    def test_batches_are_parts_too(self):
        x, y = case.target()
        batches = list(zip(np.array_split(x, 9), np.array_split(y, 9)))
        self.assertEqual(
            case.fit(lambda request: [passes.carry_out(request, batches)]), case.fit_in_memory()
        )

    def test_missing_and_doubled_parts_are_refused(self):
        with self.assertRaisesRegex(errors.Error, "each record once"):
            case.fit(lambda request: self.parts(request, 4)[1:])
        with self.assertRaisesRegex(errors.Error, "twice"):
            case.fit(lambda request: self.parts(request, 4)[:1] * 2)

    def test_an_exception_of_a_worker_arrives(self):
        def fails(request):
            raise KeyError("no such table")

        with self.assertRaisesRegex(KeyError, "no such table"):
            case.fit(fails)


if __name__ == "__main__":
    unittest.main()

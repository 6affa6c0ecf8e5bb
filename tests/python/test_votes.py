"""Answers of teachers with noise: any model, adapted privately."""

import unittest

from python_case import BUDGET, PythonCase

import numpy as np
import pandas as pd

import dpadapt
from dpadapt import BudgetError, Ledger, release_votes, shards

ANSWERS = [[0, 1], [1, 0], [2, 2], [1, 2]]


class Votes(PythonCase):
    def test_without_privacy_they_are_counts_and_means(self):
        found = release_votes(ANSWERS, classes=3, private_domain="none")
        self.assertEqual(found.values.tolist(), [[1, 2, 1], [1, 1, 2]])
        self.assertEqual(found.deviation, 0)
        means = release_votes(pd.DataFrame(ANSWERS), low=0, high=4, private_domain="none")
        np.testing.assert_allclose(means.values, [1, 1.25], atol=1e-8)

    def test_a_release_is_private_and_pays_from_a_ledger(self):
        ledger = Ledger(**BUDGET, unit="person")
        found = release_votes(ANSWERS, low=0, high=2, ledger=ledger, **BUDGET)
        self.assertGreater(found.deviation, 1)
        self.assertTrue(found.privacy["private"])
        self.assertEqual(found.privacy["unit"], "person")
        with self.assertRaises(BudgetError):
            release_votes(ANSWERS, low=0, high=2, ledger=ledger, **BUDGET)
        alone = release_votes(ANSWERS, classes=3, unit="person", **BUDGET)
        self.assertEqual(alone.privacy["unit"], "person")

    def test_what_is_no_table_of_answers_is_refused(self):
        with self.assertRaises(TypeError):
            release_votes(ANSWERS, classes=3, low=0, high=2, **BUDGET)
        with self.assertRaises(TypeError):
            release_votes(ANSWERS, classes=3, epsilonn=1, **BUDGET)
        with self.assertRaises(ValueError):
            release_votes([1, 2], classes=3, **BUDGET)
        with self.assertRaises(dpadapt.Error):
            release_votes(ANSWERS, classes=3)

    def test_a_person_has_one_teacher_whoever_else_there_is(self):
        even = np.bincount(shards(100, 7))
        self.assertEqual(set(even), {14, 15})
        people = ["ann", "Bob", 3, "3.0", "bob ", "ann", ("x", 1), ("x", 1.0)]
        found = shards(8, 5, people)
        for one, other in ((0, 5), (1, 4), (2, 3), (6, 7)):
            self.assertEqual(found[one], found[other])
        self.assertEqual(shards(8, 5, people[::-1]).tolist(), found[::-1].tolist())
        with self.assertRaises(ValueError):
            shards(4, 3, people)


if __name__ == "__main__":
    unittest.main()

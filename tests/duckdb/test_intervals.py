"""Prediction intervals, and sets of classes, are those of the command on the same rows."""

import tempfile
import unittest

import numpy as np

from extension import connect
from calibrated import LEVELS, Calibrated

NAMED = "{'ward': ward, 'age': age}"


class Intervals(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.db = connect()

    def fit(self, *arguments, **options):
        made = Calibrated(self.folder, *arguments, **options)
        self.db.execute(f"""CREATE OR REPLACE TABLE data AS SELECT row_number() OVER () AS i, *
            FROM read_csv('{made.data}', header = true)""")
        return made

    def ask(self, call, *arguments, rows="data ORDER BY i"):
        found = self.db.execute(f"SELECT {call} FROM {rows}", arguments).fetchall()
        return [row[0] for row in found]

    def refuse(self, words, call, *arguments):
        with self.assertRaisesRegex(Exception, words):
            self.ask(call, *arguments)
        self.assertEqual(self.db.execute("SELECT 42").fetchall(), [(42,)])

    def test_numbers_have_the_ends_of_the_command(self):
        made = self.fit("days")
        for level in LEVELS:
            for threads in (1, 2):
                self.db.execute(f"SET threads = {threads}")
                got = self.ask(f"dpa_predict_interval($1, {NAMED}, $2)", made.file, level)
                np.testing.assert_allclose([(ends["lower"], ends["upper"]) for ends in got],
                                           made.ends(level), rtol=1e-9)
        self.assertEqual(got[0], {"lower": -np.inf, "upper": np.inf})
        inside = self.ask(f"avg(CAST(days BETWEEN e.lower AND e.upper AS INT)) FROM (SELECT days, "
                          f"dpa_predict_interval($1, {NAMED}, 0.9) AS e", made.file, rows="data)")
        self.assertGreaterEqual(inside[0], 0.9)

    def test_quantiles_have_ends_of_two_sides(self):
        made = self.fit("days", loss="pinball")
        got = self.ask(f"dpa_predict_interval($1, {NAMED}, 0.8)", made.file)
        np.testing.assert_allclose([(ends["lower"], ends["upper"]) for ends in got],
                                   made.ends(0.8), rtol=1e-9)

    def test_classes_have_the_sets_of_the_command(self):
        sizes = set()
        for label, loss in (("fate", "softmax"), ("back", "logistic")):
            made = self.fit(label, loss=loss)
            for level in LEVELS:
                got = self.ask(f"dpa_predict_set($1, {NAMED}, $2)", made.file, level)
                self.assertEqual(got, made.sets(level))
                sizes |= set(map(len, got))
            code = {"fate": {"0", "1", "2"}, "back": {"-1", "1"}}[label]
            features = "row(age, ward = 'y', ward = 'z')"  # those of the schema
            got = self.ask(f"dpa_predict_set($1, {features}, 0.9999)", made.solution)
            self.assertEqual(set(map(frozenset, filter(None, got))), {frozenset(code)})
        self.assertLessEqual({1, 2, 3}, sizes)

    def test_null_where_there_is_no_prediction(self):
        for label, loss, call in (("days", "squared", "interval"), ("back", "logistic", "set")):
            made = self.fit(label, "age,days" if label == "back" else "age", loss=loss)
            features = "row(age, days)" if label == "back" else "row(age)"
            got = self.ask(f"dpa_predict_{call}($1, {features}, 0.9)", made.solution)
            wanted = self.ask(f"dpa_predict($1, {features})", made.solution)
            self.assertEqual([i for i, one in enumerate(got) if one is None], [7])
            self.assertEqual([i for i, one in enumerate(wanted) if one is None], [7])
        made = self.fit("days", "age")
        got = self.ask("dpa_predict_interval($1, row(age), 0.9).lower", made.solution)
        self.assertIsNone(got[7])

    def test_levels_and_models_of_rows(self):
        one, other = self.fit("days", "age"), self.fit("days")
        level = "[0.5, 0.9][1 + i // 3 % 2]"
        got = self.ask(f"dpa_predict_interval(if(i % 7 < 4, $1, $2), {NAMED}, {level})",
                       one.file, other.file)
        for model, first in ((one, True), (other, False)):
            for k, level in enumerate((0.5, 0.9)):
                ends = self.ask(f"dpa_predict_interval($1, {NAMED}, $2)", model.file, level)
                for i in range(1, len(got) + 1):
                    if (i % 7 < 4) == first and i // 3 % 2 == k:
                        self.assertEqual(got[i - 1], ends[i - 1])

    def test_what_is_refused(self):
        call = "dpa_predict_interval($1, row(age), {})"
        plain = self.fit("days", "age", calibrated=False)
        self.refuse("dpa_predict_interval: .* the solution has no calibration",
                    call.format(0.9), plain.solution)
        made = self.fit("days", "age")
        for level in ("0", "1", "1.5", "-1", "'nan'::DOUBLE"):
            self.refuse(r"level must be in \(0, 1\)", call.format(level), made.solution)
        self.refuse("the level must not be NULL", call.format("NULL"), made.solution)
        self.refuse("the model must not be NULL", call.format(0.9), None)
        self.refuse("dpa_predict_set: .* numbers: dpa_predict_interval gives intervals",
                    "dpa_predict_set($1, row(age), 0.9)", made.solution)
        self.refuse("the model has 1 features, not 2", "dpa_predict_interval($1, row(age, 1), 0.9)",
                    made.solution)
        made = self.fit("back", "age", loss="logistic")
        self.refuse("dpa_predict_interval: .* classes: dpa_predict_set gives sets",
                    call.format(0.9), made.solution)


if __name__ == "__main__":
    unittest.main()

"""Prediction intervals, and sets of classes, are those of the command on the same rows."""

import json
import os
import sys
import tempfile
import unittest
from pathlib import Path

from cluster import ROLES, Cluster, Failed

sys.path.insert(0, str(Path(os.environ["DPADAPT_SOURCE_DIR"], "tests", "engines")))
from calibrated import LEVELS, Calibrated, rows  # noqa: E402

TABLE = "CREATE TABLE data (age float8, ward text, days float8, fate text, back text, i int);"


def cell(value):
    return "\\N" if value is None else str(value)


class Intervals(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.stop)
        lines = ["\t".join(map(cell, (*row, i))) for i, row in enumerate(rows())]
        cls.cluster.sql(ROLES + TABLE + "COPY data FROM STDIN;\n" + "\n".join(lines) + "\n\\.\n"
                        "GRANT SELECT ON data TO PUBLIC;")

    def fit(self, label, features="age,ward", loss="squared", calibrated=True, named=True):
        """A model of the command, which a superuser has put among those of the server."""
        with tempfile.TemporaryDirectory() as folder:
            made = Calibrated(folder, label, features, loss, calibrated)
            answer = made.ends if label == "days" else made.sets
            made.wanted = {level: answer(level) for level in LEVELS if calibrated}
        self.cluster.sql(f"""
            INSERT INTO dpadapt.models
                (name, role, source, target, label, features, options, solution)
            VALUES ('m', 'postgres'::regrole, 'data', 'data', '{label}', '{{{features}}}', '',
                    '\\x{(made.file if named else made.solution).hex()}')
            ON CONFLICT (name) DO UPDATE SET features = excluded.features,
                                             solution = excluded.solution;""")
        return made

    def ask(self, call, role="analyst"):
        out = self.cluster.sql(f"SELECT to_json({call}) FROM data AS d ORDER BY i;", role)
        return [json.loads(line) if line else None for line in out.split("\n")]

    def refuse(self, words, call):
        with self.assertRaisesRegex(Failed, words):
            self.ask(call)

    def test_numbers_have_the_ends_of_the_command(self):
        made = self.fit("days")
        for level in LEVELS:
            got = self.ask(f"dpadapt.predict_interval('m', d, {level})")
            for ends, (lower, upper) in zip(got, made.wanted[level], strict=True):
                self.assertAlmostEqual(float(ends["lower"]), lower, delta=1e-9)
                self.assertAlmostEqual(float(ends["upper"]), upper, delta=1e-9)
        self.assertEqual(got[0], {"lower": "-Infinity", "upper": "Infinity"})
        inside = self.cluster.sql("SELECT avg((days BETWEEN lower AND upper)::int) FROM data AS d, "
                                  "dpadapt.predict_interval('m', d, 0.9);", "analyst")
        self.assertGreaterEqual(float(inside), 0.9)

    def test_classes_have_the_sets_of_the_command(self):
        for label, loss in (("fate", "softmax"), ("back", "logistic")):
            made = self.fit(label, loss=loss)
            for level in LEVELS:
                got = self.ask(f"dpadapt.predict_set('m', d, {level})")
                self.assertEqual(got, made.wanted[level])
        self.fit("back", "age", loss="logistic", named=False)
        labels = {tuple(one) for one in self.ask("dpadapt.predict_set('m', d, 0.9999)") if one}
        self.assertEqual(labels, {("-1", "1")})

    def test_null_where_there_is_no_prediction(self):
        self.fit("days", "age", named=False)
        calls = [call.format(features) for features in ("d", "ARRAY[age]")
                 for call in ("dpadapt.predict('m', {})", "dpadapt.predict_interval('m', {}, 0.9)")]
        answers = [self.ask(call) for call in calls]
        for call, got in zip(calls, answers):
            with self.subTest(call=call):
                self.assertEqual([i for i, one in enumerate(got) if one is None], [7])
        self.assertEqual(answers[1], answers[3])
        self.assertEqual(set(self.ask("dpadapt.predict_interval('m', d, NULL)")), {None})
        self.fit("back", "age", loss="logistic", named=False)
        got = self.ask("dpadapt.predict_set('m', d, 0.9)")
        self.assertEqual([i for i, one in enumerate(got) if one is None], [7])

    def test_levels_of_rows_in_parallel(self):
        made = self.fit("days")
        level = "CASE WHEN i % 2 = 0 THEN 0.5 ELSE 0.9 END"
        got = self.ask(f"dpadapt.predict_interval('m', d, {level})")
        for i, ends in enumerate(got):
            self.assertAlmostEqual(ends["upper"], made.wanted[(0.5, 0.9)[i % 2]][i][1], delta=1e-9)
        query = ("SELECT count(*) FROM data AS d WHERE "
                 "(dpadapt.predict_interval('m', d, 0.5)).upper > 20;")
        serial = self.cluster.sql(query, "analyst")
        self.assertEqual(int(serial), sum(high > 20 for _, high in made.wanted[0.5]))
        parallel = """SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;
            SET min_parallel_table_scan_size = 0; SET parallel_leader_participation = off;"""
        self.assertIn("Workers Planned", self.cluster.sql(f"{parallel} EXPLAIN {query}"))
        self.assertEqual(self.cluster.sql(parallel + query, "analyst"), serial)

    def test_what_is_refused(self):
        self.fit("days", "age", calibrated=False, named=False)
        self.refuse("the solution has no calibration", "dpadapt.predict_interval('m', d, 0.9)")
        self.fit("days", "age", named=False)
        for level in (0, 1, 1.5, -1, "'NaN'"):
            self.refuse(r"level must be in \(0, 1\)", f"dpadapt.predict_interval('m', d, {level})")
        self.refuse('the labels of model "m" are numbers(.|\n)*predict_interval gives intervals',
                    "dpadapt.predict_set('m', d, 0.9)")
        self.refuse('model "m" has 1 features, not 2',
                    "dpadapt.predict_interval('m', ARRAY[age, age], 0.9)")
        self.refuse('model "none" does not exist', "dpadapt.predict_interval('none', d, 0.9)")
        self.fit("back", loss="logistic")
        self.refuse('the labels of model "m" are classes(.|\n)*predict_set gives sets of classes',
                    "dpadapt.predict_interval('m', d, 0.9)")
        self.refuse('model "m" reads columns by a schema, and no array',
                    "dpadapt.predict_interval('m', ARRAY[age], 0.9)")


if __name__ == "__main__":
    unittest.main()

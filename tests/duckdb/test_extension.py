"""The extension in a real DuckDB: passes have the bits of rows in memory, for any threads, order
and type of column; predictions are those of the library."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import extension
from extension import IN_ORDER, PASS, case, connect, sums
from dpadapt import Model

passes = case.passes
TYPES = {"a": "DOUBLE", "b": "FLOAT", "c": "SMALLINT", "d": "BOOLEAN"}


def predictions(model, x):
    """By the library itself."""
    return Model.from_bytes(model).apply("labels", np.ascontiguousarray(x, float))


class Pass(unittest.TestCase):
    def setUp(self):
        self.db = connect()
        self.x, self.y = extension.with_target(self.db)

    def test_any_threads_order_and_groups_give_the_bits_of_rows_in_memory(self):
        wanted = case.fit_in_memory()
        group = "shuffled GROUP BY i % 7"
        dictionary = "(FROM target WHERE i % 5 = 1 UNION ALL FROM target WHERE i % 5 <> 1)"
        for threads, rows in ((1, "target"), (2, "shuffled"), (2, group), (1, dictionary)):
            self.db.execute(f"SET threads = {threads}")
            with self.subTest(threads=threads, rows=rows):
                self.assertEqual(case.fit(sums(self.db, PASS + rows)), wanted)

    def test_a_public_source_may_stay_in_the_database(self):
        count = 100000
        self.db.execute(f"""CREATE TABLE public AS SELECT (hash(i) % 100000) / 5e4 - 1 AS a,
            hash(i + 1) % 1000 / 500.0 - 1 AS b, i % 3 AS c, i % 5 = 0 AS d,
            CASE WHEN i % 100 > 0 THEN a + hash(i + 7) % 1000 / 500.0 END AS y
            FROM range({count}) AS t(i)""")
        results = set()
        for threads, rows in ((1, "public"), (2, "(FROM public ORDER BY hash(a)) GROUP BY c")):
            self.db.execute(f"SET threads = {threads}")
            public = passes.Elsewhere(count, len(TYPES), sums(self.db, PASS + rows))
            model = case.model(sums(self.db, PASS + "target"), len(self.y), public)
            results.add(model.to_bytes())
        self.assertEqual(len(results), 1)

    def test_many_rows_in_row_groups_for_threads(self):
        count = 300000
        self.db.execute(f"""CREATE TABLE many AS SELECT (hash(i) % 1000) / 500.0 - 1 AS a,
            i % 17 / 8.0 - 1 AS b, i % 3 AS c, i % 5 = 0 AS d,
            CASE WHEN i % 100 > 0 THEN i % 1000 / 500.0 END AS y FROM range({count}) AS t(i)""")
        results = set()
        for threads in (1, 2):
            self.db.execute(f"SET threads = {threads}")
            results.add(case.fit(sums(self.db, PASS + "many"), count))
        every = "SELECT a, b, c::DOUBLE, d::INT::DOUBLE, y FROM many"
        rows = self.db.execute(every).fetchnumpy()
        table = np.stack([np.ma.filled(rows[k].astype(float), np.nan) for k in rows], axis=1)
        in_memory = lambda request: [passes.carry_out(request, [(table[:, :4], table[:, 4])])]
        self.assertEqual({case.fit(in_memory, count)}, results)

    def test_numbers_of_every_type_constants_and_nulls(self):
        columns = ", ".join(f"CAST({c} AS {t}) AS {c}" for c, t in TYPES.items())
        self.db.execute(f"CREATE TABLE typed AS SELECT {columns}, CAST(y AS DECIMAL(18, 3)) AS y "
                        "FROM target ORDER BY i")
        cast = ", ".join(f"CAST({c} AS DOUBLE)" for c in (*TYPES, "y"))
        rows = self.db.execute(f"SELECT {cast} FROM typed").fetchnumpy().values()
        x = np.stack([np.ma.filled(column, np.nan) for column in rows], axis=1)
        for request in extension.requests()[:3]:
            for struct, features in ((IN_ORDER, x[:, :4]),
                                     ("row(a, 0.5::FLOAT, NULL, true)", None)):
                if features is None:
                    features = np.column_stack([x[:, 0], np.full(len(x), 0.5),
                                                np.full(len(x), np.nan), np.ones(len(x))])
                with self.subTest(struct=struct):
                    (got,) = sums(self.db, f"SELECT dpa_pass($1, {struct}, y) FROM typed")(request)
                    self.assertEqual(got, passes.carry_out(request, [(features, x[:, 4])]))

    def test_labels_of_every_type(self):
        request = extension.requests()[0]
        sum_of = lambda label: sums(self.db, f"SELECT dpa_pass($1, {IN_ORDER}, {label}) FROM "
                                    "(FROM target ORDER BY i)")(request)[0]
        signs = np.where(np.arange(1000) > 300, 1.0, 0.0)
        numbers = np.arange(1000.0)
        for label, y in (("i", numbers), ("i::HUGEINT", numbers), ("i > 300", signs),
                         ("y::VARCHAR", self.y),
                         ("if(i > 300, ' 1e0', '0')", signs),
                         ("if(i % 2 = 0, 'none ' || i, i::VARCHAR)",
                          np.where(np.arange(1000) % 2 == 0, np.nan, np.arange(1000))),
                         ("NULL", np.full(1000, np.nan))):
            with self.subTest(label=label):
                self.assertEqual(sum_of(label), passes.carry_out(request, [(self.x, y)]))
        for label in ("DATE '2020-01-01'", "[y]", "'1'::BLOB"):
            with self.assertRaisesRegex(Exception, "No function matches"):
                sum_of(label)

    def test_a_struct_that_is_null_is_a_null_record(self):
        request = extension.requests()[0]
        struct = f"CASE WHEN i % 4 > 0 THEN {IN_ORDER} END"
        (got,) = sums(self.db, f"SELECT dpa_pass($1, {struct}, y) FROM target")(request)
        x = np.where(np.arange(1000)[:, None] % 4 > 0, self.x, np.nan)
        self.assertEqual(got, passes.carry_out(request, [(x, self.y)]))

    def test_no_rows_have_no_sum(self):
        self.assertEqual(sums(self.db, PASS + "target WHERE i < 0")(extension.requests()[0]), [])


class Predict(unittest.TestCase):
    def setUp(self):
        self.db = connect()
        self.x, _ = extension.with_target(self.db)
        self.whole = lambda request: [passes.carry_out(request, [case.target()])]
        self.model = case.model(self.whole).to_bytes()

    def test_predictions_are_the_librarys(self):
        wanted = predictions(self.model, self.x)
        for threads in (1, 2):
            self.db.execute(f"SET threads = {threads}")
            rows = self.db.execute(f"SELECT dpa_predict($1, {IN_ORDER}) FROM target ORDER BY i",
                                   [self.model]).fetchall()
            got = np.array([np.nan if row[0] is None else row[0] for row in rows])
            np.testing.assert_allclose(got, wanted, rtol=1e-12)  # and the same are not numbers
            self.assertIsNone(rows[3][0])

    def test_several_models_in_one_query(self):
        models = [case.model(self.whole, unsafe_seed=seed).to_bytes() for seed in range(10)]
        self.db.execute("CREATE TABLE models (k INT, model BLOB)")
        self.db.executemany("INSERT INTO models VALUES (?, ?)", list(enumerate(models)))
        for _ in range(2):  # more than stay loaded
            rows = self.db.execute(f"SELECT k, dpa_predict(model, {IN_ORDER}), a, b, c, d FROM "
                                   "target, models WHERE i = 5").fetchall()
            for k, got, *features in rows:
                wanted = predictions(models[k], [features])[0]
                self.assertAlmostEqual(got, wanted, delta=1e-12 * abs(wanted))
            self.assertEqual(len(rows), 10)

    def test_a_model_file_finds_columns_by_their_names(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            for table, shift in (("source", 0), ("target", 1)):
                self.db.execute(f"""COPY (SELECT i % 50 AS age, 'xyz'[1 + i % 3] AS ward,
                    i % 50 + {shift} + i % 3 AS days FROM range(500) AS t(i))
                    TO '{path}/{table}.csv' (HEADER)""")
            subprocess.run([os.environ["DPADAPT_CLI"], "fit", "--source", path / "source.csv",
                            "--target", path / "target.csv", "--label", "days", "--set",
                            "private_domain=none", "--output", path / "model.json"],
                           check=True, capture_output=True)
            subprocess.run([os.environ["DPADAPT_CLI"], "predict", "--model", path / "model.json",
                            "--data", path / "target.csv", "--output", path / "predicted.csv"],
                           check=True, capture_output=True)
            out = (path / "predicted.csv").read_text()
            model = f"(SELECT content FROM read_blob('{path}/model.json'))"
            query = f"SELECT dpa_predict({model}, %s) FROM '{path}/target.csv'"
            wanted = [float(line.split(",")[-1]) for line in out.splitlines()[1:]]
            for struct in ("{'ward': ward, 'age': age}", "{'age': age, 'other': DATE '2000-01-01', "
                           "'ward': ward}"):
                rows = self.db.execute(query % struct).fetchall()
                np.testing.assert_allclose([row[0] for row in rows], wanted, rtol=1e-12)
            with self.assertRaisesRegex(Exception, "ward"):
                self.db.execute(query % "{'age': age}").fetchall()


class Example(unittest.TestCase):
    def test_the_driver_of_the_page(self):
        source, printed = case.program("python extension")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "build/release/duckdb/dpadapt.duckdb_extension")
            path.parent.mkdir(parents=True)
            path.symlink_to(extension.EXTENSION)
            result = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True,
                                    cwd=folder, env={**os.environ, "PYTHONPATH": str(case.PACKAGE)})
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, printed)

    def test_the_statements_of_the_page(self):
        page = pathlib.Path(os.environ["DPADAPT_SOURCE_DIR"], "docs", "embedding.md").read_text()
        (block,) = re.findall(r"^```sql duckdb\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
        x, y = case.rows(3, 500, 1.0)
        x = x[:, :2]
        seen = []

        def remember(request):
            seen.append(request)
            return [passes.carry_out(request, [(x, y)])]

        values = {"model": case.model(remember, 500, (x, y)).to_bytes(), "request": seen[0]}
        db = connect()
        db.execute("CREATE TABLE new_patients AS SELECT i / 500 AS age, i % 3 AS ward, "
                   "i / 250 AS days FROM range(500) AS t(i); CREATE TABLE patients AS "
                   "FROM new_patients; CREATE TABLE other_hospital AS FROM patients")
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            os.symlink(extension.EXTENSION, "dpadapt.duckdb_extension")
            db.execute("COPY new_patients TO 'patients.parquet'; COPY new_patients TO 'rows.csv'")
            subprocess.run([os.environ["DPADAPT_CLI"], "fit", "--source", "rows.csv", "--target",
                            "rows.csv", "--label", "days", "--set", "private_domain=none",
                            "--output", "model.json"], check=True, capture_output=True)
            subprocess.run([os.environ["DPADAPT_CLI"], "calibrate", "--model", "model.json",
                            "--data", "rows.csv", "--label", "days", "--set",
                            "private_domain=none", "--output", "sure.json"], check=True,
                           capture_output=True)
            for statement in filter(str.strip, block.split(";")):
                used = {k: v for k, v in values.items() if f"${k}" in statement}
                rows = db.execute(statement, used).fetchall()
                self.assertNotIn(None, [row[-1] for row in rows])
            os.chdir(before)


if __name__ == "__main__":
    unittest.main()

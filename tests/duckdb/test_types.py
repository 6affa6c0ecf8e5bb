"""What a value of each type of DuckDB becomes: the number that tests/data/types/cases.txt says, or
a refusal that names field and type; in sums and in predictions alike."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

import extension
from extension import case, connect

sys.path.insert(0, str(Path(os.environ["DPADAPT_SOURCE_DIR"], "tests", "data", "types")))
import cases  # noqa: E402

passes = case.passes
SQL = {"int8": "TINYINT", "uint8": "UTINYINT", "int16": "SMALLINT", "uint16": "USMALLINT",
       "int32": "INTEGER", "uint32": "UINTEGER", "int64": "BIGINT", "uint64": "UBIGINT",
       "int128": "HUGEINT", "uint128": "UHUGEINT", "float32": "FLOAT", "float64": "DOUBLE",
       "boolean": "BOOLEAN", "text": "VARCHAR", "factor": "ENUM('birth', 'ward')", "date": "DATE",
       "time": "TIME", "timestamp": "TIMESTAMP", "timestamp_zone": "TIMESTAMPTZ",
       "duration": "INTERVAL", "interval": "INTERVAL", "bytes": "BLOB", "uuid": "UUID"}
OTHER = {"list": "[1]", "struct": "{'x': 1}", "map": "MAP {1: 1}", "null": "NULL",
         "duration": "INTERVAL 86400 SECOND", "interval": "INTERVAL 1 MONTH"}
ABSENT = ("float16", "complex", "json")  # JSON of DuckDB is VARCHAR


def expressions(one):
    if one.type in ABSENT:
        return []
    if one.type in OTHER:
        return [OTHER[one.type]]
    if one.type == "decimal":  # of each width that holds it
        digits = len(one.value.replace("-", "").replace(".", "").lstrip("0"))
        scale = len(one.value.partition(".")[2])
        return [f"CAST('{one.value}' AS DECIMAL({width}, {scale}))" for width in (4, 9, 18, 38)
                if width >= max(digits, scale)]
    return [f"CAST('{one.value}' AS {SQL[one.type]})"]


class Types(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.db = connect()
        cls.solution = cases.identity()
        cls.model = cls.solution.to_bytes()
        cls.request = extension.requests()[0]

    def one(self, query, *arguments):
        return self.db.execute(query, arguments).fetchall()[0][0]

    def test_each_value_is_its_number_or_refused_by_name(self):
        seen = 0
        for one in cases.cases():
            for value in expressions(one):
                with self.subTest(type=one.type, value=value):
                    seen += 1
                    predict = f"SELECT dpa_predict($1, row({value}))"
                    add = f"SELECT dpa_pass($1, row({value}, 1, 1, 1), 1)"
                    if not one.is_number():
                        refused = "is no number, but of type [A-Z]"
                        with self.assertRaisesRegex(Exception, "feature number 1 " + refused):
                            self.one(predict, self.model)
                        with self.assertRaisesRegex(Exception, "feature number 1 " + refused):
                            self.one(add, self.request)
                        continue
                    number = one.number()
                    x = np.array([[np.nan if number is None else number, 1, 1, 1]])
                    self.assertEqual(self.one(add, self.request),
                                     passes.carry_out(self.request, [(x, np.ones(1))]))
                    got = self.one(predict, self.model)
                    if number is None:
                        self.assertIsNone(got)
                    else:
                        wanted = cases.predicted(self.solution, number)
                        self.assertAlmostEqual(got, wanted, delta=1e-12 * abs(wanted))
        self.assertGreater(seen, 35)

    def test_names_are_refused_where_a_request_or_a_model_has_none(self):
        for struct in ("{'b': b, 'a': a, 'd': d, 'c': c}", "{'a': a, 'b': b, 'c': c, 'd': d}", "p"):
            with self.assertRaisesRegex(Exception, r"no names of features: write row\(a, b, ...\)"):
                self.one(f"SELECT dpa_pass($1, {struct}, 1) FROM (SELECT 1 AS a, 2 AS b, 3 AS c, "
                         "4 AS d) AS p", self.request)
        with self.assertRaisesRegex(Exception, r"no names of features: write row\("):
            self.one("SELECT dpa_predict($1, {'x': 1})", self.model)

    def test_a_model_file_reads_texts_and_enums_and_names_what_it_refuses(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder)
            self.db.execute(f"""COPY (SELECT i % 50 AS age, ['ward', 'birth'][1 + i % 2] AS came,
                i % 50 + 3 * (i % 2) AS days FROM range(500) AS t(i))
                TO '{path}/rows.csv' (HEADER)""")
            subprocess.run([os.environ["DPADAPT_CLI"], "fit", "--source", path / "rows.csv",
                            "--target", path / "rows.csv", "--label", "days", "--set",
                            "private_domain=none", "--output", path / "model.json"],
                           check=True, capture_output=True)
            model = (path / "model.json").read_bytes()
        query = "SELECT dpa_predict($1, {'age': %s, 'came': %s})"
        as_text = self.one(query % ("7", "'ward'"), model)
        level = "CAST('ward' AS ENUM('birth', 'ward'))"
        self.assertEqual(self.one(query % ("7", level), model), as_text)
        self.assertEqual(self.one(query % ("7.0", "'ward\u00a0'"), model), as_text)
        self.assertNotEqual(self.one(query % ("7", "'birth'"), model), as_text)
        for one in cases.cases():
            for value in expressions(one):
                with self.subTest(type=one.type, value=value):
                    if one.answer != "refused":
                        self.one(query % (value, "'ward'"), model)
                        continue
                    words = 'feature "age" is no number, but of type [A-Z]'
                    with self.assertRaisesRegex(Exception, words):
                        self.one(query % (value, "'ward'"), model)


if __name__ == "__main__":
    unittest.main()

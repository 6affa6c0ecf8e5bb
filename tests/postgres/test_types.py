"""What a value of each type of PostgreSQL becomes: the number that tests/data/types/cases.txt says,
or a refusal that names column and type; in fits and predictions alike."""

import os
import sys
import unittest
from pathlib import Path

from cluster import ROLES, Cluster, Failed

sys.path.insert(0, str(Path(os.environ["DPADAPT_SOURCE_DIR"], "tests", "data", "types")))
import cases  # noqa: E402

SQL = {"int16": "int2", "int32": "int4", "int64": "int8", "float32": "float4", "float64": "float8",
       "decimal": "numeric", "uint64": "numeric", "int128": "numeric", "uint128": "numeric",
       "boolean": "boolean", "null": "float8", "text": "text", "factor": "kind", "date": "date",
       "time": "time", "timestamp": "timestamp", "timestamp_zone": "timestamptz",
       "duration": "interval", "bytes": "bytea", "uuid": "uuid", "json": "jsonb"}
MORE = {"list": "int[]", "struct": "pair", "bits": "bit(3)", "money": "money", "json text": "json"}
SETUP = ROLES + """
CREATE TYPE kind AS ENUM ('birth', 'ward');
CREATE TYPE pair AS (x int, y int);
CREATE TABLE public_rows AS SELECT i % 9 - 4.0::float8 AS it, i % 9 - 4.0::float8 AS y
    FROM generate_series(1, 400) AS i;
CREATE TABLE people AS TABLE public_rows;
GRANT SELECT ON public_rows TO analyst;
ALTER TABLE people OWNER TO custodian;
SET ROLE custodian;
SELECT dpadapt.protect('people', epsilon => 4, delta => 1e-6, locked => false);
SELECT dpadapt.allow('people', 'analyst', 4, 1e-6);
SET ROLE analyst;
SELECT dpadapt.fit('it', 'public_rows', 'people', 'y', '{it}',
                   'epsilon=1 delta=1e-7 unsafe_seed=1');
RESET ROLE;
"""


def literal(one):
    return "NULL" if one.type == "null" else f"'{one.value}'"


class Types(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.stop)
        cls.cluster.sql(SETUP)

    def test_each_value_is_its_number_or_refused_by_name(self):
        seen = 0
        for one in cases.cases():
            if one.type not in SQL:
                continue
            with self.subTest(type=one.type, value=one.value):
                seen += 1
                row = f"(SELECT t FROM (SELECT {literal(one)}::{SQL[one.type]} AS it) AS t)"
                query = f"SELECT dpadapt.predict('it', {row})"
                if not one.is_number():
                    with self.assertRaisesRegex(Failed, 'column "it" of the row is of type'):
                        self.cluster.sql(query)
                    continue
                number = one.number()
                wanted = ("SELECT NULL" if number is None else
                          f"SELECT dpadapt.predict('it', ARRAY[{number!r}::float8])")
                self.assertEqual(self.cluster.sql(query), self.cluster.sql(wanted))
        self.assertGreater(seen, 25)

    def test_fits_refuse_by_name_before_anything_is_paid(self):
        kinds = {one.type: SQL[one.type] for one in cases.cases()
                 if one.answer == "refused" and one.type in SQL}
        for name, kind in {**kinds, **MORE}.items():
            for private in (False, True):
                with self.subTest(type=name, private=private):
                    types = ("float8", kind) if private else (kind, "float8")
                    self.cluster.sql(f"""
                        DROP TABLE IF EXISTS known, secret;
                        CREATE TABLE known (it {types[0]}, y float8);
                        CREATE TABLE secret (it {types[1]}, y float8);
                        GRANT SELECT ON known TO analyst;
                        ALTER TABLE secret OWNER TO custodian;
                        INSERT INTO known VALUES (NULL, 1);
                        INSERT INTO secret VALUES (NULL, 1);
                        SET ROLE custodian;
                        SELECT dpadapt.protect('secret', epsilon => 1, delta => 1e-6);
                        SELECT dpadapt.allow('secret', 'analyst', 1, 1e-6);""")
                    with self.assertRaisesRegex(Failed, 'column "it" of relation .* is of type'):
                        self.cluster.sql("SET ROLE analyst; SELECT dpadapt.fit('odd', 'known', "
                                         "'secret', 'y', '{it}', 'epsilon=1 delta=1e-7');")
                    left = self.cluster.sql("SELECT dpadapt.budget('secret') -> 'entries'")
                    self.assertIn(left.strip(), ("0", "[]", ""))


if __name__ == "__main__":
    unittest.main()

"""Whatever a query gives it, the extension answers with an error of SQL that tells nothing private,
and the server goes on."""

import random
import unittest

import duckdb

import extension
from extension import IN_ORDER, PASS, case, connect, sums

SECRET = "4711.25"


class Damage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.requests = extension.requests()
        whole = lambda request: [case.passes.carry_out(request, [case.target()])]
        cls.model = case.model(whole).to_bytes()

    def setUp(self):
        self.db = connect()
        extension.with_target(self.db)
        self.db.execute(f"UPDATE target SET a = {SECRET}, y = {SECRET}")
        self.db.execute("ALTER TABLE target ADD COLUMN t VARCHAR")
        self.db.execute(f"UPDATE target SET t = '{SECRET}'")

    def refused(self, query, arguments, words="", threads=2):
        self.db.execute(f"SET threads = {threads}")
        with self.assertRaisesRegex(duckdb.Error, words) as caught:
            self.db.execute(query, arguments).fetchall()
        self.assertNotIn("4711", str(caught.exception))
        self.assertEqual(self.db.execute("SELECT 42").fetchall(), [(42,)])

    def test_damaged_requests(self):
        generator = random.Random(1)
        for request in (self.requests[0], self.requests[-1]):
            for _ in range(150):
                bad = bytearray(request)
                bad[generator.randrange(len(bad))] ^= 1 << generator.randrange(8)
                self.refused(PASS + "target", [bytes(bad)])
            for size in (0, 1, 7, 40, len(request) - 1):
                self.refused(PASS + "target", [request[:size]])
            self.refused(PASS + "target", [request + b"x"])
        self.refused(PASS + "target", [None], "must not be NULL")
        self.refused(PASS + "target", [self.model], "request")

    def test_damaged_models(self):
        generator = random.Random(2)
        query = f"SELECT dpa_predict($1, {IN_ORDER}) FROM target"
        for _ in range(150):
            bad = bytearray(self.model)
            bad[generator.randrange(len(bad))] ^= 1 << generator.randrange(8)
            self.refused(query, [bytes(bad)])
        for bad in (b"", self.model[:100], self.model[:-1], b"{}", b'{"schema": 1', None):
            self.refused(query, [bad])

    def test_wrong_columns(self):
        request = self.requests[0]
        for struct, words in (("row(a)", "features|columns"), ("a", "struct"),
                              ("[a, b]", "struct"), ("NULL", "struct"),
                              ("row(a, b, c, d, a)", "features|columns"),
                              ("{'a': a, 'b': b, 'c': c, 'd': d}", "no names of features"),
                              ("row(a, b, c, t)", "number 4 is no number"),
                              ("{'a': a, 'b': b, 'c': c, 'd': t}", '"d" is no number'),
                              ("{'a': a, 'b': b, 'c': c, 'd': {'x': a}}", '"d" is no number')):
            self.refused(f"SELECT dpa_pass($1, {struct}, y) FROM target", [request], words)
            self.refused(f"SELECT dpa_predict($1, {struct}) FROM target", [self.model])

    def test_several_requests_in_one_sum(self):
        first, last = self.requests[0], self.requests[-1]
        self.refused(f"SELECT dpa_pass(CASE WHEN i % 2 = 0 THEN $1 ELSE $2 END, {IN_ORDER}, y) "
                     "FROM target", [first, last], "same request")
        groups = self.db.execute(
            f"SELECT dpa_pass(CASE WHEN i % 2 = 0 THEN $1 ELSE $2 END, {IN_ORDER}, y) FROM target "
            "GROUP BY i % 2", [first, last]).fetchall()
        self.assertEqual(len(groups), 2)

    def test_more_rows_than_the_request_speaks_of(self):
        self.refused(PASS + "(FROM target UNION ALL FROM target)", [self.requests[0]], "more")

    def test_a_window_of_sums(self):
        (request,) = self.requests[:1]
        rows = self.db.execute(
            f"SELECT i, dpa_pass($1, {IN_ORDER}, y) OVER (ORDER BY i ROWS BETWEEN 3 PRECEDING AND "
            "CURRENT ROW) FROM target WHERE i < 300", [request]).fetchall()
        for i, got in rows[::37]:
            query = f"{PASS} target WHERE i BETWEEN {i - 3} AND {i}"
            self.assertEqual([got], sums(self.db, query)(request))


if __name__ == "__main__":
    unittest.main()

"""What a value of each type of Arrow becomes: the number that tests/data/types/cases.txt says, or a
refusal that names column and type; in samples, sums, predictions and tables alike."""

import datetime
import decimal
import os
import sys
import unittest
from pathlib import Path

import numpy as np
import pyarrow as pa

import case
from case import passes

import arrow_fit  # noqa: E402 of the folder that case adds
from passes import _bytes, _handle, _lib

sys.path.insert(0, str(Path(os.environ["DPADAPT_SOURCE_DIR"], "tests", "data", "types")))
import cases  # noqa: E402

INTEGERS = {f"{sign}int{bits}": getattr(pa, f"{sign}int{bits}")()
            for sign in ("", "u") for bits in (8, 16, 32, 64)}
FLOATS = {"float16": pa.float16(), "float32": pa.float32(), "float64": pa.float64()}
ABSENT = ("int128", "uint128", "complex", "json", "uuid")
NOON = datetime.datetime(2026, 1, 2, 12)
ODD = {"date": [pa.array([NOON.date()], t) for t in (pa.date32(), pa.date64())],
       "time": [pa.array([NOON.time()], t) for t in (pa.time32("s"), pa.time64("us"))],
       "timestamp": [pa.array([NOON], pa.timestamp(unit)) for unit in ("s", "ms", "us", "ns")],
       "timestamp_zone": [pa.array([NOON], pa.timestamp("us", "UTC"))],
       "duration": [pa.array([86400], pa.duration(unit)) for unit in ("s", "ns")],
       "interval": [pa.array([(1, 2, 3)], pa.month_day_nano_interval())],
       "bytes": [pa.array([b"abc"], t) for t in (pa.binary(), pa.large_binary(), pa.binary(3),
                                                 pa.binary_view())],
       "list": [pa.array([[1]], t) for t in (pa.list_(pa.int64()), pa.large_list(pa.int64()))],
       "struct": [pa.array([{"x": 1}])],
       "map": [pa.array([[("x", 1)]], pa.map_(pa.string(), pa.int64()))]}
TEXTS = (pa.string(), pa.large_string(), pa.string_view())


def decimals(value):
    number = decimal.Decimal(value)
    digits = len(number.as_tuple().digits)
    scale = -number.as_tuple().exponent
    wide = [pa.decimal128(38, scale)]
    if hasattr(pa, "decimal32"):
        wide += [kind(most, scale) for kind, most in ((pa.decimal32, 9), (pa.decimal64, 18))
                 if digits <= most and scale <= most]
    return [pa.array([number], t) for t in wide]


def arrays(one):
    if one.type in ABSENT:
        return []
    if one.type in ODD:
        return ODD[one.type]
    if one.type in INTEGERS:
        return [pa.array([int(one.value)], INTEGERS[one.type])]
    if one.type in FLOATS:
        return [pa.array([np.dtype(one.type).type(one.value)], FLOATS[one.type])]
    if one.type == "decimal":
        return decimals(one.value)
    if one.type == "boolean":
        return [pa.array([one.value == "true"])]
    if one.type == "null":
        types = pa.null(), pa.int64(), pa.decimal128(9, 2), pa.float16()
        return [pa.array([None], t) for t in types]
    return [pa.array([one.value], t) for t in TEXTS] if one.type == "text" else [
        pa.array([one.value]).dictionary_encode()]


class Types(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.solution, _ = cases.identity(passes)
        cls.request = []
        x, y = np.arange(9.0)[:, None], np.arange(9.0)

        def carry_out(request):
            cls.request.append(request)
            return [passes.carry_out(request, [(x, y)])]

        passes.fit(x, y, 9, carry_out, **case.OPTIONS)

    def test_each_value_is_its_number_or_refused_by_name(self):
        seen = 0
        for one in cases.cases():
            for array in arrays(one):
                with self.subTest(type=one.type, value=one.value, arrow=str(array.type)):
                    seen += 1
                    batch = pa.record_batch({"it": array})
                    labelled = pa.record_batch({"it": array, "y": pa.array([1.0])})
                    if not one.is_number():
                        words = 'column "it" has (texts|the Arrow format)'
                        with self.assertRaisesRegex(RuntimeError, words):
                            arrow_fit.predict(self.solution, batch)
                        with self.assertRaisesRegex(RuntimeError, words):
                            arrow_fit.carry_out(self.request[0], [labelled], "y")
                        with self.assertRaisesRegex(RuntimeError, words):
                            arrow_fit.fit(pa.table(labelled), pa.table(labelled), "y")
                        continue
                    number = np.nan if one.number() is None else one.number()
                    wanted = passes.carry_out(self.request[0], [(np.array([[number]]), np.ones(1))])
                    self.assertEqual(arrow_fit.carry_out(self.request[0], [labelled], "y"), wanted)
                    got = arrow_fit.predict(self.solution, batch)[0]
                    np.testing.assert_equal(got, cases.predicted(passes, self.solution, number))
        self.assertGreater(seen, 50)

    def test_tables_for_schemas_refuse_by_name_too(self):
        for one in cases.cases():
            for array in arrays(one):
                with self.subTest(type=one.type, arrow=str(array.type)):
                    stream = pa.table({"it": array}).__arrow_c_stream__()
                    pointer = arrow_fit._pointer(stream, b"arrow_array_stream")
                    if one.answer == "refused":
                        words = 'column "it" has the Arrow format'
                        with self.assertRaisesRegex(RuntimeError, words):
                            _handle("dpa_table_create_arrow", pointer)
                    else:
                        table = _handle("dpa_table_create_arrow", pointer)
                        _lib.dpa_table_destroy.argtypes = [type(table)]
                        _lib.dpa_table_destroy(table)

    def test_predict_takes_what_fit_takes(self):
        rows = pa.table({"it": pa.chunked_array([[1.0, 2.0], [3.0]])})
        frame = rows.to_pandas()
        batch = rows.combine_chunks().to_batches()[0]
        wanted = arrow_fit.predict(self.solution, batch)
        reader = pa.RecordBatchReader.from_batches(rows.schema, rows.to_batches())
        for given in (rows, frame, reader):
            np.testing.assert_array_equal(arrow_fit.predict(self.solution, given), wanted)
        self.assertEqual(len(arrow_fit.predict(self.solution, rows.slice(0, 0))), 0)

    def test_a_saved_predictor_does_not_grow_with_public_rows(self):
        sizes = set()
        for rows in (2000, 4000):
            x = np.linspace(0, 1, rows)[:, None]
            whole = lambda request: [passes.carry_out(request, [(x, x[:, 0])])]
            sizes.add(len(passes.fit(x, x[:, 0], rows, whole, **case.OPTIONS)[2]))
        self.assertLess(max(sizes) - min(sizes), 500)


if __name__ == "__main__":
    unittest.main()

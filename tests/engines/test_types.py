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

import arrow
import case
from case import passes
from dpadapt import errors
from dpadapt._tables import make_table

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
        cls.model = cases.identity()
        cls.request = []
        x, y = np.arange(9.0)[:, None], np.arange(9.0)

        def carry_out(request):
            cls.request.append(request)
            return [passes.carry_out(request, [(x, y)])]

        case.model(carry_out, 9, (x, y))

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
                        with self.assertRaisesRegex(errors.Error, words):
                            arrow.predict(self.model.handle, batch)
                        with self.assertRaisesRegex(errors.Error, words):
                            arrow.carry_out(self.request[0], [labelled], "y")
                        with self.assertRaisesRegex(errors.Error, words):
                            arrow.fit(pa.table(labelled), pa.table(labelled), "y")
                        continue
                    number = np.nan if one.number() is None else one.number()
                    wanted = passes.carry_out(self.request[0], [(np.array([[number]]), np.ones(1))])
                    self.assertEqual(arrow.carry_out(self.request[0], [labelled], "y"), wanted)
                    got = arrow.predict(self.model.handle, batch)[0]
                    np.testing.assert_equal(got, cases.predicted(self.model, number))
        self.assertGreater(seen, 50)

    def test_tables_for_schemas_refuse_by_name_too(self):
        for one in cases.cases():
            for array in arrays(one):
                with self.subTest(type=one.type, arrow=str(array.type)):
                    table = pa.table({"it": array})
                    if one.answer == "refused":
                        words = 'column "it" has the Arrow format'
                        with self.assertRaisesRegex(errors.Error, words):
                            make_table(table)
                    else:
                        make_table(table)

    def test_a_saved_predictor_does_not_grow_with_public_rows(self):
        sizes = set()
        for rows in (2000, 4000):
            x = np.linspace(0, 1, rows)[:, None]
            whole = lambda request: [passes.carry_out(request, [(x, x[:, 0])])]
            sizes.add(len(case.model(whole, rows, (x, x[:, 0])).to_bytes()))
        self.assertLess(max(sizes) - min(sizes), 500)


if __name__ == "__main__":
    unittest.main()

"""Arrow by pyarrow and DuckDB: types, slices, chunks, nulls and dictionaries of real producers give
the bits of rows in memory, and their memory goes back to them."""

import gc
import unittest

import duckdb
import numpy as np
import pyarrow as pa

import arrow
import case
from dpadapt import Model, errors
from dpadapt.schema import Schema

NAMES = ["a", "b", "c", "d"]
TYPES = [pa.float64(), pa.float32(), pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(),
         pa.uint16(), pa.uint32(), pa.uint64(), pa.bool_()]


def table(x, y):
    """NULL where nothing is known."""
    return pa.table({name: pa.array(column, mask=np.isnan(column))
                     for name, column in zip([*NAMES, "y"], [*x.T, y])})


def lists(x, y):
    """One column of lists, and labels."""
    values = pa.FixedSizeListArray.from_arrays(pa.array(x.ravel()), x.shape[1])
    return pa.table({"x": values, "y": pa.array(y)})


def chunked(rows, sizes, random):
    """The same rows in chunks, each of which is a slice of a longer array."""
    parts, begin = [], 0
    for size in sizes:
        before, behind = random.integers(0, 20, 2)
        part = rows.slice(begin, size)
        longer = pa.concat_tables([rows.slice(0, before), part, rows.slice(0, behind)])
        parts.append(longer.combine_chunks().slice(before, size))
        begin += size
    assert begin == len(rows)
    return pa.concat_tables(parts)


def model(target, features=None):
    return bits(arrow.fit(table(*case.source()), target, "y", features, **case.OPTIONS))


def bits(solution):
    return case.bits(Model(solution))


def applied(rows, public, label):
    """What a schema that is learnt from public rows makes of others, and its bytes."""
    schema = Schema.learn(public, None, label, None, [])
    return (*schema.rows_of_types(rows), schema.to_bytes())


class Arrow(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.wanted = case.fit_in_memory()

    def test_tables_chunks_and_slices_have_the_bits_of_rows_in_memory(self):
        random = np.random.default_rng(1)
        rows = table(*case.target())
        self.assertEqual(model(rows), self.wanted)
        for sizes in ((1000,), (1, 0, 499, 500), (7,) * 142 + (6,)):
            with self.subTest(sizes=sizes[:4]):
                self.assertEqual(model(chunked(rows, sizes, random)), self.wanted)

    def test_columns_are_found_by_name(self):
        rows = table(*case.target())
        turned = rows.select(["d", "y", "b", "a", "c"]).append_column("z", pa.array(["?"] * 1000))
        self.assertEqual(model(turned, NAMES), self.wanted)

    def test_lists_are_kept_and_given_back(self):
        x, y = case.target()
        before = pa.total_allocated_bytes()
        wide = lists(x, y)
        nulls = lists(np.nan_to_num(x), y)
        valid = np.ones(len(y), bool)
        valid[3] = False  # the record that case makes null
        column = pa.FixedSizeListArray.from_arrays(
            nulls["x"].combine_chunks().flatten(), case.FEATURES, mask=pa.array(~valid))
        source = lists(*case.source())
        for target in (wide, nulls.set_column(0, "x", column), wide.slice(0, 400)):
            solution = arrow.fit(source, target, "y", **case.OPTIONS)
            if len(target) == len(y):
                self.assertEqual(bits(solution), self.wanted)
        del solution, wide, nulls, column, source, target
        gc.collect()
        self.assertEqual(pa.total_allocated_bytes(), before)

    def test_a_query_of_duckdb_is_a_stream(self):
        db = duckdb.connect()
        db.register("rows", table(*case.target()))
        self.assertEqual(model(db.sql("SELECT d, y, b, a, c FROM rows"), NAMES), self.wanted)

    def test_passes_over_batches(self):
        rows = table(*case.target())
        for size in (1000, 64):
            batches = rows.to_batches(max_chunksize=size)
            got = case.fit(lambda request: [arrow.carry_out(request, batches, "y")])
            self.assertEqual(got, self.wanted)

    def test_any_type_in_any_slice_is_predicted_from(self):
        random = np.random.default_rng(3)
        x = random.normal(size=(200, len(TYPES)))
        rows = pa.table({f"{k}": column for k, column in enumerate([*x.T, x.sum(axis=1)])})
        solution = arrow.fit(rows, rows, f"{len(TYPES)}", private_domain="none")
        for _ in range(200):
            count, offset = random.integers(1, 90), random.integers(0, 70)
            columns, wanted = [], np.empty((count, len(TYPES)))
            for k, kind in enumerate(random.permutation(np.array(TYPES, dtype=object))):
                values = random.integers(0, 100, count + offset).astype(float)
                if pa.types.is_floating(kind):
                    values /= 8
                elif pa.types.is_signed_integer(kind):
                    values -= 50
                elif pa.types.is_boolean(kind):
                    values %= 2
                missing = random.random(count + offset) < random.choice([0, 0.02])
                columns.append(pa.array(values, mask=missing).cast(kind).slice(offset))
                wanted[:, k] = np.where(missing, np.nan, values)[offset:]
            batch = pa.RecordBatch.from_arrays(columns, [str(k) for k in range(len(TYPES))])
            plain = pa.RecordBatch.from_arrays([pa.array(c) for c in wanted.T], batch.schema.names)
            begin = random.integers(0, count)
            got = arrow.predict(solution, batch.slice(begin))
            np.testing.assert_array_equal(got, Model(solution).apply("labels", wanted)[begin:])
            np.testing.assert_array_equal(got, arrow.predict(solution, plain.slice(begin)))

    def test_dictionaries_and_texts_of_every_encoding(self):
        random = np.random.default_rng(4)
        words = np.array(["red", "green", "blue", "a colour with a very long name", None], object)
        colours = words[random.integers(0, 5, 600)]
        columns = {"age": random.normal(50, 9, 600), "colour": colours,
                   "y": random.normal(size=600)}
        results = []
        for kind in (pa.string(), pa.large_string(), pa.string_view()):
            rows = pa.table({**columns, "colour": pa.array(colours, kind)})
            results.append(applied(chunked(rows, (200, 1, 399), random), rows, "y"))
        for kind in (pa.int8(), pa.uint16(), pa.int32(), pa.int64()):
            coded = [pa.array(part).dictionary_encode().cast(pa.dictionary(kind, pa.string()))
                     for part in np.split(colours, [250])]  # each with a dictionary of its own
            rows = pa.table({**columns, "colour": pa.chunked_array(coded)})
            results.append(applied(chunked(rows, (200, 1, 399), random), rows, "y"))
        self.assertEqual(results[0][0].shape[1], 5)  # age, 3 levels, missing
        for x, y, saved in results[1:]:
            np.testing.assert_array_equal(x, results[0][0])
            np.testing.assert_array_equal(y, columns["y"])
            self.assertEqual(saved, results[0][2])

    def test_what_is_refused(self):
        rows = table(*case.target())

        def broken():
            yield rows.to_batches()[0]
            raise ValueError("patient 17 has no ward")

        failing = pa.RecordBatchReader.from_batches(rows.schema, broken())
        with self.assertRaisesRegex(errors.Error, "stream failed") as raised:
            model(failing)
        self.assertNotIn("17", str(raised.exception))
        with self.assertRaisesRegex(errors.Error, 'column "b" .*"tdD"'):
            model(rows.set_column(1, "b", pa.array([0] * 1000, pa.date32())))
        with self.assertRaisesRegex(errors.Error, 'no column "z"'):
            model(rows, ["a", "z"])
        with self.assertRaisesRegex(errors.Error, "at least 1"):
            model(rows.slice(0, 0))


if __name__ == "__main__":
    unittest.main()

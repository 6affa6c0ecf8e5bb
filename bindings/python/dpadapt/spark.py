"""Private fits of Spark's data frames.

fit() needs no jar, and works over Spark Connect, too: the workers need this package. DpaEstimator
and DpaModel are stages of Spark ML, which need the jars of bindings/spark. The page
docs/embedding.md has examples.
"""

from contextlib import contextmanager
from functools import cached_property

from . import _engines, errors
from ._library import LIBRARY

VERSION = b"dpadapt"


class _Frame:
    """A data frame of Spark, whose partitions Python's workers read as batches of Arrow."""

    def __init__(self, frame):
        self.frame, self.columns = frame, frame.columns

    def folded(self, name):
        return name if self._has_case else name.lower()

    @cached_property
    def _has_case(self):
        return self.frame.sparkSession.conf.get("spark.sql.caseSensitive").lower() == "true"

    def select(self, names):
        return self.frame.select(["`" + name.replace("`", "``") + "`" for name in names])

    def table(self, names):
        import pyarrow

        parts = [pyarrow.ipc.open_stream(part).read_all()
                 for part in _collected(self.select(names), _written)]
        return pyarrow.concat_tables(parts or [pyarrow.table({name: [] for name in names})])

    @contextmanager
    def kept(self, names):
        """The rows stay the same from pass to pass, unless blocks are lost."""
        keeps = self.frame.storageLevel
        rows = self.select(names)
        if keeps.useMemory or keeps.useDisk:
            yield _Frame(rows)
            return
        rows.persist()
        try:
            yield _Frame(rows)
        finally:
            rows.unpersist()

    def look(self):
        """This job also tells whether the workers have the package, of the same version."""
        import pyarrow

        found = _collected(self.frame, _counted)
        schemas = [pyarrow.ipc.read_schema(pyarrow.py_buffer(part[8:])) for part in found]
        for version in {schema.metadata[VERSION] for schema in schemas} - {LIBRARY.dpa_version()}:
            raise errors.StateError(f"a worker has the version {version.decode()} of dpadapt, and "
                                    f"not {LIBRARY.dpa_version().decode()}")
        return (sum(int.from_bytes(part[:8], "little") for part in found),
                schemas[0] if schemas else None)

    def sums(self, request, schema):
        return _collected(self.frame, lambda batches: [_engines.sums(batches, request, schema)])


def _collected(frame, work):
    """The bytes that work(batches) makes of each partition."""
    def worker(batches):
        import pyarrow

        for value in work(batches):
            yield pyarrow.RecordBatch.from_pydict({"value": [value]})

    return [bytes(row["value"]) for row in frame.mapInArrow(worker, "value binary").collect()]


def _written(batches):
    import pyarrow

    for batch in batches:
        out = pyarrow.BufferOutputStream()
        with pyarrow.ipc.new_stream(out, batch.schema) as stream:
            stream.write_batch(batch)
        yield out.getvalue().to_pybytes()


def _counted(batches):
    """The number of rows, then their types with the version of the library."""
    count, schema = 0, None
    for batch in batches:
        count, schema = count + batch.num_rows, batch.schema
    if schema is None:
        return []
    schema = schema.with_metadata({VERSION: LIBRARY.dpa_version()})
    return [count.to_bytes(8, "little") + schema.serialize().to_pybytes()]


def fit(target, *, source, label, features=None, **settings):
    """A Model of a private data frame of Spark, with the help of a public one.

    source : data frame
        Of Spark, pandas, polars or Arrow. One of Spark is collected to the driver.
        The number of the target's rows is published: do not filter by private columns.
    label, features : names of columns
        Without features all columns of the source but the label. They are coded by a schema of the
        source, as those of data frames are.
    ledger, baseline, verbose, missing, positive, ignore, categories, and every option
        As those of AdaptedRegressor. Labels that are texts need loss="logistic" or "softmax".
    """
    public = _Frame(source) if hasattr(source, "mapInArrow") else _engines.Frame(source)
    return _engines.fit(public, _Frame(target), label, features, **settings)


def __getattr__(name):
    """The stages import PySpark, so they are made when they are asked for."""
    if name not in ("DpaEstimator", "DpaModel"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import _stages

    return getattr(_stages, name)

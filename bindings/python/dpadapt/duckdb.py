"""A private fit of a relation of DuckDB, which may be larger than memory: its rows come in batches
of Arrow, and none is kept. The page docs/embedding.md has an example."""

from contextlib import closing, contextmanager

from . import _engines
from ._cells import SMALL

BATCH = 1 << 14  # rows


class _Relation:
    """A query, or a relation that the connection has made."""

    folded = staticmethod(lambda name: name.translate(SMALL))

    def __init__(self, connection, query):
        self.connection = connection
        self.rows = connection.sql(query) if isinstance(query, str) else query
        self.columns = self.rows.columns

    def select(self, names):
        """A new relation: one that was read once has no rows left."""
        return self.rows.project(", ".join('"' + name.replace('"', '""') + '"' for name in names))

    def table(self, names):
        return _reader(self.select(names)).read_all()

    @contextmanager
    def kept(self, names):
        """All passes see one snapshot, of a transaction that the caller or that this begins."""
        self.names = names
        begins = self._transaction() != self._transaction()
        if begins:
            self.connection.begin()
        try:
            yield self
        finally:
            if begins:
                self.connection.rollback()  # nothing was written

    def _transaction(self):
        """Outside of a transaction each query has a number of its own."""
        return self.connection.sql("SELECT txid_current()").fetchall()

    def look(self):
        rows = self.select(self.names)
        return rows.count("*").fetchall()[0][0], _reader(rows.limit(0)).schema

    def sums(self, request, schema):
        with closing(_reader(self.select(self.names))) as batches:  # else it holds the connection
            return [_engines.sums(batches, request, schema)]


def _reader(relation):
    make = getattr(relation, "to_arrow_reader", None) or relation.fetch_arrow_reader
    return make(BATCH)


def fit(connection, *, source, target, label, features=None, **settings):
    """A Model of a private relation, with the help of a public one.

    source, target : text or relation
        A query, such as "FROM patients", or a relation of the connection. The source may be a data
        frame, too. The number of the target's rows is published: do not filter by private columns.
    label, features : names of columns
        Without features all columns of the source but the label. They are coded by a schema of the
        source; texts are levels, also those of digits.
    ledger, baseline, verbose, missing, positive, ignore, categories, and every option
        As those of AdaptedRegressor. Labels that are texts need loss="logistic" or "softmax".
    """
    public = source if isinstance(source, str) or hasattr(source, "project") else None
    public = _engines.Frame(source) if public is None else _Relation(connection, source)
    return _engines.fit(public, _Relation(connection, target), label, features, **settings)

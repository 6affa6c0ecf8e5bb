"""What the fits of engines have in common. Their rows go through a schema of the public ones, as
those of data frames do, so a fit has the bits of one in memory."""

import numpy as np

from . import _options, _problem, errors, passes
from ._call import TARGET
from ._constructor import HINTS, hints
from ._running import run
from .model import Model
from .schema import Schema


class Frame:
    """A public frame in memory: pandas, polars or Arrow."""

    folded = str

    def __init__(self, frame):
        import pyarrow

        self.rows = pyarrow.table(frame)
        self.columns = self.rows.column_names

    def table(self, names):
        return self.rows.select(names)


def _check(names, relation, what):
    """Each name is that of one column, in these very letters: an engine that ignores capitals would
    read another column."""
    for name in names:
        near = [one for one in relation.columns if one.lower() == name.lower()]
        same = [one for one in near if relation.folded(one) == relation.folded(name)]
        if len(same) > 1:
            raise errors.Error(f'{len(same)} columns of the {what} are called "{name}"')
        if same != [name]:
            hint = f': write "{near[0]}"' if near else ""
            raise errors.Error(f'no column of the {what} is called "{name}"{hint}')


def fit(source, target, label, features, baseline=None, ledger=None, verbose=False, **settings):
    """A Model. Both relations have `columns`, and names that are folded() alike are one column's.
    The source has a table() of some. The target is kept() as it is for a fit, and then has a
    look(), at the number of rows and at the types, and the sums() of a request.
    """
    import pyarrow

    asked = {name: settings.pop(name, None) for name in HINTS}
    _options.refuse_unknown(settings, "fit")
    if _problem.private_sides(settings.get("private_domain")) != (TARGET,):
        raise errors.OptionError("the relation that stays elsewhere is private, and its source is "
                                 "not: private_domain must be target")
    if features is None:
        features = [name for name in source.columns if name != label]
    names = [*features, label]
    if len(set(names)) < len(names):
        raise errors.Error("a column is given twice, or as feature and label")
    _check(names, source, "source")
    _check(names, target, "target")
    made = _options.make(settings)
    schema, public = _learnt(source.table(names), label, made, hints(asked), verbose)
    schema.tell_unused()
    with target.kept(names) as private:
        count, types = private.look()
        if types is not None:  # what cannot be read is refused before anything is paid
            schema.rows_of_types(pyarrow.Table.from_pylist([{}], types))
        elsewhere = passes.Elsewhere(count, len(schema.features),
                                     lambda request: private.sums(request, schema))
        return Model.named(passes.solution(public, elsewhere, made, "target", baseline, ledger,
                                           verbose), schema)


def _learnt(table, label, options, asked, verbose):
    """The schema of public rows, and the sample that they are. A text is a category, whatever it
    looks like."""
    asked = asked + [("text", field.name) for field in table.schema
                     if "string" in str(field.type) and field.name != label]
    schema = run(lambda: Schema.learn(table, None, label, options, asked), options, verbose)
    x, y = schema.rows_of_types(table)
    known = np.isfinite(y)
    return schema, _problem.Sample(np.ascontiguousarray(x[known]), y[known])


def sums(batches, request, schema):
    """carry_out() of batches of Arrow, of which none is empty."""
    return passes.carry_out(request, (batch for batch in batches if batch.num_rows),
                            schema=schema)

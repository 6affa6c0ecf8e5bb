"""Counts by a log link: the deviance of private Poisson fits beside those of the source's and the target's own.

bike and nmes were looked at while the loss was written; randhie and visits were run once, then."""

import functools
import io
import shutil
import subprocess

import numpy as np

import datasets
from fits import dpadapt, private

ROWS = (500, 1000, 2000, None)  # of the target's training part, which is 0.7 of it; None: all
EPSILONS = (0.5, 1, 4)
DELTA = 1e-6
LOOKED_AT = ("bike", "nmes")
REPORTED = ("randhie", "visits")
TRAINING = 0.7


def tasks(count, quick):
    names = ("wind",) if quick else (*LOOKED_AT, *REPORTED)
    return [(name, rows, index) for name in names for rows in (ROWS[:1] if quick else ROWS)
            for index in range(count)]


def from_r(package, name, collection=None):
    """A data frame of an R package, with factors as indicators of all levels but the first."""
    if shutil.which("Rscript") is None:
        raise datasets.Missing(f"R with {package}")
    script = (f"data({collection or name}, package = '{package}'); d <- {name}; factors <- vapply(d, is.factor, NA);"
              "x <- if (any(factors)) cbind(d[!factors], model.matrix(~ ., d[factors])[, -1]) else d;"
              "write.csv(x, row.names = FALSE)")
    run = subprocess.run(["Rscript", "-e", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if run.returncode != 0:
        raise datasets.Missing(f"R's {package}")
    table = np.genfromtxt(io.StringIO(run.stdout.replace('"', "")), delimiter=",", names=True)
    return {column: table[column] for column in table.dtype.names}


def parted(columns, label, target, unused=()):
    x = np.column_stack([values for name, values in columns.items() if name not in (label, *unused)])
    return (x[~target], columns[label][~target]), (x[target], columns[label][target])


@functools.cache
def domains(name):
    """Source and target."""
    if name == "wind":  # speeds as rates, for quick runs
        case = datasets.load("wind")
        return case.source, case.target
    if name == "bike":  # hours of working days, of other days
        case = datasets.load("bike")
        return tuple((x, np.round(y**2)) for x, y in (case.source, case.target))
    if name == "nmes":  # visits to a physician; the three regions that are named, all others
        columns = from_r("AER", "NMES1988")
        regions = [column for column in columns if column.startswith("region")]
        others = ("nvisits", "ovisits", "novisits", "emergency", "hospital", *regions)
        known = from_r("AER", "NMES1988")
        return parted(columns, "visits", sum(known[region] for region in regions) == 0, others)
    if name == "visits":  # consultations of a doctor, of those without and with a private insurance
        columns = from_r("AER", "DoctorVisits")
        return parted(columns, "visits", columns["privateyes"] == 1, ("privateyes",))
    try:
        from statsmodels.datasets import randhie  # the same, by the insurance's kind of deductible
    except ImportError:
        raise datasets.Missing("statsmodels") from None
    table = randhie.load_pandas().data
    columns = {column: table[column].to_numpy(float) for column in table}
    return parted(columns, "mdvis", columns["idp"] == 1, ("idp",))


def deviance(rate, y):
    rate = np.maximum(rate, 1e-9)
    return 2 * np.mean(rate - y + np.where(y > 0, y * np.log(np.where(y > 0, y, 1) / rate), 0))


def measure(task):
    yield from compare(domains(task[0]), deviance, "poisson", task)


def compare(samples, deviance, loss, task):
    """Deviances of fits by that loss to rows of the target, over that of the source's."""
    name, rows, index = task
    source, (x, y) = samples
    order = np.random.default_rng(index).permutation(len(y))
    train, test = np.split(order, [int(TRAINING * len(y))])
    if rows is not None and rows >= len(train):
        return
    train = train[:rows]
    target = (x[train], y[train])

    def error(fit):
        return deviance(fit.predict(x[test]), y[test])

    public = {"loss": loss, "private_domain": "none"}
    of_source = error(dpadapt.Baseline("source_only", source, target, **public))
    fits = {"target only": dpadapt.Baseline("target_only", source, target, **public),
            "without privacy": dpadapt.Predictor(source, target, **public)}
    for epsilon in EPSILONS:
        fits[f"epsilon {epsilon:g}"] = private(source, target, epsilon, DELTA, loss=loss)
    for fit, made in fits.items():
        yield {"data": name, "n": len(train), "fit": fit, "value": error(made) / of_source}

"""The paper's alpha = 1, where private labels enter through one number, beside private discrepancy minimization."""

import itertools

import curves
import references
from datasets import load, resampled, split
from fits import dpadapt

EPSILONS = (1, 15)
DELTA = 0.01
CASES = ("gas 7", "gas 6", "wind")


def measure(task):
    """Errors relative to target only."""
    name, index, quick = task
    case = load(name)
    train, test = split(case, index)
    base = references.error(references.ridge(train), test)
    fixed = {"unsafe_seed": index} if quick else {}

    def row(method, fit, **keys):
        return {"data": name, "method": method, **keys, "value": references.error(fit, test) / base}

    yield row("source only", references.least_squares(case.source))
    for rows, epsilon in itertools.product(curves.ROWS[-1:] if quick else curves.ROWS, EPSILONS):
        sample = resampled(train, rows, (index, 0))
        keys = {"n": rows, "epsilon": epsilon}
        options = {"private_domain": "target", "epsilon": epsilon, "delta": DELTA, **fixed}
        yield row("alpha = 1", dpadapt.Predictor(case.source, sample, alpha=1, **options), **keys)
        yield row("alpha = auto", dpadapt.Predictor(case.source, sample, **options), **keys)
        for ridge in curves.DM_RIDGES:
            fit = dpadapt.Baseline("private_dm", case.source, sample, ridge=ridge, **options)
            yield row("private_dm", fit, **keys, setting=f"ridge={ridge}")

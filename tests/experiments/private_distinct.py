"""Private fits where every private row is another record: no row is drawn twice, no method is tuned."""

import functools

import references
from curves import DELTAS, loss_of, wrong
from datasets import load, split
from fits import dpadapt

ROWS = (500, 1000, 2000, 10**6)  # the last: all training rows
EPSILONS = (0.5, 1, 4)
CASES = ("bike", "gas 6", "adult")
PRIVATE = {"squared": ("noisy_sgd", "joint_ssp", "ada_ssp", "public_ssp", "pooled_ssp"),
           "logistic": ("noisy_sgd",)}


def measure(task):
    """Squared errors over that of target only on all rows, of classes wrong signs in percent."""
    name, index, quick = task
    case, loss = load(name), loss_of(name)
    train, test = split(case, index)
    error, scale = wrong, 1.0
    if loss == "squared":
        error, scale = references.error, references.error(references.ridge(train), test)
    fixed = {"unsafe_seed": index} if quick else {}

    for rows in sorted({min(rows, case.train) for rows in ROWS}):
        sample = tuple(part[:rows] for part in train)
        baseline = functools.partial(dpadapt.Baseline, source=case.source, target=sample, loss=loss)

        def row(method, predictor, epsilon=""):
            return {"data": name, "n": rows, "epsilon": epsilon, "method": method,
                    "value": error(predictor, test) / scale}

        yield row("source only", baseline("source_only"))
        yield row("target only", references.ridge(sample) if loss == "squared" else baseline("target_only"))
        for epsilon in EPSILONS:
            private = {"private_domain": "target", "epsilon": epsilon, "delta": DELTAS[loss], **fixed}
            yield row("adapted", dpadapt.Predictor(case.source, sample, loss=loss, **private), epsilon)
            yield from (row(method, baseline(method, **private), epsilon) for method in PRIVATE[loss])

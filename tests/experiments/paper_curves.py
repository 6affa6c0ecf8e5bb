"""The paper's curves under its own parameters: error against n, epsilon to 15, delta = 0.01, ten runs."""

import itertools

import curves
import references
from datasets import load, resampled, split
from fits import dpadapt

ROWS = (500, 2000, 10000)
EPSILONS = (1, 10, 15)
DELTA = 0.01
CASES = ("gas 7", "gas 6", "adult")


def measure(task):
    """Squared errors over that of target only, of classes wrong signs in percent."""
    name, index, quick = task
    case, loss = load(name), curves.loss_of(name)
    train, test = split(case, index)
    error = curves.wrong if loss == "logistic" else references.error
    free = {method: error(fit(case.source, train), test) for method, fit in curves.FREE[loss].items()
            if method != "pooled"}
    scale = 1.0 if loss == "logistic" else free["target only"]
    fixed = {"unsafe_seed": index} if quick else {}
    for method, value in free.items():
        yield {"data": name, "method": method, "value": value / scale}
    for rows, epsilon in itertools.product(ROWS[-1:] if quick else ROWS, EPSILONS):
        sample = resampled(train, rows, (index, 0))
        options = {"private_domain": "target", "epsilon": epsilon, "delta": DELTA, "loss": loss, **fixed}
        keys = {"data": name, "n": rows, "epsilon": epsilon}
        ours = error(dpadapt.Predictor(case.source, sample, **options), test)
        yield keys | {"method": "private", "value": ours / scale}
        yield keys | {"ratio": "private over no privacy", "value": ours / free["no privacy"]}
        rival = dpadapt.Baseline("noisy_sgd", case.source, sample, **options)
        yield keys | {"method": "noisy_sgd", "value": error(rival, test) / scale}

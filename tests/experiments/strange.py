"""Cases that nobody has in a repository, made up: the default beside either domain alone and both alike at the same privacy."""

import numpy as np

import references
from fits import dpadapt

W = np.array([2, -1.5, 1, 0.5, 0.25])
DELTA = 1e-5
EPSILON = 1
# What nobody's data decide where both are private.
KNOWN = {"preprocess": "none", "feature_radius": 3, "radius": 10, "clip_bound": 2}


def numbers(w=W, intercept=0.0, noise=1.0, spread=1.0, centre=0.0, tail=None, wide=None):
    """Labels that are linear but for noise; tail and wide: degrees of freedom of labels and of features."""
    def draw(random, rows):
        size = rows, len(w)
        x = centre + spread * (random.normal(size=size) if wide is None else random.standard_t(wide, size=size))
        e = random.normal(size=rows) if tail is None else random.standard_t(tail, size=rows)
        return x, x @ w + intercept + noise * e
    draw.truth, draw.noise = lambda x: x @ w + intercept, noise
    return draw


def spoilt(draw):
    """One label of a hundred is hundreds off."""
    def other(random, rows):
        x, y = draw(random, rows)
        return x, y + (random.random(rows) < 0.01) * 300 * random.normal(size=rows)
    return other


def columns(draw):
    """A column twice, and a constant one."""
    def other(random, rows):
        x, y = draw(random, rows)
        return np.column_stack([x, x[:, 0], np.ones(rows)]), y
    other.truth, other.noise = lambda x: draw.truth(x[:, :len(W)]), draw.noise
    return other


def larger(draw, factor):
    """The first column in other units."""
    def other(random, rows):
        x, y = draw(random, rows)
        return np.column_stack([factor * x[:, 0], x[:, 1:]]), y
    return other


def separable(w):
    def draw(random, rows):
        x = random.normal(size=(rows, len(w)))
        return x, np.where(x @ w > 0, 1.0, -1.0)
    return draw


def of_share(share, apart=1.0):
    """Two normal classes, this share of them positive."""
    def draw(random, rows):
        y = np.where(random.random(rows) < share, 1.0, -1.0)
        y[:2] = -1, 1
        return apart * np.outer(y, W) / 2 + random.normal(size=(rows, len(W))), y
    return draw


def signs(w=W, intercept=0.0):
    def draw(random, rows):
        x = random.normal(size=(rows, len(w)))
        return x, np.where(random.random(rows) < 1 / (1 + np.exp(-x @ w - intercept)), 1.0, -1.0)
    return draw


def many(count, seed=0, scale=1.0):
    return scale * np.random.default_rng(seed).normal(size=count)


NUMBERS = {  # source, target, source rows, target rows
    "equal": (numbers(), numbers(), 2000, (20, 300, 3000)),
    "opposite": (numbers(-W), numbers(), 2000, (20, 300, 3000)),
    "no signal": (numbers(0 * W), numbers(), 2000, (300, 3000)),
    "features x 10": (numbers(), numbers(1.5 * W, spread=10), 2000, (300, 3000)),
    "features x 100": (numbers(), numbers(1.5 * W, spread=100), 2000, (300, 3000)),
    "labels x 100": (numbers(), numbers(100 * W, noise=100), 2000, (300, 3000)),
    "labels / 100": (numbers(), numbers(W / 100, noise=0.01), 2000, (300, 3000)),
    "quiet target": (numbers(), numbers(1.1 * W, noise=0.05), 2000, (300, 3000)),
    "intercept 50": (numbers(), numbers(intercept=50), 2000, (300, 3000)),
    "t with 2 df": (numbers(), numbers(1.5 * W, tail=2, wide=2), 2000, (300,)),
    "spoilt source": (spoilt(numbers()), numbers(), 2000, (300, 3000)),
    "columns": (columns(numbers()), columns(numbers(1.5 * W)), 2000, (300, 3000)),
    "moved by 20": (numbers(), numbers(centre=20), 2000, (300, 3000)),
    "source column x 1000": (larger(numbers(), 1000), numbers(), 2000, (300, 3000)),
    "10 source rows": (numbers(), numbers(1.2 * W), 10, (300, 3000)),
    "50 features, 60 source rows": (numbers(many(50, 0, 0.3)), numbers(many(50, 0, 0.3)), 60, (20, 300)),
    "50 features, shift": (numbers(many(50)), numbers(many(50, 1)), 2000, (60, 300, 3000))}
CLASSES = {
    "equal": (signs(), signs(), 2000, (20, 300, 3000)),
    "opposite": (signs(-W), signs(), 2000, (300, 3000)),
    "opposite, separable": (separable(-W), signs(), 2000, (300, 3000)),
    "shares 0.5, 0.1": (of_share(0.5), of_share(0.1), 2000, (200, 500, 3000)),
    "rare, 0.01": (of_share(0.01), of_share(0.01), 2000, (300, 3000)),
    "rare, then 0.1": (of_share(0.01, 0.6), of_share(0.1, 0.6), 2000, (300, 3000)),
    "10 source rows": (signs(), signs(), 10, (300, 3000)),
    "50 features, shift": (signs(many(50, 0, 0.3)), signs(many(50, 1, 0.3)), 2000, (60, 300, 3000))}
# With both private somebody must know bounds: not where scales are the surprise.
BOTH = ("equal", "opposite", "no signal", "quiet target", "10 source rows", "shares 0.5, 0.1", "rare, 0.01")
LOSSES = {"squared": NUMBERS, "huber": NUMBERS, "logistic": CLASSES}


def _sets(private, loss, seed):
    if private == "none":
        return {"loss": loss}
    common = {"loss": loss, "private_domain": private, "epsilon": EPSILON, "delta": DELTA, "unsafe_seed": seed}
    if private == "both":
        common |= KNOWN | {"squared": {"kappa_1": 10, "label_bound": 8}, "huber": {"huber_threshold": 2, "label_bound": 8},
                           "logistic": {}}[loss]
    return common


def fits(source, target, private, loss, sets):
    """The default, and the three that it must not be worse than; a domain that is public alone is fitted without privacy."""
    m, n = len(source[1]), len(target[1])

    def alone(domain, alpha):
        if private in (domain, "both"):
            return dpadapt.Predictor(source, target, alpha=alpha, shrinkage=0, **sets)
        if loss == "squared":
            return references.ridge(source if domain == "source" else target)
        return dpadapt.Predictor(source, target, loss=loss, alpha=alpha)

    yield "adapted", dpadapt.Predictor(source, target, **sets)
    yield "source only", alone("source", 1)
    yield "target only", alone("target", 0)
    yield "pooled", dpadapt.Predictor(source, target, alpha=m / (m + n), **sets)


def error(loss, law, sample, fit):
    """Squared error with noise of its usual size, or the logistic loss."""
    if loss == "logistic":
        return references.logistic_loss(fit, sample)
    return np.mean((fit(sample[0]) - law.truth(sample[0])) ** 2) + law.noise**2


def tasks(count, quick):
    if quick:
        return [("squared", "opposite", 300, 0), ("logistic", "rare, 0.01", 300, 0)]
    return [(loss, name, rows, index) for loss, cases in LOSSES.items() for name, case in cases.items()
            for rows in case[3] for index in range(count)]


def measure(task):
    loss, name, rows, index = task
    source_law, law, source_rows, _ = LOSSES[loss][name]
    random = np.random.default_rng([index, rows, *name.encode()])
    source, target, known = source_law(random, source_rows), law(random, rows), law(random, 3000)
    for private in ("none", "target", "source", "both"):
        if private == "both" and name not in BOTH:
            continue
        row = {"loss": loss, "case": name, "n": rows, "private": private}
        for method, fit in fits(source, target, private, loss, _sets(private, loss, index)):
            yield row | {"method": method, "value": error(loss, law, known, fit)}

"""What is promised to a row of the data where records are drawn with replacement: the epsilon of its copies together."""

import math

ROWS = {"wind": 358, "airline": 500, "news": 1687}  # for training
SIZES = (200, 1000, 10000)
EPSILONS = (0.5, 1, 4)
DELTA = 1e-3


def log_tail(x):
    """log P(Z > x); beyond 30 by its expansion, good to 1e-7."""
    if x < 30:
        return math.log(math.erfc(x / math.sqrt(2)) / 2)
    return -x * x / 2 - math.log(x * math.sqrt(2 * math.pi)) + math.log1p(-1 / x**2 + 3 / x**4)


def delta(epsilon, mu):
    above, below = log_tail(epsilon / mu - mu / 2), epsilon + log_tail(epsilon / mu + mu / 2)
    return math.exp(above) * -math.expm1(min(0.0, below - above))


def bisect(low, high, falls_below):
    """The least argument at which a falling function is."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if falls_below(middle) else (middle, high)
    return high


def gaussian_mu(epsilon, at=DELTA):
    """Of Gaussian releases that are (epsilon, at)-private for one record."""
    return 1 / bisect(1e-3, 1e4, lambda sigma: delta(epsilon, 1 / sigma) <= at)


def epsilon_of_row(epsilon, copies, at=DELTA):
    mu = gaussian_mu(epsilon, at)
    return bisect(0, 1e4, lambda value: delta(value, copies * mu) <= at)


def table():
    lines = ["| data | distinct rows | n | copies of a row |" + "".join(f" epsilon = {e} is |" for e in EPSILONS),
             "|---" * (4 + len(EPSILONS)) + "|"]
    for data, rows in ROWS.items():
        for n in SIZES:
            copies = max(1, n / rows)
            values = "".join(f" {epsilon_of_row(epsilon, copies):.3g} |" for epsilon in EPSILONS)
            lines.append(f"| {data} | {rows} | {n} | {copies:.3g} |{values}")
    return "\n".join(lines) + "\n"

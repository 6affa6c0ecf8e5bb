"""Poisson-sampled Gaussian releases by a method of its own: the law of the privacy loss on a fine
grid, composed by the fast Fourier transform.

It is an estimate, good to about 1e-4 of epsilon, not a bound: masses go to both neighbouring places
in proportion to the distance, so that the mean is exact and the variance hardly too large.
"""

import numpy as np
from scipy.special import log_ndtr, ndtr

PLACES = 2**18


def loss(kind, rate, part, z):
    """log dP/dQ where a record is taken out, put in, or replaced with the opposite one."""
    ratio = np.log1p(rate * np.expm1(part * z - part**2 / 2))
    if kind == "out":
        return ratio
    if kind == "in":
        return -ratio
    return ratio - np.log1p(rate * np.expm1(-part * z - part**2 / 2))


def composed(kind, rate, part, steps):
    """Places and masses of the loss of all steps together."""
    z = np.linspace(-10, 10 + part, 100001)
    law = ndtr(z) if kind == "in" else (1 - rate) * ndtr(z) + rate * ndtr(z - part)
    mass = np.diff(law)
    ends = loss(kind, rate, part, z)
    middle = (ends[:-1] + ends[1:]) / 2
    mean = steps * np.sum(mass * middle)
    deviation = np.sqrt(steps * np.sum(mass * middle**2))
    reach = abs(mean) + max(14 * deviation, 2 * np.abs(ends).max())
    step = 2 * reach / PLACES
    below = np.floor(middle / step).astype(int)
    above = middle / step - below
    grid = np.zeros(PLACES)
    np.add.at(grid, below % PLACES, mass * (1 - above))
    np.add.at(grid, (below + 1) % PLACES, mass * above)
    result = np.maximum(np.fft.irfft(np.fft.rfft(grid)**steps, PLACES), 0)
    places = step * np.fft.fftfreq(PLACES, 1 / PLACES)
    return places, result


def delta(rate, part, steps, relation, epsilons):
    """The larger of both directions, for each epsilon."""
    curves = []
    for kind in (("out", "in") if relation == "zero_out" else ("replaced",)):
        places, mass = composed(kind, rate, part, steps)
        curves.append([float(np.sum(mass * np.maximum(0, -np.expm1(np.minimum(0, e - places)))))
                       for e in epsilons])
    return np.max(curves, axis=0)


def gaussian_delta(epsilon, mu):
    above, below = log_ndtr(mu / 2 - epsilon / mu), log_ndtr(-mu / 2 - epsilon / mu)
    return np.exp(above) * -np.expm1(np.minimum(0, epsilon + below - above))


def excess(rate, part, steps, relation, mu, failure):
    """By how much of what is allowed the curve is above that of mu and the failure; below 1 if the
    price covers the releases, and near 1 if it wastes nothing."""
    epsilons = np.concatenate([[0], np.geomspace(1e-3, 12, 80) * mu * max(1, mu)])
    allowed = failure + (1 - failure) * gaussian_delta(epsilons, mu)
    return float(np.max(delta(rate, part, steps, relation, epsilons) / allowed))

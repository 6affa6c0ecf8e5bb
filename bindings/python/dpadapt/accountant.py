"""The accountant: epsilon, delta and mu of Gaussian differential privacy."""

from ._call import number
from ._options import choice

NEIGHBOURS = ("replace", "zero_out")


def delta(epsilon, mu, laplace_epsilon=0.0):
    """The smallest delta of a Gaussian price mu at that epsilon."""
    return number("dpa_privacy_delta", epsilon, laplace_epsilon, mu)


def epsilon(delta, mu, laplace_epsilon=0.0, pure_epsilon=0.0, records=1):
    """The smallest epsilon at that delta, for so many records of one person."""
    return number("dpa_privacy_epsilon", delta, laplace_epsilon, mu, pure_epsilon, records)


def mu(epsilon, delta, laplace_epsilon=0.0):
    """The largest Gaussian price within epsilon and delta."""
    return number("dpa_privacy_mu", epsilon, delta, laplace_epsilon)


def sampled_mu(noise_multiplier, rate, steps, neighbours="replace", failure=1e-10):
    """The price of noisy sums over records that are drawn with probability `rate`."""
    return number("dpa_privacy_sampled_mu", noise_multiplier, rate, steps,
                  NEIGHBOURS.index(choice("neighbours", neighbours, NEIGHBOURS)), failure)

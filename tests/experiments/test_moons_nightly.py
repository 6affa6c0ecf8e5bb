"""Two moons, turned and shifted between the domains: no linear predictor separates them, and a hundred target rows are too
few for a perceptron of its own. Adaptation must beat the perceptrons of either domain alone. A private one must be far
better than the linear fit, which has 13 % wrong, also where records are few for the noise."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "reference"))

from prerequisites import require

require("numpy")

import numpy as np

from fits import dpadapt

SPLITS = 10
LAYERS = {"loss": "perceptron", "perceptron_output": "logistic", "hidden_units": 16}
NETWORK = {**LAYERS, "private_domain": "none", "iterations": 300}


def moons(random, rows, turn, shift, noise=0.35):
    """Labels -1 and +1: the upper and the lower moon."""
    label = random.choice([-1.0, 1.0], rows)
    angle = random.uniform(0, np.pi, rows)
    x = np.column_stack([np.cos(angle), np.sin(angle)])
    x = np.where(label[:, None] < 0, x, np.array([1, 0.5]) - x)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return (x + noise * random.standard_normal(x.shape)) @ rotation.T + shift, label


def domains(seed):
    """Source, target and test samples."""
    random = np.random.default_rng(seed)
    return (moons(random, 2000, 0, 0), moons(random, 100, 0.3, 0.2),
            moons(random, 5000, 0.3, 0.2))


def accuracies():
    """Rows: linear adaptation, source only, target only, perceptron with adaptation."""
    methods = [{"loss": "logistic", "private_domain": "none", "alpha": 0.4},
               {**NETWORK, "alpha": 1}, {**NETWORK, "alpha": 0}, {**NETWORK, "alpha": 0.4}]
    return np.array([[np.mean(dpadapt.Predictor(source, target, **method).predict(x) == y)
                      for method in methods]
                     for source, target, (x, y) in map(domains, range(100, 100 + SPLITS))]).T


def private_error(seed):
    """Of 1000 records at epsilon = 0.5, in percent."""
    random = np.random.default_rng(seed)
    source = moons(random, 1000, 0, 0, 0.15)
    target, (x, y) = (moons(random, rows, 0.61, 0.2, 0.15) for rows in (1000, 5000))
    fit = dpadapt.Predictor(source, target, **LAYERS, private_domain="target", epsilon=0.5,
                            delta=1e-5, unsafe_seed=seed)
    return 100 * np.mean(fit.predict(x) != y)


def main():
    linear, source_only, target_only, adapted = accuracies().mean(axis=1)
    print(f"accuracy on {SPLITS} pairs of domains: linear {linear:.4f}, perceptron of the source "
          f"{source_only:.4f}, of the target {target_only:.4f}, adapted {adapted:.4f}")
    private = np.mean([private_error(seed) for seed in range(SPLITS)])
    print(f"wrong with 1000 private records: {private:.2f} %")
    passed = adapted > max(linear, source_only, target_only) and private < 7
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())

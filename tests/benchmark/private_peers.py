"""Other libraries that protect the target, as they come from PyPI.

OpenDP is not among them: its regression (0.16) has a single feature."""

import numpy as np

from standardized import Standardized, linear

NAMES = ("diffprivlib", "jax_privacy")


def _diffprivlib(epsilon, quantile, loss):
    """Pure epsilon, the target alone; bounds are quantiles of the public source."""
    def fit(source, target):
        from diffprivlib.models import LinearRegression, LogisticRegression

        units = Standardized(source, loss)
        x, y = units.sample(target)
        public, labels = units.sample(source)
        if loss == "squared":
            low, high = np.quantile(public, [1 - quantile, quantile], axis=0)
            high = np.maximum(high, low + 1e-6)
            model = LinearRegression(epsilon=epsilon, bounds_X=(low, high),
                                     bounds_y=tuple(np.quantile(labels, [1 - quantile, quantile])))
        else:
            norm = np.quantile(np.linalg.norm(public, axis=1), quantile)
            model = LogisticRegression(epsilon=epsilon, data_norm=norm, max_iter=1000)
        model.fit(x, y)
        return units.predictor(model.predict)
    return fit


def _jax_privacy(epsilon, loss, setting):
    def fit(source, target):
        import dp_sgd

        return dp_sgd.fit(linear(loss), Standardized(source, loss), source, target, loss, epsilon,
                          **setting)
    return fit


def private(loss, epsilon):
    """(method, setting, fit) of libraries that protect the target."""
    for quantile in (0.9, 0.99):
        yield "diffprivlib", f"quantile={quantile}", _diffprivlib(epsilon, quantile, loss)
    for rate in (0.003, 0.01, 0.03):
        for quantile in (0.8, 0.95):
            yield ("jax_privacy", f"rate={rate} quantile={quantile}",
                   _jax_privacy(epsilon, loss, {"rate": rate, "quantile": quantile}))

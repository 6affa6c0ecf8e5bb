"""DP-SGD by Google's jax_privacy: a linear model that starts at the public fit of the source.

Its clip is a quantile of the public gradients' norms, and all records are in each step. Its own
neighbours differ by one record more; for records that are replaced, as ours are, the noise is
twice that, as its documentation says."""

import functools

import numpy as np

from methods import DELTA

STEPS = 50


@functools.cache
def noise_multiplier(epsilon):
    from jax_privacy import accounting

    replaced = 2.0  # times the sensitivity to a record that is taken out
    accountant = accounting.analysis.DpsgdTrainingAccountant(
        dp_accountant_config=accounting.accountants.PldAccountantConfig())
    return replaced * accounting.calibrate.calibrate_noise_multiplier(
        target_epsilon=epsilon, target_delta=DELTA, accountant=accountant, batch_sizes=1000,
        num_samples=1000, num_updates=STEPS)


def _loss(squared):
    import jax.numpy as jnp

    def of_record(w, x, y, clip):
        score = x @ w
        value = (score - y) ** 2 if squared else jnp.logaddexp(0, score) - y * score
        return value / clip
    return of_record


@functools.cache
def _descent(squared):
    """A function that is compiled once for each number of rows and columns."""
    import jax
    import optax
    from jax_privacy import clipped_grad

    gradient = clipped_grad(_loss(squared), l2_clip_norm=1.0, batch_argnums=(1, 2),
                            keep_batch_dim=False)

    @jax.jit
    def descend(w, x, y, clip, noise, rate, key):
        adam = optax.scale_by_adam()

        def step(state, key):
            w, moments = state
            total = gradient(w, x, y, clip) + noise * jax.random.normal(key, w.shape)
            change, moments = adam.update(clip * total / len(y), moments)
            return (w - rate * change, moments), w
        _, path = jax.lax.scan(step, (w, adam.init(w)), jax.random.split(key, STEPS))
        return path[STEPS // 2:].mean(axis=0)  # what is released already: the mean costs nothing
    return descend


def _norms(squared, w, x, y):
    """Of the gradients of the source's records."""
    score = x @ w
    slope = 2 * (score - y) if squared else 1 / (1 + np.exp(-score)) - y
    return np.abs(slope) * np.linalg.norm(x, axis=1)


def fit(estimator, units, source, target, loss, epsilon, rate, quantile):
    """A predictor; the estimator is the public fit of scikit-learn."""
    import jax

    squared = loss == "squared"
    (xs, ys), (xt, yt) = units.sample(source), units.sample(target)
    estimator.fit(xs, ys)
    start = np.append(np.ravel(estimator.coef_), estimator.intercept_)
    xs, xt = (np.column_stack([x, np.ones(len(x))]) for x in (xs, xt))
    clip = np.quantile(_norms(squared, start, xs, ys), quantile)
    key = jax.random.key(int(np.random.default_rng().integers(2**31)))
    w = _descent(squared)(start.astype(np.float32), xt.astype(np.float32), yt.astype(np.float32),
                          clip, noise_multiplier(epsilon), rate, key)
    w = np.asarray(w, float)
    scores = units.predictor if squared else units.classes
    return scores(lambda x: x @ w[:-1] + w[-1])

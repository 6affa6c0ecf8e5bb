"""Other libraries, as they come from PyPI; one that is not installed is left out, with a note.

Features are standardized by the public sample for all of them, and labels too: their defaults
expect that. Settings are the best in hindsight, as for every rival."""

import contextlib
import os
import warnings

import numpy as np

KERNEL_ROWS = 2000  # of the source, for methods that take time by the square of the rows


class Standardized:
    """Standardizes by the source, with classes 0 and 1; predictions come back as labels, in the
    range of the public ones, widened by half on both sides as the library does it."""

    def __init__(self, source, loss):
        self.centre, self.spread = source[0].mean(axis=0), source[0].std(axis=0)
        self.spread = np.where(self.spread > 1e-12, self.spread, 1.0)
        squared = loss == "squared"
        self.middle = source[1].mean() if squared else -1.0
        self.unit = source[1].std() if squared else 2.0
        low, high = source[1].min(), source[1].max()
        self.range = (1.5 * low - 0.5 * high, 1.5 * high - 0.5 * low)

    def sample(self, sample):
        return (sample[0] - self.centre) / self.spread, (sample[1] - self.middle) / self.unit

    def predictor(self, predict):
        def of_rows(x):
            y = np.asarray(predict((x - self.centre) / self.spread), float).ravel()
            return np.clip(y * self.unit + self.middle, *self.range)
        return of_rows


def _without_routing():
    """skada turns a setting of scikit-learn on when it is imported; others fail with it."""
    with contextlib.suppress(ImportError):
        import skada  # noqa: F401
        import sklearn

        sklearn.set_config(enable_metadata_routing=False)


@contextlib.contextmanager
def quiet():
    """What the libraries say about convergence and devices is not for our readers."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    with warnings.catch_warnings(), open(os.devnull, "w") as sink, \
            contextlib.redirect_stdout(sink):
        warnings.simplefilter("ignore")
        yield


def _linear(loss):
    from sklearn.linear_model import LogisticRegression, RidgeCV

    if loss == "squared":
        return RidgeCV(alphas=10.0 ** np.arange(-3, 5))
    return LogisticRegression(max_iter=1000)


def _some(sample, rows=KERNEL_ROWS):
    chosen = np.random.default_rng(1).permutation(len(sample[1]))[:rows]
    return sample[0][chosen], sample[1][chosen]


def _adapt(method, **settings):
    """A method of adapt: fit(X, y, Xt, yt)."""
    def fit(source, target, loss):
        import adapt.feature_based
        import adapt.instance_based
        import adapt.parameter_based

        names = {"TrAdaBoost": "TrAdaBoostR2" if loss == "squared" else "TrAdaBoost",
                 "RegularTransfer": "RegularTransferLR" if loss == "squared"
                                    else "RegularTransferLC"}
        rooms = adapt.feature_based, adapt.instance_based, adapt.parameter_based
        maker = next(getattr(room, names.get(method, method)) for room in rooms
                     if hasattr(room, names.get(method, method)))
        units = Standardized(source, loss)
        few = method in ("KMM", "KLIEP")
        (x, y), (xt, yt) = units.sample(_some(source) if few else source), units.sample(target)
        estimator = _linear(loss)
        if method == "RegularTransfer":
            model = maker(estimator.fit(x, y), Xt=xt, yt=yt, verbose=0, **settings)
            model.fit(xt, yt)
            return units.predictor(model.predict)
        labels = {} if method in ("KMM", "KLIEP", "CORAL") else {"yt": yt}
        model = maker(estimator, Xt=xt, verbose=0, random_state=0, **labels, **settings)
        model.fit(x, y)
        if method in ("CORAL", "FA", "PRED"):
            return units.predictor(lambda rows: model.predict(rows, domain="tgt"))
        return units.predictor(model.predict)
    return fit


def _skada(name):
    """A method of skada, which knows no labels of the target."""
    def fit(source, target, loss):
        import sklearn

        with sklearn.config_context(enable_metadata_routing=True):
            return adapted(source, target, loss)

    def adapted(source, target, loss):
        import skada

        units = Standardized(source, loss)
        (x, y), (xt, _) = units.sample(_some(source)), units.sample(_some(target))
        adapter = getattr(skada, name)()
        if "Reweight" in name:
            estimator = _linear(loss).set_fit_request(sample_weight=True)
            if loss == "squared":
                estimator = estimator.set_score_request(sample_weight=True)
            model = skada.make_da_pipeline(adapter, estimator)
        else:
            model = skada.make_da_pipeline(adapter, _linear(loss))
        hidden = np.full(len(xt), np.nan if loss == "squared" else -1.0)
        model.fit(np.concatenate([x, xt]), np.concatenate([y, hidden]),
                  sample_domain=np.repeat([1, -2], [len(x), len(xt)]))

        def predict(rows):
            with sklearn.config_context(enable_metadata_routing=True):
                return model.predict(rows)
        return units.predictor(predict)
    return fit


FREE = {
    "adapt FA": [("", _adapt("FA"))],
    "adapt CORAL": [(f"lambda={value}", _adapt("CORAL", lambda_=value)) for value in (0.0, 1.0)],
    "adapt RegularTransfer": [(f"lambda={value}", _adapt("RegularTransfer", lambda_=value))
                              for value in (0.1, 10.0, 1000.0)],
    "adapt TrAdaBoost": [("", _adapt("TrAdaBoost", n_estimators=10))],
    "adapt KMM": [("", _adapt("KMM", kernel="rbf", gamma=0.05))],
    "adapt KLIEP": [("", _adapt("KLIEP", kernel="rbf", gamma=0.05))],
    "skada CORAL": [("", _skada("CORALAdapter"))],
    "skada GaussianReweight": [("", _skada("GaussianReweightAdapter"))],
}


NAMES = (*FREE, "diffprivlib")


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


def private(loss, epsilon):
    """(method, setting, fit) of libraries that protect the target."""
    for quantile in (0.9, 0.99):
        yield "diffprivlib", f"quantile={quantile}", _diffprivlib(epsilon, quantile, loss)


def free(loss):
    _without_routing()
    for method, settings in FREE.items():
        for words, fit in settings:
            yield method, words, lambda source, target, fit=fit: fit(source, target, loss)

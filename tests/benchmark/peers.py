"""Other libraries without privacy, as they come from PyPI; one that is not installed is left out,
with a note.

Features are standardized by the public sample for all of them, and labels too: their defaults
expect that. Settings are the best in hindsight, as for every rival."""

import contextlib
import os
import warnings

import numpy as np

import private_peers
from standardized import Standardized, linear

KERNEL_ROWS = 2000  # of the source, for methods that take time by the square of the rows


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
        estimator = linear(loss)
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
        import sklearn

        units = Standardized(source, loss)
        (x, y), (xt, _) = units.sample(_some(source)), units.sample(_some(target))
        adapter = getattr(skada, name)()
        if "Reweight" in name:
            estimator = linear(loss).set_fit_request(sample_weight=True)
            if loss == "squared":
                estimator = estimator.set_score_request(sample_weight=True)
            model = skada.make_da_pipeline(adapter, estimator)
        else:
            model = skada.make_da_pipeline(adapter, linear(loss))
        hidden = np.full(len(xt), np.nan if loss == "squared" else -1.0)
        model.fit(np.concatenate([x, xt]), np.concatenate([y, hidden]),
                  sample_domain=np.repeat([1, -2], [len(x), len(xt)]))

        def predict(rows):
            with sklearn.config_context(enable_metadata_routing=True):
                return model.predict(rows)
        return units.predictor(predict)
    return fit


def _one_sample(pooled, strength):
    """scikit-learn's ridge, with the strength it chooses itself, or logistic fit."""
    def fit(source, target, loss):
        from sklearn.linear_model import LogisticRegression

        units = Standardized(source, loss)
        (x, y), (xs, ys) = units.sample(target), units.sample(source)
        if pooled:
            x, y = np.concatenate([x, xs]), np.concatenate([y, ys])
        model = linear(loss) if loss == "squared" else LogisticRegression(C=strength,
                                                                           max_iter=1000)
        return units.predictor(model.fit(x, y).predict)
    return fit


STRENGTHS = (0.01, 1.0, 100.0)
FREE = {
    **{f"scikit-learn {word}": [(f"C={c}", _one_sample(word == "pooled", c)) for c in STRENGTHS]
       for word in ("target", "pooled")},
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


NAMES = (*FREE, *private_peers.NAMES)


def free(loss):
    _without_routing()
    for method, settings in FREE.items():
        for words, fit in settings:
            yield method, words, lambda source, target, fit=fit: fit(source, target, loss)

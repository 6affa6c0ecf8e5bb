"""Estimators in the manner of scikit-learn: X and y are the target, the source is given beside
them."""

import inspect

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, column_or_1d

from . import _options, _problem, _repeated, errors
from ._call import SOURCE, TARGET, Handle
from ._cells import numbers, plain, positions, refuse_kind, spelling
from ._problem import Sample
from ._running import run
from ._sklearn import public_array, public_numbers, remember_columns
from ._tables import is_frame, names, rows_of
from .model import Model
from .plans import Plan
from .schema import Schema, label_name

OWN = {
    "baseline": "a method to compare with, such as \"kmm\", instead of the adaptation",
    "ledger": "a Ledger, or its file: the private fit pays from that budget",
    "verbose": "show the progress",
    "missing": "data frames: words for a missing value, beside blanks, NA and the like",
    "positive": "data frames: the label of two that is +1",
    "ignore": "data frames: columns that are no features",
    "categories": "data frames: columns of numbers that are categories",
}
LEFT_OUT = {"classes"}  # follows from the labels
NAMES = [name for name in _options.TABLE if name not in LEFT_OUT]
WISHES = {"missing": "missing", "positive": "positive", "ignore": "ignore",
          "categories": "category"}


def _with_options(cls):
    """Gives a class its constructor, with a keyword for every option, and their texts."""
    def __init__(self, **settings):
        _options.refuse_unknown(set(settings) - set(OWN), cls.__name__)
        for name in (*NAMES, *OWN):
            setattr(self, name, settings.get(name))

    keyword = inspect.Parameter.KEYWORD_ONLY
    __init__.__signature__ = inspect.Signature(
        [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
        + [inspect.Parameter(name, keyword, default=None) for name in (*NAMES, *OWN)])
    cls.__init__ = __init__
    own = "\n".join(f"{name} : default None\n    {meaning}" for name, meaning in OWN.items())
    cls.__doc__ = inspect.cleandoc(cls.__doc__) + (
        "\n\nParameters\n----------\nNone stands for the default that is named.\n\n"
        f"{_options.documentation(LEFT_OUT)}\n{own}\n")
    return cls


class _Adapted(BaseEstimator):
    """What both estimators share."""

    def fit(self, X, y=None, sample_weight=None, *, source=None, sample_domain=None, groups=None):
        """Fits to the target X, y with the help of a source.

        source : (Xs, ys) or (Xs, ys, weights)
            The source. Without one nothing is adapted: a fit without privacy is the target's own
            (the baseline target_only), a private fit is refused.
        sample_domain : array
            skada's convention instead of `source`: rows of X below 0 are the target's, the others
            the source's.
        sample_weight : array
            Weights of the rows of X; those of private rows need row_weight_bound.
        groups : array
            The person of each row of the target: persons are protected, not records.
        """
        private = _problem.private_sides(self.private_domain)
        if private:
            _repeated.check(self.ledger)
        problem, settings, method, schema = self._problem(X, y, sample_weight, source,
                                                          sample_domain, groups)
        made = _options.make(settings)
        maker, how = ("dpa_baseline_solve", method) if method else ("dpa_solve", None)
        handle = run(lambda: Handle("solution", maker, problem, how, made), made, self.verbose)
        self.solution_ = Model(handle, schema, *self._coding)
        del self._coding
        self._keep_coefficients()
        return self

    def plan(self, X, y=None, sample_weight=None, *, source=None, sample_domain=None, groups=None):
        """What fit with these arguments would release, at which price. No private value is read.
        """
        problem, settings, method, _ = self._problem(X, y, sample_weight, source, sample_domain,
                                                     groups, pays=False)
        del self._coding
        made = _options.make(settings)
        if method:
            return Plan(Handle("plan", "dpa_baseline_plan", problem, method, made))
        return Plan(Handle("plan", "dpa_plan_for_problem", problem, made))

    def save(self, path):
        """Writes the model file, which Model.load, the command, R and Java read."""
        check_is_fitted(self)
        self.solution_.save(path)

    @property
    def report_(self):
        """The privacy report of the fit: what was promised, spent and released."""
        check_is_fitted(self)
        return self.solution_.report()

    @property
    def findings_(self):
        """How far the private rows moved the fit, in sentences."""
        check_is_fitted(self)
        return self.solution_.findings()

    # Samples

    def _problem(self, X, y, sample_weight, source, sample_domain, groups, pays=True):
        private = _problem.private_sides(self.private_domain)
        for data in (X, source[0] if source is not None else None):
            if issparse(data):
                raise TypeError("a sparse matrix was passed, but dense data is required: use "
                                "X.toarray()")
        target = Sample(X, y, sample_weight)
        if sample_domain is not None:
            source, target, groups = _split(target, source, sample_domain, groups)
        if source is not None and len(source) not in (2, 3):
            raise errors.Error("source must be (X, y) or (X, y, weights)")
        given = None if source is None else Sample(*source)
        if given is None:
            self._check_alone(y, private)
        settings = {name: getattr(self, name) for name in NAMES}
        frame = is_frame(target.x)
        read = self._read_frames if frame else self._read_arrays
        given, target, schema = read(given, target, settings, private)
        settings = self._settings(settings)
        method = self.baseline or ("target_only" if given is None else None)
        problem = _problem.make(given or target, target, groups, self.ledger if pays else None,
                                private)
        return problem, settings, method, schema

    def _check_alone(self, y, private):
        """Without a source."""
        name = type(self).__name__
        if private:
            raise errors.Error(
                "a private fit needs a public source: give source=(X, y); without privacy "
                '(private_domain="none") a fit may do without, and is the target\'s own')
        if y is None:
            raise errors.Error(f"{name} requires y to be passed, but the target y is None")
        if self.baseline not in (None, "target_only"):
            raise errors.Error(f"the baseline {self.baseline} needs a source")

    def _read_arrays(self, source, target, settings, private):
        for side, sample in ((TARGET, target), (SOURCE, source)):
            if sample is None:
                continue
            if side in private:
                sample.x = _private_matrix(sample.x)
                if sample.y is not None:
                    sample.y = plain(sample.y).ravel()
            else:
                if getattr(getattr(sample.x, "dtype", None), "kind", "f") in "mM":
                    refuse_kind(sample.x, "X")
                sample.x = public_array(sample.x, "X", self)
                if sample.y is not None:
                    sample.y = column_or_1d(sample.y, warn=True)
            if sample.y is not None and len(sample.y) != len(sample.x):
                raise errors.make("DPA_E_DIMENSION", "Found input variables with inconsistent "
                                  f"numbers of samples: {[len(sample.x), len(sample.y)]}")
        remember_columns(self, target.x, True)
        public = target if source is None or private == (SOURCE,) else source
        self._learn_labels(public.y, settings, private)
        for side, sample in ((TARGET, target), (SOURCE, source)):
            if sample is not None and sample.y is not None:
                sample.y = self._encode(sample.y, side in private, sample is public)
        return source, target, None

    def _read_frames(self, source, target, settings, private):
        if len(private) == 2:
            raise errors.UnsupportedError("with both samples private there are no public rows to "
                                          "read columns by: give arrays")
        if source is not None and not is_frame(source.x):
            raise errors.Error("the target is a data frame, so the source must be one")
        remember_columns(self, target.x if hasattr(target.x, "iloc") else _Named(target.x), True)
        public_side = TARGET if source is None or private == (SOURCE,) else SOURCE
        public = target if public_side == TARGET else source
        if public.y is None or source is not None and source.y is None:
            raise errors.LabelError("the public rows and the source need labels")
        public_y = column_or_1d(public.y, warn=True)
        self._learn_labels(public_y, settings, private)
        wishes = [(what, value) for name, what in WISHES.items()
                  for value in np.atleast_1d(getattr(self, name)).tolist() if value is not None]
        made = _options.make(self._settings(settings))
        label = label_name(public.y, names(public.x))
        schema = run(lambda: Schema.learn(public.x, public_y, label, made, wishes), made)
        for side, sample in ((TARGET, target), (SOURCE, source)):
            if sample is None:
                continue
            sample.x, sample.y = schema.rows(sample.x, sample.y, side in private)
            if side == public_side:
                codes = sample.y
            if side == SOURCE and side not in private and not np.isfinite(sample.y).all():
                keep = np.isfinite(sample.y)
                sample.x, sample.y = sample.x[keep], sample.y[keep]
                sample.weights = None if sample.weights is None else \
                    np.asarray(sample.weights)[keep]
        self._learn_codes(public_y, codes)
        return source, target, schema

    def _rows(self, X):
        """Features of rows to predict."""
        check_is_fitted(self)
        model = self.solution_
        if model.schema is not None:
            if is_frame(X):
                remember_columns(self, X if hasattr(X, "iloc") else _Named(X), False)
                return model.schema.rows(X)[0]
            import pandas

            X = public_array(X, "X", self)
            remember_columns(self, X, False)
            return model.schema.rows(pandas.DataFrame(X, columns=self.feature_names_in_))[0]
        array = public_array(X, "X", self)
        remember_columns(self, X if hasattr(X, "iloc") else array, False)
        return array

    def _keep_coefficients(self):
        for name in ("coef_", "intercept_"):
            self.__dict__.pop(name, None)
        try:
            coefficients = self.solution_.array("coefficients")
            intercept = self.solution_.array("intercept")
        except errors.UnsupportedError:
            return
        self._set_coefficients(coefficients, intercept)


class _Named:
    """The names of a frame's columns, as pandas shows them."""

    def __init__(self, frame):
        self.columns = names(frame)
        self.shape = (len(frame), len(self.columns))

    def __len__(self):
        return self.shape[0]


def _private_matrix(x):
    """Doubles of private rows: nothing that a row holds is an error."""
    found = numbers(x)
    if found.ndim != 2:
        raise errors.make("DPA_E_DIMENSION", "Expected 2D array of features. Reshape your data.")
    return np.ascontiguousarray(found)


def _split(target, source, sample_domain, groups):
    """Source, target and the target's persons by skada's signs."""
    if source is not None:
        raise errors.Error("give source or sample_domain, not both")
    of_target = np.asarray(sample_domain) < 0
    part = lambda values, keep: None if values is None else (  # noqa: E731
        rows_of(values, keep) if is_frame(values) else np.asarray(values)[keep])
    sides = [Sample(*(part(values, keep) for values in (target.x, target.y, target.weights)))
             for keep in (~of_target, of_target)]
    if not of_target.any() or of_target.all():
        raise errors.make("DPA_E_EMPTY", "sample_domain needs rows below 0, the target's, and "
                          "others, the source's")
    return (sides[0].x, sides[0].y, sides[0].weights), sides[1], part(groups, of_target)


@_with_options
class AdaptedRegressor(RegressorMixin, _Adapted):
    """A predictor of numbers for a private target, with the help of a public source.

    By default the target is private, and a fit needs epsilon, delta and a source.
    private_domain="none" gives up privacy.
    """

    _coding = (None, None)

    def predict(self, X):
        """Labels."""
        rows = self._rows(X)
        return self.solution_.apply("labels", rows)

    def _learn_labels(self, public_y, settings, private):
        word = settings["loss"]
        if word in ("logistic", "softmax"):
            raise errors.OptionError(f"loss = {word} takes classes: use AdaptedClassifier")
        if word == "perceptron" and settings["perceptron_output"] is None:
            settings["perceptron_output"] = "squared"
        self._coding = (None, None)

    def _learn_codes(self, public_y, codes):
        pass

    def _settings(self, settings):
        return settings

    def _encode(self, y, private, is_reference):
        if private:
            return np.ascontiguousarray(numbers(y))
        y = public_numbers(y, self)
        if is_reference and np.isnan(y).any():
            raise errors.make("DPA_E_NONFINITE", "Input y contains NaN.")
        return np.ascontiguousarray(y)

    def _set_coefficients(self, coefficients, intercept):
        self.coef_, self.intercept_ = coefficients[0], float(intercept[0])


@_with_options
class AdaptedClassifier(ClassifierMixin, _Adapted):
    """A predictor of classes for a private target, with the help of a public source. The public
    labels decide which classes there are; private rows of other labels count as unlabelled.

    By default the target is private, and a fit needs epsilon, delta and a source.
    private_domain="none" gives up privacy. The loss is logistic for two classes, else softmax.
    """

    def predict(self, X):
        """Classes."""
        rows = self._rows(X)
        found = self.solution_.apply("labels", rows).astype(int).tolist()
        place = {code: place for place, code in enumerate(self.solution_.codes.tolist())}
        return self.classes_[[place[code] for code in found]]

    def predict_proba(self, X):
        """Probabilities, a column for each of classes_."""
        rows = self._rows(X)
        return self.solution_.probabilities(rows)

    def decision_function(self, X):
        """Scores: of two classes above 0 for the second, of more a column for each."""
        rows = self._rows(X)
        return self.solution_.class_scores(rows)

    def _learn_labels(self, public_y, settings, private):
        if len(private) == 2:
            raise errors.UnsupportedError("with both samples private no public labels decide "
                                          "which classes there are")
        if public_y is None:
            raise errors.LabelError("the public rows need labels")
        check_classification_targets(public_y)
        labels = np.asarray(public_y)
        labels = labels[[spelling(value) is not None for value in labels.tolist()]]
        self.classes_ = np.unique(labels)
        count = len(self.classes_)
        if count < 2:
            raise errors.LabelError(f"AdaptedClassifier needs two classes, but the public labels "
                                    f"have {count} class")
        if len({spelling(value) for value in self.classes_.tolist()}) < count:
            raise errors.LabelError("some public labels differ in spelling only, such as 1 and 1.0")
        word = settings["loss"] or ("logistic" if count == 2 else "softmax")
        if word not in ("logistic", "softmax", "perceptron"):
            raise errors.OptionError(f"loss = {word} takes numbers: use AdaptedRegressor")
        if word == "logistic" and count != 2:
            raise errors.LabelError(f"loss = logistic needs two classes, but there are {count}")
        binary = word == "logistic" or \
            word == "perceptron" and settings["perceptron_output"] == "logistic"
        settings["loss"] = word
        self._classes = None if binary else count
        self._coding = (self.classes_, np.array([-1, 1]) if binary else np.arange(count))

    def _learn_codes(self, public_y, codes):
        """What the schema calls each class: its own order may be another."""
        first = [codes[np.flatnonzero(np.asarray(public_y) == label)[0]]
                 for label in self.classes_]
        self._coding = (self.classes_, np.array(first).astype(int))

    def _settings(self, settings):
        return {**settings, "classes": self._classes}

    def _encode(self, y, private, _is_reference):
        places = positions(y, self.classes_)
        if not private:
            unknown = [value for value, place in zip(np.asarray(y).tolist(), places)
                       if place < 0 and spelling(value) is not None]
            if unknown:
                raise errors.LabelError(f"the public label {unknown[0]!r} is none of the classes "
                                        f"{self.classes_[:5].tolist()}")
        return np.where(places < 0, np.nan, self._coding[1][places].astype(float))

    def _set_coefficients(self, coefficients, intercept):
        codes = self.solution_.codes
        if len(coefficients) == 1:  # of the second class
            coefficients, intercept = coefficients * codes[1], intercept * codes[1]
        else:
            coefficients, intercept = coefficients[codes], intercept[codes]
        self.coef_, self.intercept_ = coefficients, intercept

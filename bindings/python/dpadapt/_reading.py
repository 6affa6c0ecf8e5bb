"""What fit and predict are given becomes rows for the library: arrays by themselves, data frames by
a schema of the public rows."""

import warnings

import numpy as np
from scipy.sparse import issparse
from sklearn.utils.validation import check_is_fitted, column_or_1d

from . import _options, _problem, errors
from ._call import SOURCE, TARGET
from ._cells import column, numbers, own_type, private_matrix, refuse_kind, unmasked
from ._constructor import NAMES
from ._constructor import hints as table_hints
from ._problem import Sample
from ._running import run
from ._sklearn import public_array, remember_columns
from ._tables import in_order, is_frame, is_pandas, names, refuse_label, refuse_names, rows_of
from .schema import Schema, label_name


class Reading:
    """The part of an estimator that reads samples. Its classes say what labels mean."""

    def _problem(self, X, y, sample_weight, source, sample_domain, groups, pays=True):
        private = _problem.private_sides(self.private_domain)
        if source is not None and not (isinstance(source, (list, tuple)) and
                                       len(source) in (2, 3)):
            raise errors.Error("source must be (X, y) or (X, y, weights)")
        for data, labels in ((X, y), source[:2] if source is not None else (None, None)):
            if issparse(data):
                raise TypeError("a sparse matrix was passed, but dense data is required: use "
                                "X.toarray()")
            refuse_label(data, labels)
        target = Sample(X, y, sample_weight)
        if sample_domain is not None:
            source, target, groups = _split(target, source, sample_domain, groups, private)
        given = None if source is None else Sample(*source)
        for side, sample in ((TARGET, target), (SOURCE, given)):
            if sample is not None and sample.weights is not None:
                if side not in private:
                    refuse_kind(np.asarray(sample.weights), "sample weights")
                sample.weights = column(sample.weights, "sample weights")
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
        width = None
        for side, sample in sorted(((TARGET, target), (SOURCE, source)),
                                   key=lambda pair: pair[0] in private):
            if sample is None:
                continue
            refuse_names(sample.x)
            if side in private:
                sample.x = private_matrix(sample.x, width)
                if sample.y is not None:
                    sample.y = column(sample.y, "y")
            else:
                refuse_kind(sample.x, "X", "mM")
                sample.x = public_array(sample.x, "X", self)
                width = sample.x.shape[1]
                if sample.y is not None:
                    sample.y = _public_labels(sample.y)
            if sample.y is not None:
                _check_length(sample.x, sample.y)
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
        remember_columns(self, target.x, True)
        self.feature_names_in_ = np.array(names(target.x), object)
        public_side = TARGET if source is None or private == (SOURCE,) else SOURCE
        public = target if public_side == TARGET else source
        if public.y is None or source is not None and source.y is None:
            raise errors.LabelError("the public rows and the source need labels")
        public_y = _public_labels(public.y)
        self._learn_labels(public_y, settings, private)
        hints = table_hints(self.__dict__)
        made = _options.make(settings)
        label = label_name(public.y, names(public.x))
        public.x = in_order(public.x, names(target.x))  # coefficients follow the target
        schema = run(lambda: Schema.learn(public.x, public_y, label, made, hints), made)
        schema.tell_unused()
        if self.positive is not None and len(getattr(self, "classes_", ())) != 2:
            warnings.warn("positive= changes nothing: it is for labels of two classes",
                          stacklevel=4)
        for side, sample in ((TARGET, target), (SOURCE, source)):
            if sample is None:
                continue
            sample.x, sample.y = schema.rows(sample.x, sample.y, side in private)
            if sample.weights is not None:
                _check_length(sample.x, sample.weights)
            if side == public_side:
                codes = sample.y
            if side == SOURCE and side not in private and not np.isfinite(sample.y).all():
                keep = np.isfinite(sample.y)
                sample.x, sample.y = sample.x[keep], sample.y[keep]
                sample.weights = None if sample.weights is None else sample.weights[keep]
        self._learn_codes(public_y, codes)
        return source, target, schema

    def _rows(self, X):
        """Features of rows to predict."""
        check_is_fitted(self)
        model = self.solution_
        if model.schema is not None:
            if is_frame(X):
                remember_columns(self, X, False)
                return model.schema.rows(X)[0]
            import pandas

            X = public_array(X, "X", self)
            if X.shape[1] == len(self.feature_names_in_):
                return model.schema.rows(pandas.DataFrame(X, columns=self.feature_names_in_))[0]
            remember_columns(self, X, False)  # says what is wrong
        if not is_pandas(X):  # of pandas scikit-learn says that names are ignored
            refuse_names(X)
        array = public_array(X, "X", self)
        remember_columns(self, X if is_pandas(X) else array, False)
        return array


def _public_labels(y):
    y = column_or_1d(unmasked(y), warn=True)
    refuse_kind(y, "y")
    return y


def _split(target, source, sample_domain, groups, private):
    """Source, target and the target's persons by skada's signs."""
    if source is not None:
        raise errors.Error("give source or sample_domain, not both")
    signs = numbers(column(sample_domain, "sample_domain"))
    of_target = signs < 0
    if not np.isfinite(signs).all() or not of_target.any() or of_target.all():
        raise errors.make("DPA_E_EMPTY", "sample_domain needs rows below 0, the target's, and "
                          "others, the source's")
    samples = [Sample(*(_part(values, keep, side not in private) for values in
                        (target.x, target.y, target.weights)))
               for side, keep in ((SOURCE, ~of_target), (TARGET, of_target))]
    given = samples[0]
    return (given.x, given.y, given.weights), samples[1], _part(groups, of_target, False)


def _part(values, keep, is_public):
    """The rows to keep. Public ones get a type by themselves, without the private ones."""
    if values is None:
        return None
    if is_frame(values):
        _check_length(keep, values)
        return rows_of(values, keep, is_public)
    values = unmasked(values)
    is_list = isinstance(values, (list, tuple))
    values = values if is_list else np.atleast_1d(values)
    _check_length(keep, values)
    if is_list:
        return [value for value, kept in zip(values, keep) if kept]
    return own_type(values[keep]) if is_public else values[keep]


def _check_length(values, others):
    lengths = [len(part) for part in (values, others)]
    if lengths[0] != lengths[1]:
        raise errors.make("DPA_E_DIMENSION", "Found input variables with inconsistent numbers of "
                          f"samples: {lengths}")

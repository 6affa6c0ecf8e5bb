"""The constructor of the estimators: a keyword for each option of the library."""

import inspect

import numpy as np

from . import _options

OWN = {
    "baseline": "a method to compare with, such as \"kmm\", instead of the adaptation",
    "ledger": "a Ledger, or its file: the private fit pays from that budget",
    "verbose": "show the progress",
    "missing": "data frames: words for a missing value, beside blanks, NA and the like",
    "positive": "data frames: the label of two that is +1",
    "ignore": "data frames: columns that are no features",
    "categories": "data frames: columns of numbers that are categories",
    "compute": "data frames: features computed from columns, like \"bmi = weight / height^2\"",
}
LEFT_OUT = {"classes"}  # follows from the labels
NAMES = [name for name in _options.TABLE if name not in LEFT_OUT]
HINTS = {"missing": "missing", "positive": "positive", "ignore": "ignore",
         "categories": "category", "compute": "compute"}


def hints(values):
    """Pairs of dpa_table_hint of the keywords by name."""
    return [(what, value) for name, what in HINTS.items()
            for value in np.atleast_1d(values[name]).tolist() if value is not None]


def with_options(cls):
    """Gives a class its constructor, with a keyword for every option, and their texts."""
    def __init__(self, **settings):
        _options.refuse_unknown(set(settings) - set(OWN), cls.__name__)
        for name in LEFT_OUT & set(settings):
            raise TypeError(f"{cls.__name__}: {name} is no keyword, because it follows from the "
                            "labels")
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

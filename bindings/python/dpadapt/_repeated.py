"""What scikit-learn does around a private fit. Fits that it repeats on the same rows pay each, so
without a ledger their sum would be nobody's promise. What a pipeline fits before has no promise."""

import sys
import warnings

from . import errors

BEFORE = ("sklearn.pipeline", "sklearn.compose")
WRAPPERS = ("sklearn.base", "sklearn.utils")  # stand around a call, and begin none


class PrivacyWarning(UserWarning):
    """Something that is computed from private rows outside of any promise."""


def check(ledger):
    """Looks for scikit-learn among the callers: loops of others are not seen."""
    frame = sys._getframe(1)
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module.startswith(BEFORE):
            raise errors.StateError(
                f"{_name(module)} fits its other steps to the private rows without protection: "
                "transform source and target by public numbers first; the option preprocess "
                "learns its own from public rows")
        if module.startswith("sklearn.") and not module.startswith(WRAPPERS):
            _tell(_name(module), ledger)
            return
        frame = frame.f_back


def _name(module):
    return ".".join(module.split(".")[:2])


def _tell(place, ledger):
    if ledger is None:
        raise errors.StateError(
            f"{place} fits the same private rows several times, and each fit pays: give ledger= "
            "a Ledger that holds the budget of all, or choose on public rows "
            '(private_domain="none")')
    warnings.warn(f"scores that {place} computes on private rows are not protected, and a choice "
                  "by them is not either: dpadapt.evaluate protects errors",
                  PrivacyWarning, stacklevel=4)

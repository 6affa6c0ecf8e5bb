"""Right-censored times as labels of fits by loss="survival"."""

import numpy as np

from . import errors


def survival_labels(times, events):
    """Times with an event as they are, others with a minus sign.

    `times` are above 0; what is not becomes NaN, which is no label. `events` are 0 and 1, or False
    and True: whether the observation ended in an event.
    """
    times, events = np.asarray(times, float), np.asarray(events, float)
    if times.shape != events.shape or times.ndim != 1:
        raise errors.make("DPA_E_DIMENSION", "times and events must be two lists of one length")
    sign = np.where(events == 1, 1.0, np.where(events == 0, -1.0, np.nan))
    return np.where(np.isfinite(times) & (times > 0), sign * times, np.nan)

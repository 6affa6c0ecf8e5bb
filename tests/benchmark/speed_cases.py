"""The cases of the comparison of speeds, by name."""

import functools

import speed_fits
import speed_others

CASES = {
    **{f"certified optimum, {rows} rows": functools.partial(speed_fits.certified, rows)
       for rows in (1000, 10000, 100000)},
    **{f"private fit, {rows} + {rows} x {cols}":
       functools.partial(speed_fits.private_fit, rows, cols)
       for rows, cols in ((100000, 10), (100000, 20), (1000000, 20), (1000000, 50))},
    "pass over the data": speed_others.passes,
    "kernel mean matching, 2000 + 2000 rows": speed_others.matching,
    "kernel mean matching, 16000 + 16000 rows": speed_others.large_matching,
    "predictions, 1000000 x 20": speed_fits.predictions,
    "growth of private fits": speed_fits.growth,
    "memory of private fits": speed_fits.memory}

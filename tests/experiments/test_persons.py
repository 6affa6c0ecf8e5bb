"""Wind by weeks: fits that protect a week of days instead of a day cost little at equal epsilon.

The noise is seeded: the same in every run."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "reference"))

from prerequisites import require

require("numpy")

import numpy as np

from datasets import Wind, WIND, _columns
from fits import EPSILONS, dpadapt, private
from references import error

PAIRS = ((1, "MAL"), (3, "ROS"), (7, "VAL"), (10, "SHA"), (12, "CLA"))
TEST_YEARS = 5
DRAWS = 5
MOST = 1.2


def main():
    columns = _columns(WIND)
    year, day = columns["year"].astype(int), columns["day"].astype(int)
    wind, ratios = Wind(), []
    for month, station in PAIRS:
        case = wind.case(month, station)
        here = wind.month == month
        years, week = year[here], 10 * year[here] + (day[here] - 1) // 7
        train = years <= years.max() - TEST_YEARS
        sample, test = (tuple(part[rows] for part in case.target) for rows in (train, ~train))
        for epsilon in EPSILONS:
            def mean_error(**groups):
                return np.mean([error(private(case.source, sample, epsilon, unsafe_seed=draw, **groups), test)
                                for draw in range(DRAWS)])
            days, weeks = mean_error(), mean_error(groups=week[train])
            ratios.append(weeks / days)
            print(f"{case.name}, {len(set(week[train]))} weeks of {train.sum()} days, epsilon = {epsilon}: "
                  f"{weeks:.4g}, days {days:.4g}, ratio {weeks / days:.3f}")
    print(f"largest ratio {max(ratios):.3f}, at most {MOST}; mean {np.mean(ratios):.3f}")
    return 0 if max(ratios) <= MOST else 1


sys.exit(main())

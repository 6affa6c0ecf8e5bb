"""Private fits on wind: they use the target where there is enough of it, and else do no harm. And all experiments in small: every
one leaves its table, the page shows it, and what it shows is sound.

The noise is seeded: the same in every run."""

import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "reference"))

from prerequisites import require

require("numpy", "matplotlib", "tqdm")

import numpy as np

import page
import private_harm
import references
import tables
from datasets import Wind
from definitions import EXPERIMENTS
from fits import EPSILONS, private_errors, split_errors

PAIRS = ((1, "CLA"), (3, "MAL"), (3, "ROS"), (7, "DUB"), (10, "SHA"), (12, "VAL"))
SPLITS = 10

# Largest mean ratios to target only, several standard errors above what unseeded noise gives.
USEFUL = {(10000, 0.5): 1.02, (10000, 10): 1.02, (1000, 10): 1.05}
HARMLESS = 1.03
WITH_WIND = ("regression", "table_one", "private_regression", "paper_curves", "alpha_one", "private_distinct", "private_harm",
             "private_roles", "private_alpha", "private_options", "alpha_auto", "forecast", "paper_method", "unseen",
             "some_columns", "several_sources", "baselines", "unlabelled")
RIVALS = ("joint_ssp", "pooled_ssp", "public_ssp", "ada_ssp", "noisy_sgd", "private_dm")


def ratios_to_target_only(rows, epsilon):
    case = Wind().case()
    target_only = split_errors(case, SPLITS, references.ridge)
    return private_errors(case, rows, epsilon, SPLITS, draws=2, seeded=True) / target_only


def check_use():
    for (rows, epsilon), bound in USEFUL.items():
        ratio = ratios_to_target_only(rows, epsilon).mean()
        print(f"n = {rows}, epsilon = {epsilon}: {ratio:.3f} of target only, at most {bound}")
        yield ratio <= bound


def check_harm():
    wind = Wind()
    for month, station in PAIRS:
        case = wind.case(month, station)
        worst = private_harm.harm(private_harm.ratios((case, SPLITS, True)))
        row, column = np.unravel_index(worst.argmax(), worst.shape)
        rows = private_harm.ROWS[row] or case.train
        print(f"{case.name}: at most {worst.max():.3f} of what may be expected, "
              f"at n = {rows}, epsilon = {EPSILONS[column]}")
        yield worst.max() <= HARMLESS


def check_gain():
    """A case where the source alone is far off: the private fit must have gained most of it."""
    case = Wind().case(7, "VAL")
    source_only = references.least_squares(case.source)
    target_only = split_errors(case, SPLITS, references.ridge).mean()
    lost = split_errors(case, SPLITS, lambda train: source_only).mean() - target_only
    left = private_errors(case, 10000, 1, SPLITS, seeded=True).mean() - target_only
    print(f"{case.name}: {left / lost:.2f} of the loss of the source alone is left, at most 0.3")
    yield lost > 0 and left <= 0.3 * lost


def mean(rows, **keys):
    (row,) = tables.select(rows, **keys)
    return row["mean"]


def said(text, holds):
    print(("" if holds else "NOT ") + text)
    return holds


def check_results(folder):
    """Of run.py --quick: the tables as far as wind serves them, and their numbers."""
    found = {name: tables.read(folder, name) for name in EXPERIMENTS}
    for name in WITH_WIND:
        rows = [row for row in found[name] if row["splits"]]
        yield said(f"{name} has {len(rows)} finite means",
                   bool(rows) and all(np.isfinite(row["mean"]) for row in rows))
    private = tables.select(found["private_regression"], method="private")
    level = mean(found["private_regression"], method="no privacy")
    for epsilon in EPSILONS:
        ratio = mean(private, n=10000, epsilon=epsilon) / level
        yield said(f"n = 10000, epsilon = {epsilon}: {ratio:.3f} of no privacy, at most 1.03", ratio <= 1.03)
    ours = mean(private, n=1000, epsilon=1)
    for row in tables.select(found["private_regression"], method=RIVALS, n=1000, epsilon=1):
        yield said(f"{row['method']}, n = 1000, epsilon = 1: {row['mean']:.3f}, private {ours:.3f}",
                   row["mean"] > ours)
    for method in ("pooled", "KMM", "DM", "CnvxAdap_inf"):
        value = mean(found["regression"], data="wind", method=method)
        yield said(f"wind {method}: {value:.3f} of target only", 0.9 < value < 1.1)


def check_page(folder):
    """The page is made from the tables alone, the same again from the same, plots included."""
    def files():
        return {name: open(os.path.join(folder, name)).read() for name in os.listdir(folder)}

    before = files()
    page.write(folder, EXPERIMENTS.values())
    yield said("the same tables make the same page and plots", files() == before)
    text = before["README.md"]
    for name, experiment in EXPERIMENTS.items():
        yield said(f"the page shows {name}", f"## {name}\n" in text and (
            name not in WITH_WIND or not experiment.plot or f"]({name}.svg)" in text))
    yield said("the page has the paper's figure beside ours", "0.985 ± 0.019" in text)


def run(*arguments, **environment):
    subprocess.run([sys.executable, os.path.join(HERE, "run.py"), *arguments], check=True,
                   env=os.environ | environment)


def check_quick():
    with tempfile.TemporaryDirectory() as folder:
        run(folder, "--quick")
        yield from check_results(folder)
        yield from check_page(folder)
        run(folder, "classification", "--splits", "1", DPADAPT_DATA_DIR=folder)
        text = open(os.path.join(folder, "README.md")).read()
        yield said("data that are missing are named", "what needs adult.csv.gz" in text)


def main():
    passed = [*check_use(), *check_gain(), *check_harm(), *check_quick()]
    print(f"{passed.count(False)} of {len(passed)} checks failed")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())

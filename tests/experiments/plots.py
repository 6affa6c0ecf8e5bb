"""Plots of results as small SVG files: the same rows give the same bytes."""

import io
import itertools
import re

import matplotlib

matplotlib.use("svg")

import matplotlib.pyplot as plt
import numpy as np

from tables import select

STYLE = {"svg.fonttype": "none", "svg.hashsalt": "dpadapt", "font.size": 8, "axes.spines.top": False,
         "axes.spines.right": False, "legend.frameon": False, "path.simplify": True}
LEVELS = ("no privacy", "source only")
TICKS = (200, 1000, 10000)
MARKS = "osD^vP*Xph"


def _distinct(rows, key):
    return list(dict.fromkeys(row[key] for row in rows if key in row))


def _data(rows):
    return _distinct([row for row in rows if row["splits"]], "data")


def methods(rows, printed):
    """A panel for each data set, a row for each method: mean and deviation, beside them those printed in the paper."""
    names = _data(rows)
    columns = min(len(names), 4)
    figure, axes = plt.subplots(-(-len(names) // columns), columns, squeeze=False, sharey=True,
                                figsize=(2.3 * columns, 2.1 * -(-len(names) // columns)))
    wanted = [name for name in _distinct(rows, "method") if " - " not in name]
    for axis in axes.flat[len(names):]:
        axis.set_visible(False)
    for axis, name in zip(axes.flat, names):
        here = {row["method"]: (row["mean"], row["deviation"]) for row in select(rows, data=name, method=None)}
        for shift, label, values in ((0, "here", here), (0.25, "paper", printed.get(name, {}))):
            shown = [(place + shift, *values[method]) for place, method in enumerate(wanted) if method in values]
            if shown:
                places, means, deviations = zip(*shown)
                axis.errorbar(means, places, xerr=np.nan_to_num(deviations), fmt="os"[shift > 0], markersize=3, label=label)
        axis.set_title(name)
    axes[0, 0].set_yticks(range(len(wanted)), wanted)
    axes[0, 0].invert_yaxis()
    axes[0, 0].legend(fontsize=6)
    return figure


def _levels(axis, rows, levels):
    """Horizontal lines for what does not depend on n."""
    for row, style in zip((row for method in levels for row in select(rows, method=method, n="")),
                          itertools.cycle(("--", ":", "-."))):
        axis.axhline(row["mean"], color="grey", linestyle=style, linewidth=1, label=row["method"])


def _against_rows(axis, rows, key, values, prefix=""):
    for value, mark in zip(values, itertools.cycle(MARKS)):
        line = sorted((float(row["n"]), row["mean"]) for row in select(rows, **{key: value}) if row["splits"])
        if line:
            axis.plot(*zip(*line), marker=mark, markersize=3, linewidth=1, label=prefix + value)
    axis.set_xscale("log")
    axis.set_xticks(TICKS, map(str, TICKS))
    axis.minorticks_off()
    axis.set_xlabel("n")


def _limits(axis, rows):
    """Noise may make errors as large as it likes: not beyond three times the levels."""
    levels = [row["mean"] for row in select(rows, n="") if row["splits"]]
    most = 3 * max(levels)
    seen = [row["mean"] for row in rows if row["splits"] and row["mean"] <= most]
    axis.set_yscale("log")
    axis.set_ylim(0.95 * min(seen), 1.05 * max(seen))
    axis.set_yticks(ticks := np.geomspace(*axis.get_ylim(), 5)[1:-1], [f"{tick:.3g}" for tick in ticks])
    axis.minorticks_off()


def _panels(rows, titles):
    names = _data(rows)
    figure, axes = plt.subplots(len(names), len(titles), squeeze=False,
                                figsize=(3.1 * len(titles), 2.3 * len(names)))
    for line, name in zip(axes, names):
        for axis, title in zip(line, titles):
            axis.set_title(f"{name}: {title}")
            yield figure, axis, [row for row in rows if row.get("data") == name], title
    for axis in axes[0]:
        axis.legend(fontsize=6)


def curves(rows, printed):
    """The private fit by epsilon, then all private methods at two epsilons."""
    rows = select(rows, method=None)
    others = _distinct([row for row in rows if row.get("method") != "private"], "epsilon")
    titles = ["private fit", *(f"epsilon = {epsilon}" for epsilon in others)]
    for figure, axis, here, title in _panels(rows, titles):
        _levels(axis, here, LEVELS)
        if title == titles[0]:
            here = select(here, method=("private", *LEVELS))
            ours = select(here, method="private")
            _against_rows(axis, ours, "epsilon", _distinct(ours, "epsilon"), "epsilon = ")
        else:
            here = [row for row in here if row.get("epsilon", title.split()[-1]) == title.split()[-1]]
            _against_rows(axis, here, "method", _distinct(select(here, n=None), "method"))
        _limits(axis, here)
    return figure


def alpha_one(rows, printed):
    for figure, axis, here, title in _panels(rows, [f"epsilon = {e}" for e in _distinct(rows, "epsilon")]):
        here = [row for row in here if row.get("epsilon", title.split()[-1]) == title.split()[-1]]
        _levels(axis, here, ("source only",))
        _against_rows(axis, here, "method", _distinct(select(here, n=None), "method"))
        _limits(axis, here)
    return figure


KINDS = {"methods": methods, "methods, other units": lambda rows, printed: methods(rows, {}),
         "curves": curves, "alpha_one": alpha_one}


def save(kind, rows, printed, path):
    """`printed`: figures of the paper by data and method."""
    with plt.rc_context(STYLE):
        figure = KINDS[kind](rows, printed)
        figure.tight_layout()
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
        plt.close(figure)
    short = re.sub(r"(\d\.\d\d)\d+", r"\1", re.sub(r"\s*\n\s*", "\n", text.getvalue()))
    with open(path, "w") as file:
        file.write(short)

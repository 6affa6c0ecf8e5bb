"""Sentences about results that are numbers: each function makes one that maps the rows of an experiment to a list of texts."""

import math

from tables import select


def _listed(parts):
    return ", ".join(parts) if parts else "none"


def against_paper(method, paper, smaller=True, unit=""):
    """Where a method is better or worse than the paper prints it."""
    def sentences(rows):
        better, worse = [], []
        for row in select(rows, method=method):
            if method not in paper.get(row["data"], {}) or not row["splits"]:
                continue
            gain = row["mean"] - paper[row["data"]][method][0]
            text = f"{row['data']} (by {abs(gain):.3g}{unit})"
            (better if (gain < 0) == smaller else worse).append(text)
        return [f"{method} here is better than the paper's on: {_listed(better)}; worse on: {_listed(worse)}."]
    return sentences


def differences(method, others, smaller=True):
    """Where the paired difference to another method is beyond two standard errors."""
    def sentence(rows, other):
        better, worse, equal = [], [], []
        for row in select(rows, method=f"{method} - {other}"):
            error = row["deviation"] / math.sqrt(max(row["splits"], 1))
            clear = abs(row["mean"]) > 2 * error
            kind = equal if not clear else better if (row["mean"] < 0) == smaller else worse
            kind.append(f"{row['data']} ({row['mean']:+.3g} ± {error:.2g})")
        return (f"{method} minus {other}, mean of the paired differences ± standard error: clearly better on "
                f"{_listed(better)}; clearly worse on {_listed(worse)}; within two standard errors on "
                f"{_listed(equal)}.")
    return lambda rows: [sentence(rows, other) for other in others]


def within(share):
    """Which private fits at the largest n and epsilon are within a share of those without privacy."""
    def sentences(rows):
        rows = [row for row in select(rows, ratio=None) if row["splits"]]
        if not rows:
            return []
        last = [row for row in rows if row["epsilon"] == max((r["epsilon"] for r in rows), key=float)]
        texts = {row["data"]: f"{row['data']} ({100 * (row['mean'] - 1):+.1f} %)" for row in last}
        passed = [texts[row["data"]] for row in last if row["mean"] <= 1 + share]
        failed = [texts[row["data"]] for row in last if row["mean"] > 1 + share]
        return [f"At n = {last[0]['n']}, epsilon = {last[0]['epsilon']} the error is at most {100 * share:.0f} % above that without privacy on: "
                f"{_listed(passed)}; more on: {_listed(failed)}."]
    return sentences


def approach(rows):
    """From the fewest rows and smallest epsilon to the most and largest: the mean error over that without privacy."""
    private = [row for row in select(rows, method="private") if row["splits"]]
    parts = []
    for base in select(rows, method="no privacy"):
        here = sorted(select(private, data=base["data"]), key=lambda row: (float(row["n"]), float(row["epsilon"])))
        ends = [f"{row['mean'] / base['mean']:.3f}" for row in (here[:1] + here[-1:])]
        parts.append(f"{base['data']} from {' to '.join(ends)}")
    text = f"Mean error over that without privacy, from the smallest n and epsilon to the largest: {_listed(parts)}."
    return [text] if parts else []


def rivals(ours="private"):
    """How often each other private method has the smaller mean error, at the same data, n and epsilon."""
    def sentences(rows):
        cells = {(row["data"], row["n"], row["epsilon"]): row["mean"]
                 for row in select(rows, method=ours) if row["splits"]}
        found = {}
        for row in select(rows, method=None, n=None, epsilon=None):
            if row["method"] != ours and row["splits"]:
                place = (row["data"], row["n"], row["epsilon"])
                found.setdefault(row["method"], []).append((row["mean"] / cells[place], place))
        return [_rival(method, ours, ratios) for method, ratios in found.items()]
    return sentences


def levels(method, level):
    """How often a private method has a smaller mean error than something that does not depend on n."""
    def sentences(rows):
        base = {row["data"]: row["mean"] for row in select(rows, method=level, n="")}
        ratios = [(row["mean"] / base[row["data"]], (row["data"], row["n"], row["epsilon"]))
                  for row in select(rows, method=method, n=None) if row["splits"]]
        return [_rival(method, level, ratios)] if ratios else []
    return sentences


def harm(ours, others, cases):
    """By who is private the mean error over that of the better of others, in the mean of all cells and at worst."""
    def sentences(rows):
        for private in cases:
            cells = {}
            for row in select(rows, private=private):
                place = (row["data"], row["n"], row.get("epsilon", ""))
                cells.setdefault(place, {})[row["method"]] = row["mean"]
            if not cells:
                continue
            ratios = [(found[ours] / min(found[name] for name in others), place) for place, found in cells.items()]
            worst, (data, n, epsilon) = max(ratios)
            place = f"{data}, n = {n}" + (f", epsilon = {epsilon}" if epsilon else "")
            yield (f"Private: {private}. {ours} over the better of {' and '.join(others)}, {len(ratios)} cells: mean "
                   f"{sum(ratio for ratio, _ in ratios) / len(ratios):.3f}, worst {worst:.3f} ({place}); above 1.02 in "
                   f"{sum(ratio > 1.02 for ratio, _ in ratios)}.")
    return sentences


def _rival(method, ours, ratios):
    wins = sorted(pair for pair in ratios if pair[0] < 1)
    text = f"{method} has the smaller mean error than {ours} in {len(wins)} of {len(ratios)} cells"
    if wins:
        ratio, (data, rows, epsilon) = wins[0]
        text += f", at most {100 * (1 - ratio):.1f} % smaller ({data}, n = {rows}, epsilon = {epsilon})"
    return text + "."


def mean_ratio(method, other, paper):
    """Error of a method over that of another, a mean over the data, beside the same in the paper."""
    def sentences(rows):
        def mean(name, row):
            return select(rows, data=row, method=name)[0]["mean"]
        names = list(dict.fromkeys(row["data"] for row in rows if row["splits"]))
        here = [mean(method, name) / mean(other, name) for name in names]
        there = [paper[name][method][0] / paper[name][other][0] for name in names]
        if not names:
            return []
        return [f"{method} over {other}, mean ratio of the errors over {len(names)} pairs: "
                f"{sum(here) / len(here):.2f} here, {sum(there) / len(there):.2f} in the paper; smaller than "
                f"{other} on {sum(r < 1 for r in here)} pairs here, {sum(r < 1 for r in there)} in the paper."]
    return sentences


def average(methods):
    """Mean over the data of each method."""
    def sentences(rows):
        parts = [(method, [row["mean"] for row in select(rows, method=method) if row["splits"]])
                 for method in methods]
        return ["Mean over the data: " + _listed([f"{method} {sum(means) / len(means):.3f}"
                                                  for method, means in parts if means]) + "."]
    return sentences

"""The numbers of the README: its tables are made from docs/results/hospital.csv and private_distinct.csv, and every other measured number of
its section must be in a CSV file there. The lead over rivals is that of the benchmark's page. Run as a program it writes table and lead anew."""

import os
import re

import findings
import tables

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
README = os.path.join(ROOT, "README.md")
RESULTS = os.path.join(ROOT, "docs", "results")
SECTION = "## Two cases\n"
LEAD = r"private error is ([0-9.]+) times"
ON_PAGE = r"our error is ([0-9.]+) of that of the best rival"
HEAD = """| private rows | best of 5 other private methods, epsilon = 1 | adapted, epsilon = 0.5 | 1 | 4 |
|---|---|---|---|---|
"""
PATIENTS = """| source alone | target alone, no privacy | noisy SGD, epsilon = 1 | adapted, epsilon = 0.5 | 1 | 2 | 4 |
|---|---|---|---|---|---|---|
"""
ROWS = (500, 2000)
RIVALS = ("noisy_sgd", "joint_ssp", "ada_ssp", "public_ssp", "pooled_ssp")


def table():
    rows = tables.select(tables.read(RESULTS, "private_distinct"), data="bike")

    def mean(n, methods, epsilon):
        return min(row["mean"] for row in tables.select(rows, n=n, epsilon=epsilon, method=methods))

    def line(n):
        values = [mean(n, RIVALS, 1), *(mean(n, "adapted", epsilon) for epsilon in (0.5, 1, 4))]
        return f"| {n} | " + " | ".join(f"{value:.2f}" for value in values) + " |\n"

    return HEAD + "".join(map(line, ROWS))


def patients():
    rows = tables.select(tables.read(RESULTS, "hospital"), quantity="wrong")
    kinds = (("source only", "none"), ("target only", "none"), ("noisy_sgd", 1), *(("adapted", epsilon) for epsilon in (0.5, 1, 2, 4)))
    means = [tables.select(rows, method=method, epsilon=epsilon)[0]["mean"] for method, epsilon in kinds]
    return PATIENTS + "| " + " | ".join(f"{mean:.1f} %" for mean in means) + " |\n"


def lead():
    """Our error over that of the best rival, as the page of the benchmark has it."""
    with open(os.path.join(RESULTS, "benchmark", "README.md")) as file:
        return re.search(ON_PAGE, file.read()).group(1)


def least_lead():
    """The largest of our errors over those of rivals with one setting for all data."""
    with open(os.path.join(RESULTS, "benchmark", "README.md")) as file:
        part = file.read().split("## Rivals with one setting")[1].split("\n## ")[0]
    return max(float(line.split("|")[5]) for line in part.splitlines()
               if line.startswith(("| logistic", "| squared")))


def told_lead():
    with open(README) as file:
        return re.search(LEAD, file.read()).group(1)


def section():
    with open(README) as file:
        return file.read().split(SECTION)[1].split("\n## ")[0]


def measured():
    """All means of all files."""
    names = sorted(name[:-4] for name in os.listdir(RESULTS) if name.endswith(".csv"))
    return [row["mean"] for name in names for row in tables.read(RESULTS, name)]


def unseen():
    """Mean and worst ratio of the default, by who is private, as the results page has them."""
    sentences = findings.harm("adapted", ("source only", "target only"), ("none", "target", "source", "both"))
    return [number for text in sentences(tables.read(RESULTS, "unseen"))
            for number in re.search(r"mean ([\d.]+), worst ([\d.]+)", text).groups()]


def told_of_unseen():
    """The same numbers, where docs/methods.md quotes them."""
    with open(os.path.join(ROOT, "docs", "methods.md")) as file:
        text = file.read().split("(results/README.md#unseen)")[1].split("\n- ")[0]
    return re.findall(r"\d\.\d{3}", text)


def unknown_numbers(text, means):
    """Numbers with a point of the text that no mean rounds to, in units or in percent. Options are not results."""
    text = re.sub(r"(delta|epsilon) = [0-9.]*[0-9]", "", text.replace(HEAD, "").replace(PATIENTS, ""))
    return [number for number in re.findall(r"\d+\.\d+", text)
            if not any(number == f"{mean:.{len(number.split('.')[1])}f}" for mean in means)]


def main():
    with open(README) as file:
        text = file.read()
    for head, table_of in ((HEAD, table), (PATIENTS, patients)):
        text = text.replace(re.search(re.escape(head) + r"(\|.*\n)*", text).group(), table_of())
    sentence = re.search(LEAD, text).group()
    text = text.replace(sentence, sentence.replace(told_lead(), lead()))
    with open(README, "w") as file:
        file.write(text)


if __name__ == "__main__":
    main()

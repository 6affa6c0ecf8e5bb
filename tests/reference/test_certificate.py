"""Reports of the command stand up to a second reader: other arithmetic, another implementation of
the ledger's hashes. And that reader finds what was changed."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from prerequisites import SKIPPED, require

require("numpy", "scipy")
if not os.path.isfile(os.environ.get("DPADAPT_CLI", "")):
    print("skipped: no command")
    sys.exit(SKIPPED)

import numpy as np

import certificate
import certificate_words

SEED = 20260611
CALLS = {
    "default": (),
    "delta": ("delta=1e-3", "epsilon=4"),
    "both": ("private_domain=both", "preprocess=none", "radius=2", "label_bound=3",
             "feature_radius=2", "clip_bound=1", "metric_ridge=1", "kappa_1=1",
             "alpha=0.5"),
    "source": ("private_domain=source",),
    "discrepancy": ("alpha=0.5", "discrepancy_share=0.3"),
    "large": ("epsilon=40",),
}
# What the reader cannot compute: the options of the call, and who wrote it.
FREE = {("call",), ("version",)}


def run(*arguments):
    return subprocess.run([os.environ["DPADAPT_CLI"], *map(str, arguments)], check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def samples(folder, random):
    files = {}
    for name, rows in (("source", 400), ("target", 90)):
        x = random.normal(size=(rows, 2))
        table = np.column_stack([x, x @ [1.0, -0.5] + 0.1 * random.normal(size=rows)])
        files[name] = folder / f"{name}.csv"
        np.savetxt(files[name], table, delimiter=",", header="a,b,y", comments="")
    return ("--source", files["source"], "--target", files["target"], "--label", "y")


def with_budget(options):
    """The options, of which a budget counts instead of (1, 1e-5)."""
    values = dict(each.split("=") for each in ("epsilon=1", "delta=1e-5", *options))
    return [f"{name}={value}" for name, value in values.items()]


def settings(*assignments):
    return [part for each in assignments for part in ("--set", each)]


def reports_agree(folder, data):
    for name, options in CALLS.items():
        path = folder / f"{name}.json"
        run("fit", *data, *settings(*with_budget(options)), "--report", path)
        certificate.main(path)


def sampled_batches_agree(folder, data):
    for relation in ("replace", "zero_out"):
        report = folder / "sampled.json"
        run("baseline", "noisy_sgd", *data, *settings("epsilon=2", "delta=1e-4", "batch_size=10",
                                                      "neighbours=" + relation), "--report", report)
        certificate.main(report)
        assert "failure_units" in report.read_text()


def one_with_its_ledger(folder, data):
    ledger, report = folder / "ledger", folder / "paid.json"
    run("ledger", "init", ledger, *settings("epsilon=3", "delta=1e-5", "discrepancy_share=0.1",
                                            "selection_epsilon=0.4"))
    pay = ("--ledger", ledger, "--report", report)
    run("discrepancy", *data, *settings("epsilon=0.2", "delta=1e-5"), *pay)
    run("select", *data, *settings("epsilon=0.5", "delta=1e-5", "selection_epsilon=0.4",
                                   "selection_bound=4"), "--grid", "shrinkage=2,3",
        "--validation-report", folder / "validation.json", *pay)
    certificate.main(report, ledger)
    certificate.main(folder / "validation.json", ledger)
    return report, ledger


def changes_are_found(report, ledger):
    text, blocks = report.read_text(), ledger.read_bytes()
    wrong = [
        (text.replace('"records":10', '"records":11', 1), blocks),
        (text.replace('"private":true', '"private":True', 1), blocks),
        (text, blocks[:4096] + blocks[8192:]),
        (text, blocks[:4096] + blocks[8192:12288] + blocks[4096:8192] + blocks[12288:]),
        (text, blocks[:-1]),
        (text, blocks[:5000] + bytes([blocks[5000] ^ 1]) + blocks[5001:]),
    ]
    for k, (changed, ledger_bytes) in enumerate(wrong):
        report.write_text(changed)
        ledger.write_bytes(ledger_bytes)
        try:
            certificate.main(report, ledger)
        except certificate.Wrong:
            continue
        raise AssertionError(f"change {k} was not found")


def other_bytes_are_found(folder, data):
    path = folder / "bytes.json"
    run("fit", *data, *settings("epsilon=1", "delta=1e-5"), "--report", path)
    text = path.read_text()
    for old, new in (('":', '": '), ('"epsilon":1,', '"epsilon":1.0,'), ("\n", "\n\n"),
                     ('"private":true', '"private":true,"private":true'),
                     ('"steps":', '"dimension":1,"steps":'), ('"summary"', '"\\u0073ummary"')):
        assert old in text
        path.write_text(text.replace(old, new, 1))
        try:
            certificate.main(path)
        except certificate.Wrong:
            continue
        raise AssertionError(f"{new} was not found")


def words_without_a_promise_are_found(folder, data):
    path = folder / "words.json"
    run("fit", *data, *settings("epsilon=1", "delta=1e-5"), "--report", path)
    report = certificate.read_report(path.read_text().removesuffix("\n"))
    certificate.check_numbers(report)
    words = report["plain_words"]
    for changed in ({"attackers": None}, {"attackers": report["attackers"][:3]},
                    {"summary": "PRIVATE: perfectly, with epsilon = 1, delta = 1e-05, and nobody "
                                "can ever learn anything."},
                    {"neighbours": "nobody"}, {"not_covered": []}, {"spent_is": "a guarantee"},
                    {"accountant": "the best"}, {"numerics": "perfect"}, {"findings": []},
                    {"shared_ledger": {}}, {"private": 1}, {"version": None},
                    {"plain_words": words[:1] + words[2:]},
                    {"plain_words": words + ["It finds at most 5 of 100 that hold it;"]},
                    {"plain_words": [some.replace(" and ", " and 5 or ") for some in words]}):
        try:
            certificate.check_numbers(report | changed)
        except certificate.Wrong:
            continue
        raise AssertionError(f"{changed} was not found")


def leaves(value, path=()):
    """The places of a report that a change can be made at, members and elements included."""
    if path:
        yield path
    for name in value if isinstance(value, dict) else range(len(value)) \
            if isinstance(value, list) else ():
        if path + (name,) not in FREE:
            yield from leaves(value[name], path + (name,))


def changed_value(value, random):
    if isinstance(value, bool) or value is None:
        return 0 if value is None else not value
    if isinstance(value, int):
        return value + int(random.integers(1, 9))
    if isinstance(value, float):
        return value * (1 + 10.0 ** random.uniform(-6, 1)) if value else 1.0
    if isinstance(value, str):
        place = int(random.integers(len(value) + 1))
        return value[:place] + random.choice(list("0aZ ")) + value[place + 1:]
    if isinstance(value, list):
        return value[:-1] if value else [0]
    return dict(list(value.items())[:-1])


def a_thousand_changes_are_found(folder, data):
    random = np.random.default_rng(SEED)
    for name in ("default", "discrepancy"):
        text = (folder / f"{name}.json").read_text().removesuffix("\n")
        places = list(leaves(certificate.read_report(text)))
        for _ in range(500):
            report = certificate.read_report(text)
            *path, last = places[random.integers(len(places))]
            owner = report
            for step in path:
                owner = owner[step]
            before = owner[last]
            while owner[last] == before:
                owner[last] = changed_value(before, random)
            try:
                again = certificate.read_report(certificate_words.written(report))
                certificate.check_numbers(again)
            except certificate.Wrong:
                continue
            raise AssertionError(f"{(*path, last)}: {before!r}, now {owner[last]!r}")


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        data = samples(folder, np.random.default_rng(SEED))
        reports_agree(folder, data)
        sampled_batches_agree(folder, data)
        words_without_a_promise_are_found(folder, data)
        other_bytes_are_found(folder, data)
        a_thousand_changes_are_found(folder, data)
        changes_are_found(*one_with_its_ledger(folder, data))


if __name__ == "__main__":
    main()

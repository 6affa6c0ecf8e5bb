"""Features of the command two by two: each pair works, or is refused before anything is paid."""

import itertools
import json
import os
import random
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cli_case import CliCase

SENTENCE = re.compile(r"\Adpadapt: (?s:.{15,})\n\Z")
TYPICAL = {"epsilon": "2", "delta": "1e-4", "alpha": "0.5", "kappa_1": "2", "lambda_1": "3",
           "discrepancy": "0.2", "hidden_units": "3", "threads": "2", "start_seed": "2",
           "unsafe_seed": "3", "classes": "3", "rows_per_person": "2", "batch_size": "4",
           "iterations": "3", "epochs": "2", "rounds": "2", "grid_bits": "30", "centers": "5",
           "forecast_repeats": "1", "forecast_shifts": "0,1", "labelled_share": "0.5",
           "noise_multiplier": "5", "laplace_epsilon": "0.5", "selection_epsilon": "0.5",
           "discrepancy_center": "0.5,0.5,0.5,0.5", "discrepancy_radius": "2",
           "softmax_sharpness": "50", "anchor_share": "0.1", "moments_share": "0.2",
           "discrepancy_tolerance": "0.1", "evaluation_bound": "9", "selection_bound": "9"}


def typical_values(option):
    """The words of an option and a number that it takes."""
    words = [word.strip() for word in re.sub(r"[\[(][^\])]*[\])]", "", option["values"]).split(",")]
    words = [word for word in words if word and word != "numbers"]
    if option["type"] == "boolean" or option["type"] == "choice":
        return words
    return words + [TYPICAL.get(option["name"], "0.5")]


def sample(count, shift, seed, names="x1,x2,x3,kind,w,score,y,z,person", blank_labels=False):
    """Rows with numbers, a text, weights, scores, two kinds of labels and persons."""
    generator = random.Random(seed)
    lines = [names]
    for k in range(count):
        x = [generator.gauss(shift, 1.0) for _ in range(3)]
        y = 2 * x[0] - x[1] + 0.5 * x[2] + generator.gauss(0, 0.2)
        cells = {"x1": f"{x[0]:.4f}", "x2": f"{x[1]:.4f}", "x3": f"{x[2]:.4f}",
                 "kind": "ab"[k % 2], "w": str(1 + k % 3), "score": f"{2 * x[0]:.4f}",
                 "y": "" if blank_labels and k % 3 == 0 else f"{y:.4f}",
                 "z": "yes" if y > 0 else "no", "person": f"p{k // 2}", "own": f"{x[0] + 1:.4f}"}
        lines.append(",".join(cells[name] for name in names.split(",")))
    return "\n".join(lines) + "\n"


class FeaturePairs(CliCase):
    """Runs commands with a ledger of their own each, and judges what became of it."""

    def setUp(self):
        super().setUp()
        self.source = self.write("source.csv", sample(40, 0.0, 1))
        self.more = self.write("more.csv", sample(24, 0.2, 3))
        self.target = self.write("target.csv", sample(30, 0.4, 2))
        self.blanks = self.write("blanks.csv", sample(30, 0.4, 2, blank_labels=True))
        self.own = self.write("own.csv", sample(30, 0.4, 2, "x1,x2,x3,kind,own,y,z,person"))
        self.map = self.write("map.csv", "column,x1,x2,(constant)\nx1,0.5,0.5,1\n")
        rows = [line + ",source" for line in sample(40, 0.0, 1).splitlines()[1:]]
        rows += [line + ",target" for line in sample(30, 0.4, 2).splitlines()[1:]]
        header = sample(0, 0.0, 1).strip() + ",domain\n"
        self.both = self.write("both.csv", header + "\n".join(rows) + "\n")
        self.ledgers = {}
        for relation in ("target", "source"):
            path = self.path(relation + ".ledger")
            self.succeed("ledger", "init", path, "--set", "epsilon=60", "--set", "delta=1e-3",
                         "--set", "discrepancy_share=0.1", "--set", "selection_epsilon=5",
                         "--set", "private_domain=" + relation)
            self.ledgers[relation] = Path(path).read_bytes()
        self.options = json.loads(self.succeed("options", "--json"))

    def judge(self, number, arguments, with_ledger=True):
        """Runs it in a folder of its own. @return what is wrong, or an empty text; the code."""
        folder = Path(self.path(f"run{number}"))
        folder.mkdir()
        before = self.ledgers["source" if "private_domain=source" in arguments else "target"]
        ledger = folder / "l"
        command = [text.replace("HERE/", str(folder) + "/") for text in arguments]
        if with_ledger:
            ledger.write_bytes(before)
            command += ["--ledger", str(ledger)]
        done = self.run_cli(*command, env=os.environ | {"OPENBLAS_NUM_THREADS": "1"})
        paid = with_ledger and ledger.read_bytes() != before
        shutil.rmtree(folder)
        text = f"{' '.join(arguments)}: {done.returncode} {done.stderr.strip()}"
        if done.returncode == 0:
            return "", 0
        if done.returncode not in (1, 2, 3, 6) or paid or "internal" in done.stderr.lower() \
                or not SENTENCE.match(done.stderr):
            return text + (" (paid)" if paid else ""), done.returncode
        return "", done.returncode

    def judge_all(self, cases, refusals=4 / 5):
        """@param cases  Pairs of arguments and whether they get a ledger.
        @param refusals  The share that may be refused: a mistake of the test would refuse all."""
        cases = list(cases)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            judged = list(pool.map(lambda case: self.judge(case[0], *case[1]), enumerate(cases)))
        wrong = [text for text, _ in judged if text]
        worked = sum(code == 0 for _, code in judged)
        print(f"{len(cases)} pairs, of which {worked} work", flush=True)
        self.assertEqual(wrong, [], "\n".join(wrong))
        self.assertGreater(worked, len(cases) * (1 - refusals))

    def option_cases(self, reports, methods):
        """Each option at each of its words and at a number, by report and method."""
        for option in self.options:
            for value in typical_values(option):
                label = "z" if value in ("logistic", "softmax") else "y"
                if option["name"] == "loss" and value == "perceptron":
                    label = "z"
                for report, method in itertools.product(reports, methods):
                    arguments = [*method, "--source", self.source, "--target", self.target,
                                 "--label", label, "--ignore",
                                 "kind,w,score,person," + ("y" if label == "z" else "z")]
                    if option["name"] != "epsilon":
                        arguments += ["--epsilon", "2"]
                    if option["name"] != "delta":
                        arguments += ["--delta", "1e-4"]
                    arguments += ["--set", f"{option['name']}={value}"]
                    private = value not in ("none", "both") or option["name"] != "private_domain"
                    yield arguments + list(report), private

    def features(self):
        """What can be asked of a command; each replaces or adds arguments."""
        option = lambda text: ("--set", text)
        return {
            "none": option("private_domain=none"), "source": option("private_domain=source"),
            "both": option("private_domain=both"), "alpha": option("alpha=0.5"),
            "paper": option("method=paper"), "logistic": option("loss=logistic"),
            "softmax": option("loss=softmax"), "huber": option("loss=huber"),
            "poisson": option("loss=poisson"), "gamma": option("loss=gamma"),
            "survival": option("loss=survival"),
            "perceptron": option("loss=perceptron"), "inference": option("inference=yes"),
            "zero_out": option("neighbours=zero_out"), "seed": option("unsafe_seed=1"),
            "share": option("labelled_share=0.7"), "kept": option("discrepancy_share=0.5"),
            "whiten": option("preprocess=whiten"), "regressed": option("own_columns=regressed"),
            "bound": option("row_weight_bound=3"), "kappa": option("kappa_2=1"),
            "weight": ("--weight", "w"), "scores": ("--scores", "score"),
            "group": ("--group", "person"), "map": ("--source-map", self.map),
            "more": ("--add-source", self.more), "own": ("--own", "own=1"),
            "features": ("--features", "x1,x2"), "categories": ("--categories", "x3"),
            "positive": ("--positive", "yes"), "rows": ("--rows", "33"),
            "missing": ("--missing", "-"), "blanks": ("--target", self.blanks),
            "one file": ("--data", self.both), "html": ("--report", "HERE/r.html"),
            "report": ("--report", "HERE/r.json"), "output": ("--output", "HERE/m.json"),
            "json": ("--json",), "holdout": ("--holdout", "0.3"), "memory": ("--memory", "1M"),
            "weights of records": ("--weights", "--json"), "ledger": ()}

    def arguments_of(self, command, names):
        """The command with these features; the parts that they share come from the first one."""
        known = self.features()
        given = [known[name] for name in names]
        flags = {part[0] for part in given if part and part[0] != "--set"}
        classes = {"logistic", "softmax", "perceptron"} & set(names)
        label = "z" if classes else "y"
        unused = {"w", "score", "person", "y" if label == "z" else "z"}
        unused -= {part[1] for part in given if len(part) == 2}
        arguments = list(command)
        if "--data" not in flags:
            arguments += ["--source", self.source]
            if "--own" in flags:
                arguments += ["--target", self.own]
                unused -= {"w", "score"}
            elif "--target" not in flags:
                arguments += ["--target", self.target]
        if "--features" not in flags and "--own" not in flags:
            arguments += ["--ignore", ",".join(sorted(unused))]
        arguments += ["--label", label]
        if "none" not in names:
            arguments += ["--epsilon", "2", "--delta", "1e-4"]
        for part in given:
            arguments += part if part != ("--json",) or "--json" not in arguments else ()
        return arguments

    def model_of(self, label, *more):
        """A model file of the public rows, one of numbers or one of classes."""
        path = self.path(f"{label}{len(more)}.json")
        if not os.path.exists(path):
            unused = {"kind", "w", "score", "person", "y" if label == "z" else "z"}
            self.succeed("fit", "--source", self.source, "--target", self.more, "--label", label,
                         "--ignore", ",".join(sorted(unused)), "--set", "private_domain=none",
                         "--output", path, *more)
        return path

    def unseen_cases(self, command):
        """Features of evaluate and calibrate two by two, for a model of numbers."""
        features = {
            "none": ("--set", "private_domain=none"), "source": ("--source", self.source),
            "rows": ("--rows", "33"), "group": ("--group", "person"), "weight": ("--weight", "w"),
            "event": ("--event", "kind"), "label": ("--label", "x1"), "text": ("--label", "kind"),
            "classes": ("--model", self.model_of("z", "--set", "loss=logistic")),
            "blanks": ("--data", self.blanks), "other columns": ("--data", self.own),
            "bound": ("--set", "evaluation_bound=9"), "sure": ("--set", "confidence=0.5"),
            "seed": ("--set", "unsafe_seed=1"), "zero_out": ("--set", "neighbours=zero_out"),
            "persons": ("--set", "unit=person"), "first": ("--set", "rows_per_person=1"),
            "radius": ("--set", "radius=2"), "json": ("--json",), "dry": ("--dry-run",)}
        for pair in itertools.combinations(features, 2):
            given = {"--model": self.model_of("y"), "--data": self.target}
            sets = ["--epsilon", "2", "--delta", "1e-4"] if "none" not in pair else []
            for flag, *value in (features[name] for name in pair):
                if flag == "--set":
                    sets += [flag, *value]
                else:
                    given[flag] = value[0] if value else None
            flags = [word for flag, value in given.items() for word in (flag, value) if word]
            yield [*command, *flags, *sets], "none" not in pair

    def prediction_cases(self):
        """Features of predict two by two."""
        features = {
            "classes": ("--model", self.model_of("z", "--set", "loss=logistic")),
            "blanks": ("--data", self.blanks), "other columns": ("--data", self.own),
            "keep": ("--keep", "kind"), "unknown": ("--keep", "nowhere"), "fail": ("--na", "fail"),
            "interval": ("--interval", "0.9"), "times": ("--times", "1,2"),
            "scores": ("--scores", None), "probabilities": ("--probabilities", None),
            "output": ("--output", "HERE/p.csv")}
        for pair in itertools.combinations(features, 2):
            given = {"--model": self.model_of("y"), "--data": self.target}
            given.update(features[name] for name in pair)
            yield ["predict", *(word for part in given.items() for word in part if word)], False

    def pair_cases(self, commands):
        for command in commands:
            for pair in itertools.combinations(self.features(), 2):
                private = not {"none", "both"} & set(pair)
                has_ledger = private and command[0] in ("fit", "compare", "select", "discrepancy",
                                                        "baseline")
                yield self.arguments_of(command, pair), has_ledger

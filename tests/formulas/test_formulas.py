"""Formulas of R as model files: R, the command and Java predict the same bits for the same rows.

test_formulas.py DPADAPT RSCRIPT [JAVA JAR]
"""

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent


def lines(*command):
    done = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE)
    return done.stdout.splitlines()


def by_command(program, model, rows, classes):
    told = lines(program, "predict", "--model", model, "--data", rows,
                 *(["--probabilities"] if classes else []))
    return [float(line.split(",")[-1]) for line in told[1:]]


def by_java(java, jar, rows, models):
    found = {}
    for line in lines(java, "-cp", jar, str(HERE / "Formulas.java"), rows, *models):
        if line in models:
            values = found[line] = []
        else:
            values.append(float.fromhex(line))
    return found


def main():
    program, rscript, *java = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([rscript, str(HERE / "formulas.R"), folder], check=True)
        rows = str(Path(folder, "new.csv"))
        models = sorted(str(model) for model in Path(folder).glob("*.json"))
        assert len(models) >= 20, models
        in_java = by_java(*java, rows, models) if java else {}
        for model in models:
            formula, *values = Path(model).with_suffix(".txt").read_text().splitlines()
            expected = [float.fromhex(value) for value in values]
            ways = {"the command": by_command(program, model, rows, formula.startswith("z"))}
            ways.update({"Java": in_java[model]} if java else {})
            for way, found in ways.items():
                assert found == expected, f"{formula}: {way} predicts other bits"
        print(len(models), "formulas,", len(expected), "rows:", "the same bits in R,",
              ", ".join(ways))


if __name__ == "__main__":
    main()

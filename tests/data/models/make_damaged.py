"""Writes good.json, two columns and a private fit, and from it files that every language must
refuse: damaged/NAME.json, and cases.txt with the member that each message names. Run once for a
format: make_damaged.py DPADAPT, in this folder."""

import base64
import json
import pathlib
import random
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def fit(program, *options):
    draw = random.Random(3)
    for name, rows, shift in (("source", 60, 0.0), ("target", 40, 0.5)):
        lines = ["x1,x2,y"]
        for _ in range(rows):
            x = [draw.gauss(shift, 1), draw.gauss(0, 1)]
            lines.append(",".join(f"{v:.4f}" for v in [*x, x[0] - 2 * x[1] + draw.gauss(0, 0.1)]))
        (HERE / f"{name}.csv").write_text("\n".join(lines) + "\n")
    files = [HERE / "source.csv", HERE / "target.csv"]
    subprocess.run([program, "fit", "--source", files[0], "--target", files[1], "--label", "y",
                    "--output", HERE / "good.json", *options],
                   check=True, stdout=subprocess.DEVNULL)
    for file in files:
        file.unlink()
    return (HERE / "good.json").read_text()


def damaged(text, other):
    whole = json.loads(text)
    saved = bytearray(base64.b64decode(whole["model"]))
    saved[len(saved) // 2] ^= 0x10

    def edited(**members):
        return json.dumps(whole | members)

    def without(name):
        return json.dumps({k: v for k, v in whole.items() if k != name})

    yield "cut off", text[: len(text) // 2], "JSON"
    yield "an empty object", "{}", "format"
    yield "a later format", edited(format="dpadapt model 3"), "format"
    yield "a model twice", text.rstrip()[:-1] + f',"model":"{other}"}}', "model"
    yield "another model first", f'{{"model":"{other}",' + text[1:], "model"
    yield "the model of another fit", edited(model=other), "coefficients"
    yield "no base64", edited(model="***"), "model"
    yield "no bytes", edited(model=""), "model"
    yield "short bytes", edited(model=whole["model"][:16]), "model"
    yield "a changed byte", edited(model=base64.b64encode(saved).decode()), "model"
    yield "no model", without("model"), "model"
    yield "a model in a list", edited(model=[whole["model"]]), "model"
    yield "a feature missing", edited(features=["x1"]), "features"
    yield "a feature twice", edited(features=["x1", "x1"]), "features"
    yield "features are numbers", edited(features=[1, 2]), "features"
    yield "no schema", without("schema"), "schema"
    yield "a model for a schema", edited(schema=whole["model"]), "schema"
    yield "a schema that is a number", edited(schema=3), "schema"
    yield "other coefficients", edited(coefficients=[[999, 999]]), "coefficients"
    yield "fewer coefficients", edited(coefficients=[999]), "coefficients"
    yield "another intercept", edited(intercept=[0]), "intercept"
    yield "a promise for a seeded fit", edited(protection="guaranteed"), "protection"
    yield "an epsilon that was not promised", edited(epsilon=1, delta=1e-6), "epsilon"
    yield "another label", edited(label="z"), "label"
    yield "another loss", edited(loss="huber"), "loss"
    yield "scores that it does not correct", edited(scores="s"), "scores"
    yield "an unknown member", edited(note="mine"), "note"
    yield "a second object", text + "{}", "JSON"


def main(program):
    seeded = ("--set", "epsilon=2", "--set", "delta=1e-4", "--set", "unsafe_seed=1")
    other = json.loads(fit(program, *seeded, "--set", "alpha=0.5"))["model"]
    text = fit(program, *seeded)
    folder = HERE / "damaged"
    folder.mkdir(exist_ok=True)
    lines = []
    for name, content, member in damaged(text, other):
        file = name.replace(" ", "_") + ".json"
        (folder / file).write_text(content)
        lines.append(f"{file} {member}\n")
    (folder / "cases.txt").write_text("".join(lines))


if __name__ == "__main__":
    main(sys.argv[1])

"""The R package computes the bits of the command dpadapt: the same core, compiled twice, and the same BLAS.
same_bits.py RSCRIPT"""

import json
import os
import pathlib
import subprocess
import sys

CASES = [
    "MAL private_domain=none",
    "MAL private_domain=none kappa_2=0.5 preprocess=whiten",
    "MAL private_domain=none loss=huber",
    "two private_domain=none loss=logistic",
    "MAL epsilon=1 delta=1e-5 unsafe_seed=7",
    "MAL epsilon=4 delta=1e-5 unsafe_seed=7 alpha=0.5",
    "two epsilon=4 delta=1e-5 unsafe_seed=7 loss=logistic",
]

script = pathlib.Path(__file__).with_name("same_bits.R")
printed = subprocess.run([sys.argv[1], script, ".", *CASES], check=True, stdout=subprocess.PIPE, text=True).stdout
features = pathlib.Path("source.csv").read_text().split("\n", 1)[0].split(",")[:11]
for case, line in zip(CASES, printed.splitlines(), strict=True):
    label, *options = case.split()
    command = [os.environ["DPADAPT_CLI"], "fit", "--source", "source.csv", "--target", "target.csv", "--label", label]
    command += ["--features", ",".join(features), "--json"]
    for option in options:
        command += ["--set", option]
    result = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
    ours = [float.fromhex(number) for number in line.split()]
    theirs = [result["intercept"], *result["coefficients"]]
    if ours != theirs:
        sys.exit(f"{case}:\n{ours}\nbut by the command\n{theirs}")

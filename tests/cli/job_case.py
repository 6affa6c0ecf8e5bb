"""A job that is killed, what its ledger has paid, and what its file holds."""

import json
import os
import random
import shutil
import signal
import subprocess
import time
from pathlib import Path

from cli_case import PROGRAM, CliCase, budget

SMALL = budget("0.05", "1e-6")


class JobCase(CliCase):
    def setUp(self):
        super().setUp()
        self.ledger = self.path("budget")
        self.model = self.path("model.json")
        self.init()

    def init(self, epsilon="2", selection="0.2"):
        self.succeed("ledger", "init", self.ledger, *budget(epsilon, "1e-4"), "--set",
                     f"selection_epsilon={selection}", "--set", "discrepancy_share=0.2")

    def job(self, name="weekly"):
        return ("--ledger", self.ledger, "--job", name)

    def job_file(self, name="weekly"):
        return Path(self.ledger + ".job-" + name + ".json")

    def state(self, name="weekly"):
        file = self.job_file(name)
        return json.loads(file.read_text())["state"] if file.exists() else None

    def entries(self):
        shown = json.loads(self.succeed("ledger", "show", self.ledger, "--json"))
        return shown["entries"]

    def released(self, *arguments):
        """What a person gets of it: the coefficients."""
        return json.loads(self.succeed(*arguments))["coefficients"]

    def finished_elsewhere(self, command, name):
        """What a copy of ledger and job comes to."""
        copy = self.directory / "copy"
        copy.mkdir()
        for file in (Path(self.ledger), self.job_file(name)):
            shutil.copy(file, copy / file.name)
        words = [str(copy / "budget") if word == self.ledger else word for word in command]
        values = self.released(*words)
        shutil.rmtree(copy)
        return values

    def kill_at_random(self, kills, seed):
        """Kills jobs at random moments; each is called again until it has ended. Returns in how
        many of the kills a job had paid and had no result yet."""
        generator = random.Random(seed)
        rounds = between = done = 0
        command = ("fit", *self.files, *SMALL, "--json", "--output", self.model)
        begun = time.monotonic()
        self.released(*command)
        longest = 1.2 * (time.monotonic() - begun)
        while done < kills:
            name = f"number{rounds}"
            rounds += 1
            call = (*command, *self.job(name))
            promised, ended = None, False
            while not ended and done < kills:
                process = subprocess.Popen([PROGRAM, *call], stdout=subprocess.DEVNULL,
                                           stderr=subprocess.DEVNULL)
                time.sleep(generator.uniform(0, longest))
                process.send_signal(signal.SIGKILL)
                ended = process.wait() == 0
                done += not ended
                paid = [entry for entry in self.entries()
                        if entry["options"].startswith(f"job={name}/")]
                self.assertLessEqual(len(paid), 1)
                if self.state(name) == "done":
                    self.assertEqual(len(paid), 1)
                elif paid:
                    between += 1
                    values = self.finished_elsewhere(call, name)
                    self.assertEqual(promised or values, values)
                    promised = values
            values = self.released(*call)
            self.assertEqual(promised or values, values)
            self.assertEqual(self.released(*call), values)
            with open(self.model, encoding="utf-8") as model:
                self.assertEqual(json.load(model)["coefficients"], [values])
            self.assertEqual(len([entry for entry in self.entries()
                                  if entry["options"].startswith(f"job={name}/")]), 1)
            if len(self.entries()) > 20:  # room in the budget for the next ones
                os.unlink(self.ledger)
                self.init()
        return between

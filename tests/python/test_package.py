import gc
import os
import re
import subprocess
import sys
import unittest
import zipfile

from python_case import PACKAGE, ROOT, PythonCase

import numpy as np

import dpadapt
from dpadapt import AdaptedRegressor, _options, _problem, errors
from dpadapt._call import Handle, call
from dpadapt._library import LIBRARY, SIGNATURES
from dpadapt._problem import Sample
from dpadapt._running import _Bar, solve


class Package(PythonCase):
    def test_every_exported_function_is_bound_or_listed_with_a_reason(self):
        exported = set((ROOT / "cmake/abi/dpadapt.symbols").read_text().split())
        bound = {line.split()[0] for line in SIGNATURES.split("\n") if line}
        sources = "".join(path.read_text() for path in (PACKAGE / "dpadapt").glob("*.py")
                          if path.name != "_library.py")
        lines = (PACKAGE / "unbound.txt").read_text().splitlines()
        rows = [line.split(maxsplit=1) for line in lines if not line.startswith("#")]
        self.assertTrue(all(len(row) == 2 for row in rows))
        unbound = {row[0] for row in rows}
        self.assertEqual(exported - bound - unbound, set())
        self.assertEqual(bound & unbound, set())
        self.assertEqual(unbound - exported, set())
        self.assertEqual({name for name in bound if not name.endswith("_destroy")
                          and name not in sources}, set())

    def test_the_version_is_the_headers(self):
        header = (ROOT / "include/dpadapt/version.h").read_text()
        numbers = re.findall(r"#define DPA_VERSION_M?[A-Z]+ (\d+)", header)
        self.assertEqual(dpadapt.__version__, ".".join(numbers))
        self.assertEqual(dpadapt.build_info()["version"], dpadapt.__version__)

    def test_destroy_accepts_nothing_and_twice(self):
        for line in SIGNATURES.split("\n"):
            if "_destroy" in line:
                getattr(LIBRARY, line.split()[0])(None)
        handle = Handle("options", "dpa_options_create")
        LIBRARY.dpa_options_destroy(handle)
        del handle
        with self.assertRaises(errors.FormatError):
            Handle("solution", "dpa_solution_deserialize", b"damage", 6)
        Handle.__new__(Handle).__del__()
        gc.collect()

    def test_each_class_of_error_has_its_status(self):
        header = (ROOT / "include/dpadapt/status.h").read_text()
        codes = set(re.findall(r"#define (DPA_E_\w+)", header))
        self.assertLessEqual(set(errors.CLASSES), codes)
        for status in codes:
            error = errors.make(status, "words")
            self.assertIsInstance(error, ValueError)
            self.assertEqual((error.status, str(error)), (status, "words"))
            if status in errors.CLASSES and not status.startswith("DPA_E_OPTION_"):
                self.assertEqual(errors.CLASSES[status]("words").status, status)

    def test_failures_have_their_classes(self):
        options = dpadapt.options
        x = np.arange(20.0).reshape(10, 2)
        fit = AdaptedRegressor(private_domain="none").fit(x, x[:, 0])
        missing = self.folder / "none"
        for kind, careless in (
                (errors.OptionError, lambda: dpadapt.plan(10, 10, 1, epsilon=-1)),
                (errors.OptionError, lambda: dpadapt.plan(10, 10, 1, epsilon="words")),
                (errors.OptionError, lambda: dpadapt.plan(10, 10, 1, epsilon=1j)),
                (errors.FormatError, lambda: dpadapt.Model.from_bytes(b"{}")),
                (errors.StoreError, lambda: dpadapt.Ledger(missing)),
                (errors.UnsupportedError, lambda: fit.solution_.apply("probabilities", x)),
                (errors.LabelError, lambda: dpadapt.AdaptedClassifier(private_domain="none")
                 .fit(x, np.zeros(10))),
                (errors.Error, lambda: fit.solution_.apply("labels", np.zeros((1, 7)))),
                (TypeError, lambda: dpadapt.AdaptedClassifier(loss="softmax", classes=3)),
                (TypeError, lambda: dpadapt.plan(10, 10, 1, epslion=1))):
            with self.assertRaises(kind):
                careless()
        self.assertEqual(options()["alpha"].tier, "basic")
        ledger, problem = dpadapt.Ledger(epsilon=1, delta=1e-5), Handle("problem",
                                                                        "dpa_problem_create")
        call("dpa_problem_use_ledger", problem, ledger.handle)
        with self.assertRaises(errors.StateError):
            call("dpa_problem_use_ledger", problem, ledger.handle)

    def test_arrays_are_lent_and_live_as_long_as_the_problem(self):
        x, y = np.arange(40.0).reshape(20, 2) % 7, np.arange(20.0)
        sample = Sample(x.copy(), y)
        problem = _problem.make(sample, sample)
        sample.x[:] = x[::-1]
        del sample
        gc.collect()
        made = _options.make({"private_domain": "none"})
        lent = dpadapt.Model(solve(problem, made, "target_only"))
        fit = AdaptedRegressor(private_domain="none").fit(x[::-1], y)
        self.assertTrue((lent.predict(x) == fit.predict(x)).all())

    def test_the_accountant_agrees_with_itself(self):
        mu = dpadapt.accountant.mu(1.0, 1e-5)
        self.assertAlmostEqual(dpadapt.accountant.delta(1.0, mu), 1e-5, places=7)
        self.assertAlmostEqual(dpadapt.accountant.epsilon(1e-5, mu), 1.0, places=4)
        self.assertGreater(dpadapt.accountant.sampled_mu(2.0, 0.01, 100), 0)

    def test_progress_is_shown_and_breaks_nothing(self):
        bar = _Bar()
        self.assertEqual(bar.tell(None, None), 0)
        AdaptedRegressor(private_domain="none", verbose=True).fit(np.eye(5), np.arange(5.0))

    def test_a_wheel_installs_without_network_and_fits(self):
        script = PACKAGE / "build_wheel.py"
        library = LIBRARY._name
        for folder in ("first", "second"):
            subprocess.run([sys.executable, script, library, self.folder / folder], check=True,
                           stdout=subprocess.DEVNULL)
        first, = (self.folder / "first").glob("*.whl")
        self.assertEqual(first.read_bytes(),
                         (self.folder / "second" / first.name).read_bytes())
        self.assertRegex(first.name, r"^dpadapt-[\d.]+-py3-none-\w+\.whl$")
        sys_path = f"import sys; sys.path.insert(0, {str(self.folder / 'site')!r}); "
        zipfile.ZipFile(first).extractall(self.folder / "site")
        code = sys_path + ("import dpadapt, numpy as np; print(dpadapt.AdaptedRegressor("
                           "private_domain='none').fit(np.eye(4), np.arange(4.)).n_features_in_)")
        bare = {name: value for name, value in os.environ.items() if name != "DPADAPT_LIBRARY"}
        shown = subprocess.run([sys.executable, "-c", code], check=True, env=bare,
                               cwd=self.folder, stdout=subprocess.PIPE, text=True).stdout
        self.assertEqual(shown, "4\n")

    def test_a_wheel_has_what_lies_beside_the_library(self):
        names = ("dpadapt.dll", "libscipy_openblas.dll", "libgfortran-040039e1.so.5.0.0",
                 "libgcc_s.1.1.dylib", "other.dll", "licences/OpenBLAS.txt")
        (self.folder / "licences").mkdir()
        for name in names:
            (self.folder / name).write_text(name)
        subprocess.run([sys.executable, PACKAGE / "build_wheel.py", self.folder / names[0],
                        self.folder, "--platform", "win_amd64"], check=True,
                       stdout=subprocess.DEVNULL)
        wheel, = self.folder.glob("dpadapt-*-py3-none-win_amd64.whl")
        found = zipfile.ZipFile(wheel).namelist()
        self.assertEqual({name for name in found if not name.endswith((".py", "/LICENSE"))},
                         {*(f"dpadapt/{name}" for name in names[:4]),
                          *(f"{wheel.name.split('-py3')[0]}.dist-info/{name}" for name in
                            ("METADATA", "RECORD", "WHEEL", "licenses/OpenBLAS.txt"))})


if __name__ == "__main__":
    unittest.main()

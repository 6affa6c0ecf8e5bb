"""The epsilon of a row that is drawn several times, as the page of results has it, against the library's accountant."""

import ctypes
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "reference"))

from prerequisites import require

require("numpy")

import copies


def of_library(function, *arguments):
    library = ctypes.CDLL(os.environ["DPADAPT_LIBRARY"])
    value = ctypes.c_double()
    status = getattr(library, function)(*arguments, ctypes.byref(value))
    return None if status else value.value


def main():
    number = ctypes.c_double
    for epsilon in copies.EPSILONS:
        mu = of_library("dpa_privacy_mu", number(epsilon), number(copies.DELTA), number(0))
        for count in (1, 3, 28):
            expected = of_library("dpa_privacy_epsilon", number(copies.DELTA), number(0), number(mu), number(0),
                                  ctypes.c_int64(count))
            found = copies.epsilon_of_row(epsilon, count)
            # The library knows none beyond 600.
            close = found > 600 if expected is None else abs(found - expected) < 1e-4 * expected
            assert close, (epsilon, count, found, expected)
    with open(os.path.join(HERE, "..", "..", "docs", "results", "README.md")) as file:
        assert copies.table() in file.read(), "the page of results has another table"
    return 0


if __name__ == "__main__":
    sys.exit(main())

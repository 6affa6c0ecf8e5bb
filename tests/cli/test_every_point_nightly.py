"""The same at every point."""

import unittest

from test_every_point import EveryPoint

EveryPoint.most = 1 << 30

if __name__ == "__main__":
    unittest.main()

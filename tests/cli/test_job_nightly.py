"""300 kills of jobs at random moments."""

import unittest

from job_case import JobCase


class ManyKills(JobCase):
    def test_no_kill_pays_twice_or_loses_a_result(self):
        self.assertGreater(self.kill_at_random(300, 2), 0)


if __name__ == "__main__":
    unittest.main()

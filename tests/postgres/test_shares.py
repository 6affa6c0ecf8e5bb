"""What roles may spend of a ledger: their share, whoever races, and nothing without one."""

import json
import unittest

from cluster import Failed, Session
from custodian import NAMES, ROWS, fit, server

SESSIONS, FITS = 8, 125  # of two roles
SHARES = {"analyst": ("0.3", "1e-7"), "other": ("0.2", "1e-7")}
TINY = "epsilon=0.05 delta=1e-9 iterations=1 alpha=0.5"
UNIT = "mu_square_units_of_2^-80"


class Shares(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = server(cls.addClassCleanup)
        cls.cluster.sql("""CREATE ROLE other LOGIN; GRANT USAGE ON SCHEMA dpadapt TO other;
            GRANT EXECUTE ON FUNCTION dpadapt.fit, dpadapt.plan, dpadapt.evaluate TO other;
            CREATE TABLE few AS SELECT * FROM source LIMIT 100;
            GRANT SELECT ON source, few TO other, analyst;""")

    def setUp(self):
        self.table = next(NAMES).replace(" ", "_")
        self.sql(f"CREATE TABLE {self.table} AS {ROWS} LIMIT 100;"
                 f"SELECT dpadapt.protect('{self.table}', 1, 1e-6);")

    def sql(self, script, role="custodian"):
        return self.cluster.sql(script, role)

    def say(self, script, role="custodian"):
        """With notices."""
        session = Session(self.cluster, role)
        self.addCleanup(session.close)
        return session.run(script)

    def refuse(self, text, script, role="custodian"):
        with self.assertRaisesRegex(Failed, text):
            self.sql(script, role)

    def allow(self, role="analyst", share=None):
        epsilon, delta = share or SHARES[role]
        return f"SELECT dpadapt.allow('{self.table}', '{role}', {epsilon}, {delta});"

    def budget(self):
        return json.loads(self.sql(f"SELECT dpadapt.budget('{self.table}');"))

    def fit(self, options=TINY):
        return fit(self.table, options, source="few")

    def test_racing_roles_spend_their_own_shares(self):
        self.sql("".join(map(self.allow, SHARES)))
        sessions = [Session(self.cluster, ("analyst", "other")[k % 2]) for k in range(SESSIONS)]
        for session in sessions:
            session.begin("".join(self.fit() + "\n" for _ in range(FITS)))
        said = ["", ""]
        for k, session in enumerate(sessions):
            said[k % 2] += session.end() + "\n"
            session.close()
        budget = self.budget()
        shares = {share["role"]: share for share in budget["shares"]}
        price = int(budget["spent"][UNIT]) // len(budget["entries"])
        total = 0
        for out, role in zip(said, SHARES):
            share = shares[role]
            done = out.splitlines().count("t")
            self.assertEqual(out.count("ERROR:"), SESSIONS // 2 * FITS - done)
            others = [line for line in out.splitlines()
                      if "ERROR:" in line and "the privacy budget" not in line]
            self.assertEqual(others, [])
            self.assertEqual(int(share["spent"][UNIT]), done * price)
            self.assertLess(int(share["left"][UNIT]), price)
            self.assertGreaterEqual(int(share["left"][UNIT]), 0)
            total += done
            print(role, done, "fits of", SESSIONS // 2 * FITS)
        self.assertEqual(len(budget["entries"]), total)
        self.assertGreater(total, 20)

    def test_a_role_without_a_share_is_refused_before_anything_is_read(self):
        self.sql("CREATE VIEW bad AS SELECT 1 / (a - a) AS a, b, y FROM source;"
                 "GRANT SELECT ON bad TO other;", "postgres")
        arguments = f"'bad', '{self.table}', 'y', '{{a,b}}', '{TINY}'"
        for script in (f"SELECT dpadapt.fit('m', {arguments});",
                       f"SELECT dpadapt.plan({arguments});"):
            self.refuse('role "other" has no share of ledger', script, "other")
        self.sql(self.fit(), "postgres")  # may do everything, as the owner may
        self.assertEqual(len(self.budget()["entries"]), 1)

    def test_shares_of_others_stay_within_the_ledger(self):
        self.sql(self.allow(share=("0.9", "9e-7")))
        self.refuse("too little left", self.allow("other", ("0.9", "9e-7")))
        self.sql(self.allow("other", ("0.2", "1e-7")))
        self.refuse("too little left", self.allow("other", ("1", "1e-6")))

    def test_a_share_can_be_changed_and_taken_away(self):
        self.sql(self.allow())
        most = "epsilon=0.25 delta=1e-8"
        self.sql(self.fit(most), "analyst")
        self.refuse("budget", self.fit(most), "analyst")
        self.assertIn('the former share of role "analyst" in ledger', self.say(self.allow()))
        self.sql(self.fit(most), "analyst")
        take = f"SELECT dpadapt.disallow('{self.table}', 'analyst');"
        self.assertIn("What it has spent stays spent", self.say(take))
        self.refuse("has no share", self.fit(most), "analyst")
        self.refuse("has no share", take)
        budget = self.budget()
        self.assertEqual((len(budget["entries"]), budget["shares"]), (2, []))

    def test_a_share_belongs_to_the_role_and_not_to_its_name(self):
        rights = """CREATE ROLE {0} LOGIN; GRANT USAGE ON SCHEMA dpadapt TO {0};
            GRANT EXECUTE ON FUNCTION dpadapt.fit TO {0}; GRANT SELECT ON few TO {0};"""
        self.cluster.sql(rights.format("guest"))
        self.sql(self.allow("guest", ("0.3", "1e-7")))
        self.cluster.sql("ALTER ROLE guest RENAME TO member;" + rights.format("guest"))
        self.refuse('role "guest" has no share', self.fit(), "guest")
        self.sql(self.fit(), "member")
        self.assertEqual([share["role"] for share in self.budget()["shares"]], ["member"])
        self.refuse("has no share", f"SELECT dpadapt.disallow('{self.table}', 'guest');")
        self.cluster.sql("DROP OWNED BY member; DROP ROLE member;" + rights.format("member"))
        self.refuse('role "member" has no share', self.fit(), "member")
        self.assertEqual(self.budget()["shares"], [])
        self.sql(self.allow("guest", ("0.3", "1e-7")))  # what the role has left is free again
        self.assertEqual([share["role"] for share in self.budget()["shares"]], ["guest"])
        self.cluster.sql("UPDATE dpadapt.ledger_shares SET server = server + 1;")  # of a dump
        self.sql(self.fit(), "guest")
        self.cluster.sql("ALTER ROLE guest RENAME TO somebody;")
        self.refuse('role "somebody" has no share', self.fit(), "somebody")

    def test_a_share_that_is_rolled_back_stands_and_what_is_spent_of_it_too(self):
        self.sql(f"BEGIN; {self.allow()} ROLLBACK;")
        self.sql(f"BEGIN; {self.fit()} ROLLBACK;", "analyst")
        budget = self.budget()
        self.assertEqual(len(budget["entries"]), 1)
        self.assertEqual(budget["shares"][0]["spent"], budget["spent"])

    def test_only_owners_give_shares(self):
        self.cluster.sql("GRANT EXECUTE ON FUNCTION dpadapt.allow, dpadapt.disallow TO other;")
        self.refuse("must be owner of table", self.allow("other"), "other")
        self.sql(self.allow("other"))
        self.refuse("must be owner of table",
                    f"SELECT dpadapt.disallow('{self.table}', 'other');", "other")
        self.refuse("permission denied", "SELECT * FROM dpadapt.ledger_shares;", "other")


if __name__ == "__main__":
    unittest.main()

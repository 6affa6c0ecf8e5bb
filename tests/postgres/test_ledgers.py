"""What is spent of a ledger is spent whatever becomes of tables, databases and servers."""

import json
import re
import shutil
import signal
import time
import unittest

from cluster import ROLES, Cluster, Failed, Session
from custodian import ROWS, fit, server

MOST = "epsilon=0.9 delta=1e-7"  # a second one is too much
SWAP = """
    CREATE TABLE fresh AS SELECT * FROM patients;
    ALTER TABLE patients RENAME TO old;
    ALTER TABLE fresh RENAME TO patients;
    DROP TABLE old;"""

ANEW = "DROP EXTENSION dpadapt;" + re.sub("CREATE ROLE.*", "", ROLES)


class Ledgers(unittest.TestCase):
    def setUp(self):
        self.cluster = server(self.addCleanup)
        self.database = "postgres"

    def sql(self, script, role="custodian"):
        return self.cluster.sql(f"\\c {self.database}\n{script}", role)

    def budget(self, relation="patients"):
        return json.loads(self.sql(f"SELECT dpadapt.budget('{relation}');"))

    def spent(self, relation="patients"):
        budget = self.budget(relation)
        return budget["id"], len(budget["entries"]), budget["head"]

    def spend(self, relation="patients", options=MOST):
        self.sql(fit(relation, options), "postgres")
        return self.spent(relation)

    def refuse(self, text, script, role="custodian"):
        with self.assertRaisesRegex(Failed, text):
            self.sql(script, role)

    def protect(self, relation="patients", more=""):
        """What it says."""
        session = Session(self.cluster, "custodian")
        said = session.run(f"\\c {self.database}\nSELECT dpadapt.protect('{relation}', 1, 1e-6"
                           f"{more});")
        session.close()
        self.assertNotIn("ERROR", said)
        return said

    def is_spent(self, spent, relation="patients"):
        """And the next fit is refused."""
        self.assertEqual(self.spent(relation), spent)
        self.refuse("budget", fit(relation, MOST), "postgres")

    def make(self, relation="patients", more=""):
        """A spent table of the custodian's."""
        self.sql(f"CREATE TABLE {relation} AS {ROWS};")
        self.protect(relation, more)
        return self.spend(relation)

    def in_another_database(self, name, script):
        self.cluster.sql(f"CREATE DATABASE {name};")
        self.database = name
        self.sql(script, "postgres")

    def test_a_swapped_table_goes_on_with_its_ledger(self):
        for table, more in (("patients", ""), ("others", ", ledger => 'hospital'")):
            with self.subTest(table):
                spent = self.make(table, more)
                self.sql(SWAP.replace("patients", table))
                self.refuse("not protected", fit(table, MOST), "postgres")
                protect = f"SELECT dpadapt.protect('{table}', {{}});"
                self.refuse("another budget", protect.format("2, 1e-6"))
                self.refuse("another lock", protect.format("1, 1e-6, locked => false"))
                self.assertIn("is counted in ledger", self.protect(table))
                self.is_spent(spent, table)

    def test_a_rolled_back_fit_is_in_a_dump(self):
        self.make()
        self.cluster.sql(f"BEGIN; {fit('patients', 'epsilon=0.01 delta=1e-8')} ROLLBACK;")
        spent = self.spent()
        self.assertEqual(spent[1], 2)
        self.assertEqual(self.budget()["unit"], "record")
        self.cluster.kill()
        shutil.rmtree(self.cluster.data / "dpadapt")
        self.cluster.start()
        self.is_spent(spent)
        self.assertEqual(self.cluster.dump().count("COPY dpadapt.ledger_entries"), 1)

    def test_a_replica_goes_on_with_the_ledgers(self):
        self.make()
        cluster, replica = self.cluster, self.cluster.root / "replica"
        cluster.run("pg_basebackup", "-h", cluster.root, "-U", "postgres", "-D", replica, "-R",
                    "-X", "stream", "-c", "fast")
        shutil.rmtree(replica / "dpadapt")
        standby = cluster.launch(replica, replica)
        self.addCleanup(standby.kill)
        self.cluster.sql(f"BEGIN; {fit('patients', 'epsilon=0.01 delta=1e-8')} ROLLBACK;")
        spent = self.spent()
        self.assertEqual(spent[1], 2)
        while cluster.sql("SELECT replay_lsn >= pg_current_wal_flush_lsn() "
                          "FROM pg_stat_replication;") != "t":
            time.sleep(0.1)
        cluster.kill()
        standby.send_signal(signal.SIGINT)
        standby.wait(timeout=30)
        (replica / "standby.signal").unlink()
        cluster.data = replica
        cluster.start()
        self.is_spent(spent)

    def test_a_dump_carries_ledgers_to_another_database_and_another_server(self):
        spent = self.make(more=", ledger => 'hospital'")
        dump = self.cluster.dump()
        self.in_another_database("restored", dump)
        self.is_spent(spent)
        self.sql(ANEW, "postgres")
        self.is_spent(spent)
        other = Cluster()
        self.addCleanup(other.stop)
        other.sql("".join(re.findall("CREATE ROLE.*", ROLES)))
        other.sql(dump)
        self.cluster, self.database = other, "postgres"
        self.is_spent(spent)
        self.sql(SWAP)
        self.protect()
        self.is_spent(spent)

    def test_databases_of_one_server_share_the_ledger(self):
        self.make()
        self.in_another_database("restored", self.cluster.dump())
        spent = self.spend(options="epsilon=0.1 delta=1e-8")
        self.database = "postgres"
        self.is_spent(spent)

    def test_a_copy_of_a_database_shares_the_ledger(self):
        spent = self.make()
        self.cluster.sql("\\c template1\nCREATE DATABASE copy TEMPLATE postgres;")
        self.database = "copy"
        self.is_spent(spent)
        spent = self.spend(options="epsilon=0.1 delta=1e-8")
        self.database = "postgres"
        self.is_spent(spent)

    def test_an_upgraded_server_goes_on_with_its_ledgers(self):
        spent = self.make()
        cluster = self.cluster
        cluster.end()
        old, cluster.data = cluster.data, cluster.root / "new"
        cluster.make(cluster.data)
        cluster.run("pg_upgrade", "-b", cluster.programs, "-B", cluster.programs, "-d", old, "-D",
                    cluster.data, "-s", cluster.root, "-U", "postgres")
        shutil.rmtree(old)
        cluster.start()
        self.is_spent(spent)
        self.cluster.sql(ANEW)
        self.is_spent(spent)

    def test_an_extension_that_is_made_anew_has_its_ledgers(self):
        spent = self.make(more=", ledger => 'hospital'")
        self.sql("ALTER TABLE patients RENAME TO old;")
        self.cluster.sql(ANEW)
        self.is_spent(spent, "old")
        self.sql(f"CREATE TABLE patients AS {ROWS};")
        self.assertIn('ledger "hospital"', self.protect())
        self.is_spent(spent)

    def test_an_old_file_catches_up_and_another_history_is_refused(self):
        self.make()
        files = list((self.cluster.data / "dpadapt").glob("*.ledger"))
        self.assertEqual(len(files), 1)
        early = files[0].read_bytes()
        spent = self.spend(options="epsilon=0.1 delta=1e-8")
        late = files[0].read_bytes()
        files[0].write_bytes(early)  # as a backup of files has it
        self.is_spent(spent)
        self.assertEqual(files[0].read_bytes(), late)
        files[0].write_bytes(early)
        kept = "dpadapt.ledger_entries WHERE sequence = 2"
        self.cluster.sql(f"CREATE TABLE kept AS SELECT * FROM {kept}; DELETE FROM {kept};")
        self.spend(options="epsilon=0.11 delta=1e-8")  # the same would be the same in a second
        other = files[0].read_bytes()
        for blocks in (other, early, late):
            files[0].write_bytes(blocks)
            self.cluster.sql(f"DELETE FROM {kept};")
            self.cluster.sql("INSERT INTO dpadapt.ledger_entries SELECT * FROM kept;")
            if blocks == other:
                self.refuse("two histories", fit("patients", MOST), "postgres")
            else:
                self.is_spent(spent)

    def test_relations_that_share_rows_share_the_ledger(self):
        self.sql(f"""CREATE TABLE whole (a float8, b float8, y float8) PARTITION BY RANGE (a);
            CREATE TABLE low PARTITION OF whole FOR VALUES FROM (MINVALUE) TO (0);
            CREATE TABLE high PARTITION OF whole FOR VALUES FROM (0) TO (MAXVALUE);
            INSERT INTO whole {ROWS};
            CREATE TABLE parent (a float8, b float8, y float8);
            CREATE TABLE child () INHERITS (parent);
            INSERT INTO child {ROWS};
            CREATE MATERIALIZED VIEW chosen AS SELECT * FROM whole WHERE y > 1;
            CREATE VIEW between AS SELECT a, b, y FROM low;
            CREATE MATERIALIZED VIEW behind AS SELECT * FROM between;""")
        self.protect("low")
        spent = self.spend("low")
        for relation in ("whole", "high", "chosen", "behind"):
            with self.subTest(relation):
                self.refuse("another budget", f"SELECT dpadapt.protect('{relation}', 2, 1e-6);")
                self.refuse('belongs to ledger "public.low"',
                            f"SELECT dpadapt.protect('{relation}', 1, 1e-6, ledger => 'new');")
                self.assertIn('is counted in ledger "public.low"', self.protect(relation))
                self.is_spent(spent, relation)
        self.protect("child")
        spent = self.spend("child")
        self.protect("parent")
        self.is_spent(spent, "parent")

    def test_relations_of_two_ledgers_cannot_share_rows(self):
        self.sql(f"CREATE TABLE one AS {ROWS}; CREATE TABLE two AS {ROWS};")
        self.protect("one")
        self.assertRegex(self.protect("two"), r'new ledger beside others: "public.one"')
        self.sql("CREATE MATERIALIZED VIEW both_of AS SELECT * FROM one UNION SELECT * FROM two;")
        self.refuse('belongs to two ledgers: "public.(one|two)", "public.(one|two)"',
                    "SELECT dpadapt.protect('both_of', 1, 1e-6);")
        self.sql("ALTER TABLE two INHERIT one;")
        for relation in ("one", "two"):
            self.refuse("shares rows with relations of another ledger", fit(relation, MOST),
                        "postgres")
        self.sql("ALTER TABLE two NO INHERIT one;")
        self.spend("two")

    def test_what_shares_rows_with_a_protected_relation_is_no_source(self):
        self.sql(f"""CREATE TABLE whole (a float8, b float8, y float8) PARTITION BY RANGE (a);
            CREATE TABLE low PARTITION OF whole FOR VALUES FROM (MINVALUE) TO (0);
            CREATE TABLE high PARTITION OF whole FOR VALUES FROM (0) TO (MAXVALUE);
            INSERT INTO whole {ROWS};
            CREATE TABLE base AS {ROWS};
            CREATE TABLE open_rows AS {ROWS};
            CREATE TABLE codes AS SELECT 1 AS code;
            CREATE VIEW shown AS SELECT * FROM low;
            CREATE VIEW of_base AS SELECT * FROM base;
            CREATE VIEW other AS SELECT s.a, s.b, s.y FROM open_rows AS s, codes;
            CREATE MATERIALIZED VIEW copied AS SELECT a, b, y FROM base, codes;""")
        self.protect("low")
        self.protect("copied")
        for source in ("whole", "high", "shown"):
            for target in ("low", "copied"):
                self.refuse(f'"{source}" shares rows with "low", which is protected',
                            fit(target, MOST, source=source), "postgres")
        for source in ("base", "of_base"):
            self.refuse("shares rows with", fit("copied", MOST, source=source), "postgres")
        self.assertEqual([self.spent(name)[1] for name in ("low", "copied")], [0, 0])
        self.sql(fit("copied", MOST, source="other"), "postgres")

    def test_a_ledger_is_joined_by_those_who_own_its_relations(self):
        self.make(more=", ledger => 'hospital'")
        self.cluster.sql(f"""CREATE ROLE neighbour LOGIN;
            GRANT USAGE ON SCHEMA dpadapt TO neighbour;
            GRANT EXECUTE ON FUNCTION dpadapt.protect TO neighbour;
            GRANT CREATE ON SCHEMA public TO neighbour; GRANT SELECT ON patients TO neighbour;""")
        self.sql(f"CREATE TABLE theirs AS {ROWS}; CREATE MATERIALIZED VIEW seen AS SELECT * FROM "
                 "patients;", "neighbour")
        for relation, more in (("theirs", ", ledger => 'hospital'"), ("seen", "")):
            self.refuse("must be owner of table patients",
                        f"SELECT dpadapt.protect('{relation}', 1, 1e-6{more});", "neighbour")

    def test_names_of_ledgers_are_checked(self):
        self.sql(f"CREATE TABLE patients AS {ROWS};")
        for name in ("E'two\\nlines'", "repeat('x', 201)"):
            self.refuse("the name of a ledger has",
                        f"SELECT dpadapt.protect('patients', 1, 1e-6, ledger => {name});")
        self.refuse("about records, not persons",
                    "SELECT dpadapt.protect('patients', 1, 1e-6, 'unit=person');")
        for table in ("ledger_entries", "ledger_names", "ledger_relations"):
            self.refuse("permission denied", f"SELECT * FROM dpadapt.{table};")
        self.refuse("read-only transaction",
                    "SET default_transaction_read_only = on; "
                    "SELECT dpadapt.protect('patients', 1, 1e-6);")


if __name__ == "__main__":
    unittest.main()

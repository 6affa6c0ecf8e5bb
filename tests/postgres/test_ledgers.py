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
        self.make(more=", ledger => 'hospital'")
        self.sql("SELECT dpadapt.allow('patients', 'analyst', 0.01, 1e-9);"
                 "ALTER TABLE patients ADD id serial PRIMARY KEY; CREATE MATERIALIZED VIEW by_key "
                 "AS SELECT id, a, b, y FROM patients GROUP BY id;")  # after the data in a dump
        spent = self.spend(options="epsilon=0.01 delta=1e-9")
        dump = self.cluster.dump()
        self.in_another_database("restored", dump)
        self.is_spent(spent)
        self.assertEqual([share["role"] for share in self.budget()["shares"]], ["analyst"])
        self.sql(ANEW, "postgres")
        self.is_spent(spent)
        other = Cluster()
        self.addCleanup(other.stop)
        other.sql("CREATE ROLE first;" + "".join(re.findall("CREATE ROLE.*", ROLES)))
        other.sql(dump)
        self.cluster, self.database = other, "postgres"
        self.is_spent(spent)
        self.assertEqual(self.budget()["shares"], [])
        self.refuse("has no share", "GRANT SELECT ON source TO analyst; SET ROLE analyst;"
                    + fit("patients", "epsilon=0.001 delta=1e-10"), "postgres")
        self.sql("DROP MATERIALIZED VIEW by_key;" + SWAP)
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
        self.sql("SELECT dpadapt.allow('patients', 'analyst', 0.01, 1e-9);")
        cluster = self.cluster
        cluster.end()
        old, cluster.data = cluster.data, cluster.root / "new"
        cluster.make(cluster.data)
        cluster.run("pg_upgrade", "-b", cluster.programs, "-B", cluster.programs, "-d", old, "-D",
                    cluster.data, "-s", cluster.root, "-U", "postgres")
        shutil.rmtree(old)
        cluster.start()
        self.is_spent(spent)
        self.assertEqual([share["role"] for share in self.budget()["shares"]], ["analyst"])
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

    def joins(self, spent, *relations):
        """Each of them is counted in the spent ledger, whatever it is now."""
        for relation in relations:
            with self.subTest(relation):
                self.assertIn("is counted in ledger", self.protect(relation))
                self.is_spent(spent, relation)

    def test_what_was_counted_stays_counted_when_it_is_detached(self):
        self.sql(f"""CREATE TABLE whole (a float8, b float8, y float8) PARTITION BY RANGE (a);
            CREATE TABLE low PARTITION OF whole FOR VALUES FROM (MINVALUE) TO (0);
            CREATE TABLE high PARTITION OF whole FOR VALUES FROM (0) TO (2);
            INSERT INTO whole {ROWS};
            CREATE TABLE parent (a float8, b float8, y float8);
            CREATE TABLE child () INHERITS (parent);
            INSERT INTO child {ROWS};
            CREATE TABLE base AS {ROWS}; CREATE TABLE codes AS SELECT 1 AS code;
            CREATE VIEW between AS SELECT a, b, y FROM base, codes;
            CREATE MATERIALIZED VIEW shown AS SELECT * FROM between;
            CREATE VIEW moving AS SELECT a, b, y FROM low;
            CREATE MATERIALIZED VIEW stale AS SELECT * FROM moving;
            CREATE TABLE apart AS {ROWS};""")
        for relation in ("whole", "parent", "shown", "apart"):
            self.protect(relation)
        self.sql("CREATE TABLE late PARTITION OF whole FOR VALUES FROM (2) TO (MAXVALUE);"
                 f"INSERT INTO whole {ROWS.replace('sin(i) AS a', '4 + sin(i) AS a')};")
        spent = {relation: self.spend(relation) for relation in ("whole", "parent", "shown")}
        self.sql("""ALTER TABLE whole DETACH PARTITION low; ALTER TABLE whole DETACH PARTITION high;
            ALTER TABLE whole DETACH PARTITION late; ALTER TABLE child NO INHERIT parent;
            DROP MATERIALIZED VIEW shown; DROP VIEW between;
            CREATE VIEW coded AS SELECT a, b, y FROM high, codes;
            CREATE VIEW of_base AS SELECT * FROM base;
            CREATE TABLE stranger AS SELECT * FROM child;
            CREATE OR REPLACE VIEW moving AS SELECT a, b, y FROM stranger;
            CREATE VIEW other AS SELECT s.a, s.b, s.y FROM stranger AS s, codes;
            CREATE TABLE room (a float8, b float8, y float8) PARTITION BY RANGE (a);
            ALTER TABLE room ATTACH PARTITION high FOR VALUES FROM (0) TO (2);""")
        for source in ("low", "high", "late", "room", "coded", "stale", "child", "base",
                       "of_base"):
            with self.subTest(source):
                self.refuse("shares rows with what ledger .* has counted",
                            fit("apart", MOST, source=source), "postgres")
        self.assertEqual(self.spent("apart")[1], 0)
        self.sql(fit("apart", MOST, source="other"), "postgres")
        self.joins(spent["whole"], "low", "high", "late", "room", "stale")
        self.joins(spent["parent"], "child")
        self.joins(spent["shown"], "base")

    def test_an_old_snapshot_shows_the_partitions_of_now(self):
        self.sql("""CREATE TABLE whole (a float8, b float8, y float8) PARTITION BY RANGE (a);
            CREATE TABLE low PARTITION OF whole FOR VALUES FROM (MINVALUE) TO (0);""")
        self.sql(f"CREATE TABLE high AS {ROWS.replace('sin(i) AS a', '1.5 + sin(i) AS a')};")
        self.protect("whole")
        session = Session(self.cluster, "postgres")
        self.addCleanup(session.close)
        session.run("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM source;")
        self.sql("ALTER TABLE whole ATTACH PARTITION high FOR VALUES FROM (0) TO (MAXVALUE);")
        self.assertEqual(session.run(fit("whole", MOST)), "t")
        session.run("COMMIT;")
        spent = self.spent("whole")
        self.assertEqual(spent[1], 1)
        self.sql("ALTER TABLE whole DETACH PARTITION high;")
        self.joins(spent, "high")

    def test_names_of_a_counted_relation_lead_to_its_ledger(self):
        self.sql("GRANT CREATE ON DATABASE postgres TO custodian;", "postgres")
        self.sql(f"CREATE SCHEMA clinic; CREATE SCHEMA live; CREATE TABLE apart AS {ROWS};")
        self.protect("apart")
        copy = "CREATE TABLE copy AS SELECT * FROM {0}; DROP TABLE {0};"
        swap = copy + "ALTER TABLE copy RENAME TO {0};"
        move = copy + "ALTER TABLE copy SET SCHEMA {1}; ALTER TABLE {1}.copy RENAME TO {2};"
        for first, rename, now, swapped in (
            ("r1", "ALTER TABLE r1 RENAME TO r2;", "r2", swap.format("r2")),
            ("clinic.stays", "ALTER SCHEMA clinic RENAME TO ward;", "ward.stays",
             move.format("ward.stays", "ward", "stays")),
            ("q", "ALTER TABLE q SET SCHEMA live;", "live.q", move.format("live.q", "live", "q")),
        ):
            with self.subTest(now):
                self.sql(f"CREATE TABLE {first} AS {ROWS};")
                self.protect(first)
                self.sql(rename)
                spent = self.spend(now)
                self.sql(swapped)
                self.refuse("has a name of it, and cannot be a public source",
                            fit("apart", MOST, source=now), "postgres")
                self.joins(spent, now)
        self.make("early")
        self.sql("ALTER TABLE early RENAME TO later;")
        self.refuse("protected already", "SELECT dpadapt.protect('later', 1, 1e-6);")
        spent = self.spent("later")
        self.sql(swap.format("later") + "SET quote_all_identifiers = on;"
                 "SELECT dpadapt.protect('later', 1, 1e-6);")
        self.is_spent(spent, "later")

    def test_a_relation_that_takes_the_name_of_another_ledger_is_not_fitted(self):
        spent = self.make()
        self.sql("CREATE TABLE patients_tmp AS SELECT * FROM patients;")
        self.assertIn("new ledger beside others", self.protect("patients_tmp"))
        self.sql("ALTER TABLE patients RENAME TO old; ALTER TABLE patients_tmp RENAME TO patients;")
        self.refuse("or has the name of one", fit("patients", MOST), "postgres")
        self.is_spent(spent, "old")

    def test_functions_that_the_catalogue_reads_hide_no_table(self):
        body = "RETURNS TABLE (a float8, b float8, y float8) LANGUAGE sql STABLE SECURITY DEFINER"
        self.sql(f"""CREATE TABLE patients AS {ROWS};
            CREATE FUNCTION parsed() {body} BEGIN ATOMIC SELECT a, b, y FROM patients; END;
            CREATE FUNCTION around() {body} BEGIN ATOMIC SELECT * FROM parsed(); END;
            CREATE FUNCTION times(float8, float8) RETURNS float8 LANGUAGE sql
                BEGIN ATOMIC SELECT $1 * $2 + min(y) - min(y) FROM patients; END;
            CREATE OPERATOR *** (FUNCTION = times, LEFTARG = float8, RIGHTARG = float8);
            CREATE FUNCTION text() {body} AS 'SELECT a, b, y FROM patients';
            CREATE VIEW of_parsed AS SELECT * FROM parsed();
            CREATE MATERIALIZED VIEW by_parsed AS SELECT * FROM around();
            CREATE VIEW of_operator AS SELECT a *** 1 AS a, b, y FROM base_rows;
            CREATE VIEW of_text AS SELECT * FROM text();
            CREATE MATERIALIZED VIEW by_text AS SELECT * FROM text();
            GRANT SELECT ON of_text TO analyst;""".replace(
                "base_rows", f"({ROWS}) AS base_rows"))
        self.protect("patients")
        for source in ("of_parsed", "of_operator"):
            self.refuse('shares rows with "patients"', fit("patients", MOST, source=source),
                        "postgres")
        spent = self.spend()
        self.joins(spent, "by_parsed")
        self.assertRegex(self.protect("by_text"),
                         r'cannot tell whose rows "by_text" has\nDETAIL:  It reads public.text\(\)')
        session = Session(self.cluster, "postgres")
        self.addCleanup(session.close)
        told = 'the catalogue cannot tell whose rows "of_text" has'
        self.assertIn(told, session.run(fit("by_text", MOST, source="of_text")))
        self.assertNotIn("NOTICE", session.run(fit("by_text", "epsilon=0.01 delta=1e-9")))

    def test_the_rows_of_a_materialized_view_are_counted_in_public(self):
        self.sql(f"CREATE TABLE base AS {ROWS};"
                 "CREATE MATERIALIZED VIEW chosen AS SELECT * FROM base WHERE y > 1;")
        self.assertNotIn("number of rows", self.protect("base"))
        self.assertIn('NOTICE:  the number of rows of "chosen" is public\nDETAIL:  A materialized '
                      "view must leave out no row by private columns.", self.protect("chosen"))

    def test_a_name_that_another_database_counts_is_told(self):
        self.make(more=", ledger => 'hospital'")
        self.cluster.sql("CREATE DATABASE second;")
        dump = self.cluster.dump(more=("-t", "patients"))
        self.database = "second"
        self.sql(ANEW.split(";", 1)[1], "postgres")
        self.sql(dump + "CREATE TABLE public.others AS SELECT * FROM public.patients;", "postgres")
        self.sql("ALTER TABLE others OWNER TO custodian;", "postgres")
        self.assertIn('NOTICE:  ledger "hospital" of database "postgres" counts a relation with '
                      "the name public.patients, too", self.protect())
        self.assertNotIn("of database", self.protect("others"))

    def test_a_database_that_is_gone_is_not_told(self):
        self.in_another_database("gone", "CREATE EXTENSION dpadapt; CREATE TABLE patients (a int);"
                                 "SELECT dpadapt.protect('patients', 1, 1e-6);")
        self.database = "postgres"
        self.cluster.sql("DROP DATABASE gone;")
        self.sql(f"CREATE TABLE patients AS {ROWS};")
        self.assertNotIn("of database", self.protect())

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

    def neighbour(self):
        """Another custodian, who may read nothing."""
        self.cluster.sql("""CREATE ROLE neighbour LOGIN;
            GRANT USAGE ON SCHEMA dpadapt TO neighbour;
            GRANT EXECUTE ON FUNCTION dpadapt.protect TO neighbour;
            CREATE SCHEMA next AUTHORIZATION neighbour; GRANT USAGE ON SCHEMA next TO custodian;""")

    def test_the_name_of_a_ledger_is_the_name_of_no_relation(self):
        self.neighbour()
        self.make("patients", ", ledger => 'hospital'")
        for table in ("source", "later", "moved"):
            self.sql(f"CREATE TABLE next.{table} AS {ROWS}; SELECT dpadapt.protect("
                     f"'next.{table}', 1, 1e-6, ledger => 'public.{table}');", "neighbour")
        for table in ("later", "moved"):
            self.sql(f"CREATE TABLE {table} AS {ROWS};")
        self.sql("SELECT dpadapt.protect('later', 1, 1e-6);"
                 "SELECT dpadapt.protect('moved', 1, 1e-6, ledger => 'hospital');")
        self.sql(fit("later", "epsilon=0.1 delta=1e-8"), "postgres")
        self.refuse("budget", fit("moved", MOST), "postgres")
        self.cluster.sql("CREATE DATABASE second;")
        self.database = "second"
        self.sql(ANEW.split(";", 1)[1] + f"CREATE TABLE source AS {ROWS};"
                 "ALTER TABLE source OWNER TO custodian;", "postgres")
        self.assertNotIn("of database", self.protect("source"))

    def test_a_view_by_a_role_that_may_not_read_a_table_has_no_row_of_it(self):
        self.neighbour()
        self.sql(f"CREATE TABLE patients AS {ROWS}; CREATE TABLE apart AS {ROWS};"
                 "SELECT dpadapt.protect('apart', 1, 1e-6);")
        self.sql(f"""CREATE TABLE next.base AS {ROWS};
            CREATE VIEW next.v AS SELECT a, b, y FROM next.base;
            CREATE VIEW next.w AS SELECT a, b, y FROM next.base;
            CREATE MATERIALIZED VIEW next.filled AS SELECT * FROM next.v;
            CREATE MATERIALIZED VIEW next.other AS SELECT * FROM next.w;
            SELECT dpadapt.protect('next.filled', 0.001, 1e-9);
            CREATE OR REPLACE VIEW next.v AS SELECT a, b, y FROM public.patients;
            CREATE FUNCTION next.f() RETURNS SETOF public.patients LANGUAGE sql
                BEGIN ATOMIC SELECT * FROM public.patients; END;
            CREATE OR REPLACE VIEW next.w AS SELECT a, b, y FROM next.f();
            CREATE MATERIALIZED VIEW next.empty AS SELECT a, b, y FROM public.patients
                WITH NO DATA;""", "neighbour")
        for view in ("empty", "other"):
            self.refuse("reads public.patients, and cannot have its rows",
                        f"SELECT dpadapt.protect('next.{view}', 0.001, 1e-9);", "neighbour")
        self.refuse("protected already", "SELECT dpadapt.protect('next.filled', 0.001, 1e-9);",
                    "neighbour")
        self.assertNotIn("is counted in ledger", self.protect())
        self.sql(fit("patients", "epsilon=0.1 delta=1e-8"), "postgres")
        self.sql("DROP MATERIALIZED VIEW next.empty, next.filled, next.other;"
                 f"CREATE TABLE next.empty AS {ROWS}; CREATE TABLE next.other AS {ROWS};",
                 "neighbour")
        for source in ("empty", "other"):
            self.sql(fit("apart", "epsilon=0.1 delta=1e-8", source=f"next.{source}"), "postgres")
        self.sql(fit("patients", "epsilon=0.1 delta=1e-8"), "postgres")

    def test_a_view_by_a_role_that_may_read_another_one_has_rows(self):
        self.neighbour()
        self.sql(f"CREATE TABLE patients AS {ROWS};")
        self.protect()
        self.sql("CREATE VIEW shown AS SELECT a, b, y FROM patients; GRANT SELECT ON shown TO "
                 "neighbour; GRANT SELECT (y) ON patients TO neighbour;")
        self.sql("CREATE MATERIALIZED VIEW next.copied AS SELECT * FROM public.shown;"
                 "CREATE MATERIALIZED VIEW next.labels AS SELECT y FROM public.patients;",
                 "neighbour")
        for view in ("copied", "labels"):
            self.refuse("must be owner of table patients",
                        f"SELECT dpadapt.protect('next.{view}', 1, 1e-6);", "neighbour")
        self.spend()  # which keeps the views
        self.sql("REVOKE ALL ON shown, patients FROM neighbour;"
                 "CREATE OR REPLACE VIEW shown AS SELECT a, b, y FROM public.source;", "postgres")
        self.sql(f"CREATE TABLE apart AS {ROWS}; SELECT dpadapt.protect('apart', 1, 1e-6);")
        self.refuse("shares rows with what ledger .* has counted",
                    fit("apart", MOST, source="next.copied"), "postgres")

    def test_many_protected_relations_do_not_slow_each_other(self):
        self.make()
        self.cluster.sql("DO $$BEGIN FOR i IN 1..100 LOOP EXECUTE format("
                         "'CREATE VIEW w%s AS SELECT * FROM source', i); END LOOP; END$$;")
        session = Session(self.cluster, "custodian")
        self.addCleanup(session.close)

        def cost():
            session.run("SELECT dpadapt.budget('patients');")
            begin = session.cpu()
            session.run("SELECT dpadapt.budget('patients');" * 10)
            return session.cpu() - begin

        alone = cost()
        self.sql("""DO $$BEGIN FOR i IN 1..30 LOOP EXECUTE format('CREATE TABLE p%s (a int)', i);
            PERFORM dpadapt.protect(format('p%s', i)::regclass, 1, 1e-6); END LOOP; END$$;""")
        among = cost()
        print(f"CPU of budget: {alone:.3f} s with one protected relation, {among:.3f} s with 31")
        self.assertLess(among, 3 * alone)

    def test_names_of_ledgers_are_checked(self):
        self.sql(f"CREATE TABLE patients AS {ROWS};")
        for name in ("E'two\\nlines'", "repeat('x', 201)"):
            self.refuse("the name of a ledger has",
                        f"SELECT dpadapt.protect('patients', 1, 1e-6, ledger => {name});")
        self.refuse('"brief" is temporary and cannot be protected',
                    "CREATE TEMP TABLE brief (a int); SELECT dpadapt.protect('brief', 1, 1e-6);")
        self.assertEqual(self.sql("SELECT count(*) FROM dpadapt.ledger_names;", "postgres"), "0")
        self.refuse("about records, not persons",
                    "SELECT dpadapt.protect('patients', 1, 1e-6, 'unit=person');")
        for table in ("ledger_entries", "ledger_names", "ledger_relations"):
            self.refuse("permission denied", f"SELECT * FROM dpadapt.{table};")
        self.refuse("read-only transaction",
                    "SET default_transaction_read_only = on; "
                    "SELECT dpadapt.protect('patients', 1, 1e-6);")


if __name__ == "__main__":
    unittest.main()

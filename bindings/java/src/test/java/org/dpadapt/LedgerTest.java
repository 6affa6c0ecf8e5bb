package org.dpadapt;

import static org.dpadapt.Failures.assertCode;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerTest {
    private static final int BLOCK = 4096;

    private static String head(Ledger ledger) {
        Matcher match =
                Pattern.compile("\"head\":\"([0-9a-f]{64})\"").matcher(ledger.report(Report.JSON));
        assertTrue(match.find());
        return match.group(1);
    }

    private static int entries(Ledger ledger) {
        return ledger.serialize().length / BLOCK - 1;
    }

    private static void pay(Ledger ledger, double epsilon) {
        try (Problem problem = Data.problem(300, 200, 3, 5)) {
            problem.use(ledger);
            problem.solve(Data.withBudget(epsilon)).close();
        }
    }

    @Test
    void problemsShareABudgetInAFile(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("budget");
        try (Ledger made = Ledger.create(file, Data.withBudget(1), false)) {
            assertCode(
                    DpaException.STORE, () -> Ledger.create(file, Data.withBudget(1), false));
            pay(made, 0.6);
            assertEquals(1, entries(made));
        }
        try (Ledger again = Ledger.open(file)) {
            String before = head(again);
            assertCode(DpaException.BUDGET, () -> pay(again, 0.9));
            pay(again, 0.1);
            assertEquals(2, entries(again));
            assertTrue(again.contains(before));
            assertFalse(again.contains("0".repeat(64)));
            assertCode(DpaException.INVALID_ARGUMENT, () -> again.contains("abc"));
            assertTrue(again.report(Report.TEXT).startsWith("Budget: epsilon = 1"));
            assertArrayEquals(Files.readAllBytes(file), again.serialize());
        }
        byte[] bytes = Files.readAllBytes(file);
        bytes[BLOCK + 100] ^= 1;
        Files.write(file, bytes);
        assertCode(DpaException.FORMAT, () -> Ledger.open(file));
        assertCode(DpaException.STORE, () -> Ledger.open(folder.resolve("missing")));
    }

    @Test
    void bytesCarryALedger() {
        try (Ledger ledger = Ledger.create(Data.withBudget(1), false)) {
            pay(ledger, 0.5);
            byte[] bytes = ledger.serialize();
            try (Ledger copy = Ledger.deserialize(bytes)) {
                assertEquals(ledger.report(Report.JSON), copy.report(Report.JSON));
                assertCode(DpaException.BUDGET, () -> pay(copy, 0.9));
            }
            bytes[10] ^= 1;
            assertCode(DpaException.FORMAT, () -> Ledger.deserialize(bytes));
            assertCode(DpaException.OPTION, () -> Ledger.create(null, false));
        }
    }

    private static Problem ofPersons(Ledger ledger) {
        Problem problem = Data.problem(300, 200, 3, 5);
        long[] persons = new long[200];
        for (int i = 0; i < persons.length; ++i) {
            persons[i] = i / 2;
        }
        problem.groups(persons);
        problem.use(ledger);
        return problem;
    }

    @Test
    void personsHaveABudgetInAFile(@TempDir Path folder) {
        Path file = folder.resolve("budget");
        Ledger.create(file, Data.withBudget(1).set("unit", "person"), true).close();
        try (Ledger ledger = Ledger.open(file);
                Ledger records = Ledger.create(Data.withBudget(1), false)) {
            try (Problem problem = ofPersons(ledger)) {
                problem.solve(Data.withBudget(0.6)).close();
                String report = problem.privacyReport(Report.JSON);
                assertTrue(report.contains("\"unit\":\"person\",\"neighbours\":\"replace\""));
                assertCode(DpaException.BUDGET, () -> problem.solve(Data.withBudget(0.9)));
            }
            assertCode(DpaException.STATE, () -> pay(ledger, 0.1));
            assertCode(DpaException.STATE, () -> ofPersons(records));
            assertEquals(1, entries(ledger));
            assertEquals(0, entries(records));
        }
    }

    @Test
    void validationRowsOfSearchesPayToo() {
        Options options =
                Data.withBudget(2).set("selection_epsilon", 1.0).set("discrepancy_share", 0.0);
        Options search = Data.withBudget(0.2).set("selection_epsilon", 1.0);
        search.set("selection_bound", 4.0);
        try (Ledger ledger = Ledger.create(options, false)) {
            Runnable run =
                    () -> {
                        try (Problem problem = Data.problem(300, 200, 3, 5);
                                Problem rows = Data.problem(300, 200, 3, 6);
                                Search made = new Search().axis("shrinkage", "2,3")) {
                            problem.use(ledger);
                            rows.use(ledger);
                            made.run(problem, rows, search).close();
                        }
                    };
            run.run();
            assertTrue(ledger.report(Report.JSON).contains("selection of a candidate"));
            assertCode(DpaException.BUDGET, run::run);
        }
    }

    @Test
    void aLockHolds() {
        try (Ledger ledger = Ledger.create(Data.withBudget(1), true);
                Problem problem = Data.problem(300, 200, 3, 5)) {
            problem.use(ledger);
            Options none = new Options().set("private_domain", "none");
            assertCode(DpaException.STATE, () -> problem.solve(none));
            assertCode(DpaException.STATE, () -> Privacy.inspect(problem, Data.withBudget(0.1)));
            problem.solve(Data.withBudget(0.1)).close();
            assertTrue(problem.privacyReport(Report.JSON).contains("\"private\":true"));
        }
        try (Problem problem = Data.problem(300, 200, 3, 5)) {
            problem.lock(null);
            Options none = new Options().set("private_domain", "none");
            assertCode(DpaException.STATE, () -> problem.solve(none));
        }
    }

    @Test
    void groupsOfRecordsAreAccounted() {
        assertEquals(65.82870815208764, Privacy.groupEpsilon(1e-5, 0, 0.26805112249, 0, 30), 1e-8);
        assertCode(
                DpaException.INVALID_ARGUMENT, () -> Privacy.groupEpsilon(1e-5, 0, 1, 0, 0));
    }
}

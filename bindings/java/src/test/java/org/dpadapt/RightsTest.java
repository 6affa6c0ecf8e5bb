package org.dpadapt;

import static org.dpadapt.Failures.assertCode;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.DoubleBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What the classes do on a locked problem, by the table of rights that all languages read. */
class RightsTest {
    private static final int ROWS = 40;

    private final Options budget =
            Data.withBudget(60)
                    .set("delta", 1e-3)
                    .set("selection_epsilon", 20.0)
                    .set("discrepancy_share", 0.3);
    private final Options options =
            Data.withBudget(1)
                    .set("delta", 1e-6)
                    .set("selection_epsilon", 0.5)
                    .set("selection_bound", 4.0);

    private static Map<String, String> rights() throws IOException {
        return Files.readAllLines(Path.of("../../tests/rights/rights.txt")).stream()
                .filter(line -> line.startsWith("dpa_"))
                .map(line -> line.split(" +"))
                .collect(
                        Collectors.toMap(
                                parts -> parts[0], parts -> parts[1], (a, b) -> a, TreeMap::new));
    }

    /** Each native function of the package that takes a problem, for each domain that it takes. */
    private Map<String, List<Executable>> calls(
            Problem problem, Problem other, Ledger ledger, Search search, Solution fit) {
        double[] x = Data.random(2 * ROWS, 9);
        double[] y = Data.random(ROWS, 10);
        long[] ids = new long[ROWS];
        DoubleBuffer rows = Data.direct(x);
        DoubleBuffer labels = Data.direct(y);
        Pass pass = request -> request;
        Map<String, List<Executable>> calls = new TreeMap<>();
        both(
                calls,
                "dpa_problem_set_sample",
                () -> problem.source(x, 2, y),
                () -> problem.target(x, 2, y));
        both(
                calls,
                "dpa_problem_lend_sample",
                () -> problem.lendSource(rows, 2, labels),
                () -> problem.lendTarget(rows, 2, labels));
        calls.put(
                "dpa_problem_set_passes",
                List.of(
                        () -> problem.sourcePasses(ROWS, 2, pass),
                        () -> problem.targetPasses(ROWS, 2, pass),
                        () -> problem.targetGroupPasses(ROWS, 2, pass)));
        both(
                calls,
                "dpa_problem_set_groups",
                () -> problem.sources(ids),
                () -> problem.groups(ids));
        both(
                calls,
                "dpa_problem_set_weights",
                () -> problem.sourceWeights(y),
                () -> problem.targetWeights(y));
        one(calls, "dpa_problem_set_scores", () -> problem.scores(y, y));
        one(
                calls,
                "dpa_problem_set_source_map",
                () -> problem.sourceMap(new double[][] {{1, 0}, {0, 1}}, null));
        one(calls, "dpa_problem_set_budget", () -> problem.budget(budget));
        one(calls, "dpa_problem_use_ledger", () -> problem.use(ledger));
        one(calls, "dpa_problem_lock", () -> problem.lock(budget));
        one(calls, "dpa_inspect_private", () -> Privacy.inspect(problem, options));
        one(calls, "dpa_solve", () -> problem.solve(options).close());
        one(
                calls,
                "dpa_baseline_solve",
                () -> Baseline.solve(problem, "joint_ssp", options).close());
        one(calls, "dpa_search_run", () -> search.run(other, problem, options).close());
        one(calls, "dpa_discrepancy_estimate", () -> problem.discrepancy(options).close());
        one(calls, "dpa_evaluate", () -> problem.evaluate(List.of(fit), options).close());
        one(calls, "dpa_solution_calibrate", () -> problem.calibrate(fit, options).close());
        double[][] answers = {{0, 1}, {1, 0}};
        one(calls, "dpa_votes_count", () -> problem.countVotes(answers, 2, options));
        one(calls, "dpa_votes_mean", () -> problem.meanVote(answers, 0, 1, options));
        one(calls, "dpa_select", () -> problem.select(List.of(fit, fit), options));
        one(calls, "dpa_plan_for_problem", () -> problem.plan(options).close());
        one(calls, "dpa_plan_forecast", () -> problem.forecast(ROWS, options).close());
        one(calls, "dpa_baseline_plan", () -> Baseline.plan(problem, "joint_ssp", options).close());
        one(calls, "dpa_problem_shape", problem::sourceRows);
        one(calls, "dpa_problem_budget", () -> problem.budgetNumber("left_mu"));
        one(calls, "dpa_problem_privacy_report", () -> problem.privacyReport(Report.TEXT));
        one(calls, "dpa_problem_destroy", () -> {}); // at the end of the test
        return calls;
    }

    private static void one(
            Map<String, List<Executable>> calls, String name, Executable call) {
        calls.put(name, List.of(call));
    }

    private static void both(
            Map<String, List<Executable>> calls, String name, Executable source,
            Executable target) {
        calls.put(name, List.of(source, target));
    }

    private static final Set<String> ELSEWHERE =
            Set.of("dpa_problem_set_arrow", "dpa_problem_use_ledger_for_job");

    @Test
    void everyBoundFunctionHasARight() throws IOException {
        Set<String> missing =
                Arrays.stream(NativeJNI.class.getDeclaredMethods())
                        .map(Method::getName)
                        .filter(name -> name.startsWith("dpa_"))
                        .collect(Collectors.toCollection(TreeSet::new));
        missing.removeAll(rights().keySet());
        assertEquals(Set.of(), missing);
    }

    @Test
    void eachHasItBeforeAReleaseAndAfter() throws IOException {
        Map<String, String> rights = rights();
        try (Problem problem = Data.problem(ROWS, ROWS, 2, 5);
                Problem other = Data.problem(ROWS, ROWS, 2, 6);
                Ledger ledger = Ledger.create(budget, false);
                Search search = new Search().axis("shrinkage", "2,3")) {
            other.budget(budget);
            problem.budget(budget).lock(budget);
            try (Solution fit = other.solve(options)) {
                Map<String, List<Executable>> calls =
                        calls(problem, other, ledger, search, fit);
                Set<String> forgotten = new TreeSet<>(rights.keySet());
                forgotten.removeIf(name -> rights.get(name).equals("apart"));
                forgotten.removeAll(calls.keySet());
                assertEquals(ELSEWHERE, forgotten); // C calls them
                for (int round = 0; round < 2; round++)
                    for (String right : List.of("refused", "read", "tighten", "pay"))
                        for (String name : calls.keySet())
                            if (rights.get(name).equals(right))
                                for (Executable call : calls.get(name))
                                    check(name, right, call, problem);
            }
        }
    }

    private static void check(String name, String right, Executable call, Problem problem) {
        String before = problem.privacyReport(Report.JSON);
        if (right.equals("refused")) assertCode(DpaException.STATE, call);
        else assertDoesNotThrow(call, name);
        String after = problem.privacyReport(Report.JSON);
        if (right.equals("pay")) assertNotEquals(before, after, name);
        else assertEquals(before, after, name);
    }
}

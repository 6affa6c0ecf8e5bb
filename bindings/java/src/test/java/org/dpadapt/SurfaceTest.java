package org.dpadapt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What is typed, printed and caught: methods of options, toString, classes of exceptions. */
class SurfaceTest {
    private static final double[] X = {1, 2, 3, 4, 5, 6};
    private static final double[] Y = {2, 4, 6, 8, 10, 12.5};

    private static String camel(String name) {
        String[] parts = name.split("_");
        return parts[0]
                + Arrays.stream(parts)
                        .skip(1)
                        .map(p -> p.substring(0, 1).toUpperCase() + p.substring(1))
                        .collect(Collectors.joining());
    }

    @Test
    void everyOptionHasAConstantAndAMethod() throws Exception {
        Set<String> constants =
                Arrays.stream(OptionSetters.class.getFields())
                        .map(
                                field -> {
                                    try {
                                        return (String) field.get(null);
                                    } catch (IllegalAccessException e) {
                                        throw new AssertionError(e);
                                    }
                                })
                        .collect(Collectors.toSet());
        List<Option> all = Options.all();
        assertEquals(all.stream().map(Option::name).collect(Collectors.toSet()), constants);
        for (Option option : all) {
            Class<?> type =
                    switch (option.type()) {
                        case "real" -> double.class;
                        case "integer" -> long.class;
                        case "boolean" -> boolean.class;
                        case "vector" -> double[].class;
                        default -> Class.forName(
                                "org.dpadapt.OptionSetters$"
                                        + camel("_" + option.name())
                                        + "Choice");
                    };
            Method method = Options.class.getMethod(camel(option.name()), type);
            assertEquals(Options.class, method.getReturnType());
        }
    }

    @Test
    void everyWordCanBeSet() throws Exception {
        for (Option option : Options.all()) {
            if (!option.type().equals("choice")) continue;
            Class<?> words =
                    Class.forName(
                            "org.dpadapt.OptionSetters$" + camel("_" + option.name()) + "Choice");
            Method set = Options.class.getMethod(camel(option.name()), words);
            String listed = option.values();
            for (Object word : words.getEnumConstants()) {
                Field text = words.getDeclaredField("word");
                Options options = new Options();
                if (!text.get(word).equals("custom")) set.invoke(options, word);
                else continue;
                assertEquals(text.get(word), options.get(option.name()));
                listed = listed.replaceFirst("\\b" + text.get(word) + "\\b", "");
            }
            assertEquals("", listed.replace("custom", "").replaceAll("[ ,]", ""));
        }
    }

    @Test
    void methodsSetWhatNamesSet() {
        Options typed =
                new Options()
                        .epsilon(1)
                        .delta(1e-6)
                        .loss(Options.LossChoice.LOGISTIC)
                        .alphaAuto()
                        .iterations(30)
                        .intercept(false)
                        .hiddenUnits(3, 2);
        Options named =
                new Options()
                        .set("epsilon", 1.0)
                        .set("delta", 1e-6)
                        .set("loss", "logistic")
                        .set("alpha", "auto")
                        .set(Options.ITERATIONS, 30)
                        .set("intercept", false)
                        .parse("hidden_units", "3 2");
        for (Option option : Options.all()) {
            String value = typed.get(option.name()).replace(".0", "");
            assertEquals(named.get(option.name()), value);
        }
        assertTrue(typed.toString().contains("epsilon=1"));
        assertThrows(InputException.class, () -> new Options().alpha(2));
    }

    @Test
    void everythingIsPrintedAndNeverThrows() {
        Options open = new Options().privateDomain(Options.PrivateDomainChoice.NONE);
        Problem problem = new Problem();
        assertEquals("Problem[0 source rows, 0 target rows, 0 features]", problem.toString());
        problem.source(X, 1, Y).target(X, 1, Y);
        Solution solution = problem.solve(open);
        assertEquals(
                "Solution[squared, 1 features, 6 source and 6 target rows, NOT PRIVATE]",
                solution.toString());
        Solution hidden = problem.solve(new Options().epsilon(1).delta(1e-6).alpha(0.5));
        String promise = "private in part, the problem gave something unprotected: epsilon = 1.0, "
                + "delta = 1.0E-6, alpha = 0.5";
        assertTrue(hidden.toString().contains(promise));
        assertTrue(problem.toString().contains("epsilon = 1.0, delta = 1.0E-6, spent mu = 0.2"));
        Search search = new Search().axis("alpha", "0,1");
        assertEquals("Search[2 candidates]", search.toString());
        Options budget = new Options().epsilon(1).delta(1e-6);
        Plan plan = new Problem().source(X, 1, Y).target(X, 1, Y).plan(budget);
        assertTrue(plan.toString().startsWith("Plan[mu = 0.236"));
        Ledger ledger = Ledger.create(new Options().epsilon(1).delta(1e-6), true);
        assertTrue(ledger.toString().contains("epsilon = 1"));
        Evaluation evaluation = problem.evaluate(List.of(solution), open);
        assertTrue(evaluation.toString().contains("squared_error"));
        Discrepancy discrepancy = problem.discrepancy(open);
        assertTrue(discrepancy.toString().startsWith("Discrepancy["));
        assertEquals("CancelToken", new CancelToken().toString());
        for (AutoCloseable one :
                List.of(problem, solution, search, plan, ledger, evaluation, discrepancy)) {
            try {
                one.close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            assertTrue(one.toString().endsWith("[closed]") || one == solution, one.toString());
        }
    }

    @Test
    void mistakesHaveClassesAndCodes() {
        Options once = new Options().epsilon(1).delta(1e-6);
        Problem problem = new Problem().source(X, 1, Y).target(X, 1, Y);
        problem.solve(once);
        BudgetException budget = assertThrows(BudgetException.class, () -> problem.solve(once));
        assertEquals(DpaException.Code.BUDGET, budget.kind());
        assertEquals(DpaException.BUDGET, budget.code());
        assertThrows(InputException.class, () -> new Options().set("epslion", 1.0));
        StateException early = assertThrows(StateException.class, () -> new Problem().solve(once));
        assertEquals(DpaException.Code.STATE, early.kind());
        CancelToken token = new CancelToken();
        token.cancel();
        Options stopped =
                new Options().privateDomain(Options.PrivateDomainChoice.NONE).cancel(token);
        DpaException cancelled =
                assertThrows(DpaException.class, () -> problem.solve(stopped));
        assertInstanceOf(CancelledException.class, cancelled);
        assertEquals(DpaException.Code.UNKNOWN, DpaException.make(-7777, "new").kind());
        for (DpaException.Code code : DpaException.Code.values())
            if (code != DpaException.Code.UNKNOWN) {
                int number =
                        Arrays.stream(DpaException.class.getFields())
                                .filter(field -> field.getName().equals(code.name()))
                                .mapToInt(
                                        field -> {
                                            try {
                                                return field.getInt(null);
                                            } catch (IllegalAccessException e) {
                                                throw new AssertionError(e);
                                            }
                                        })
                                .sum();
                assertEquals(code, DpaException.make(number, "").kind());
            }
    }
}

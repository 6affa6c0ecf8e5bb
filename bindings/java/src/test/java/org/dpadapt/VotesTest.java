package org.dpadapt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class VotesTest {
    private static final double[][] ANSWERS = {{0, 1}, {1, 0}, {2, 2}, {1, 2}};

    @Test
    void withoutPrivacyTheyAreCountsAndMeans() {
        Options open = new Options().set("private_domain", "none");
        try (Problem problem = new Problem()) {
            assertArrayEquals(
                    new double[] {1, 2, 1, 1, 1, 2}, problem.countVotes(ANSWERS, 3, open).values());
            assertArrayEquals(
                    new double[] {1, 1.25}, problem.meanVote(ANSWERS, 0, 4, open).values(), 1e-8);
        }
    }

    @Test
    void aReleasePaysOnce() {
        Options options = new Options().epsilon(2).delta(1e-6);
        try (Problem problem = new Problem()) {
            assertTrue(problem.meanVote(ANSWERS, 0, 2, options).deviation() > 1);
            assertTrue(problem.privacyReport(Report.TEXT).contains("answers of teachers"));
            assertThrows(BudgetException.class, () -> problem.countVotes(ANSWERS, 3, options));
        }
    }

    @Test
    void aPersonHasOneTeacher() {
        int[] shards = Problem.shards(5, 3, new long[] {7, 8, 9, 7, 8});
        assertEquals(shards[0], shards[3]);
        assertEquals(shards[1], shards[4]);
        assertEquals(6, Problem.shards(6, 3, null).length);
        assertThrows(DpaException.class, () -> Problem.shards(2, 3, null));
    }
}

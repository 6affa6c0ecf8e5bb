package org.dpadapt;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Errors of solutions on labelled rows, with intervals. Made by {@link Problem#evaluate}; never
 * changes.
 */
public final class Evaluation implements AutoCloseable {
    private final Handle handle;

    Evaluation(Handle.Create create) {
        handle = new Handle("evaluation", Native::dpa_evaluation_destroy, create);
    }

    /**
     * A measure of one solution, or of its difference from the first one.
     *
     * @param name such as "squared_error", "accuracy" or "log_loss_difference"
     * @param solution index of the solution
     * @param estimate the estimate
     * @param lower lower end of the interval, which covers noise and sampling together
     * @param upper upper end; infinite where nothing bounds it
     */
    public record Measure(
            String name, int solution, double estimate, double lower, double upper) {}

    /**
     * All measures, those of all solutions together.
     *
     * @return at least two
     */
    public List<Measure> measures() {
        long count = handle.fill(new long[1], Native::dpa_evaluation_count)[0];
        List<Measure> all = new ArrayList<>();
        for (long i = 0; i < count; i++) all.add(measure(i));
        return List.copyOf(all);
    }

    private Measure measure(long index) {
        double[] numbers = new double[4];
        Object[] measure = {null, numbers};
        handle.run(at -> Native.dpa_evaluation_measure(at, index, measure));
        String name = Check.string((byte[]) measure[0]);
        return new Measure(name, (int) numbers[0], numbers[1], numbers[2], numbers[3]);
    }

    /**
     * All measures, the calibration table of two classes, and how private losses were clipped.
     *
     * @param form JSON or text
     * @return the report; what was paid is in that of the problem
     */
    public String report(Report form) {
        int number = Check.notNull(form, "form").ordinal();
        return handle.text(
                (at, out, needed) -> Native.dpa_evaluation_report(at, number, out, needed));
    }

    private static final Pattern NOTE =
            Pattern.compile("\"solution\":([0-9]+),\"note\":\"([^\"]*)\"");

    /**
     * What readers must know first: that errors of private rows are beyond the bound by which they
     * are clipped.
     *
     * @return one for each solution that it is about, which is told by its index; mostly none
     */
    public List<String> notes() {
        List<String> all = new ArrayList<>();
        Matcher found = NOTE.matcher(report(Report.JSON));
        while (found.find()) all.add("Solution " + found.group(1) + ": " + found.group(2));
        return List.copyOf(all);
    }

    /** The notes, if there are any, then all measures with their intervals. */
    @Override
    public String toString() {
        return Handle.shown(
                "Evaluation",
                () -> {
                    List<String> notes = notes();
                    return (notes.isEmpty() ? "" : notes + " ") + measures();
                });
    }

    /** Releases the evaluation. */
    @Override
    public void close() {
        handle.close();
    }
}

package org.dpadapt;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

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
     * @param from of "calibration": lower end of the bin of predicted probabilities; else 0
     * @param to upper end of that bin; else 0
     * @param rows rows in that bin, with noise where they are private; else 0
     */
    public record Measure(
            String name,
            int solution,
            double estimate,
            double lower,
            double upper,
            double from,
            double to,
            double rows) {}

    private record Told(Measure measure, String note) {}

    /**
     * All measures, those of all solutions together.
     *
     * @return at least two
     */
    public List<Measure> measures() {
        return named(name -> !List.of("calibration", "clipped_share").contains(name));
    }

    /**
     * Of two classes, for each bin of the predicted probability: the share of positive labels among
     * its rows.
     *
     * @return measures called "calibration"; none where labels are others
     */
    public List<Measure> calibration() {
        return named("calibration"::equals);
    }

    private List<Measure> named(Predicate<String> name) {
        return all().stream().map(Told::measure).filter(one -> name.test(one.name())).toList();
    }

    private List<Told> all() {
        List<Told> all = new ArrayList<>();
        for (; ; ) {
            double[] number = new double[7];
            Object[] parts = {null, number, null};
            long index = all.size();
            handle.run(at -> Native.dpa_evaluation_measure(at, index, parts));
            if (parts[0] == null) return all;
            Measure measure =
                    new Measure(
                            Check.string((byte[]) parts[0]),
                            (int) number[0],
                            number[1],
                            number[2],
                            number[3],
                            number[4],
                            number[5],
                            number[6]);
            all.add(new Told(measure, parts[2] == null ? null : Check.string((byte[]) parts[2])));
        }
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

    /**
     * What readers must know first: that errors of private rows are beyond the bound by which they
     * are clipped, or have a long tail.
     *
     * @return one for each solution that it is about, which is told by its index; mostly none
     */
    public List<String> notes() {
        return all().stream()
                .filter(one -> Objects.nonNull(one.note()))
                .map(one -> "Solution " + one.measure().solution() + ": " + one.note())
                .toList();
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

package org.dpadapt;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * A fitted predictor, made by {@link Problem#solve}, {@link Baseline#solve} or {@link #load}. Never
 * changes. Asking for what was computed from private records and not released throws {@link
 * DpaException#NOT_RELEASABLE}.
 */
public final class Solution extends SolutionPredictions implements AutoCloseable {
    private final long sourceRows;
    private final long targetRows;
    private final long sourceWeights;
    private final long targetWeights;

    /** What of the target's table does not fit the schema; empty unless the target is public. */
    volatile List<String> unfit = List.of();

    Solution(Handle.Create create) {
        this(create, 0);
    }

    /** Of so many bytes as they are saved, or 0 if that is not known. */
    private Solution(Handle.Create create, long saved) {
        super(create);
        long[] m = new long[1];
        long[] n = new long[1];
        handle.run(at -> Native.dpa_solution_shape(at, new long[1], new long[1], m, n));
        sourceRows = m[0];
        targetRows = n[0];
        sourceWeights = weights(m[0], "source_weights");
        targetWeights = weights(n[0], "target_weights");
        handle.holds(saved > 0 ? saved : size());
    }

    /** Bytes outside the heap: about as many as are saved. */
    private long size() {
        long[] needed = new long[1];
        try {
            handle.run(at -> Native.dpa_solution_serialize(at, 1, new byte[0], needed));
        } catch (DpaException e) { // no memory to save it: that is no reason to lose it
            return 0;
        }
        return needed[0];
    }

    /** How many weights there are: none that were not released, whatever the number of records. */
    private long weights(long rows, String name) {
        try {
            array(name, 0);
            return 0;
        } catch (DpaException e) {
            // The length, if it alone is wrong.
            return e.code() == DpaException.DIMENSION ? rows : 0;
        }
    }

    /**
     * Reads a solution from bytes that Java, C or R saved. They may come from an untrusted place.
     *
     * @param bytes the bytes, or those of a model file ({@link Schema#save}, or of the command);
     *     {@link DpaException#FORMAT} if they are damaged
     * @return the solution; it returns everything that the saved one did, bit for bit
     */
    public static Solution fromBytes(byte[] bytes) {
        Check.notNull(bytes, "bytes");
        return new Solution(out -> Native.dpa_solution_deserialize(bytes, out), bytes.length);
    }

    /**
     * Reads a solution from a file, also a model file of the command.
     *
     * @param path the file
     * @return the solution
     * @throws IOException if the file cannot be read
     */
    public static Solution load(Path path) throws IOException {
        return fromBytes(Files.readAllBytes(Check.notNull(path, "path")));
    }

    /**
     * Saves the solution as bytes, the same on every platform and in every language.
     *
     * @return the bytes
     */
    public byte[] toBytes() {
        return bytes(1);
    }

    /**
     * A name of the predictor: the same for what predicts alike and promises the same, on any
     * machine. A key for caches, and a note of which model made a prediction.
     *
     * @return 64 hexadecimal digits
     */
    public String digest() {
        return text("digest");
    }

    /**
     * What {@link #predictInterval} promises.
     *
     * @return sentences; empty for a solution that {@link Problem#calibrate} did not make
     */
    public String calibration() {
        return text("calibration");
    }

    /**
     * Saves the predictor as bytes: the solution without the weights of its records, so few bytes
     * that they do not grow with the samples.
     *
     * @return the bytes, for {@link #fromBytes}
     */
    public byte[] predictorToBytes() {
        return bytes(0);
    }

    private byte[] bytes(int weights) {
        return handle.bytes(
                (at, out, needed) -> Native.dpa_solution_serialize(at, weights, out, needed));
    }

    /**
     * Saves the solution in a file, which has its old content until the new one is complete and on
     * the disk. One that is new is for its owner alone after a fit of private records.
     *
     * @param path the file
     * @throws IOException if the file cannot be written
     */
    public void save(Path path) throws IOException {
        String name = nameOf(path);
        write(() -> handle.run(at -> Native.dpa_solution_save(at, 0, 1, name)));
    }

    static String nameOf(Path path) {
        return Check.notNull(path, "path").toAbsolutePath().toString();
    }

    /** A file that cannot be written is Java's exception. */
    static void write(Runnable call) throws IOException {
        try {
            call.run();
        } catch (DpaException error) {
            if (error.code() != DpaException.STORE) throw error;
            throw new IOException(error.getMessage(), error);
        }
    }

    /**
     * The loss of the predictor.
     *
     * @return as the option {@code loss} names it, or "votes" for the vote of classifiers that the
     *     baselines gapboost and tradaboost make
     */
    public String loss() {
        return text("loss");
    }

    private String text(String name) {
        return handle.text(
                (at, out, needed) -> Native.dpa_solution_text(at, name, out, needed));
    }

    /**
     * Number of source records of the fit.
     *
     * @return at least 1
     */
    public long sourceRows() {
        return sourceRows;
    }

    /**
     * Number of target records of the fit.
     *
     * @return at least 1
     */
    public long targetRows() {
        return targetRows;
    }

    /**
     * The coefficients of linear scores, one output after another.
     *
     * @return features x outputs numbers, in score units per feature unit; {@link
     *     DpaException#UNSUPPORTED} where the scores are not linear
     */
    public double[] coefficients() {
        return array("coefficients", (long) features * outputs);
    }

    /**
     * The intercepts of linear scores.
     *
     * @return one for each output
     */
    public double[] intercept() {
        return array("intercept", outputs);
    }

    private double[] array(String name, long length) {
        return handle.array(
                length, (at, out) -> Native.dpa_solution_array(at, name, out));
    }

    /**
     * The target's own estimate of the coefficients, which neither the source's rows nor shrinkage
     * move: intervals are about these, not about the fit, which is shrunk.
     *
     * @return coefficients, then the intercept, if there is one; {@link
     *     DpaException#NOT_RELEASABLE} for a private target without the option {@code inference} =
     *     yes, {@link DpaException#UNSUPPORTED} with the reason where there is none
     */
    public double[] targetEstimate() {
        return array("target_estimate", dimension());
    }

    /**
     * The covariance of {@link #targetEstimate}, by sampling and noise.
     *
     * @return column after column; errors as there
     */
    public double[] covariance() {
        return array("covariance", (long) dimension() * dimension());
    }

    /**
     * Intervals that cover their coefficients with that probability, for many records.
     *
     * @param confidence between 0 and 1
     * @return all lower ends, then all upper ends; errors as of {@link #targetEstimate}
     */
    public double[] intervals(double confidence) {
        return handle.array(
                2L * dimension(),
                (at, out) -> Native.dpa_solution_intervals(at, confidence, out));
    }

    /**
     * The probability that the estimates of the two domains are so far apart where both have the
     * same best linear predictor.
     *
     * @return the p-value; errors as of {@link #targetEstimate}, also where the source is private
     */
    public double domainDifference() {
        return value("domain_p_value");
    }

    /**
     * The parameters of a perceptron, of a custom loss or of votes, in preprocessed coordinates.
     *
     * @return the parameters; {@link DpaException#UNSUPPORTED} for linear scores
     */
    public double[] parameters() {
        return array("parameters", (long) value("parameters"));
    }

    /**
     * The weights of the source records.
     *
     * @return one for each record; {@link DpaException#NOT_RELEASABLE} for private records, except
     *     with the option {@code method} = paper
     */
    public double[] sourceWeights() {
        return array("source_weights", sourceWeights);
    }

    /**
     * The weights of the target records.
     *
     * @return one for each record; {@link DpaException#NOT_RELEASABLE} as for the source
     */
    public double[] targetWeights() {
        return array("target_weights", targetWeights);
    }

    /**
     * The objective at the predictor and the weights.
     *
     * @return in units of the loss
     */
    public double objective() {
        return value("objective");
    }

    /**
     * A proven bound on objective - minimum.
     *
     * @return in units of the loss; {@link DpaException#UNSUPPORTED} where nothing certifies a
     *     global minimum
     */
    public double dualityGap() {
        return value("duality_gap");
    }

    /**
     * The norm of the gradient mapping of the general form for step size 1.
     *
     * @return 0 exactly at stationary points; {@link DpaException#UNSUPPORTED} for the convex form
     */
    public double gradientMapping() {
        return value("gradient_mapping");
    }

    /**
     * Number of iterations made.
     *
     * @return at least 0
     */
    public long iterations() {
        return (long) value("iterations");
    }

    /**
     * Why the solver stopped.
     *
     * @return the reason
     */
    public Termination termination() {
        return Termination.values()[(int) value("termination")];
    }

    /**
     * The numbers that a fit uses, whether set or derived.
     *
     * @return their names, which are those of the options that set them
     */
    public static List<String> settingNames() {
        return LongStream.iterate(0, i -> i + 1)
                .mapToObj(Native::dpa_solution_setting_name)
                .takeWhile(Objects::nonNull)
                .toList();
    }

    /**
     * A number that the fit used.
     *
     * @param name one of {@link #settingNames}, such as "alpha"
     * @return its value, 0 where neither the form nor the loss has such a number
     */
    public double setting(String name) {
        return value(name);
    }

    /**
     * What is promised about the private records; part of the saved solution as well.
     *
     * @return kind of protection, epsilon and delta
     */
    public Protection protection() {
        int[] kind = new int[1];
        double[] epsilon = new double[1];
        double[] delta = new double[1];
        handle.run(at -> Native.dpa_solution_privacy(at, kind, epsilon, delta));
        return new Protection(Protection.Kind.values()[kind[0]], epsilon[0], delta[0]);
    }

    /**
     * Whose difference the epsilon of {@link #protection()} is about: the option {@code
     * neighbours} of the budget.
     *
     * @return the relation
     */
    public Protection.Neighbours neighbours() {
        return Protection.Neighbours.values()[(int) value("neighbours")];
    }

    /**
     * What was promised, what was spent, by which releases, and what is not covered.
     *
     * @param form one of the forms
     * @return the report of the problem as it was when the solution was made
     */
    public String privacyReport(Report form) {
        int number = Check.notNull(form, "form").ordinal();
        return handle.text(
                (at, out, needed) -> Native.dpa_solution_privacy_report(at, number, out, needed));
    }

    /**
     * The same, with the schema's names of columns and labels on the page.
     *
     * @param form one of the forms
     * @param schema of the fit
     * @return as {@link #privacyReport(Report)}
     */
    public String privacyReport(Report form, Schema schema) {
        return withNames(schema, named -> named.privacyReport(form));
    }

    /**
     * What became of the private records, in a sentence each: how far they moved the coefficients,
     * or that nobody can tell whether any counted, and which ones count at all. From public inputs
     * and released values alone. Of a public target that a schema has read, what does not fit: such
     * as "(target) ward: 100 of 300 rows have a level that the schema does not know", as long as
     * the solution is not saved.
     *
     * @return empty of a fit without privacy, where all fits
     */
    public List<String> findings() {
        Stream<String> sentences =
                handle.text(
                                (at, out, needed) ->
                                        Native.dpa_solution_findings(at, "", out, needed))
                        .lines();
        return Stream.concat(sentences, unfitLines()).toList();
    }

    /**
     * The same in the words of the public table.
     *
     * @param schema of the fit
     * @return as {@link #findings()}
     */
    public List<String> findings(Schema schema) {
        return withNames(schema, named -> Stream.concat(named.findings().stream(), unfitLines()))
                .toList();
    }

    /**
     * What each of {@link #findings()} is, for programs: "warning" or "note", and a code that no
     * version changes, such as "warning epsilon_above_10".
     *
     * @return in the order of the sentences, without those of a target that does not fit
     */
    public List<String> findingCodes() {
        return text("finding_codes").lines().toList();
    }

    private Stream<String> unfitLines() {
        return unfit.stream().map(line -> "(target) " + line);
    }

    /** A model file knows what people call columns and labels. */
    private <T> T withNames(Schema schema, Function<Solution, T> use) {
        byte[] file = Check.notNull(schema, "schema").model(this).getBytes(StandardCharsets.UTF_8);
        try (Solution named = fromBytes(file)) {
            return use.apply(named);
        }
    }

    /** Loss, sizes, and what is promised; for a private fit also alpha, the share of the source. */
    @Override
    public String toString() {
        return Handle.shown("Solution", () -> loss() + ", " + features + " features, " + sourceRows
                + " source and " + targetRows + " target rows, " + promise());
    }

    private String promise() {
        Protection protection = protection();
        return switch (protection.kind()) {
            case NONE -> "NOT PRIVATE";
            case SEEDED -> "NOT PRIVATE: the noise was seeded";
            case GUARANTEED -> "private: " + numbers(protection);
            case IN_PART -> "private in part, the problem gave something unprotected: "
                    + numbers(protection);
        };
    }

    private String numbers(Protection protection) {
        return "epsilon = " + protection.epsilon() + ", delta = " + protection.delta()
                + ", alpha = " + setting("alpha");
    }

    /** Releases the solution; calls that are running keep it until they return. */
    @Override
    public void close() {
        handle.close();
    }
}

package org.dpadapt;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * How columns of numbers and texts become features and labels. Learnt from public rows alone, then
 * applied to every table, public or private, record by record: a value that does not fit counts as
 * missing, for that record alone, and nothing is said about it. Never changes.
 *
 * <pre>{@code
 * try (Table known = Table.readPublicCsv(Path.of("source.csv"));
 *         Table secret = Table.readCsv(Path.of("target.csv"));
 *         Schema schema = Schema.learn(known, "outcome", options);
 *         Problem problem = new Problem().source(schema, known).target(schema, secret);
 *         Solution solution = problem.solve(options)) {
 *     schema.save(solution, Path.of("model.json"));
 * }
 * }</pre>
 */
public final class Schema implements AutoCloseable {
    private final Handle handle;
    private final int features;

    private Schema(Handle.Create create) {
        handle = new Handle("schema", Native::dpa_schema_destroy, create);
        features = (int) handle.fill(new long[1], Native::dpa_schema_feature_count)[0];
    }

    /**
     * Features and labels of a table.
     *
     * @param x features, row after row
     * @param y labels, NaN where there is none
     */
    public record Rows(double[] x, double[] y) {}

    /**
     * Learns a schema. Never give it private rows: what it says depends on all values.
     *
     * @param table public rows; all columns but the label are features
     * @param label the name of the column of labels
     * @param options null for the defaults; {@code loss}, {@code perceptron_output} and {@code
     *     classes} are used: which labels the loss wants
     * @return the schema
     */
    public static Schema learn(Table table, String label, Options options) {
        synchronized (Check.notNull(table, "table")) {
            return table.handle.use(
                    at ->
                            Options.with(
                                    options,
                                    set ->
                                            new Schema(
                                                    out ->
                                                            Native.dpa_schema_learn(
                                                                    at, label, set, out))));
        }
    }

    /**
     * Reads a schema back from bytes, which may come from an untrusted place.
     *
     * @param bytes of {@link #toBytes}, or of a model file of the command or of {@link #save};
     *     {@link DpaException#FORMAT} if they are damaged
     * @return the schema
     */
    public static Schema fromBytes(byte[] bytes) {
        Check.notNull(bytes, "bytes");
        return new Schema(out -> Native.dpa_schema_deserialize(bytes, out));
    }

    /**
     * Reads the schema of a model file; {@link Solution#load} reads its predictor.
     *
     * @param path the file
     * @return the schema
     * @throws IOException if the file cannot be read
     */
    public static Schema load(Path path) throws IOException {
        return fromBytes(Files.readAllBytes(Check.notNull(path, "path")));
    }

    /**
     * Saves the schema as bytes; as public as the rows that it was learnt from.
     *
     * @return the bytes
     */
    public byte[] toBytes() {
        return handle.bytes(Native::dpa_schema_serialize);
    }

    /**
     * Saves schema and predictor as a model file, which the command and every language read. It has
     * its old content until the new one is complete and on the disk; one that is new is for its
     * owner alone after a fit of private records.
     *
     * @param solution a fit with the features of this schema
     * @param path the file
     * @throws IOException if the file cannot be written
     */
    public void save(Solution solution, Path path) throws IOException {
        String name = Solution.nameOf(path);
        Handle other = Check.notNull(solution, "solution").handle;
        Solution.write(
                () ->
                        other.run(
                                fit ->
                                        handle.run(
                                                own ->
                                                        Native.dpa_solution_save(
                                                                fit, own, 0, name))));
    }

    /**
     * Schema and predictor as the text of a model file.
     *
     * @param solution a fit with the features of this schema
     * @return JSON
     */
    public String model(Solution solution) {
        Handle other = Check.notNull(solution, "solution").handle;
        return other.use(
                fit ->
                        handle.text(
                                (at, out, needed) ->
                                        Native.dpa_schema_model(at, fit, 0, out, needed)));
    }

    /**
     * Number of features.
     *
     * @return at least 1
     */
    public int features() {
        return features;
    }

    /**
     * Names of the features, such as "age" or "colour=red".
     *
     * @return one for each feature
     */
    public List<String> featureNames() {
        return LongStream.range(0, features).mapToObj(this::featureName).toList();
    }

    private String featureName(long index) {
        return text("feature", index);
    }

    private String text(String name, long index) {
        return handle.text(
                (at, out, needed) -> Native.dpa_schema_text(at, name, index, out, needed));
    }

    /**
     * Labels as the public table writes them, such as "yes" for 1.
     *
     * @param labels what {@link Solution#predict} returned
     * @return a text for each; numbers as they are
     */
    public String[] labelTexts(double[] labels) {
        return Arrays.stream(Check.notNull(labels, "labels"))
                .mapToObj(
                        label ->
                                handle.text(
                                        (at, out, needed) ->
                                                Native.dpa_schema_label_text(
                                                        at, label, out, needed)))
                .toArray(String[]::new);
    }

    /**
     * Features and labels of a table.
     *
     * @param table has the columns that the schema uses, by name; others are ignored
     * @return both
     */
    public Rows apply(Table table) {
        double[] y = new double[Check.notNull(table, "table").rows()];
        return new Rows(fill(table, y), y);
    }

    /**
     * Features of a table, which need not have labels.
     *
     * @param table as in {@link #apply}
     * @return features, row after row
     */
    public double[] features(Table table) {
        return fill(Check.notNull(table, "table"), null);
    }

    private double[] fill(Table table, double[] y) {
        double[] x = new double[Check.length(table.rows(), features)];
        synchronized (table) {
            Handle.useAll(
                    List.of(handle, table.handle),
                    at -> {
                        Native.dpa_schema_apply(at[0], at[1], x, y);
                        return null;
                    });
        }
        return x;
    }

    /**
     * What does not fit of a table, in a line for each column and reason; of the labels, which ones
     * are known. NOT PRIVATE where the table is: for its custodian alone. Of rows to predict, which
     * are the caller's own, it tells what {@link #features(Table)} takes for missing.
     *
     * @param table has the columns that the schema uses
     * @return such as {@code colour: 3 of 90 rows have a level that the schema does not know:
     *     "red"}, with up to five of the values; empty if all fits
     */
    public List<String> inspect(Table table) {
        synchronized (Check.notNull(table, "table")) {
            return Handle.useAll(
                            List.of(handle, table.handle),
                            at ->
                                    Handle.textOf(
                                            (out, needed) ->
                                                    Native.dpa_inspect_table(
                                                            at[0], at[1], out, needed)))
                    .lines()
                    .toList();
        }
    }

    /**
     * The labels that count, as the public table writes them; a record with another one has none.
     *
     * @return such as "no or yes"
     */
    public String knownLabels() {
        return text("labels", 0);
    }

    void setLoss(long options) {
        handle.run(at -> Native.dpa_schema_set_loss(at, options));
    }

    /**
     * How each column is used, in a line each, and how many public rows had no label. Computed from
     * public rows.
     *
     * @return text for people
     */
    public String describe() {
        return text("description", 0);
    }

    /** The names of the features. */
    @Override
    public String toString() {
        return Handle.shown("Schema", () -> String.join(", ", featureNames()));
    }

    /** Releases the schema. */
    @Override
    public void close() {
        handle.close();
    }
}

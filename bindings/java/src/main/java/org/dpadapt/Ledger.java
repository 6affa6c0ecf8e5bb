package org.dpadapt;

import java.nio.file.Path;
import java.util.List;

/**
 * A budget that outlives a problem, in memory or in a file: several problems, processes and
 * languages pay from it, and each payment is an entry that is stored before a private record is
 * read. Any thread may use it.
 */
public final class Ledger implements AutoCloseable {
    private final Handle handle;

    private Ledger(Handle.Create create) {
        handle = new Handle("ledger", Native::dpa_ledger_destroy, create);
    }

    /**
     * A new ledger in memory.
     *
     * @param options {@code epsilon} and {@code delta} are the budget, {@code discrepancy_share}
     *     and {@code selection_epsilon} what it keeps for them, {@code unit} ({@code record}, or
     *     {@code person}) and {@code neighbours} what it is about
     * @param locks whether every problem that uses it is locked, as by {@link Problem#lock}
     * @return the ledger
     */
    public static Ledger create(Options options, boolean locks) {
        return Options.with(
                options,
                set -> new Ledger(out -> Native.dpa_ledger_create(null, set, locks ? 1 : 0, out)));
    }

    /**
     * A new ledger in a new file, which only its user may read and write.
     *
     * @param file must not exist
     * @param options as in {@link #create(Options, boolean)}
     * @param locks as there
     * @return the ledger
     */
    public static Ledger create(Path file, Options options, boolean locks) {
        String path = Check.notNull(file, "file").toString();
        return Options.with(
                options,
                set ->
                        new Ledger(
                                out ->
                                        Native.dpa_ledger_create(
                                                path, set, locks ? 1 : 0, out)));
    }

    /**
     * The ledger in a file. Others may use the file at the same time.
     *
     * @param file a ledger that was not changed: a damaged one is {@link DpaException#FORMAT}
     * @return the ledger
     */
    public static Ledger open(Path file) {
        String path = Check.notNull(file, "file").toString();
        return new Ledger(out -> Native.dpa_ledger_open(path, out));
    }

    /**
     * The ledger of these bytes, in memory. Two ledgers from the same bytes know nothing of each
     * other: each can spend what is left.
     *
     * @param bytes of {@link #serialize}
     * @return the ledger
     */
    public static Ledger deserialize(byte[] bytes) {
        Check.notNull(bytes, "bytes");
        return new Ledger(out -> Native.dpa_ledger_deserialize(bytes, out));
    }

    /**
     * The bytes of the ledger: those of its file, if it has one.
     *
     * @return the bytes
     */
    public byte[] serialize() {
        return handle.bytes(Native::dpa_ledger_serialize);
    }

    /**
     * Budget, what is spent and left of it, the last hash and all entries.
     *
     * @param form JSON or text
     * @return the report
     */
    public String report(Report form) {
        int number = Check.notNull(form, "form").ordinal();
        return handle.text(
                (at, out, needed) -> Native.dpa_ledger_report(at, number, out, needed));
    }

    /**
     * Whether everything is as it was when the last hash ({@code head} in the report) was that.
     *
     * @param head 64 hexadecimal digits
     * @return false if entries were removed since, or it is another ledger
     */
    public boolean contains(String head) {
        Check.notNull(head, "head");
        return handle.fill(
                        new int[1], (at, out) -> Native.dpa_ledger_contains(at, head, out))[0]
                != 0;
    }

    /** The problem pays from this ledger. */
    void pays(Handle problem) {
        Handle.useAll(
                List.of(problem, handle),
                at -> {
                    Native.dpa_problem_use_ledger(at[0], at[1]);
                    return null;
                });
    }

    /** The first sentences of its report. */
    @Override
    public String toString() {
        return Handle.shown("Ledger", () -> report(Report.TEXT).lines().findFirst().orElse(""));
    }

    /** Releases the ledger; problems that use it go on to do so. */
    @Override
    public void close() {
        handle.close();
    }
}

package org.dpadapt;

/**
 * Columns of Apache Arrow, by the addresses of the structures of its C data and C stream
 * interfaces. They come from {@code org.apache.arrow:arrow-c-data}, or whatever else fills them:
 * {@code ArrowArrayStream.memoryAddress()}. This package needs no jar of Arrow.
 *
 * <pre>{@code
 * try (ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
 *     Data.exportArrayStream(allocator, reader, stream);
 *     problem.sourceArrow(stream.memoryAddress(), "stay", "age", "ward");
 * }
 * }</pre>
 *
 * <p>Who releases: a stream is consumed on success, so its {@code close()} then frees the structure
 * alone. On failure it is the caller's as before, but for what was read of it. A batch and its
 * schema are borrowed during the call. Rows are copied, but for a single batch whose features are
 * one column of doubles, or of fixed-size lists of them: Arrow's memory is then kept until the
 * sample is replaced or the problem closed, so close the problem before the allocator.
 *
 * <p>Threads: Arrow is called back during the call, in its thread. What was kept is released in the
 * thread that replaces the sample or closes the problem, or, where a call is still running, at its
 * end; of a problem that was forgotten, in a thread of the collector.
 *
 * <p>Errors: a null address is {@link DpaException#INVALID_ARGUMENT}, as a column that is missing;
 * damage is {@link DpaException#FORMAT} as far as it can be seen; a type that cannot be read is
 * {@link DpaException#UNSUPPORTED}; a failing stream is {@link DpaException#CALLBACK}. Any other
 * number that is no address ends the virtual machine.
 */
public final class Arrow {
    private Arrow() {}

    /**
     * Makes a stream of one batch, where there is no reader.
     *
     * @param schema address of an ArrowSchema, which is moved into the stream
     * @param batch address of an ArrowArray, which is moved into the stream
     * @param stream address of an ArrowArrayStream, which is filled; release it, unless it is
     *     consumed
     */
    public static void stream(long schema, long batch, long stream) {
        Native.dpa_arrow_stream(schema, batch, stream);
    }
}

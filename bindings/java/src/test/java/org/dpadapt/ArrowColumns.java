package org.dpadapt;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.LongConsumer;
import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.Types.MinorType;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.util.TransferPair;

/** Columns of Arrow for tests. Closing them throws if some of their memory was not released. */
final class ArrowColumns implements AutoCloseable {
    final BufferAllocator allocator = new RootAllocator();
    final DictionaryProvider.MapDictionaryProvider dictionaries =
            new DictionaryProvider.MapDictionaryProvider();

    /** How often a stream has closed its reader, which it does when it is released. */
    int closed;

    /** Whether a call that failed has left the stream to its caller. */
    boolean isLeft;

    /** The message with which reading fails; null if it does not. */
    String failure;

    interface Batch {
        void use(long schema, long batch);
    }

    /** NaN is a null. */
    Float8Vector doubles(String name, double... values) {
        Float8Vector vector = new Float8Vector(name, allocator);
        for (int i = 0; i < values.length; i++) {
            if (Double.isNaN(values[i])) vector.setNull(i);
            else vector.setSafe(i, values[i]);
        }
        vector.setValueCount(values.length);
        return vector;
    }

    Float4Vector floats(String name, double... values) {
        Float4Vector vector = new Float4Vector(name, allocator);
        for (int i = 0; i < values.length; i++) vector.setSafe(i, (float) values[i]);
        vector.setValueCount(values.length);
        return vector;
    }

    BigIntVector integers(String name, long... values) {
        BigIntVector vector = new BigIntVector(name, allocator);
        for (int i = 0; i < values.length; i++) vector.setSafe(i, values[i]);
        vector.setValueCount(values.length);
        return vector;
    }

    BitVector booleans(String name, boolean... values) {
        BitVector vector = new BitVector(name, allocator);
        for (int i = 0; i < values.length; i++) vector.setSafe(i, values[i] ? 1 : 0);
        vector.setValueCount(values.length);
        return vector;
    }

    /** Null is a null. */
    VarCharVector texts(String name, String... values) {
        VarCharVector vector = new VarCharVector(name, allocator);
        for (int i = 0; i < values.length; i++) {
            if (values[i] == null) vector.setNull(i);
            else vector.setSafe(i, values[i].getBytes(StandardCharsets.UTF_8));
        }
        vector.setValueCount(values.length);
        return vector;
    }

    /** Rows as they lie in memory. */
    FixedSizeListVector lists(String name, int columns, double... values) {
        FixedSizeListVector list = FixedSizeListVector.empty(name, columns, allocator);
        FieldType type = FieldType.notNullable(MinorType.FLOAT8.getType());
        Float8Vector numbers = (Float8Vector) list.addOrGetVector(type).getVector();
        for (int i = 0; i < values.length; i++) numbers.setSafe(i, values[i]);
        numbers.setValueCount(values.length);
        for (int i = 0; i < values.length / columns; i++) list.setNotNull(i);
        list.setValueCount(values.length / columns);
        return list;
    }

    /** The batch and its schema, exported, borrowed by the call and released once. */
    void batch(Batch call, FieldVector... columns) {
        try (VectorSchemaRoot root = VectorSchemaRoot.of(columns);
                ArrowSchema schema = ArrowSchema.allocateNew(allocator);
                ArrowArray batch = ArrowArray.allocateNew(allocator)) {
            Data.exportVectorSchemaRoot(allocator, root, dictionaries, batch, schema);
            try {
                call.use(schema.memoryAddress(), batch.memoryAddress());
            } finally {
                schema.release();
                batch.release();
            }
        }
    }

    /**
     * Some rows of a batch, as others slice: by an offset of the batch, or by one of each column.
     * Java itself exports none.
     */
    void slice(int begin, int rows, boolean byColumn, Batch call, FieldVector... columns) {
        batch(
                (schema, at) -> {
                    ArrowArray batch = ArrowArray.wrap(at);
                    long children = batch.snapshot().children;
                    for (int j = 0; byColumn && j < columns.length; j++)
                        cut(ArrowArray.wrap(MemoryUtil.getLong(children + 8L * j)), begin, rows);
                    cut(batch, byColumn ? 0 : begin, rows);
                    call.use(schema, at);
                },
                columns);
    }

    private static void cut(ArrowArray array, int begin, int rows) {
        ArrowArray.Snapshot all = array.snapshot();
        all.offset = begin;
        all.length = rows;
        all.null_count = -1; // not counted
        array.save(all);
    }

    /** The rows from begin on, in vectors of Java's own slices, which share memory. */
    FieldVector[] parts(int begin, int rows, FieldVector... columns) {
        FieldVector[] parts = new FieldVector[columns.length];
        for (int j = 0; j < columns.length; j++) {
            TransferPair pair = columns[j].getTransferPair(allocator);
            pair.splitAndTransfer(begin, rows);
            parts[j] = (FieldVector) pair.getTo();
            columns[j].close();
        }
        return parts;
    }

    /** A stream of one batch, which the call consumes. */
    void oneBatch(LongConsumer call, FieldVector... columns) {
        try (VectorSchemaRoot root = VectorSchemaRoot.of(columns);
                ArrowSchema schema = ArrowSchema.allocateNew(allocator);
                ArrowArray batch = ArrowArray.allocateNew(allocator);
                ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
            Data.exportVectorSchemaRoot(allocator, root, dictionaries, batch, schema);
            Arrow.stream(
                    schema.memoryAddress(), batch.memoryAddress(), stream.memoryAddress());
            try {
                call.accept(stream.memoryAddress());
            } catch (DpaException e) {
                stream.release(); // it is still the caller's
                throw e;
            }
        }
    }

    /** A stream of batches of that many rows, read from Arrow's own format. */
    void batches(int rows, LongConsumer call, FieldVector... columns) throws IOException {
        byte[] bytes = bytes(rows, columns);
        ArrowStreamReader reader =
                new ArrowStreamReader(new ByteArrayInputStream(bytes), allocator) {
                    @Override
                    public boolean loadNextBatch() throws IOException {
                        if (failure != null) throw new IOException(failure);
                        return super.loadNextBatch();
                    }

                    @Override
                    public void close() throws IOException {
                        closed++;
                        super.close();
                    }
                };
        try (ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
            Data.exportArrayStream(allocator, reader, stream);
            try {
                call.accept(stream.memoryAddress());
            } catch (DpaException e) {
                isLeft = closed == 0;
                if (isLeft) stream.release();
                throw e;
            }
        }
    }

    private byte[] bytes(int rows, FieldVector... columns) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (VectorSchemaRoot all = VectorSchemaRoot.of(columns);
                VectorSchemaRoot part = VectorSchemaRoot.create(all.getSchema(), allocator);
                ArrowStreamWriter writer = new ArrowStreamWriter(part, dictionaries, bytes)) {
            writer.start();
            for (int begin = 0; begin < all.getRowCount(); begin += rows) {
                int end = Math.min(all.getRowCount(), begin + rows);
                for (int k = 0; k < columns.length; k++) {
                    part.getVector(k).reset();
                    for (int i = begin; i < end; i++)
                        part.getVector(k).copyFromSafe(i, i - begin, columns[k]);
                }
                part.setRowCount(end - begin);
                writer.writeBatch();
            }
            writer.end();
        }
        return bytes.toByteArray();
    }

    @Override
    public void close() {
        allocator.close();
    }
}

package org.dpadapt.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a file may hold where Spark expects a vector: that row is missing, and no other. */
class DamagedVectorTest {
    private static final byte SPARSE = 0;
    private static final byte DENSE = 1;
    private static final int COUNT = 3;
    private static final double NOTHING = Double.NaN;

    static Stream<InternalRow> damaged() {
        return Stream.of(
                null,
                vector(SPARSE, COUNT, array(3), array(5.0)),
                vector(SPARSE, COUNT, array(-1), array(5.0)),
                vector(SPARSE, COUNT, array(Integer.MAX_VALUE), array(5.0)),
                vector(SPARSE, COUNT, array(0), array(5.0, 6.0)),
                vector(SPARSE, COUNT, array(0, 1), array(5.0, null)),
                vector(SPARSE, COUNT, array(0, null), array(5.0, 6.0)),
                vector(SPARSE, COUNT, null, array(5.0)),
                vector(SPARSE, COUNT, array(0), null),
                vector(SPARSE, COUNT + 1, array(0), array(5.0)),
                vector(DENSE, null, null, array(5.0, 6.0)),
                vector(DENSE, null, null, array(5.0, 6.0, null)),
                vector(DENSE, null, null, null));
    }

    private static InternalRow vector(
            byte kind, Integer size, GenericArrayData places, GenericArrayData values) {
        return new GenericInternalRow(new Object[] {kind, size, places, values});
    }

    private static GenericArrayData array(Object... values) {
        return new GenericArrayData(values);
    }

    @ParameterizedTest
    @MethodSource
    void damaged(InternalRow vector) {
        double[] rows = new double[COUNT * 3];
        read(vector, rows, COUNT);
        assertArrayEquals(new double[] {0, 0, 0, NOTHING, NOTHING, NOTHING, 0, 0, 0}, rows);
    }

    @ParameterizedTest
    @MethodSource
    void whole(InternalRow vector) {
        double[] rows = new double[COUNT];
        read(vector, rows, 0);
        assertArrayEquals(new double[] {0, 5, 6}, rows);
    }

    static Stream<InternalRow> whole() {
        return Stream.of(
                vector(SPARSE, COUNT, array(2, 1), array(6.0, 5.0)),
                vector(DENSE, null, null, array(0.0, 5.0, 6.0)));
    }

    private static void read(InternalRow vector, double[] to, int begin) {
        Features.of(new String[0], "features")
                .read(new GenericInternalRow(new Object[] {vector}), to, begin, COUNT);
    }
}

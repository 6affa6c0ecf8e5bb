package org.dpadapt.spark;

import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.storage.StorageLevel;
import org.dpadapt.Pass;

/**
 * Rows in their partitions. A pass is one job: the request goes out as a broadcast, a sum
 * comes back from each task. What a task returns is counted once, however often it was tried.
 */
final class ClusterRows implements Pass, AutoCloseable {
    /** Sums of more partitions are merged by tasks before they reach the driver. */
    private static final int FLAT = 64;

    private final JavaSparkContext context;
    private final JavaRDD<Block> blocks;
    private final int columns;
    private Contents contents;

    /** Of a dataset with the columns that are read. */
    ClusterRows(Dataset<?> data, RowReader reader, boolean persists) {
        context = JavaSparkContext.fromSparkContext(data.sparkSession().sparkContext());
        columns = reader.columns();
        Dataset<?> rows = reader.select(data);
        RowReader reads = reader.in(rows.schema());
        JavaRDD<InternalRow> all = rows.queryExecution().toRdd().toJavaRDD();
        blocks = all.mapPartitions(reads::blocks);
        if (persists) blocks.persist(StorageLevel.MEMORY_AND_DISK());
    }

    /** Number of rows. */
    long count() {
        return contents().rows;
    }

    /** Of the rows as they are at first, before any of them is counted in a sum. */
    private Contents contents() {
        if (contents == null)
            contents =
                    blocks.mapPartitions(part -> List.of(Contents.of(part)).iterator())
                            .fold(new Contents(0, 0), Contents::and);
        return contents;
    }

    @Override
    public byte[] carryOut(byte[] request) {
        int columns = this.columns;
        long digest = contents().digest;
        Broadcast<byte[]> asked = context.broadcast(request);
        try {
            JavaRDD<Sum> sums =
                    blocks.mapPartitions(
                            part -> List.of(Sum.of(asked.value(), part, columns)).iterator());
            Sum all = sums.treeReduce((a, b) -> a.and(b, asked.value()), depth());
            if (digest != all.digest)
                throw new IllegalStateException(
                        "the rows changed from one pass to the next, so that they could count"
                                + " twice: persist or checkpoint the dataset");
            return all.partial;
        } finally {
            asked.destroy();
        }
    }

    private int depth() {
        return blocks.getNumPartitions() > FLAT ? 2 : 1;
    }

    @Override
    public void close() {
        blocks.unpersist(false);
    }
}

package org.dpadapt.spark;

import java.io.Serializable;
import java.util.Iterator;
import org.apache.spark.TaskContext;
import org.dpadapt.Partial;

/** The sum over some partitions, and the digest of their rows. */
final class Sum implements Serializable {
    private static final long serialVersionUID = 1L;

    final byte[] partial;
    final long digest;

    private Sum(Partial sum, long digest) {
        this.partial = sum.serialize();
        this.digest = digest;
    }

    /** Of the partition of this task, whose number says that it is counted once. */
    static Sum of(byte[] request, Iterator<Block> blocks, int columns) {
        try (Partial sum = new Partial(request)) {
            sum.name(TaskContext.getPartitionId());
            long digest = 0;
            while (blocks.hasNext()) {
                Block block = blocks.next();
                sum.add(block.x, columns, block.y);
                digest += block.digest();
            }
            return new Sum(sum, digest);
        }
    }

    Sum and(Sum other, byte[] request) {
        try (Partial both = new Partial(request)) {
            return new Sum(both.merge(partial).merge(other.partial), digest + other.digest);
        }
    }
}

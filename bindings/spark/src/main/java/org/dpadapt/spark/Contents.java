package org.dpadapt.spark;

import java.io.Serializable;
import java.util.Iterator;

/** How many rows there are, and their digest. */
final class Contents implements Serializable {
    private static final long serialVersionUID = 1L;

    final long rows;
    final long digest;

    Contents(long rows, long digest) {
        this.rows = rows;
        this.digest = digest;
    }

    static Contents of(Iterator<Block> blocks) {
        long rows = 0;
        long digest = 0;
        while (blocks.hasNext()) {
            Block block = blocks.next();
            rows += block.y.length;
            digest += block.digest();
        }
        return new Contents(rows, digest);
    }

    Contents and(Contents other) {
        return new Contents(rows + other.rows, digest + other.digest);
    }
}

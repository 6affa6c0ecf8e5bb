package org.dpadapt.spark;

import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.param.StringArrayParam;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Parameters that both stages have. */
final class Columns {
    private Columns() {}

    static Param<String> featuresCol(Params stage) {
        return new Param<>(stage, "featuresCol", "column of vectors of features");
    }

    static StringArrayParam featureCols(Params stage) {
        return new StringArrayParam(
                stage, "featureCols", "columns of numbers that are the features, not vectors");
    }

    static Param<String> predictionCol(Params stage) {
        return new Param<>(stage, "predictionCol", "column of predictions");
    }

    /** A schema with the column of predictions, which it must not have. */
    static StructType with(StructType schema, String prediction) {
        if (schema.getFieldIndex(prediction).isDefined())
            throw new IllegalArgumentException("there is a column " + prediction + " already");
        return schema.add(prediction, DataTypes.DoubleType, true);
    }

    static String[] texts(Map<String, String> options) {
        return new TreeMap<>(options)
                .entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue())
                        .toArray(String[]::new);
    }
}

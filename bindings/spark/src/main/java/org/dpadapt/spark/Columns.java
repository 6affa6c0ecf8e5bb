package org.dpadapt.spark;

import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.param.StringArrayParam;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/** Parameters that both stages have. */
final class Columns {
    private Columns() {}

    static Param<String> featuresCol(Params stage) {
        return new Param<>(stage, "featuresCol", "column of vectors of features");
    }

    static StringArrayParam featureCols(Params stage) {
        return new StringArrayParam(
                stage, "featureCols", "columns of numbers or texts that are the features");
    }

    static Param<String> predictionCol(Params stage) {
        return new Param<>(stage, "predictionCol", "column of predictions");
    }

    static Param<String> predictedLabelCol(Params stage) {
        return new Param<>(
                stage, "predictedLabelCol", "column of predicted labels as the source writes them");
    }

    /** A schema with another column, which it must not have. */
    static StructType with(StructType schema, String name, DataType type) {
        if (schema.getFieldIndex(name).isDefined())
            throw new IllegalArgumentException("there is a column " + name + " already");
        return schema.add(name, type, true);
    }

    /** Labels have texts by a schema only. */
    static void checkLabels(RowReader reader) {
        if (!(reader instanceof CodedRows))
            throw new IllegalArgumentException(
                    "predictedLabelCol needs texts among the source's features or labels");
    }

    static String[] texts(Map<String, String> options) {
        return new TreeMap<>(options)
                .entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue())
                        .toArray(String[]::new);
    }
}

import java.nio.file.Path;
import org.dpadapt.*;

/** Formulas.java ROWS MODEL...: predictions of each model in hexadecimal digits, a line each. */
public class Formulas {
    public static void main(String[] given) throws Exception {
        for (int k = 1; k < given.length; ++k) {
            Path path = Path.of(given[k]);
            try (Schema schema = Schema.load(path);
                 Solution solution = Solution.load(path);
                 Table rows = Table.readCsv(Path.of(given[0]))) {
                boolean classes = schema.knownLabels().contains("dead");
                double[] x = schema.features(rows);
                System.out.println(path);
                for (double value : classes ? solution.probabilities(x) : solution.predict(x))
                    System.out.println(Double.toHexString(value));
            }
        }
    }
}

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.GZIPInputStream;
import org.dpadapt.Baseline;
import org.dpadapt.Options;
import org.dpadapt.Problem;
import org.dpadapt.Solution;

/**
 * Domain adaptation on the Irish wind data: java -cp dpadapt.jar WindDemo.java wind.csv.gz
 *
 * <p>Wanted: the wind speed at Malin Head in January from the speeds at 11 other stations. Of
 * January 158 labelled days are at hand (the target), of the rest of the year 6016 (the source);
 * 400 days of January are the test. Shown is the mean squared error of 10 random splits relative to
 * training on the target alone. The splits are fitted side by side in an executor. Errors of fits
 * with and without privacy may stand side by side only because all days are public.
 */
public class WindDemo {
    private static final int FEATURES = 11;
    private static final int FIRST_FEATURE = 4;
    private static final int TRAINING_DAYS = 158;
    private static final int SPLITS = 10;
    private static final String[] METHODS = {
        "target only", "source only", "pooled", "adapted", "private, epsilon = 1"
    };

    /** Days with the speeds at the other stations, and the speed at Malin Head last. */
    private static double[][] read(Path file, String domain) throws IOException {
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(new GZIPInputStream(Files.newInputStream(file))))) {
            return lines.lines()
                    .filter(line -> line.startsWith(domain))
                    .map(line -> Arrays.stream(line.split(",")).skip(FIRST_FEATURE))
                    .map(fields -> fields.mapToDouble(Double::parseDouble).toArray())
                    .toArray(double[][]::new);
        }
    }

    private static double[][] features(double[][] days) {
        return Arrays.stream(days)
                .map(day -> Arrays.copyOf(day, FEATURES))
                .toArray(double[][]::new);
    }

    private static double[] labels(double[][] days) {
        return Arrays.stream(days).mapToDouble(day -> day[FEATURES]).toArray();
    }

    private static double error(Solution solution, double[][] days) {
        double[] predicted = solution.predict(features(days));
        double sum = 0;
        for (int i = 0; i < days.length; i++) sum += Math.pow(predicted[i] - days[i][FEATURES], 2);
        return sum / days.length;
    }

    private static double[] errors(double[][] source, double[][] january, int split) {
        List<double[]> days = new ArrayList<>(Arrays.asList(january));
        Collections.shuffle(days, new Random(split));
        double[][] training = days.subList(0, TRAINING_DAYS).toArray(double[][]::new);
        double[][] test = days.subList(TRAINING_DAYS, days.size()).toArray(double[][]::new);
        Options open = new Options().set("private_domain", "none");
        Options budget = new Options().set("epsilon", 1).set("delta", 0.01);
        try (Problem problem =
                        new Problem()
                                .source(features(source), labels(source))
                                .target(features(training), labels(training));
                Solution targetOnly = Baseline.solve(problem, "target_only", open);
                Solution sourceOnly = Baseline.solve(problem, "source_only", open);
                Solution pooled = Baseline.solve(problem, "pooled", open);
                Solution adapted = problem.solve(open);
                Solution guaranteed = problem.solve(budget)) {
            return new double[] {
                error(targetOnly, test),
                error(sourceOnly, test),
                error(pooled, test),
                error(adapted, test),
                error(guaranteed, test)
            };
        }
    }

    /** Reads the data, fits all splits, prints the table. */
    public static void main(String[] arguments)
            throws IOException, InterruptedException, ExecutionException {
        double[][] source = read(Path.of(arguments[0]), "source");
        double[][] january = read(Path.of(arguments[0]), "target");
        double[] mean = new double[METHODS.length];
        ExecutorService executor = Executors.newFixedThreadPool(2);
        List<Future<double[]>> splits = new ArrayList<>();
        for (int i = 0; i < SPLITS; i++) {
            int split = i;
            splits.add(executor.submit(() -> errors(source, january, split)));
        }
        executor.shutdown();
        for (Future<double[]> split : splits) {
            double[] errors = split.get();
            for (int k = 0; k < mean.length; k++) mean[k] += errors[k] / errors[0] / SPLITS;
        }
        for (int k = 0; k < mean.length; k++) System.out.printf("%-22s%.3f%n", METHODS[k], mean[k]);
    }
}

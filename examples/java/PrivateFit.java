import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.dpadapt.*;

/**
 * A private fit from the plan to a saved solution: many public rows, fewer private ones of another
 * law.
 */
public class PrivateFit {
    private static final int FEATURES = 3;

    private record Sample(double[] x, double[] y) {}

    private static Sample draw(int rows, double constant, Random random) {
        double[] x = new double[rows * FEATURES];
        double[] y = new double[rows];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < FEATURES; j++) x[i * FEATURES + j] = random.nextGaussian();
            y[i] = 2 * x[i * FEATURES] - x[i * FEATURES + 1] + constant + random.nextGaussian();
        }
        return new Sample(x, y);
    }

    /** On private rows that are in no fit: released with noise, and paid for. */
    private static double error(Solution fit, Sample rows, Options options) {
        try (Problem problem = new Problem().target(rows.x(), FEATURES, rows.y());
                Evaluation found = problem.evaluate(List.of(fit), options)) {
            Evaluation.Measure first = found.measures().get(0);
            System.out.printf(
                    "%s on private rows: %.2f [%.2f, %.2f], with the true law 1.00%n",
                    first.name(), first.estimate(), first.lower(), first.upper());
            return first.estimate();
        }
    }

    public static void main(String[] arguments) throws IOException {
        Random random = new Random(1);
        Sample source = draw(20000, 0, random);
        Sample target = draw(4000, 2, random), later = draw(4000, 2, random);
        Options options = new Options().set("epsilon", 1).set("delta", 1e-6);
        Path file = Files.createTempFile("fit", ".dpadapt");
        try (Problem problem =
                new Problem()
                        .source(source.x(), FEATURES, source.y())
                        .target(target.x(), FEATURES, target.y())) {
            try (Plan plan = problem.plan(options)) {
                System.out.printf("noise of a step: %.1f times what a record can change%n",
                        plan.value("noise_multiplier"));
            }
            try (Solution fit = problem.solve(options)) {
                System.out.println(fit.privacyReport(Report.TEXT));
                fit.save(file);
            }
        }
        try (Solution loaded = Solution.load(file)) {
            double error = error(loaded, later, options);
            if (error > 1.5) throw new AssertionError("the target was not found");
        } finally {
            Files.delete(file);
        }
    }
}

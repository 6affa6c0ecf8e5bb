import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.dpadapt.Options;
import org.dpadapt.Problem;
import org.dpadapt.Solution;

/**
 * The Java side of exchange.R: Exchange MODEL ROWS THEIRS OURS PREDICTED. Predicts the rows with
 * the model of another language into THEIRS; fits their labels, saves that as OURS and its
 * predictions as PREDICTED.
 */
public class Exchange {
    private static double[] read(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder());
        double[] numbers = new double[bytes.remaining() / Double.BYTES];
        bytes.asDoubleBuffer().get(numbers);
        return numbers;
    }

    private static void write(Path file, double[] numbers) throws IOException {
        ByteBuffer bytes =
                ByteBuffer.allocate(Double.BYTES * numbers.length).order(ByteOrder.nativeOrder());
        bytes.asDoubleBuffer().put(numbers);
        Files.write(file, bytes.array());
    }

    /** Runs once. */
    public static void main(String[] arguments) throws IOException {
        Path[] files = new Path[arguments.length];
        for (int i = 0; i < files.length; i++) files[i] = Path.of(arguments[i]);
        double[] rows = read(files[1]);
        try (Solution theirs = Solution.load(files[0])) {
            double[] labels = theirs.predict(rows);
            write(files[2], labels);
            Options options = new Options().set("private_domain", "none").set("loss", "huber");
            try (Problem problem =
                            new Problem()
                                    .source(rows, theirs.features(), labels)
                                    .target(rows, theirs.features(), labels);
                    Solution ours = problem.solve(options)) {
                ours.save(files[3]);
                write(files[4], ours.predict(rows));
            }
        }
    }
}

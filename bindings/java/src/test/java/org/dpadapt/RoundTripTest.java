package org.dpadapt;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Java and C on the wind data: the same bits, and each reads what the other saved. */
class RoundTripTest {
    private static final Path WIND = Path.of("../../tests/data/wind.csv.gz");
    private static final int FIRST_FEATURE = 4;
    private static final int FEATURES = 11;
    private static final String PROGRAM = System.getProperty("dpadapt.program");

    @TempDir Path folder;

    private record Sample(double[] x, double[] y) {
        static Sample read(String domain) throws IOException {
            try (BufferedReader lines =
                    new BufferedReader(
                            new InputStreamReader(
                                    new GZIPInputStream(Files.newInputStream(WIND))))) {
                List<double[]> rows =
                        lines.lines()
                                .filter(line -> line.startsWith(domain))
                                .map(line -> line.split(","))
                                .map(Sample::numbers)
                                .toList();
                return new Sample(
                        rows.stream().flatMapToDouble(r -> Arrays.stream(r, 0, FEATURES)).toArray(),
                        rows.stream().mapToDouble(r -> r[FEATURES]).toArray());
            }
        }

        private static double[] numbers(String[] fields) {
            return Arrays.stream(fields)
                    .skip(FIRST_FEATURE)
                    .mapToDouble(Double::parseDouble)
                    .toArray();
        }
    }

    private static void write(Path file, double[] numbers) throws IOException {
        ByteBuffer bytes =
                ByteBuffer.allocate(Double.BYTES * numbers.length).order(ByteOrder.nativeOrder());
        bytes.asDoubleBuffer().put(numbers);
        Files.write(file, bytes.array());
    }

    private static double[] read(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder());
        double[] numbers = new double[bytes.remaining() / Double.BYTES];
        bytes.asDoubleBuffer().get(numbers);
        return numbers;
    }

    /** Runs the program and returns its numbers. */
    private double[] c(String verb, String model, List<String> options) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                PROGRAM,
                                verb,
                                folder.resolve("data").toString(),
                                folder.resolve(model).toString(),
                                folder.resolve("numbers").toString()));
        command.addAll(options);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), output);
        return read(folder.resolve("numbers"));
    }

    private static double[] joined(double[]... parts) {
        return Arrays.stream(parts).flatMapToDouble(Arrays::stream).toArray();
    }

    private static double[] numbers(Solution solution, double[] x) {
        return joined(solution.intercept(), solution.coefficients(), solution.predict(x));
    }

    private void sameInBothLanguages(String... settings) throws Exception {
        assumeTrue(!PROGRAM.isEmpty(), "no C program is named by dpadapt.program");
        Sample source = Sample.read("source");
        Sample target = Sample.read("target");
        double[] sizes = {source.y.length, target.y.length, FEATURES};
        write(folder.resolve("data"), joined(sizes, source.x, source.y, target.x, target.y));
        Options options = new Options();
        for (String setting : settings)
            options.parse(setting.split("=")[0], setting.split("=")[1]);
        try (Problem problem =
                        new Problem()
                                .source(source.x, FEATURES, source.y)
                                .target(target.x, FEATURES, target.y);
                Solution solution = problem.solve(options)) {
            double[] expected = numbers(solution, target.x);
            assertArrayEquals(expected, c("fit", "of_c", List.of(settings)));
            try (Solution predictor = Solution.fromBytes(solution.predictorToBytes())) {
                assertArrayEquals(solution.predict(target.x), predictor.predict(target.x));
                assertEquals(solution.digest(), predictor.digest());
                assertEquals(64, solution.digest().length());
            }
            solution.save(folder.resolve("of_java"));
            assertArrayEquals(expected, c("predict", "of_java", List.of()));
            try (Solution read = Solution.load(folder.resolve("of_c"))) {
                assertArrayEquals(expected, numbers(read, target.x));
                assertArrayEquals(solution.toBytes(), read.toBytes());
            }
        }
    }

    @Test
    void convexForm() throws Exception {
        sameInBothLanguages("private_domain=none");
        sameInBothLanguages("private_domain=none", "kappa_2=100", "alpha=0.3", "threads=2");
    }

    @Test
    void generalForm() throws Exception {
        sameInBothLanguages("private_domain=none", "loss=huber", "preprocess=whiten");
        sameInBothLanguages("private_domain=none", "loss=pinball", "quantile_level=0.9");
    }

    /** The noise of a seed, which is for tests only, is the same as well. */
    @Test
    void privateFit() throws Exception {
        sameInBothLanguages("epsilon=1", "delta=0.001", "unsafe_seed=7");
    }
}

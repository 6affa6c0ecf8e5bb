import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.dpadapt.*;

/**
 * AnySystem.java FOLDER: fits, files, ledgers and exceptions of the jar on any system; prints what
 * must be the same on all of them. The folder is empty.
 */
public class AnySystem {
    static final int FEATURES = 3;

    static double[][] draw(int rows, double constant, long seed) {
        Random random = new Random(seed);
        double[] x = new double[rows * FEATURES];
        double[] y = new double[rows];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < FEATURES; j++) x[i * FEATURES + j] = random.nextGaussian();
            y[i] = 2 * x[i * FEATURES] - x[i * FEATURES + 1] + constant + random.nextGaussian();
        }
        return new double[][] {x, y};
    }

    static Problem problem() {
        double[][] source = draw(2000, 0, 1), target = draw(500, 2, 2);
        return new Problem()
                .source(source[0], FEATURES, source[1])
                .target(target[0], FEATURES, target[1]);
    }

    static Options budget(double epsilon) {
        return new Options().set("epsilon", epsilon).set("delta", 1e-6);
    }

    static void check(boolean holds, String what) {
        if (!holds) throw new AssertionError(what);
    }

    /** What it throws, whose code must be that one. */
    static void refused(int code, Runnable call) {
        try {
            call.run();
        } catch (DpaException e) {
            check(e.code() == code && !e.getMessage().isBlank(), e.toString());
            return;
        }
        throw new AssertionError("no exception of code " + code);
    }

    static void fits(Path folder) throws IOException {
        Path file = folder.resolve("Modell für Köln.dpadapt");
        double[] rows = draw(5, 2, 3)[0];
        try (Problem problem = problem();
                Solution open = problem.solve(new Options().set("private_domain", "none"));
                Solution fit = problem.solve(budget(1).set("unsafe_seed", 7))) {
            System.out.printf("without privacy %.9f%n", open.predict(rows)[0]);
            System.out.printf("with a seed %.9f%n", fit.predict(rows)[0]);
            fit.save(file);
            try (Solution again = Solution.load(file)) {
                check(Arrays.equals(again.predict(rows), fit.predict(rows)), "another fit");
            }
        }
        Files.writeString(file, "no model");
        try {
            Solution.load(file).close();
            throw new AssertionError("that was no model");
        } catch (DpaException e) {
            System.out.println("refused: " + (e.code() == DpaException.FORMAT));
        }
    }

    static void pay(Ledger ledger, double epsilon) {
        try (Problem problem = problem()) {
            problem.use(ledger);
            problem.solve(budget(epsilon)).close();
        }
    }

    static void ledgers(Path folder) {
        Path file = folder.resolve("bücher.ledger");
        try (Ledger made = Ledger.create(file, budget(1), false)) {
            pay(made, 0.6);
        }
        try (Ledger again = Ledger.open(file)) {
            refused(DpaException.BUDGET, () -> pay(again, 0.9));
            pay(again, 0.1);
            refused(DpaException.STORE, () -> Ledger.create(file, budget(1), false));
            System.out.println("blocks of the ledger: " + again.serialize().length / 4096);
        }
        refused(DpaException.STORE, () -> Ledger.open(folder.resolve("missing")));
        refused(DpaException.OPTION, () -> new Options().set("epsilon", -1));
    }

    /** Windows keeps what is loaded; elsewhere nothing of the unpacked libraries stays. */
    static List<Path> unpacked() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return files.filter(file -> file.getFileName().toString().startsWith("dpadapt-native-"))
                        .toList();
        }
    }

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        boolean isWindows = System.getProperty("os.name").startsWith("Windows");
        // As a process of Windows leaves it that has ended.
        Path old = Path.of(System.getProperty("java.io.tmpdir"), "dpadapt-native-old");
        if (isWindows) {
            Files.writeString(Files.createDirectory(old).resolve("old.dll"), "");
            Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
        }
        System.out.println(Dpadapt.version());
        check(!Files.exists(old), "an old folder stays");
        fits(folder);
        ledgers(folder);
        check(unpacked().size() == (isWindows ? 1 : 0), "unpacked: " + unpacked());
        if (!isWindows) {
            String mapped = Files.readString(Path.of("/proc/self/maps"));
            check(mapped.contains("libscipy_openblas"), "not the OpenBLAS of the jar");
            check(!mapped.contains("libsodium") && !mapped.contains("libopenblas"), mapped);
        }
    }
}

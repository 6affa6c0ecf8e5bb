import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.dpadapt.*;

/** Models.java COMMAND FOLDER: Java and the command read each other's models. */
public class Models {
    static Path folder;

    static Path table(String name, int shift) throws Exception {
        List<String> lines = new ArrayList<>(List.of("age,colour,outcome"));
        for (int k = 0; k < 200; k++) {
            int age = 20 + k * 7 % 31 + shift;
            String shown = k % 6 == 0 ? "nk" : k % 9 == 0 ? "" : "" + age;
            String outcome = k % 7 == 0 ? "" : age + k % 3 * 9 > 40 ? "dead" : "live";
            lines.add(shown + "," + List.of("red", "green", "blue").get(k % 3) + "," + outcome);
        }
        return Files.write(folder.resolve(name), lines);
    }

    static List<String> run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT)
                                                     .start();
        List<String> lines = process.inputReader().lines().toList();
        if (process.waitFor() != 0) throw new AssertionError(Arrays.toString(command));
        return lines;
    }

    static void same(String command, Path model, Path data) throws Exception {
        List<String> expected = run(command, "predict", "--model", "" + model, "--data", "" + data);
        try (Schema schema = Schema.load(model); Solution predictor = Solution.load(model);
             Table rows = Table.readCsv(data)) {
            String[] found = schema.labelTexts(predictor.predict(schema.features(rows)));
            if (!expected.subList(1, expected.size()).equals(Arrays.asList(found)))
                throw new AssertionError(expected + " but " + Arrays.toString(found));
        }
        if (expected.stream().distinct().count() != 3) throw new AssertionError("not two classes");
    }

    /** The records of a private file: what one line holds, the other reader must find too. */
    static void sameRecords(String command, Path source, String... lines) throws Exception {
        Path odd = folder.resolve("odd.csv");
        Files.writeString(odd, String.join("\n", lines));
        List<String> fit = run(command, "fit", "--source", "" + source, "--target", "" + odd,
                               "--label", "outcome", "--loss", "logistic", "--missing", "nk",
                               "--epsilon", "8", "--delta", "1e-3", "--alpha", "0.2",
                               "--set", "unsafe_seed=5", "--json");
        String list = fit.get(0).split("\"coefficients\":\\[", 2)[1].split("\\]")[0];
        double[] expected = Arrays.stream(list.split(",")).mapToDouble(Double::parseDouble)
                                                         .toArray();
        Options options = new Options().loss(Options.LossChoice.LOGISTIC).epsilon(8).delta(1e-3)
                                       .alpha(0.2).unsafeSeed(5);
        try (Table known = Table.readCsv(source).missing("nk"); Table secret = Table.readCsv(odd);
             Schema schema = Schema.learn(known, "outcome", options);
             Problem problem = new Problem().source(schema, known).target(schema, secret);
             Solution solution = problem.solve(options)) {
            if (!Arrays.equals(expected, solution.coefficients()))
                throw new AssertionError(Arrays.toString(lines) + ": " + list + " but "
                                         + Arrays.toString(solution.coefficients()));
        }
    }

    static void oddFiles(String command, Path source) throws Exception {
        String row = "44,red,dead", other = "21,blue,live";
        sameRecords(command, source, "age,colour,outcome", row, other, row);
        sameRecords(command, source, "age,colour,outcome", row, other, row, "");
        sameRecords(command, source, "age,colour,outcome", row, other, row, "", "");
        sameRecords(command, source, "age,colour,outcome\r", row + "\r", other, row + "\r", "\r");
        sameRecords(command, source, "", " \t", "age,colour,outcome", row, "", other);
        sameRecords(command, source, "\uFEFFage,\"colour\", outcome ", " 44 , \"red\" ,dead", row);
        sameRecords(command, source, "age,colour,outcome", "44,\"red,dead", "44,re\"d,dead",
                    "\"44\",\"\"\"red\"\"\",dead", "44,\"red\"x,dead", "44,\"red\"\tx", other);
        sameRecords(command, source, "age,colour,outcome", "44,\"red\",\"dead\"", "\"44,red\",dead",
                    "44,red,dead,", "44,red\rx,dead", "44,red,dead\r\r", row);
        sameRecords(command, source, "age;colour;\"outcome\"", "44,5;red;dead", ",5;red;dead",
                    "4,;blue;live", "4,5,6;blue;live", "+3,5e1;blue;live");
        sameRecords(command, source, "age\tcolour\toutcome", "44\tred\tdead", "44\t \"red\" \tdead",
                    "\t\tlive", "44\tred\tdead\t");
    }

    public static void main(String[] arguments) throws Exception {
        String command = arguments[0];
        folder = Files.createDirectories(Path.of(arguments[1]));
        Path source = table("source.csv", 0), target = table("target.csv", 4);
        Path model = folder.resolve("model.json");
        run(command, "fit", "--source", "" + source, "--target", "" + target, "--label", "outcome",
            "--loss", "logistic", "--missing", "nk", "--set", "private_domain=none",
            "--output", "" + model);
        same(command, model, target);
        oddFiles(command, source);
        Options options = new Options().loss(Options.LossChoice.LOGISTIC).epsilon(1).delta(1e-4);
        Files.writeString(source, Files.readString(source).replace("nk", ""));
        try (Table known = Table.readCsv(source); Table secret = Table.readCsv(target);
             Schema schema = Schema.learn(known, "outcome", options);
             Problem problem = new Problem().source(schema, known).target(schema, secret);
             Solution solution = problem.solve(options)) {
            schema.save(solution, model);
        }
        Files.writeString(target, Files.readString(target).replace("nk", ""));
        same(command, model, target);
    }
}

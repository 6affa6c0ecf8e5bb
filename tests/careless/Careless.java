import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.dpadapt.*;

/** Careless.java FOLDER: the cases of cases.tsv; a line for each case and sentence. */
public class Careless {
    static double[] numbers(Path file, String column) throws Exception {
        List<String[]> lines =
                Files.readAllLines(file).stream().map(l -> l.split(",", -1)).toList();
        int at = List.of(lines.get(0)).indexOf(column);
        return IntStream.range(1, lines.size())
                .mapToDouble(i -> Double.parseDouble(lines.get(i)[at])).toArray();
    }

    static List<String> told(Path folder, String[] part) throws Exception {
        Options options = new Options();
        for (String pair : part[5].split(" ")) options.set(pair.split("=")[0], pair.split("=")[1]);
        Path source = folder.resolve(part[1]), target = folder.resolve(part[2]);
        try (Table known = Table.readCsv(source); Table secret = Table.readCsv(target)) {
            if (!part[4].equals("-")) known.ignore(part[4]);
            try (Schema schema = Schema.learn(known, part[3], options);
                 Problem problem = new Problem().source(schema, known).target(schema, secret)) {
                if (!part[4].equals("-"))
                    problem.sourceWeights(numbers(source, part[4]))
                           .targetWeights(numbers(target, part[4]));
                try (Solution solution = problem.solve(options)) {
                    return solution.findings(schema);
                }
            }
        }
    }

    public static void main(String[] folder) throws Exception {
        Path here = Path.of(folder[0]);
        for (String line : Files.readAllLines(here.resolve("cases.tsv"))) {
            String[] part = line.split("\t");
            List<String> found;
            try {
                found = told(here, part);
            } catch (DpaException e) {
                found = List.of(e.getMessage());
            }
            for (String sentence : found) System.out.println(part[0] + "\t" + sentence);
        }
    }
}

import java.nio.file.Path;
import org.dpadapt.*;

/** RawTables.java SOURCE TARGET LABEL LOSS MODEL: from raw CSV to a private report in ten lines. */
public class RawTables {
    public static void main(String[] given) throws Exception {
        Options options = new Options().epsilon(1).delta(1e-6).set("loss", given[3]);
        try (Table known = Table.readPublicCsv(Path.of(given[0]));
             Table secret = Table.readCsv(Path.of(given[1]));
             Schema schema = Schema.learn(known, given[2], options);
             Problem problem = new Problem().source(schema, known).target(schema, secret);
             Solution solution = problem.solve(options)) {
            System.out.println(solution.privacyReport(Report.TEXT));
            schema.save(solution, Path.of(given[4]));
        }
    }
}

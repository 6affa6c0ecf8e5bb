package org.dpadapt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every function of the library is bound, or listed with a reason. */
class BindingTest {
    private static Set<String> names(String file) throws IOException {
        return Files.readAllLines(Path.of("../..", file)).stream()
                .map(line -> line.split("\\s")[0])
                .filter(name -> name.startsWith("dpa_"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void nothingIsForgotten() throws IOException {
        Set<String> missing = names("cmake/abi/dpadapt.symbols");
        missing.removeAll(
                Arrays.stream(NativeJNI.class.getDeclaredMethods())
                        .map(Method::getName)
                        .toList());
        missing.removeAll(names("bindings/swig/unbound.txt"));
        assertEquals(Set.of(), missing);
    }

    /** What is bound is used by the classes of the package, or needless in Java. */
    @Test
    void nothingIsBoundInVain() throws IOException {
        StringBuilder sources = new StringBuilder();
        try (Stream<Path> files = Files.list(Path.of("src/main/java/org/dpadapt"))) {
            for (Path file : files.toList()) sources.append(Files.readString(file));
        }
        Set<String> unused =
                Arrays.stream(NativeJNI.class.getDeclaredMethods())
                        .map(Method::getName)
                        .filter(
                                name ->
                                        !sources.toString()
                                                .matches("(?s).*Native(\\.|::)" + name + "\\b.*"))
                        .collect(Collectors.toCollection(TreeSet::new));
        Set<String> needless =
                Set.of(
                        "dpa_last_error", // read by the glue
                        "dpa_status_string"); // constants of DpaException
        assertEquals(new TreeSet<>(needless), unused);
    }
}

package org.dpadapt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
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
                        .map(java.lang.reflect.Method::getName)
                        .toList());
        missing.removeAll(names("bindings/swig/unbound.txt"));
        assertEquals(Set.of(), missing);
    }
}

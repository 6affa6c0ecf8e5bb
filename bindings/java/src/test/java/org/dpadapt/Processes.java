package org.dpadapt;

import java.io.File;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Programs for what happens once in a process, or spoils it. */
final class Processes {
    private Processes() {}

    /** What the program prints, with the class path of the tests after that path, if there is one. */
    static String run(Class<?> program, Object path, String... options) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.add("-cp");
        command.add(path + File.pathSeparator + System.getProperty("java.class.path"));
        command.add(program.getName());
        // Errors are shown: later virtual machines warn there of native code.
        Process process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
        String output = new String(process.getInputStream().readAllBytes());
        process.waitFor();
        return output;
    }
}

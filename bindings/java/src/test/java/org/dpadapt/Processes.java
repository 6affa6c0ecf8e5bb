package org.dpadapt;

import java.io.File;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Programs for what happens once in a process, or spoils it. */
final class Processes {
    private Processes() {}

    /**
     * What the program prints, with the class path of the tests after that path, if there is
     * one.
     */
    static String run(Class<?> program, Object path, String... options) throws Exception {
        return run(Map.of(), program, path, options);
    }

    /** The same with these variables of the environment. */
    static String run(
            Map<String, String> environment, Class<?> program, Object path, String... options)
            throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.add("-cp");
        command.add(path + File.pathSeparator + System.getProperty("java.class.path"));
        command.add(program.getName());
        // Errors are shown: later virtual machines warn there of native code.
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes());
        process.waitFor();
        return output;
    }
}

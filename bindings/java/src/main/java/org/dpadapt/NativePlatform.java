package org.dpadapt;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The words for a system, its processor and its C library: folders of the jar, named by CMake. */
final class NativePlatform {
    /** All that a build can make; a jar has some of them. */
    static final List<String> ALL =
            List.of(
                    "linux-x86_64",
                    "linux-x86_64-musl",
                    "linux-aarch64",
                    "windows-x86_64",
                    "macos-x86_64",
                    "macos-aarch64");

    private NativePlatform() {}

    /** That of this virtual machine, such as linux-x86_64. */
    static String here() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String family =
                os.startsWith("windows") ? "windows" : os.startsWith("mac") ? "macos" : os;
        String arch = System.getProperty("os.arch");
        String name = family + "-" + (arch.equals("amd64") ? "x86_64" : arch);
        return family.equals("linux") && hasMusl() ? name + "-musl" : name;
    }

    static boolean isWindows() {
        return here().startsWith("windows-");
    }

    /** Whether the C library of this process is musl: its loader, or its file in Debian. */
    private static boolean hasMusl() {
        try {
            // Names of files need not be text.
            String mapped =
                    Files.readString(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1);
            return mapped.contains("/ld-musl-") || mapped.contains("-linux-musl/libc.so");
        } catch (IOException e) {
            return false;
        }
    }
}

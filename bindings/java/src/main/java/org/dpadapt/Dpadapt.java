package org.dpadapt;

/** Facts about the library. */
public final class Dpadapt {
    private Dpadapt() {}

    /**
     * The version of the native library.
     *
     * @return "major.minor.patch"
     */
    public static String version() {
        return Native.dpa_version();
    }

    /**
     * Compiler, flags, BLAS and its number of threads.
     *
     * @return one JSON object
     */
    public static String buildInfo() {
        return Native.dpa_build_info();
    }
}

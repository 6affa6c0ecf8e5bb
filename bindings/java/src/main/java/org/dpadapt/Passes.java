package org.dpadapt;

/** Receives the requests of one sample; the native side knows method and field by name. */
final class Passes {
    final Handle handle =
            new Handle(
                    "passes",
                    Native::java_passes_destroy,
                    out -> out[0] = Native.java_passes_create(this));

    private final Pass pass;
    private Throwable thrown;

    Passes(Pass pass) {
        this.pass = Check.notNull(pass, "pass");
    }

    byte[] answer(byte[] request) {
        try {
            return Check.notNull(pass.carryOut(request), "the sum of a pass");
        } catch (Throwable e) {
            thrown = e;
            return null;
        }
    }

    /** What the caller shall see of a failed call: what stopped its pass, else the failure. */
    static Throwable cause(DpaException failure, Passes... samples) {
        Throwable cause = failure;
        for (Passes sample : samples) {
            if (sample == null || sample.thrown == null) continue;
            if (failure.code() == DpaException.CALLBACK) cause = sample.thrown;
            sample.thrown = null;
        }
        return cause;
    }
}

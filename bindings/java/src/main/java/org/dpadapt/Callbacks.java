package org.dpadapt;

import java.util.Arrays;

/** Receives the callbacks of one call; the native side knows methods and fields by name. */
final class Callbacks {
    private final ProgressListener listener;
    private final Loss loss;
    private Throwable ofListener;
    private Throwable ofLoss;

    private double[] x = {};
    private double[] labels = {};
    private double[] theta = {};
    private double[] losses = {};
    private double[] gradients = {};

    Callbacks(ProgressListener listener, Loss loss) {
        this.listener = listener;
        this.loss = loss;
    }

    /**
     * What the caller shall see of a failed call: the exception of the callback that stopped it,
     * else the failure itself. An exception on a private record did not stop it, and stays unseen.
     */
    Throwable cause(DpaException failure) {
        Throwable cause =
                failure.code() == DpaException.CANCELLED
                        ? ofListener
                        : failure.code() == DpaException.CALLBACK ? ofLoss : null;
        return cause != null ? cause : failure;
    }

    int progress(String phase, long iteration, long limit, double objective, double gap) {
        try {
            listener.onProgress(new Progress(phase, iteration, limit, objective, gap));
            return 0;
        } catch (Throwable e) {
            if (ofListener == null) ofListener = e;
            return 1;
        }
    }

    int loss(
            long atX, long rows, long features, long atLabels, long atTheta, long parameters,
            long atLosses, long atGradients) {
        try {
            x = read(atX, x, Check.length(rows, features));
            labels = read(atLabels, labels, Check.length(rows, 1));
            theta = read(atTheta, theta, Check.length(parameters, 1));
            losses = unwritten(losses, labels.length);
            double[] wanted = null;
            if (atGradients != 0)
                wanted = gradients = unwritten(gradients, Check.length(rows, parameters));
            loss.evaluate(x, labels, theta, losses, wanted);
            Native.java_callbacks_write(atLosses, losses);
            if (wanted != null) Native.java_callbacks_write(atGradients, wanted);
            return 0;
        } catch (Throwable e) {
            ofLoss = e;
            return -1;
        }
    }

    private static double[] read(long address, double[] old, int length) {
        double[] to = old.length == length ? old : new double[length];
        Native.java_callbacks_read(address, to);
        return to;
    }

    private static double[] unwritten(double[] old, int length) {
        double[] to = old.length == length ? old : new double[length];
        Arrays.fill(to, Double.NaN);
        return to;
    }
}

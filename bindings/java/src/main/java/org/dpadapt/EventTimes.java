package org.dpadapt;

/** Right-censored times as labels of fits by loss = survival. */
public final class EventTimes {
    private EventTimes() {}

    /**
     * Times with an event as they are, others with a minus sign.
     *
     * @param times above 0; what is not, or is not finite, becomes NaN, which is no label
     * @param events whether the observation ended in an event
     * @return as many labels
     */
    public static double[] labels(double[] times, boolean[] events) {
        Check.notNull(times, "times");
        Check.notNull(events, "events");
        if (times.length != events.length)
            throw new IllegalArgumentException("there must be as many events as times");
        double[] labels = new double[times.length];
        for (int i = 0; i < labels.length; ++i) {
            double time = times[i];
            boolean means = time > 0 && !Double.isInfinite(time);
            labels[i] = !means ? Double.NaN : events[i] ? time : -time;
        }
        return labels;
    }
}

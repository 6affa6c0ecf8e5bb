package org.dpadapt;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

/**
 * Settings of a call. Each is checked when it is set; an option that is not set has its default.
 *
 * <pre>{@code
 * Options options =
 *         new Options().epsilon(1).delta(1e-6).loss(Options.LossChoice.LOGISTIC).alphaAuto();
 * }</pre>
 *
 * <p>Every option has a method of its own, and can be set by name as well: {@code set("epsilon",
 * 1.0)}.
 *
 * <p>Options need no closing, and a call takes a copy: several threads may use the same options,
 * and change them afterwards.
 */
public final class Options extends OptionSetters {
    private final Map<String, String> values = new LinkedHashMap<>();
    private ProgressListener listener;
    private CancelToken token;
    private CustomLoss loss;

    private record CustomLoss(
            Loss loss, int parameters, double lossBound, double gradientBound, double smoothness) {}

    /** Creates options that are all at their defaults. */
    public Options() {}

    /**
     * Copies options, with listener, token and loss.
     *
     * @param other the options to copy
     */
    public Options(Options other) {
        synchronized (Check.notNull(other, "other")) {
            values.putAll(other.values);
            listener = other.listener;
            token = other.token;
            loss = other.loss;
        }
    }

    /**
     * All options of the library.
     *
     * @return name, tier, type, default, allowed values, readers and meaning of each
     */
    public static List<Option> all() {
        return Check.rowsOf(
                        Native::dpa_option_text,
                        "name", "tier", "type", "default", "values", "readers", "meaning")
                .map(
                        text ->
                                new Option(
                                        text[0], text[1], text[2], text[3], text[4], text[5],
                                        text[6]))
                .toList();
    }

    /**
     * Sets an option of type real or integer.
     *
     * @param name its name
     * @param value a finite number within its bounds, whole for an integer
     * @return these options
     */
    @Override
    public Options set(String name, double value) {
        return put(name, at -> Native.dpa_options_set(at, name, value));
    }

    /**
     * Sets an option of type integer or real to a whole number.
     *
     * @param name its name
     * @param value a number within its bounds
     * @return these options
     */
    @Override
    public Options set(String name, long value) {
        return parse(name, Long.toString(value)); // beyond 2^53 a double is another number
    }

    /**
     * Sets an option of type boolean.
     *
     * @param name its name
     * @param value on or off
     * @return these options
     */
    @Override
    public Options set(String name, boolean value) {
        return parse(name, Boolean.toString(value));
    }

    /**
     * Sets an option from text, as {@link #parse}.
     *
     * @param name its name
     * @param value one of its words, or numbers separated by commas or blanks
     * @return these options
     */
    @Override
    public Options set(String name, String value) {
        return parse(name, value);
    }

    /**
     * Sets an option of any type from text as a person would write it.
     *
     * @param name its name
     * @param text such as "0.5", "true", "whiten", "auto"
     * @return these options
     */
    public Options parse(String name, String text) {
        return put(name, at -> Native.dpa_options_parse(at, name, text));
    }

    /**
     * The value of an option as text.
     *
     * @param name its name
     * @return the value, or the default where none is set; {@link #parse} reads it back to the same
     */
    public String get(String name) {
        return run(at -> text(at, name));
    }

    /**
     * Sets all options back to their defaults, and drops listener, token and loss.
     *
     * @return these options
     */
    public synchronized Options reset() {
        values.clear();
        listener = null;
        token = null;
        loss = null;
        return this;
    }

    /**
     * Names the listener of the calls that use these options.
     *
     * @param listener null for none
     * @return these options
     */
    public synchronized Options listener(ProgressListener listener) {
        this.listener = listener;
        return this;
    }

    /**
     * Names the token that stops the calls that use these options.
     *
     * @param token null for none
     * @return these options
     */
    public synchronized Options cancel(CancelToken token) {
        this.token = token;
        return this;
    }

    /**
     * Sets a loss without known bounds, and the option {@code loss} to custom.
     *
     * @param loss the loss
     * @param parameters length of theta, from 1 to 2^24; theta starts at 0
     * @return these options
     */
    public Options loss(Loss loss, int parameters) {
        double unknown = Double.POSITIVE_INFINITY;
        return loss(loss, parameters, unknown, unknown, unknown);
    }

    /**
     * Sets a loss and the option {@code loss} to custom. Bounds are positive, and infinite if
     * unknown; where privacy needs a bound, it is enforced by clipping, or the call asks for it.
     *
     * @param loss the loss
     * @param parameters length of theta, from 1 to 2^24; theta starts at 0
     * @param lossBound no loss of a record is larger, for theta in the ball
     * @param gradientBound of the norm of the gradient of a record
     * @param smoothness of the spectral norm of the Hessian of a record
     * @return these options
     */
    public Options loss(
            Loss loss, int parameters, double lossBound, double gradientBound, double smoothness) {
        Check.notNull(loss, "loss");
        if (parameters < 1)
            throw DpaException.make(
                    DpaException.DIMENSION, "parameters must be at least 1, but is " + parameters);
        CustomLoss custom =
                new CustomLoss(loss, parameters, lossBound, gradientBound, smoothness);
        withCallbacks(new Callbacks(null, loss), (at, to) -> give(custom, at, to));
        synchronized (this) {
            values.put("loss", "custom");
            this.loss = custom;
            return this;
        }
    }

    /** The options that are set, with their values. */
    @Override
    public synchronized String toString() {
        return "Options" + values;
    }

    /** Runs a call with these options, or with null for the defaults. */
    static <T> T with(Options options, LongFunction<T> call) {
        if (options == null) return call.apply(0);
        Options copy = new Options(options);
        if (copy.token == null) return copy.call(call);
        return copy.token.handle.use(
                token ->
                        copy.call(
                                at -> {
                                    Native.dpa_options_set_cancel(at, token);
                                    return call.apply(at);
                                }));
    }

    /** A call with the callbacks; these options are a copy that nobody else sees. */
    private <T> T call(LongFunction<T> call) {
        if (listener == null && loss == null) return run(call);
        Callbacks callbacks = new Callbacks(listener, loss == null ? null : loss.loss);
        try {
            return withCallbacks(
                    callbacks,
                    (at, to) -> {
                        if (listener != null) Native.java_callbacks_set_progress(to, at);
                        if (loss != null) give(loss, at, to);
                        return call.apply(at);
                    });
        } catch (DpaException e) {
            throw Options.<RuntimeException>unchanged(callbacks.cause(e));
        }
    }

    private interface CallWithCallbacks<T> {
        T apply(long options, long callbacks);
    }

    private <T> T withCallbacks(Callbacks callbacks, CallWithCallbacks<T> call) {
        long address = Native.java_callbacks_create(callbacks);
        try {
            return run(at -> call.apply(at, address));
        } finally {
            Native.java_callbacks_destroy(address);
        }
    }

    private static Void give(CustomLoss custom, long options, long callbacks) {
        Native.java_callbacks_set_loss(
                callbacks, options, custom.parameters, custom.lossBound, custom.gradientBound,
                custom.smoothness);
        return null;
    }

    /** Throws any exception as what it is. */
    @SuppressWarnings("unchecked")
    static <E extends Throwable> E unchanged(Throwable cause) throws E {
        throw (E) cause;
    }

    /** A call with these values as options of the library, which live as long as the call. */
    private <T> T run(LongFunction<T> call) {
        long[] out = new long[1];
        Native.dpa_options_create(out);
        try {
            synchronized (this) {
                values.forEach((name, value) -> Native.dpa_options_parse(out[0], name, value));
            }
            return call.apply(out[0]);
        } finally {
            Native.dpa_options_destroy(out[0]);
        }
    }

    /** Sets an option of the library and keeps the text that it makes of it. */
    private synchronized Options put(String name, LongConsumer set) {
        String value =
                new Options()
                        .run(
                                at -> {
                                    set.accept(at);
                                    return text(at, name);
                                });
        values.put(name, value);
        if (name.equals("loss") && !value.equals("custom")) loss = null;
        return this;
    }

    private static String text(long options, String name) {
        long[] needed = new long[1];
        Native.dpa_options_get(options, name, new byte[0], needed);
        byte[] out = new byte[(int) needed[0]];
        Native.dpa_options_get(options, name, out, needed);
        return new String(out, 0, out.length - 1, StandardCharsets.UTF_8);
    }
}

package org.dpadapt;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * Owner of one handle of the C library. The handle is destroyed once, after {@link #close()} (or
 * when nobody can reach this object any more) and after the last call that uses it.
 */
final class Handle {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final int PLACES = 2;

    private final State state;

    /**
     * Creates a handle by a call that stores it in the array: last, so that it has an owner at
     * once.
     */
    Handle(String name, LongConsumer destroy, Create create) {
        state = new State(name, destroy);
        CLEANER.register(this, state::forgotten);
        OutsideMemory.ALL.taken(OutsideMemory.HANDLE);
        try {
            create.into(state.address);
        } catch (Throwable e) {
            state.close();
            throw e;
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** What toString prints: the type and its facts, or that it is closed. It never throws. */
    static String shown(String type, Supplier<String> facts) {
        try {
            return type + '[' + facts.get() + ']';
        } catch (StateException e) {
            return type + (e.code() == DpaException.HANDLE ? "[closed]" : "[in use]");
        } catch (DpaException e) {
            return type + "[?]";
        }
    }

    /** Tells of data that the handle holds; a negative number, that it holds them no more. */
    void holds(long bytes) {
        state.data.addAndGet(bytes);
        if (bytes > 0) OutsideMemory.ALL.taken(bytes);
        else OutsideMemory.ALL.released(-bytes);
    }

    /**
     * Keeps what the handle refers to until the handle goes, or something else is kept in its
     * place.
     */
    void keeps(int place, Object data) {
        state.kept.set(place, data);
    }

    Object kept(int place) {
        return state.kept.get(place);
    }

    void close() {
        state.close();
    }

    /** Runs a call that needs several handles. */
    static <T> T useAll(List<Handle> handles, Function<long[], T> call) {
        long[] addresses = new long[handles.size()];
        int begun = 0;
        try {
            for (Handle handle : handles) {
                handle.state.begin();
                addresses[begun++] = handle.state.address[0];
            }
            return call.apply(addresses);
        } finally {
            for (Handle handle : handles.subList(0, begun)) handle.state.end();
            Reference.reachabilityFence(handles);
        }
    }

    /** Runs a call that needs the handle. */
    <T> T use(LongFunction<T> call) {
        state.begin();
        try {
            return call.apply(state.address[0]);
        } finally {
            state.end();
            Reference.reachabilityFence(this);
        }
    }

    void run(LongConsumer call) {
        use(
                address -> {
                    call.accept(address);
                    return null;
                });
    }

    double number(Fill<double[]> call) {
        return array(1, call)[0];
    }

    double[] array(long length, Fill<double[]> call) {
        return fill(new double[Check.length(length, 1)], call);
    }

    <A> A fill(A out, Fill<A> call) {
        run(address -> call.into(address, out));
        return out;
    }

    /** Bytes of a length that the call tells. */
    byte[] bytes(FillBytes call) {
        return use(address -> bytesOf((out, needed) -> call.into(address, out, needed)));
    }

    /** Text, which ends with a zero in C. */
    String text(FillBytes call) {
        return use(address -> textOf((out, needed) -> call.into(address, out, needed)));
    }

    /** Text of a call that needs several handles. */
    static String textOf(BiConsumer<byte[], long[]> call) {
        byte[] bytes = bytesOf(call);
        return new String(bytes, 0, bytes.length - 1, StandardCharsets.UTF_8);
    }

    private static byte[] bytesOf(BiConsumer<byte[], long[]> call) {
        long[] needed = new long[1];
        byte[] out = {};
        do {
            out = new byte[Check.length(needed[0], 1)];
            call.accept(out, needed);
        } while (needed[0] > out.length);
        return out.length == needed[0] ? out : Arrays.copyOf(out, Check.length(needed[0], 1));
    }

    interface Create {
        void into(long[] out);
    }

    interface Fill<A> {
        void into(long address, A out);
    }

    interface FillBytes {
        void into(long address, byte[] out, long[] needed);
    }

    /** Counts one for being open and one for each running call; at zero the handle goes. */
    private static final class State {
        private final String name;
        private final LongConsumer destroy;
        private final long[] address = new long[1];
        private final AtomicLong data = new AtomicLong();
        private final AtomicReferenceArray<Object> kept = new AtomicReferenceArray<>(PLACES);
        private final AtomicInteger uses = new AtomicInteger(1);
        private final AtomicBoolean closed = new AtomicBoolean();
        private volatile boolean forgotten;

        State(String name, LongConsumer destroy) {
            this.name = name;
            this.destroy = destroy;
        }

        void begin() {
            int now;
            do {
                now = uses.get();
                if (closed.get() || now == 0)
                    throw DpaException.make(DpaException.HANDLE, "the " + name + " is closed");
            } while (!uses.compareAndSet(now, now + 1));
        }

        void end() {
            if (uses.decrementAndGet() > 0) return;
            destroy.accept(address[0]);
            for (int place = 0; place < PLACES; place++) kept.set(place, null);
            long bytes = OutsideMemory.HANDLE + data.get();
            if (forgotten) OutsideMemory.ALL.found(bytes);
            else OutsideMemory.ALL.released(bytes);
        }

        void close() {
            if (closed.compareAndSet(false, true)) end();
        }

        void forgotten() {
            if (closed.get()) return;
            forgotten = true;
            close();
        }
    }
}

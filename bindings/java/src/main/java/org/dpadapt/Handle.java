package org.dpadapt;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

/**
 * Owner of one handle of the C library. The handle is destroyed once, after {@link #close()} (or when
 * nobody can reach this object any more) and after the last call that uses it.
 */
final class Handle {
    private static final Cleaner CLEANER = Cleaner.create();

    private final State state;

    /** Creates a handle by a call that stores it in the array. */
    Handle(String name, LongConsumer destroy, Create create) {
        long[] out = new long[1];
        create.into(out);
        state = new State(name, destroy, out[0]);
        CLEANER.register(this, state::close);
        OutsideMemory.taken(OutsideMemory.HANDLE);
    }

    /** Tells of data that the handle holds; a negative number, that it holds them no more. */
    void holds(long bytes) {
        state.data.addAndGet(bytes);
        if (bytes > 0) OutsideMemory.taken(bytes);
        else OutsideMemory.released(-bytes);
    }

    void close() {
        state.close();
    }

    /** Runs a call that needs the handle. */
    <T> T use(LongFunction<T> call) {
        state.begin();
        try {
            return call.apply(state.address);
        } finally {
            state.end();
            Reference.reachabilityFence(this);
        }
    }

    /** Runs a call that needs several handles. */
    static <T> T useAll(List<Handle> handles, Function<long[], T> call) {
        long[] addresses = new long[handles.size()];
        int begun = 0;
        try {
            for (Handle each : handles) {
                each.state.begin();
                addresses[begun++] = each.state.address;
            }
            return call.apply(addresses);
        } finally {
            for (Handle each : handles.subList(0, begun)) each.state.end();
            Reference.reachabilityFence(handles);
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
        return fill(new double[(int) length], call);
    }

    <A> A fill(A out, Fill<A> call) {
        run(address -> call.into(address, out));
        return out;
    }

    /** Bytes of a length that the call tells. */
    byte[] bytes(FillBytes call) {
        return use(
                address -> {
                    long[] needed = new long[1];
                    byte[] out = {};
                    do {
                        out = new byte[(int) needed[0]];
                        call.into(address, out, needed);
                    } while (needed[0] > out.length);
                    return out.length == needed[0]
                            ? out
                            : Arrays.copyOf(out, (int) needed[0]);
                });
    }

    /** Text, which ends with a zero in C. */
    String text(FillBytes call) {
        byte[] bytes = bytes(call);
        return new String(bytes, 0, bytes.length - 1, StandardCharsets.UTF_8);
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
        private final long address;
        private final AtomicLong data = new AtomicLong();
        private final AtomicInteger uses = new AtomicInteger(1);
        private final AtomicBoolean closed = new AtomicBoolean();

        State(String name, LongConsumer destroy, long address) {
            this.name = name;
            this.destroy = destroy;
            this.address = address;
        }

        void begin() {
            int now;
            do {
                now = uses.get();
                if (closed.get() || now == 0)
                    throw new DpaException(DpaException.HANDLE, "the " + name + " is closed");
            } while (!uses.compareAndSet(now, now + 1));
        }

        void end() {
            if (uses.decrementAndGet() > 0) return;
            destroy.accept(address);
            OutsideMemory.released(OutsideMemory.HANDLE + data.get());
        }

        void close() {
            if (closed.compareAndSet(false, true)) end();
        }
    }
}

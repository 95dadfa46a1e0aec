// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.load;

/**
 * The work of a client in one run.
 *
 * @param operation the procedure to call
 * @param size payload of a call in bytes; 0 for NULL
 * @param inFlight the number of calls in flight
 * @param calls the number of all calls
 */
public record Load(Operation operation, int size, int inFlight, int calls) {
    /** Bytes over which payloads rotate at each end, so that a payload is not in a processor's cache from an earlier call. */
    public static final int MEMORY = 64 << 20;

    private static final int BULK = 1 << 16;

    /** The NFS version 3 procedures that are measured. */
    public enum Operation {
        NULL,
        READ,
        WRITE
    }

    /** The unit of a load's result. */
    public enum Unit {
        /** Microseconds per call, for calls made one at a time. Less is better. */
        MICROSECONDS("µs"),
        /** Calls per second. */
        CALLS("calls/s"),
        /** MiB of payload per second. */
        MEBIBYTES("MiB/s");

        private final String symbol;

        Unit(String symbol) {
            this.symbol = symbol;
        }

        @Override
        public String toString() {
            return symbol;
        }
    }

    /** This load with another number of calls. */
    public Load withCalls(int number) {
        return new Load(operation, size, inFlight, number);
    }

    /** The offset of a call's payload in {@link #MEMORY}, in bytes. */
    public int offset(int call) {
        return size == 0 ? 0 : call % (MEMORY / size) * size;
    }

    /** The unit of the result. */
    public Unit unit() {
        if (isOneAtATime()) {
            return Unit.MICROSECONDS;
        }
        return size < BULK ? Unit.CALLS : Unit.MEBIBYTES;
    }

    /** Whether calls are made one at a time, so that the result is their duration. */
    public boolean isOneAtATime() {
        return inFlight == 1;
    }

    /** The line that {@link #parse} reads. */
    public String toLine() {
        return operation + " " + size + " " + inFlight + " " + calls;
    }

    /** Reads {@code OPERATION SIZE IN_FLIGHT CALLS}. */
    public static Load parse(String line) {
        String[] words = line.split(" ", -1);
        if (words.length != 4) {
            throw new IllegalArgumentException("not OPERATION SIZE IN_FLIGHT CALLS: " + line);
        }
        return new Load(
                Operation.valueOf(words[0]),
                Integer.parseInt(words[1]),
                Integer.parseInt(words[2]),
                Integer.parseInt(words[3]));
    }

    /** A description such as {@code READ of 1 MiB, 8 in flight}. */
    @Override
    public String toString() {
        String bytes = size % (1 << 20) == 0 ? (size >> 20) + " MiB" : (size >> 10) + " KiB";
        return operation + (size == 0 ? "" : " of " + bytes) + (isOneAtATime() ? "" : ", " + inFlight + " in flight");
    }
}

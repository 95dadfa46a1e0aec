// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.load;

/**
 * What a client does in one run.
 *
 * @param operation the procedure that is called
 * @param size payload of a call, in bytes; 0 for NULL
 * @param inFlight calls under way at a time
 * @param calls calls in all
 */
public record Load(Operation operation, int size, int inFlight, int calls) {
    /** Bytes that payloads rotate over at each end, so that none of them is in a processor's cache from the call before. */
    public static final int MEMORY = 64 << 20;

    private static final int BULK = 1 << 16;

    /** What a load's result is counted in. */
    public enum Unit {
        /** Microseconds a call, of calls made one after the other. Less is better. */
        MICROSECONDS("µs"),
        /** Calls a second. */
        CALLS("calls/s"),
        /** MiB of payload a second. */
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

    /** A run with another number of calls. */
    public Load withCalls(int number) {
        return new Load(operation, size, inFlight, number);
    }

    /** Where in {@link #MEMORY} the payload of a call is. */
    public int offset(int call) {
        return size == 0 ? 0 : call % (MEMORY / size) * size;
    }

    /** What the result is counted in. */
    public Unit unit() {
        if (isOneAtATime()) {
            return Unit.MICROSECONDS;
        }
        return size < BULK ? Unit.CALLS : Unit.MEBIBYTES;
    }

    /** Whether calls are made one after the other, so that it is their duration that is of interest. */
    public boolean isOneAtATime() {
        return inFlight == 1;
    }

    /** As {@link #parse} reads it. */
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

    /** For people: {@code READ of 1 MiB, 8 in flight}. */
    @Override
    public String toString() {
        String bytes = size % (1 << 20) == 0 ? (size >> 20) + " MiB" : (size >> 10) + " KiB";
        return operation + (size == 0 ? "" : " of " + bytes) + (isOneAtATime() ? "" : ", " + inFlight + " in flight");
    }
}

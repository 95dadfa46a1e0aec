// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.emplace.rpc.RpcException;
import org.jspecify.annotations.Nullable;

/** Makes a failing case smaller, by smaller numbers in place of those that were drawn, as long as it fails in the same way. */
final class Shrinking implements AutoCloseable {
    private static final long LONGEST = TimeUnit.MINUTES.toNanos(2);

    private final long seed;
    private final int call;
    private final long deadline = System.nanoTime() + LONGEST;
    private @Nullable Failure smallest;

    /** The protocol that has been tried last, and its server. */
    private @Nullable Served served;

    private record Served(Draft draft, Program program, Network network) {}

    private Shrinking(long seed, int call) {
        this.seed = seed;
        this.call = call;
    }

    /** Returns the smallest failing case that was found in a limited time; null if the case does not fail. */
    static @Nullable Failure of(long seed, int call) throws IOException, InterruptedException {
        try (Shrinking shrinking = new Shrinking(seed, call)) {
            shrinking.smallest = shrinking.attempt(Map.of(), Map.of());
            if (shrinking.smallest != null) {
                shrinking.shrink(shrinking.smallest);
            }
            return shrinking.smallest;
        }
    }

    /**
     * A case that fails.
     *
     * @param inProtocol the numbers that replace drawn ones in the protocol
     * @param inCall those in the call
     * @param ofProtocol the numbers from which the protocol was drawn
     * @param ofCall those from which the call was drawn
     */
    record Failure(
            Program program,
            Exchange exchange,
            Verdict verdict,
            Map<Long, Integer> inProtocol,
            Map<Long, Integer> inCall,
            Map<Long, Integer> ofProtocol,
            Map<Long, Integer> ofCall) {

        String kind() {
            return verdict.fault() == null ? "" : verdict.fault().kind();
        }

        @Override
        public String toString() {
            return verdict.fault() + "\n" + program.draft().text() + "warnings " + program.warnings() + "\n"
                    + exchange.text() + String.join("\n", verdict.outcomes());
        }
    }

    @SuppressWarnings("ReferenceEquality") // What cannot be shrunk is returned itself.
    private void shrink(Failure first) throws IOException, InterruptedException {
        Failure before;
        Failure now = first;
        do {
            before = now;
            now = shrinkCall(shrinkProtocol(now));
        } while (now != before && System.nanoTime() < deadline);
        smallest = now;
    }

    private Failure shrinkProtocol(Failure from) throws IOException, InterruptedException {
        Failure now = from;
        for (Map.Entry<Long, Integer> each : from.ofProtocol().entrySet()) {
            for (int smaller : smaller(now.ofProtocol().getOrDefault(each.getKey(), 0))) {
                Failure next = attempt(with(now.inProtocol(), each.getKey(), smaller), now.inCall());
                if (next != null && next.kind().equals(from.kind())) {
                    now = next;
                    break;
                }
            }
        }
        return now;
    }

    private Failure shrinkCall(Failure from) throws IOException, InterruptedException {
        Failure now = from;
        for (Map.Entry<Long, Integer> each : from.ofCall().entrySet()) {
            for (int smaller : smaller(now.ofCall().getOrDefault(each.getKey(), 0))) {
                Failure next = attempt(now.inProtocol(), with(now.inCall(), each.getKey(), smaller));
                if (next != null && next.kind().equals(from.kind())) {
                    now = next;
                    break;
                }
            }
        }
        return now;
    }

    private static Map<Long, Integer> with(Map<Long, Integer> numbers, long key, int value) {
        Map<Long, Integer> more = new HashMap<>(numbers);
        more.put(key, value);
        return more;
    }

    private static List<Integer> smaller(int value) {
        List<Integer> smaller = new ArrayList<>();
        if (value > 0) {
            smaller.add(0);
        }
        if (value > 16) {
            smaller.add(value / 16);
        }
        if (value > 3) {
            smaller.add(value / 2);
        }
        if (value > 1) {
            smaller.add(value - 1);
        }
        return smaller;
    }

    private @Nullable Failure attempt(Map<Long, Integer> inProtocol, Map<Long, Integer> inCall)
            throws IOException, InterruptedException {
        if (System.nanoTime() > deadline) {
            return null;
        }
        Draws ofProtocol = Draws.of(seed, inProtocol);
        Draws ofCall = Draws.of(Batch.seedOf(seed, call), inCall);
        Served now = served(ProtocolDraw.of(seed, ofProtocol));
        if (now == null) {
            return null;
        }
        Exchange exchange = Exchange.of(now.draft(), ofCall);
        Verdict verdict = Verdict.of(now.program(), exchange, now.network());
        return verdict.fault() == null
                ? null
                : new Failure(
                        now.program(),
                        exchange,
                        verdict,
                        inProtocol,
                        inCall,
                        new LinkedHashMap<>(ofProtocol.source().drawn()),
                        new LinkedHashMap<>(ofCall.source().drawn()));
    }

    /** A server of a protocol; null if the compiler rejects it. Compiles only if the text is another than before. */
    private @Nullable Served served(Draft draft) throws IOException {
        if (served != null
                && served.draft().text().equals(draft.text())
                && served.draft().fetches() == draft.fetches()) {
            return served;
        }
        close();
        List<Program> programs = Program.of(List.of(draft), new ArrayList<>());
        if (programs.isEmpty()) {
            return null;
        }
        try {
            Program program = programs.get(0);
            served = new Served(draft, program, new Network(List.of(program)));
            return served;
        } catch (RpcException unreachable) {
            throw new IOException(unreachable);
        }
    }

    @Override
    public void close() {
        if (served != null) {
            served.network().close();
            served = null;
        }
    }
}

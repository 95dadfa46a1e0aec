// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.emplace.rpc.RpcException;
import org.jspecify.annotations.Nullable;

/** Makes a failing case smaller, by smaller numbers in place of those that were drawn, as long as it fails. */
final class Shrinking {
    private static final long SHORTEST = 60_000_000_000L;

    private final long seed;
    private final int call;
    private final long deadline;
    private Map<Long, Integer> ofProtocol = new HashMap<>();
    private Map<Long, Integer> ofCall = new HashMap<>();
    private @Nullable Failure smallest;

    private Shrinking(long seed, int call, long nanoseconds) {
        this.seed = seed;
        this.call = call;
        this.deadline = System.nanoTime() + nanoseconds;
    }

    /** Returns the smallest failing case that was found in a limited time; null if the case does not fail. */
    static @Nullable Failure of(long seed, int call) throws IOException, InterruptedException {
        Shrinking shrinking = new Shrinking(seed, call, 2 * SHORTEST);
        shrinking.smallest = shrinking.attempt(Map.of(), Map.of());
        if (shrinking.smallest != null) {
            shrinking.shrink();
        }
        return shrinking.smallest;
    }

    private void shrink() throws IOException, InterruptedException {
        boolean better = true;
        while (better && System.nanoTime() < deadline) {
            better = shrinkProtocol() | shrinkCall();
        }
    }

    private boolean shrinkProtocol() throws IOException, InterruptedException {
        boolean better = false;
        for (Map.Entry<Long, Integer> each : drawn(true)) {
            for (int smaller : smaller(each.getValue())) {
                if (tried(each.getKey(), smaller, true)) {
                    better = true;
                    break;
                }
            }
        }
        return better;
    }

    private boolean shrinkCall() throws IOException, InterruptedException {
        boolean better = false;
        for (Map.Entry<Long, Integer> each : drawn(false)) {
            for (int smaller : smaller(each.getValue())) {
                if (tried(each.getKey(), smaller, false)) {
                    better = true;
                    break;
                }
            }
        }
        return better;
    }

    /** The numbers of the smallest case that are not zero. */
    private List<Map.Entry<Long, Integer>> drawn(boolean protocol) {
        Failure now = smallest;
        if (now == null) {
            return List.of();
        }
        List<Map.Entry<Long, Integer>> drawn = new ArrayList<>();
        (protocol ? now.ofProtocol() : now.ofCall()).forEach((key, value) -> {
            if (value > 0) {
                drawn.add(Map.entry(key, value));
            }
        });
        return drawn;
    }

    private static List<Integer> smaller(int value) {
        List<Integer> smaller = new ArrayList<>(List.of(0));
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

    private boolean tried(long key, int value, boolean protocol) throws IOException, InterruptedException {
        if (System.nanoTime() > deadline) {
            return false;
        }
        Map<Long, Integer> nextOfProtocol = new HashMap<>(ofProtocol);
        Map<Long, Integer> nextOfCall = new HashMap<>(ofCall);
        (protocol ? nextOfProtocol : nextOfCall).put(key, value);
        Failure failure = attempt(nextOfProtocol, nextOfCall);
        if (failure == null) {
            return false;
        }
        smallest = failure;
        ofProtocol = nextOfProtocol;
        ofCall = nextOfCall;
        return true;
    }

    private @Nullable Failure attempt(Map<Long, Integer> protocolNumbers, Map<Long, Integer> callNumbers)
            throws IOException, InterruptedException {
        Draws ofDraft = Draws.of(seed, protocolNumbers);
        Draft draft = ProtocolDraw.of(seed, ofDraft);
        List<Program> programs = Program.of(List.of(draft), new ArrayList<>());
        if (programs.isEmpty()) {
            return null;
        }
        try (Network network = new Network(programs)) {
            Draws ofCalls = Draws.of(Batch.seedOf(seed, call), callNumbers);
            Exchange exchange = Exchange.of(draft, ofCalls);
            Verdict verdict = Verdict.of(programs.get(0), exchange, network);
            return verdict.fault() == null
                    ? null
                    : new Failure(
                            programs.get(0),
                            exchange,
                            verdict,
                            Map.copyOf(ofDraft.source().drawn()),
                            Map.copyOf(ofCalls.source().drawn()));
        } catch (RpcException unreachable) {
            throw new IOException(unreachable);
        }
    }

    /**
     * A case that fails.
     *
     * @param ofProtocol the numbers from which the protocol was drawn
     * @param ofCall those from which the call was drawn
     */
    record Failure(
            Program program,
            Exchange exchange,
            Verdict verdict,
            Map<Long, Integer> ofProtocol,
            Map<Long, Integer> ofCall) {
        @Override
        public String toString() {
            return verdict.fault() + "\n" + program.draft().text() + "warnings " + program.warnings() + "\n" + exchange
                    + "\n" + String.join("\n", verdict.outcomes());
        }
    }
}

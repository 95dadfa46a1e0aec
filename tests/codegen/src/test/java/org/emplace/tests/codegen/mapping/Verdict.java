// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * What a call did by each transport.
 *
 * @param outcomes in words, one for each transport
 * @param fault what is wrong; null if nothing is
 * @param failures how many of the calls have failed, as they may
 */
record Verdict(List<String> outcomes, @Nullable String fault, int failures) {
    private static final Set<Kind> OF_SIZES = Set.of(Kind.CHUNK_ERROR, Kind.BAD_REPLY);

    /** Makes a call by every transport. */
    static Verdict of(Program program, Exchange exchange, Network network) throws IOException, InterruptedException {
        Served<?, ?> served = network.served(program);
        List<String> outcomes = new ArrayList<>();
        String fault = null;
        int failures = 0;
        for (Peer peer : network.peers()) {
            served.expect(exchange);
            String wrong;
            try {
                Optional<RpcException> failure = Trial.run(program.procedure(), exchange, peer);
                outcomes.add(peer + ": " + failure.map(Throwable::toString).orElse("success"));
                failures += failure.isPresent() ? 1 : 0;
                wrong = judged(program, exchange, peer, failure);
            } catch (Trial.Wrong | RuntimeException | Error unexpected) {
                wrong = unexpected.toString();
                outcomes.add(peer + ": " + wrong);
            }
            if (wrong == null) {
                wrong = served.fault();
            }
            if (wrong != null && fault == null) {
                fault = peer + ": " + wrong;
            }
        }
        return new Verdict(outcomes, fault, failures);
    }

    private static @Nullable String judged(
            Program program, Exchange exchange, Peer peer, Optional<RpcException> failure) {
        if (failure.isPresent() && !OF_SIZES.contains(failure.get().kind())) {
            return "the call fails: " + failure.get();
        }
        boolean mustFail = exchange.isTooSmall();
        boolean mayFail = exchange.violates() || (program.isWarnedOf() && !peer.isTcp());
        if (mustFail && failure.isEmpty()) {
            return "the call succeeds although a destination is too small";
        }
        if (!mustFail && !mayFail && failure.isPresent()) {
            return "the call fails: " + failure.get();
        }
        return null;
    }
}

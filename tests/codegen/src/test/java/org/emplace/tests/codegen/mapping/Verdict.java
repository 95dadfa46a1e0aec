// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.tests.codegen.mapping.Trial.Wrong;
import org.jspecify.annotations.Nullable;

/**
 * What a call did by each transport.
 *
 * @param outcomes in words, one for each transport
 * @param fault what is wrong first; null if nothing is
 * @param failures how many of the calls have failed, as they may
 */
record Verdict(List<String> outcomes, @Nullable Wrong fault, int failures) {
    /** The longest arguments that servers accept, where the header is ignored; and the longest reply over TCP. */
    private static final int LONGEST = ConnectionOptions.DEFAULT.maxMessage();

    /** The bytes before the results in a reply. */
    private static final int REPLY_HEADER = 24;

    private static final Set<Kind> OF_SIZES = Set.of(Kind.CHUNK_ERROR, Kind.BAD_REPLY);

    /** Makes a call by every transport. */
    static Verdict of(Program program, Exchange exchange, Network network) throws IOException, InterruptedException {
        Served<?, ?> served = network.served(program);
        List<String> outcomes = new ArrayList<>();
        Wrong first = null;
        int failures = 0;
        for (Peer peer : network.peers()) {
            served.expect(exchange);
            String outcome = "success";
            int before = served.calls();
            try {
                Optional<RpcException> failure = Trial.run(program, exchange, peer);
                if (failure.isPresent()) {
                    failures++;
                    outcome = failure.get().toString();
                }
                judge(program, exchange, peer, failure);
                served.requireNoFault();
                if (served.calls() > before + 1) {
                    throw new Wrong("calls", "the server got " + (served.calls() - before) + " calls");
                }
            } catch (Wrong wrong) {
                outcome = wrong.getMessage();
                first = first == null ? wrong : first;
            } catch (RuntimeException | Error unexpected) {
                outcome = unexpected.toString();
                first = first == null ? new Wrong("unexpected", outcome, unexpected) : first;
            }
            outcomes.add(peer + ": " + outcome);
        }
        return new Verdict(outcomes, first, failures);
    }

    private static void judge(Program program, Exchange exchange, Peer peer, Optional<RpcException> failure)
            throws Wrong {
        if (exchange.arguments().encoding().length() > LONGEST) {
            if (failure.isEmpty() || failure.get().kind() != Kind.GARBAGE_ARGS) {
                throw new Wrong("too long", "the call is longer than servers accept, and ends with " + failure);
            }
            return;
        }
        if (peer.isTcp() && REPLY_HEADER + exchange.results().encoding().length() > LONGEST) {
            if (failure.isEmpty() || failure.get().kind() != Kind.SYSTEM_ERROR) {
                throw new Wrong("too long", "the reply is longer than TCP carries, and the call ends with " + failure);
            }
            return;
        }
        boolean mustFail = exchange.isTooSmall();
        if (mustFail && failure.isEmpty()) {
            throw new Wrong("too small", "the call succeeds although a destination is too small");
        }
        if (failure.isEmpty()) {
            return;
        }
        boolean mayFail = mustFail
                || exchange.violates()
                || (!peer.isTcp() && exchange.isLongerThanOffered(program.isReplyUnlimited(), peer.maxMessage()));
        if (!mayFail || !OF_SIZES.contains(failure.get().kind())) {
            throw new Wrong(failure.get().kind().name(), "the call fails: " + failure.get(), failure.get());
        }
    }
}

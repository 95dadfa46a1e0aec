// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.Destination;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.RpcException;
import org.emplace.tests.codegen.mapping.Encoding.Placed;
import org.emplace.tests.codegen.mapping.Peer.Target;
import org.emplace.xdr.ChunkMark;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.jspecify.annotations.Nullable;

/** Makes one call by one transport, and checks everything that it should and should not have changed. */
final class Trial<A, R> {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Procedure<A, R> procedure;
    private final Exchange exchange;
    private final Peer peer;
    private final List<List<Target>> targets = new ArrayList<>();

    private Trial(Procedure<A, R> procedure, Exchange exchange, Peer peer) {
        this.procedure = procedure;
        this.exchange = exchange;
        this.peer = peer;
    }

    /** A call that did something else than it should. */
    static final class Wrong extends Exception {
        private static final long serialVersionUID = 1;

        private final String kind;

        /** @param kind calls of the same kind are wrong in the same way */
        Wrong(String kind, String message) {
            super(message);
            this.kind = kind;
        }

        Wrong(String kind, String message, Throwable cause) {
            super(message, cause);
            this.kind = kind;
        }

        String kind() {
            return kind;
        }
    }

    /** Makes the call. Returns how it failed; empty if it succeeded. */
    static Optional<RpcException> run(Procedure<?, ?> procedure, Exchange exchange, Peer peer)
            throws Wrong, IOException, InterruptedException {
        peer.reset();
        return new Trial<>(procedure, exchange, peer).run();
    }

    private Optional<RpcException> run() throws Wrong, IOException, InterruptedException {
        for (Plan plan : exchange.plans()) {
            targets.add(plan.byElement().stream().map(peer::target).toList());
        }
        List<List<@Nullable Destination>> destinations = new ArrayList<>();
        for (List<Target> each : targets) {
            List<@Nullable Destination> ofItem = new ArrayList<>();
            each.forEach(target -> ofItem.add(target.destination()));
            destinations.add(ofItem);
        }
        A arguments = procedure
                .arguments()
                .reader()
                .read(new XdrDecoder(
                        exchange.arguments().encoding().bytes(),
                        peer.sources(exchange.memory().at("client"))));
        CallOptions options = CallOptions.DEFAULT.withTimeout(TIMEOUT).withUnboundedReply(exchange.unboundedReply());
        Optional<RpcException> failed = Optional.empty();
        try {
            R results = Caller.call(peer.connection(), procedure, arguments, destinations, options)
                    .await();
            check(results);
        } catch (RpcException failure) {
            failed = Optional.of(failure);
        }
        String damage = peer.damage();
        if (damage != null) {
            throw new Wrong("guard", damage);
        }
        return failed;
    }

    private void check(R results) throws Wrong, IOException {
        XdrEncoder out = XdrEncoder.onHeap();
        procedure.results().writer().write(out, results);
        EncodedMessage came = out.finish();
        Encoding expected = exchange.results().encoding();
        int different = Bytes.mismatch(expected.bytes(), came.unreduced());
        if (different >= 0) {
            throw new Wrong(
                    "results", "the results are not those that the server returned, from byte " + different + " on");
        }
        List<Payload> payloads = came.marks().stream()
                .filter(ChunkMark.PayloadMark.class::isInstance)
                .map(mark -> ((ChunkMark.PayloadMark) mark).payload())
                .toList();
        List<Placed> placed = exchange.payloads();
        if (payloads.size() != placed.size()) {
            throw new Wrong("results", "the results have " + payloads.size() + " payloads instead of " + placed.size());
        }
        boolean complete = peer.isTcp() || exchange.isComplete();
        for (int i = 0; i < placed.size(); i++) {
            Target target = target(placed.get(i));
            if (target != null && !target.slices().isEmpty()) {
                check(placed.get(i), target, expected, complete);
            }
        }
        for (int i = 0; i < placed.size(); i++) {
            Target target = target(placed.get(i));
            if (target != null && !target.slices().isEmpty() && placed.get(i).length() > 0) {
                checkView(placed.get(i), payloads.get(i), target);
            }
        }
    }

    private @Nullable Target target(Placed item) {
        int payload = exchange.payload(item.item());
        return payload < targets.size() && item.element() < targets.get(payload).size()
                ? targets.get(payload).get(item.element())
                : null;
    }

    private void check(Placed item, Target target, Encoding expected, boolean complete) throws Wrong {
        if (!target.begins(expected.bytes(item))) {
            throw new Wrong("buffer", "the buffer of " + exchange.name(item) + " has other bytes than the result");
        }
        if (complete && !target.isUntouchedFrom(item.length())) {
            throw new Wrong("rest", "bytes after the result have changed in the buffer of " + exchange.name(item));
        }
    }

    /** Changes a byte of the destination, which the payload must show. */
    private void checkView(Placed item, Payload payload, Target target) throws Wrong, IOException {
        for (int index : new int[] {0, item.length() - 1}) {
            ByteBuffer before = payload.buffer();
            byte old = before.get(index);
            target.flip(index);
            byte changed = payload.buffer().get(index);
            target.flip(index);
            if (changed != (byte) ~old) {
                throw new Wrong("view", "the payload of " + exchange.name(item) + " is no view of its buffer");
            }
        }
    }
}

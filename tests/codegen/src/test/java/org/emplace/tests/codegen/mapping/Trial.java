// SPDX-License-Identifier: Apache-2.0
package org.emplace.tests.codegen.mapping;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.emplace.rpc.CallObserver.CallReport;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.Destination;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.OperationException;
import org.emplace.rpc.OperationResult;
import org.emplace.rpc.Procedure;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException;
import org.emplace.tests.codegen.mapping.Encoding.Placed;
import org.emplace.tests.codegen.mapping.Exchange.Way;
import org.emplace.tests.codegen.mapping.Peer.Target;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.EncodedMessage.ChunkMark;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.jspecify.annotations.Nullable;

/** Makes one call by one transport, and checks everything that it should and should not have changed. */
final class Trial<A, R> {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final Procedure<A, R> procedure;
    private final Stub stub;
    private final Exchange exchange;
    private final Peer peer;
    private final List<OperationResult<?>> operations = new ArrayList<>();
    private final List<List<Target>> targets = new ArrayList<>();

    private Trial(Procedure<A, R> procedure, Stub stub, Exchange exchange, Peer peer) {
        this.procedure = procedure;
        this.stub = stub;
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
    static Optional<RpcException> run(Program program, Exchange exchange, Peer peer)
            throws Wrong, IOException, InterruptedException {
        peer.reset();
        return new Trial<>(program.procedure(), program.stub(), exchange, peer).run();
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
        CallOptions options =
                CallOptions.DEFAULT.withTimeout(TIMEOUT).withUnboundedReplySize(exchange.unboundedReplySize());
        if (exchange.misuse().oneIn(8)) {
            misuse(arguments, options);
        }
        Optional<RpcException> failed = Optional.empty();
        try {
            R results = call(exchange.way(), arguments, new Named(destinations), options)
                    .await();
            check(results, replyBound(arguments));
            checkOperations();
        } catch (RpcException failure) {
            failed = Optional.of(failure);
        }
        String damage = peer.damage();
        if (damage != null) {
            throw new Wrong("guard", damage);
        }
        return failed;
    }

    @SuppressWarnings("unchecked") // The stub calls the same procedure.
    private RpcCall<R> call(Way way, A arguments, Named destinations, CallOptions options) {
        return switch (way) {
            case PROCEDURE ->
                peer.connection().call(procedure, arguments, Destinations.ofElements(destinations.byItem()), options);
            case CLIENT -> (RpcCall<R>) stub.call(peer.connection(), arguments, destinations, options);
            case OPERATIONS ->
                (RpcCall<R>) stub.operations(peer.connection(), arguments, destinations, options, operations);
        };
    }

    /** Makes a call with destinations that it cannot have. */
    private void misuse(A arguments, CallOptions options) throws Wrong, InterruptedException {
        Way way = exchange.way() == Way.OPERATIONS ? Way.CLIENT : exchange.way();
        Optional<Misuse> drawn = Misuse.of(exchange, way, peer, exchange.misuse());
        if (drawn.isEmpty()) {
            return;
        }
        Misuse misuse = drawn.get();
        String message;
        try {
            call(way, arguments, misuse.destinations(), options).await();
            throw new Wrong("misuse", "a call is made with " + misuse);
        } catch (RpcException failed) {
            throw new Wrong("misuse", "a call is made with " + misuse, failed);
        } catch (IllegalArgumentException refused) {
            message = String.valueOf(refused.getMessage());
        }
        if (!misuse.named().stream().allMatch(message::contains)) {
            throw new Wrong("message", "the message for " + misuse + " is: " + message);
        }
        if (!misuse.memory().stream().allMatch(slice -> slice.isUntouchedFrom(0))) {
            throw new Wrong("memory", "memory has changed of " + misuse);
        }
    }

    /** Each operation up to one that fails has its result, and no other has one. */
    private void checkOperations() throws Wrong {
        int returned = exchange.draft()
                .operations()
                .map(each -> exchange.results().elements().all(each.results()))
                .orElse(0);
        for (int i = 0; i < operations.size(); i++) {
            Class<?> expected = i >= returned
                    ? OperationException.NotReached.class
                    : i == exchange.results().failing() ? OperationException.Failed.class : null;
            Class<?> came = operations.get(i).failure().map(Object::getClass).orElse(null);
            if (expected != came) {
                throw new Wrong("operation", "operation " + i + " has " + came + " instead of " + expected);
            }
        }
    }

    private long replyBound(A arguments) {
        long bound = procedure.binding().replyBound().applyAsLong(arguments);
        return bound == ProcedureBinding.UNBOUNDED ? exchange.unboundedReplySize() : bound;
    }

    private void check(R results, long replyBound) throws Wrong, IOException {
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
        Expected order = new Expected(exchange, peer.maxMessage());
        checkMoves(order, replyBound);
        for (int i = 0; i < placed.size(); i++) {
            Target target = target(placed.get(i));
            if (target != null && !target.slices().isEmpty()) {
                check(placed.get(i), target, expected, isOnlyOneThere(placed.get(i), order));
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

    /** Whether no other result has landed in the memory of a result. */
    private boolean isOnlyOneThere(Placed item, Expected order) {
        List<Placed> all = exchange.results().encoding().items();
        int own = order.indexOf(item);
        return peer.isTcp() || own < 0 || own >= all.size() || all.get(own).equals(item);
    }

    /** What lands in its own memory is not moved and, if that can be written directly, not copied. */
    private void checkMoves(Expected order, long replyBound) throws Wrong {
        List<Placed> all = exchange.results().encoding().items();
        long away = 0;
        boolean areDirect = true;
        for (int i = 0; i < all.size(); i++) {
            away += order.stays(i, all.get(i)) ? 0 : all.get(i).length();
            areDirect &= !(exchange.slot(all.get(i)) instanceof Plan.Pieces pieces) || pieces.isDirect();
        }
        CallReport report = peer.last();
        if (report.movedBytes() > away) {
            throw new Wrong(
                    "moved", report.movedBytes() + " bytes have moved, but only " + away + " have landed elsewhere");
        }
        boolean isByChunks = report.writeChunkBytes() > 0
                && exchange.arguments().encoding().items().isEmpty();
        if (isByChunks && areDirect && away == 0 && areAllOffered(order, replyBound) && report.copiedBytes() > 0) {
            throw new Wrong("copied", report.copiedBytes() + " bytes have been copied although each has a chunk");
        }
    }

    /** Whether there is a chunk for each result of the reply, with a segment of its own for larger ones. */
    private boolean areAllOffered(Expected order, long replyBound) {
        int chunks = order.count();
        boolean hasReplyChunk = peer.last().replyChunkBytes() > 0 || replyBound > peer.inlineThreshold();
        boolean isInlineForSure = order.isWhole() && replyBound + 200 + chunks * 40L <= peer.inlineThreshold();
        return (hasReplyChunk || isInlineForSure)
                && exchange.results().encoding().items().size() <= chunks
                && chunks <= Exchange.FEW_CHUNKS
                && chunks <= exchange.draft().writeChunks().orElse(chunks)
                && chunks * exchange.largest(peer.maxMessage()) <= peer.maxMessage();
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

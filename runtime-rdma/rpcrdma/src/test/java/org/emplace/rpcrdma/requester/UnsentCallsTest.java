// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Failures.assertFails;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.reactor.Timekeeper;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.client.PendingCall;
import org.emplace.rpc.transport.ConnectionRole;
import org.emplace.rpc.transport.RpcTransport.RemotePayload;
import org.emplace.rpcrdma.link.TestLink;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Calls that end before they are sent hold nothing: no memory, no credit, and no Receive. There is one credit, one
 * Receive for a reply, and a queue pair that the test plays.
 */
@Timeout(60)
final class UnsentCallsTest {
    private static final int POOLED = 1 << 20;

    @AutoClose
    private final RdmaProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS);

    private final TestLink peer = new TestLink(provider, Timekeeper.system("test"));
    private final ConnectionRole role = ConnectionRole.initiator(ConnectionOptions.DEFAULT.withCredits(1));
    private final Requester requester = new Requester(peer.link, role);

    UnsentCallsTest() throws Exception {}

    @AfterEach
    void close() {
        requester.disconnected("the test is over");
        role.dispatcher().close();
    }

    @Test
    void aCallThatIsGivenUpWhileItsMemoryIsExposed() throws Exception {
        PendingCall<?, ?> call = open(Payload.of(ByteBuffer.allocate(5000)));
        peer.exposing = call::cancel;
        requester.call(call);
        peer.accesses.forEach(TestLink.Access::end);

        assertFails(call::await, Kind.CANCELLED);
        assertThatNothingIsHeld();
    }

    @Test
    void aCallWhoseMemoryCannotBeExposed() throws Exception {
        assertFailsToBeExposed(RdmaException.Reason.NO_RESOURCES, Kind.NO_RESOURCES);
    }

    @Test
    void aCallWhoseConnectionEndsBeforeItsMemoryIsExposed() throws Exception {
        assertFailsToBeExposed(RdmaException.Reason.DISCONNECTED, Kind.DISCONNECTED);
    }

    @Test
    void aCallWhoseArgumentsCannotBeFetchedFromAnotherPeer() throws Exception {
        PendingCall<?, ?> call = open(new Remote(() -> {
            throw new IllegalStateException("as it should");
        }));
        requester.call(call);

        assertFails(call::await, Kind.GARBAGE_ARGS).hasMessageContaining("as it should");
        assertThatNothingIsHeld();
    }

    @Test
    void aCallThatIsGivenUpWhileItsArgumentsAreFetched() throws Exception {
        CompletableFuture<Void> fetch = new CompletableFuture<>();
        PendingCall<?, ?> call = open(new Remote(() -> fetch));
        requester.call(call);
        call.cancel();
        fetch.complete(null);

        assertFails(call::await, Kind.CANCELLED);
        assertThatNothingIsHeld();
    }

    @Test
    void whenACallIsGivenUpWhileItsArgumentsAreFetchedAWaitingCallGetsItsCredit() {
        CompletableFuture<Void> fetch = new CompletableFuture<>();
        PendingCall<?, ?> call = open(new Remote(() -> fetch));
        requester.call(call);
        requester.call(open(Payload.of(ByteBuffer.allocate(5000))));
        call.cancel();
        assertThat(peer.calls).isEmpty();
        fetch.complete(null);

        assertThat(peer.calls).containsExactly("post");
    }

    private void assertFailsToBeExposed(RdmaException.Reason reason, Kind kind) throws Exception {
        PendingCall<?, ?> call = open(Payload.of(ByteBuffer.allocate(5000)));
        peer.exposing = () -> {
            throw new RdmaException(reason, "as it should");
        };
        requester.call(call);

        assertFails(call::await, kind).hasMessageContaining("as it should");
        assertThatNothingIsHeld();
    }

    private void assertThatNothingIsHeld() throws Exception {
        assertThat(peer.calls).isEmpty();
        peer.link.memory().pool().acquire(POOLED).release();
        peer.exposing = () -> {};
        requester.call(open(Payload.of(ByteBuffer.allocate(5000))));
        assertThat(peer.calls).as("another call").containsExactly("post");
    }

    private PendingCall<?, ?> open(Payload item) {
        return requester.pending().open(OutgoingCallTest.ECHO, List.of(item), Destinations.none(), CallOptions.DEFAULT);
    }

    /** An argument in the memory of another peer. */
    private record Remote(Supplier<CompletionStage<?>> fetch) implements RemotePayload {
        @Override
        public long length() {
            return 5000;
        }

        @Override
        public CompletionStage<?> fetched() {
            return fetch.get();
        }

        @Override
        public ByteBuffer buffer() {
            throw new AssertionError("read before it was fetched");
        }

        @Override
        public CompletionStage<Void> fetchInto(ByteBuffer sink) {
            throw new AssertionError("read before it was fetched");
        }
    }
}

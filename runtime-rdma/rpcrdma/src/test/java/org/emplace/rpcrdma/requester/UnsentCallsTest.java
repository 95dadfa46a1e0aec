// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.requester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Failures.assertFails;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteSegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.transport.ConnectionRole;
import org.emplace.rpc.transport.PendingCall;
import org.emplace.rpc.transport.RemotePayload;
import org.emplace.rpc.transport.Timekeeper;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.link.OwnReceives;
import org.emplace.rpcrdma.link.TestLink;
import org.emplace.rpcrdma.memory.RegisteredPool;
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

    private final List<WorkRequest> posted = new ArrayList<>();
    private final ConnectionRole role = ConnectionRole.initiator(ConnectionOptions.DEFAULT.withCredits(1));
    private Exposing exposing = () -> {};

    private final Link link = TestLink.over(
            queuePair(),
            Timekeeper.system("test"),
            provider,
            new OwnReceives(new RegisteredPool(provider, POOLED), 1024, 1, 1));
    private final Requester requester = new Requester(link, role);

    UnsentCallsTest() throws Exception {}

    @AfterEach
    void close() {
        requester.disconnected("the test is over");
        role.disconnected();
    }

    @Test
    void aCallThatIsGivenUpWhileItsMemoryIsExposed() throws Exception {
        PendingCall<?, ?> call = open(Payload.of(ByteBuffer.allocate(5000)));
        exposing = call::cancel;
        requester.call(call);

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
        assertThat(posted).isEmpty();
        fetch.complete(null);

        assertThat(posted).hasSize(1);
    }

    private void assertFailsToBeExposed(RdmaException.Reason reason, Kind kind) throws Exception {
        PendingCall<?, ?> call = open(Payload.of(ByteBuffer.allocate(5000)));
        exposing = () -> {
            throw new RdmaException(reason, "as it should");
        };
        requester.call(call);

        assertFails(call::await, kind).hasMessageContaining("as it should");
        assertThatNothingIsHeld();
    }

    private void assertThatNothingIsHeld() throws Exception {
        assertThat(posted).isEmpty();
        link.memory().pool().acquire(POOLED).release();
        exposing = () -> {};
        requester.call(open(Payload.of(ByteBuffer.allocate(5000))));
        assertThat(posted).as("another call").hasSize(1);
    }

    private PendingCall<?, ?> open(Payload item) {
        return requester.pending().open(OutgoingCallTest.ECHO, List.of(item), List.of(), CallOptions.DEFAULT);
    }

    private QueuePair queuePair() {
        return (QueuePair) Proxy.newProxyInstance(
                QueuePair.class.getClassLoader(), new Class<?>[] {QueuePair.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("expose")) {
                        exposing.run();
                        return new Access();
                    }
                    if (arguments != null && arguments[0] instanceof WorkRequest request) {
                        posted.add(request);
                    }
                    return null;
                });
    }

    /** What happens while memory is exposed. */
    private interface Exposing {
        void run() throws RdmaException;
    }

    /** An access that ends as soon as it is revoked. */
    private static final class Access implements RemoteAccess {
        @Override
        public RemoteSegment advertised() {
            return new RemoteSegment(7, 0, 10);
        }

        @Override
        public CompletionStage<Void> revoke() {
            return CompletableFuture.completedStage(null);
        }
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

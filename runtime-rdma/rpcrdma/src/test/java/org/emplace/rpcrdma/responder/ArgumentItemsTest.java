// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.emplace.rdma.Completion;
import org.emplace.rdma.Completion.Status;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RemoteSegment;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.transport.ServiceDispatcher;
import org.emplace.rpc.transport.Timekeeper;
import org.emplace.rpcrdma.header.ChunkLists;
import org.emplace.rpcrdma.header.ReadSegment;
import org.emplace.rpcrdma.link.CallDirection;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.link.Links;
import org.emplace.rpcrdma.link.OwnReceives;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Which arguments of a call are in its Read chunks, and how their bytes are read. The test plays the peer. */
final class ArgumentItemsTest {
    private static final List<ReadSegment> TWO_CHUNKS = List.of(
            new ReadSegment(44, new RemoteSegment(1, 0, 10)),
            new ReadSegment(100, new RemoteSegment(2, 0, 5)),
            new ReadSegment(44, new RemoteSegment(3, 0, 22)),
            new ReadSegment(0, new RemoteSegment(4, 0, 1000)));

    @AutoClose
    private final RdmaProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS);

    private final List<WorkRequest> posted = new ArrayList<>();
    private final Link link;
    private final IncomingRdmaCall call;
    private boolean closed;

    ArgumentItemsTest() throws Exception {
        OwnReceives receives = new OwnReceives(new RegisteredPool(provider, 1 << 20), 1024, 1, 1);
        link = Links.over(queuePair(), Timekeeper.system("test"), provider, receives);
        RpcConnection connection = (RpcConnection) Proxy.newProxyInstance(
                RpcConnection.class.getClassLoader(),
                new Class<?>[] {RpcConnection.class},
                (proxy, method, none) -> null);
        ChunkRules rules = new ChunkRules(CallDirection.FORWARD, 1024);
        Responder responder = new Responder(link, connection, new ServiceDispatcher(1, 1), rules);
        call = new IncomingRdmaCall(
                responder,
                Objects.requireNonNull(receives.completed(Completion.success(0, Completion.Operation.RECEIVE, 100))),
                1,
                1,
                ChunkLists.EMPTY);
    }

    @Test
    void anArgumentIsTheWholeChunkAtItsPosition() throws Exception {
        ArgumentItems items = items(false);
        assertThat(items.count()).isEqualTo(2);
        assertThat(items.length()).isEqualTo(32 + 5);
        assertThat(items.chunkAt(40, 32)).isNull();
        assertThat(items.chunkAt(44, 32)).isNotNull();
        assertThat(items.chunkAt(44, 32)).as("each is taken once").isNull();
        assertThat(items.chunkAt(48, 32)).isNull();
        assertThat(items.allTaken()).isFalse();

        assertThat(items.chunkAt(100, 5)).isNotNull();
        assertThat(items.allTaken()).isTrue();
        assertThat(items.count()).isEqualTo(2);
        assertThat(items.length()).isEqualTo(32 + 5);
    }

    @Test
    void aChunkAtAPositionWithoutAnArgumentIsNotTaken() throws Exception {
        ArgumentItems items = items(false);
        assertThat(items.chunkAt(48, 32)).isNull();
        assertThat(items.chunkAt(100, 5)).isNotNull();
        assertThat(items.allTaken()).isFalse();
    }

    @Test
    void aChunkMayHaveThePaddingOfItsArgumentAndNoMore() throws Exception {
        assertThat(taken(29).length()).isEqualTo(29);
        assertThat(taken(32).length()).isEqualTo(32);
        assertThatThrownBy(() -> taken(28)).isInstanceOf(XdrException.class);
        assertThatThrownBy(() -> taken(33)).isInstanceOf(XdrException.class);
    }

    /** An array of numbers has the length of its chunk, and decoding it needs its bytes. */
    @Test
    void anArgumentOfUnknownLengthIsNotDecodedBeforeItIsHere() throws Exception {
        Payload array = items(false).chunkAt(44, EligibleItems.UNKNOWN_LENGTH);
        assertThat(Objects.requireNonNull(array).length()).isEqualTo(32);

        assertThatThrownBy(() -> items(true).chunkAt(44, EligibleItems.UNKNOWN_LENGTH))
                .isInstanceOf(XdrException.class);
        assertThat(items(true).chunkAt(44, 32)).isNotNull();
    }

    @Test
    void theMessageItselfIsNoArgument() {
        List<ReadSegment> message = TWO_CHUNKS.subList(3, 4);
        assertThat(ArgumentItems.areIn(List.of())).isFalse();
        assertThat(ArgumentItems.areIn(message)).isFalse();
        assertThat(ArgumentItems.areIn(TWO_CHUNKS)).isTrue();
        for (List<ReadSegment> none : List.of(message, List.<ReadSegment>of())) {
            ArgumentItems items = new ArgumentItems(none, call, false);
            assertThat(items.count()).isZero();
            assertThat(items.length()).isZero();
            assertThat(items.allTaken()).isTrue();
        }
    }

    @Test
    void allArgumentsThatWereTakenAreFetchedTogether() throws Exception {
        ArgumentItems items = items(true);
        items.chunkAt(44, 29);
        items.chunkAt(100, 5);
        boolean[] here = new boolean[1];
        items.fetch().whenComplete((done, failure) -> here[0] = failure == null);
        assertThat(posted).extracting(WorkRequest::length).containsExactly(10L, 19L, 5L);

        end(0, Status.SUCCESS);
        end(1, Status.SUCCESS);
        assertThat(here[0]).isFalse();
        end(2, Status.SUCCESS);
        assertThat(here[0]).isTrue();
    }

    @Test
    void bytesAreFetchedOnce() throws Exception {
        ReadChunkPayload argument = taken(32);
        assertThat(argument.fetched()).isNotDone();
        end(0, Status.SUCCESS);
        end(1, Status.SUCCESS);

        assertThat(argument.buffer().remaining()).isEqualTo(32);
        assertThat(argument.buffer().isReadOnly()).isTrue();
        ByteBuffer sink = ByteBuffer.allocateDirect(32);
        assertThat(argument.fetchInto(sink).toCompletableFuture()).isCompleted();
        assertThat(posted).hasSize(2);
    }

    @Test
    void aReadThatFailsIsAnError() throws Exception {
        ReadChunkPayload argument = taken(32);
        assertThat(argument.fetched()).isNotDone();
        end(0, Status.SUCCESS);
        end(1, Status.REMOTE_ERROR);

        assertThatThrownBy(argument::buffer).isInstanceOf(IOException.class).hasMessageContaining("REMOTE_ERROR");
    }

    @Test
    void whoWaitsTooLongClosesTheConnection() throws Exception {
        ReadChunkPayload argument = taken(32);

        assertThatThrownBy(argument::buffer).isInstanceOf(IOException.class).hasMessageContaining("within PT1S");
        assertThat(closed).isTrue();
    }

    @Test
    void whoIsInterruptedStaysSo() throws Exception {
        ReadChunkPayload argument = taken(32);
        Thread.currentThread().interrupt();

        assertThatThrownBy(argument::buffer).isInstanceOf(IOException.class).hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aSinkMustHaveRoom() throws Exception {
        ReadChunkPayload argument = taken(32);
        assertThatThrownBy(() -> argument.fetchInto(ByteBuffer.allocateDirect(31)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () -> argument.fetchInto(ByteBuffer.allocateDirect(32).asReadOnlyBuffer()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(posted).isEmpty();

        argument.fetchInto(ByteBuffer.allocateDirect(32));
        assertThat(posted).hasSize(2);
    }

    private ArgumentItems items(boolean ahead) {
        return new ArgumentItems(TWO_CHUNKS, call, ahead);
    }

    /** The payload of the chunk of 32 bytes, for an item of this length. */
    private ReadChunkPayload taken(long length) throws XdrException {
        return (ReadChunkPayload) Objects.requireNonNull(items(false).chunkAt(44, length));
    }

    /** Completes one of the Reads. */
    private void end(int index, Status status) {
        WorkRequest read = posted.get(index);
        link.sends().completed(status == Status.SUCCESS ? Completion.success(read) : Completion.failure(read, status));
    }

    private QueuePair queuePair() {
        return (QueuePair) Proxy.newProxyInstance(
                QueuePair.class.getClassLoader(), new Class<?>[] {QueuePair.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("post")) {
                        ((List<?>) arguments[0]).forEach(request -> posted.add((WorkRequest) request));
                    } else if (method.getName().equals("close")) {
                        closed = true;
                    }
                    return null;
                });
    }
}

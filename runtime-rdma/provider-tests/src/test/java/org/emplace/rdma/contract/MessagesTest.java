// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.emplace.rdma.MemoryRegion;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.RemoteAccess.Right;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Operation;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.emplace.rdma.contract.ProviderUnderTest.Limit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Sends and Receives. */
@ParameterizedClass
@MethodSource("org.emplace.rdma.contract.ProviderUnderTest#variants")
final class MessagesTest {
    @AutoClose
    private final Pair pair;

    MessagesTest(ProviderUnderTest.Variant variant) throws Exception {
        pair = Pair.connected(variant);
    }

    @Test
    void sendsArriveInOrderWhateverTheirLength() throws Exception {
        int[] lengths = {0, 1, 3, 4, 4096, 61_440, 61_441, Side.RECEIVE_SIZE};
        MemoryRegion source = pair.initiator.noise(Side.RECEIVE_SIZE + 1);
        for (int i = 0; i < lengths.length; i++) {
            pair.initiator.post(
                    new WorkRequest.Send(100 + i, List.of(source.segment(1, lengths[i])), OptionalInt.empty()));
        }
        for (int i = 0; i < lengths.length; i++) {
            assertThat(pair.responder.handler.next()).isEqualTo(Completion.success(i, Operation.RECEIVE, lengths[i]));
            assertThat(pair.responder.received(i, lengths[i]))
                    .isEqualTo(source.buffer().slice(1, lengths[i]));
            assertThat(pair.initiator.handler.next())
                    .isEqualTo(Completion.success(100 + i, Operation.SEND, lengths[i]));
        }
    }

    @Test
    void aSendGathersItsPieces() throws Exception {
        MemoryRegion one = pair.initiator.noise(1000);
        MemoryRegion other = pair.initiator.noise(500);
        pair.initiator.post(new WorkRequest.Send(
                1,
                List.of(one.segment(10, 7), other.segment(499, 1), one.segment(0, 0), one.segment(3, 900)),
                OptionalInt.empty()));
        assertThat(pair.responder.handler.next()).isEqualTo(Completion.success(0, Operation.RECEIVE, 908));
        ByteBuffer expected = ByteBuffer.allocate(908)
                .put(one.segment(10, 7).buffer())
                .put(other.segment(499, 1).buffer())
                .put(one.segment(3, 900).buffer())
                .flip();
        assertThat(pair.responder.received(0, 908)).isEqualTo(expected);
    }

    @Test
    void anEmptySendUsesAReceive() throws Exception {
        pair.initiator.post(new WorkRequest.Send(1, List.of(), OptionalInt.empty()));
        assertThat(pair.responder.handler.next()).isEqualTo(Completion.success(0, Operation.RECEIVE, 0));
        assertThat(pair.initiator.handler.next()).isEqualTo(Completion.success(1, Operation.SEND, 0));
    }

    @Test
    void receivesAreFilledInTheOrderInWhichTheyWerePosted() throws Exception {
        int rounds = 50;
        MemoryRegion source = pair.initiator.region(4 * Side.RECEIVES);
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < Side.RECEIVES; i++) {
                source.buffer().putInt(4 * i, 1000 * round + i);
                pair.initiator.post(new WorkRequest.Send(i, List.of(source.segment(4 * i, 4)), OptionalInt.empty()));
            }
            for (int i = 0; i < Side.RECEIVES; i++) {
                assertThat(pair.responder.handler.next()).isEqualTo(Completion.success(i, Operation.RECEIVE, 4));
                assertThat(pair.responder.received(i, 4).getInt()).isEqualTo(1000 * round + i);
                pair.responder.queuePair().postReceive(pair.responder.receive(i));
            }
            assertThat(pair.initiator.handler.next(Side.RECEIVES)).allMatch(c -> c.status() == Status.SUCCESS);
        }
    }

    @Test
    void aSendLongerThanItsReceiveEndsTheConnection() throws Exception {
        pair.initiator.post(Side.send(1, pair.initiator.noise(Side.RECEIVE_SIZE + 1)));
        assertThat(pair.responder.handler.end()).isNotEmpty();
        assertThat(pair.responder.handler.next().status()).isNotEqualTo(Status.SUCCESS);
        assertInitiatorKnows();
    }

    @Test
    void aSendWithoutAReceiveEndsTheConnection() throws Exception {
        MemoryRegion source = pair.initiator.noise(10);
        for (int i = 0; i <= Side.RECEIVES; i++) {
            pair.initiator.post(Side.send(i, source));
        }
        assertThat(pair.responder.handler.next(Side.RECEIVES)).allMatch(c -> c.status() == Status.SUCCESS);
        pair.responder.handler.end();
        assertThat(pair.initiator.handler.next(Side.RECEIVES)).allMatch(c -> c.status() == Status.SUCCESS);
        assertInitiatorKnows();
    }

    @Test
    void theProviderServesTheNextConnectionAfterOneEndedInError() throws Exception {
        pair.initiator.post(Side.send(1, pair.initiator.noise(Side.RECEIVE_SIZE + 1)));
        pair.responder.handler.end();
        pair.another().greet();
    }

    @Test
    void aSendMayInvalidateAnStag() throws Exception {
        assumeTrue(pair.initiator.queuePair().sendsInvalidate(), "no Send with Invalidate here");
        assumeTrue(pair.responder.queuePair().reportsRemoteInvalidation(), "remote invalidation is not reported here");
        MemoryRegion target = pair.responder.region(10);
        RemoteAccess access = pair.responder.expose(target, Right.REMOTE_WRITE);
        int stag = access.advertised().stag();
        MemoryRegion source = pair.initiator.noise(10);
        pair.initiator.post(new WorkRequest.Send(1, List.of(source.segment(0, 7)), OptionalInt.of(stag)));

        assertThat(pair.responder.handler.next())
                .isEqualTo(new Completion(0, Operation.RECEIVE, Status.SUCCESS, 7, OptionalInt.of(stag)));
        assertThat(access.revoke().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(20));

        pair.initiator.post(new WorkRequest.Write(2, List.of(source.segment(0, 1)), access.advertised()));
        pair.responder.handler.end();
        assertThat(target.buffer()).isEqualTo(ByteBuffer.allocate(10));
    }

    /** The message did not arrive, and its sender learns this by the completion or by the end of the connection. */
    private void assertInitiatorKnows() throws Exception {
        boolean toldAtTheEnd = pair.initiator.handler.end().isPresent();
        if (ProviderUnderTest.CHOSEN.has(Limit.REFUSALS_ARE_NOT_TOLD)) {
            return;
        }
        assertThat(toldAtTheEnd || pair.initiator.handler.next().status() != Status.SUCCESS)
                .isTrue();
    }
}

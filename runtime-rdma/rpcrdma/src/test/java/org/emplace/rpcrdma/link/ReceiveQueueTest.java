// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.Receives.ReceiveRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.iwarp.IwarpOptions;
import org.emplace.rdma.iwarp.IwarpProvider;
import org.emplace.rpcrdma.memory.PooledBuffer;
import org.emplace.rpcrdma.memory.RegisteredPool;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.XdrDecoder;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** As many Receives are posted as are promised, and no memory of a pool for eight is held for longer. */
final class ReceiveQueueTest {
    private static final int SIZE = 4096;
    private static final int POOLED = 8;

    @AutoClose
    private final RdmaProvider provider = IwarpProvider.open(IwarpOptions.DEFAULTS);

    private final RegisteredPool pool = new RegisteredPool(provider, POOLED * SIZE);
    private final List<ReceiveRequest> posted = new ArrayList<>();
    private final ReceiveQueue queue = new ReceiveQueue(pool, SIZE, 10, posted::add);

    ReceiveQueueTest() throws Exception {}

    @Test
    void asManyArePostedAsArePromised() throws Exception {
        queue.promise(2);
        assertThat(posted).hasSize(2);
        assertThat(queue.promiseIfPossible(3)).isEqualTo(3);
        assertThat(posted).hasSize(5);
        assertThat(posted).extracting(ReceiveRequest::id).doesNotHaveDuplicates();
        assertThat(queue.promised()).isEqualTo(5);
        assertThat(free()).isEqualTo(POOLED - 5);
    }

    @Test
    void noMoreArePromisedThanTheQueueTakes() throws Exception {
        ReceiveQueue two = new ReceiveQueue(pool, SIZE, 2, posted::add);
        two.promise(2);

        assertThatThrownBy(() -> two.promise(1))
                .isInstanceOf(RdmaException.class)
                .hasMessageContaining("all 2 Receives of the queue are promised");
        assertThat(two.promiseIfPossible(1)).isZero();
        assertThat(posted).hasSize(2);
    }

    @Test
    void withoutMemoryForAllNoneIsPromisedAndNoneHeld() throws Exception {
        queue.promise(6);
        assertThat(queue.promiseIfPossible(3)).isZero();
        assertThat(queue.promised()).isEqualTo(6);
        assertThat(posted).hasSize(6);

        List<PooledBuffer> others = acquireAll();
        assertThat(others).hasSize(2);
        assertThatThrownBy(() -> queue.promise(1)).isInstanceOf(RdmaException.class);
        assertThat(posted).hasSize(6);
    }

    @Test
    void aReceiveIsReplacedAtOnceAndItsBufferKeptForTheNext() throws Exception {
        queue.promise(2);
        ReceivedMessage message = arrived(0);
        assertThat(posted).hasSize(3);
        message.release();
        assertThat(posted).as("no more than promised").hasSize(3);

        arrived(1);
        assertThat(posted.get(3)).isSameAs(posted.get(0));
        assertThat(free()).isEqualTo(POOLED - 3);
    }

    @Test
    void twoBuffersAreKeptForTheNextMessages() throws Exception {
        queue.promise(3);
        List<ReceivedMessage> messages = List.of(arrived(0), arrived(1), arrived(2));
        assertThat(free()).isEqualTo(POOLED - 6);
        messages.forEach(ReceivedMessage::release);
        assertThat(free()).isEqualTo(POOLED - 5);
    }

    @Test
    void withoutMemoryForAnotherReceiveAMessageIsCopied() throws Exception {
        queue.promise(1);
        acquireAll();
        posted.get(0).sink().buffer().putInt(7);
        ReceivedMessage message = arrived(0);
        assertThat(posted).hasSize(2);
        assertThat(posted.get(1)).isSameAs(posted.get(0));

        posted.get(0).sink().buffer().putInt(8);
        assertThat(message.bytes().getInt()).isEqualTo(7);
        assertThat(message.decoder().readInt()).isEqualTo(7);
    }

    /** With assertions, which are enabled in tests. */
    @Test
    void everyUseOfAMessageAfterItsReleaseFails() throws Exception {
        queue.promise(1);
        posted.get(0).sink().buffer().putInt(7);
        ReceivedMessage released = arrived(0);
        ByteBuffer bytes = released.bytes();
        released.release();
        assertThat(bytes.getInt(0)).isNotEqualTo(7);
        arrived(1).release();
        arrived(2);
        assertThat(posted.get(2)).as("the same memory").isSameAs(posted.get(0));

        List<ThrowingCallable> uses = List.of(released::bytes, released::decoder, released::release);
        assertThat(uses)
                .allSatisfy(use -> assertThatThrownBy(use)
                        .isInstanceOf(AssertionError.class)
                        .hasMessage("a received message is used after its release"));
    }

    /** Otherwise they would stay in memory until the next message arrives. */
    @Test
    void aMessageForgetsItsItemsWhenItIsReleased() throws Exception {
        queue.promise(1);
        ReceivedMessage message = arrived(0);
        XdrDecoder decoder = message.decoder();
        decoder.eligibleItems((EligibleItems) Proxy.newProxyInstance(
                EligibleItems.class.getClassLoader(), new Class<?>[] {EligibleItems.class}, (items, method, of) -> {
                    throw new AssertionError(method);
                }));
        message.release();

        assertThat(decoder.readFixedPayload(Integer.BYTES).length()).isEqualTo(Integer.BYTES);
    }

    @Test
    void whatIsWithdrawnIsNotReplaced() throws Exception {
        queue.promise(3);
        queue.withdraw(1);
        assertThat(queue.promised()).isEqualTo(2);
        arrived(0).release();
        assertThat(posted).hasSize(3);
        arrived(1);
        assertThat(posted).as("by the buffer that was kept").hasSize(4);
    }

    @Test
    void aReceiveThatBroughtNothingGivesItsMemoryBack() throws Exception {
        queue.promise(1);
        int id = posted.get(0).id();
        Completion flushed =
                new Completion(id, Completion.Operation.RECEIVE, Completion.Status.FLUSHED, 0, OptionalInt.empty());

        assertThat(queue.completed(flushed)).isNull();
        assertThat(free()).isEqualTo(POOLED);
    }

    @Test
    void aCompletionAfterTheEndFindsNothing() throws Exception {
        queue.promise(1);
        queue.close();

        assertThat(queue.completed(completion(0))).isNull();
    }

    @Test
    void theEndGivesAllMemoryBackThatNoMessageHolds() throws Exception {
        queue.promise(3);
        ReceivedMessage held = arrived(0);
        arrived(1).release();
        assertThat(free()).isEqualTo(POOLED - 5);
        queue.close();
        assertThat(free()).isEqualTo(POOLED - 1);

        held.release();
        assertThat(posted).hasSize(5);
        assertThat(free()).isEqualTo(POOLED);
    }

    @Test
    void endingTwiceGivesNothingBackThatOthersHoldByThen() throws Exception {
        queue.promise(2);
        arrived(0).release();
        queue.close();
        assertThat(acquireAll()).hasSize(POOLED);

        queue.close();
        assertThat(acquireAll()).isEmpty();
    }

    /** Memory is registered without a lock held, so a connection can end meanwhile. */
    @Test
    void memoryThatIsRegisteredWhileTheQueueEndsIsGivenBack() throws Exception {
        Runnable[] registering = {() -> {}};
        RdmaProvider watched = (RdmaProvider) Proxy.newProxyInstance(
                RdmaProvider.class.getClassLoader(),
                new Class<?>[] {RdmaProvider.class},
                (proxy, method, arguments) -> {
                    registering[0].run();
                    return method.invoke(provider, arguments);
                });
        RegisteredPool slow = new RegisteredPool(watched, SIZE);
        ReceiveQueue ending = new ReceiveQueue(slow, SIZE, 10, posted::add);
        registering[0] = ending::close;
        ending.promise(1);

        assertThat(posted).isEmpty();
        assertThat(slow.acquire(SIZE)).isNotNull();
    }

    @Test
    void nothingIsPostedAfterTheEnd() throws Exception {
        queue.close();
        queue.promise(3);
        assertThat(posted).isEmpty();
        assertThat(free()).isEqualTo(POOLED);
    }

    private ReceivedMessage arrived(int index) {
        return Objects.requireNonNull(queue.completed(completion(index)));
    }

    private Completion completion(int index) {
        return Completion.success(posted.get(index).id(), Completion.Operation.RECEIVE, Integer.BYTES);
    }

    /** How many buffers are free. */
    private int free() {
        List<PooledBuffer> buffers = acquireAll();
        buffers.forEach(PooledBuffer::release);
        return buffers.size();
    }

    private List<PooledBuffer> acquireAll() {
        List<PooledBuffer> buffers = new ArrayList<>();
        try {
            while (true) {
                buffers.add(pool.acquire(SIZE));
            }
        } catch (RdmaException exhausted) {
            return buffers;
        }
    }
}

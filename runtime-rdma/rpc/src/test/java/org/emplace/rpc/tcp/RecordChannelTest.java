// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.emplace.reactor.EventLoop;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.transport.Timekeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Records are received in order, whenever the receiver has room for them. */
class RecordChannelTest {
    private final Lingering lingering = new Lingering();
    private EventLoop loop;
    private Pair pair;

    @BeforeEach
    void connect() throws Exception {
        loop = new EventLoop("test");
        pair = new Pair();
    }

    @AfterEach
    void close() throws Exception {
        pair.close();
    }

    @Test
    void leftoverBytesAreReceivedBeforeLaterOnes() throws Exception {
        FullAfterTheFirst receiver = new FullAfterTheFirst();
        RecordChannel channel = channelTo(receiver);
        pair.peer.write(records(1, 2));
        channel.start();
        assertThat(receiver.next()).isEqualTo(1);

        pair.peer.write(records(3));
        letTurnsPass();
        channel.resume(() -> {});

        assertThat(receiver.next()).isEqualTo(2);
        assertThat(receiver.next()).isEqualTo(3);
    }

    @Test
    void aConnectionThatLingersIsReleasedWhenItsLoopEnds() throws Exception {
        channelThatLingers();

        loop.shutDown(Duration.ofMillis(10));

        lingering.awaitRelease();
    }

    @Test
    void aConnectionThatLingersIsReleasedWhenItFails() throws Exception {
        RecordChannel channel = channelThatLingers();

        // Without a failure it waits for a second, in which these turns take place.
        channel.failed(new IllegalStateException("as the test wants it"));
        letTurnsPass();

        assertThat(pair.accepted.isOpen()).isFalse();
        lingering.awaitRelease();
    }

    private RecordChannel channelTo(RecordChannel.Receiver receiver) {
        return new RecordChannel(
                pair.accepted,
                loop,
                ConnectionOptions.DEFAULT.withMaximumMessage(100),
                Timekeeper.system("test-time"),
                receiver);
    }

    private RecordChannel channelThatLingers() throws InterruptedException {
        RecordChannel channel = channelTo(lingering);
        channel.start();
        channel.close();
        letTurnsPass();
        return channel;
    }

    /** Records of one word. */
    private static ByteBuffer records(int... words) {
        ByteBuffer bytes = ByteBuffer.allocate(8 * words.length);
        for (int word : words) {
            bytes.putInt(0x8000_0004).putInt(word);
        }
        return bytes.flip();
    }

    /** Meanwhile, the event loop sees what is in the socket. */
    private void letTurnsPass() throws InterruptedException {
        for (int turn = 0; turn < 3; turn++) {
            CountDownLatch passed = new CountDownLatch(1);
            loop.execute(passed::countDown);
            assertThat(passed.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** A connection and its peer, which keeps it open. */
    private static final class Pair implements AutoCloseable {
        final SocketChannel peer;
        final SocketChannel accepted;

        Pair() throws IOException {
            try (ServerSocketChannel listening =
                    ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
                peer = SocketChannel.open(listening.getLocalAddress());
                accepted = listening.accept();
            }
            accepted.configureBlocking(false);
        }

        @Override
        public void close() throws IOException {
            peer.close();
            accepted.close();
        }
    }

    /** Receives nothing and waits for the end. */
    private static final class Lingering implements RecordChannel.Receiver {
        private final CountDownLatch released = new CountDownLatch(1);

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void received(ByteBuffer record) {}

        @Override
        public void ended(Level severity, String why) {}

        @Override
        public void released() {
            released.countDown();
        }

        void awaitRelease() throws InterruptedException {
            assertThat(released.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Is not ready after the first record, but is when asked again, because a reply has been sent in between. */
    private static final class FullAfterTheFirst implements RecordChannel.Receiver {
        private final BlockingQueue<Integer> records = new LinkedBlockingQueue<>();
        private boolean full;

        @Override
        public boolean isReady() {
            boolean ready = !full;
            full = false;
            return ready;
        }

        @Override
        public void received(ByteBuffer record) {
            int word = record.getInt(0);
            full = word == 1;
            records.add(word);
        }

        @Override
        public void ended(Level severity, String why) {}

        @Override
        public void released() {}

        int next() throws InterruptedException {
            Integer record = records.poll(20, TimeUnit.SECONDS);
            assertThat(record).isNotNull();
            return record;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.emplace.reactor.EventLoop;
import org.emplace.reactor.FairShare;
import org.emplace.reactor.FairShare.Turns;
import org.emplace.reactor.Peer;
import org.emplace.reactor.SocketHandler;
import org.emplace.reactor.Timekeeper;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.limits.MemoryShares;
import org.emplace.rpc.tcp.RecordWriter.OutgoingRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Records are received in order, whenever the receiver and the peer's share of memory have room for them. */
class RecordChannelTest {
    private static final int LAST = 0x8000_0000;
    private static final int LIMIT = 128 * 1024;
    /** The length of a record that counts even if it is the only one. */
    private static final int LONG = 64 * 1024;

    private static final Duration PERIOD = Duration.ofMillis(500);
    private static final Peer LOOPBACK = Peer.of(InetAddress.getLoopbackAddress());

    private final MemoryShares shares = new MemoryShares(LIMIT);
    private final Recording recording = new Recording();
    private volatile boolean crowded = true;
    private Peer crowding;
    private SocketHandler sockets;
    private EventLoop loop;
    private Pair pair;

    @BeforeEach
    void connect() throws Exception {
        crowding = Peer.of(InetAddress.getByName("10.0.0.9"));
        sockets = new SocketHandler("test");
        loop = sockets.loop();
        pair = new Pair();
    }

    @AfterEach
    void close() throws Exception {
        crowded = false;
        pair.close();
    }

    @Test
    void leftoverBytesAreReceivedBeforeLaterOnes() throws Exception {
        FullAfterTheFirst receiver = new FullAfterTheFirst();
        RecordChannel channel = channelTo(receiver, PERIOD);
        pair.peer.write(records(1, 2));
        channel.start();
        assertThat(receiver.next()).isEqualTo(1);

        pair.peer.write(records(3));
        letTurnsPass();
        channel.resume(() -> {});

        assertThat(receiver.next()).isEqualTo(2);
        assertThat(receiver.next()).isEqualTo(3);
    }

    /** Lets another peer wait for its turn all the time. */
    private void crowd() {
        crowd(() -> {});
    }

    private void crowd(Runnable turn) {
        crowd(crowding, turn);
    }

    /** @param turn what another connection of the peer does in its turns, which begin each round */
    private void crowd(Peer peer, Runnable turn) {
        new Turns(loop, peer)
                .waiting(() -> {
                    turn.run();
                    if (crowded) {
                        crowd(peer, turn);
                    }
                })
                .join();
    }

    @Test
    void aTurnPassesOnFewRecordsHoweverManyHaveArrived() throws Exception {
        loop.execute(this::crowd);
        CountingTurns receiver = new CountingTurns(Integer.MAX_VALUE);
        pair.peer.write(records(IntStream.range(0, 400).toArray()));
        channelTo(receiver, PERIOD).start();
        for (int i = 0; i < 400; i++) {
            assertThat(receiver.next()).isEqualTo(i);
        }
        letTurnsPass();
        assertThat(receiver.longest).isBetween(1, 16);
    }

    @Test
    void aTurnCountsHoweverLittleHasArrived() throws Exception {
        CompletableFuture<Void> used = new CompletableFuture<>();
        loop.execute(() -> crowd(() -> {
            new Turns(loop, LOOPBACK).spend(FairShare.ROUND - 100);
            loop.execute(() -> {
                if (!new Turns(loop, LOOPBACK).isLeft()) {
                    used.complete(null);
                }
            });
        }));
        startedChannel();

        pair.peer.write(records(1).limit(1));

        assertThat(used).succeedsWithin(Duration.ofSeconds(20));
    }

    @Test
    void aLongRecordIsWrittenThoughItsAddressHasNothingLeftOfAnyRound() throws Exception {
        int length = 16 << 20;
        loop.execute(() -> crowd(LOOPBACK, () -> new Turns(loop, LOOPBACK).spend(FairShare.ROUND)));
        // Not PERIOD, because a busy machine may write too little for that.
        RecordChannel channel = channelTo(recording, Duration.ofMinutes(1));
        channel.start();

        channel.send(new OutgoingRecord(List.of(ByteBuffer.allocate(length)), null, () -> {}), () -> true);

        CompletableFuture<Void> readWhole = CompletableFuture.runAsync(() -> read(Integer.BYTES + length));
        assertThat(readWhole).succeedsWithin(Duration.ofSeconds(50));
    }

    @Test
    void whatTheLoopAnswersWaitsForATurnOfItsAddress() throws Exception {
        RecordChannel channel = startedChannel();
        letTurnsPass();
        CompletableFuture<Integer> written = new CompletableFuture<>();

        loop.execute(() -> {
            crowd();
            new Turns(loop, LOOPBACK).spend(FairShare.ROUND);
            channel.send(new OutgoingRecord(List.of(ByteBuffer.allocate(100)), null, () -> {}), () -> true);
            written.complete(available());
        });

        assertThat(written).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(0);
        CompletableFuture<Void> readWhole = CompletableFuture.runAsync(() -> read(Integer.BYTES + 100));
        assertThat(readWhole).succeedsWithin(Duration.ofSeconds(20));
    }

    /** How many bytes the peer can read. */
    private int available() {
        try {
            return pair.peer.socket().getInputStream().available();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private void read(int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        try {
            while (bytes.hasRemaining()) {
                assertThat(pair.peer.read(bytes)).isNotNegative();
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @Test
    void aRefusedRecordEndsTheTurn() throws Exception {
        loop.execute(this::crowd);
        CountingTurns receiver = new CountingTurns(5);
        pair.peer.write(records(IntStream.range(0, 300).toArray()));
        channelTo(receiver, PERIOD).start();
        for (int i = 0; i < 300; i++) {
            assertThat(receiver.next()).isEqualTo(i);
        }
        letTurnsPass();
        assertThat(receiver.longestAfterRefusals).isEqualTo(1);
    }

    @Test
    void aConnectionThatLingersIsReleasedWhenItsLoopEnds() throws Exception {
        channelThatLingers();

        loop.shutDown(Duration.ofMillis(10));

        recording.awaitRelease();
    }

    @Test
    void aConnectionThatLingersIsReleasedWhenItFails() throws Exception {
        RecordChannel channel = channelThatLingers();

        // Without a failure it waits for a second, in which these turns take place.
        channel.failed(new IllegalStateException("as the test wants it"));
        letTurnsPass();

        assertThat(pair.accepted.isOpen()).isFalse();
        recording.awaitRelease();
    }

    @Test
    void aPeerThatSpeaksRdmaOverTcpIsNamedAsSuch() throws Exception {
        startedChannel();

        pair.peer.write(StandardCharsets.US_ASCII.encode("MPA ID Req Frame"));

        assertThat(recording.ended.get(20, TimeUnit.SECONDS))
                .isEqualTo(
                        "the peer sent \"MPA \", with which RDMA over TCP begins (iWARP), but this port takes RPC over TCP");
    }

    @Test
    void aRecordWaitsUntilMemoryIsGivenBack() throws Exception {
        MemoryShares.Share others = takeAll();
        startedChannel();

        pair.peer.write(longRecord(1, LONG));
        pair.peer.write(records(2));
        letTurnsPass();
        assertThat(recording.records).isEmpty();
        others.uncharge(LIMIT);

        assertThat(recording.next()).isEqualTo(1);
        assertThat(recording.next()).isEqualTo(2);
    }

    @Test
    void aRecordMayWaitForMemoryForLongerThanItMayTakeToArrive() throws Exception {
        MemoryShares.Share others = takeAll();
        startedChannel();

        pair.peer.write(longRecord(1, LONG));
        Thread.sleep(3 * PERIOD.toMillis());
        assertThat(recording.ended).isNotDone();
        others.uncharge(LIMIT);

        assertThat(recording.next()).isEqualTo(1);
    }

    @Test
    void severalShortRecordsWaitLikeALongOne() throws Exception {
        MemoryShares.Share others = takeAll();
        startedChannel();

        sendShortRecords(1, 2, 3);
        assertThat(recording.next()).isEqualTo(1);
        assertThat(recording.next()).isEqualTo(2);
        letTurnsPass();
        assertThat(recording.records).isEmpty();
        others.uncharge(LIMIT);
        assertThat(recording.next()).isEqualTo(3);
    }

    @Test
    void shortRecordsDoNotWaitIfTheyMayBeReplies() throws Exception {
        MemoryShares.Share others = takeAll();
        recording.awaitsReplies = true;
        RecordChannel channel = startedChannel();

        sendShortRecords(1, 2, 3, 4);
        List<ByteBuffer> received = new ArrayList<>();
        for (int word = 1; word <= 4; word++) {
            ByteBuffer record = recording.nextRecord();
            assertThat(record.getInt(0)).isEqualTo(word);
            received.add(record);
        }
        received.forEach(channel::uncharge);
        others.uncharge(LIMIT + 1);
        assertThat(canTakeAll()).isTrue();
    }

    /** Sends short records, two of which do not count. */
    private void sendShortRecords(int... words) throws IOException {
        int length = 15 * 1024;
        for (int word : words) {
            ByteBuffer record = ByteBuffer.allocate(Integer.BYTES + length)
                    .putInt(0, LAST | length)
                    .putInt(Integer.BYTES, word);
            while (record.hasRemaining()) {
                pair.peer.write(record);
            }
        }
    }

    @Test
    void aConnectionThatEndsGivesBackTheMemoryOfItsRecord() throws Exception {
        RecordChannel channel = channelTo(recording, Duration.ofMinutes(1));
        channel.start();
        pair.peer.write(longRecord(1, LONG - 1));
        await().until(() -> !canTakeAll());

        channel.disconnect(Level.DEBUG, "as the test wants it");

        await().until(this::canTakeAll);
    }

    @Test
    void aConnectionThatEndsWhileItWaitsForMemoryGetsNone() throws Exception {
        MemoryShares.Share others = takeAll();
        RecordChannel channel = startedChannel();
        pair.peer.write(longRecord(1, LONG));
        await().until(others::isShort);

        channel.disconnect(Level.DEBUG, "as the test wants it");
        await().until(() -> !others.isShort());
        others.uncharge(LIMIT);

        letTurnsPass();
        assertThat(recording.records).isEmpty();
    }

    @Test
    void aRecordIsReleasedWhenItIsNoLongerUsed() throws Exception {
        RecordChannel channel = startedChannel();
        pair.peer.write(longRecord(1, LONG));
        ByteBuffer record = recording.nextRecord();
        assertThat(canTakeAll()).isFalse();

        channel.uncharge(record);

        assertThat(canTakeAll()).isTrue();
    }

    @Test
    void aRecordThatIsNotCompletedInTimeEndsTheConnection() throws Exception {
        startedChannel();

        ByteBuffer record = longRecord(1, LONG);
        try {
            while (!recording.ended.isDone()) {
                pair.peer.write(record.slice(record.position(), 1));
                record.position(record.position() + 1);
                Thread.sleep(1);
            }
        } catch (IOException closed) {
            // The connection ended after it was looked at.
        }

        assertThat(recording.ended).isCompletedWithValue("the peer did not complete a record within " + PERIOD);
        assertThat(record.hasRemaining()).isTrue();
    }

    @Test
    void aConnectionMayBeSilentBetweenRecordsAndTakeItsTimeForMany() throws Exception {
        startedChannel();

        for (int word = 1; word <= 10; word++) {
            ByteBuffer record = records(word);
            pair.peer.write(record.slice(0, 6));
            Thread.sleep(PERIOD.toMillis() / 5);
            pair.peer.write(record.position(6));
            assertThat(recording.next()).isEqualTo(word);
        }
        Thread.sleep(2 * PERIOD.toMillis());

        pair.peer.write(records(11));
        assertThat(recording.next()).isEqualTo(11);
    }

    /** Takes all memory, and borrows a byte, so that nobody else can. */
    private MemoryShares.Share takeAll() throws Exception {
        MemoryShares.Share others = shares.connection(Peer.of(InetAddress.getByName("10.0.0.1")));
        others.charge(LIMIT);
        assertThat(others.chargeOrWait(1, 1, () -> {})).isTrue();
        return others;
    }

    private boolean canTakeAll() throws Exception {
        MemoryShares.Share other = shares.connection(Peer.of(InetAddress.getByName("10.0.0.2")));
        try {
            other.charge(LIMIT);
        } catch (IOException tooMuch) {
            return false;
        }
        other.uncharge(LIMIT);
        return true;
    }

    private RecordChannel channelTo(RecordChannel.Receiver receiver, Duration transferTimeout) {
        return new RecordChannel(
                pair.accepted,
                sockets,
                ConnectionOptions.DEFAULT.withMaxMessage(LIMIT).withTransferTimeout(transferTimeout),
                Timekeeper.system("test-time"),
                shares.connection(LOOPBACK),
                LOOPBACK,
                receiver);
    }

    private RecordChannel startedChannel() {
        RecordChannel channel = channelTo(recording, PERIOD);
        channel.start();
        return channel;
    }

    private RecordChannel channelThatLingers() throws InterruptedException {
        RecordChannel channel = startedChannel();
        channel.close();
        letTurnsPass();
        return channel;
    }

    /** Records of one word. */
    private static ByteBuffer records(int... words) {
        ByteBuffer bytes = ByteBuffer.allocate(8 * words.length);
        for (int word : words) {
            bytes.putInt(LAST | Integer.BYTES).putInt(word);
        }
        return bytes.flip();
    }

    /** The first bytes of a record of {@link #LONG} bytes. */
    private static ByteBuffer longRecord(int word, int bytes) {
        return ByteBuffer.allocate(Integer.BYTES + bytes).putInt(0, LAST | LONG).putInt(Integer.BYTES, word);
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

    /** Records what it receives. */
    private static class Recording implements RecordChannel.Receiver {
        final BlockingQueue<ByteBuffer> records = new LinkedBlockingQueue<>();
        final CompletableFuture<String> ended = new CompletableFuture<>();
        private final CountDownLatch released = new CountDownLatch(1);
        private volatile boolean awaitsReplies;

        @Override
        public boolean awaitsReplies() {
            return awaitsReplies;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public boolean received(ByteBuffer record) {
            records.add(record);
            return true;
        }

        @Override
        public void disconnected(Level severity, String why) {
            ended.complete(why);
        }

        @Override
        public void closed() {
            released.countDown();
        }

        void awaitRelease() throws InterruptedException {
            assertThat(released.await(20, TimeUnit.SECONDS)).isTrue();
        }

        ByteBuffer nextRecord() throws InterruptedException {
            ByteBuffer record = records.poll(20, TimeUnit.SECONDS);
            assertThat(record).isNotNull();
            return record;
        }

        int next() throws InterruptedException {
            return nextRecord().getInt(0);
        }
    }

    /** Is not ready after the first record, but is when asked again, because a reply has been sent in between. */
    private static final class FullAfterTheFirst extends Recording {
        private boolean full;

        @Override
        public boolean isReady() {
            boolean ready = !full;
            full = false;
            return ready;
        }

        @Override
        public boolean received(ByteBuffer record) {
            full = record.getInt(0) == 1;
            return super.received(record);
        }
    }

    /** Counts the records of each turn. */
    private static final class CountingTurns extends Recording {
        private final int refusedFrom;
        private int turn;
        private volatile int longest;
        private volatile int longestAfterRefusals;
        private boolean refused;

        /** @param refusedFrom the first record that is refused */
        CountingTurns(int refusedFrom) {
            this.refusedFrom = refusedFrom;
        }

        @Override
        public boolean received(ByteBuffer record) {
            turn++;
            refused = record.getInt(0) > refusedFrom;
            super.received(record);
            return record.getInt(0) < refusedFrom;
        }

        @Override
        public void receivedAll() {
            longest = Math.max(longest, turn);
            longestAfterRefusals = Math.max(longestAfterRefusals, refused ? turn : 0);
            turn = 0;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.emplace.reactor.EventLoop;
import org.emplace.reactor.FairShare;
import org.emplace.reactor.FairShare.Turns;
import org.emplace.reactor.Linger;
import org.emplace.reactor.Peer;
import org.emplace.reactor.SocketHandler;
import org.emplace.reactor.Timekeeper;
import org.emplace.reactor.Timers;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.client.PendingCalls.ReplyThreads;
import org.emplace.rpc.limits.MemoryShares;
import org.emplace.rpc.limits.StallWatch;
import org.emplace.rpc.tcp.RecordReader.RecordMemory;
import org.emplace.rpc.tcp.RecordWriter.OutgoingRecord;
import org.jspecify.annotations.Nullable;

/** Sends and receives records over one socket. Safe for use by several threads. */
final class RecordChannel implements SocketHandler.Attachment, ReplyThreads {

    /** Receives the records. Called on the event loop's thread, except {@link #disconnected} and {@link #closed}. */
    interface Receiver {
        /** Whether the receiver can take another record. If not, it calls {@link RecordChannel#resume} when it can. */
        boolean isReady();

        /**
         * Takes a record, which must be {@linkplain RecordChannel#uncharge uncharged} when it is no longer used.
         *
         * @return whether the channel may pass on another in this turn
         */
        boolean received(ByteBuffer record);

        /** Whether records may be replies for which calls wait. Short ones then do not wait for memory. */
        default boolean awaitsReplies() {
            return false;
        }

        /** Called when the records that arrived together have been passed on. */
        default void receivedAll() {}

        /**
         * Called on any thread when nothing more is received or sent: once, and again if it throws.
         *
         * @param severity at which to log the end
         * @param why the reason in one line
         */
        void disconnected(Level severity, String why);

        /** Called once after {@link #disconnected}, on any thread, when the socket has been closed. */
        void closed();
    }

    private static final System.Logger LOG = System.getLogger(RecordChannel.class.getName());

    /** How long a connection waits for the peer after an orderly close, so that the peer gets what was written last. */
    private static final Duration LINGER = Duration.ofSeconds(1);

    /** How much to read of a peer's calls at a time, in bytes, except of a longer record: what has been read must be kept while its records wait. */
    private static final int READ_AHEAD = 32 * 1024;

    /** How much to read at a time of a long record while memory is short, in bytes. */
    private static final int SHORT_READ = 64 * 1024;

    /** How many records to pass on in one turn. */
    private static final int RECORDS_A_TURN = 16;

    /** What a record counts in the share of its peer in a round of the loop, in addition to its bytes. */
    private static final int RECORD_COST = FairShare.ROUND / 64;

    private final SocketChannel socket;
    private final SocketHandler sockets;
    private final EventLoop loop;
    private final Receiver receiver;
    private final Turns turns;
    private final Turns.Waiting reading;
    private final Turns.Waiting writing;
    private final Duration assemblyLimit;
    private final RecordMemory memory;
    private final RecordReader reader;
    private final RecordWriter writer;
    private final StallWatch stallWatch;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicBoolean socketClosed = new AtomicBoolean();

    /** Used only by the event loop's thread; null until registered. */
    private @Nullable SelectionKey key;

    /** Whether bytes are left over, so that no more are read until {@link #resume}. */
    private volatile boolean paused;

    /** Bytes that were read while the receiver was not ready or memory was lacking. This field and those below are used only by the event loop's thread. */
    private @Nullable ByteBuffer leftover;

    private long received;
    private Timers.@Nullable Timer assemblyTimer;

    /**
     * Creates a channel that has not started.
     *
     * @param share of the memory that received records may hold; null for no limit
     * @param sharing the peer whose connections share the rounds of the loop; null for no limit
     */
    RecordChannel(
            SocketChannel socket,
            SocketHandler sockets,
            ConnectionOptions options,
            Timekeeper time,
            MemoryShares.@Nullable Share share,
            @Nullable Peer sharing,
            Receiver receiver) {
        this.socket = socket;
        this.sockets = sockets;
        loop = sockets.loop();
        turns = new Turns(loop, sharing);
        reading = turns.waiting(guarded(this::continueReading));
        writing = turns.waiting(guarded(this::continueWriting));
        this.receiver = receiver;
        this.assemblyLimit = Timekeeper.bounded(options.transferTimeout());
        this.memory = new RecordMemory(share, options.maxMessage(), this::resume, receiver::awaitsReplies);
        this.reader = new RecordReader(options.maxMessage(), memory::grow);
        this.writer = new RecordWriter(socket);
        this.stallWatch = new StallWatch(
                time,
                options.transferTimeout(),
                options.minDrain(),
                writer::bytesWaiting,
                writer::bytesWritten,
                () -> disconnect(Level.WARNING, "the peer does not receive data"));
    }

    /** Starts to receive. */
    void start() {
        execute(() -> {
            try {
                key = sockets.register(socket, SelectionKey.OP_READ, this);
                updateInterest();
            } catch (IOException gone) {
                failed(gone);
            }
        });
    }

    /**
     * Sends a record, after the earlier ones.
     *
     * @param stillWanted see {@link RecordWriter#add}
     */
    void send(OutgoingRecord record, BooleanSupplier stillWanted) {
        try {
            writer.add(record, stillWanted);
            if (!writesAll()) {
                stallWatch.watch();
                execute(this::updateInterest);
            }
        } catch (IOException | RuntimeException | Error broken) {
            // After an Error nothing else would write what is left.
            failed(broken);
        }
    }

    /** Writes what the channel accepts. On the loop, which answers some calls itself, only while the peer has a share left. */
    private boolean writesAll() throws IOException {
        if (!turns.areLimited() || !loop.isCurrent()) {
            writer.flush(Long.MAX_VALUE);
            return writer.isEmpty();
        }
        flush();
        return !writing.isInLine() && writer.isEmpty();
    }

    @Override
    public void pollUntil(BooleanSupplier done) {
        loop.pollUntil(done);
    }

    @Override
    public void wakePoller() {
        loop.wakePoller();
    }

    /** See {@link RecordWriter#withdraw}. */
    int withdraw(Object owner) {
        return writer.withdraw(owner);
    }

    /**
     * Whether nothing is read until {@link #resume}, because the receiver is not ready or memory is lacking. After a
     * change that may make the receiver ready, resume the channel if this holds; if it does not, the channel will see the
     * change.
     */
    boolean isPaused() {
        return paused;
    }

    /**
     * Continues to receive if the receiver is ready.
     *
     * @param first run before, on the event loop's thread
     */
    void resume(Runnable first) {
        execute(() -> {
            first.run();
            if (!reading.isInLine()) {
                parseLeftover();
            }
            updateInterest();
        });
    }

    private void parseLeftover() {
        ByteBuffer held = leftover;
        if (held != null && !ended.get()) {
            parse(held);
            leftover = held.hasRemaining() ? held : null;
        }
    }

    /** Uncharges the memory of a record. */
    void uncharge(ByteBuffer record) {
        memory.uncharge(record);
    }

    /** Ends the connection at once. Idempotent: only the first reason is reported. */
    void disconnect(Level severity, String why) {
        if (ended.compareAndSet(false, true)) {
            try {
                over(severity, why);
            } finally {
                closeSocket();
            }
        }
    }

    /** Closes the connection in an orderly way: the peer gets all bytes written so far. Idempotent. */
    void close() {
        if (ended.compareAndSet(false, true)) {
            try {
                over(Level.DEBUG, "the connection was closed by this side");
                execute(this::linger);
            } catch (RuntimeException | Error broken) {
                closeSocket();
                throw broken;
            }
        }
    }

    /** Ends the connection at once, and discards what has been written and not yet delivered. Idempotent. */
    void reset() {
        SocketHandler.discardUnsent(socket);
        disconnect(Level.DEBUG, "the connection was reset by this side");
    }

    private void over(Level severity, String why) {
        try {
            discard(severity, why);
        } catch (RuntimeException | Error broken) {
            // Perhaps the stack is too deep on this thread. What has been done is not repeated.
            execute(() -> discard(severity, why));
            LOG.log(Level.ERROR, "the end of a connection failed, and is tried again", broken);
        }
    }

    private void discard(Level severity, String why) {
        try {
            stallWatch.stop();
            writer.discard();
        } finally {
            try {
                receiver.disconnected(severity, why);
            } finally {
                execute(this::dropAssembly);
            }
        }
    }

    private void dropAssembly() {
        if (assemblyTimer != null) {
            assemblyTimer.cancel();
        }
        leftover = null;
        memory.discard();
    }

    private void linger() {
        if (key != null && key.isValid()) {
            Linger.start(sockets, key, LINGER, turns, this::closeSocket);
        } else {
            closeSocket();
        }
    }

    private void closeSocket() {
        if (!socketClosed.compareAndSet(false, true)) {
            return;
        }
        try {
            sockets.close(socket);
        } finally {
            receiver.closed();
        }
    }

    @Override
    public void ready(SelectionKey readyKey) {
        if (ended.get()) {
            return;
        }
        try {
            if (readyKey.isWritable()) {
                flush();
            }
            if (readyKey.isReadable()) {
                if (turns.areOver()) {
                    reading.join();
                } else {
                    read(sockets.scratch());
                }
            }
        } catch (IOException broken) {
            failed(broken);
        }
        updateInterest();
    }

    /** Closes the socket at once if the connection has already ended, because the failed operation would fail again. */
    @Override
    public void failed(Throwable cause) {
        if (ended.get()) {
            execute(this::closeSocket);
        } else if (cause instanceof RecordReader.Violation) {
            disconnect(Level.WARNING, "the peer sent " + cause.getMessage());
        } else if (cause instanceof IOException) {
            disconnect(Level.DEBUG, String.valueOf(cause.getMessage()));
        } else {
            disconnect(Level.ERROR, cause.toString());
        }
    }

    @Override
    public void shutDown() {
        disconnect(Level.DEBUG, "the transport was shut down");
    }

    @Override
    public void cutOff() {
        shutDown();
        closeSocket();
    }

    /** Runs a task on the event loop's thread. If it fails, this connection ends. */
    private void execute(Runnable task) {
        loop.execute(guarded(task));
    }

    private Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (Throwable broken) {
                failed(broken);
            }
        };
    }

    /**
     * While others wait, the peer has no more than its share of the round. The rest waits in line: other connections of the peer could use up each round
     * before the selector finds this one.
     */
    private void flush() throws IOException {
        if (writing.isInLine() || turns.areOver()) {
            writing.join();
        } else if (turns.areShort()) {
            turns.spend(FairShare.TURN + (int) Math.min(writer.flush(turns.most()), FairShare.ROUND));
        } else {
            writer.flush(Long.MAX_VALUE);
        }
    }

    private void continueWriting() {
        if (!ended.get()) {
            try {
                flush();
            } catch (IOException broken) {
                failed(broken);
            }
            updateInterest();
        }
    }

    private void read(ByteBuffer scratch) throws IOException {
        int most = memory.isShort() ? SHORT_READ : scratch.capacity();
        scratch.limit(!turns.areLimited() ? most : Math.min(most, Math.max(READ_AHEAD, reader.missing())));
        int read = socket.read(scratch);
        if (read < 0) {
            disconnect(Level.DEBUG, "the peer closed the connection");
            return;
        }
        turns.spend(FairShare.TURN + read);
        parse(scratch.flip());
        if (scratch.hasRemaining()) {
            leftover = ByteBuffer.allocate(scratch.remaining()).put(scratch).flip();
        }
    }

    private void parse(ByteBuffer bytes) {
        try {
            int turn = RECORDS_A_TURN;
            while (receiver.isReady() && !ended.get()) {
                if (bytes.hasRemaining() && turns.areShort() && (turn <= 0 || !turns.isLeft())) {
                    reading.join();
                    return;
                }
                ByteBuffer record = reader.next(bytes);
                if (record == null) {
                    limitAssembly();
                    return;
                }
                memory.complete();
                received++;
                turns.spend(RECORD_COST);
                turn = receiver.received(record) ? turn - 1 : 0;
            }
        } catch (RecordReader.Violation violation) {
            failed(violation);
        } finally {
            receiver.receivedAll();
        }
    }

    private void continueReading() {
        try {
            if (leftover != null) {
                parseLeftover();
            } else if (!ended.get()) {
                // Now, not when the selector finds the channel again: others of its peer would then have used up their
                // share.
                read(sockets.scratch());
            }
        } catch (IOException broken) {
            failed(broken);
        }
        updateInterest();
    }

    /**
     * Ends the connection if the same record is still incomplete after the next period. So a record has between one and two periods to arrive. A period does
     * not count if bytes of the record are here that wait for memory, a credit or a turn.
     */
    private void limitAssembly() {
        if (assemblyTimer != null || !reader.isInside()) {
            return;
        }
        long before = received;
        assemblyTimer = loop.schedule(assemblyLimit, () -> {
            assemblyTimer = null;
            if (received == before && reader.isInside() && leftover == null) {
                disconnect(Level.WARNING, "the peer did not complete a record within " + assemblyLimit);
            } else {
                limitAssembly();
            }
        });
    }

    private void updateInterest() {
        if (key != null && !ended.get()) {
            boolean pauses = leftover != null && !paused;
            paused = leftover != null;
            if (pauses) {
                // Looks once more, for a change whose author did not yet see that the channel has paused.
                resume(() -> {});
            }
            // Without a credit the peer is still read until bytes are left over, so that its end is noticed.
            int read = paused || reading.isInLine() ? 0 : SelectionKey.OP_READ;
            int write = writer.isEmpty() || writing.isInLine() ? 0 : SelectionKey.OP_WRITE;
            sockets.watch(key, read | write);
        }
    }
}

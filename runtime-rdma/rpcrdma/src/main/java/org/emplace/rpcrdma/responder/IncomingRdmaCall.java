// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma.responder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.reactor.Peer;
import org.emplace.rpc.MemoryExhaustedException;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.ServerCall;
import org.emplace.rpc.client.CallCounters;
import org.emplace.rpc.server.IncomingCall;
import org.emplace.rpcrdma.header.ChunkLists;
import org.emplace.rpcrdma.link.Link;
import org.emplace.rpcrdma.link.ReceivedMessage;
import org.emplace.rpcrdma.link.SendQueue;
import org.emplace.rpcrdma.memory.OutgoingMessage;
import org.emplace.rpcrdma.memory.PooledBuffer;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;
import org.emplace.xdr.XdrException;
import org.jspecify.annotations.Nullable;

/**
 * A call that arrived over RDMA, until its answer has been sent. It owns the Receive that brought it, pooled buffers, and the memory of its reply.
 * Safe for use by several threads.
 *
 * <p>The call's data may be used until the call is answered. The answer waits until no use is in progress: when the requester has the reply, it
 * fences its memory, and the call's buffers return to the pool.
 */
final class IncomingRdmaCall
        implements IncomingCall, EligibleItems, OutgoingMessage.Buffers, SendQueue.CompletionListener {

    private static final System.Logger LOG = System.getLogger(IncomingRdmaCall.class.getName());

    /** The requested credits of a malformed call. */
    static final int NO_CREDITS = 0;

    private enum State {
        /** The call's arguments and buffers may be used. */
        OPEN,
        /** The call has its answer, or gets none. The answer is sent when the uses in progress have ended. */
        ANSWERED,
        /** The answer has been sent, or there is none. The call holds no memory any more. */
        OVER
    }

    private final Responder responder;
    private final ReceivedMessage received;
    private final int xid;
    private final ChunkLists chunks;
    private volatile int requestedCredits;
    /** Null until an argument is looked up in the chunks. */
    private @Nullable ArgumentItems arguments;

    /** Positioned at the RPC message. */
    private XdrDecoder message;
    /** The memory of the latest encoded reply. */
    private @Nullable OutgoingMessage reply;

    private @Nullable Runnable whenOver;

    /** This object guards this field and the fields below. */
    private State state = State.OPEN;

    /** Memory that counts against the share of the connection; null if the call holds none. */
    private @Nullable CallMemory memory;

    private int uses;
    private @Nullable Runnable whenUnused;

    /**
     * Creates a call that has consumed a credit of its connection. The call restores the credit.
     *
     * @param requestedCredits see {@link #requestedCredits()}
     */
    IncomingRdmaCall(Responder responder, ReceivedMessage received, int xid, int requestedCredits, ChunkLists chunks) {
        this.responder = responder;
        this.received = received;
        this.message = received.decoder();
        this.xid = xid;
        this.requestedCredits = requestedCredits;
        this.chunks = chunks;
    }

    /** Sets the message of a Long Call, fetched from the Position Zero Read chunk. */
    void messageFetched(ByteBuffer fetched) {
        message = new XdrDecoder(fetched);
    }

    Link link() {
        return responder.link();
    }

    ChunkFetcher fetcher() {
        return responder.fetcher();
    }

    int xid() {
        return xid;
    }

    /** The number of credits that the call requests; {@link #NO_CREDITS} if the call is malformed. */
    int requestedCredits() {
        return requestedCredits;
    }

    /** The chunks that the requester provided for arguments, results and reply. */
    ChunkLists chunks() {
        return chunks;
    }

    @Override
    public ServerCall.Connection connection() {
        return responder.connection();
    }

    @Override
    public Peer peer() {
        return link().share().peer();
    }

    @Override
    public XdrDecoder message() {
        message.eligibleItems(this);
        return message;
    }

    @Override
    public @Nullable Payload chunkAt(long position, long length) throws XdrException {
        return arguments().chunkAt(position, length);
    }

    @Override
    public Payload inline(ByteBuffer stream, int length) {
        return arguments().inline(stream, length);
    }

    @Override
    public boolean fetchArguments(Predicate<EligibleItems> decoding, Runnable next) {
        if (!ArgumentItems.areIn(chunks.reads())) {
            return false;
        }
        if (message != received.decoder()) {
            // Decoding a Long Call may block the thread that serves the connections for too long.
            elsewhere(() -> {
                if (decode(decoding)) {
                    fetch(next);
                } else {
                    next.run();
                }
            });
            return true;
        }
        if (!decode(decoding)) {
            return false;
        }
        // Never register memory on the thread that serves connections.
        if (arguments().fetchNeedsNoRegistration(link().memory().pool())) {
            fetch(next);
        } else {
            elsewhere(() -> fetch(next));
        }
        return true;
    }

    /** Runs a step of the call on another thread. */
    void elsewhere(Runnable step) {
        link().callbacks().execute(() -> {
            try {
                step.run();
            } catch (RuntimeException | Error broken) {
                stepFailed(broken);
            }
        });
    }

    /** Called when a step before the answer has failed: ends the call, and its connection with it. */
    void stepFailed(Throwable broken) {
        try {
            link().endForLackOfMemory("a call", broken);
        } finally {
            drop();
        }
    }

    /** Tries to decode the arguments before their payloads have been fetched. Returns whether that succeeded. */
    private boolean decode(Predicate<EligibleItems> decoding) {
        ArgumentItems ahead = new ArgumentItems(chunks.reads(), this, true);
        boolean decoded = decoding.test(ahead) && ahead.allTaken();
        if (decoded) {
            arguments = ahead;
        }
        return decoded;
    }

    private ArgumentItems arguments() {
        ArgumentItems known = arguments;
        if (known == null) {
            known = new ArgumentItems(chunks.reads(), this, false);
            arguments = known;
        }
        return known;
    }

    private void fetch(Runnable next) {
        arguments().fetch().whenComplete((here, failure) -> {
            // If there can never be memory, the service fails to read the arguments, and the call is answered with that
            // failure.
            if (failure == null || isImpossible(failure)) {
                next.run();
            } else {
                LOG.log(System.Logger.Level.DEBUG, "{0}: dropped, its arguments cannot be fetched: {1}", this, failure);
                drop();
            }
        });
    }

    /** Whether a fetch or a reply has failed for lack of local memory. */
    static boolean isLackOfMemory(Throwable failure) {
        Throwable cause = failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
        return cause instanceof OutOfMemoryError
                || cause instanceof MemoryExhaustedException
                || (cause instanceof RdmaException refused && refused.reason() == RdmaException.Reason.NO_RESOURCES);
    }

    /** Whether a fetch has failed because there can never be memory for it; it must not be tried again. */
    static boolean isImpossible(Throwable failure) {
        Throwable cause = failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
        return cause instanceof UncheckedIOException || isLackOfMemory(failure);
    }

    @Override
    public boolean chunksConsumed() {
        return arguments == null ? !ArgumentItems.areIn(chunks.reads()) : arguments.allTaken();
    }

    @Override
    public long length() {
        return message.remaining() + arguments().length();
    }

    @Override
    public boolean exceeds(ProcedureBinding<?, ?> binding) {
        return (binding.argumentsEligible() && arguments().count() > binding.readChunkLimit())
                || (binding.resultsEligible() && chunks.writes().size() > binding.writeChunkLimit());
    }

    @Override
    public XdrEncoder newReply() {
        return newMessage().encoder();
    }

    /** Memory for an answer, which replaces an answer encoded earlier. Released with the call. */
    OutgoingMessage newMessage() {
        OutgoingMessage before = reply;
        reply = null;
        if (before != null) {
            before.release();
        }
        OutgoingMessage fresh = link().messages().acquire(this, CallCounters.NONE);
        reply = fresh;
        return fresh;
    }

    @Override
    public void reply(EncodedMessage message) {
        OutgoingMessage encoded = reply;
        if (encoded == null) {
            throw new IllegalStateException("the reply was not encoded by newReply()");
        }
        responder.reply(this, message, encoded);
    }

    @Override
    public void refuseChunks() {
        responder.refuseChunks(this);
    }

    /**
     * Answers with an error of which only the xid matters: it returns the requester's credit (draft-ietf-nfsv4-rfc5666bis-01 sections 5.5 and
     * 8.3.3).
     */
    @Override
    public void refuseMalformed() {
        requestedCredits = NO_CREDITS;
        responder.refuseChunks(this);
    }

    /** Has no effect if the call has been answered. */
    @Override
    public void drop() {
        synchronized (this) {
            if (state != State.OPEN) {
                return;
            }
        }
        answer(this::release);
    }

    /**
     * Marks the call as answered. Its data cannot be used any more. Returns its credit before the peer can learn of the answer.
     *
     * @param sending run once no use is in progress; sends the answer, if there is one
     * @throws IllegalStateException if the call was already answered
     */
    void answer(Runnable sending) {
        synchronized (this) {
            requireUnanswered();
            state = State.ANSWERED;
            if (uses > 0) {
                whenUnused = sending;
                return;
            }
        }
        sendAnswer(sending);
    }

    /** As {@link #answer(Runnable)}, but the answer is one Send. */
    void answer(WorkRequest.Send send) {
        synchronized (this) {
            requireUnanswered();
            boolean isUsed = uses > 0;
            whenUnused = isUsed ? () -> link().sends().post(send, this) : null;
            state = State.ANSWERED;
            if (isUsed) {
                return;
            }
        }
        link().receives().credits().answered();
        link().sends().post(send, this);
    }

    private void sendAnswer(Runnable sending) {
        link().receives().credits().answered();
        sending.run();
    }

    /** @throws IllegalStateException if the call has been answered */
    synchronized void requireUnanswered() {
        if (state != State.OPEN) {
            throw new IllegalStateException("the call has been answered; what came with it is gone");
        }
    }

    /** Begins a fetch or another use of the call's memory. @throws IllegalStateException if the call has been answered */
    synchronized void useBegins() {
        requireUnanswered();
        uses++;
    }

    /** Ends a use, successful or not. */
    void useEnded() {
        Runnable next;
        synchronized (this) {
            uses--;
            next = uses == 0 ? whenUnused : null;
        }
        if (next != null) {
            sendAnswer(next);
        }
    }

    /**
     * Acquires a pooled buffer of {@code size} bytes, which the call keeps until it ends. It has been charged to the
     * connection's share already.
     *
     * @param capacity the bytes that have been charged; they are uncharged if this method throws
     * @throws RdmaException NO_RESOURCES if the pool has no memory left
     * @throws IllegalStateException if the call has been answered
     */
    PooledBuffer keepCharged(int size, int capacity) throws RdmaException {
        boolean isHandedOver = false;
        try {
            useBegins();
            try {
                CallMemory holder = memory();
                isHandedOver = true;
                return holder.keepCharged(size, capacity);
            } finally {
                useEnded();
            }
        } finally {
            if (!isHandedOver) {
                link().share().uncharge(capacity);
            }
        }
    }

    /** Returns a buffer for the answer, which releases it. A buffer that fits inline is not counted against the share: credits bound these. */
    @Override
    public PooledBuffer acquire(int size) throws RdmaException {
        if (size > link().thresholds().send()) {
            memory().count(size);
        }
        return link().memory().pool().acquire(size);
    }

    private synchronized CallMemory memory() {
        if (memory == null) {
            memory = new CallMemory(link());
        }
        return memory;
    }

    @Override
    public void whenOver(Runnable action) {
        whenOver = action;
    }

    /** Called when the answer has been sent. */
    @Override
    public void completed(Completion.Status status) {
        release();
    }

    /** Releases the call's memory. The answer has been sent, or there is none. Idempotent. */
    void release() {
        CallMemory held;
        synchronized (this) {
            if (state == State.OVER) {
                return;
            }
            state = State.OVER;
            held = memory;
        }
        OutgoingMessage sent = reply;
        reply = null;
        try {
            if (sent != null) {
                sent.release();
            }
        } finally {
            try {
                if (held != null) {
                    held.release();
                }
            } finally {
                try {
                    received.release();
                    link().receives().credits().replySent();
                } finally {
                    if (whenOver != null) {
                        whenOver.run();
                    }
                }
            }
        }
    }

    @Override
    public Payload readFrom(FileChannel file, long offset, int max) throws IOException {
        useBegins();
        try {
            return memory().read(file, offset, max);
        } catch (RdmaException exhausted) {
            throw new MemoryExhaustedException(exhausted);
        } finally {
            useEnded();
        }
    }

    @Override
    public ByteBuffer buffer(int size) {
        useBegins();
        try {
            return memory().keep(size).buffer().slice(0, size);
        } catch (RdmaException exhausted) {
            throw new MemoryExhaustedException(exhausted);
        } finally {
            useEnded();
        }
    }

    @Override
    public String toString() {
        return link().call(xid);
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.tcp;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.emplace.reactor.Workers;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.client.CallQueue;
import org.emplace.rpc.client.PendingCall;
import org.emplace.rpc.client.PendingCalls;
import org.emplace.rpc.message.MessageHeader;
import org.emplace.rpc.tcp.RecordWriter.OutgoingRecord;
import org.emplace.rpc.transport.ConnectionRole;
import org.emplace.rpc.transport.RpcTransport.RemotePayload;
import org.emplace.rpc.transport.RuntimeResources;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;

/**
 * The requester of a connection: sends calls, as many at a time as the connection has credits, and matches replies. Safe for use by several
 * threads.
 */
final class TcpRequester implements CallQueue.Sender, PendingCalls.Aborter {
    private static final Logger LOG = System.getLogger(TcpRequester.class.getName());

    private static final CompletionStage<Void> RELEASED = CompletableFuture.completedStage(null);

    private final String name;
    private final int credits;
    private final RecordChannel records;
    private final Workers workers;
    private final PendingCalls pending;
    private final CallQueue queue;
    private final Set<PendingCall<?, ?>> inFlight = new HashSet<>();

    TcpRequester(String name, ConnectionRole role, RecordChannel records, RuntimeResources resources) {
        this.name = name;
        this.credits = role.creditsToAskFor();
        this.records = records;
        this.workers = resources.workers();
        this.pending = new PendingCalls(
                name,
                role.options().observer(),
                role.options().maxMessage(),
                resources.time(),
                this,
                records,
                workers,
                role.initiated());
        this.queue = new CallQueue(this, workers);
    }

    /** The pending calls. Open a call there before {@link #call}. */
    PendingCalls pending() {
        return pending;
    }

    /** Sends an open call, when it has a credit; see {@link org.emplace.rpc.RpcConnection#call}. */
    <R> RpcCall<R> call(PendingCall<?, R> opened) {
        queue.add(opened);
        if (records.isPaused()) {
            // The reply may follow bytes that have not been read, for lack of credits or memory.
            records.resume(() -> {});
        }
        return opened;
    }

    /** See {@link org.emplace.rpc.transport.RpcTransport.Connection#hasCredit}. */
    boolean hasCredit() {
        synchronized (inFlight) {
            return inFlight.size() < credits;
        }
    }

    /** Whether calls have been sent, or are being sent, and wait for their replies. */
    boolean isAwaitingReplies() {
        synchronized (inFlight) {
            return !inFlight.isEmpty();
        }
    }

    @Override
    public boolean consumeCredit(PendingCall<?, ?> call) {
        synchronized (inFlight) {
            return inFlight.size() < credits && inFlight.add(call);
        }
    }

    @Override
    public boolean mayBlock(PendingCall<?, ?> call) {
        return call.procedure().binding().argumentsEligible();
    }

    @Override
    public void send(PendingCall<?, ?> call) {
        try {
            EncodedMessage message = call.encode(XdrEncoder.onHeap());
            CompletionStage<?> fetches = RemotePayload.fetchAll(message);
            if (fetches == null) {
                send(call, message);
            } else {
                fetches.whenCompleteAsync((done, failure) -> send(call, message), workers);
            }
        } catch (RpcException unsuitable) {
            call.giveUp(unsuitable);
        } catch (RuntimeException | Error broken) {
            call.giveUp(call.failure(Kind.GARBAGE_ARGS, "the arguments cannot be encoded: " + broken, broken));
        }
    }

    private void send(PendingCall<?, ?> call, EncodedMessage message) {
        try {
            OutgoingRecord record = new OutgoingRecord(message.unreduced(), call, () -> {});
            call.counters().inline(message.unreducedLength());
            records.send(record, call::isWaiting);
        } catch (IOException unavailable) {
            call.giveUp(call.failure(
                    Kind.NO_RESOURCES, "a payload could not be fetched: " + unavailable.getMessage(), unavailable));
        } catch (RuntimeException | Error broken) {
            call.giveUp(call.failure(Kind.GARBAGE_ARGS, "the arguments cannot be sent: " + broken, broken));
        }
    }

    @Override
    public CompletionStage<Void> abort(PendingCall<?, ?> call) {
        try {
            withdraw(call);
        } catch (RuntimeException | Error broken) {
            // What has not been released may still be sent.
            failed(broken);
        }
        return RELEASED;
    }

    @Override
    public void failed(Throwable broken) {
        records.failed(broken);
    }

    /**
     * Ensures that nothing uses the call's memory any more. A server may have replied before it received the whole
     * call.
     */
    private void withdraw(PendingCall<?, ?> call) {
        int copied = records.withdraw(call);
        if (copied > 0) {
            call.counters().copy(copied);
        }
        queue.remove(call);
        boolean hadCredit;
        synchronized (inFlight) {
            hadCredit = inFlight.remove(call);
        }
        if (hadCredit) {
            queue.creditsChanged();
        }
    }

    /** Takes a reply. Its call uses the record until the caller has read the results. */
    void replied(ByteBuffer record) {
        PendingCall<?, ?> call = pending.claimSent(MessageHeader.xidOf(record));
        if (call == null) {
            LOG.log(Level.DEBUG, "{0}: dropped a reply for which no call waits", name);
            return;
        }
        try {
            call.counters().inline(record.remaining());
            withdraw(call);
            pending.ready(call, () -> complete(call, record));
        } catch (RuntimeException | Error broken) {
            // The end of the connection does not reach a claimed call.
            call.completeBy(
                    () -> call.fail(Kind.NO_RESOURCES, "its reply cannot be handled: " + broken, broken), workers);
            throw broken;
        }
    }

    private static void complete(PendingCall<?, ?> call, ByteBuffer record) {
        if (record.remaining() % Integer.BYTES == 0) {
            call.complete(new XdrDecoder(record));
        } else {
            // As a record is that was too long, see RecordReader.
            call.fail(
                    Kind.BAD_REPLY,
                    "the reply is longer than this side accepts (ConnectionOptions.maxMessage), or its length is not a multiple of four");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.Predicate;
import org.emplace.reactor.Peer;
import org.emplace.rpc.ProcedureBinding;
import org.emplace.rpc.ServerCall;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;

/**
 * A call that a transport has received. The default methods are for a transport without chunks. The dispatcher calls
 * exactly one of {@link #reply}, {@link #refuseChunks}, {@link #refuseMalformed} and {@link #drop}. After that, the
 * message, its payloads and buffers belong to the transport again.
 */
public interface IncomingCall {

    /** The connection over which the call arrived. */
    ServerCall.Connection connection();

    /** Whose share the call counts to: the same object for all calls of a connection. */
    Peer peer();

    /**
     * Sets an action to run when the call is over: its reply has been sent (not only posted), it has been dropped, or
     * its connection has ended. Called at most once, before the call is answered.
     *
     * @param action run once, on any thread; must not block
     */
    void whenOver(Runnable action);

    /**
     * Returns a decoder of the inline part of the message, at the xid. It finds the eligible arguments, in the message
     * or in chunks.
     */
    XdrDecoder message();

    /**
     * Starts to fetch the arguments that are in Read chunks, so that no thread has to wait for them. The arguments are
     * decoded first, without blocking, so that nothing is fetched for a call that violates its binding. If the peer's
     * memory cannot be read, the call is dropped and its connection closed. If there is no local memory, the
     * fetch waits; if there can never be enough, {@code next} is run, and reading the arguments then fails.
     *
     * @param decoding decodes the arguments with the given items; returns whether that succeeded
     * @param next run once, when the arguments have been fetched or cannot be, on a thread of the transport; must not
     *     block
     * @return false if there is nothing to fetch, or if the arguments cannot be decoded before they have been fetched.
     *     Then {@code next} is not run, and the arguments are still to be decoded
     */
    default boolean fetchArguments(Predicate<EligibleItems> decoding, Runnable next) {
        return false;
    }

    /**
     * Whether decoding the arguments has used all Read chunks of the call; if not, the call violates its binding.
     */
    default boolean chunksConsumed() {
        return true;
    }

    /** The length of the call message in bytes, including Read chunks. Called before {@link #message}. */
    long length();

    /**
     * Whether the call has more chunks than its binding allows. Write chunks are permitted, though useless, if no
     * result is eligible.
     */
    default boolean exceeds(ProcedureBinding<?, ?> binding) {
        return false;
    }

    /**
     * Returns an encoder for the reply message, from its xid on. If a reply cannot be sent, another encoder is
     * requested; only its message is sent.
     */
    XdrEncoder newReply();

    /**
     * Sends the reply. The eligible items use the chunks of the Write list, in order, as far as the requester has
     * provided them.
     */
    void reply(EncodedMessage reply);

    /** Answers with RDMA_ERROR and ERR_CHUNK, because the chunks of the call are not acceptable. */
    default void refuseChunks() {
        throw new IllegalStateException("the transport has no chunks to refuse");
    }

    /** Rejects a call whose RPC header is truncated or malformed: with RDMA_ERROR and ERR_CHUNK; over TCP, drops it. */
    void refuseMalformed();

    /** Drops the call without an answer. */
    void drop();

    /** See {@link org.emplace.rpc.ServerCall#readFrom}. */
    Payload readFrom(FileChannel file, long offset, int max) throws IOException;

    /** See {@link org.emplace.rpc.ServerCall#buffer}. */
    ByteBuffer buffer(int size);
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.Predicate;
import org.emplace.rpc.RpcConnection;
import org.emplace.xdr.EligibleItems;
import org.emplace.xdr.EncodedMessage;
import org.emplace.xdr.Payload;
import org.emplace.xdr.XdrDecoder;
import org.emplace.xdr.XdrEncoder;

/**
 * A call message as a transport received it. After the answer, its message, payloads and buffers are the transport's again.
 */
public interface IncomingCall {

    /** The connection that it came by. */
    RpcConnection connection();

    /**
     * Has an action run when the call is over: its answer has been sent, not only posted, or was dropped, or can no longer be sent because the
     * connection has ended. Called once at most, before the call is answered.
     *
     * @param action run once, on any thread; must not block
     */
    void whenOver(Runnable action);

    /**
     * A decoder at the RPC message's xid, over the inline part of the message. It knows where the eligible arguments are.
     */
    XdrDecoder message();

    /**
     * Begins to fetch the arguments that are in Read chunks, so that no thread has to wait for them. If the peer's memory cannot be read, the
     * call is dropped with its connection; if there is no memory here, {@code next} is run, and to read the arguments fails. Nothing is fetched
     * for a call that breaks its binding: so it is decoded first, without blocking.
     *
     * @param decoding decodes the arguments with these items; whether it could
     * @param next run once, when all have been fetched or there is no memory for them, on a transport's thread; must not block
     * @return false if there is nothing to fetch, or the arguments cannot be decoded before they are here; then {@code next} is not run, and
     *     they are still to be decoded
     */
    boolean fetchArguments(Predicate<EligibleItems> decoding, Runnable next);

    /**
     * Whether every Read chunk of the call was taken by the decoding of the arguments; if not, the call breaks its binding. Always true
     * over TCP.
     */
    boolean chunksConsumed();

    /** The length of the call message in bytes, with what is in Read chunks. Called before {@link #message}. */
    long length();

    /** The number of the call's Read chunks, not counting one that is the message itself; 0 over TCP. */
    int readChunks();

    /** The number of Write chunks that the requester offered; 0 over TCP. */
    int writeChunksOffered();

    /**
     * An encoder for the reply message, from its xid on. If what was written into one cannot be sent, another is requested; only the last message is
     * sent.
     */
    XdrEncoder newReply();

    /** Sends the reply. Its eligible marks go by the Write list in their order, as far as the requester provided one. */
    void reply(EncodedMessage reply);

    /** Answers that the call's chunks are wrong: RDMA_ERROR with ERR_CHUNK. */
    void refuseChunks();

    /** Answers a call whose RPC header is truncated or malformed: with RDMA_ERROR and ERR_CHUNK, over TCP not at all. */
    void refuseMalformed();

    /** Answers nothing. */
    void drop();

    /** See {@link org.emplace.rpc.ServerCall#readFrom}. */
    Payload readFrom(FileChannel file, long offset, int max) throws IOException;

    /** See {@link org.emplace.rpc.ServerCall#buffer}. */
    ByteBuffer buffer(int size);
}

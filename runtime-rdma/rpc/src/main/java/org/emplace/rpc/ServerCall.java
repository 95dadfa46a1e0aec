// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.Principal;
import org.emplace.xdr.Payload;

/** The call that a handler answers. Valid until the reply has been sent. */
public interface ServerCall {

    /**
     * The caller, as the authentication flavor of the call identifies it: an unverified {@link
     * org.emplace.rpc.auth.AuthSys}, {@link org.emplace.rpc.auth.AuthNone#INSTANCE}, or the principal of another
     * {@linkplain RpcService#withFlavors flavor}.
     */
    Principal caller();

    /** The connection over which the call arrived. */
    Connection connection();

    /** The call's transaction id. */
    int xid();

    /**
     * Reads a part of a file into registered memory, for use as a result. The kernel copies the bytes; a chunk then
     * moves them without another copy.
     *
     * @param offset where to read in the file, in bytes
     * @param max the maximum number of bytes to read; the payload is shorter if the file ends before. The channel's position does
     *     not change
     * @return a payload that is valid until the reply has been sent
     * @throws IOException if the file cannot be read
     * @throws MemoryExhaustedException if the memory for calls, or this peer's share of it, is used up
     * @throws IllegalStateException if the call has been answered
     */
    Payload readFrom(FileChannel file, long offset, int max) throws IOException;

    /**
     * Returns registered memory for a result. The handler fills the buffer and returns it as {@link Payload#of}. A
     * chunk moves the bytes without a copy; inline they are copied.
     *
     * @param size capacity in bytes
     * @return a direct buffer with undefined content, position 0 and limit {@code size}, valid until the reply has been
     *     sent
     * @throws MemoryExhaustedException if the memory for calls, or this peer's share of it, is used up
     * @throws IllegalStateException if the call has been answered
     */
    ByteBuffer buffer(int size);

    /** The connection of a call. If this side accepted it, the handler may have it call the client back. */
    interface Connection extends RpcConnection {

        /**
         * Enables calls in the backward direction over this connection, which a server accepted. RPC does not tell a server
         * which programs a client serves, and a call may end the connection of a client that is not ready. The protocol
         * therefore needs a procedure by which the client announces that it is ready. The handler of that procedure invokes
         * this method (draft-ietf-nfsv4-rfc5666bis-01 section 8.3.1). A client that
         * reconnects must announce itself again. Idempotent.
         *
         * @throws IllegalStateException if this side initiated the connection, and handles a call of its server
         */
        void enableBackwardCalls();
    }
}

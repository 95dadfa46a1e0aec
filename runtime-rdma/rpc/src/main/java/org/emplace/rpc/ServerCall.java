// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.Principal;
import org.emplace.xdr.Payload;

/** What a server's procedure can ask of the call that it answers. Valid until the reply has been sent. */
public interface ServerCall {

    /**
     * The caller, according to the authentication flavor: an unverified {@link org.emplace.rpc.auth.AuthSys}, {@link
     * org.emplace.rpc.auth.AuthNone#INSTANCE}, or the principal that another flavor {@linkplain RpcService#authenticatedBy of the service} returns.
     */
    Principal caller();

    /** The connection that the call came by; it can be called back. */
    RpcConnection connection();

    /** The call's transaction id. */
    int xid();

    /**
     * Reads a part of a file into registered memory of this call's transport, as a result payload: one copy, made by the kernel. The
     * payload is shorter than {@code max} at the end of the file.
     *
     * @param max bytes to read at most
     * @return valid until the reply has been sent
     * @throws IOException if the file cannot be read
     * @throws java.io.UncheckedIOException if no memory is left that this peer's calls may have
     * @throws IllegalStateException if the call has been answered
     */
    Payload readFrom(FileChannel file, long offset, int max) throws IOException;

    /**
     * Registered memory for a result payload that the server fills in itself; {@link Payload#of} of it is sent from where it is.
     *
     * @return a direct buffer with position 0 and limit {@code size}, valid until the reply has been sent; contents undefined
     * @throws java.io.UncheckedIOException if no memory is left that this peer's calls may have
     * @throws IllegalStateException if the call has been answered
     */
    ByteBuffer buffer(int size);
}

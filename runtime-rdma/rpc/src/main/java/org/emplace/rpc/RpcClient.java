// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

/**
 * The connection of a client, which may also serve programs to the server that it calls. {@link org.emplace.Rpc} makes one.
 * Safe for use by several threads.
 */
public interface RpcClient extends RpcConnection {

    /**
     * Serves a program to the peer over this connection from now on, for calls in the backward direction (callbacks; RFC
     * 8167). These use no chunks. A server of this runtime makes no such call until this side announces by a procedure
     * of the protocol that it is ready ({@link ServerCall.Connection#enableBackwardCalls}). Invoke this method first, then call
     * that procedure.
     *
     * @throws IllegalArgumentException if this version of the program is already served
     */
    void serve(RpcService service);
}

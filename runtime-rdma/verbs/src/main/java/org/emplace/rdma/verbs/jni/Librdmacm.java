// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.jni;

import java.nio.ByteBuffer;

/**
 * Connections: librdmacm's identifiers and events, port space TCP. Addresses cross as raw bytes (4 or 16), with a scope id (IPv6) and a port.
 */
public final class Librdmacm {
    private Librdmacm() {}

    /** Creates a channel for connection events, non-blocking, in a poller. Fails with ENODEV or ENOENT where the kernel has no RDMA. */
    public static native long createEventChannel(long poller) throws NativeException;

    /** Frees a channel. Its identifiers must have been destroyed. */
    public static native void destroyEventChannel(long channel) throws NativeException;

    /**
     * Takes the next event, copies it and acknowledges it. The identifier of a connection request is made known under a new handle.
     *
     * @param event laid out as {@link NativeLayout#EVENT} says; private data follow the fixed part
     * @return whether there was one
     */
    public static native boolean nextEvent(long channel, ByteBuffer event) throws NativeException;

    /** Creates an identifier. */
    public static native long createId(long channel) throws NativeException;

    /** Frees an identifier. Its queue pair must have been destroyed. Events of it that have not been taken are dropped. */
    public static native void destroyId(long id) throws NativeException;

    /** Sets the local address; port 0 takes a free one. */
    public static native void bind(long id, byte[] address, int scope, int port) throws NativeException;

    /** Listens; connection requests come as events. */
    public static native void listen(long id, int backlog) throws NativeException;

    /** Finds the device that routes to an address: ADDR_RESOLVED or ADDR_ERROR follows. */
    public static native void resolveAddress(long id, byte[] address, int scope, int port, int timeoutMillis)
            throws NativeException;

    /** Finds the route: ROUTE_RESOLVED or ROUTE_ERROR follows. */
    public static native void resolveRoute(long id, int timeoutMillis) throws NativeException;

    /**
     * Connects.
     *
     * @param responderResources RDMA Reads of the peer answered at a time (IRD)
     * @param initiatorDepth RDMA Reads of this side outstanding (ORD)
     * @param retries transport retries, 0 to 7
     * @param rnrRetries retries of the peer where this side has no Receive posted, 0 to 7; 7 is for ever
     */
    public static native void connect(
            long id, byte[] privateData, int responderResources, int initiatorDepth, int retries, int rnrRetries)
            throws NativeException;

    /** Accepts a connection request; parameters as of {@link #connect}. */
    public static native void accept(
            long id, byte[] privateData, int responderResources, int initiatorDepth, int rnrRetries)
            throws NativeException;

    /** Rejects a connection request. */
    public static native void reject(long id, byte[] privateData) throws NativeException;

    /**
     * Disconnects: work of the queue pair is flushed, DISCONNECTED follows. On InfiniBand and RoCE the side that gets DISCONNECTED answers by the
     * same call. The other side waits some 20 s for that answer. On iWARP, or once the connection is down, it may fail with EINVAL.
     */
    public static native void disconnect(long id) throws NativeException;

    /**
     * The device that the identifier is bound to, whose asynchronous events the poller then watches; 0 if none. The same handle for the same
     * device and poller, good until it is closed once by {@link Libibverbs#closeDevice}, however often it was asked for. It may outlive the
     * identifier, and stays usable on a device that was removed.
     */
    public static native long device(long id, long poller) throws NativeException;

    /**
     * One end's address.
     *
     * @param peer whose: the peer's, or this side's
     * @param address 16 bytes to fill
     * @return port in bits 0 to 15, bytes of the address (0, 4 or 16) in bits 16 to 23
     */
    public static native int address(long id, boolean peer, byte[] address) throws NativeException;
}

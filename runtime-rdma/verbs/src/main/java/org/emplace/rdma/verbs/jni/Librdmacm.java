// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.jni;

import java.nio.ByteBuffer;

/**
 * The connection manager: librdmacm's identifiers and events, in port space TCP. An address is passed as its 4 or 16 raw bytes, a scope id (IPv6)
 * and a port.
 */
public final class Librdmacm {
    private Librdmacm() {}

    /** Creates a channel for connection events, non-blocking, in a poller. Fails with ENODEV or ENOENT if the kernel has no RDMA support. */
    public static native long createEventChannel(long poller) throws NativeException;

    /** Frees a channel. Its identifiers must have been destroyed. */
    public static native void destroyEventChannel(long channel) throws NativeException;

    /**
     * Takes the next event, copies it and acknowledges it. The identifier of a connection request gets a new handle.
     *
     * @param event filled as {@link NativeLibrary#EVENT} describes; the private data follow the fixed part
     * @return whether there was an event
     */
    public static native boolean nextEvent(long channel, ByteBuffer event) throws NativeException;

    /** Creates an identifier. */
    public static native long createId(long channel) throws NativeException;

    /** Destroys an identifier. Its queue pair must have been destroyed. Its events that have not been taken are dropped. */
    public static native void destroyId(long id) throws NativeException;

    /** Binds the local address; port 0 selects a free port. */
    public static native void bind(long id, byte[] address, int scope, int port) throws NativeException;

    /** Listens. Connection requests arrive as events. */
    public static native void listen(long id, int backlog) throws NativeException;

    /** Resolves an address to the device that routes to it. ADDR_RESOLVED or ADDR_ERROR follows. */
    public static native void resolveAddress(long id, byte[] address, int scope, int port, int timeoutMillis)
            throws NativeException;

    /** Resolves the route. ROUTE_RESOLVED or ROUTE_ERROR follows. */
    public static native void resolveRoute(long id, int timeoutMillis) throws NativeException;

    /**
     * Connects.
     *
     * @param responderResources RDMA Reads of the peer that this side answers at a time (IRD)
     * @param initiatorDepth RDMA Reads that this side may have outstanding (ORD)
     * @param retries transport retries, 0 to 7
     * @param rnrRetries how often the peer retries a Send for which this side has no Receive, 0 to 7; 7 is without limit
     */
    public static native void connect(
            long id, byte[] privateData, int responderResources, int initiatorDepth, int retries, int rnrRetries)
            throws NativeException;

    /** Accepts a connection request; for the parameters see {@link #connect}. */
    public static native void accept(
            long id, byte[] privateData, int responderResources, int initiatorDepth, int rnrRetries)
            throws NativeException;

    /** Rejects a connection request. */
    public static native void reject(long id, byte[] privateData) throws NativeException;

    /**
     * Disconnects: flushes the queue pair's work, and DISCONNECTED follows. On InfiniBand and RoCE the side that gets DISCONNECTED answers with the
     * same call, and the other side waits about 20 s for that answer. On iWARP, or once the connection is down, the call may fail with EINVAL.
     */
    public static native void disconnect(long id) throws NativeException;

    /**
     * The device that the identifier is bound to; 0 if none. The poller then watches its asynchronous events. For the same device and poller, each
     * call returns the same handle, which one {@link Libibverbs#closeDevice} closes. The handle may outlive the identifier, and stays valid if the
     * device is removed.
     */
    public static native long device(long id, long poller) throws NativeException;

    /**
     * The address of one end.
     *
     * @param peer true for the peer's address, false for the local one
     * @param address 16 bytes to fill
     * @return the port in bits 0 to 15, the address's length in bytes (0, 4 or 16) in bits 16 to 23
     */
    public static native int address(long id, boolean peer, byte[] address) throws NativeException;
}

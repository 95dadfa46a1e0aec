// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.jni;

import java.nio.ByteBuffer;

/** Devices and their objects: protection domains, completion queues, queue pairs, memory regions and windows. */
public final class Libibverbs {
    private Libibverbs() {}

    /** The attributes that {@link #query} returns, in this order. */
    public enum Attribute {
        /** 1 if the transport is iWARP, 0 if InfiniBand or RoCE. */
        IWARP,
        /** 1 if port 1's link layer is Ethernet. */
        ETHERNET,
        /** The {@code ibv_port_state} of port 1; 4 is active. */
        PORT_STATE,
        /** The most RDMA Reads that a queue pair answers at a time. */
        MAXIMUM_INBOUND_READS,
        /** The most RDMA Reads that a queue pair may have outstanding. */
        MAXIMUM_OUTBOUND_READS,
        /** The most work requests of one queue. */
        MAXIMUM_WORK_REQUESTS,
        /** The most scatter/gather elements of a work request. */
        MAXIMUM_ELEMENTS,
        /** The most entries of a completion queue. */
        MAXIMUM_COMPLETIONS,
        /** The most memory windows. */
        MAXIMUM_WINDOWS,
        /** Bit 0: type 2A windows, bit 1: type 2B windows, bit 2: memory management extensions (Send with Invalidate, local invalidate). */
        CAPABILITIES,
        /** The most shared receive queues. */
        MAXIMUM_SHARED_RECEIVE_QUEUES,
        /** The most requests of a shared receive queue. */
        MAXIMUM_SHARED_RECEIVES,
        /** The vendor's IEEE company number; 0xffffff for rxe. */
        VENDOR;

        /** The value of this attribute in the result of {@link #query}. */
        @SuppressWarnings("EnumOrdinal") // Java and C use the same order
        public long in(long[] answers) {
            return answers[ordinal()];
        }
    }

    /** Opcodes of send requests. */
    public static final int SEND = 0;

    /** See {@link #SEND}. */
    public static final int SEND_WITH_INVALIDATE = 1;

    /** See {@link #SEND}. */
    public static final int WRITE = 2;

    /** See {@link #SEND}. */
    public static final int READ = 3;

    /** See {@link #SEND}: binds a type 2 memory window. */
    public static final int BIND = 4;

    /** See {@link #SEND}: invalidates a window's key. */
    public static final int LOCAL_INVALIDATE = 5;

    /** Flags of send requests. */
    public static final int SIGNALED = 1;

    /** See {@link #SIGNALED}: the data are copied when the request is posted. */
    public static final int INLINE = 2;

    /** Rights of regions and windows. Local reading is always allowed. */
    public static final int LOCAL_WRITE = 1;

    /** See {@link #LOCAL_WRITE}. */
    public static final int REMOTE_READ = 2;

    /** See {@link #LOCAL_WRITE}. */
    public static final int REMOTE_WRITE = 4;

    /** See {@link #LOCAL_WRITE}: windows may be bound to the region. */
    public static final int WINDOW_BIND = 8;

    /** The names of all devices, whether usable or not; empty if there are none. */
    public static native String[] deviceNames() throws NativeException;

    /** Opens the device of this name, queries its attributes and closes it. The result is in the order of {@link Attribute}. */
    public static native long[] queryByName(String name) throws NativeException;

    /** Queries the attributes of an open device. The result is in the order of {@link Attribute}. */
    public static native long[] query(long device) throws NativeException;

    /** The name of an open device. */
    public static native String deviceName(long device) throws NativeException;

    /**
     * Removes a device from its poller and closes it. Everything on it must have been destroyed. If the call fails, the device stays open.
     *
     * @param removed whether the kernel is removing the device, which waits until no process has it open; this process then no longer has, even if
     *     the call fails
     */
    public static native void closeDevice(long device, boolean removed) throws NativeException;

    /**
     * Takes the next asynchronous event of the device, or of an object that was created with this handle of the device. Other users of the device in
     * this process get their own events. If the call fails, the poller stops watching the device.
     *
     * @param subject its first element is set to the handle of the queue pair, completion queue or shared receive queue that the event concerns; 0 if
     *     it concerns the device or a port
     * @return its {@code ibv_event_type}; -1 if there is no event
     */
    public static native int nextAsynchronousEvent(long device, long[] subject) throws NativeException;

    /** Allocates a protection domain. */
    public static native long allocateDomain(long device) throws NativeException;

    /** Frees a domain. Its regions, windows and queue pairs must have been destroyed. */
    public static native void deallocateDomain(long domain) throws NativeException;

    /** Creates a channel for completion events, non-blocking, in a poller. */
    public static native long createCompletionChannel(long device, long poller) throws NativeException;

    /** Frees a channel. Its completion queues must have been destroyed. */
    public static native void destroyCompletionChannel(long channel) throws NativeException;

    /**
     * Takes and acknowledges the events of a completion channel. If the call fails, the poller stops watching the channel.
     *
     * @param queues filled with the handles of the completion queues that the events concern
     * @return the number of handles
     */
    public static native int nextCompletionEvents(long channel, long[] queues) throws NativeException;

    /**
     * Creates a completion queue.
     *
     * @param entries the least capacity
     * @param completions a direct buffer that {@link #poll} fills. It stays reachable until {@link #destroyCompletionQueue} has succeeded; several
     *     queues may use the same buffer
     */
    public static native long createCompletionQueue(long device, long channel, int entries, ByteBuffer completions)
            throws NativeException;

    /** Frees a completion queue. Its queue pairs must have been destroyed. */
    public static native void destroyCompletionQueue(long queue) throws NativeException;

    /** Requests one event for the next completion. */
    public static native void requestNotification(long queue) throws NativeException;

    /**
     * Takes completions: writes as many {@link NativeLibrary#COMPLETION} structures as fit to the queue's buffer, from its start. Only one thread at a
     * time may poll queues that use the same buffer.
     *
     * @return the number of completions, or -1 minus that number if one of them reports a failed request
     */
    public static native int poll(long queue) throws NativeException;

    /**
     * Creates a receive queue that queue pairs of one domain share.
     *
     * @param completionQueue gets the completions of its Receives
     */
    public static native long createSharedReceiveQueue(long domain, long completionQueue, int requests)
            throws NativeException;

    /** Frees a shared receive queue. Its queue pairs must have been destroyed. */
    public static native void destroySharedReceiveQueue(long queue) throws NativeException;

    /**
     * Creates a reliable connected queue pair for a connection identifier.
     *
     * @param sendCompletions the completion queue of its send queue
     * @param receiveCompletions the completion queue of its own receive queue; may be {@code sendCompletions}
     * @param sharedReceiveQueue the shared receive queue to use, with that queue's completion queue; 0 for a receive queue of its own
     * @param capacities send requests, receive requests, gather elements, scatter elements and inline bytes: the values wanted, replaced by those
     *     that the device gives
     */
    public static native long createQueuePair(
            long id,
            long domain,
            long sendCompletions,
            long receiveCompletions,
            long sharedReceiveQueue,
            int[] capacities)
            throws NativeException;

    /** Destroys a queue pair. Once this returns, the device no longer accesses memory for it. */
    public static native void destroyQueuePair(long queuePair) throws NativeException;

    /** The QP number, for messages. */
    public static native int queuePairNumber(long queuePair) throws NativeException;

    /**
     * Posts send requests: {@code count} times a {@link NativeLibrary#SEND_REQUEST} followed by its elements, from the buffer's start. This call
     * reads the memory of {@link #INLINE} elements without a check, so that memory must exist. The device checks all other memory by its local
     * key. A bind that is posted gives its window the new key.
     *
     * @return the number posted. It is below {@code count} if the send queue is full (ENOMEM) or a request is invalid; a call that begins with
     *     the invalid request fails
     */
    public static native int postSend(long queuePair, ByteBuffer requests, int count) throws NativeException;

    /** Posts {@link NativeLibrary#RECEIVE_REQUEST}s; see {@link #postSend}. */
    public static native int postReceive(long queuePair, ByteBuffer requests, int count) throws NativeException;

    /** Posts Receives to a shared receive queue; see {@link #postSend}. */
    public static native int postSharedReceive(long queue, ByteBuffer requests, int count) throws NativeException;

    /** The address of a direct buffer's first byte (index 0, not position). */
    public static native long address(ByteBuffer direct);

    /**
     * Registers memory. The buffer stays reachable until {@link #deregister} has succeeded.
     *
     * @param offset from index 0 of the buffer
     * @param keys filled with the local and the remote key
     */
    public static native long register(long domain, ByteBuffer direct, int offset, int length, int access, int[] keys)
            throws NativeException;

    /** Ends a registration. Once this returns, the memory cannot be accessed by it. If it fails, the memory stays registered and reachable. */
    public static native void deregister(long region) throws NativeException;

    /**
     * Allocates a type 2 memory window.
     *
     * @param key filled with its remote key
     */
    public static native long allocateWindow(long domain, int[] key) throws NativeException;

    /** Frees a window, which ends the access by it. */
    public static native void deallocateWindow(long window) throws NativeException;
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.jni;

import java.nio.ByteBuffer;

/** Devices and what belongs to one: protection domains, completion queues, queue pairs, memory regions and windows. */
public final class Libibverbs {
    private Libibverbs() {}

    /** What {@link #query} answers, in this order. */
    public enum Attribute {
        /** 1 if the transport is iWARP, 0 if InfiniBand or RoCE. */
        IWARP,
        /** 1 if port 1's link layer is Ethernet. */
        ETHERNET,
        /** The {@code ibv_port_state} of port 1; 4 is active. */
        PORT_STATE,
        /** RDMA Reads that a queue pair answers at a time at most. */
        MAXIMUM_INBOUND_READS,
        /** RDMA Reads that a queue pair has outstanding at most. */
        MAXIMUM_OUTBOUND_READS,
        /** Work requests of one queue at most. */
        MAXIMUM_WORK_REQUESTS,
        /** Scatter/gather elements of a work request at most. */
        MAXIMUM_ELEMENTS,
        /** Entries of a completion queue at most. */
        MAXIMUM_COMPLETIONS,
        /** Memory windows at most. */
        MAXIMUM_WINDOWS,
        /** Bit 0: type 2A windows, bit 1: type 2B windows, bit 2: memory management extensions (Send with Invalidate, local invalidate). */
        CAPABILITIES,
        /** Shared receive queues at most. */
        MAXIMUM_SHARED_RECEIVE_QUEUES,
        /** Requests of a shared receive queue at most. */
        MAXIMUM_SHARED_RECEIVES,
        /** The vendor's number, IEEE's for its company; 0xffffff is rxe's. */
        VENDOR;

        /** This attribute's value among what {@link #query} answered. */
        @SuppressWarnings("EnumOrdinal") // the order is what Java and C have agreed on
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

    /** See {@link #SIGNALED}: the data are copied when posted. */
    public static final int INLINE = 2;

    /** Rights of regions and windows; local reading always. */
    public static final int LOCAL_WRITE = 1;

    /** See {@link #LOCAL_WRITE}. */
    public static final int REMOTE_READ = 2;

    /** See {@link #LOCAL_WRITE}. */
    public static final int REMOTE_WRITE = 4;

    /** See {@link #LOCAL_WRITE}: windows may be bound to the region. */
    public static final int WINDOW_BIND = 8;

    /** The names of the devices here, whether usable or not. Empty without any. */
    public static native String[] deviceNames() throws NativeException;

    /** What a device by that name can do; opens it for the time of the call. Order: {@link Attribute}. */
    public static native long[] queryByName(String name) throws NativeException;

    /** What an open device can do. Order: {@link Attribute}. */
    public static native long[] query(long device) throws NativeException;

    /** The name of an open device. */
    public static native String deviceName(long device) throws NativeException;

    /**
     * Removes a device from its poller and closes it; everything on it must have been destroyed. If it fails, the device stays open.
     *
     * @param removed whether the kernel is taking the device away: it waits until nobody has it open, and from now on this process has not
     */
    public static native void closeDevice(long device, boolean removed) throws NativeException;

    /**
     * Takes the next asynchronous event of the device itself, or of what was made by this handle of it: whoever else of this process uses the
     * device has their own. Once this fails the poller watches the device no more.
     *
     * @param subject its first element is set to the handle of what the event is about, a queue pair, a completion queue or a shared receive
     *     queue; 0 if that is the device, or a port
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
     * Takes and acknowledges the events of a completion channel. Once this fails the poller watches the channel no more.
     *
     * @param queues filled with the handles of the completion queues that they are for
     * @return how many
     */
    public static native int nextCompletionEvents(long channel, long[] queues) throws NativeException;

    /**
     * Creates a completion queue for at least that many entries.
     *
     * @param completions takes what {@link #poll} finds. It stays reachable until {@link #destroyCompletionQueue} has succeeded; several queues may
     *     use the same
     */
    public static native long createCompletionQueue(long device, long channel, int entries, ByteBuffer completions)
            throws NativeException;

    /** Frees a completion queue. Its queue pairs must have been destroyed. */
    public static native void destroyCompletionQueue(long queue) throws NativeException;

    /** Asks for one event at the next completion. */
    public static native void requestNotification(long queue) throws NativeException;

    /**
     * Takes completions. The queue's buffer is filled with as many {@link NativeLayout#COMPLETION} as fit at most, from its start. For one thread at
     * a time of all those whose queues use the same buffer.
     *
     * @return how many
     */
    public static native int poll(long queue) throws NativeException;

    /**
     * Creates a receive queue that several queue pairs of one domain share.
     *
     * @param completionQueue gets the completions of what they take from it
     */
    public static native long createSharedReceiveQueue(long domain, long completionQueue, int requests)
            throws NativeException;

    /** Frees a shared receive queue. Its queue pairs must have been destroyed. */
    public static native void destroySharedReceiveQueue(long queue) throws NativeException;

    /**
     * Creates a reliable connected queue pair for a connection identifier.
     *
     * @param sendCompletions the completion queue for what it sends
     * @param receiveCompletions the completion queue for what it receives by a queue of its own; it may be the same
     * @param sharedReceiveQueue what it receives by instead, with the completion queue of that; 0 for a receive queue of its own
     * @param capacities send requests, receive requests, gather elements, scatter elements, inline bytes: what is wanted; replaced by what
     *     there is
     */
    public static native long createQueuePair(
            long id,
            long domain,
            long sendCompletions,
            long receiveCompletions,
            long sharedReceiveQueue,
            int[] capacities)
            throws NativeException;

    /** Destroys a queue pair. Once this returns, the device touches no memory for it any more. */
    public static native void destroyQueuePair(long queuePair) throws NativeException;

    /** The QP number, for messages. */
    public static native int queuePairNumber(long queuePair) throws NativeException;

    /**
     * Posts send requests: {@code count} times a {@link NativeLayout#SEND_REQUEST} with its elements behind it, from the buffer's start. The
     * memory that {@link #INLINE} elements name is read by this call, unchecked: it has to be there. That of all others is the device's to
     * check, by the local key. A bind that was taken gives its window the new key.
     *
     * @return how many were taken: fewer than {@code count} if the send queue is full (ENOMEM), or if a request was refused; that one makes
     *     the call fail that begins with it
     */
    public static native int postSend(long queuePair, ByteBuffer requests, int count) throws NativeException;

    /** Posts {@link NativeLayout#RECEIVE_REQUEST}s; see {@link #postSend}. */
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

    /** Ends a registration. Once this returns, nobody can reach the memory by it. If it fails, the memory stays registered and allocated. */
    public static native void deregister(long region) throws NativeException;

    /**
     * Allocates a type 2 memory window.
     *
     * @param key filled with its remote key
     */
    public static native long allocateWindow(long domain, int[] key) throws NativeException;

    /** Frees a window. Its access ends. */
    public static native void deallocateWindow(long window) throws NativeException;
}

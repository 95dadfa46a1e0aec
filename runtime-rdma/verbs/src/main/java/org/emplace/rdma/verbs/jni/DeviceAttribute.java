// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.jni;

/** What {@link Libibverbs#query} answers, in this order. */
public enum DeviceAttribute {
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

    /** This attribute's value among what {@link Libibverbs#query} answered. */
    @SuppressWarnings("EnumOrdinal") // the order is what Java and C have agreed on
    public long in(long[] answers) {
        return answers[ordinal()];
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.device;

import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.jni.Libibverbs.Attribute;
import org.emplace.rdma.verbs.jni.NativeException;

/**
 * The capabilities of a device.
 *
 * @param iwarp whether its transport is iWARP; else InfiniBand or RoCE
 * @param ethernet whether its link layer is Ethernet
 * @param portState the {@code ibv_port_state} of its first port
 * @param inboundReads RDMA Reads that a queue pair answers at a time
 * @param outboundReads RDMA Reads that a queue pair may have outstanding
 * @param workRequests work requests of one queue
 * @param elements scatter/gather elements of one work request
 * @param completions entries of one completion queue
 * @param windows number of memory windows
 * @param typeTwoWindows whether a work request can bind a window to one queue pair (type 2)
 * @param boundedWindows whether the device enforces a window's own bounds, and not only those of its region
 * @param invalidation whether user space can use Send with Invalidate and local invalidation
 * @param sharedReceives Receives of one shared receive queue; 0 if the device has no shared receive queues
 */
public record DeviceCapabilities(
        boolean iwarp,
        boolean ethernet,
        int portState,
        int inboundReads,
        int outboundReads,
        int workRequests,
        int elements,
        int completions,
        int windows,
        boolean typeTwoWindows,
        boolean boundedWindows,
        boolean invalidation,
        int sharedReceives) {
    private static final int PORT_ACTIVE = 4;
    private static final long RXE = 0xffffff;
    private static final long TYPE_2A = 1;
    private static final long TYPE_2B = 2;
    private static final long MEMORY_MANAGEMENT_EXTENSIONS = 4;

    /** Queries an open device. */
    public static DeviceCapabilities of(long device) throws NativeException {
        return of(Libibverbs.query(device));
    }

    /** Opens the device of this name, queries it and closes it. */
    public static DeviceCapabilities of(String name) throws NativeException {
        return of(Libibverbs.queryByName(name));
    }

    private static DeviceCapabilities of(long[] answers) {
        boolean iwarp = Attribute.IWARP.in(answers) == 1;
        int windows = number(answers, Attribute.MAXIMUM_WINDOWS);
        long flags = Attribute.CAPABILITIES.in(answers);
        boolean extensions = (flags & MEMORY_MANAGEMENT_EXTENSIONS) != 0;
        return new DeviceCapabilities(
                iwarp,
                Attribute.ETHERNET.in(answers) == 1,
                number(answers, Attribute.PORT_STATE),
                number(answers, Attribute.MAXIMUM_INBOUND_READS),
                number(answers, Attribute.MAXIMUM_OUTBOUND_READS),
                number(answers, Attribute.MAXIMUM_WORK_REQUESTS),
                number(answers, Attribute.MAXIMUM_ELEMENTS),
                number(answers, Attribute.MAXIMUM_COMPLETIONS),
                windows,
                extensions && windows > 0 && (flags & (TYPE_2A | TYPE_2B)) != 0,
                Attribute.VENDOR.in(answers) != RXE,
                // The user-space drivers of iWARP devices support neither, whatever the kernel reports.
                extensions && !iwarp,
                number(answers, Attribute.MAXIMUM_SHARED_RECEIVE_QUEUES) > 0
                        ? number(answers, Attribute.MAXIMUM_SHARED_RECEIVES)
                        : 0);
    }

    private static int number(long[] answers, Attribute attribute) {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(0, attribute.in(answers)));
    }

    /** {@code InfiniBand}, {@code RoCE} or {@code iWARP}. */
    public String transport() {
        if (iwarp) {
            return "iWARP";
        }
        return ethernet ? "RoCE" : "InfiniBand";
    }

    /** Whether its first port is active. */
    public boolean isActive() {
        return portState == PORT_ACTIVE;
    }

    /**
     * Whether connections can use a shared receive queue: they share a protection domain, and a Send that finds no Receive is retried. On iWARP such
     * a Send ends the connection.
     */
    public boolean sharesReceives() {
        return sharedReceives > 0 && bindsWindows() && !iwarp;
    }

    /** Whether work requests can bind and invalidate memory windows. */
    public boolean bindsWindows() {
        return typeTwoWindows && invalidation;
    }

    /**
     * What a device holds for a queue pair at a time.
     *
     * @param sends send requests
     * @param receives Receives
     * @param elements scatter/gather elements of a send request
     * @param inline inline data of a send request, in bytes
     */
    public record QueuePairLimits(int sends, int receives, int elements, int inline) {
        private static final int ELEMENTS = 16;

        /** The same limits with other inline data. */
        public QueuePairLimits withInline(int bytes) {
            return new QueuePairLimits(sends, receives, elements, bytes);
        }
    }

    /** The limits of a queue pair: those wanted, as far as the device supports them. */
    public QueuePairLimits queuePairLimits(int sends, int receives, int inline) {
        int most = Math.min(workRequests, completions);
        return new QueuePairLimits(
                Math.min(sends, most), Math.min(receives, most), Math.min(QueuePairLimits.ELEMENTS, elements), inline);
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.connection;

import java.time.Duration;
import java.util.List;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.QueuePairHandler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.ReceiveRequest;
import org.emplace.rdma.Receives;
import org.emplace.rdma.verbs.device.Devices;
import org.emplace.rdma.verbs.device.VerbsDevice;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.memory.MemoryWindows;
import org.emplace.rdma.verbs.memory.PerCallRegistration;
import org.emplace.rdma.verbs.memory.RemoteAccessMode;
import org.emplace.rdma.verbs.memory.RemoteAccessStrategy;
import org.emplace.rdma.verbs.memory.WholeConnection;
import org.emplace.rdma.verbs.queuepair.QueuePairLimits;
import org.emplace.rdma.verbs.queuepair.VerbsQueuePair;

/**
 * How a provider's connections are made.
 *
 * @param devices that connections lead to
 * @param mode how peers are let at memory
 * @param sends send requests that a queue pair's device has at a time
 * @param inline bytes that a send request is wanted to carry itself
 * @param answerTimeout how long a connection request waits for its answer
 */
public record SetUp(Devices devices, RemoteAccessMode mode, int sends, int inline, Duration answerTimeout) {
    /** How often a device repeats what a peer does not acknowledge, 0 to 7. */
    static final int RETRIES = 7;
    /** How often a device repeats a Send that finds no Receive; 7 would be for ever. */
    static final int RECEIVER_NOT_READY_RETRIES = 6;

    /**
     * A Receive that is held back does not exist to the device, and on iWARP a Send that finds none ends the connection; so there is room
     * for more than a consumer posts at first.
     */
    private static final int FEWEST_RECEIVES = 512;

    private static final int ELEMENTS = 16;
    /** The connection manager's own limit: a length of one byte. */
    private static final int IWARP_PRIVATE_DATA = 255;

    private static final int REQUEST_PRIVATE_DATA = 56;
    private static final int REPLY_PRIVATE_DATA = 196;
    private static final int REJECT_PRIVATE_DATA = 148;

    /** Which private data it is: InfiniBand's messages have different room for it. */
    enum Message {
        REQUEST(REQUEST_PRIVATE_DATA),
        REPLY(REPLY_PRIVATE_DATA),
        REJECT(REJECT_PRIVATE_DATA);

        private final int room;

        Message(int room) {
            this.room = room;
        }
    }

    /**
     * Refuses parameters that no device could be given.
     *
     * @throws IllegalArgumentException if a number is negative, or another provider registered the memory of a Receive
     */
    public static void check(ConnectionParameters parameters) {
        if (parameters.inboundReads() < 0 || parameters.outboundReads() < 0) {
            throw new IllegalArgumentException("a negative number of RDMA Reads");
        }
        VerbsQueuePair.check(first(parameters));
    }

    /** The Receives to post before a connection stands. @throws IllegalArgumentException if it is to take from a shared queue */
    static List<ReceiveRequest> first(ConnectionParameters parameters) {
        if (parameters.receives() instanceof Receives.Own own) {
            return own.first();
        }
        throw new IllegalArgumentException("a shared receive queue that the request did not offer");
    }

    VerbsDevice device(ConnectionId id) throws NativeException, RdmaException {
        VerbsDevice device = devices.of(id.handle());
        if (device.watch()) {
            DeviceWatch.begin(id.events(), device, id.localAddress());
        }
        return device;
    }

    /** A queue pair for a connection that is being set up. */
    VerbsQueuePair queuePair(
            VerbsDevice device, ConnectionId id, ConnectionParameters parameters, QueuePairHandler handler)
            throws RdmaException {
        int receives = Math.max(FEWEST_RECEIVES, first(parameters).size());
        QueuePairLimits wanted = new QueuePairLimits(sends, receives, ELEMENTS, inline);
        return VerbsQueuePair.create(device, id, strategy(device), wanted, first(parameters), handler);
    }

    /**
     * What the peer's consumer is sent.
     *
     * @throws IllegalArgumentException if it is more than the message carries
     */
    byte[] privateData(ConnectionParameters parameters, VerbsDevice device, Message message) {
        byte[] offered = parameters.privateData().offer(bindsWindows(device)).clone();
        check(offered, device, message);
        return offered;
    }

    static void check(byte[] privateData, VerbsDevice device, Message message) {
        int room = device.capabilities().iwarp() ? IWARP_PRIVATE_DATA : message.room;
        if (privateData.length > room) {
            throw new IllegalArgumentException("private data of " + privateData.length + " bytes: a connection "
                    + "message of " + device.name() + " carries " + room + " at most");
        }
    }

    private boolean bindsWindows(VerbsDevice device) {
        return switch (mode) {
            case AUTOMATIC -> device.capabilities().bindsWindows();
            case WINDOWS -> true;
            case PER_CALL, CONNECTION -> false;
        };
    }

    private RemoteAccessStrategy strategy(VerbsDevice device) throws RdmaException {
        if (bindsWindows(device)) {
            return new MemoryWindows(
                    device.sharedDomain(), device.capabilities().boundedWindows());
        }
        return mode == RemoteAccessMode.CONNECTION
                ? new WholeConnection(device.newDomain())
                : new PerCallRegistration(device.newDomain());
    }
}

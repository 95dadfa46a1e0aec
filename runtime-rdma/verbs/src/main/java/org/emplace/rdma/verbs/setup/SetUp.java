// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.setup;

import java.time.Duration;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.QueuePair.Handler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.Receives;
import org.emplace.rdma.verbs.connection.ConnectionId;
import org.emplace.rdma.verbs.device.OpenDevices;
import org.emplace.rdma.verbs.device.VerbsDevice;
import org.emplace.rdma.verbs.memory.MemoryWindows;
import org.emplace.rdma.verbs.memory.RemoteAccessStrategy;
import org.emplace.rdma.verbs.memory.VerbsRegion;
import org.emplace.rdma.verbs.queuepair.VerbsQueuePair;
import org.emplace.rdma.verbs.queuepair.VerbsSharedReceives;
import org.jspecify.annotations.Nullable;

/**
 * The settings and devices with which a provider sets up connections.
 *
 * @param devices the devices that are open
 * @param mode how remote access to memory is granted
 * @param sends send requests that the device holds for a queue pair
 * @param inline inline data of a send request, in bytes
 * @param answerTimeout how long a connection request waits for the consumer's answer
 */
public record SetUp(
        OpenDevices devices, RemoteAccessStrategy.Mode mode, int sends, int inline, Duration answerTimeout) {
    /** How often the device retransmits a packet that the peer does not acknowledge, 0 to 7; rxe treats 7 as unlimited. */
    static final int RETRIES = 6;
    /** How often a device retries a Send that finds no Receive; 7 would be unlimited. The two ends send each other this number. */
    static final int RECEIVER_NOT_READY_RETRIES = 6;

    /** The connection manager's limit: the length is one byte. */
    private static final int IWARP_PRIVATE_DATA = 255;

    /** A connection message that carries private data. On InfiniBand the messages differ in the room for it. */
    enum Message {
        REQUEST(56),
        REPLY(196),
        REJECT(148);

        private final int room;

        Message(int room) {
            this.room = room;
        }
    }

    /**
     * Checks the Receives of connection parameters.
     *
     * @param shareable the shared receive queue that the listener offers; null if it offers none
     * @throws IllegalArgumentException if the memory of a Receive is another provider's or read-only, or if the parameters name another shared
     *     receive queue
     */
    public static void check(ConnectionParameters parameters, @Nullable VerbsSharedReceives shareable) {
        if (parameters.receives() instanceof Receives.Own own) {
            own.first().forEach(receive -> VerbsRegion.ofSink(receive.sink()));
        } else if (parameters.receives() != shareable) {
            throw new IllegalArgumentException("a shared receive queue other than the one that the request offers");
        }
    }

    /** Creates the queue pair of a connection in set-up. */
    VerbsQueuePair queuePair(VerbsDevice device, ConnectionId id, ConnectionParameters parameters, Handler handler)
            throws RdmaException {
        return VerbsQueuePair.create(device, id, strategy(device), sends, inline, parameters, handler);
    }

    /**
     * The private data to send to the peer's consumer.
     *
     * @throws IllegalArgumentException if they do not fit in the message
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

    /** Whether a device's connections can share a receive queue, which requires that they share a protection domain. */
    boolean sharesReceives(VerbsDevice device) {
        return device.capabilities().sharesReceives() && bindsWindows(device);
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
        return mode == RemoteAccessStrategy.Mode.CONNECTION
                ? new RemoteAccessStrategy.WholeConnection(device.newDomain())
                : new RemoteAccessStrategy.PerCallRegistration(device.newDomain());
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.connection;

import java.time.Duration;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.QueuePairHandler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.Receives;
import org.emplace.rdma.verbs.device.OpenDevices;
import org.emplace.rdma.verbs.device.VerbsDevice;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.memory.MemoryWindows;
import org.emplace.rdma.verbs.memory.PerCallRegistration;
import org.emplace.rdma.verbs.memory.RemoteAccessStrategy;
import org.emplace.rdma.verbs.memory.VerbsRegion;
import org.emplace.rdma.verbs.memory.WholeConnection;
import org.emplace.rdma.verbs.queuepair.QueuePairLimits;
import org.emplace.rdma.verbs.queuepair.VerbsConnection;
import org.emplace.rdma.verbs.queuepair.VerbsSharedReceives;
import org.jspecify.annotations.Nullable;

/**
 * How a provider's connections are made.
 *
 * @param devices that connections lead to
 * @param mode how peers are given access to memory
 * @param sends send requests that a queue pair's device has at a time
 * @param inline bytes that a send request should carry itself
 * @param answerTimeout how long a connection request waits for its answer
 */
public record SetUp(
        OpenDevices devices, RemoteAccessStrategy.Mode mode, int sends, int inline, Duration answerTimeout) {
    /** How often a device retransmits what a peer does not acknowledge, 0 to 7; rxe treats 7 as unlimited. */
    static final int RETRIES = 6;
    /** How often the peer's device retries a Send for which this side has no Receive; 7 would be unlimited. The peer sets the same for our device. */
    static final int RECEIVER_NOT_READY_RETRIES = 6;

    /**
     * The device does not see a Receive that is held back, and on iWARP a Send that finds no Receive ends the connection. So there is room for more
     * Receives than a consumer posts at first.
     */
    private static final int FEWEST_RECEIVES = 512;

    private static final int ELEMENTS = 16;
    /** The connection manager's own limit: a length of one byte. */
    private static final int IWARP_PRIVATE_DATA = 255;

    /** A connection message that carries private data. InfiniBand's have room for different numbers of bytes. */
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
     * Checks the Receives of parameters.
     *
     * @param shareable the shared receive queue that there is; null for none
     * @throws IllegalArgumentException if another provider registered the memory of one, or it is read-only; or if they are those of another
     *     shared queue
     */
    public static void check(ConnectionParameters parameters, @Nullable VerbsSharedReceives shareable) {
        if (parameters.receives() instanceof Receives.Own own) {
            own.first().forEach(receive -> VerbsRegion.ofSink(receive.sink()));
        } else if (parameters.receives() != shareable) {
            throw new IllegalArgumentException("a shared receive queue other than the one that the request offers");
        }
    }

    VerbsDevice device(ConnectionId id) throws NativeException, RdmaException {
        VerbsDevice device = devices.of(id.handle());
        if (device.watch()) {
            DeviceWatch.begin(id.events(), device, id.localAddress());
        }
        return device;
    }

    /** A connection that is being set up, with its queue pair. */
    VerbsConnection connection(
            VerbsDevice device, ConnectionId id, ConnectionParameters parameters, QueuePairHandler handler)
            throws RdmaException {
        int first = parameters.receives() instanceof Receives.Own own ? own.capacity() : 0;
        QueuePairLimits wanted = new QueuePairLimits(sends, Math.max(FEWEST_RECEIVES, first), ELEMENTS, inline);
        return VerbsConnection.create(device, id, strategy(device), wanted, parameters, handler);
    }

    /**
     * The private data for the peer's consumer.
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

    /** Whether a device's connections can share a receive queue: for that they have to share a protection domain. */
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
                ? new WholeConnection(device.newDomain())
                : new PerCallRegistration(device.newDomain());
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.connection;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.verbs.event.CompletionHandler;
import org.emplace.rdma.verbs.jni.Librdmacm;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.jni.NativeLibrary;
import org.emplace.reactor.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * The connection manager's event channel: dispatches each event to the handler of its identifier, and tells which failure an event or a failed call
 * means. Used on the loop.
 */
public final class ConnectionEvents {
    /**
     * An event of the connection manager.
     *
     * @param id the event's connection identifier; for a connection request, the new identifier
     * @param listener for a connection request, the listening identifier
     * @param status 0, a negative error number, or the reason for a rejection
     * @param responderResources RDMA Reads that the peer requests to have outstanding
     * @param initiatorDepth RDMA Reads that the peer answers at a time. On iWARP, the event that an initiator's connection is established has
     *     the two numbers swapped
     * @param privateData the peer's private data; on InfiniBand and RoCE padded with zeros
     */
    @SuppressWarnings("ArrayRecordComponent") // opaque bytes; these records are never compared
    public record Event(
            long id,
            long listener,
            Type type,
            int status,
            int responderResources,
            int initiatorDepth,
            byte[] privateData) {

        /** {@code rdma_cm_event_type}, in its order. */
        public enum Type {
            ADDRESS_RESOLVED,
            ADDRESS_ERROR,
            ROUTE_RESOLVED,
            ROUTE_ERROR,
            CONNECT_REQUEST,
            CONNECT_RESPONSE,
            CONNECT_ERROR,
            UNREACHABLE,
            REJECTED,
            ESTABLISHED,
            DISCONNECTED,
            DEVICE_REMOVAL,
            MULTICAST_JOIN,
            MULTICAST_ERROR,
            ADDRESS_CHANGE,
            TIMEWAIT_EXIT,
            UNKNOWN;

            static Type of(int number) {
                Type[] types = values();
                return number >= 0 && number < types.length ? types[number] : UNKNOWN;
            }
        }
    }

    /** Why a connection could not be set up, from the connection manager's event and status, or from a call's error number. */
    public record Failure(Reason reason, String words) {
        private static final int ENOENT = 2;
        private static final int ENODEV = 19;
        private static final int EADDRNOTAVAIL = 99;
        private static final int ENETUNREACH = 101;
        private static final int ECONNRESET = 104;
        private static final int ETIMEDOUT = 110;
        private static final int ECONNREFUSED = 111;
        private static final int EHOSTUNREACH = 113;
        private static final int EADDRINUSE = 98;
        private static final int EPERM = 1;
        private static final int EACCES = 13;

        /** InfiniBand's reasons of a rejection (InfiniBand Architecture Specification, volume 1, chapter 12, REJ). */
        private static final int INVALID_SERVICE_ID = 8;

        private static final int STALE_CONNECTION = 10;
        private static final int CONSUMER_REJECT = 28;

        /** The failure to resolve an address. */
        public static Failure ofAddress(NativeException e) {
            return ofAddress(e.errno(), String.valueOf(e.getMessage()));
        }

        private static Failure ofAddress(int errno, String detail) {
            return switch (errno) {
                case ENODEV, ENOENT, EADDRNOTAVAIL, ENETUNREACH ->
                    new Failure(Reason.NO_DEVICE, "no RDMA device routes there (" + detail + ")");
                // The kernel found the device, but librdmacm could not open it and returned -1.
                case EPERM ->
                    new Failure(
                            Reason.NO_DEVICE,
                            "the RDMA device that routes there cannot be opened: no permission on its /dev/infiniband/uverbs*,"
                                    + " or no driver for it (Debian: ibverbs-providers)");
                case ETIMEDOUT -> new Failure(Reason.TIMED_OUT, "the address was not resolved in time");
                default -> new Failure(Reason.UNREACHABLE, "the address cannot be resolved (" + detail + ")");
            };
        }

        /** Whether a call failed because the local port that the connection manager chose is in use. */
        public static boolean isPortInUse(NativeException e) {
            return e.errno() == EADDRINUSE;
        }

        /** The failure of a call after the address was resolved. */
        public static Failure of(NativeException e) {
            Reason reason = switch (e.errno()) {
                case ECONNREFUSED -> Reason.REFUSED;
                case ECONNRESET -> Reason.REJECTED;
                case ETIMEDOUT -> Reason.TIMED_OUT;
                case ENETUNREACH, EHOSTUNREACH -> Reason.UNREACHABLE;
                case ENODEV -> Reason.NO_DEVICE;
                default -> Reason.NO_RESOURCES;
            };
            return new Failure(reason, String.valueOf(e.getMessage()));
        }

        /** The failure to listen. */
        public static Failure ofListening(NativeException e) {
            return switch (e.errno()) {
                case ENODEV -> new Failure(Reason.NO_DEVICE, "no RDMA device has that address");
                case EADDRINUSE, EADDRNOTAVAIL, EPERM, EACCES ->
                    new Failure(Reason.ADDRESS_UNAVAILABLE, String.valueOf(e.getMessage()));
                default -> new Failure(Reason.NO_RESOURCES, String.valueOf(e.getMessage()));
            };
        }

        /** The failure that an event reports instead of the expected event. */
        public static Failure of(Event event, boolean iwarp) {
            String detail = event.type() + ", status " + event.status();
            return switch (event.type()) {
                case ADDRESS_ERROR -> ofAddress(-event.status(), detail);
                case ROUTE_ERROR ->
                    event.status() == -ETIMEDOUT
                            ? new Failure(Reason.TIMED_OUT, "no route was found in time")
                            : new Failure(Reason.UNREACHABLE, "no route (" + detail + ")");
                case REJECTED -> ofRejection(event, iwarp);
                case UNREACHABLE ->
                    event.status() == -ETIMEDOUT
                            ? new Failure(Reason.TIMED_OUT, "the peer does not answer the connection request")
                            : new Failure(Reason.UNREACHABLE, "the peer cannot be reached (" + detail + ")");
                case DEVICE_REMOVAL -> new Failure(Reason.NO_DEVICE, "the device has been removed");
                case DISCONNECTED -> new Failure(Reason.DISCONNECTED, "the peer disconnected during set-up");
                default -> new Failure(Reason.UNREACHABLE, "no connection (" + detail + ")");
            };
        }

        private static Failure ofRejection(Event event, boolean iwarp) {
            boolean refused = iwarp ? event.status() == -ECONNREFUSED : event.status() == INVALID_SERVICE_ID;
            if (refused) {
                return new Failure(Reason.REFUSED, "nobody listens there");
            }
            if (!iwarp && event.status() == STALE_CONNECTION) {
                return new Failure(Reason.UNREACHABLE, "the peer still has an old connection of this queue pair");
            }
            boolean byConsumer = iwarp || event.status() == CONSUMER_REJECT;
            int length = iwarp ? event.privateData().length : lengthWithoutPadding(event.privateData());
            String said = length == 0
                    ? "no private data"
                    : "private data " + HexFormat.of().formatHex(event.privateData(), 0, length);
            return new Failure(
                    Reason.REJECTED,
                    byConsumer
                            ? "the peer rejected the connection, with " + said
                            : "the peer's connection manager rejected the connection, reason " + event.status());
        }

        /** The length without trailing zeros: InfiniBand pads private data to a fixed size and does not report its length. */
        private static int lengthWithoutPadding(byte[] privateData) {
            int length = privateData.length;
            while (length > 0 && privateData[length - 1] == 0) {
                length--;
            }
            return length;
        }
    }

    /** Handles the events of a connection identifier. Called on the loop. */
    public interface Handler {
        /** Ignores all events, for an identifier that is destroyed at once or gets another handler. */
        Handler NONE = new Handler() {
            @Override
            public void event(Event event) {}

            @Override
            public void shutDown() {}
        };

        /** Handles an event of the identifier. */
        void event(Event event);

        /** Called when the provider closes: ends at once and destroys the identifier. */
        void shutDown();
    }

    private static final System.Logger LOG = System.getLogger(ConnectionEvents.class.getName());
    private static final int[] EVENT = NativeLibrary.layout(NativeLibrary.EVENT);
    private static final int SIZE = EVENT[0];
    private static final int ID = EVENT[1];
    private static final int LISTENER = EVENT[2];
    private static final int TYPE = EVENT[3];
    private static final int STATUS = EVENT[4];
    private static final int RESPONDER_RESOURCES = EVENT[5];
    private static final int INITIATOR_DEPTH = EVENT[6];
    private static final int PRIVATE_DATA_LENGTH = EVENT[7];
    private static final int LONGEST_PRIVATE_DATA = 256;

    private final CompletionHandler io;
    private final long channel;
    private final Map<Long, ConnectionId> ids = new HashMap<>();
    /** The current event, written by C. */
    private final ByteBuffer buffer =
            ByteBuffer.allocateDirect(SIZE + LONGEST_PRIVATE_DATA).order(ByteOrder.nativeOrder());

    /**
     * Creates a channel for a handler whose loop does not run yet.
     *
     * @throws NativeException if the kernel has no RDMA support, or this process has no permission to use it
     */
    public ConnectionEvents(CompletionHandler io) throws NativeException {
        this.io = io;
        channel = Librdmacm.createEventChannel(io.poller());
        io.watch(channel, this::ready);
    }

    /** The loop that serves the channel. */
    public EventLoop loop() {
        return io.loop();
    }

    /** Creates an identifier. */
    public ConnectionId newId(Handler handler) throws NativeException {
        return add(Librdmacm.createId(channel), handler);
    }

    /** Adds the identifier of a connection request. */
    public ConnectionId add(long handle, Handler handler) {
        ConnectionId id = new ConnectionId(this, handle, handler);
        ids.put(handle, id);
        io.attached();
        return id;
    }

    void forget(long handle) {
        if (ids.remove(handle) != null) {
            io.detached();
        }
    }

    private void ready() {
        try {
            for (Event event = next(); event != null; event = next()) {
                dispatch(event);
            }
        } catch (NativeException e) {
            LOG.log(Level.ERROR, "connection events cannot be taken", e);
        }
    }

    /** The next event; null if there is none. */
    private @Nullable Event next() throws NativeException {
        if (!Librdmacm.nextEvent(channel, buffer)) {
            return null;
        }
        byte[] privateData = new byte[buffer.getInt(PRIVATE_DATA_LENGTH)];
        buffer.get(SIZE, privateData);
        return new Event(
                buffer.getLong(ID),
                buffer.getLong(LISTENER),
                Event.Type.of(buffer.getInt(TYPE)),
                buffer.getInt(STATUS),
                buffer.getInt(RESPONDER_RESOURCES),
                buffer.getInt(INITIATOR_DEPTH),
                privateData);
    }

    private void dispatch(Event event) {
        LOG.log(Level.DEBUG, "{0}", event);
        boolean request = event.type() == Event.Type.CONNECT_REQUEST;
        ConnectionId id = ids.get(request ? event.listener() : event.id());
        if (id != null) {
            id.dispatch(event);
        } else if (request) {
            // The listener is closed. Destroying the identifier rejects the request.
            add(event.id(), Handler.NONE).destroy();
        }
    }

    /** Shuts down the handlers of all identifiers. */
    public void shutDown() {
        for (ConnectionId id : List.copyOf(ids.values())) {
            id.handler().shutDown();
        }
    }

    /** Frees the channel. All identifiers must have been destroyed. */
    public void close() {
        try {
            Librdmacm.destroyEventChannel(channel);
            io.unwatch(channel);
        } catch (NativeException e) {
            LOG.log(Level.WARNING, "an event channel stays open", e);
        }
    }
}

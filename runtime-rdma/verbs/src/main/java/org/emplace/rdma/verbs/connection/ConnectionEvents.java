// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.connection;

import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.emplace.rdma.verbs.event.CompletionLoop;
import org.emplace.rdma.verbs.jni.Librdmacm;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.jni.NativeLayout;
import org.jspecify.annotations.Nullable;

/** The connection manager's event channel. Dispatches each event to the handler of its identifier. Used on the loop. */
public final class ConnectionEvents {
    /** Handles the events of a connection identifier. Called on the loop. */
    interface Handler {
        /** Ignores all events, for an identifier that is destroyed at once or gets another handler. */
        Handler NONE = new Handler() {
            @Override
            public void event(CmEvent event) {}

            @Override
            public void shutDown() {}
        };

        /** Handles an event of the identifier. */
        void event(CmEvent event);

        /** Called when the provider closes: ends at once and destroys the identifier. */
        void shutDown();
    }

    private static final System.Logger LOG = System.getLogger(ConnectionEvents.class.getName());
    private static final int[] EVENT = NativeLayout.of(NativeLayout.EVENT);
    private static final int SIZE = EVENT[0];
    private static final int ID = EVENT[1];
    private static final int LISTENER = EVENT[2];
    private static final int TYPE = EVENT[3];
    private static final int STATUS = EVENT[4];
    private static final int RESPONDER_RESOURCES = EVENT[5];
    private static final int INITIATOR_DEPTH = EVENT[6];
    private static final int PRIVATE_DATA_LENGTH = EVENT[7];
    private static final int LONGEST_PRIVATE_DATA = 256;

    private final CompletionLoop loop;
    private final long channel;
    private final Map<Long, ConnectionId> ids = new HashMap<>();
    /** The current event, written by C. */
    private final ByteBuffer buffer =
            ByteBuffer.allocateDirect(SIZE + LONGEST_PRIVATE_DATA).order(ByteOrder.nativeOrder());

    /**
     * Creates a channel for a loop that does not run yet.
     *
     * @throws NativeException if the kernel has no RDMA support, or this process has no permission to use it
     */
    public ConnectionEvents(CompletionLoop loop) throws NativeException {
        this.loop = loop;
        channel = Librdmacm.createEventChannel(loop.poller());
        loop.watch(channel, this::ready);
    }

    CompletionLoop loop() {
        return loop;
    }

    /** Creates an identifier. */
    ConnectionId newId(Handler handler) throws NativeException {
        return add(Librdmacm.createId(channel), handler);
    }

    /** Adds the identifier of a connection request. */
    ConnectionId add(long handle, Handler handler) {
        ConnectionId id = new ConnectionId(this, handle, handler);
        ids.put(handle, id);
        loop.attached();
        return id;
    }

    void forget(long handle) {
        if (ids.remove(handle) != null) {
            loop.detached();
        }
    }

    private void ready() {
        try {
            for (CmEvent event = next(); event != null; event = next()) {
                dispatch(event);
            }
        } catch (NativeException e) {
            LOG.log(Level.ERROR, "connection events cannot be taken", e);
        }
    }

    /** The next event; null if there is none. */
    private @Nullable CmEvent next() throws NativeException {
        if (!Librdmacm.nextEvent(channel, buffer)) {
            return null;
        }
        byte[] privateData = new byte[buffer.getInt(PRIVATE_DATA_LENGTH)];
        buffer.get(SIZE, privateData);
        return new CmEvent(
                buffer.getLong(ID),
                buffer.getLong(LISTENER),
                CmEvent.Type.of(buffer.getInt(TYPE)),
                buffer.getInt(STATUS),
                buffer.getInt(RESPONDER_RESOURCES),
                buffer.getInt(INITIATOR_DEPTH),
                privateData);
    }

    private void dispatch(CmEvent event) {
        LOG.log(Level.DEBUG, "{0}", event);
        boolean request = event.type() == CmEvent.Type.CONNECT_REQUEST;
        ConnectionId id = ids.get(request ? event.listener() : event.id());
        if (id != null) {
            id.handler().event(event);
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
            loop.unwatch(channel);
        } catch (NativeException e) {
            LOG.log(Level.WARNING, "an event channel stays open", e);
        }
    }
}

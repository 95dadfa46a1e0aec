// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.connection;

import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.emplace.rdma.verbs.event.CompletionLoop;
import org.emplace.rdma.verbs.jni.Librdmacm;
import org.emplace.rdma.verbs.jni.NativeException;

/** The connection manager's event channel of one loop: brings each event to the identifier that it is about. Used on the loop. */
public final class ConnectionEvents {
    private static final System.Logger LOG = System.getLogger(ConnectionEvents.class.getName());

    private final CompletionLoop loop;
    private final long channel;
    private final Map<Long, ConnectionId> ids = new HashMap<>();
    private final CmEventBuffer buffer = new CmEventBuffer();

    /**
     * A channel that is served by a loop that does not run yet.
     *
     * @throws NativeException if the kernel has no RDMA, or this process may not use it
     */
    public ConnectionEvents(CompletionLoop loop) throws NativeException {
        this.loop = loop;
        channel = Librdmacm.createEventChannel(loop.poller());
        loop.watch(channel, this::ready);
    }

    CompletionLoop loop() {
        return loop;
    }

    /** A new identifier. */
    ConnectionId newId(EventHandler handler) throws NativeException {
        return add(Librdmacm.createId(channel), handler);
    }

    /** The identifier of a connection request. */
    ConnectionId add(long handle, EventHandler handler) {
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
            for (CmEvent event = buffer.next(channel); event != null; event = buffer.next(channel)) {
                dispatch(event);
            }
        } catch (NativeException e) {
            LOG.log(Level.ERROR, "connection events cannot be taken", e);
        }
    }

    private void dispatch(CmEvent event) {
        LOG.log(Level.DEBUG, "{0}", event);
        boolean request = event.type() == CmEventType.CONNECT_REQUEST;
        ConnectionId id = ids.get(request ? event.listener() : event.id());
        if (id != null) {
            id.handler().event(event);
        } else if (request) {
            // Its listener has been closed meanwhile. Destroying the identifier rejects.
            add(event.id(), EventHandler.NONE).destroy();
        }
    }

    /** Has everything end that has an identifier. */
    public void shutDown() {
        for (ConnectionId id : List.copyOf(ids.values())) {
            id.handler().shutDown();
        }
    }

    /** Frees the channel; all identifiers have been destroyed. */
    public void close() {
        try {
            Librdmacm.destroyEventChannel(channel);
            loop.unwatch(channel);
        } catch (NativeException e) {
            LOG.log(Level.WARNING, "an event channel stays open", e);
        }
    }
}

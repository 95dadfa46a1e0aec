// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.connection;

import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import org.emplace.rdma.verbs.event.CompletionLoop;
import org.emplace.rdma.verbs.jni.Librdmacm;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.rdma.verbs.queuepair.ConnectionEnd;
import org.emplace.reactor.Timers;
import org.jspecify.annotations.Nullable;

/** A connection identifier, and who hears of its events. Used on the loop, addresses anywhere once they are known. */
final class ConnectionId implements ConnectionEnd {
    private static final System.Logger LOG = System.getLogger(ConnectionId.class.getName());
    /** How long the connection manager may take to say good-bye to the peer once nothing else is left. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    private final ConnectionEvents events;
    private final long handle;
    private EventHandler handler;
    private boolean connected;
    private boolean destroyed;
    private volatile @Nullable InetSocketAddress local;
    private volatile @Nullable InetSocketAddress remote;

    ConnectionId(ConnectionEvents events, long handle, EventHandler handler) {
        this.events = events;
        this.handle = handle;
        this.handler = handler;
    }

    @Override
    public long handle() {
        return handle;
    }

    EventHandler handler() {
        return handler;
    }

    ConnectionEvents events() {
        return events;
    }

    CompletionLoop loop() {
        return events.loop();
    }

    /** Hands the identifier over to another. */
    void handledBy(EventHandler next) {
        handler = next;
    }

    /** The connection stands: the peer has to be told of its end. The addresses are known and stay. */
    void established() {
        connected = true;
        local = address(false);
        remote = address(true);
    }

    /** The peer knows of the end, or there is no connection manager any more that could tell it. */
    void ended() {
        connected = false;
    }

    @Override
    public InetSocketAddress localAddress() {
        InetSocketAddress known = local;
        return known != null ? known : address(false);
    }

    @Override
    public InetSocketAddress remoteAddress() {
        InetSocketAddress known = remote;
        return known != null ? known : address(true);
    }

    private InetSocketAddress address(boolean peer) {
        byte[] bytes = new byte[16];
        try {
            int packed = Librdmacm.address(handle, peer, bytes);
            int length = (packed >>> 16) & 0xff;
            int port = packed & 0xffff;
            return length == 0
                    ? new InetSocketAddress(port)
                    : new InetSocketAddress(InetAddress.getByAddress(Arrays.copyOf(bytes, length)), port);
        } catch (NativeException | UnknownHostException e) {
            LOG.log(Level.DEBUG, "an identifier without an address", e);
            return new InetSocketAddress(0);
        }
    }

    /** Where the peer has disconnected first this answers it. */
    @Override
    public void disconnect() {
        try {
            Librdmacm.disconnect(handle);
        } catch (NativeException e) {
            LOG.log(Level.DEBUG, "nobody to tell of a connection's end", e);
            connected = false;
        }
    }

    @Override
    public void release() {
        if (!connected) {
            destroy();
            return;
        }
        Timers.Timer timer = loop().schedule(LINGER, this::destroy);
        handler = new EventHandler() {
            @Override
            public void event(CmEvent event) {
                timer.cancel();
                destroy();
            }

            @Override
            public void shutDown() {
                timer.cancel();
                destroy();
            }
        };
    }

    /** Destroys the identifier, of which there must be no queue pair any more. Idempotent. */
    void destroy() {
        if (destroyed) {
            return;
        }
        destroyed = true;
        events.forget(handle);
        try {
            Librdmacm.destroyId(handle);
        } catch (NativeException e) {
            LOG.log(Level.WARNING, "a connection identifier stays", e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.connection;

import java.lang.System.Logger.Level;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaException.Reason;
import org.emplace.rdma.verbs.jni.Librdmacm;
import org.emplace.rdma.verbs.jni.NativeException;
import org.emplace.reactor.EventLoop;
import org.emplace.reactor.Timers;
import org.jspecify.annotations.Nullable;

/** A connection identifier with the handler of its events. Used on the loop; the addresses can be read on any thread once they are known. */
public final class ConnectionId {
    private static final System.Logger LOG = System.getLogger(ConnectionId.class.getName());
    /** How long to wait for the disconnection from the peer after the queue pair has been destroyed. */
    private static final Duration LINGER = Duration.ofSeconds(2);

    private final ConnectionEvents events;
    private final long handle;
    private ConnectionEvents.Handler handler;
    private boolean connected;
    private boolean destroyed;
    private volatile @Nullable InetSocketAddress local;
    private volatile @Nullable InetSocketAddress remote;

    ConnectionId(ConnectionEvents events, long handle, ConnectionEvents.Handler handler) {
        this.events = events;
        this.handle = handle;
        this.handler = handler;
    }

    /** The native handle. */
    public long handle() {
        return handle;
    }

    ConnectionEvents.Handler handler() {
        return handler;
    }

    /** The channel of its events. */
    public ConnectionEvents events() {
        return events;
    }

    /** The loop that serves its events. */
    public EventLoop loop() {
        return events.loop();
    }

    /** Replaces the handler of the identifier's events. */
    public void handledBy(ConnectionEvents.Handler next) {
        handler = next;
    }

    /** Binds the local address; port 0 selects a free port. @throws RdmaException if the host name is unresolved */
    public void bind(InetSocketAddress address) throws NativeException, RdmaException {
        InetAddress ip = resolved(address);
        Librdmacm.bind(handle, ip.getAddress(), scope(ip), address.getPort());
    }

    /** Starts to resolve an address to the device that routes to it. @throws RdmaException if the host name is unresolved */
    public void resolve(InetSocketAddress address, int timeoutMillis) throws NativeException, RdmaException {
        InetAddress ip = resolved(address);
        Librdmacm.resolveAddress(handle, ip.getAddress(), scope(ip), address.getPort(), timeoutMillis);
    }

    private static InetAddress resolved(InetSocketAddress address) throws RdmaException {
        InetAddress ip = address.getAddress();
        if (ip == null) {
            throw new RdmaException(
                    Reason.UNREACHABLE, "the host name " + address.getHostString() + " is not resolved");
        }
        return ip;
    }

    /** The scope of a link-local IPv6 address; 0 for others. */
    private static int scope(InetAddress ip) {
        return ip instanceof Inet6Address six ? six.getScopeId() : 0;
    }

    /** Passes later events to an established connection. The peer must be told of its end. The addresses are known and do not change. */
    public void established(ConnectionEvents.Handler connection) {
        connected = true;
        local = address(false);
        remote = address(true);
        handler = connection;
    }

    /** Passes an event to the handler. After three of the event types, there is no peer to disconnect from. */
    void dispatch(ConnectionEvents.Event event) {
        switch (event.type()) {
            case DISCONNECTED, TIMEWAIT_EXIT, DEVICE_REMOVAL -> connected = false;
            default -> {}
        }
        handler.event(event);
    }

    /** This side's address. */
    public InetSocketAddress localAddress() {
        InetSocketAddress known = local;
        return known != null ? known : address(false);
    }

    /** The peer's address. */
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
            LOG.log(Level.DEBUG, "the connection manager knows no address of an identifier", e);
            return new InetSocketAddress(0);
        }
    }

    /** Stops the queue pair, which flushes its work, and disconnects; if the peer has disconnected first, this is the answer. */
    public void disconnect() {
        try {
            Librdmacm.disconnect(handle);
        } catch (NativeException e) {
            LOG.log(Level.DEBUG, "the peer cannot be told of the connection's end", e);
            connected = false;
        }
    }

    /** Destroys the identifier, whose queue pair has been destroyed, once the disconnection that it was told of is over. */
    public void linger() {
        if (!connected) {
            destroy();
            return;
        }
        Timers.Timer timer = loop().schedule(LINGER, this::destroy);
        handler = new ConnectionEvents.Handler() {
            @Override
            public void event(ConnectionEvents.Event event) {
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

    /** Destroys the identifier. Its queue pair must have been destroyed. Idempotent. */
    public void destroy() {
        if (destroyed) {
            return;
        }
        destroyed = true;
        events.forget(handle);
        try {
            Librdmacm.destroyId(handle);
        } catch (NativeException e) {
            LOG.log(Level.WARNING, "a connection identifier cannot be destroyed", e);
        }
    }
}

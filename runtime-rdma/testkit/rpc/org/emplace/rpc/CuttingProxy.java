// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A proxy between clients and a server on this machine, which cuts TCP connections as a test requires. A cut resets
 * both sockets, so that bytes that have arrived may be lost.
 */
public final class CuttingProxy implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<Passage> passages = ConcurrentHashMap.newKeySet();
    private final AtomicInteger cuts = new AtomicInteger();
    private volatile int server;
    private volatile Random random = new Random(0);
    private volatile long mostBytes = Long.MAX_VALUE;
    private volatile boolean silentFromNowOn;
    private volatile boolean one;

    /** @param server port of the server */
    public CuttingProxy(int server) throws IOException {
        this.server = server;
        threads.execute(this::accept);
    }

    /** The address for clients. */
    public URI address(String scheme) {
        return URI.create(scheme + "://127.0.0.1:" + listener.getLocalPort());
    }

    /** Forwards later connections to another port. */
    public void leadTo(int port) {
        server = port;
    }

    /** Cuts each later connection after a random number of bytes, counted in both directions together. */
    public void cutWithin(long bytes, long seed) {
        random = new Random(seed);
        mostBytes = bytes;
    }

    /** Cuts the existing connections before each later one: a client that has one at a time has given them up. */
    public void allowOne() {
        one = true;
    }

    /** Whether a connection from this port to the server has not been cut. */
    public boolean connects(int port) {
        return passages.stream().anyMatch(passage -> passage.upstream.getLocalPort() == port);
    }

    /** Cuts the existing connections. */
    public void cut() {
        passages.forEach(Passage::cut);
    }

    /**
     * Forwards nothing more over the existing connections, but keeps them open: as if the peer's machine had vanished.
     */
    public void silence() {
        passages.forEach(passage -> passage.silent = true);
    }

    /** Sets whether later connections forward nothing, either. */
    public void silenceFurther(boolean silent) {
        silentFromNowOn = silent;
    }

    /** The number of connections that were cut. */
    public int cuts() {
        return cuts.get();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                if (one) {
                    cut();
                }
                Socket upstream = new Socket();
                Passage passage = new Passage(client, upstream, nextLimit());
                passages.add(passage);
                threads.execute(passage::run);
            } catch (IOException over) {
                // the test ends
            }
        }
    }

    private long nextLimit() {
        return mostBytes == Long.MAX_VALUE ? mostBytes : 1 + (long) (random.nextDouble() * mostBytes);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        cut();
        threads.shutdownNow();
    }

    private final class Passage {
        private final Socket client;
        private final Socket upstream;
        private final AtomicLong left;
        private volatile boolean silent = silentFromNowOn;

        Passage(Socket client, Socket upstream, long limit) {
            this.client = client;
            this.upstream = upstream;
            this.left = new AtomicLong(limit);
        }

        void run() {
            try {
                upstream.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server));
                client.setTcpNoDelay(true);
                upstream.setTcpNoDelay(true);
            } catch (IOException refused) {
                cut();
                return;
            }
            threads.execute(() -> pass(upstream, client));
            pass(client, upstream);
        }

        private void pass(Socket from, Socket to) {
            byte[] buffer = new byte[16384];
            try {
                for (int length = from.getInputStream().read(buffer);
                        length >= 0;
                        length = from.getInputStream().read(buffer)) {
                    long before = left.getAndAdd(-length);
                    if (!silent) {
                        to.getOutputStream().write(buffer, 0, (int) Math.max(0, Math.min(length, before)));
                    }
                    if (before <= length) {
                        cuts.incrementAndGet();
                        break;
                    }
                }
            } catch (IOException over) {
                // one end is closed, so close the other
            }
            cut();
        }

        void cut() {
            passages.remove(this);
            reset(client);
            reset(upstream);
        }

        private void reset(Socket socket) {
            try {
                socket.setSoLinger(true, 0);
                socket.close();
            } catch (IOException gone) {
                // already closed
            }
        }
    }
}

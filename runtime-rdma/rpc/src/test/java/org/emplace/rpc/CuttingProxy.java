// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands between clients and a server of this machine: passes on the bytes of TCP connections, and cuts these as a test wants it. A cut resets both
 * sockets, so that bytes which have arrived may be lost with it.
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

    /** @param server its port */
    public CuttingProxy(int server) throws IOException {
        this.server = server;
        threads.execute(this::accept);
    }

    /** Where clients connect. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Further connections lead to another port. */
    public void leadTo(int port) {
        server = port;
    }

    /** Further connections are each cut after a random number of bytes, of both directions together. */
    public void cutWithin(long bytes, long seed) {
        random = new Random(seed);
        mostBytes = bytes;
    }

    /** Cuts the connections that there are. */
    public void cut() {
        passages.forEach(Passage::cut);
    }

    /** Passes on nothing more over the connections that there are, which stand: as if the peer's machine had vanished. */
    public void silence() {
        passages.forEach(passage -> passage.silent = true);
    }

    /** Whether nothing is passed on over further connections either. */
    public void silenceFurther(boolean silent) {
        silentFromNowOn = silent;
    }

    /** How many connections were cut. */
    public int cuts() {
        return cuts.get();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
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
                // one end is gone: so is the other
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
                // it was closed before
            }
        }
    }
}

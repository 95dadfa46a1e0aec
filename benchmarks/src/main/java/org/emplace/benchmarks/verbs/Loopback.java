// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.verbs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.emplace.rdma.verbs.jni.Libibverbs;
import org.emplace.rdma.verbs.jni.Librdmacm;
import org.emplace.rdma.verbs.jni.NativeLibrary;
import org.emplace.rdma.verbs.jni.Poller;

/** Two queue pairs of this process, connected over one device. They are freed only when the process ends. */
final class Loopback {
    private static final int ADDR_RESOLVED = 0;
    private static final int ROUTE_RESOLVED = 2;
    private static final int CONNECT_REQUEST = 4;
    private static final int ESTABLISHED = 9;
    private static final int SECONDS = 20;
    private static final int[] EVENT = NativeLibrary.layout(NativeLibrary.EVENT);
    private static final int COMPLETION_SIZE = NativeLibrary.layout(NativeLibrary.COMPLETION)[0];

    private final long poller = Poller.create();
    private final long events = Librdmacm.createEventChannel(poller);
    private final ByteBuffer event = direct(EVENT[0] + 256);
    private final int batch;
    private final End client;
    private final End server;

    /**
     * Connects to an address of a local device.
     *
     * @param port to listen on
     * @param batch the most completions of one poll
     */
    Loopback(byte[] address, int port, int batch) throws IOException {
        this.batch = batch;
        long listener = Librdmacm.createId(events);
        Librdmacm.bind(listener, address, 0, port);
        Librdmacm.listen(listener, 1);
        long id = Librdmacm.createId(events);
        Librdmacm.resolveAddress(id, address, 0, port, 2000);
        next(ADDR_RESOLVED);
        Librdmacm.resolveRoute(id, 2000);
        next(ROUTE_RESOLVED);
        client = new End(id);
        Librdmacm.connect(id, new byte[0], 1, 1, 7, 7);
        server = new End(next(CONNECT_REQUEST));
        Librdmacm.accept(server.id, new byte[0], 1, 1, 7);
        next(ESTABLISHED);
        next(ESTABLISHED);
    }

    /** A queue pair with its memory. */
    private final class End {
        final long id;
        final long completions;
        final long queuePair;
        final ByteBuffer memory = direct(4096);
        final ByteBuffer polled = direct(batch * COMPLETION_SIZE);
        final int[] keys = new int[2];

        End(long id) throws IOException {
            this.id = id;
            long device = Librdmacm.device(id, poller);
            long domain = Libibverbs.allocateDomain(device);
            long channel = Libibverbs.createCompletionChannel(device, poller);
            completions = Libibverbs.createCompletionQueue(device, channel, 4 * WorkRequests.REQUESTS, polled);
            int[] capacities = {2 * WorkRequests.REQUESTS, 1, 1, 1, WorkRequests.LENGTH};
            queuePair = Libibverbs.createQueuePair(id, domain, completions, completions, 0, capacities);
            int access = Libibverbs.LOCAL_WRITE | Libibverbs.REMOTE_WRITE;
            Libibverbs.register(domain, memory, 0, memory.capacity(), access, keys);
        }
    }

    private static ByteBuffer direct(int size) {
        return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
    }

    private long next(int type) throws IOException {
        long end = System.nanoTime() + SECONDS * 1_000_000_000L;
        while (!Librdmacm.nextEvent(events, event)) {
            if (System.nanoTime() > end) {
                throw new IOException("no connection event " + type + " within " + SECONDS + " s");
            }
            Poller.await(poller, 1000, new long[4]);
        }
        int found = event.getInt(EVENT[3]);
        if (found != type) {
            throw new IOException("connection event " + found + " with status " + event.getInt(EVENT[4]));
        }
        return event.getLong(EVENT[1]);
    }

    long queuePair() {
        return client.queuePair;
    }

    long completionQueue() {
        return client.completions;
    }

    /** The buffer with the completions of the last poll of {@link #completionQueue}. */
    ByteBuffer completions() {
        return client.polled;
    }

    long sourceAddress() {
        return Libibverbs.address(client.memory);
    }

    int sourceKey() {
        return client.keys[0];
    }

    long sinkAddress() {
        return Libibverbs.address(server.memory);
    }

    int sinkKey() {
        return server.keys[1];
    }
}

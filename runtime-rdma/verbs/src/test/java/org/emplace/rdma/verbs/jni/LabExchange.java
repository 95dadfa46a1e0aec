// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.verbs.jni;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A program for the lab: for each address given, connects two identifiers over its device and sends one message, with native methods only. Prints a
 * line for each device.
 */
final class LabExchange {
    private static final int CONNECT_REQUEST = 4;
    private static final int ADDR_RESOLVED = 0;
    private static final int ROUTE_RESOLVED = 2;
    private static final int ESTABLISHED = 9;
    private static final int DISCONNECTED = 10;
    private static final int PORT = 20100;

    private final long poller = Poller.create();
    private final long events = Librdmacm.createEventChannel(poller);
    private final int[] eventLayout = NativeLibrary.layout(NativeLibrary.EVENT);
    private final ByteBuffer event = direct(eventLayout[0] + 256);

    private final Set<Long> channels = new HashSet<>();

    private LabExchange() throws IOException {}

    public static void main(String[] addresses) throws Exception {
        Optional<String> problem = NativeLibrary.unavailable();
        if (problem.isPresent()) {
            throw new IllegalStateException(problem.get());
        }
        for (String name : Libibverbs.deviceNames()) {
            check(
                    Libibverbs.queryByName(name).length == Libibverbs.Attribute.values().length,
                    name + " tells its attributes");
        }
        LabExchange exchange = new LabExchange();
        for (String address : addresses) {
            exchange.over(InetAddress.getByName(address).getAddress());
        }
        Librdmacm.destroyEventChannel(exchange.events);
        Poller.destroy(exchange.poller);
    }

    private static ByteBuffer direct(int size) {
        return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
    }

    /** One end's native objects, created in the order of the fields and destroyed in reverse order. */
    private final class End {
        final long id;
        final long device;
        final long domain;
        final long channel;
        final ByteBuffer completion = direct(NativeLibrary.layout(NativeLibrary.COMPLETION)[0]);
        final long completions;
        final long queuePair;
        final ByteBuffer memory = direct(64);
        final int[] keys = new int[2];
        final long region;

        End(long id) throws IOException {
            this.id = id;
            device = Librdmacm.device(id, poller);
            domain = Libibverbs.allocateDomain(device);
            channel = Libibverbs.createCompletionChannel(device, poller);
            channels.add(channel);
            completions = Libibverbs.createCompletionQueue(device, channel, 16, completion);
            int[] capacities = {8, 8, 1, 1, 32};
            queuePair = Libibverbs.createQueuePair(id, domain, completions, completions, 0, capacities);
            region = Libibverbs.register(domain, memory, 0, memory.capacity(), Libibverbs.LOCAL_WRITE, keys);
            Libibverbs.requestNotification(completions);
        }

        void receive() throws IOException {
            int[] request = NativeLibrary.layout(NativeLibrary.RECEIVE_REQUEST);
            ByteBuffer requests = direct(request[0] + 16);
            requests.putLong(request[1], 7).putInt(request[2], 1);
            element(requests, request[0], memory.capacity());
            check(Libibverbs.postReceive(queuePair, requests, 1) == 1, "the Receive is taken");
        }

        void send(String text) throws IOException {
            memory.put(0, text.getBytes(StandardCharsets.US_ASCII));
            int[] request = NativeLibrary.layout(NativeLibrary.SEND_REQUEST);
            ByteBuffer requests = direct(request[0] + 16);
            requests.putLong(request[1], 8).putInt(request[5], Libibverbs.SEND).putInt(request[6], Libibverbs.SIGNALED);
            requests.putInt(request[8], 1);
            element(requests, request[0], text.length());
            check(Libibverbs.postSend(queuePair, requests, 1) == 1, "the Send is taken");
        }

        private void element(ByteBuffer requests, int at, int length) {
            int[] layout = NativeLibrary.layout(NativeLibrary.SCATTER_GATHER);
            requests.putLong(at + layout[1], Libibverbs.address(memory));
            requests.putInt(at + layout[2], length).putInt(at + layout[3], keys[0]);
        }

        /** Waits for one completion; returns its length. */
        int completion() throws IOException {
            int[] layout = NativeLibrary.layout(NativeLibrary.COMPLETION);
            while (Libibverbs.poll(completions) == 0) {
                Libibverbs.requestNotification(completions);
                await("a completion");
            }
            check(completion.getInt(layout[2]) == 0, "status " + completion.getInt(layout[2]));
            return completion.getInt(layout[4]);
        }

        void destroy() throws IOException {
            Libibverbs.destroyQueuePair(queuePair);
            Libibverbs.deregister(region);
            Libibverbs.destroyCompletionQueue(completions);
            Libibverbs.destroyCompletionChannel(channel);
            Libibverbs.deallocateDomain(domain);
            Librdmacm.destroyId(id);
        }
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException("not so: " + what);
        }
    }

    /** Waits until a channel is ready. Takes its events, except connection events. */
    private void await(String what) throws IOException {
        long[] ready = new long[4];
        int count = Poller.await(poller, 10_000, ready);
        check(count > 0, what + " comes");
        for (int i = 0; i < count; i++) {
            if (channels.contains(ready[i])) {
                Libibverbs.nextCompletionEvents(ready[i], new long[4]);
            } else if (ready[i] != events) {
                Libibverbs.nextAsynchronousEvent(ready[i], new long[1]);
            }
        }
    }

    private long next(int type) throws IOException {
        while (!Librdmacm.nextEvent(events, event)) {
            await("event " + type);
        }
        int found = event.getInt(eventLayout[3]);
        check(found == type, "event " + type + ", but " + found + " status " + event.getInt(eventLayout[4]));
        return event.getLong(eventLayout[1]);
    }

    private void over(byte[] address) throws IOException {
        long listener = Librdmacm.createId(events);
        Librdmacm.bind(listener, address, 0, PORT);
        Librdmacm.listen(listener, 4);
        long id = Librdmacm.createId(events);
        Librdmacm.resolveAddress(id, address, 0, PORT, 2000);
        next(ADDR_RESOLVED);
        Librdmacm.resolveRoute(id, 2000);
        next(ROUTE_RESOLVED);
        End client = new End(id);
        Librdmacm.connect(id, new byte[] {1, 2, 3}, 4, 4, 7, 7);
        End server = new End(next(CONNECT_REQUEST));
        check(event.getLong(eventLayout[2]) == listener, "the request names its listener");
        check(event.getInt(eventLayout[7]) >= 3 && event.get(eventLayout[0] + 2) == 3, "private data arrive");
        server.receive();
        Librdmacm.accept(server.id, new byte[0], 4, 4, 7);
        next(ESTABLISHED);
        next(ESTABLISHED);
        client.send("hello");
        check(client.completion() >= 0, "the Send completes");
        check(server.completion() == 5 && server.memory.get(4) == 'o', "the message arrives");
        String name = Libibverbs.deviceName(client.device);
        check(client.device == server.device, "one handle for one device");
        Librdmacm.disconnect(id);
        next(DISCONNECTED);
        try {
            // On RoCE this answers the client; on iWARP the server may be disconnected already.
            Librdmacm.disconnect(server.id);
        } catch (NativeException e) {
            check(String.valueOf(e.getMessage()).startsWith("rdma_disconnect:"), e.toString());
        }
        next(DISCONNECTED);
        client.destroy();
        server.destroy();
        Librdmacm.destroyId(listener);
        Libibverbs.closeDevice(client.device, false);
        System.out.println("ok - " + name + ": Java sends a message by the native methods");
    }
}

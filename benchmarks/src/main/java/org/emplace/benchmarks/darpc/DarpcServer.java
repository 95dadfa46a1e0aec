// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.darpc;

import com.ibm.darpc.DaRPCServerEndpoint;
import com.ibm.darpc.DaRPCServerEvent;
import com.ibm.darpc.DaRPCServerGroup;
import com.ibm.darpc.DaRPCService;
import com.ibm.disni.RdmaServerEndpoint;
import java.io.IOException;
import java.net.InetSocketAddress;

/** DaRPC's server. Answers each call on the thread that received it, until the process ends. */
public final class DarpcServer {
    /** Calls that may be in flight on a connection. */
    static final int QUEUE = 64;
    /** The inline data in bytes: a message with DaRPC's header. */
    static final int INLINE = EmptyMessage.SIZE + Integer.BYTES;

    private static final int BACKLOG = 100;
    private static final int CONNECTIONS = 4;
    /** One thread, on any of the first two processors. */
    private static final long[] AFFINITIES = {3};

    private DarpcServer() {}

    private static final class Answering extends EmptyMessage.Protocol
            implements DaRPCService<EmptyMessage, EmptyMessage> {
        @Override
        public void processServerEvent(DaRPCServerEvent<EmptyMessage, EmptyMessage> event) throws IOException {
            event.triggerResponse();
        }

        @Override
        public void open(DaRPCServerEndpoint<EmptyMessage, EmptyMessage> endpoint) {
            // Nothing to prepare.
        }

        @Override
        public void close(DaRPCServerEndpoint<EmptyMessage, EmptyMessage> endpoint) {
            // Nothing is kept.
        }
    }

    /** Listens. The server sleeps until there is an event, because polling would take a processor from the other processes. */
    public static void start(InetSocketAddress local) throws Exception {
        DaRPCServerGroup<EmptyMessage, EmptyMessage> group = DaRPCServerGroup.createServerGroup(
                new Answering(), AFFINITIES, -1, INLINE, false, QUEUE, QUEUE, QUEUE, CONNECTIONS);
        RdmaServerEndpoint<DaRPCServerEndpoint<EmptyMessage, EmptyMessage>> listening = group.createServerEndpoint();
        listening.bind(local, BACKLOG);
        Thread accepting = new Thread(
                () -> {
                    try {
                        while (true) {
                            listening.accept();
                        }
                    } catch (IOException e) {
                        System.err.println("darpc-accept: " + e);
                    }
                },
                "darpc-accept");
        accepting.setDaemon(true);
        accepting.start();
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.util.concurrent.Executor;
import org.emplace.reactor.LogSampler;
import org.emplace.reactor.Timekeeper;
import org.emplace.reactor.Workers;

/**
 * What the transports and clients of one runtime share. A simulation has threads and a clock of its own.
 *
 * @param workers runs code that may call the application, so that it does not run on the threads that serve connections
 * @param connecting runs attempts to reconnect, each of which may block for as long as the connect timeout
 * @param time clock and timers
 * @param lost counts connections that end by an error, usually of the peer
 * @param unsendable counts replies that cannot be sent
 * @param settings what the transports may use
 */
public record RuntimeResources(
        Workers workers,
        Executor connecting,
        Timekeeper time,
        LogSampler lost,
        LogSampler unsendable,
        Settings settings) {

    /** Returns resources whose daemon threads start when they are needed, and end when they have been idle for a second. */
    public static RuntimeResources of(Settings settings) {
        return of(
                Workers.daemons("emplace-callback"),
                Workers.daemons("emplace-connect"),
                Timekeeper.system("emplace-timer"),
                settings);
    }

    /** Returns resources with the given threads and clock. */
    public static RuntimeResources of(Workers workers, Executor connecting, Timekeeper time, Settings settings) {
        return new RuntimeResources(workers, connecting, time, new LogSampler(), new LogSampler(), settings);
    }

    /** The same threads and timers with counts that start at none: a transport has its own. */
    public RuntimeResources withOwnCounts() {
        return of(workers, connecting, time, settings);
    }

    /**
     * How much of the machine the transports may use. Positive numbers.
     *
     * @param eventLoops the threads of each transport that serve its sockets
     * @param tcpMessageMemory the most bytes in the heap that the calls of peers may hold over TCP at a time, divided among
     *     connections and addresses; likewise the most bytes in and outside the heap that replies may hold
     * @param registeredMemory the most bytes that each RDMA provider may register for its own buffers
     * @param rdmaProvider the name of the only RDMA provider to use; empty if the system property or the runtime chooses
     */
    public record Settings(int eventLoops, long tcpMessageMemory, long registeredMemory, String rdmaProvider) {
        /** A loop for each processor, a quarter of the maximum heap for messages over TCP, half of it for RDMA. */
        public static final Settings DEFAULT = new Settings(
                Runtime.getRuntime().availableProcessors(),
                Runtime.getRuntime().maxMemory() / 4,
                Runtime.getRuntime().maxMemory() / 2,
                "");

        /** @throws IllegalArgumentException if a number is not positive */
        public Settings {
            if (eventLoops <= 0 || tcpMessageMemory <= 0 || registeredMemory <= 0) {
                throw new IllegalArgumentException("a runtime needs event loops (" + eventLoops
                        + "), bytes for messages over TCP (" + tcpMessageMemory + ") and registered bytes ("
                        + registeredMemory + ")");
            }
        }

        /** These settings with another {@link #eventLoops}. */
        public Settings withEventLoops(int loops) {
            return new Settings(loops, tcpMessageMemory, registeredMemory, rdmaProvider);
        }

        /** These settings with another {@link #tcpMessageMemory}. */
        public Settings withTcpMessageMemory(long bytes) {
            return new Settings(eventLoops, bytes, registeredMemory, rdmaProvider);
        }

        /** These settings with another {@link #registeredMemory}. */
        public Settings withRegisteredMemory(long bytes) {
            return new Settings(eventLoops, tcpMessageMemory, bytes, rdmaProvider);
        }

        /** These settings with another {@link #rdmaProvider}. */
        public Settings withRdmaProvider(String name) {
            return new Settings(eventLoops, tcpMessageMemory, registeredMemory, name);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpc.transport;

import java.util.concurrent.Executor;
import org.emplace.reactor.LogSampler;
import org.emplace.reactor.Timekeeper;
import org.emplace.reactor.Workers;

/**
 * What the transports and clients of one runtime share. A simulation has threads and a clock of its own.
 *
 * @param callbacks runs code that may call the application, so that it does not run on the threads that serve connections
 * @param connecting runs attempts to reconnect, each of which may block for as long as the connect timeout
 * @param time clock and timers
 * @param lost counts connections that end by an error, usually of the peer
 * @param unsendable counts replies that cannot be sent
 * @param sizes what the transports may use
 */
public record RuntimeResources(
        Workers callbacks,
        Executor connecting,
        Timekeeper time,
        LogSampler lost,
        LogSampler unsendable,
        Sizes sizes) {

    /** Returns resources whose daemon threads start when they are needed, and end when they have been idle for a second. */
    public static RuntimeResources of(Sizes sizes) {
        return of(
                Workers.daemons("emplace-callback"),
                Workers.daemons("emplace-connect"),
                Timekeeper.system("emplace-timer"),
                sizes);
    }

    /** Returns resources with the given threads and clock. */
    public static RuntimeResources of(Workers callbacks, Executor connecting, Timekeeper time, Sizes sizes) {
        return new RuntimeResources(callbacks, connecting, time, new LogSampler(), new LogSampler(), sizes);
    }

    /**
     * How much of the machine the transports may use.
     *
     * @param eventLoops the threads of each transport that serve its sockets
     * @param messageMemory the most bytes in the heap that the calls of peers may hold over TCP at a time, divided among
     *     connections and addresses; likewise the most bytes in and outside the heap that replies may hold
     * @param registeredMemory the most bytes that each RDMA provider may register for messages
     * @param provider the name of the only RDMA provider to use; empty if the system property or the runtime chooses
     */
    public record Sizes(int eventLoops, long messageMemory, long registeredMemory, String provider) {

        /** A loop for each processor, a quarter of the maximum heap for messages, half as much as the heap for RDMA. */
        public static Sizes ofMachine() {
            Runtime machine = Runtime.getRuntime();
            return new Sizes(machine.availableProcessors(), machine.maxMemory() / 4, machine.maxMemory() / 2, "");
        }

        /** These sizes with another limit of messages over TCP. */
        public Sizes withMessageMemory(long bytes) {
            return new Sizes(eventLoops, bytes, registeredMemory, provider);
        }
    }
}

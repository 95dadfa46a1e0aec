// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.emplace.samples.nfs.server.NfsServer.Capacity;

/**
 * How a server divides the file descriptors that its process may open among all that clients can make it open. So whatever they do, opening a file for
 * one of them does not fail because of the others.
 *
 * @param connections the most connections
 * @param eachStore the most files and directories that each store keeps open between calls
 */
public record DescriptorBudget(int connections, int eachStore) {
    /** The descriptors of the JVM and its libraries, of listeners and of the status page. */
    private static final int OWN = 256;

    /** The most that one call has open at a time, beyond what is kept. */
    private static final int OF_A_CALL = 8;

    /** Beside a connection, another one may be in the handshake, or lingering after its end. */
    private static final int OF_A_CONNECTION = 2;

    /** A store cannot use more. */
    private static final int MOST_FOR_A_STORE = 1536;

    private static final int LEAST_FOR_A_STORE = 18;
    private static final int LEAST_CONNECTIONS = 8;

    /**
     * Divides the descriptors of this process.
     *
     * @param wanted what the server does at a time; the budget may have fewer connections
     * @param stores the number of exports
     * @throws IOException with a message of one line that says what to do, if there are too few descriptors
     */
    public static DescriptorBudget of(Capacity wanted, int stores) throws IOException {
        return of(limit(), wanted, stores);
    }

    /** The most descriptors of this process. */
    static long limit() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? system.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
    }

    static DescriptorBudget of(long limit, Capacity wanted, int stores) throws IOException {
        long fixed = OWN + (long) OF_A_CALL * wanted.threads();
        long forClients = limit - fixed;
        long forFiles = Math.max(forClients / 2, forClients - (long) OF_A_CONNECTION * wanted.connections());
        long eachStore = Math.min(MOST_FOR_A_STORE, forFiles / Math.max(1, stores));
        long connections = Math.min(wanted.connections(), (forClients - eachStore * stores) / OF_A_CONNECTION);
        if (eachStore < LEAST_FOR_A_STORE || connections < Math.min(LEAST_CONNECTIONS, wanted.connections())) {
            long needed = fixed + 2L * Math.max(LEAST_FOR_A_STORE * (long) stores, LEAST_CONNECTIONS * OF_A_CONNECTION);
            throw new IOException("cannot serve " + stores + " exports with " + limit
                    + " file descriptors; raise the limit to at least " + needed
                    + ", with ulimit -n or systemd's LimitNOFILE");
        }
        return new DescriptorBudget((int) connections, (int) eachStore);
    }
}

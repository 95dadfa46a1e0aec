// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.emplace.rdma.QueuePair.Handler;
import org.emplace.rdma.RdmaListener.ConnectionAcceptor;
import org.emplace.rdma.Receives.SharedReceiveQueue;
import org.emplace.rdma.WorkRequest.Completion.Operation;

/**
 * An implementation of RDMA: the devices of one kind, or software in their place. Memory is registered with the
 * provider, so the registration outlives connections. Each connection grants its peer access to memory by {@link
 * QueuePair#expose}.
 *
 * <p>Safe for use by several threads. The provider calls handlers and completes stages on its own threads, which must
 * not be blocked.
 */
public interface RdmaProvider extends AutoCloseable {

    /** A short name for logs and options: {@code iwarp}, {@code verbs}. */
    String name();

    /** What the provider has done since it was opened. Can also be read after {@link #close}. */
    Statistics statistics();

    /**
     * Registers memory for use by this provider's queue pairs. Grants no peer access.
     *
     * @param direct a direct buffer whose bytes from position to limit are registered; kept reachable while the region
     *     is open. Devices cannot register an empty buffer. A region of a read-only buffer can only be read: using it
     *     as a sink throws {@link IllegalArgumentException}
     * @throws IllegalArgumentException if the buffer is not direct
     * @throws RdmaException if the system does not pin the memory
     */
    MemoryRegion register(ByteBuffer direct) throws RdmaException;

    /**
     * Opens a connection as the initiator. The provider posts the Receives of {@link ConnectionParameters#receives}
     * before the connection is established, so that the peer's first Send finds one.
     *
     * @param handler gets the events of the connection
     * @return completes with an established queue pair, or exceptionally with an {@link RdmaException}. Reason
     *     NO_DEVICE means that no device of this provider has a route to the address: nothing has been sent, and the
     *     handler is not called. Otherwise the peer was unreachable, refused or rejected the connection, or did not
     *     answer within {@link ConnectionParameters#timeout}
     * @throws IllegalArgumentException if the transport does not allow the parameters, or if they name another
     *     provider's memory. If only the device can tell, the stage completes with this exception
     */
    CompletionStage<QueuePair> connect(InetSocketAddress remote, ConnectionParameters parameters, Handler handler);

    /**
     * Listens for connections that have their own Receives; see {@link #listen(InetSocketAddress, int,
     * ConnectionAcceptor)}.
     */
    default RdmaListener listen(InetSocketAddress local, ConnectionAcceptor acceptor) throws RdmaException {
        return listen(local, 0, acceptor);
    }

    /**
     * Listens for connections.
     *
     * @param local the address to listen on. Port 0 selects a free port, which {@link RdmaListener#localAddress}
     *     returns. The wildcard address means all devices of the provider, including those that appear later
     * @param sharedReceives the requested capacity, in Receives, of the listener's shared receive queue on each device
     *     that supports one; {@link SharedReceiveQueue#capacity} returns the actual one. 0 for no shared receive queue
     * @param acceptor accepts or rejects each connection request
     * @throws RdmaException with reason NO_DEVICE if no device of this provider owns the address, but one of another
     *     provider may; with ADDRESS_UNAVAILABLE if the address is in use, or does not belong to this machine
     */
    RdmaListener listen(InetSocketAddress local, int sharedReceives, ConnectionAcceptor acceptor) throws RdmaException;

    /** Closes all queue pairs and listeners, and ends the provider's threads. Idempotent. */
    @Override
    void close();

    /**
     * What one provider has done, counted from its opening to one moment. Each number is exact, but concurrent work may be
     * in one of them and not yet in another.
     *
     * @param provider the name of the provider
     * @param connectionsOpened established connections, by either side
     * @param connectionsEnded ended connections
     * @param connectionsRejected connection requests that were rejected
     * @param registrations registrations of memory with a device
     * @param deregistrations ended registrations
     * @param registeredBytes bytes of all registrations
     * @param deregisteredBytes bytes of ended registrations
     * @param accessesGranted ranges of memory to which peers were granted access
     * @param accessesEnded ranges of memory to which this access has ended
     * @param work requests and completions of each operation; every operation has an entry
     */
    record Statistics(
            String provider,
            long connectionsOpened,
            long connectionsEnded,
            long connectionsRejected,
            long registrations,
            long deregistrations,
            long registeredBytes,
            long deregisteredBytes,
            long accessesGranted,
            long accessesEnded,
            Map<Operation, Work> work) {

        /** Copies the map of work. */
        public Statistics {
            work = Collections.unmodifiableMap(new EnumMap<>(work));
        }

        /** The number of connections that were open. */
        public long connections() {
            return connectionsOpened - connectionsEnded;
        }

        /** The number of bytes that were registered. */
        public long bytesHeld() {
            return registeredBytes - deregisteredBytes;
        }

        /** The number of ranges of memory that peers could access. */
        public long accessesOpen() {
            return accessesGranted - accessesEnded;
        }

        /**
         * The work requests, or the Receives, of one operation.
         *
         * @param posted all of them
         * @param succeeded those that succeeded
         * @param bytes the bytes that these moved
         * @param failed those that failed
         * @param flushed those that did not run before their connection ended
         */
        public record Work(long posted, long succeeded, long bytes, long failed, long flushed) {}
    }
}

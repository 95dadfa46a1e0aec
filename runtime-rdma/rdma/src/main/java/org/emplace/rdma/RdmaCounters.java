// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.emplace.rdma.Completion.Operation;
import org.emplace.rdma.Completion.Status;
import org.emplace.rdma.RdmaEvents.RegistrationEvent;
import org.jspecify.annotations.Nullable;

/**
 * Counts what one provider has done since it was opened. Applications read {@link #snapshot}. A flight recorder gets
 * the numbers once a second and an event for each registration, connection and failed completion. JMX shows them as
 * {@link RdmaProviderMXBean}.
 *
 * <p>A provider creates one object and calls the methods marked "for the provider" as their descriptions require. Safe
 * for use by several threads; only {@link #registering} blocks.
 */
public final class RdmaCounters {
    private final String provider;
    private final LongAdder connectionsOpened = new LongAdder();
    private final LongAdder connectionsEnded = new LongAdder();
    private final LongAdder connectionsRejected = new LongAdder();
    private final LongAdder registrations = new LongAdder();
    private final LongAdder deregistrations = new LongAdder();
    private final LongAdder registeredBytes = new LongAdder();
    private final LongAdder deregisteredBytes = new LongAdder();
    private final LongAdder accessesGranted = new LongAdder();
    private final LongAdder accessesEnded = new LongAdder();
    private final Map<Operation, WorkCounters> work = new EnumMap<>(Operation.class);
    private final CounterReport report;
    private final @Nullable ProviderBean bean;

    /**
     * Creates counters with the value 0.
     *
     * @param provider the {@link RdmaProvider#name} of the provider
     */
    public RdmaCounters(String provider) {
        this.provider = provider;
        for (Operation operation : Operation.values()) {
            work.put(operation, new WorkCounters());
        }
        report = new CounterReport(this);
        bean = ProviderBean.isWanted() ? new ProviderBean(this) : null;
        if (bean != null) {
            bean.register();
        }
    }

    /** Returns the current numbers. Each is exact, but concurrent work may be in one of them and not yet in another. */
    public Snapshot snapshot() {
        Map<Operation, Work> byOperation = new EnumMap<>(Operation.class);
        work.forEach((operation, counters) -> byOperation.put(operation, counters.snapshot()));
        return new Snapshot(
                provider,
                connectionsOpened.sum(),
                connectionsEnded.sum(),
                connectionsRejected.sum(),
                registrations.sum(),
                deregistrations.sum(),
                registeredBytes.sum(),
                deregisteredBytes.sum(),
                accessesGranted.sum(),
                accessesEnded.sum(),
                byOperation);
    }

    /**
     * For the provider: counts a new connection. Called immediately before {@link QueuePairHandler#established}.
     *
     * @return counts the work of the connection
     */
    public ConnectionCounters connectionOpened(InetSocketAddress local, InetSocketAddress remote) {
        connectionsOpened.increment();
        return new ConnectionCounters(this, local, remote);
    }

    /**
     * For the provider: registers memory and, if that succeeds, counts it. Called once for each registration with a
     * device, so that a buffer registered in two protection domains is counted twice.
     *
     * @param bytes the number of bytes to register
     * @param registration registers them
     * @return what {@code registration} returned
     */
    public <R> R registering(long bytes, Registration<R> registration) throws RdmaException {
        RegistrationEvent event = new RegistrationEvent();
        event.begin();
        try {
            R registered = registration.register();
            registrations.increment();
            registeredBytes.add(bytes);
            return registered;
        } catch (RdmaException refused) {
            event.refusal = String.valueOf(refused.getMessage());
            throw refused;
        } finally {
            event.end();
            if (event.shouldCommit()) {
                event.provider = provider;
                event.bytes = bytes;
                event.commit();
            }
        }
    }

    /** For the provider: counts the end of a registration that {@link #registering} has counted. */
    public void deregistered(long bytes) {
        deregistrations.increment();
        deregisteredBytes.add(bytes);
    }

    /**
     * For the provider: it has been closed. The counters can still be read, but a flight recorder and JMX no longer
     * show them.
     */
    public void closed() {
        report.end();
        if (bean != null) {
            bean.close();
        }
    }

    /** For the provider: counts a connection request that the consumer or the provider rejects. */
    public void connectionRejected() {
        connectionsRejected.increment();
    }

    /** For the provider: counts Receives posted to a shared receive queue. */
    public void sharedReceivesPosted(int count) {
        posted(Operation.RECEIVE, count);
    }

    void connectionEnded() {
        connectionsEnded.increment();
    }

    void posted(Operation operation, int count) {
        if (count > 0) {
            of(operation).posted.add(count);
        }
    }

    void completed(Completion completion) {
        of(completion.operation()).completed(completion);
    }

    void accessGranted() {
        accessesGranted.increment();
    }

    void accessEnded() {
        accessesEnded.increment();
    }

    String provider() {
        return provider;
    }

    private WorkCounters of(Operation operation) {
        return Objects.requireNonNull(work.get(operation), "every operation has counters");
    }

    /** Registers memory with a device. */
    @FunctionalInterface
    public interface Registration<R> {
        /**
         * Registers the memory.
         *
         * @throws RdmaException if the system does not permit it
         */
        R register() throws RdmaException;
    }

    /**
     * The numbers at one moment, counted since the provider was opened.
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
    public record Snapshot(
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
        public Snapshot {
            work = Collections.unmodifiableMap(new EnumMap<>(work));
        }

        /** The number of connections that are open now. */
        public long connections() {
            return connectionsOpened - connectionsEnded;
        }

        /** The number of bytes that are registered now. */
        public long bytesHeld() {
            return registeredBytes - deregisteredBytes;
        }

        /** The number of ranges of memory that peers can access now. */
        public long accessesOpen() {
            return accessesGranted - accessesEnded;
        }
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

    private static final class WorkCounters {
        private final LongAdder posted = new LongAdder();
        private final LongAdder succeeded = new LongAdder();
        private final LongAdder bytes = new LongAdder();
        private final LongAdder failed = new LongAdder();
        private final LongAdder flushed = new LongAdder();

        void completed(Completion completion) {
            if (completion.status() == Status.SUCCESS) {
                succeeded.increment();
                bytes.add(completion.length());
            } else if (completion.status() == Status.FLUSHED) {
                flushed.increment();
            } else {
                failed.increment();
            }
        }

        Work snapshot() {
            return new Work(posted.sum(), succeeded.sum(), bytes.sum(), failed.sum(), flushed.sum());
        }
    }
}

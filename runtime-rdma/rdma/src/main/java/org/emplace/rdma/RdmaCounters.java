// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma;

import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.emplace.rdma.Completion.Operation;
import org.emplace.rdma.Completion.Status;
import org.emplace.rdma.RdmaEvents.RegistrationEvent;
import org.jspecify.annotations.Nullable;

/**
 * Counts what one provider has done since it was opened, for people and monitoring. A provider creates one and reports to it as each method says.
 * Consumers read {@link #snapshot}; a flight recorder gets it once a second, in addition to the events that the
 * methods record. JMX has them as {@link RdmaProviderMXBean}. Safe for use by
 * several threads; only {@link #registering} blocks.
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
     * Counters at zero.
     *
     * @param provider its {@link RdmaProvider#name}
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

    /** The current numbers. Each is exact, but concurrent work may be in one number and not yet in another. */
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
     * For the provider: a connection is established. Called right before {@link QueuePairHandler#established}; the connection keeps the result and
     * reports to it.
     */
    public ConnectionCounters connectionOpened(InetSocketAddress local, InetSocketAddress remote) {
        connectionsOpened.increment();
        return new ConnectionCounters(this, local, remote);
    }

    /**
     * For the provider: registers memory with the device by {@code registration}, and counts that if it succeeds. Called once for each registration
     * with the device, so a buffer registered in two protection domains is counted twice.
     *
     * @param bytes registered
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

    /** For the provider: a registration counted by {@link #registering} has been undone. Called once for each. */
    public void deregistered(long bytes) {
        deregistrations.increment();
        deregisteredBytes.add(bytes);
    }

    /** For the provider: it has been closed. The counters can still be read; a flight recorder and JMX no longer get them. */
    public void closed() {
        report.end();
        if (bean != null) {
            bean.close();
        }
    }

    /** For the provider: a connection request is being rejected, by the consumer or the provider. Called once for each. */
    public void connectionRejected() {
        connectionsRejected.increment();
    }

    /** For the provider: Receives have been posted to a shared receive queue. */
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
        WorkCounters counters = work.get(operation);
        if (counters == null) {
            throw new IllegalStateException("every operation is counted");
        }
        return counters;
    }

    /** The system call, or other operation, that registers memory with a device. */
    @FunctionalInterface
    public interface Registration<R> {
        /** Registers. @throws RdmaException if the system refuses */
        R register() throws RdmaException;
    }

    /**
     * Numbers at one moment.
     *
     * @param provider whose they are
     * @param connectionsOpened connections that were established, by either side
     * @param connectionsEnded those of them that are over
     * @param connectionsRejected connection requests that a listener answered by a rejection
     * @param registrations registrations of memory with a device
     * @param deregistrations those of them that have been taken back
     * @param registeredBytes bytes of all registrations
     * @param deregisteredBytes bytes of those that have been taken back
     * @param accessesGranted ranges of memory that peers were granted access to
     * @param accessesEnded those of them that no peer can reach anymore
     * @param work by operation; every operation is there
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

        /** Copies the map. */
        public Snapshot {
            work = Collections.unmodifiableMap(new EnumMap<>(work));
        }

        /** Connections that are established now. */
        public long connections() {
            return connectionsOpened - connectionsEnded;
        }

        /** Bytes that are registered now. */
        public long bytesHeld() {
            return registeredBytes - deregisteredBytes;
        }

        /** Ranges of memory that peers can reach now. */
        public long accessesOpen() {
            return accessesGranted - accessesEnded;
        }
    }

    /**
     * One kind of work.
     *
     * @param posted requests and Receives
     * @param succeeded those that ended well
     * @param bytes moved by those
     * @param failed those that ended in error
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

// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.provider;

import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.emplace.rdma.QueuePair.Handler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RdmaProvider;
import org.emplace.rdma.RdmaProvider.Statistics;
import org.emplace.rdma.RdmaProvider.Statistics.Work;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Operation;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.emplace.rdma.provider.RdmaEvents.CounterReport;
import org.emplace.rdma.provider.RdmaEvents.RegistrationEvent;
import org.jspecify.annotations.Nullable;

/**
 * Counts what one provider does. A flight recorder gets the numbers once a second and an event for each registration,
 * connection and failed completion. JMX shows them as {@link RdmaProviderMXBean}.
 *
 * <p>A provider creates one object and calls its methods as their descriptions require. Safe for use by several
 * threads; only {@link #registering} blocks.
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
    private final SampledErrors errors = new SampledErrors();
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
        bean = Boolean.getBoolean(ProviderBean.PROPERTY) ? new ProviderBean(this) : null;
        if (bean != null) {
            bean.register();
        }
    }

    /** The log of errors that peers may be able to cause. */
    public SampledErrors errors() {
        return errors;
    }

    /** Returns the current numbers; see {@link RdmaProvider#statistics}. */
    public Statistics statistics() {
        Map<Operation, Work> byOperation = new EnumMap<>(Operation.class);
        work.forEach((operation, counters) -> byOperation.put(operation, counters.current()));
        return new Statistics(
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
     * Counts a new connection. Called immediately before {@link Handler#established}.
     *
     * @return counts the work of the connection
     */
    public ConnectionCounters connectionOpened(InetSocketAddress local, InetSocketAddress remote) {
        connectionsOpened.increment();
        return new ConnectionCounters(this, local, remote);
    }

    /**
     * Registers memory and, if that succeeds, counts it. Called once for each registration with a
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

    /** Counts the end of a registration that {@link #registering} has counted. */
    public void deregistered(long bytes) {
        deregistrations.increment();
        deregisteredBytes.add(bytes);
    }

    /**
     * Called when the provider has been closed. The counters can still be read, but a flight recorder and JMX no longer
     * show them.
     */
    public void closed() {
        report.close();
        if (bean != null) {
            bean.close();
        }
    }

    /** Counts a connection request that the consumer or the provider rejects. */
    public void connectionRejected() {
        connectionsRejected.increment();
    }

    /** Counts Receives posted to a shared receive queue. */
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

        Work current() {
            return new Work(posted.sum(), succeeded.sum(), bytes.sum(), failed.sum(), flushed.sum());
        }
    }

    /**
     * Logs the errors of one provider that a peer may be able to cause: the 1st, 2nd, 4th, 8th and so on, so that no peer
     * can flood the log. Safe for use by several threads.
     */
    public static final class SampledErrors {
        private static final System.Logger LOG = System.getLogger(SampledErrors.class.getName());

        private final AtomicLong errors = new AtomicLong();
        private final AtomicLong shortages = new AtomicLong();

        /** Creates a log without errors. */
        public SampledErrors() {}

        /**
         * Counts an error, and logs it if it is selected: with its stack trace, unless the JVM lacks memory. Throws nothing.
         *
         * @param connection what it happened to
         * @param what happened
         */
        public void log(Object connection, String what, Throwable error) {
            log(Level.ERROR, errors, () -> connection + ": " + what + ": " + error, error);
        }

        /**
         * Counts a connection that is rejected for lack of a resource, and logs it in one line if it is selected.
         *
         * @param what is lacking, and what follows
         */
        public void shortage(String what) {
            log(Level.WARNING, shortages, () -> what, null);
        }

        private static boolean isLackOfMemory(Throwable error) {
            return error instanceof OutOfMemoryError || error.getCause() instanceof OutOfMemoryError;
        }

        private static void log(Level level, AtomicLong events, Supplier<String> what, @Nullable Throwable error) {
            long count = events.incrementAndGet();
            if (Long.bitCount(count) != 1) {
                return;
            }
            try {
                boolean hasTrace = error != null && !isLackOfMemory(error);
                LOG.log(level, what.get() + "; such events so far: " + count, hasTrace ? error : null);
            } catch (Throwable unlogged) {
                // Perhaps for lack of memory. The caller has something else to end.
            }
        }
    }
}

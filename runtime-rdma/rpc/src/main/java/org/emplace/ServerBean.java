// SPDX-License-Identifier: Apache-2.0
package org.emplace;

import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.emplace.rpc.RpcServerMXBean;
import org.emplace.rpc.ServerLoad;
import org.emplace.rpc.ServerObserver;
import org.jspecify.annotations.Nullable;

/**
 * Counts the calls of one server. Its figures are an MXBean from {@link #register} to {@link #close}. Safe for use by
 * several threads.
 */
final class ServerBean implements RpcServerMXBean, ServerObserver, AutoCloseable {
    /** Opt-in, because starting the platform's JMX server noticeably delays a short program. */
    static final String PROPERTY = "org.emplace.jmx";

    private static final System.Logger LOG = System.getLogger(ServerBean.class.getName());

    private final Map<String, LongAdder> outcomes = new ConcurrentHashMap<>();
    private final Map<String, Counts> procedures = new ConcurrentHashMap<>();
    private volatile List<String> addresses = List.of();
    private volatile Supplier<ServerLoad> load = () -> ServerLoad.NONE;
    private @Nullable ObjectName name;

    @Override
    public void answered(AnswerReport report) {
        outcomes.computeIfAbsent(report.outcome().name(), first -> new LongAdder())
                .increment();
        procedures
                .computeIfAbsent(report.procedure().map(Object::toString).orElse(""), first -> new Counts())
                .add(report);
    }

    /**
     * Registers the MXBean under the first free number. If the MBean server rejects it, logs a warning and does
     * nothing.
     */
    synchronized void register(List<String> served, Supplier<ServerLoad> current) {
        addresses = List.copyOf(served);
        load = current;
        try {
            MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
            for (int number = 1; name == null; number++) {
                ObjectName candidate = new ObjectName("org.emplace.rpc:type=Server,id=" + number);
                if (!beans.isRegistered(candidate)) {
                    name = tryToRegister(beans, candidate);
                }
            }
        } catch (JMException | SecurityException refused) {
            LOG.log(Level.WARNING, "cannot register the server's figures with JMX: " + refused);
        }
    }

    private @Nullable ObjectName tryToRegister(MBeanServer beans, ObjectName candidate) throws JMException {
        try {
            return beans.registerMBean(this, candidate).getObjectName();
        } catch (InstanceAlreadyExistsException another) {
            return null;
        }
    }

    /** Unregisters the MXBean. Idempotent. */
    @Override
    public synchronized void close() {
        ObjectName registered = name;
        name = null;
        if (registered != null) {
            try {
                ManagementFactory.getPlatformMBeanServer().unregisterMBean(registered);
            } catch (JMException | SecurityException gone) {
                LOG.log(Level.DEBUG, "cannot unregister the server's figures from JMX: {0}", gone);
            }
        }
    }

    @Override
    public List<String> getAddresses() {
        return addresses;
    }

    @Override
    public int getConnections() {
        return load.get().connections();
    }

    @Override
    public long getConnectionsRejected() {
        return load.get().connectionsRejected();
    }

    @Override
    public int getCallsRunning() {
        return load.get().callsRunning();
    }

    @Override
    public int getCallsWaiting() {
        return load.get().callsWaiting();
    }

    @Override
    public double getLongestWait() {
        return load.get().longestWait().toNanos() / 1e9;
    }

    @Override
    public int getRepliesKept() {
        return load.get().repliesKept();
    }

    @Override
    public long getReplyBytesKept() {
        return load.get().replyBytesKept();
    }

    @Override
    public SortedMap<String, Long> getCallsByOutcome() {
        SortedMap<String, Long> counts = new TreeMap<>();
        outcomes.forEach((outcome, count) -> counts.put(outcome, count.sum()));
        return counts;
    }

    @Override
    public SortedMap<String, ProcedureFigures> getProcedures() {
        return new TreeMap<>(procedures);
    }

    /** The calls of one procedure. */
    private static final class Counts implements ProcedureFigures {
        private final LongAdder calls = new LongAdder();
        private final LongAdder errors = new LongAdder();
        private final LongAdder bytesReceived = new LongAdder();
        private final LongAdder bytesSent = new LongAdder();
        private final LongAdder nanos = new LongAdder();

        void add(AnswerReport report) {
            calls.increment();
            if (!report.outcome().isSuccess()) {
                errors.increment();
            }
            bytesReceived.add(report.bytesReceived());
            bytesSent.add(report.bytesSent());
            nanos.add(report.elapsed().toNanos());
        }

        @Override
        public long getCalls() {
            return calls.sum();
        }

        @Override
        public long getErrors() {
            return errors.sum();
        }

        @Override
        public long getBytesReceived() {
            return bytesReceived.sum();
        }

        @Override
        public long getBytesSent() {
            return bytesSent.sum();
        }

        @Override
        public double getSeconds() {
            return nanos.sum() / 1e9;
        }
    }
}

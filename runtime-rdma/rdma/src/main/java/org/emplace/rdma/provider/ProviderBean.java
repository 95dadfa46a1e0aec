// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.provider;

import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.emplace.rdma.RdmaProvider.Statistics.Work;
import org.jspecify.annotations.Nullable;

/** A provider's counters as an MXBean, from {@link #register} to {@link #close}. */
final class ProviderBean implements RdmaProviderMXBean {
    /** Opt-in, because starting the platform's JMX server noticeably delays a short program. */
    static final String PROPERTY = "org.emplace.jmx";

    private static final System.Logger LOG = System.getLogger(ProviderBean.class.getName());

    private final RdmaCounters counters;
    private @Nullable ObjectName name;

    ProviderBean(RdmaCounters counters) {
        this.counters = counters;
    }

    /**
     * Registers the MXBean under the first free number. If the MBean server rejects it, logs a warning and does
     * nothing.
     */
    synchronized void register() {
        try {
            MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
            for (int number = 1; name == null; number++) {
                ObjectName candidate = new ObjectName("org.emplace.rdma:type=Provider,name="
                        + ObjectName.quote(counters.provider()) + ",id=" + number);
                if (!beans.isRegistered(candidate)) {
                    name = tryToRegister(beans, candidate);
                }
            }
        } catch (JMException | SecurityException refused) {
            LOG.log(Level.WARNING, "cannot register the counters of " + counters.provider() + " with JMX: " + refused);
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
    synchronized void close() {
        ObjectName registered = name;
        name = null;
        if (registered != null) {
            try {
                ManagementFactory.getPlatformMBeanServer().unregisterMBean(registered);
            } catch (JMException | SecurityException gone) {
                LOG.log(Level.DEBUG, "cannot unregister the counters from JMX: {0}", gone);
            }
        }
    }

    @Override
    public String getProvider() {
        return counters.provider();
    }

    @Override
    public long getConnections() {
        return counters.statistics().connections();
    }

    @Override
    public long getConnectionsOpened() {
        return counters.statistics().connectionsOpened();
    }

    @Override
    public long getConnectionsRejected() {
        return counters.statistics().connectionsRejected();
    }

    @Override
    public long getRegistrations() {
        return counters.statistics().registrations();
    }

    @Override
    public long getBytesHeld() {
        return counters.statistics().bytesHeld();
    }

    @Override
    public long getAccessesGranted() {
        return counters.statistics().accessesGranted();
    }

    @Override
    public long getAccessesOpen() {
        return counters.statistics().accessesOpen();
    }

    @Override
    public SortedMap<String, WorkFigures> getWork() {
        SortedMap<String, WorkFigures> figures = new TreeMap<>();
        counters.statistics().work().forEach((operation, work) -> figures.put(operation.name(), new WorkValues(work)));
        return figures;
    }

    private record WorkValues(Work work) implements WorkFigures {
        @Override
        public long getPosted() {
            return work.posted();
        }

        @Override
        public long getSucceeded() {
            return work.succeeded();
        }

        @Override
        public long getBytes() {
            return work.bytes();
        }

        @Override
        public long getFailed() {
            return work.failed();
        }

        @Override
        public long getFlushed() {
            return work.flushed();
        }
    }
}

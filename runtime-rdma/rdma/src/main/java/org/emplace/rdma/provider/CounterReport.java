// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.provider;

import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import org.emplace.rdma.Completion.Operation;
import org.emplace.rdma.RdmaStatistics;
import org.emplace.rdma.RdmaStatistics.Work;
import org.emplace.rdma.provider.RdmaEvents.CountersEvent;
import org.emplace.rdma.provider.RdmaEvents.WorkEvent;

/** Records a provider's counters as periodic events of the flight recorder, from construction to {@link #end}. */
final class CounterReport implements FlightRecorderListener {
    private final RdmaCounters counters;
    private final Runnable holdings = this::reportHoldings;
    private final Runnable work = this::reportWork;

    CounterReport(RdmaCounters counters) {
        this.counters = counters;
        if (FlightRecorder.isAvailable()) {
            FlightRecorder.addListener(this);
        }
    }

    /**
     * Registers the periodic events only when a flight recorder is in use: registering them starts the recorder, which
     * takes a tenth of a second.
     */
    @Override
    public void recorderInitialized(FlightRecorder recorder) {
        FlightRecorder.addPeriodicEvent(CountersEvent.class, holdings);
        FlightRecorder.addPeriodicEvent(WorkEvent.class, work);
    }

    /** Stops recording. Idempotent. */
    void end() {
        if (FlightRecorder.isAvailable()) {
            FlightRecorder.removeListener(this);
            FlightRecorder.removePeriodicEvent(holdings);
            FlightRecorder.removePeriodicEvent(work);
        }
    }

    private void reportHoldings() {
        CountersEvent event = new CountersEvent();
        RdmaStatistics now = counters.statistics();
        event.provider = now.provider();
        event.connectionsOpened = now.connectionsOpened();
        event.connections = now.connections();
        event.connectionsRejected = now.connectionsRejected();
        event.registrations = now.registrations();
        event.bytesHeld = now.bytesHeld();
        event.accessesGranted = now.accessesGranted();
        event.accessesOpen = now.accessesOpen();
        event.commit();
    }

    private void reportWork() {
        RdmaStatistics now = counters.statistics();
        now.work().forEach((operation, done) -> report(now.provider(), operation, done));
    }

    private static void report(String provider, Operation operation, Work done) {
        WorkEvent event = new WorkEvent();
        event.provider = provider;
        event.operation = operation.name();
        event.posted = done.posted();
        event.succeeded = done.succeeded();
        event.bytes = done.bytes();
        event.failed = done.failed();
        event.flushed = done.flushed();
        event.commit();
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.provider;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import org.emplace.rdma.RdmaProvider.Statistics;
import org.emplace.rdma.RdmaProvider.Statistics.Work;
import org.emplace.rdma.WorkRequest.Completion.Operation;
import org.emplace.rdma.provider.RdmaEvents.CountersEvent;
import org.emplace.rdma.provider.RdmaEvents.WorkEvent;

/** The flight recorder's events for RDMA, the same for all providers. */
final class RdmaEvents {
    private RdmaEvents() {}

    /** An event of a connection, with the fields that identify the connection. */
    abstract static class EventOfConnection extends Event {
        @Label("Provider")
        String provider = "";

        @Label("Local Address")
        String local = "";

        @Label("Remote Address")
        String remote = "";

        /** Copies the connection's fields from another event. */
        void of(EventOfConnection other) {
            provider = other.provider;
            local = other.local;
            remote = other.remote;
        }
    }

    /** A connection, from its establishment to its end. */
    @Name("org.emplace.rdma.Connection")
    @Label("RDMA Connection")
    @Description("An RDMA connection that has ended; its duration is how long it was open")
    @Category({"Emplace", "RDMA"})
    @StackTrace(false)
    static final class ConnectionEvent extends EventOfConnection {
        @Label("Cause")
        @Description("Why it ended; empty after an orderly close by either side")
        String cause = "";

        @Label("Bytes Sent")
        @DataAmount
        long bytesSent;

        @Label("Bytes Received")
        @DataAmount
        long bytesReceived;

        @Label("Bytes Written")
        @Description("By RDMA Writes of this side")
        @DataAmount
        long bytesWritten;

        @Label("Bytes Read")
        @Description("By RDMA Reads of this side")
        @DataAmount
        long bytesRead;
    }

    /** A batch of work requests. Disabled by default, because there are many of these. */
    @Name("org.emplace.rdma.Post")
    @Label("RDMA Work Requests Posted")
    @Description("A batch of work requests posted to a send queue")
    @Category({"Emplace", "RDMA"})
    @Enabled(false)
    static final class PostEvent extends EventOfConnection {
        @Label("Sends")
        int sends;

        @Label("Writes")
        int writes;

        @Label("Reads")
        int reads;

        @Label("Size")
        @Description("Bytes of local memory that the requests name")
        @DataAmount
        long bytes;
    }

    /** A work request or Receive that failed. */
    @Name("org.emplace.rdma.CompletionError")
    @Label("RDMA Completion in Error")
    @Description("A work request or Receive that ended in error, other than by the end of its connection")
    @Category({"Emplace", "RDMA"})
    @StackTrace(false)
    static final class CompletionErrorEvent extends EventOfConnection {
        @Label("Operation")
        String operation = "";

        @Label("Status")
        String status = "";

        @Label("Work Request")
        @Description("The id of the work request")
        int id;
    }

    /** A registration of memory, successful or not. */
    @Name("org.emplace.rdma.Registration")
    @Label("RDMA Memory Registration")
    @Description("A registration of memory with a device, successful or not; its duration is that of the system call")
    @Category({"Emplace", "RDMA"})
    static final class RegistrationEvent extends Event {
        @Label("Provider")
        String provider = "";

        @Label("Size")
        @DataAmount
        long bytes;

        @Label("Refusal")
        @Description("Why the system did not register it; empty if it did")
        String refusal = "";
    }

    /** The counters of a provider. */
    @Name("org.emplace.rdma.Counters")
    @Label("RDMA Counters")
    @Description("What an RDMA provider has done since it was opened, and what is open now")
    @Category({"Emplace", "RDMA"})
    @Period("1 s")
    @StackTrace(false)
    static final class CountersEvent extends Event {
        @Label("Provider")
        String provider = "";

        @Label("Connections Opened")
        long connectionsOpened;

        @Label("Connections")
        @Description("Open connections")
        long connections;

        @Label("Connections Rejected")
        @Description("Connection requests that were answered by a rejection")
        long connectionsRejected;

        @Label("Registrations")
        long registrations;

        @Label("Bytes Held")
        @Description("Bytes registered now")
        @DataAmount
        long bytesHeld;

        @Label("Accesses Granted")
        long accessesGranted;

        @Label("Accesses Open")
        @Description("Ranges of memory that peers can access")
        long accessesOpen;
    }

    /** The counters of a provider's work of one kind. */
    @Name("org.emplace.rdma.Work")
    @Label("RDMA Work")
    @Description("An RDMA provider's work of one kind since the provider was opened")
    @Category({"Emplace", "RDMA"})
    @Period("1 s")
    @StackTrace(false)
    static final class WorkEvent extends Event {
        @Label("Provider")
        String provider = "";

        @Label("Operation")
        String operation = "";

        @Label("Posted")
        long posted;

        @Label("Succeeded")
        long succeeded;

        @Label("Bytes")
        @DataAmount
        long bytes;

        @Label("Failed")
        long failed;

        @Label("Flushed")
        long flushed;
    }

    /** Records a provider's counters as periodic events of the flight recorder, from construction to {@link #close}. */
    static final class CounterReport implements FlightRecorderListener {
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
        void close() {
            if (FlightRecorder.isAvailable()) {
                FlightRecorder.removeListener(this);
                FlightRecorder.removePeriodicEvent(holdings);
                FlightRecorder.removePeriodicEvent(work);
            }
        }

        private void reportHoldings() {
            CountersEvent event = new CountersEvent();
            Statistics now = counters.statistics();
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
            Statistics now = counters.statistics();
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
}

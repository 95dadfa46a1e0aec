// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.provider;

import java.net.InetSocketAddress;
import java.util.List;
import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.QueuePair;
import org.emplace.rdma.QueuePair.Handler;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.RemoteAccess;
import org.emplace.rdma.WorkRequest;
import org.emplace.rdma.WorkRequest.Completion;
import org.emplace.rdma.WorkRequest.Completion.Operation;
import org.emplace.rdma.WorkRequest.Completion.Status;
import org.emplace.rdma.provider.RdmaCounters.SampledErrors;
import org.emplace.rdma.provider.RdmaEvents.CompletionErrorEvent;
import org.emplace.rdma.provider.RdmaEvents.ConnectionEvent;
import org.emplace.rdma.provider.RdmaEvents.PostEvent;
import org.jspecify.annotations.Nullable;

/**
 * Counts the work of one connection, and records it for a flight recorder. The provider gets this object from {@link
 * RdmaCounters#connectionOpened} and calls its methods as their descriptions require. Safe for use by several threads,
 * except {@link #completed} and {@link #disconnected}, which the provider calls in the same order as the handler. No method
 * blocks or throws.
 */
public final class ConnectionCounters {
    private final RdmaCounters counters;
    private final ConnectionEvent connection = new ConnectionEvent();

    ConnectionCounters(RdmaCounters counters, InetSocketAddress local, InetSocketAddress remote) {
        this.counters = counters;
        connection.provider = counters.provider();
        connection.local = local.toString();
        connection.remote = remote.toString();
        connection.begin();
    }

    /** See {@link RdmaCounters#errors}. */
    public SampledErrors errors() {
        return counters.errors();
    }

    /**
     * Counts Receives posted to the connection's own receive queue, including those of {@link
     * ConnectionParameters#receives}.
     */
    public void receivesPosted(int count) {
        counters.posted(Operation.RECEIVE, count);
    }

    /**
     * Counts work requests that {@link QueuePair#post} has accepted. Requests posted after the end of the connection
     * are ignored and not counted.
     */
    public void posted(List<WorkRequest> requests) {
        int sends = 0;
        int writes = 0;
        long bytes = 0;
        // Loops by index, here and below, to avoid allocating an iterator for each message.
        for (int i = 0; i < requests.size(); i++) {
            WorkRequest request = requests.get(i);
            bytes += request.length();
            sends += request instanceof WorkRequest.Send ? 1 : 0;
            writes += request instanceof WorkRequest.Write ? 1 : 0;
        }
        posted(sends, writes, requests.size() - sends - writes, bytes);
    }

    /** Counts one work request; see {@link #posted(List)}. */
    public void posted(WorkRequest request) {
        int sends = request instanceof WorkRequest.Send ? 1 : 0;
        int writes = request instanceof WorkRequest.Write ? 1 : 0;
        posted(sends, writes, 1 - sends - writes, request.length());
    }

    private void posted(int sends, int writes, int reads, long bytes) {
        counters.posted(Operation.SEND, sends);
        counters.posted(Operation.WRITE, writes);
        counters.posted(Operation.READ, reads);
        recordPost(sends, writes, reads, bytes);
    }

    /** Counts completions. Called immediately before {@link Handler#completed}, with the same list. */
    public void completed(List<Completion> completions) {
        for (int i = 0; i < completions.size(); i++) {
            Completion completion = completions.get(i);
            counters.completed(completion);
            if (completion.status() == Status.SUCCESS) {
                add(completion.operation(), completion.length());
            } else if (completion.status() != Status.FLUSHED) {
                recordError(completion);
            }
        }
    }

    /** Counts a grant of access by {@link QueuePair#expose}. */
    public void accessGranted() {
        counters.accessGranted();
    }

    /**
     * Counts the end of an access: it was revoked, the peer invalidated the STag, or the connection ended, and no
     * transfer still uses the memory. Called once for each {@link #accessGranted}, before the stage of {@link
     * RemoteAccess#revoke} completes.
     */
    public void accessEnded() {
        counters.accessEnded();
    }

    /**
     * Counts the end of the connection. Called immediately before {@link Handler#disconnected}, with the same
     * cause.
     */
    public void disconnected(@Nullable RdmaException cause) {
        counters.connectionEnded();
        connection.end();
        if (connection.shouldCommit()) {
            connection.cause = cause == null ? "" : String.valueOf(cause.getMessage());
            connection.commit();
        }
    }

    private void add(Operation operation, int bytes) {
        switch (operation) {
            case SEND -> connection.bytesSent += bytes;
            case RECEIVE -> connection.bytesReceived += bytes;
            case WRITE -> connection.bytesWritten += bytes;
            case READ -> connection.bytesRead += bytes;
        }
    }

    private void recordPost(int sends, int writes, int reads, long bytes) {
        PostEvent event = new PostEvent();
        if (event.isEnabled()) {
            event.of(connection);
            event.sends = sends;
            event.writes = writes;
            event.reads = reads;
            event.bytes = bytes;
            event.commit();
        }
    }

    private void recordError(Completion completion) {
        CompletionErrorEvent event = new CompletionErrorEvent();
        if (event.isEnabled()) {
            event.of(connection);
            event.operation = completion.operation().name();
            event.status = completion.status().name();
            event.id = completion.id();
            event.commit();
        }
    }
}

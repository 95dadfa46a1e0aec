// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import org.emplace.rdma.RdmaException;
import org.jspecify.annotations.Nullable;

/** Ends an RDMAP stream: what happened, and the Terminate message to send to the peer for it, if any. */
public final class StreamException extends Exception {
    private static final long serialVersionUID = 1L;

    private final RdmaException.Reason reason;
    private final @Nullable TerminateCode answer;
    private final transient @Nullable ReadRequest refused;

    private StreamException(
            RdmaException.Reason reason,
            @Nullable TerminateCode answer,
            @Nullable ReadRequest refused,
            String message) {
        super(message);
        this.reason = reason;
        this.answer = answer;
        this.refused = refused;
    }

    /** The peer broke the protocol; a Terminate message says so. */
    public static StreamException violation(TerminateCode answer, String message) {
        return new StreamException(RdmaException.Reason.PEER_VIOLATION, answer, null, message);
    }

    /** The peer requested a Read that is not permitted; a Terminate message says so. */
    public static StreamException refusal(TerminateCode answer, ReadRequest refused, String message) {
        return new StreamException(RdmaException.Reason.PEER_VIOLATION, answer, refused, message);
    }

    /** The peer broke the protocol so that no Terminate message can reach it. */
    public static StreamException unanswered(String message) {
        return new StreamException(RdmaException.Reason.PEER_VIOLATION, null, null, message);
    }

    /** The peer ended the stream by a Terminate message. */
    public static StreamException terminated(String message) {
        return new StreamException(RdmaException.Reason.TERMINATED_BY_PEER, null, null, message);
    }

    /** This side has had no Receive for a Send for too long; a Terminate message says so. */
    public static StreamException noReceive(String message) {
        return new StreamException(RdmaException.Reason.NO_RESOURCES, TerminateCode.DDP_NO_BUFFER, null, message);
    }

    /** This side cannot go on, through its own consumer's fault. */
    public static StreamException local(String message) {
        return new StreamException(
                RdmaException.Reason.DISCONNECTED, TerminateCode.RDMAP_LOCAL_CATASTROPHE, null, message);
    }

    /** What the peer's Terminate message says; null if it gets none. */
    public @Nullable TerminateCode answer() {
        return answer;
    }

    /** The Read Request at fault, if it was one. */
    public @Nullable ReadRequest refused() {
        return refused;
    }

    /** The exception for the consumer. */
    public RdmaException on(String connection) {
        return new RdmaException(reason, connection + ": " + getMessage());
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import java.nio.ByteBuffer;
import org.emplace.rdma.RdmaException;
import org.jspecify.annotations.Nullable;

/** The end of an RDMAP stream: the reason, and the Terminate message for the peer, if it gets one. */
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

    /** The peer violated the protocol and gets a Terminate message. */
    public static StreamException violation(TerminateCode answer, String message) {
        return new StreamException(RdmaException.Reason.PEER_VIOLATION, answer, null, message);
    }

    /** The peer requested a Read that is not permitted and gets a Terminate message. */
    public static StreamException refusal(TerminateCode answer, ReadRequest refused, String message) {
        return new StreamException(RdmaException.Reason.PEER_VIOLATION, answer, refused, message);
    }

    /** The peer violated the protocol in a way that no Terminate message can report. */
    public static StreamException unanswered(String message) {
        return new StreamException(RdmaException.Reason.PEER_VIOLATION, null, null, message);
    }

    /** The peer ended the stream with a Terminate message. */
    public static StreamException terminated(String message) {
        return new StreamException(RdmaException.Reason.TERMINATED_BY_PEER, null, null, message);
    }

    /** This side had no Receive for a Send in time; the peer gets a Terminate message. */
    public static StreamException noReceive(String message) {
        return new StreamException(RdmaException.Reason.NO_RESOURCES, TerminateCode.DDP_NO_BUFFER, null, message);
    }

    /** This side must end the stream because of a mistake of its own consumer. */
    public static StreamException local(String message) {
        return new StreamException(
                RdmaException.Reason.DISCONNECTED, TerminateCode.RDMAP_LOCAL_CATASTROPHE, null, message);
    }

    /**
     * The payload of the Terminate message for the peer; null if it gets none.
     *
     * @param head the length field and header of the segment that was read last; empty if there is none
     */
    public @Nullable ByteBuffer terminate(byte[] head) {
        return answer == null ? null : answer.message(head, refused);
    }

    /** The exception for the consumer. */
    public RdmaException on(String connection) {
        return new RdmaException(reason, connection + ": " + getMessage());
    }
}

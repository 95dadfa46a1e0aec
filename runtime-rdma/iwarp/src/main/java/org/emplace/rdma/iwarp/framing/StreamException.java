// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.framing;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.emplace.rdma.RdmaException;
import org.emplace.rdma.iwarp.framing.Segment.ReadRequest;
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

    /**
     * Terminate messages and their error codes: layer, error type, code (RFC 5040 section 4.8, RFC 5041 section 7.2, RFC 5044 section 8, RFC 6581
     * section 8).
     */
    public enum TerminateCode {
        RDMAP_LOCAL_CATASTROPHE(0, 0, 0, "RDMAP local catastrophic error"),
        RDMAP_INVALID_STAG(0, 1, 0, "RDMAP remote protection error: invalid STag"),
        RDMAP_BOUNDS(0, 1, 1, "RDMAP remote protection error: base or bounds violation"),
        RDMAP_NO_RIGHT(0, 1, 2, "RDMAP remote protection error: access rights violation"),
        RDMAP_FOREIGN_STAG(0, 1, 3, "RDMAP remote protection error: STag not associated with the stream"),
        RDMAP_WRAP(0, 1, 4, "RDMAP remote protection error: tagged offset wraps"),
        RDMAP_PROTECTED_STAG(0, 1, 9, "RDMAP remote protection error: STag cannot be invalidated"),
        RDMAP_PROTECTION(0, 1, 0xff, "RDMAP remote protection error"),
        RDMAP_VERSION(0, 2, 5, "RDMAP remote operation error: invalid RDMAP version"),
        RDMAP_OPCODE(0, 2, 6, "RDMAP remote operation error: unexpected opcode"),
        RDMAP_STREAM_CATASTROPHE(0, 2, 7, "RDMAP remote operation error: catastrophic, localized to the stream"),
        RDMAP_GLOBAL_CATASTROPHE(0, 2, 8, "RDMAP remote operation error: catastrophic, global"),
        RDMAP_UNINVALIDATED_STAG(0, 2, 9, "RDMAP remote operation error: STag cannot be invalidated"),
        RDMAP_OPERATION(0, 2, 0xff, "RDMAP remote operation error"),
        DDP_LOCAL_CATASTROPHE(1, 0, 0, "DDP local catastrophic error"),
        DDP_INVALID_STAG(1, 1, 0, "DDP tagged buffer error: invalid STag"),
        DDP_BOUNDS(1, 1, 1, "DDP tagged buffer error: base or bounds violation"),
        DDP_FOREIGN_STAG(1, 1, 2, "DDP tagged buffer error: STag not associated with the stream"),
        DDP_WRAP(1, 1, 3, "DDP tagged buffer error: tagged offset wraps"),
        DDP_TAGGED_VERSION(1, 1, 4, "DDP tagged buffer error: invalid DDP version"),
        DDP_QUEUE(1, 2, 1, "DDP untagged buffer error: invalid queue number"),
        DDP_NO_BUFFER(1, 2, 2, "DDP untagged buffer error: no buffer available"),
        DDP_SEQUENCE(1, 2, 3, "DDP untagged buffer error: message sequence number out of range"),
        DDP_MESSAGE_OFFSET(1, 2, 4, "DDP untagged buffer error: invalid message offset"),
        DDP_TOO_LONG(1, 2, 5, "DDP untagged buffer error: message too long for its buffer"),
        DDP_UNTAGGED_VERSION(1, 2, 6, "DDP untagged buffer error: invalid DDP version"),
        MPA_CLOSED(2, 0, 1, "MPA error: TCP connection closed, terminated or lost"),
        MPA_CRC(2, 0, 2, "MPA error: CRC check failed"),
        MPA_LENGTH(2, 0, 3, "MPA error: marker and ULPDU length mismatch"),
        MPA_FRAME(2, 0, 4, "MPA error: invalid MPA request or reply frame"),
        MPA_LOCAL_CATASTROPHE(2, 0, 5, "MPA error: local catastrophic error"),
        MPA_READS(2, 0, 6, "MPA error: insufficient resources for inbound RDMA Reads"),
        MPA_READY(2, 0, 7, "MPA error: no matching ready-to-receive message");

        /** The longest payload of a Terminate message in bytes: control field, DDP length and untagged header, Read Request. */
        public static final int MESSAGE_LIMIT = 4 + Segment.UNTAGGED_HEAD + ReadRequest.LENGTH;

        private static final int LENGTH_AND_DDP_HEADER = 0xc000;
        private static final int RDMAP_HEADER = 0x2000;

        private final int layerAndType;
        private final int code;
        private final String words;

        TerminateCode(int layer, int errorType, int code, String words) {
            this.layerAndType = (layer << 4) | errorType;
            this.code = code;
            this.words = words;
        }

        /** The first 16 bits of a Terminate message. */
        private int wireValue() {
            return (layerAndType << 8) | code;
        }

        /**
         * The payload of a Terminate message: a control field, followed by the headers of the segment at fault.
         *
         * @param head the length field and header of the segment at fault; empty if there is none
         * @param refused the Read Request at fault; null if there is none
         */
        ByteBuffer message(byte[] head, @Nullable ReadRequest refused) {
            ByteBuffer payload = ByteBuffer.allocate(MESSAGE_LIMIT);
            boolean withHead = concernsSegment() && head.length > 0;
            payload.putShort((short) wireValue());
            payload.putShort((short)
                    ((withHead ? LENGTH_AND_DDP_HEADER : 0) | (withHead && refused != null ? RDMAP_HEADER : 0)));
            if (withHead) {
                payload.put(head);
                if (refused != null) {
                    refused.putInto(payload);
                }
            }
            return payload.flip();
        }

        /** Whether the error is about a DDP segment, so that the Terminate carries the segment's header. */
        private boolean concernsSegment() {
            return layerAndType >> 4 != 2 && this != RDMAP_LOCAL_CATASTROPHE && this != DDP_LOCAL_CATASTROPHE;
        }

        /** Whether a Terminate that begins with these 16 bits can mean that an RDMA Read was refused because of its source. */
        public static boolean refusesRead(int wireValue) {
            return readings(wireValue).anyMatch(reading -> reading.layerAndType == 0x01);
        }

        /**
         * The meaning of a Terminate's first 16 bits, for messages. Linux's siw swaps layer and error type, contrary to RFC 5040. If the bits have a
         * meaning in both orders, the text gives both.
         */
        public static String describe(int wireValue) {
            String meaning = readings(wireValue)
                    .map(code -> code.words)
                    .collect(Collectors.joining(", or as Linux writes it, "));
            String bits = String.format(
                    "layer %d, error type %d, code %#04x",
                    (wireValue >> 12) & 0xf, (wireValue >> 8) & 0xf, wireValue & 0xff);
            return meaning.isEmpty() ? bits : meaning + " (" + bits + ")";
        }

        private static Stream<TerminateCode> readings(int wireValue) {
            int swapped = ((wireValue & 0xf000) >> 4) | ((wireValue & 0x0f00) << 4) | (wireValue & 0xff);
            return Stream.concat(
                    named(wireValue).stream(), swapped == wireValue ? Stream.empty() : named(swapped).stream());
        }

        private static Optional<TerminateCode> named(int wireValue) {
            return Arrays.stream(values())
                    .filter(known -> known.wireValue() == wireValue)
                    .findFirst();
        }
    }
}

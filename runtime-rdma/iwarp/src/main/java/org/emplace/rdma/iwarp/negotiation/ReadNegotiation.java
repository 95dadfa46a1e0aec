// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.negotiation;

import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.iwarp.negotiation.MpaFrame.Kind;
import org.emplace.rdma.iwarp.negotiation.MpaFrame.ReadLimits;
import org.emplace.rdma.iwarp.negotiation.MpaFrame.ReadyToReceive;

/**
 * Makes the MPA frames of either side and derives the negotiated values from both frames (RFC 6581 section 9.1): each side's outbound Reads do not
 * exceed the other's inbound Reads. CRC is on if the initiator requests it; Linux rejects a reply that requests CRC on its own.
 */
public final class ReadNegotiation {
    /** Frames without enhanced set-up do not name a number of Reads. This side then assumes that the peer answers one at a time. */
    private static final int UNSPECIFIED = 1;
    /** The most Reads that MPA can negotiate. */
    public static final int LARGEST = ReadLimits.MAXIMUM;

    private ReadNegotiation() {}

    /**
     * The result of the negotiation.
     *
     * @param inboundReads RDMA Reads that the peer may have outstanding
     * @param outboundReads RDMA Reads that this side may have outstanding
     * @param privateData of the peer
     * @param maySendFirst whether this side may send before it has received, as only the initiator may (RFC 5044 section 7.1.2)
     */
    @SuppressWarnings("ArrayRecordComponent") // opaque bytes; these records are never compared
    public record Negotiated(
            boolean crc, int inboundReads, int outboundReads, byte[] privateData, boolean maySendFirst) {}

    /**
     * The private data to send to the peer. Asks the consumer once. Software iWARP supports remote invalidation.
     *
     * @throws IllegalArgumentException if the private data is too long
     */
    public static byte[] privateData(ConnectionParameters parameters) {
        byte[] offered = parameters.privateData().offer(true);
        check(offered);
        return offered.clone();
    }

    /**
     * Checks that MPA can carry private data.
     *
     * @throws IllegalArgumentException if the private data is too long
     */
    public static void check(byte[] privateData) {
        if (privateData.length > MpaFrame.CONSUMER_DATA_LIMIT) {
            throw new IllegalArgumentException("private data of " + privateData.length + " bytes: MPA carries "
                    + MpaFrame.CONSUMER_DATA_LIMIT + " at most");
        }
    }

    /**
     * The initiator's frame.
     *
     * @throws IllegalArgumentException if the private data is too long
     */
    public static MpaFrame request(int revision, boolean crc, ConnectionParameters parameters) {
        ReadLimits limits = revision == 1
                ? null
                : new ReadLimits(
                        Math.min(parameters.inboundReads(), LARGEST),
                        Math.min(parameters.outboundReads(), LARGEST),
                        ReadyToReceive.NONE);
        return new MpaFrame(Kind.REQUEST, revision, false, crc, false, limits, privateData(parameters));
    }

    /** The number of Reads that the sender of a request answers at a time. */
    public static int inboundReadsOf(MpaFrame request) {
        ReadLimits limits = request.readLimits();
        return limits == null ? UNSPECIFIED : limits.inbound();
    }

    /** The negotiated values of a responder that accepts a request. */
    public static Negotiated respond(MpaFrame request, ConnectionParameters parameters) {
        int outbound = Integer.highestOneBit(Math.min(parameters.outboundReads(), inboundReadsOf(request)));
        return new Negotiated(request.crc(), parameters.inboundReads(), outbound, request.privateData(), false);
    }

    /** The frame with which a responder accepts. It does not negotiate a limit that the initiator does not negotiate. */
    public static MpaFrame reply(MpaFrame request, Negotiated negotiated, byte[] privateData) {
        ReadLimits offered = request.readLimits();
        ReadLimits limits = offered == null
                ? null
                : new ReadLimits(
                        answer(offered.outbound(), negotiated.inboundReads()),
                        answer(offered.inbound(), negotiated.outboundReads()),
                        offered.ready());
        return new MpaFrame(Kind.REPLY, request.revision(), false, request.crc(), false, limits, privateData);
    }

    /** The frame with which a responder rejects. */
    public static MpaFrame rejection(MpaFrame request, byte[] privateData) {
        ReadLimits limits = request.readLimits() == null ? null : new ReadLimits(0, 0, ReadyToReceive.NONE);
        return new MpaFrame(Kind.REPLY, request.revision(), false, request.crc(), true, limits, privateData);
    }

    /** The negotiated values of an initiator that gets a reply. Software iWARP supports as many inbound Reads as the responder requests. */
    public static Negotiated conclude(MpaFrame request, MpaFrame reply, ConnectionParameters parameters) {
        ReadLimits limits = reply.readLimits();
        int outbound = limits == null ? UNSPECIFIED : limits.inbound();
        int inbound = limits == null ? UNSPECIFIED : limits.outbound();
        return new Negotiated(
                request.crc() || reply.crc(),
                Math.max(parameters.inboundReads(), inbound),
                Math.min(parameters.outboundReads(), outbound),
                reply.privateData(),
                true);
    }

    private static int answer(int offered, int own) {
        return offered == ReadLimits.UNNEGOTIATED ? offered : Math.min(own, LARGEST);
    }
}

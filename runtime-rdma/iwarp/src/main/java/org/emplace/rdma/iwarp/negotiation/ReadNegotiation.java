// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.negotiation;

import org.emplace.rdma.ConnectionParameters;
import org.emplace.rdma.iwarp.negotiation.MpaFrame.Kind;
import org.emplace.rdma.iwarp.negotiation.MpaFrame.ReadLimits;

/**
 * Makes the MPA frames of either side, and draws the conclusions from both (RFC 6581 section 9.1): each side's outbound Reads fit the other's
 * inbound. CRC is on if the initiator asks for it. Linux would refuse a responder that asked for more.
 */
public final class ReadNegotiation {
    /** Frames without enhanced set-up do not name a number of Reads. This side then assumes that the peer answers one at a time. */
    private static final int UNSPOKEN = 1;
    /** The most Reads that MPA can agree on. */
    public static final int LARGEST = ReadLimits.MAXIMUM;

    private ReadNegotiation() {}

    /**
     * What the two sides agreed on at set-up.
     *
     * @param inboundReads RDMA Reads that the peer may have outstanding
     * @param outboundReads RDMA Reads that this side may have outstanding
     * @param privateData the peer's
     * @param speaksFirst whether this side may send before it has received: the initiator (RFC 5044 section 7.1)
     */
    @SuppressWarnings("ArrayRecordComponent") // opaque bytes that are handed on; nobody compares these records
    public record Negotiated(
            boolean crc, int inboundReads, int outboundReads, byte[] privateData, boolean speaksFirst) {}

    /**
     * The private data that a side offers to its peer. Asks the consumer once; software iWARP reports remote invalidation.
     *
     * @throws IllegalArgumentException if the private data is too long
     */
    public static byte[] privateData(ConnectionParameters parameters) {
        byte[] offered = parameters.privateData().offer(true);
        check(offered);
        return offered.clone();
    }

    /**
     * Refuses private data that MPA cannot carry.
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
     * The initiator's frame, with the private data that it offers.
     *
     * @throws IllegalArgumentException if the private data is too long
     */
    public static MpaFrame request(int revision, boolean crc, ConnectionParameters parameters) {
        ReadLimits limits = revision == 1
                ? null
                : limits(parameters.inboundReads(), parameters.outboundReads(), false, false, false);
        return new MpaFrame(Kind.REQUEST, revision, false, crc, false, limits, privateData(parameters));
    }

    /** The Reads that the initiator of a request answers at a time. */
    public static int inboundReadsOf(MpaFrame request) {
        ReadLimits limits = request.readLimits();
        return limits == null ? UNSPOKEN : limits.inbound();
    }

    /** What a responder that accepts has agreed to. */
    public static Negotiated respond(MpaFrame request, ConnectionParameters parameters) {
        int outbound = Integer.highestOneBit(Math.min(parameters.outboundReads(), inboundReadsOf(request)));
        return new Negotiated(request.crc(), parameters.inboundReads(), outbound, request.privateData(), false);
    }

    /** The accepting responder's frame. */
    public static MpaFrame reply(MpaFrame request, Negotiated negotiated, byte[] privateData) {
        ReadLimits offered = request.readLimits();
        ReadLimits limits = null;
        if (offered != null) {
            boolean byWrite = offered.peerToPeer() && offered.readyByWrite();
            boolean byRead = offered.peerToPeer() && offered.readyByRead() && !byWrite;
            limits = limits(negotiated.inboundReads(), negotiated.outboundReads(), byWrite || byRead, byWrite, byRead);
        }
        return new MpaFrame(Kind.REPLY, request.revision(), false, request.crc(), false, limits, privateData);
    }

    /** The rejecting responder's frame. */
    public static MpaFrame rejection(MpaFrame request, byte[] privateData) {
        ReadLimits limits = request.readLimits() == null ? null : limits(0, 0, false, false, false);
        return new MpaFrame(Kind.REPLY, request.revision(), false, request.crc(), true, limits, privateData);
    }

    /** What an initiator has agreed to by a reply; software has room for as many inbound Reads as the responder wants. */
    public static Negotiated conclude(MpaFrame request, MpaFrame reply, ConnectionParameters parameters) {
        ReadLimits limits = reply.readLimits();
        int outbound = limits == null ? UNSPOKEN : limits.inbound();
        int inbound = limits == null ? UNSPOKEN : limits.outbound();
        return new Negotiated(
                request.crc() || reply.crc(),
                Math.max(parameters.inboundReads(), inbound),
                Math.min(parameters.outboundReads(), outbound),
                reply.privateData(),
                true);
    }

    private static ReadLimits limits(
            int inbound, int outbound, boolean peerToPeer, boolean readyByWrite, boolean readyByRead) {
        return new ReadLimits(
                Math.min(inbound, ReadLimits.MAXIMUM),
                Math.min(outbound, ReadLimits.MAXIMUM),
                peerToPeer,
                readyByWrite,
                readyByRead);
    }
}

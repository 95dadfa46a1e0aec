// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp.negotiation;

/**
 * What the two sides agreed on at set-up.
 *
 * @param inboundReads RDMA Reads that the peer may have outstanding
 * @param outboundReads RDMA Reads that this side may have outstanding
 * @param privateData the peer's
 * @param speaksFirst whether this side may send before it has received: the initiator (RFC 5044 section 7.1)
 */
@SuppressWarnings("ArrayRecordComponent") // opaque bytes that are handed on; nobody compares these records
public record Negotiated(boolean crc, int inboundReads, int outboundReads, byte[] privateData, boolean speaksFirst) {}

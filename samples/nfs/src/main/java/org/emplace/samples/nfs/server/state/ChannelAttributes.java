// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

/**
 * The sizes of one channel of a session (channel_attrs4, RFC 8881 section 18.36.1), as unsigned 32-bit numbers.
 *
 * @param maxRequest the most bytes of a request, RPC header included
 * @param maxResponse the most bytes of a reply
 * @param maxCachedResponse the most bytes of a reply that is kept
 * @param maxOperations the most operations of a COMPOUND, SEQUENCE included
 * @param maxRequests the number of slots
 */
public record ChannelAttributes(
        long maxRequest, long maxResponse, long maxCachedResponse, long maxOperations, long maxRequests) {
    /** The smaller one of each. */
    ChannelAttributes cappedBy(ChannelAttributes cap) {
        return new ChannelAttributes(
                Math.min(maxRequest, cap.maxRequest),
                Math.min(maxResponse, cap.maxResponse),
                Math.min(maxCachedResponse, cap.maxCachedResponse),
                Math.min(maxOperations, cap.maxOperations),
                Math.min(maxRequests, cap.maxRequests));
    }

    /** Whether none is smaller. */
    boolean isAtLeast(ChannelAttributes least) {
        return least.cappedBy(this).equals(least);
    }

    ChannelAttributes withRequests(long requests) {
        return new ChannelAttributes(maxRequest, maxResponse, maxCachedResponse, maxOperations, requests);
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.rdma.iwarp;

import java.time.Duration;

/**
 * The options of a software iWARP provider.
 *
 * @param crc whether connections that this side initiates request CRC32C; a responder follows the initiator
 * @param mpaRevision the MPA revision of connections that this side initiates: 2 negotiates how many RDMA Reads may be outstanding (RFC
 *     6581), 1 allows one at a time; a responder supports both
 * @param eventLoops the number of threads that serve the provider's connections; each connection is served by one of them
 * @param requestTimeout how long an accepted TCP connection may take to send its MPA request
 * @param replyTimeout how long an initiator waits for the MPA reply, and a responder for its consumer's answer
 * @param drainTimeout how long an ending connection or a revocation waits for bytes in transit before the connection is closed
 * @param receiveTimeout how long a peer's Send waits for a Receive of a shared queue before its connection ends
 * @param handshakes how many accepted TCP connections of one listener may be in set-up, or wait for the peer's end after a rejection or a Terminate, at
 *     a time; further ones are closed. One address can have at most seven eighths of them
 */
public record IwarpOptions(
        boolean crc,
        int mpaRevision,
        int eventLoops,
        Duration requestTimeout,
        Duration replyTimeout,
        Duration drainTimeout,
        Duration receiveTimeout,
        int handshakes) {

    /**
     * CRC on, revision 2, as many event loops as processors, 5 s for a request, 10 s for a reply (as Linux), 2 s to drain, 10 s for a Receive, 1024
     * handshakes.
     */
    public static final IwarpOptions DEFAULTS = new IwarpOptions(
            true,
            2,
            Runtime.getRuntime().availableProcessors(),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(2),
            Duration.ofSeconds(10),
            1024);

    /** @throws IllegalArgumentException if the revision is not 1 or 2, or there is no event loop or handshake */
    public IwarpOptions {
        if (mpaRevision != 1 && mpaRevision != 2) {
            throw new IllegalArgumentException("MPA revision " + mpaRevision + ": 1 and 2 exist");
        }
        if (eventLoops < 1) {
            throw new IllegalArgumentException(eventLoops + " event loops: at least one is needed");
        }
        if (handshakes < 1) {
            throw new IllegalArgumentException(handshakes + " handshakes at a time: at least one is needed");
        }
    }

    /** These options with CRC32C requested or not. */
    public IwarpOptions withCrc(boolean asked) {
        return new IwarpOptions(
                asked, mpaRevision, eventLoops, requestTimeout, replyTimeout, drainTimeout, receiveTimeout, handshakes);
    }

    /** These options with another number of event loops. */
    public IwarpOptions withEventLoops(int loops) {
        return new IwarpOptions(
                crc, mpaRevision, loops, requestTimeout, replyTimeout, drainTimeout, receiveTimeout, handshakes);
    }

    /** These options with another MPA revision. */
    public IwarpOptions withMpaRevision(int revision) {
        return new IwarpOptions(
                crc, revision, eventLoops, requestTimeout, replyTimeout, drainTimeout, receiveTimeout, handshakes);
    }

    /** These options with other time limits for set-up and end. */
    public IwarpOptions withTimeouts(Duration request, Duration reply, Duration drain) {
        return new IwarpOptions(crc, mpaRevision, eventLoops, request, reply, drain, receiveTimeout, handshakes);
    }

    /** These options with another time limit for a Send that waits for a Receive of a shared queue. */
    public IwarpOptions withReceiveTimeout(Duration receive) {
        return new IwarpOptions(
                crc, mpaRevision, eventLoops, requestTimeout, replyTimeout, drainTimeout, receive, handshakes);
    }

    /** These options with another limit of set-ups at a time. */
    public IwarpOptions withHandshakes(int most) {
        return new IwarpOptions(
                crc, mpaRevision, eventLoops, requestTimeout, replyTimeout, drainTimeout, receiveTimeout, most);
    }
}

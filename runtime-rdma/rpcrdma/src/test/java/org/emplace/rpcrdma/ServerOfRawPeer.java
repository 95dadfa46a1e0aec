// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import org.emplace.rdma.RemoteSegment;
import org.emplace.rpc.ConnectionOptions;

/** A server of {@link Blobs} over software iWARP, a client of it, and another one that is a {@link RawPeer}. */
final class ServerOfRawPeer implements AutoCloseable {
    static final int XID = 0x5eed0001;

    /** What the raw client asks for. */
    static final int CREDITS = 128;

    /** What it is granted with the first answer; see {@link ManyClientsTest} for more. */
    static final int GRANTED = 2;

    /** Memory that nobody has. */
    static final RemoteSegment NOWHERE = new RemoteSegment(0x100, 0, 4);

    static final int PUT = 1;
    static final int GET = 2;
    static final int SWAP = 3;
    static final int ECHO = 4;

    final Peers peers;
    final RawPeer raw;

    ServerOfRawPeer(ConnectionOptions serving) {
        try {
            peers = new Peers(Blobs.service(), serving, ConnectionOptions.DEFAULT);
            raw = anotherClient(false);
        } catch (Exception e) {
            throw new AssertionError("the peers do not connect", e);
        }
    }

    /** One more raw client; the caller closes it. */
    RawPeer anotherClient(boolean remoteInvalidation) throws Exception {
        return RawPeer.connectedTo(peers.address(), RawPeer.privateData(remoteInvalidation));
    }

    @Override
    public void close() {
        raw.close();
        peers.close();
    }
}

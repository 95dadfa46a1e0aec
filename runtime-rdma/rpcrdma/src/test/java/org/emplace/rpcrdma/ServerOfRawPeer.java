// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import org.emplace.rdma.RemoteAccess.RemoteSegment;
import org.emplace.rpc.ConnectionOptions;

/** A server of {@link Blobs} over software iWARP with two clients, one of them a {@link RawPeer}. */
final class ServerOfRawPeer implements AutoCloseable {
    static final int XID = 0x5eed0001;

    /** The credits that the raw client requests. */
    static final int CREDITS = 128;

    /** The grant of the first reply; see {@link ManyClientsTest}. */
    static final int GRANTED = 2;

    /** Memory that does not exist. */
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

    /** Connects another raw client, which the caller closes. */
    RawPeer anotherClient(boolean remoteInvalidation) throws Exception {
        return RawPeer.connectedTo(peers.address(), RawPeer.privateData(remoteInvalidation));
    }

    @Override
    public void close() {
        raw.close();
        peers.close();
    }
}

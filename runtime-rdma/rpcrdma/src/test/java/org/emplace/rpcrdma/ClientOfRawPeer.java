// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.util.List;
import org.emplace.Rpc;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpcrdma.Blobs.Items;
import org.emplace.xdr.XdrOpaque;

/** A client over software iWARP whose server is a {@link RawPeer}. */
final class ClientOfRawPeer implements AutoCloseable {
    /** The credits that the client requests. */
    static final int CREDITS = 8;

    static final CallOptions SMALL_REPLY = CallOptions.DEFAULT.withUnboundedReply(100);
    static final XdrOpaque NOTHING = XdrOpaque.EMPTY;

    final RawPeer server;
    final RpcConnection client;

    ClientOfRawPeer() {
        try {
            server = new RawPeer(RawPeer.privateData(false));
            client = Rpc.connect(server.listen(), ConnectionOptions.DEFAULT.withCredits(CREDITS));
        } catch (Exception e) {
            throw new AssertionError("the peers do not connect", e);
        }
    }

    /** Calls GET without items. */
    RpcCall<XdrOpaque> echo() {
        return client.call(Blobs.ECHO, NOTHING, List.of(), SMALL_REPLY);
    }

    /** Calls GET for one item. */
    RpcCall<Items> get(long size) {
        return client.call(Blobs.GET, List.of(size), List.of(), SMALL_REPLY);
    }

    /** Answers an {@link #echo}. */
    void answer(int xid, int credits) throws Exception {
        server.send(Words.header(xid, credits, 0).and(0, 0, 0).reply(xid).and(0));
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}

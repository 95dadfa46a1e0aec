// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import java.net.URI;
import java.util.List;
import org.emplace.Rpc;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.RpcCall;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpcrdma.Blobs.Items;
import org.emplace.xdr.XdrOpaque;

/** A client over software iWARP whose server is a {@link RawPeer}. */
final class ClientOfRawPeer implements AutoCloseable {
    /** The credits that the client requests. */
    static final int CREDITS = 8;

    static final CallOptions SMALL_REPLY = CallOptions.DEFAULT.withUnboundedReplySize(100);
    static final XdrOpaque NOTHING = XdrOpaque.EMPTY;

    final RawPeer server;
    final RpcConnection client;

    ClientOfRawPeer() {
        this(address -> Rpc.connect(address, ConnectionOptions.DEFAULT.withCredits(CREDITS)));
    }

    /** Connects by the transport of a device. */
    ClientOfRawPeer(OneDevice device, int credits) {
        this(device.transport, credits);
    }

    ClientOfRawPeer(RdmaTransport transport, int credits) {
        this(address -> transport.connect(address, ConnectionOptions.DEFAULT.withCredits(credits)));
    }

    private ClientOfRawPeer(Connecting connecting) {
        try {
            server = new RawPeer(RawPeer.privateData(false));
            client = connecting.connect(server.listen());
        } catch (Exception e) {
            throw new AssertionError("the peers do not connect", e);
        }
    }

    private interface Connecting {
        RpcConnection connect(URI address) throws Exception;
    }

    /** Calls ECHO without bytes. */
    RpcCall<XdrOpaque> echo() {
        return client.call(Blobs.ECHO, NOTHING, Destinations.none(), SMALL_REPLY);
    }

    /** Calls GET for one item. */
    RpcCall<Items> get(long size) {
        return client.call(Blobs.GET, List.of(size), Destinations.none(), SMALL_REPLY);
    }

    /** Answers an {@link #echo}. */
    void answer(int xid, int credits) throws Exception {
        server.send(Words.withoutChunks(xid, credits).reply(xid).and(0));
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.client;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.emplace.Rpc;
import org.emplace.benchmarks.load.Connection;
import org.emplace.benchmarks.nfs3.Getattr3Args;
import org.emplace.benchmarks.nfs3.Nfs3Client;
import org.emplace.benchmarks.nfs3.NfsFh3;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.xdr.XdrOpaque;

/**
 * An Emplace connection with default options, over the transport of the address.
 *
 * @param nfs the generated client on the connection
 */
record StubConnection(RpcConnection rpc, Nfs3Client nfs) implements Connection {
    /** Long, because in the lab two JVMs that poll busily leave little of the two processors to connecting. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofMinutes(1);

    /** The server's only file. */
    static final NfsFh3 FILE = new NfsFh3(XdrOpaque.of(new byte[8]));

    /** Connects. */
    static StubConnection to(URI address) throws RpcException {
        RpcConnection connection = Rpc.connect(address, ConnectionOptions.DEFAULT.withConnectTimeout(CONNECT_TIMEOUT));
        return new StubConnection(connection, Nfs3Client.on(connection));
    }

    @Override
    public void callNull() throws RpcException, InterruptedException {
        nfs.nullProcedure();
    }

    @Override
    public CompletionStage<?> callHeld() {
        return nfs.getattrAsync(new Getattr3Args(FILE)).completion();
    }

    @Override
    public void close() {
        rpc.close();
    }
}

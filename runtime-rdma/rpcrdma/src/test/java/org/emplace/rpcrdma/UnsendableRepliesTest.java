// SPDX-License-Identifier: Apache-2.0
package org.emplace.rpcrdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.emplace.rpc.Failures.assertFails;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.emplace.Rpc;
import org.emplace.reactor.LoggedBy;
import org.emplace.rpc.CallOptions;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.Destinations;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException.Kind;
import org.emplace.rpc.server.ServiceDispatcher;
import org.emplace.rpc.transport.RpcTransport.Listener;
import org.emplace.rpcrdma.Blobs.Items;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call whose reply needs more memory than its peer's share is answered with an error. */
@Timeout(60)
final class UnsendableRepliesTest {
    private static final int POOL = 1 << 20;
    /** Needs a copy of more than three quarters of the shares. */
    private static final long RESULT = 600 << 10;

    private static final int CONNECTIONS = 20;

    @Test
    void peersThatReconnectForEachCallDoNotFloodTheLog() throws Exception {
        OneDevice device = new OneDevice(POOL);
        try (ServiceDispatcher dispatcher = new ServiceDispatcher(4);
                LoggedBy log = LoggedBy.names("org.emplace")) {
            dispatcher.add(Blobs.service(Blobs.handler(
                    Blobs.GET,
                    (sizes, call) -> CompletableFuture.completedFuture(
                            Items.of(Payload.of(ByteBuffer.allocate((int) RESULT)))))));
            try (Listener listener = device.listen(dispatcher, ConnectionOptions.DEFAULT)) {
                for (int i = 0; i < CONNECTIONS; i++) {
                    try (RpcConnection connection = Rpc.connect(OneDevice.address(listener))) {
                        assertFails(
                                connection.call(Blobs.GET, List.of(RESULT), Destinations.none(), CallOptions.DEFAULT)
                                        ::await,
                                Kind.SYSTEM_ERROR);
                    }
                }
            }
            // Two kinds are logged: that the share is used up, and that the reply cannot be sent.
            assertThat(log.messages()).hasSizeBetween(1, 12);
            assertThat(log.hasStackTrace()).isFalse();
        } finally {
            device.close();
        }
    }
}

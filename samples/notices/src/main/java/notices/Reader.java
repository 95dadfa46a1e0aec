// SPDX-License-Identifier: Apache-2.0
package notices;

import java.net.URI;
import java.util.function.Consumer;
import org.emplace.Rpc;
import org.emplace.rpc.ConnectionOptions;
import org.emplace.rpc.RecoveryObserver;
import org.emplace.rpc.RpcClient;
import org.emplace.rpc.RpcConnection;
import org.emplace.rpc.RpcException;
import org.emplace.rpc.ServerCall;

/** The client: posts notices, and receives everybody's, even if it loses its connection. */
final class Reader implements Reader1Server, RecoveryObserver, AutoCloseable {
    private final Consumer<Notice> reading;
    private final RpcClient connection;
    private long seen;

    /** @param reading gets each notice once, in the order of the numbers */
    Reader(URI board, Consumer<Notice> reading) throws RpcException, InterruptedException {
        this.reading = reading;
        connection = Rpc.client(
                board, ConnectionOptions.DEFAULT.withRecoveryObserver(this), Board1.PROGRAM, Reader1.PROGRAM);
        connection.serve(Reader1Server.service(this));
        board(connection).subscribe(seen());
    }

    void post(String text) throws RpcException, InterruptedException {
        board(connection).post(Words.of(text));
    }

    @Override
    public synchronized void tell(Notice notice, ServerCall call) {
        // If the connection was lost before the answer arrived, the board sends the notice again.
        if (notice.number() == seen + 1) {
            seen++;
            reading.accept(notice);
        }
    }

    /** The board does not call over a new connection until the reader subscribes over it. */
    @Override
    public void reconnected(URI address, RpcClient client) {
        board(client).subscribeAsync(seen());
    }

    private synchronized long seen() {
        return seen;
    }

    private static Board1Client board(RpcConnection connection) {
        return Board1Client.on(connection);
    }

    @Override
    public void close() {
        connection.close();
    }
}

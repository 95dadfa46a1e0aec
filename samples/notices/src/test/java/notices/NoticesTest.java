// SPDX-License-Identifier: Apache-2.0
package notices;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.emplace.RpcServer;
import org.emplace.rpc.RpcException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Readers get every notice, over each transport. */
final class NoticesTest {
    private final Board board = new Board();
    private final BlockingQueue<Notice> one = new LinkedBlockingQueue<>();
    private final BlockingQueue<Notice> other = new LinkedBlockingQueue<>();

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void everyReaderReceivesEveryNotice(String scheme) throws Exception {
        try (RpcServer server = serve(scheme, 0);
                Reader poster = new Reader(address(scheme, server), one::add)) {
            poster.post("first");
            try (Reader late = new Reader(address(scheme, server), other::add)) {
                late.post("second");

                assertReads(one, 1, "first");
                assertReads(one, 2, "second");
                assertReads(other, 1, "first");
                assertReads(other, 2, "second");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void readersReconnectToARestartedServer(String scheme) throws Exception {
        RpcServer first = serve(scheme, 0);
        URI address = address(scheme, first);
        try (Reader reader = new Reader(address, one::add)) {
            reader.post("before");
            assertReads(one, 1, "before");
            first.close();
            board.post(Words.of("meanwhile"), null);

            try (RpcServer second = serve(scheme, address.getPort());
                    Reader poster = new Reader(address(scheme, second), other::add)) {
                assertReads(one, 2, "meanwhile");
                poster.post("after");
                assertReads(one, 3, "after");
            }
        }
    }

    private RpcServer serve(String scheme, int port) throws RpcException {
        return RpcServer.builder()
                .service(Board1Server.service(board))
                .listen(URI.create(scheme + "://127.0.0.1:" + port))
                .start();
    }

    private static URI address(String scheme, RpcServer server) {
        return URI.create(scheme + "://127.0.0.1:" + server.addresses().get(0).getPort());
    }

    private static void assertReads(BlockingQueue<Notice> read, long number, String text) throws InterruptedException {
        assertThat(read.poll(20, TimeUnit.SECONDS)).isEqualTo(new Notice(number, Words.of(text)));
    }
}

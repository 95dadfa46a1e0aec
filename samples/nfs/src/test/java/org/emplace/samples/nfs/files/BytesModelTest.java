// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.emplace.rpc.CuttingProxy;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Threads read, write, truncate and append to two files by several channels, and read them as another client, while the server fails,
 * connections are cut and threads are interrupted. What they see, and what is on the server's disk in the end, is what a POSIX program may see. {@code
 * -Dmodel.operations=100000} does more, {@code -Dmodel.atOnce=16} that many rounds at a time, since a round mostly waits; {@code -Dmodel.seed=N} begins
 * with the round of a failure.
 */
@Timeout(36_000)
class BytesModelTest {
    private static final int OPERATIONS = Integer.getInteger("model.operations", 4_000);
    private static final int AT_ONCE = Integer.getInteger("model.atOnce", 2);
    private static final int THREADS = 4;
    private static final int ROUND = 100;

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "rdma"})
    void everyByteIsTheLastOneThatWasWritten(String protocol) throws Exception {
        long first = Long.getLong("model.seed", System.nanoTime());
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            List<Future<?>> rounds = new ArrayList<>();
            for (int done = 0; done < OPERATIONS; done += THREADS * ROUND) {
                long seed = first + rounds.size();
                rounds.add(threads.submit(() -> {
                    round(protocol, seed);
                    return null;
                }));
            }
            for (Future<?> round : rounds) {
                round.get();
            }
        } finally {
            threads.shutdownNow();
            threads.awaitTermination(1, TimeUnit.MINUTES);
        }
    }

    private static void round(String protocol, long seed) throws Exception {
        Random random = new Random(seed);
        // What a thread has cancelled may still arrive by way of a proxy, so there is none if threads are interrupted.
        boolean interrupts = random.nextInt(3) == 0;
        AtomicLong clock = new AtomicLong();
        ByteHistory history = new ByteHistory(clock);
        AppendHistory appends = new AppendHistory();
        try (FaultyServer server = new FaultyServer(protocol, seed, "bytes", "log");
                CuttingProxy proxy = new CuttingProxy(server.port())) {
            proxy.cutWithin(400_000, seed);
            int port = interrupts ? server.port() : proxy.address(protocol).getPort();
            try (FileSystem nfs = mount(protocol, port, server);
                    FileSystem other = mount("tcp", server.mountPort(), server)) {
                Path bytes = nfs.getPath("/bytes");
                Path elsewhere = other.getPath("/bytes");
                Path log = nfs.getPath("/log");
                List<ModelThread> threads = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    threads.add(new ModelThread(i, ROUND, random.nextLong(), bytes, elsewhere, log, history, appends));
                }
                threads.forEach(Thread::start);
                while (threads.stream().anyMatch(Thread::isAlive)) {
                    Thread.sleep(1 + random.nextInt(4));
                    if (interrupts && random.nextInt(30) == 0) {
                        threads.get(random.nextInt(THREADS)).interrupt();
                    } else if (!interrupts && random.nextInt(100) == 0) {
                        server.crash(() -> {
                            history.crashed();
                            disconnect(proxy, port);
                        });
                    }
                }
                for (ModelThread thread : threads) {
                    thread.check();
                }
            }
            server.recover();
            long now = history.now();
            List<String> wrong = new ArrayList<>();
            byte[] disk = server.onDisk("bytes");
            history.read(now, ByteBuffer.wrap(disk), 0, ModelThread.BLOCKS, true, "the disk at the end");
            wrong.addAll(history.violations());
            wrong.addAll(appends.violations(server.onDisk("log")));
            assertThat(wrong)
                    .as("-Dmodel.seed=%d, %s, interrupts %s", seed, protocol, interrupts)
                    .isEmpty();
        }
    }

    private static FileSystem mount(String protocol, int port, FaultyServer server) throws IOException {
        for (int tries = 0; ; tries++) {
            try {
                return FileSystems.newFileSystem(
                        URI.create("nfs://127.0.0.1:" + port + "/e?proto=" + protocol + "&timeo=300&mountport="
                                + server.mountPort()),
                        Map.of());
            } catch (IOException e) {
                if (tries == 20) {
                    throw e;
                }
            }
        }
    }

    /** Ends all connections, also those that the proxy has not accepted yet: they come before the last one in its queue. */
    private static void disconnect(CuttingProxy proxy, int port) {
        try (Socket last = new Socket(InetAddress.getLoopbackAddress(), port)) {
            last.setSoTimeout(5);
            for (boolean over = false; !over; ) {
                proxy.cut();
                over = isOver(last);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isOver(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (SocketException e) {
            return true;
        }
    }
}

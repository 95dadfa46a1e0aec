// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.emplace.rpc.ServerCall;
import org.emplace.samples.nfs.client.MemoryServer;
import org.emplace.samples.nfs.client.ServedStub;
import org.emplace.samples.nfs.protocol.Read3Args;
import org.emplace.samples.nfs.protocol.Read3Res;
import org.emplace.samples.nfs.protocol.Read3Resok;
import org.emplace.xdr.Payload;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that restarts during a READ, and has lost what was written before. */
@Timeout(60)
class RestartDuringReadTest {
    private static final int SIZE = 64;

    /** The first READ finds a restart, and the second, which is the first one resent, what was stable then. */
    private static final class RestartingServer extends MemoryServer {
        final CountDownLatch oldBytesRead = new CountDownLatch(1);
        final CountDownLatch newBytesSentAgain = new CountDownLatch(1);
        private final AtomicInteger reads = new AtomicInteger();

        RestartingServer() {
            super(new byte[SIZE], SIZE);
        }

        @Override
        public Read3Res read(Read3Args args, ServerCall call) {
            switch (reads.incrementAndGet()) {
                case 1 -> {
                    Arrays.fill(contents, (byte) 0);
                    boot.incrementAndGet();
                    call.connection().close();
                }
                case 2 -> {
                    ByteBuffer old = ByteBuffer.wrap(contents.clone());
                    oldBytesRead.countDown();
                    await(newBytesSentAgain);
                    return new Read3Res.Nfs3Ok(new Read3Resok(Optional.empty(), SIZE, true, Payload.of(old)));
                }
                default -> {}
            }
            return super.read(args, call);
        }

        private static void await(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aReadSeesWhatWasWrittenBeforeThoughAnotherThreadHasSentItAgainMeanwhile(boolean positional) throws Exception {
        RestartingServer server = new RestartingServer();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        byte[] written = MemoryServer.randomBytes(SIZE);
        try (ServedStub stub = new ServedStub(server);
                FileChannel writer = FileChannel.open(stub.path("/file"), StandardOpenOption.WRITE);
                FileChannel reader = FileChannel.open(stub.path("/file"))) {
            writer.write(ByteBuffer.wrap(written));
            ByteBuffer read = ByteBuffer.allocate(SIZE);
            Future<Integer> reading = threads.submit(() -> positional ? reader.read(read, 0) : reader.read(read));
            server.oldBytesRead.await();
            writer.force(false);
            server.newBytesSentAgain.countDown();
            assertThat(reading.get()).isEqualTo(SIZE);
            assertThat(read.array()).isEqualTo(written);
        } finally {
            threads.shutdownNow();
        }
    }
}

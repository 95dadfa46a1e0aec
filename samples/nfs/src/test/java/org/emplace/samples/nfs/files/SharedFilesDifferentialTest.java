// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.emplace.samples.nfs.client.command.ServedExport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several threads work on the same files at the same time, on the default file system and by {@code nfs://}. Each has blocks of its own between
 * those of the others, and some names, so that what each operation returns does not depend on the others. {@code -Dfiles.operations=100000} runs more
 * operations; {@code -Dfiles.seed=N} repeats those of a failure.
 */
@Timeout(3600)
class SharedFilesDifferentialTest {
    private static final int OPERATIONS = Integer.getInteger("files.operations", 1_500);
    private static final int THREADS = 4;
    private static final int FILES = 2;
    private static final int BLOCK = 700;
    private static final int BLOCKS = 60;

    @TempDir
    private Path temporary = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void everyOperationOfAThreadEndsAsOnTheDefaultFileSystem(String protocol) throws Exception {
        long seed = Long.getLong("files.seed", System.nanoTime());
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (ServedExport served = new ServedExport(protocol, temporary);
                FileSystem nfs = FileSystems.newFileSystem(served.fileSystem(), Map.of())) {
            Path local = Files.createDirectory(temporary.resolve("local"));
            Path remote = Files.createDirectory(nfs.getPath("/d"));
            for (int file = 0; file < FILES; file++) {
                byte[] zeros = new byte[BLOCK * BLOCKS * THREADS];
                Files.write(local.resolve("f" + file), zeros);
                Files.write(remote.resolve("f" + file), zeros);
            }
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int number = i;
                Callable<Void> both = () -> compare(seed, number, local, remote);
                all.add(threads.submit(both));
            }
            for (Future<?> each : all) {
                each.get();
            }
            for (int file = 0; file < FILES; file++) {
                assertThat(served.directory.resolve("d/f" + file))
                        .as("-Dfiles.seed=%d", seed)
                        .hasSameBinaryContentAs(local.resolve("f" + file));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static Void compare(long seed, int number, Path local, Path remote) throws IOException {
        try (Worker expected = new Worker(local, number, seed);
                Worker actual = new Worker(remote, number, seed)) {
            for (int i = 0; i < OPERATIONS / THREADS; i++) {
                String what = expected.next();
                assertThat(actual.next())
                        .as("-Dfiles.seed=%d, operation %d of thread %d", seed, i, number)
                        .isEqualTo(what);
            }
        }
        return null;
    }

    /** Random operations on the blocks and the names of one thread. */
    private static final class Worker implements AutoCloseable {
        private final Path directory;
        private final int number;
        private final Random random;
        private final List<FileChannel> channels = new ArrayList<>();

        Worker(Path directory, int number, long seed) {
            this.directory = directory;
            this.number = number;
            this.random = new Random(seed + number);
        }

        /** Runs the next operation. Returns its description and its result. */
        String next() throws IOException {
            int kind = random.nextInt(12);
            Path file = directory.resolve("f" + random.nextInt(FILES));
            Path own = directory.resolve("own" + number);
            byte[] bytes = new byte[1 + random.nextInt(BLOCK)];
            random.nextBytes(bytes);
            long position = ((long) random.nextInt(BLOCKS) * THREADS + number) * BLOCK;
            boolean direct = random.nextBoolean();
            if (channels.isEmpty()) {
                return open(file);
            }
            int at = random.nextInt(channels.size());
            FileChannel channel = channels.get(at);
            ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(bytes.length) : ByteBuffer.allocate(bytes.length);
            return switch (kind) {
                case 0 -> channels.size() < 4 ? open(file) : close(at);
                case 1 -> close(at);
                case 2, 3 -> "write " + channel.write(buffer.put(bytes).flip(), position);
                case 4 ->
                    "write in order "
                            + channel.position(position).write(buffer.put(bytes).flip());
                case 5, 6 ->
                    "read " + channel.read(buffer, position) + " "
                            + buffer.flip().hashCode();
                case 7 ->
                    "read in order " + channel.position(position).read(buffer) + " "
                            + buffer.flip().hashCode();
                case 8 -> {
                    Path from = Files.write(own, bytes);
                    try (FileChannel source = FileChannel.open(from)) {
                        yield "transferFrom " + channel.transferFrom(source, position, bytes.length);
                    }
                }
                case 9 -> {
                    ByteArrayOutputStream to = new ByteArrayOutputStream();
                    yield "transferTo " + channel.transferTo(position, bytes.length, Channels.newChannel(to)) + " "
                            + Arrays.hashCode(to.toByteArray());
                }
                case 10 -> {
                    channel.force(true);
                    yield "size " + channel.size() + " " + Files.size(file);
                }
                default -> names(own, bytes);
            };
        }

        private String names(Path own, byte[] bytes) throws IOException {
            Files.write(own, bytes);
            Path other = directory.resolve("other" + number);
            Files.move(own, other, StandardCopyOption.REPLACE_EXISTING);
            return "move " + Files.exists(own) + " " + Arrays.hashCode(Files.readAllBytes(other));
        }

        private String open(Path file) throws IOException {
            channels.add(FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE));
            return "open " + file.getFileName();
        }

        private String close(int at) throws IOException {
            channels.remove(at).close();
            return "close";
        }

        @Override
        public void close() throws IOException {
            while (!channels.isEmpty()) {
                close(0);
            }
        }
    }
}

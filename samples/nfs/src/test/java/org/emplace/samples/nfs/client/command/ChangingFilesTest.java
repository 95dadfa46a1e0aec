// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Copies of files that change meanwhile, or have changed since, and two commands with the same target. */
@Timeout(300)
class ChangingFilesTest {
    private static final int SHORTEST = 300_000;
    private static final int LONGEST = 1_500_000;
    private static final int COPIES = 10;

    @TempDir
    private Path temporary;

    /** The byte at each position is always the same, wherever the file ends. */
    @ParameterizedTest
    @CsvSource({"tcp, true", "tcp, false", "rdma, true", "rdma, false"})
    void theCopyOfAFileThatGrowsAndShrinksHasOnlyBytesOfTheFile(String protocol, boolean toServer) throws Exception {
        byte[] bytes = ServedExport.randomBytes(LONGEST);
        ExecutorService threads = Executors.newSingleThreadExecutor();
        AtomicBoolean over = new AtomicBoolean();
        try (ServedExport served = new ServedExport(protocol, temporary)) {
            Path local = Files.createDirectory(temporary.resolve("local"));
            Path file = Files.write((toServer ? local : served.directory).resolve("file"), bytes);
            Path copy = (toServer ? served.directory : local).resolve("copy");
            Future<Integer> changing = threads.submit(() -> change(file, bytes, over));
            for (int i = 0; i < COPIES; i++) {
                if (toServer) {
                    served.runSilently("cp", file.toString(), served.url("/copy?wsize=32768"));
                } else {
                    served.runSilently("cp", served.url("/file?rsize=32768"), copy.toString());
                }
                byte[] copied = Files.readAllBytes(copy);
                assertThat(copied.length).isBetween(SHORTEST, LONGEST);
                assertThat(ByteBuffer.wrap(copied)).isEqualTo(ByteBuffer.wrap(bytes, 0, copied.length));
            }
            over.set(true);
            assertThat(changing.get()).isPositive();
        } finally {
            over.set(true);
            threads.shutdown();
        }
    }

    private static int change(Path file, byte[] bytes, AtomicBoolean over) throws IOException {
        Random random = new Random(1);
        int changes = 0;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            while (!over.get()) {
                channel.truncate(SHORTEST + random.nextInt(LONGEST - SHORTEST));
                channel.position(channel.size());
                while (channel.size() < LONGEST && random.nextInt(60) > 0) {
                    int length = Math.min(20_000, LONGEST - (int) channel.size());
                    channel.write(ByteBuffer.wrap(bytes, (int) channel.size(), length));
                }
                changes++;
            }
        }
        return changes;
    }

    @ParameterizedTest
    @CsvSource({"sync", "cp"})
    void ofTwoCommandsWithOneTargetEachFileIsACopyOfOneSource(String command) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        Random random = new Random(2);
        try (ServedExport served = new ServedExport("rdma", temporary)) {
            Path[] sources = {temporary.resolve("1"), temporary.resolve("2")};
            for (Path source : sources) {
                Files.createDirectories(source.resolve("t/d/e"));
                for (int i = 0; i < 40; i++) {
                    String name = List.of("t", "t/d", "t/d/e").get(i % 3) + "/f" + i;
                    byte[] contents = new byte[random.nextInt(i % 4 == 0 ? 300_000 : 1000)];
                    random.nextBytes(contents);
                    Files.write(source.resolve(name), contents);
                }
            }
            List<Future<Integer>> statuses = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                String source = sources[i].resolve("t").toString();
                String protocol = i == 0 ? "rdma" : "tcp"; // so each mounts the export for itself
                int port = i == 0 ? served.port() : served.mountPort();
                String target = served.url(port, command.equals("cp") ? "/" : "/t");
                List<String> line = new ArrayList<>(List.of(command, "--proto", protocol, "--mount-port"));
                line.add(Integer.toString(served.mountPort()));
                line.addAll(command.equals("cp") ? List.of("-r", source, target) : List.of(source, target));
                Callable<Integer> run = () -> Nfs.run(line.toArray(String[]::new));
                statuses.add(threads.submit(run));
            }
            for (Future<Integer> status : statuses) {
                assertThat(status.get()).isZero();
            }
            try (Stream<Path> all = Files.walk(served.directory)) {
                List<Path> files = all.filter(Files::isRegularFile).toList();
                assertThat(files).hasSize(40);
                for (Path file : files) {
                    String name = served.directory.relativize(file).toString();
                    byte[] contents = Files.readAllBytes(file);
                    assertThat(Stream.of(sources))
                            .as(name)
                            .anyMatch(source -> ByteBuffer.wrap(contents).equals(read(source.resolve(name))));
                }
            }
        } finally {
            threads.shutdown();
        }
    }

    private static ByteBuffer read(Path file) {
        try {
            return ByteBuffer.wrap(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aFileThatHasChangedWithinTheSecondOfItsCopyIsCopiedAgain(boolean toServer) throws Exception {
        Instant second = Instant.parse("2020-02-02T02:02:02Z");
        try (ServedExport served = new ServedExport("tcp", temporary)) {
            Path local = Files.createDirectory(temporary.resolve("tree"));
            Path remote = Files.createDirectory(served.directory.resolve("t"));
            Path source = toServer ? local : remote;
            Path target = toServer ? remote : local;
            String from = toServer ? local.toString() : served.url("/t");
            String to = toServer ? served.url("/t") : local.toString();
            Path file = Files.writeString(source.resolve("file"), "first");
            Files.setLastModifiedTime(file, FileTime.from(second));
            served.runSilently("sync", from, to);
            Files.writeString(file, "later");
            Files.setLastModifiedTime(file, FileTime.from(second.plusMillis(500)));
            served.runSilently("sync", from, to);
            assertThat(target.resolve("file")).hasContent("later");
        }
    }
}

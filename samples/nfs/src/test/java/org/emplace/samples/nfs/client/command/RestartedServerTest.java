// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.emplace.samples.nfs.client.command.ServedExport.Outcome;
import org.emplace.samples.nfs.server.command.NfsServerCommand;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * If a server is killed during a transfer and restarted, the command {@code nfs} pauses, and no byte is lost. {@code -Drestart.megabytes=N} sets the
 * length of the file.
 */
@Timeout(300)
final class RestartedServerTest {
    private static final long LENGTH = Integer.getInteger("restart.megabytes", 192) * (1L << 20);
    private static final int CHUNK = 1 << 20;

    @TempDir
    private Path temporary;

    @ParameterizedTest
    @ValueSource(strings = {"rdma", "tcp"})
    void fileIsWhole(String protocol) throws Exception {
        Path export = Files.createDirectory(temporary.resolve("export"));
        Path local = Files.createDirectory(temporary.resolve("local"));
        Path original = writeRandom(local.resolve("original"));
        try (ServerProcess server = new ServerProcess(export, temporary.resolve("state"))) {
            String url = "nfs://127.0.0.1:" + server.port(protocol) + export + "/file";

            CompletableFuture<Outcome> put = nfs(server, protocol, original.toString(), url);
            server.killAndRestart(export, put);
            assertThat(put.get()).isEqualTo(success(put.get()));
            assertThat(Files.mismatch(original, export.resolve("file"))).isEqualTo(-1);

            Path back = Files.createDirectory(local.resolve("back"));
            CompletableFuture<Outcome> get = nfs(server, protocol, url, back.toString());
            server.killAndRestart(back, get);
            assertThat(get.get()).isEqualTo(success(get.get()));
            assertThat(Files.mismatch(original, back.resolve("file"))).isEqualTo(-1);
        }
    }

    /** The command succeeded; it may have written about the pause to standard error. */
    private static Outcome success(Outcome outcome) {
        return new Outcome(0, "", outcome.errors());
    }

    private static CompletableFuture<Outcome> nfs(ServerProcess server, String protocol, String from, String to) {
        return CompletableFuture.supplyAsync(() -> ServedExport.runAlone(
                "cp", "--hard", "--proto", protocol, "--mount-port", server.port("mount"), from, to));
    }

    private static Path writeRandom(Path file) throws IOException {
        Random random = new Random(7);
        byte[] bytes = new byte[CHUNK];
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (long written = 0; written < LENGTH; written += CHUNK) {
                random.nextBytes(bytes);
                out.write(ByteBuffer.wrap(bytes));
            }
        }
        return file;
    }

    /** The command {@code nfs-server} in a process of its own, which listens at the same ports each time. */
    private static final class ServerProcess implements AutoCloseable {
        private final Path export;
        private final Path state;
        private String rdma = "0";
        private String mount = "0";
        private String tcp = "0";
        private Process process;

        ServerProcess(Path export, Path state) throws IOException {
            this.export = export;
            this.state = state;
            process = start();
        }

        String port(String name) {
            return switch (name) {
                case "rdma" -> rdma;
                case "tcp" -> tcp;
                default -> mount;
            };
        }

        private Process start() throws IOException {
            List<String> line =
                    new ArrayList<>(List.of("--export", export + ":rw,no_root_squash", "--state", state.toString()));
            line.addAll(List.of("--port", rdma, "--mount-port", mount, "--tcp-port", tcp));
            Process started = ServedExport.java(NfsServerCommand.class, line)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            BufferedReader output = started.inputReader();
            output.readLine(); // what is exported
            rdma = portIn(output.readLine());
            mount = portIn(output.readLine());
            tcp = portIn(output.readLine());
            return started;
        }

        private static String portIn(String line) {
            String address = line.split(" ", -1)[1];
            return address.substring(address.lastIndexOf(':') + 1);
        }

        /** Waits until a command has transferred a part of a file. */
        void killAndRestart(Path growing, CompletableFuture<Outcome> command) throws Exception {
            while (longest(growing) < LENGTH / 3 && !command.isDone()) {
                Thread.sleep(1);
            }
            process.destroyForcibly().waitFor();
            assertThat(command.getNow(null)).as("what the command says").isNull();
            process = start();
        }

        private static long longest(Path directory) throws IOException {
            try (Stream<Path> files = Files.list(directory)) {
                Optional<Path> file = files.filter(Files::isRegularFile).findFirst();
                return file.isPresent() ? Files.size(file.get()) : 0;
            }
        }

        @Override
        public void close() {
            process.destroyForcibly().onExit().join();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.emplace.rpc.CuttingProxy;
import org.emplace.samples.nfs.client.command.ServedExport.Outcome;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A command whose connection is cut at any operation of the server's store, that is interrupted there, or finds an error or a full disk, leaves
 * each file as it was or as it should be, and says which. Done again, it completes. {@code -Dsteps.tries=N} tries more operations, {@code
 * -Dsteps.seed=N} repeats the choice of a failure.
 */
@Timeout(3600)
class CutCommandsTest {
    private static final int TRIES = Integer.getInteger("steps.tries", 10);
    private static final String SMALL_TRANSFERS = "?rsize=8192&wsize=8192";
    private static final byte[] BIG = ServedExport.randomBytes(100_000);
    private static final byte[] OLD_BIG = ServedExport.randomBytes(90_000);

    @TempDir
    private Path temporary;

    private final FailingStores stores = new FailingStores();
    private int round;

    private enum Trouble {
        CUT,
        INTERRUPTED,
        FAILED,
        FULL
    }

    /** A directory on the server and one on this machine, in one of which is a tree that the other is made a copy of. */
    private final class Trees {
        final Path source;
        final Path target;
        final String from;
        final String to;

        Trees(ServedExport served, int port, boolean toServer) throws Exception {
            String name = "/" + round++;
            Path local = Files.createDirectory(temporary.resolve("local" + name));
            Path remote = Files.createDirectory(Path.of(served.directory + name));
            String url = served.url(port, name + SMALL_TRANSFERS);
            source = toServer ? local : remote;
            target = toServer ? remote : local;
            from = toServer ? local.toString() : url;
            to = toServer ? url : local.toString();

            Files.writeString(source.resolve("same"), "same");
            Files.writeString(target.resolve("same"), "same");
            Files.setLastModifiedTime(target.resolve("same"), Files.getLastModifiedTime(source.resolve("same")));
            Files.writeString(source.resolve("other"), "new");
            Files.writeString(target.resolve("other"), "older");
            Files.write(source.resolve("big"), BIG);
            Files.write(target.resolve("big"), OLD_BIG);
            Files.createDirectories(source.resolve("d/e"));
            Files.writeString(source.resolve("d/e/made"), "made");
            Files.createSymbolicLink(source.resolve("link"), Path.of("other"));
            Files.createSymbolicLink(target.resolve("link"), Path.of("same"));
            Files.createDirectory(target.resolve("gone"));
            Files.writeString(target.resolve("gone/old"), "old");
            Files.writeString(target.resolve("old"), "old");
            Files.setLastModifiedTime(target.resolve("old"), FileTime.fromMillis(0));
            Files.writeString(source.resolve("wasDirectory"), "file");
            Files.createDirectory(target.resolve("wasDirectory"));
            Files.writeString(target.resolve("wasDirectory/old"), "old");
            Files.createDirectory(source.resolve("wasFile"));
            Files.writeString(source.resolve("wasFile/made"), "made");
            Files.writeString(target.resolve("wasFile"), "old");
        }

        /** Compares what is there with what may be there, whether or not the copy has succeeded. */
        void check(Outcome outcome, Trouble trouble) throws Exception {
            assertThat(content(target, "same")).isEqualTo("same");
            assertThat(content(target, "other")).isIn("new", "older");
            assertThat(content(target, "big")).isIn(text(BIG), text(OLD_BIG));
            assertThat(content(target, "link")).isIn("to other", "to same");
            assertThat(content(target, "d/e/made")).isIn("made", "nothing");
            boolean copied = Stream.of("other", "big", "d/e/made", "link")
                    .allMatch(name -> content(target, name).equals(content(source, name)));
            if (outcome.status() == 0 || !copied) {
                boolean deleted = outcome.status() == 0;
                assertThat(copied).isEqualTo(deleted);
                assertThat(content(target, "old")).isEqualTo(deleted ? "nothing" : "old");
                assertThat(content(target, "gone/old")).isEqualTo(deleted ? "nothing" : "old");
                assertThat(content(target, "wasDirectory/old")).isEqualTo(deleted ? "nothing" : "old");
                assertThat(content(target, "wasFile")).isEqualTo(deleted ? content(source, "wasFile") : "old");
            }
            boolean replaced = content(target, "wasDirectory").equals("file")
                    && content(target, "wasFile/made").equals("made");
            if (!replaced) {
                assertThat(content(target, "old")).isEqualTo("old");
                assertThat(content(target, "gone/old")).isEqualTo("old");
            }
            try (Stream<Path> all = Files.walk(target)) {
                assertThat(all).noneMatch(path -> path.toString().endsWith(".part") && !mayBeLate(path, trouble));
            }
        }
    }

    /** Whether an empty file may come from a CREATE that the server runs after the command has been interrupted, and has removed the file. */
    private static boolean mayBeLate(Path file, Trouble trouble) {
        return trouble == Trouble.INTERRUPTED && file.toFile().length() == 0;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static String content(Path directory, String name) {
        Path file = directory.resolve(name);
        try {
            return Files.isSymbolicLink(file)
                    ? "to " + Files.readSymbolicLink(file)
                    : Files.exists(file, LinkOption.NOFOLLOW_LINKS) ? text(Files.readAllBytes(file)) : "nothing";
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static Map<String, String> contents(Path directory) throws Exception {
        Map<String, String> all = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.toList()) {
                String name = directory.relativize(path).toString();
                all.put(name, Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) ? "" : content(directory, name));
            }
        }
        return all;
    }

    @ParameterizedTest
    @CsvSource({"tcp, true", "tcp, false", "rdma, true", "rdma, false"})
    void aCopyThatIsCutAtAnyStepLeavesEachFileWhole(String protocol, boolean toServer) throws Exception {
        Files.createDirectory(temporary.resolve("local"));
        long seed = Long.getLong("steps.seed", System.nanoTime());
        Random random = new Random(seed);
        try (ServedExport served = new ServedExport(protocol, temporary, stores.opener());
                CuttingProxy proxy = new CuttingProxy(served.port())) {
            int port = proxy.address(protocol).getPort();
            Trees first = new Trees(served, port, toServer);
            stores.begin(Integer.MAX_VALUE, operation -> {});
            served.runSilently("sync", "--delete", first.from, first.to);
            int operations = stores.end();
            first.check(new Outcome(0, "", ""), Trouble.CUT);
            for (int at : chosen(random, operations)) {
                for (Trouble trouble : Trouble.values()) {
                    Trees trees = new Trees(served, port, toServer);
                    Map<String, String> before = contents(trees.source);
                    Outcome outcome =
                            run(at, trouble, proxy, () -> served.run("sync", "--delete", trees.from, trees.to));
                    String what = "-Dsteps.seed=%d, %s, operation %d of %d: %s"
                            .formatted(seed, trouble, at, operations, outcome);
                    describing(what, () -> trees.check(outcome, trouble));
                    assertThat(contents(trees.source)).as(what).isEqualTo(before);
                    if (trouble == Trouble.CUT) {
                        assertThat(outcome.status()).as(what).isZero();
                    }
                    Outcome again = served.run("sync", "--delete", trees.from, trees.to);
                    assertThat(again).as(what).isEqualTo(new Outcome(0, "", ""));
                    assertThat(contents(trees.target)).as(what).isEqualTo(before);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"tcp", "rdma"})
    void aMoveThatIsCutAtAnyStepLosesNothing(String protocol) throws Exception {
        try (ServedExport served = new ServedExport(protocol, temporary, stores.opener());
                CuttingProxy proxy = new CuttingProxy(served.port())) {
            int port = proxy.address(protocol).getPort();
            int operations = 0;
            for (int at = 0; at <= operations; at++) {
                for (Trouble trouble : Trouble.values()) {
                    // Each has a directory of its own: the server may run the RENAME of an interrupted command late.
                    String name = "/" + round++;
                    Path directory = Files.createDirectory(Path.of(served.directory + name));
                    Files.createDirectory(directory.resolve("d"));
                    Files.writeString(directory.resolve("d/f"), "moved");
                    Files.writeString(directory.resolve("g"), "replaced");
                    Outcome outcome = run(
                            at,
                            trouble,
                            proxy,
                            () -> served.run("mv", served.url(port, name + "/d/f"), served.url(port, name + "/g")));
                    operations = at == 0 ? stores.end() : operations;
                    String what = trouble + ", operation " + at + ": " + outcome;
                    List<String> found = List.of(content(directory, "d/f"), content(directory, "g"));
                    List<String> before = List.of("moved", "replaced");
                    List<String> after = List.of("nothing", "moved");
                    // If the server runs the RENAME between the two looks:
                    List<String> late = List.of("moved", "moved");
                    assertThat(found)
                            .as(what)
                            .isIn(
                                    trouble == Trouble.INTERRUPTED
                                            ? List.of(before, after, late)
                                            : List.of(before, after));
                    if (outcome.status() == 0) {
                        assertThat(content(directory, "g")).as(what).isEqualTo("moved");
                    }
                    if (trouble == Trouble.CUT || at == 0) {
                        assertThat(outcome.status()).as(what).isZero();
                    }
                }
            }
        }
    }

    /** The WRITEs in flight are more than one of them carries. */
    @ParameterizedTest
    @CsvSource({"tcp", "rdma"})
    void aFileArrivesOverConnectionsThatCarryLittleEach(String protocol) throws Exception {
        try (ServedExport served = new ServedExport(protocol, temporary);
                CuttingProxy proxy = new CuttingProxy(served.port())) {
            proxy.cutWithin(200_000, 4225); // the first two carry less than the file
            Path file = Files.write(temporary.resolve("big"), BIG);
            int port = proxy.address(protocol).getPort();
            Outcome outcome = served.run("cp", file.toString(), served.url(port, "/big" + SMALL_TRANSFERS));
            assertThat(outcome.status()).as(outcome.toString()).isZero();
            assertThat(served.directory.resolve("big")).hasBinaryContent(BIG);
            assertThat(proxy.cuts()).isGreaterThanOrEqualTo(2);
        }
    }

    private static Set<Integer> chosen(Random random, int operations) {
        Set<Integer> chosen = new TreeSet<>();
        for (int i = 1; i <= operations; i++) {
            chosen.add(i);
        }
        while (chosen.size() > TRIES) {
            chosen.remove(1 + random.nextInt(operations));
        }
        return chosen;
    }

    /** Runs a command, with trouble at an operation. */
    private Outcome run(int at, Trouble trouble, CuttingProxy proxy, Callable<Outcome> command) throws Exception {
        FutureTask<Outcome> task = new FutureTask<>(command);
        Thread thread = new Thread(task);
        stores.begin(at, operation -> {
            switch (trouble) {
                case CUT -> proxy.cut();
                case INTERRUPTED -> thread.interrupt();
                case FULL -> stores.fill();
                default -> throw new StoreException(Failure.IO, "the disk fails");
            }
        });
        thread.start();
        Outcome outcome = task.get();
        if (trouble == Trouble.INTERRUPTED) {
            stores.awaitQuiet(); // The server may run its last calls late.
        }
        stores.end();
        return outcome;
    }

    /** A check that throws. */
    @FunctionalInterface
    private interface Check {
        void run() throws Exception;
    }

    private static void describing(String what, Check check) throws Exception {
        try {
            check.run();
        } catch (AssertionError e) {
            throw new AssertionError(what, e);
        }
    }
}

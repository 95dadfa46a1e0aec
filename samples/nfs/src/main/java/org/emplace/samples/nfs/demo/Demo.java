// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.client.command.CallStatistics;
import org.emplace.samples.nfs.client.command.Failures;
import org.emplace.samples.nfs.client.command.MountSettings;
import org.emplace.samples.nfs.client.command.Mounts;
import org.emplace.samples.nfs.client.command.Output;
import org.emplace.samples.nfs.client.command.Progress;
import org.emplace.samples.nfs.client.copy.TreeCopy;
import org.emplace.samples.nfs.client.files.FileNames;
import org.emplace.xdr.XdrString;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Copies files and trees to a server and back over the same connection, and compares every byte. */
@Command(
        name = "demo",
        description = "Copies files to a server and back, and compares them.",
        mixinStandardHelpOptions = true)
public final class Demo implements Callable<Integer> {
    private static final int MOST_DIFFERENCES_SHOWN = 20;

    @Parameters(
            index = "0",
            paramLabel = "URL",
            converter = MountSettings.Url.class,
            description = "Directory on the server.")
    private @Nullable RemotePath to;

    @Parameters(
            index = "1",
            paramLabel = "DIRECTORY",
            description = "Local directory for the files that are copied back.")
    private Path back = Path.of("");

    @Parameters(index = "2..*", arity = "1..*", paramLabel = "SOURCE", description = "Files or directories to copy.")
    private List<Path> sources = new ArrayList<>();

    @Mixin
    private MountSettings settings = new MountSettings();

    private final Failures failures = new Failures("demo");

    /** Runs the demonstration. The exit status is 0 only if every byte is equal. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Demo()).execute(args));
    }

    @Override
    public Integer call() throws InterruptedException {
        RemotePath directory = Objects.requireNonNull(to);
        CallStatistics calls = new CallStatistics();
        failures.attempt(directory, () -> {
            try (Mounts mounts = new Mounts(settings, calls)) {
                for (Path source : sources) {
                    roundTrip(source.toRealPath(), mounts.path(directory));
                }
            }
        });
        System.out.println();
        System.out.print(calls.table());
        System.out.flush();
        return failures.exitStatus();
    }

    private void roundTrip(Path source, Path directory) throws IOException, InterruptedException {
        XdrString name = FileNames.of(source.getFileName());
        Path remote = FileNames.in(directory, name);
        Path copy = FileNames.in(back, name);
        TreeDigest sent = TreeDigest.of(source);
        timed("put", source, sent, source, remote);
        timed("get", source, sent, remote, copy);
        compare(source, sent, TreeDigest.of(copy));
    }

    private void timed(String direction, Path source, TreeDigest sent, Path from, Path to) throws InterruptedException {
        long start = System.nanoTime();
        try (Progress progress = new Progress(failures, Output.errorsGoToTerminal());
                TreeCopy copy = new TreeCopy(progress, Set.of(TreeCopy.Option.RECURSIVE))) {
            copy.copy(from, to);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "%s  %-28s %,6d %-5s %8.1f MB in %5.2f s  %7.1f MB/s%n",
                direction,
                source.getFileName(),
                sent.files(),
                sent.files() == 1 ? "file" : "files",
                sent.bytes() / 1e6,
                seconds,
                sent.bytes() / 1e6 / seconds);
    }

    private void compare(Path source, TreeDigest sent, TreeDigest received) {
        List<String> differences = sent.differences(received);
        if (differences.isEmpty()) {
            System.out.printf(
                    Locale.ROOT,
                    "same %-28s %,6d %-5s SHA-256 equal%n",
                    source.getFileName(),
                    sent.files(),
                    sent.files() == 1 ? "file" : "files");
            return;
        }
        differences.stream()
                .limit(MOST_DIFFERENCES_SHOWN)
                .forEach(difference -> failures.report(source.toString(), new IOException(difference)));
        if (differences.size() > MOST_DIFFERENCES_SHOWN) {
            failures.report(
                    source.toString(),
                    new IOException("and " + (differences.size() - MOST_DIFFERENCES_SHOWN) + " more differences"));
        }
    }
}

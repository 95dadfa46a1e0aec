// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.emplace.samples.nfs.client.CallStatistics;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.NfsMount;
import org.emplace.samples.nfs.client.RemoteName;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.client.Upload;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code nfs put}. */
@Command(
        name = "put",
        description = "Copies a file to the server, with its mode and times.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class Put implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "LOCAL", description = "What to copy.")
    private Path from = Path.of("");

    @Parameters(
            index = "1",
            paramLabel = "URL",
            converter = MountSettings.Url.class,
            description = "The copy's name, or a directory to put it into.")
    private @Nullable RemotePath to;

    @Mixin
    private CopySettings copying = new CopySettings();

    @Mixin
    private MountSettings settings = new MountSettings();

    @Override
    public Integer call() throws InterruptedException {
        RemotePath place = Objects.requireNonNull(to);
        Failures failures = new Failures("put");
        CallStatistics calls = new CallStatistics();
        try (Progress progress = copying.progress(failures)) {
            // The file's name is to stand in the message where the file is at fault, the URL where the server is.
            failures.attempt(from, () -> {
                Path source = copying.recursive() ? from.toAbsolutePath().normalize() : from.toRealPath();
                if (Files.isDirectory(source) && !copying.recursive()) {
                    throw new NfsException(Nfsstat3.NFS3ERR_ISDIR);
                }
                failures.attempt(place, () -> {
                    try (NfsMount mount = NfsMount.of(place, settings.options(calls))) {
                        put(mount, source, place, progress);
                    }
                });
            });
        }
        copying.print(calls);
        return failures.exitStatus();
    }

    private static void put(NfsMount mount, Path source, RemotePath place, Progress progress)
            throws IOException, InterruptedException {
        try (Upload upload = new Upload(mount, progress)) {
            if (mount.isDirectory(place)) {
                upload.copy(source, mount.find(place, true).handle(), RemoteName.of(source.getFileName()));
            } else {
                upload.copy(source, mount.directoryOf(place), place.name());
            }
        }
    }
}

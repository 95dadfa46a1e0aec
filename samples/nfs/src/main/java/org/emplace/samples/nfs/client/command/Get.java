// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.emplace.samples.nfs.client.CallStatistics;
import org.emplace.samples.nfs.client.Download;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.NfsMount;
import org.emplace.samples.nfs.client.RemoteName;
import org.emplace.samples.nfs.client.RemoteNode;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code nfs get}. */
@Command(
        name = "get",
        description =
                "Copies a file from the server, with its mode and times. It appears under its name when it is complete.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class Get implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "URL", converter = MountSettings.Url.class, description = "What to copy.")
    private @Nullable RemotePath from;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "LOCAL",
            defaultValue = ".",
            description = "The copy's name, or a directory to put it into (default: the working directory).")
    private Path to = Path.of(".");

    @Mixin
    private CopySettings copying = new CopySettings();

    @Mixin
    private MountSettings settings = new MountSettings();

    @Override
    public Integer call() throws InterruptedException {
        RemotePath place = Objects.requireNonNull(from);
        Failures failures = new Failures("get");
        CallStatistics calls = new CallStatistics();
        try (Progress progress = copying.progress(failures)) {
            failures.attempt(place, () -> {
                try (NfsMount mount = NfsMount.of(place, settings.options(calls))) {
                    get(mount, place, progress);
                }
            });
        }
        copying.print(calls);
        return failures.exitStatus();
    }

    private void get(NfsMount mount, RemotePath place, Progress progress) throws IOException, InterruptedException {
        RemoteNode node = mount.find(place, !copying.recursive());
        if (node.isDirectory() && !copying.recursive()) {
            throw new NfsException(Nfsstat3.NFS3ERR_ISDIR);
        }
        Path target = Files.isDirectory(to) && !place.components().isEmpty() ? RemoteName.in(to, place.name()) : to;
        try (Download download = new Download(mount, progress)) {
            download.copy(place, node, target);
        }
    }
}

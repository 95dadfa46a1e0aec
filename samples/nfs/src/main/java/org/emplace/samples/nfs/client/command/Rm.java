// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.NfsMount;
import org.emplace.samples.nfs.client.RemoteNode;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.client.Removal;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nfs rm}. */
@Command(name = "rm", description = "Removes files.", mixinStandardHelpOptions = true, sortOptions = false)
final class Rm implements Callable<Integer> {

    @Parameters(
            arity = "1..*",
            paramLabel = "URL",
            converter = MountSettings.Url.class,
            description = "Files to remove.")
    private List<RemotePath> places = new ArrayList<>();

    @Option(names = "-r", description = "Also directories, with everything in them.")
    private boolean recursive;

    @Mixin
    private MountSettings settings = new MountSettings();

    @Override
    public Integer call() throws InterruptedException {
        Failures failures = new Failures("rm");
        try (Mounts mounts = new Mounts(settings.options())) {
            for (RemotePath place : places) {
                failures.attempt(place, () -> remove(mounts.of(place), place));
            }
        }
        return failures.exitStatus();
    }

    private void remove(NfsMount mount, RemotePath place) throws IOException, InterruptedException {
        NfsFh3 directory = mount.directoryOf(place);
        RemoteNode node = mount.files().lookup(directory, place.name());
        if (node.isDirectory() && !recursive) {
            throw new NfsException(Nfsstat3.NFS3ERR_ISDIR);
        }
        new Removal(mount).remove(directory, place.name(), node);
    }
}

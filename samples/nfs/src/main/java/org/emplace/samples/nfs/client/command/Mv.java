// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.NfsMount;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.xdr.XdrString;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code nfs mv}. */
@Command(
        name = "mv",
        description = "Renames a file, or moves files into a directory, within one export.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class Mv implements Callable<Integer> {

    @Parameters(
            arity = "2..*",
            paramLabel = "URL",
            converter = MountSettings.Url.class,
            description = "What to move, and last the new name or the directory to move into.")
    private List<RemotePath> places = new ArrayList<>();

    @Mixin
    private MountSettings settings = new MountSettings();

    @Override
    public Integer call() throws InterruptedException {
        Failures failures = new Failures("mv");
        RemotePath target = places.get(places.size() - 1);
        try (Mounts mounts = new Mounts(settings.options())) {
            for (RemotePath place : places.subList(0, places.size() - 1)) {
                failures.attempt(place, () -> move(mounts.of(place), place, target));
            }
        }
        return failures.exitStatus();
    }

    private void move(NfsMount mount, RemotePath place, RemotePath target) throws IOException, InterruptedException {
        if (!mount.holds(target)) {
            throw new NfsException(Nfsstat3.NFS3ERR_XDEV);
        }
        NfsFh3 from = mount.directoryOf(place);
        boolean into = mount.isDirectory(target);
        if (!into && places.size() > 2) {
            throw new IOException("'" + target + "' is not a directory to move into");
        }
        NfsFh3 to = into ? mount.find(target, true).handle() : mount.directoryOf(target);
        XdrString name = into ? place.name() : target.name();
        mount.files().rename(from, place.name(), to, name);
    }
}

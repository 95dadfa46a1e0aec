// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.NfsMount;
import org.emplace.samples.nfs.client.RemoteAttributes;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nfs mkdir}. */
@Command(name = "mkdir", description = "Creates directories.", mixinStandardHelpOptions = true, sortOptions = false)
final class Mkdir implements Callable<Integer> {
    private static final long MODE = 0755;

    @Parameters(
            arity = "1..*",
            paramLabel = "URL",
            converter = MountSettings.Url.class,
            description = "Directories to create.")
    private List<RemotePath> places = new ArrayList<>();

    @Option(names = "-p", description = "Also those above them; a directory that is there already is no error.")
    private boolean parents;

    @Mixin
    private MountSettings settings = new MountSettings();

    @Override
    public Integer call() throws InterruptedException {
        Failures failures = new Failures("mkdir");
        try (Mounts mounts = new Mounts(settings.options())) {
            for (RemotePath place : places) {
                failures.attempt(place, () -> {
                    NfsMount mount = mounts.of(place);
                    if (parents) {
                        createWithParents(mount, place);
                    } else {
                        create(mount, place);
                    }
                });
            }
        }
        return failures.exitStatus();
    }

    private static void create(NfsMount mount, RemotePath place) throws IOException, InterruptedException {
        mount.files().createDirectory(mount.directoryOf(place), place.name(), RemoteAttributes.mode(MODE));
    }

    private static void createWithParents(NfsMount mount, RemotePath place) throws IOException, InterruptedException {
        try {
            if (!mount.find(place, true).isDirectory()) {
                throw new NfsException(Nfsstat3.NFS3ERR_EXIST);
            }
        } catch (NfsException e) {
            if (e.status() != Nfsstat3.NFS3ERR_NOENT) {
                throw e;
            }
            createWithParents(mount, place.parent());
            create(mount, place);
        }
    }
}

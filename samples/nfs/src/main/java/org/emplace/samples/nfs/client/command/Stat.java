// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.emplace.samples.nfs.client.NfsMount;
import org.emplace.samples.nfs.client.RemoteAttributes;
import org.emplace.samples.nfs.client.RemoteNode;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.Ftype3;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code nfs stat}. */
@Command(
        name = "stat",
        description = "Shows the attributes of files.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class Stat implements Callable<Integer> {

    @Parameters(
            arity = "1..*",
            paramLabel = "URL",
            converter = MountSettings.Url.class,
            description = "Files of any type.")
    private List<RemotePath> places = new ArrayList<>();

    @Mixin
    private MountSettings settings = new MountSettings();

    @Override
    public Integer call() throws InterruptedException {
        Failures failures = new Failures("stat");
        try (Mounts mounts = new Mounts(settings.options())) {
            for (RemotePath place : places) {
                failures.attempt(place, () -> show(mounts.of(place), place));
            }
        }
        System.out.flush();
        return failures.exitStatus();
    }

    private static void show(NfsMount mount, RemotePath place) throws IOException, InterruptedException {
        RemoteNode node = mount.find(place, false);
        Fattr3 attributes = node.attributes();
        System.out.println("  File: " + place);
        if (node.isSymbolicLink()) {
            System.out.print("  Link: ");
            Output.print(mount.files().readLink(node.handle()));
            System.out.println();
        }
        System.out.printf(
                Locale.ROOT,
                "  Type: %s   Size: %s   Used: %s%n",
                text(attributes.type()),
                Long.toUnsignedString(attributes.size()),
                Long.toUnsignedString(attributes.used()));
        System.out.printf(
                Locale.ROOT,
                "  Mode: %04o (%s)   Links: %d   Uid: %d   Gid: %d%n",
                attributes.mode() & 07777,
                ModeText.of(attributes),
                attributes.nlink(),
                attributes.uid(),
                attributes.gid());
        System.out.printf(
                Locale.ROOT,
                "    Id: %s   File system: %x%n",
                Long.toUnsignedString(attributes.fileid()),
                attributes.fsid());
        System.out.println("Access: " + RemoteAttributes.instant(attributes.atime()));
        System.out.println("Modify: " + RemoteAttributes.instant(attributes.mtime()));
        System.out.println("Change: " + RemoteAttributes.instant(attributes.ctime()));
    }

    private static String text(Ftype3 type) {
        return switch (type) {
            case NF3REG -> "regular file";
            case NF3DIR -> "directory";
            case NF3BLK -> "block device";
            case NF3CHR -> "character device";
            case NF3LNK -> "symbolic link";
            case NF3SOCK -> "socket";
            case NF3FIFO -> "named pipe";
        };
    }
}

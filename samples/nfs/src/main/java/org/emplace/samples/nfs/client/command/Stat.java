// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.client.files.FileNames;
import org.emplace.samples.nfs.client.files.NfsFileAttributes;
import org.emplace.samples.nfs.protocol.Fattr3;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
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

    @Option(names = "--json", description = "Print one JSON object per file.")
    private boolean json;

    @Mixin
    private MountSettings settings = new MountSettings();

    @Override
    public Integer call() throws IOException, InterruptedException {
        return Mounts.forEach(settings, "stat", places, (file, failures) -> show(file));
    }

    private void show(Path path) throws IOException {
        FileFacts facts = FileFacts.of(path);
        if (json) {
            System.out.println(facts.json());
            return;
        }
        NfsFileAttributes attributes = facts.attributes();
        Fattr3 nfs = attributes.nfs();
        System.out.println("  File: " + FileNames.text(path));
        if (attributes.isSymbolicLink()) {
            System.out.print("  Link: ");
            Output.print(FileNames.targetOf(path));
            System.out.println();
        }
        System.out.printf(
                Locale.ROOT,
                "  Type: %s   Size: %s   Used: %s%n",
                facts.type(),
                Long.toUnsignedString(nfs.size()),
                Long.toUnsignedString(nfs.used()));
        System.out.printf(
                Locale.ROOT,
                "  Mode: %04o (%s)   Links: %d   Uid: %d   Gid: %d%n",
                attributes.mode() & 07777,
                ModeText.of(attributes.mode()),
                nfs.nlink(),
                nfs.uid(),
                nfs.gid());
        System.out.printf(
                Locale.ROOT, "    Id: %s   File system: %x%n", Long.toUnsignedString(nfs.fileid()), nfs.fsid());
        System.out.println("Access: " + attributes.lastAccessTime());
        System.out.println("Modify: " + attributes.lastModifiedTime());
        System.out.println("Change: " + attributes.lastChangeTime());
    }
}

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
        Failures failures = new Failures("stat");
        try (Mounts mounts = new Mounts(settings)) {
            for (RemotePath place : places) {
                failures.attempt(place, () -> show(mounts.path(place), place));
            }
        }
        System.out.flush();
        return failures.exitStatus();
    }

    private void show(Path path, RemotePath place) throws IOException {
        FileFacts facts = FileFacts.of(path);
        if (json) {
            System.out.println(facts.json());
            return;
        }
        int mode = facts.mode();
        System.out.println("  File: " + place);
        if (facts.isSymbolicLink()) {
            System.out.print("  Link: ");
            Output.print(FileNames.targetOf(path));
            System.out.println();
        }
        System.out.printf(
                Locale.ROOT,
                "  Type: %s   Size: %s   Used: %s%n",
                ModeText.type(mode),
                Long.toUnsignedString(facts.size()),
                Long.toUnsignedString(facts.used()));
        System.out.printf(
                Locale.ROOT,
                "  Mode: %04o (%s)   Links: %d   Uid: %s   Gid: %s%n",
                mode & 07777,
                ModeText.of(mode),
                facts.links(),
                facts.owner(),
                facts.group());
        System.out.printf(
                Locale.ROOT,
                "    Id: %s   File system: %x%n",
                Long.toUnsignedString(facts.fileId()),
                facts.fileSystemId());
        System.out.println("Access: " + facts.accessed());
        System.out.println("Modify: " + facts.modified());
        System.out.println("Change: " + facts.changed());
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.emplace.samples.nfs.client.DirectoryReader.Entry;
import org.emplace.samples.nfs.client.NfsMount;
import org.emplace.samples.nfs.client.RemoteAttributes;
import org.emplace.samples.nfs.client.RemoteNode;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.protocol.Fattr3;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nfs ls}. */
@Command(name = "ls", description = "Lists directories.", mixinStandardHelpOptions = true, sortOptions = false)
final class Ls implements Callable<Integer> {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneId.systemDefault());

    @Parameters(
            arity = "1..*",
            paramLabel = "URL",
            converter = MountSettings.Url.class,
            description = "Directories or files.")
    private List<RemotePath> places = new ArrayList<>();

    @Option(names = "-l", description = "With modes, owners, sizes and times.")
    private boolean detailed;

    @Option(names = "-a", description = "Also names that begin with a dot.")
    private boolean all;

    @Mixin
    private MountSettings settings = new MountSettings();

    @Override
    public Integer call() throws InterruptedException {
        Failures failures = new Failures("ls");
        try (Mounts mounts = new Mounts(settings.options())) {
            for (RemotePath place : places) {
                failures.attempt(place, () -> list(mounts.of(place), place));
            }
        }
        System.out.flush();
        return failures.exitStatus();
    }

    private void list(NfsMount mount, RemotePath place) throws IOException, InterruptedException {
        RemoteNode node = mount.find(place, !detailed);
        if (!node.isDirectory()) {
            print(mount, new Entry(place.name(), node));
            return;
        }
        if (places.size() > 1) {
            System.out.println(place + ":");
        }
        List<Entry> entries = new ArrayList<>(mount.directories().list(node.handle()));
        entries.removeIf(entry -> !all && entry.name().bytes()[0] == '.');
        entries.sort(Comparator.comparing(Entry::name));
        for (Entry entry : entries) {
            print(mount, entry);
        }
    }

    private void print(NfsMount mount, Entry entry) throws IOException, InterruptedException {
        if (detailed) {
            Fattr3 attributes = entry.node().attributes();
            System.out.printf(
                    Locale.ROOT,
                    "%s %3d %5d %5d %12s %s ",
                    ModeText.of(attributes),
                    attributes.nlink(),
                    attributes.uid(),
                    attributes.gid(),
                    Long.toUnsignedString(attributes.size()),
                    TIME.format(RemoteAttributes.instant(attributes.mtime())));
        }
        Output.print(entry.name());
        if (detailed && entry.node().isSymbolicLink()) {
            System.out.print(" -> ");
            Output.print(mount.files().readLink(entry.node().handle()));
        }
        System.out.println();
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.client.files.FileNames;
import org.emplace.samples.nfs.client.files.NfsFileAttributes;
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

    @Option(names = "-l", description = "Show modes, owners, sizes and times.")
    private boolean detailed;

    @Option(names = "-a", description = "Include names that begin with a dot.")
    private boolean all;

    @Option(names = "--json", description = "Print one JSON object per file.")
    private boolean json;

    @Mixin
    private MountSettings settings = new MountSettings();

    @Override
    public Integer call() throws IOException, InterruptedException {
        return Mounts.forEach(settings, "ls", places, (file, failures) -> list(file));
    }

    private void list(Path path) throws IOException {
        LinkOption[] links = detailed || json ? new LinkOption[] {LinkOption.NOFOLLOW_LINKS} : new LinkOption[0];
        if (!Files.readAttributes(path, BasicFileAttributes.class, links).isDirectory()) {
            print(path);
            return;
        }
        if (places.size() > 1 && !json) {
            System.out.println(FileNames.text(path) + ":");
        }
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(path, entry -> all || !Files.isHidden(entry))) {
            found.forEach(entries::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        Collections.sort(entries);
        for (Path entry : entries) {
            print(entry);
        }
    }

    private void print(Path path) throws IOException {
        if (!detailed && !json) {
            Output.print(FileNames.of(Objects.requireNonNullElse(path.getFileName(), path)));
            System.out.println();
            return;
        }
        FileFacts facts = FileFacts.of(path);
        if (json) {
            System.out.println(facts.json());
            return;
        }
        // Not by String.format, which would parse its format again for each of thousands of files.
        NfsFileAttributes attributes = facts.attributes();
        System.out.print(ModeText.of(attributes.mode())
                + padded(attributes.nfs().nlink(), 4)
                + padded(attributes.nfs().uid(), 6)
                + padded(attributes.nfs().gid(), 6)
                + padded(attributes.nfs().size(), 13)
                + " " + TIME.format(attributes.lastModifiedTime().toInstant()) + " ");
        facts.printName();
        System.out.println();
    }

    /** Aligns an unsigned number to the right of a column, after at least one space. */
    private static String padded(long number, int width) {
        String text = Long.toUnsignedString(number);
        return " ".repeat(Math.max(1, width - text.length())) + text;
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.emplace.samples.nfs.server.DescriptorBudget;
import org.emplace.samples.nfs.server.StoreKind;
import org.emplace.samples.nfs.server.export.ExportArgument;
import org.emplace.samples.nfs.server.export.ExportDefinition;
import org.emplace.samples.nfs.server.export.ExportDefinition.ExportSyntaxException;
import org.emplace.samples.nfs.server.export.Exports;
import org.emplace.samples.nfs.server.export.ExportsFile;
import org.emplace.samples.nfs.server.export.PrincipalMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that define what is exported, to whom, and from where. */
final class ExportSettings {
    @Option(
            names = "--export",
            paramLabel = "[URI=]DIR[:OPTION,...]",
            description =
                    "A directory with options as below, or URI=DIR: a location in another store, which clients mount as"
                            + " DIR. Can be repeated.")
    private List<String> directories = new ArrayList<>();

    @Option(
            names = "--exports",
            paramLabel = "FILE",
            description =
                    "A file of exports in the syntax of exports(5), or a directory, whose files *.exports are read."
                            + " Can be repeated.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--store",
            paramLabel = "KIND",
            description = "How directories are accessed: posix uses Linux system calls, nio uses java.nio.file"
                    + " (default: posix on Linux, else nio).")
    private StoreKind store = StoreKind.ofThisSystem();

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description =
                    "The directory with the key of the file handles and the records of clients with locks, which survive"
                            + " a restart. Each server needs its own (default: emplace-nfs in $XDG_STATE_HOME or"
                            + " ~/.local/state).")
    private @Nullable Path state;

    /**
     * All exports.
     *
     * @param warnings gets a line for each option that is ignored
     * @throws ExportSyntaxException with a line for each error, also if there are no exports
     */
    List<ExportDefinition> definitions(Consumer<String> warnings) throws IOException, ExportSyntaxException {
        List<ExportDefinition> definitions = new ArrayList<>();
        List<String> errors = new ArrayList<>();
        for (String directory : directories) {
            try {
                definitions.add(ExportArgument.parse(directory, warnings));
            } catch (ExportSyntaxException e) {
                errors.add(e.getMessage());
            }
        }
        for (Path file : filesToRead()) {
            try {
                definitions.addAll(ExportsFile.read(file, warnings));
            } catch (ExportSyntaxException e) {
                errors.add(e.getMessage());
            } catch (NoSuchFileException e) {
                errors.add(file + ": no such file");
            }
        }
        if (state == null && usualState().isEmpty()) {
            errors.add("this user has no home directory for the server's state; give --state DIR");
        }
        if (errors.isEmpty() && definitions.isEmpty()) {
            errors.add("nothing to export: give --export DIR or --exports FILE");
        }
        if (!errors.isEmpty()) {
            throw new ExportSyntaxException(String.join("\n", errors));
        }
        return definitions;
    }

    private List<Path> filesToRead() throws IOException {
        List<Path> all = new ArrayList<>();
        for (Path file : files) {
            if (Files.isDirectory(file)) {
                try (Stream<Path> found = Files.list(file)) {
                    found.filter(member -> member.getFileName().toString().matches("[^.].*\\.exports"))
                            .sorted()
                            .forEach(all::add);
                }
            } else {
                all.add(file);
            }
        }
        return all;
    }

    Exports open(List<ExportDefinition> definitions, DescriptorBudget descriptors, PrincipalMap principals)
            throws IOException {
        return Exports.open(definitions, stateFolder(), store.opener(definitions.size(), descriptors), principals);
    }

    /** The folder of {@code --state}. Only if there are {@link #definitions}. */
    Path stateFolder() {
        return state == null ? usualState().orElseThrow() : state;
    }

    private static Optional<Path> usualState() {
        return usualState(System.getenv(), System.getProperty("user.home"));
    }

    /** The folder for data that survives a user's server, by the XDG Base Directory Specification. Empty if the user has no home directory. */
    static Optional<Path> usualState(Map<String, String> environment, String userHome) {
        @Nullable String home = environment.get("XDG_STATE_HOME");
        Path folder = home != null && Path.of(home).isAbsolute() ? Path.of(home) : Path.of(userHome, ".local", "state");
        return folder.isAbsolute() ? Optional.of(folder.resolve("emplace-nfs")) : Optional.empty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.command;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.emplace.samples.nfs.server.StoreKind;
import org.emplace.samples.nfs.server.export.ExportArgument;
import org.emplace.samples.nfs.server.export.ExportDefinition;
import org.emplace.samples.nfs.server.export.ExportSyntaxException;
import org.emplace.samples.nfs.server.export.Exports;
import org.emplace.samples.nfs.server.export.ExportsFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what is exported, to whom and from where. */
final class ExportSettings {
    @Option(
            names = "--export",
            paramLabel = "[URI=]DIR[:OPTION,...]",
            description =
                    "A directory, with the options below, or what a URI of another store names, as a directory that clients"
                            + " know it as; can be repeated.")
    private List<String> directories = new ArrayList<>();

    @Option(
            names = "--exports",
            paramLabel = "FILE",
            description = "A file of exports in the syntax of exports(5); can be repeated.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--store",
            paramLabel = "KIND",
            description = "How directories are accessed: posix, by system calls, or nio, by what every Java has"
                    + " (default: posix on Linux, else nio).")
    private StoreKind store = StoreKind.ofThisSystem();

    @Option(
            names = "--state",
            paramLabel = "DIR",
            description =
                    "Where the key of the file handles is kept, so that they outlive the server. Each server needs one"
                            + " of its own (default: emplace-nfs in $XDG_STATE_HOME or ~/.local/state).")
    private @Nullable Path state;

    /**
     * All that is to be exported.
     *
     * @throws ExportSyntaxException also if that is nothing
     */
    List<ExportDefinition> definitions() throws IOException, ExportSyntaxException {
        List<ExportDefinition> definitions = new ArrayList<>();
        for (String directory : directories) {
            definitions.add(ExportArgument.parse(directory));
        }
        for (Path file : files) {
            definitions.addAll(read(file));
        }
        if (definitions.isEmpty()) {
            throw new ExportSyntaxException("nothing to export: give --export DIR or --exports FILE");
        }
        return definitions;
    }

    private static List<ExportDefinition> read(Path file) throws IOException, ExportSyntaxException {
        try {
            return ExportsFile.read(file);
        } catch (NoSuchFileException e) {
            throw new IOException(file + ": no such file", e);
        }
    }

    Exports open(List<ExportDefinition> definitions) throws IOException {
        return Exports.open(
                definitions, state == null ? StateFolder.of(System.getenv()) : state, store.opener(definitions.size()));
    }
}

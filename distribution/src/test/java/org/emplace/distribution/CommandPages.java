// SPDX-License-Identifier: Apache-2.0
package org.emplace.distribution;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.emplace.compiler.cli.Xdrc;
import org.emplace.samples.nfs.client.command.Nfs;
import org.emplace.samples.nfs.server.command.NfsServerCommand;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/** Writes the manual pages of the distributed commands, as AsciiDoc, and the scripts by which a shell completes their arguments. */
final class CommandPages {
    private CommandPages() {}

    /** {@code arguments} is the folder to write to. */
    public static void main(String[] arguments) throws IOException {
        Path pages = Path.of(arguments[0]);
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        for (CommandLine command : List.of(Xdrc.commandLine(out, out), Nfs.commandLine(), NfsServerCommand.commandLine())) {
            write(command, pages);
        }
    }

    private static void write(CommandLine command, Path pages) throws IOException {
        int status = ManPageGenerator.generateManPage(
                pages.toFile(), null, new boolean[0], true, command.getCommandSpec());
        if (status != CommandLine.ExitCode.OK) {
            throw new IOException("no manual page for " + command.getCommandName() + ": status " + status);
        }
        for (Path page : files(pages, ".adoc")) {
            // The heading is that of --help, which has a colon.
            Files.writeString(page, Files.readString(page).replace("==  Exit status:", "== Exit status"));
        }
        Path completions = Files.createDirectories(pages.resolve("completions"));
        Files.writeString(
                completions.resolve(command.getCommandName()), AutoComplete.bash(command.getCommandName(), command));
    }

    private static List<Path> files(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ending)).toList();
        }
    }
}

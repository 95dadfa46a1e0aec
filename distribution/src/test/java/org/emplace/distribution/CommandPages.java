// SPDX-License-Identifier: Apache-2.0
package org.emplace.distribution;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.emplace.compiler.cli.Xdrc;
import org.emplace.samples.nfs.client.command.Nfs;
import org.emplace.samples.nfs.server.command.NfsServerCommand;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/** Writes the manual pages of the distributed commands, as AsciiDoc, and the scripts by which a shell completes their arguments. */
final class CommandPages {
    private static final String NOTES = "Notes";
    /** The pages' sources have no lines that are broken within an option. */
    private static final int WIDTH = 1000;

    private static final Pattern OPTIONAL_TEXT = Pattern.compile("(?<=_[A-Z]{1,40})\\[([^\\]\\n]*)\\]");
    private static final Pattern SHORT_OPTION = Pattern.compile("^(\\*-\\w\\*),( _.*_)? *::$", Pattern.MULTILINE);
    private static final Pattern TABLE_EDGE =
            Pattern.compile("(?<=\\n\\S.{0,999})\\n(?=  \\S)|(?<=\\n  .{0,999})\\n(?=\\S)");

    private CommandPages() {}

    /** {@code arguments} is the folder to write to. */
    public static void main(String[] arguments) throws IOException {
        Path pages = Path.of(arguments[0]);
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        for (CommandLine command :
                List.of(Xdrc.commandLine(out, out), Nfs.commandLine(), NfsServerCommand.commandLine())) {
            write(command, pages);
        }
    }

    private static void write(CommandLine command, Path pages) throws IOException {
        prepare(command);
        int status =
                ManPageGenerator.generateManPage(pages.toFile(), null, new boolean[0], true, command.getCommandSpec());
        if (status != CommandLine.ExitCode.OK) {
            throw new IOException("no manual page for " + command.getCommandName() + ": status " + status);
        }
        try (Stream<Path> files = Files.list(pages)) {
            for (Path page :
                    files.filter(file -> file.toString().endsWith(".adoc")).toList()) {
                Files.writeString(page, tidied(Files.readString(page)));
            }
        }
        Path completions = Files.createDirectories(pages.resolve("completions"));
        Files.writeString(
                completions.resolve(command.getCommandName()), AutoComplete.bash(command.getCommandName(), command));
    }

    /** Gives footers a heading: the generator leaves out those that have none. */
    private static void prepare(CommandLine command) {
        UsageMessageSpec usage = command.getCommandSpec().usageMessage().width(WIDTH);
        if (usage.footer().length > 0) {
            usage.footerHeading(NOTES);
        }
        command.getSubcommands().values().forEach(CommandPages::prepare);
    }

    /**
     * Corrects the generator's output for headings with a colon, options without a long name, tables in footers, and parameters with an
     * optional part, which AsciiDoc would read as attributes. Pages of servers belong to section 8.
     */
    private static String tidied(String page) {
        String tidied = page.replace("==  Exit status:", "== Exit status").replace("nfs-server(1)", "nfs-server(8)");
        tidied = SHORT_OPTION.matcher(tidied).replaceAll("$1$2::");
        tidied = OPTIONAL_TEXT.matcher(tidied).replaceAll("{startsb}$1{endsb}");
        int notes = tidied.indexOf("== " + NOTES);
        return notes < 0
                ? tidied
                : tidied.substring(0, notes)
                        + TABLE_EDGE.matcher(tidied.substring(notes)).replaceAll("\n\n");
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.emplace.compiler.diagnostic.Diagnostic;
import picocli.CommandLine;

/**
 * The exit status of {@code xdrc}. As with most compilers, 1 means bad input and 2 wrong usage. The others continue these numbers, instead of using
 * those of {@code sysexits.h}, which few scripts know.
 */
final class ExitStatus {

    static final int OK = 0;

    /** The files have errors. Another run gives the same result until a file is changed. */
    static final int INPUT_ERRORS = 1;

    /** The command line is wrong. */
    static final int USAGE = 2;

    /** A file that the command line names cannot be read, or a file or standard output cannot be written. */
    static final int IO_FAILURE = 3;

    /** Something failed that should not: a defect of the compiler. */
    static final int DEFECT = 4;

    /** The code for a file of the command line that cannot be read. */
    private static final String UNREADABLE = "E108";

    private ExitStatus() {}

    /** The status for diagnostics. An unreadable file takes precedence over errors in other files. */
    static int of(List<Diagnostic> diagnostics) {
        if (diagnostics.stream().anyMatch(diagnostic -> diagnostic.code().equals(UNREADABLE))) {
            return IO_FAILURE;
        }
        boolean hasErrors = diagnostics.stream().anyMatch(Diagnostic::isError);
        return hasErrors ? INPUT_ERRORS : OK;
    }

    /** The status for diagnostics of a command whose status 1 is a result. Errors in the input then count as wrong usage, as with {@code diff}. */
    static int ofQuestion(List<Diagnostic> diagnostics) {
        int status = of(diagnostics);
        return status == INPUT_ERRORS ? USAGE : status;
    }

    /** Adds the meaning of each status to the help of a command and its subcommands. */
    static void explain(CommandLine command) {
        Map<String, String> usual = meanings(
                "success, with or without warnings", "errors in the input; nothing was written", "wrong usage");
        Map<String, String> ofComparison = meanings(
                "no change breaks the wire, the binding or the API",
                "a change breaks one of them",
                "wrong usage, or errors in the input");
        Map<String, String> ofCapture = meanings(
                "the capture breaks no rule", "the capture breaks a rule", "wrong usage, or errors in the .x files");
        explain(command, usual);
        command.getSubcommands()
                .forEach((name, each) -> explain(
                        each,
                        switch (name) {
                            case "compare" -> ofComparison;
                            case "explain-capture" -> ofCapture;
                            default -> usual;
                        }));
    }

    private static void explain(CommandLine command, Map<String, String> meanings) {
        command.getCommandSpec()
                .usageMessage()
                .exitCodeListHeading("%nExit status:%n")
                .exitCodeList(meanings);
    }

    private static Map<String, String> meanings(String ok, String one, String two) {
        Map<String, String> meanings = new LinkedHashMap<>();
        meanings.put(Integer.toString(OK), ok);
        meanings.put(Integer.toString(INPUT_ERRORS), one);
        meanings.put(Integer.toString(USAGE), two);
        meanings.put(Integer.toString(IO_FAILURE), "a file cannot be read or written");
        meanings.put(Integer.toString(DEFECT), "a defect of xdrc");
        return meanings;
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import javax.lang.model.SourceVersion;
import org.emplace.compiler.source.FileFailure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A subcommand of {@code xdrc}. Returns its exit status. */
@Command(version = Xdrc.VERSION, mixinStandardHelpOptions = true)
abstract class Subcommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    /** Where results go. */
    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** Where messages go. */
    final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Reports why the command fails. Returns the exit status. */
    final int fail(int status, String message) {
        err().println(spec.qualifiedName() + ": " + message);
        return status;
    }

    /** Reports that a file cannot be written: the file that the exception names, or else this one. Returns the exit status. */
    final int failToWrite(Path file, IOException e) {
        String name = FileFailure.file(e).orElse(file.toString());
        return fail(ExitStatus.IO_FAILURE, "cannot write " + name + ": " + FileFailure.reason(e));
    }

    /** The exception for a wrong argument. */
    final ParameterException wrongUsage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** Rejects an argument that cannot be the name of a Java package. */
    final void requirePackageName(String name) {
        if (!SourceVersion.isName(name)) {
            throw wrongUsage("`" + name + "` is not a Java package name");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine;

/** Reports failures, one line each on standard error, as Unix tools do. Remembers whether there was one. */
public final class Failures {
    private final String command;
    private final AtomicBoolean any = new AtomicBoolean();

    /** @param command the subcommand's name */
    public Failures(String command) {
        this.command = command;
    }

    /** Work on one file. */
    @FunctionalInterface
    public interface Work {
        /** Does it. */
        void run() throws IOException, InterruptedException;
    }

    /** Does some work. Reports its failure and returns, so that the command can go on. */
    public void attempt(Object what, Work work) throws InterruptedException {
        try {
            work.run();
        } catch (IOException e) {
            report(what.toString(), e);
        }
    }

    /** Reports a failure. */
    public void report(String what, IOException cause) {
        any.set(true);
        System.err.println("nfs: " + command + ": " + what + ": " + text(cause));
    }

    /** 1 if something failed, otherwise 0. */
    public int exitStatus() {
        return any.get() ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }

    /** The beginning of a command's messages. */
    static String prefix(CommandLine command) {
        return command.getCommandSpec().qualifiedName(": ") + ": ";
    }

    /** The reason of a failure, on one line. */
    public static String text(IOException cause) {
        if (!(cause instanceof FileSystemException local)) {
            return cause.getMessage() == null ? cause.toString() : cause.getMessage();
        }
        // The message of these exceptions is the name of a local file, which the line has already.
        if (local instanceof NoSuchFileException) {
            return "No such file or directory";
        }
        if (local instanceof AccessDeniedException) {
            return "Permission denied";
        }
        if (local instanceof FileAlreadyExistsException) {
            return "File exists";
        }
        if (local instanceof DirectoryNotEmptyException) {
            return "Directory not empty";
        }
        if (local instanceof NotDirectoryException) {
            return "Not a directory";
        }
        return local.getReason() == null ? local.toString() : local.getReason();
    }
}

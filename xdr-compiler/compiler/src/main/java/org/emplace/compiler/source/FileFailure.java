// SPDX-License-Identifier: Apache-2.0
package org.emplace.compiler.source;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/** Describes failures of file access for users, without the names of Java classes. */
public final class FileFailure {

    private FileFailure() {}

    /** The file, if the exception names it. */
    public static Optional<String> file(IOException failure) {
        return failure instanceof FileSystemException file ? Optional.ofNullable(file.getFile()) : Optional.empty();
    }

    /** The reason, without the name of the file. */
    public static String reason(IOException failure) {
        if (failure instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return "the file already exists";
        }
        String reason = failure instanceof FileSystemException file ? file.getReason() : failure.getMessage();
        return reason == null ? failure.toString() : reason;
    }
}

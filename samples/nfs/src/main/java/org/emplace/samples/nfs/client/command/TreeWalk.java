// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.command;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.emplace.samples.nfs.client.files.FileNames;

/**
 * Walks through a tree on a server, in the order of names. Does not follow symbolic links. Reports directories that cannot be listed.
 *
 * @param deepest the deepest level to visit; the top is 0
 */
record TreeWalk(Failures failures, int deepest) {
    /** A hostile server could send a tree without end. */
    static final int BOTTOM = 1000;

    /** Visits each file of the tree. */
    interface Visitor {
        /**
         * Visits a file, before the files in it.
         *
         * @param depth the level of the file; the top is 0
         * @param last whether it is the last entry of its directory
         */
        void enter(FileFacts facts, int depth, boolean last) throws IOException;

        /** Visits a file again, after the files in it. */
        default void leave(FileFacts facts, int depth) {}
    }

    /** Walks through a tree. */
    void walk(Path top, Visitor visitor) throws IOException {
        visit(FileFacts.of(top), 0, true, visitor);
    }

    private void visit(FileFacts facts, int depth, boolean last, Visitor visitor) {
        try {
            visitor.enter(facts, depth, last);
            if (facts.isDirectory() && depth < deepest) {
                List<FileFacts> entries = entries(facts.path(), depth);
                for (int at = 0; at < entries.size(); at++) {
                    visit(entries.get(at), depth + 1, at == entries.size() - 1, visitor);
                }
            }
        } catch (IOException e) {
            failures.report(FileNames.text(facts.path()), e);
        }
        visitor.leave(facts, depth);
    }

    private static List<FileFacts> entries(Path directory, int depth) throws IOException {
        if (depth >= BOTTOM) {
            throw new IOException("Directories are nested more than " + BOTTOM + " deep");
        }
        List<FileFacts> entries = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory)) {
            for (Path entry : found) {
                entries.add(FileFacts.of(entry));
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        entries.sort(Comparator.comparing(FileFacts::path));
        return entries;
    }
}

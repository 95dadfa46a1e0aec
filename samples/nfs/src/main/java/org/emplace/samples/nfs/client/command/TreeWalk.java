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
import org.emplace.samples.nfs.client.RemoteName;

/**
 * Goes through a tree on a server, in the order of names. Symbolic links are not followed. What cannot be listed is reported.
 *
 * @param deepest how many directories below the top to go
 */
record TreeWalk(Failures failures, int deepest) {
    /** The trees of an honest server have a bottom. */
    static final int BOTTOM = 1000;

    /** Visits each file of the tree. */
    interface Visitor {
        /**
         * A file, before what is in it.
         *
         * @param depth of the top 0
         * @param last whether it is the last entry of its directory
         */
        void enter(FileFacts facts, int depth, boolean last) throws IOException;

        /** The same, after what is in it. */
        default void leave(FileFacts facts, int depth) {}
    }

    /** Goes through a tree. */
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
            failures.report(RemoteName.text(facts.path()), e);
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

// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that cannot be closed do not disturb the use of others. */
class OpenFilesTest {
    @TempDir
    Path temporary;

    private final List<FileId> closed = new ArrayList<>();
    private final List<IOException> failures = new ArrayList<>();
    private DirectoryTree tree;
    private OpenFiles<Closeable> files;

    @BeforeEach
    void open() throws IOException {
        tree = DirectoryTree.open(temporary, false, Credentials.of(false));
        files = new OpenFiles<>(1, this::opened, failures::add, () -> 0);
    }

    private Closeable opened(FileNode file) {
        return () -> {
            closed.add(file.id());
            throw new IOException("the disk is broken");
        };
    }

    @AfterEach
    void close() throws IOException {
        files.close();
        tree.close();
    }

    @Test
    void whatFailsToBeClosedForAnotherFileIsClosedOnce() throws IOException {
        FileId first = use("first");
        FileId second = use("second");
        FileId third = use("third");
        assertThat(closed).containsExactly(first, second);
        files.forget(third);
        assertThat(closed).containsExactly(first, second, third);
        assertThat(failures).hasSize(3);
    }

    private FileId use(String name) throws IOException {
        Files.createFile(temporary.resolve(name));
        try (FileNode root = tree.node(tree.rootId());
                FileNode file = tree.lookup(Caller.NOBODY, root, FileName.of(name))) {
            files.use(file).close();
            return file.id();
        }
    }
}

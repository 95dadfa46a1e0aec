// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.files;

import java.io.IOException;
import java.util.Set;

/** A way for programs to access the files of one export. Paths are relative to the export and begin with a slash. Safe for use by several threads. */
public interface ExportClient extends AutoCloseable {

    /** The client's name in tables. */
    String name();

    /** The tasks that the client supports. */
    Set<FileTask> tasks();

    /** Writes a new file from front to back, {@code step} bytes at a time. On return it is in stable storage. */
    void write(String file, long size, int step) throws Exception;

    /** Reads a file from front to back, {@code step} bytes at a time. */
    void read(String file, long size, int step) throws Exception;

    /** Opens a file for reading at any position. */
    RandomReader open(String file) throws Exception;

    /** Makes a directory. */
    void makeDirectory(String directory) throws Exception;

    /** Removes a file. */
    void delete(String file) throws Exception;

    /** Removes an empty directory. */
    void deleteDirectory(String directory) throws Exception;

    /** Lists the names in a directory and the size of each file. Returns the number of names. */
    int list(String directory) throws Exception;

    /** Reads at any position of a file. */
    interface RandomReader extends AutoCloseable {
        /** Reads {@code length} bytes at a position. */
        void read(long position, int length) throws Exception;

        @Override
        void close() throws IOException;
    }

    @Override
    void close() throws IOException;
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.files;

import java.io.IOException;
import java.util.Set;

/** A program's way to the files of one export. Paths begin with a slash and are the export's. Several threads may use it at a time. */
public interface ExportClient extends AutoCloseable {

    /** Its name in tables. */
    String name();

    /** What it can do at all. */
    Set<FileTask> tasks();

    /** Makes a file from front to back, each write of so many bytes. It is in stable storage in the end. */
    void write(String file, long size, int step) throws Exception;

    /** Reads a file from front to back, each read of so many bytes. */
    void read(String file, long size, int step) throws Exception;

    /** Opens a file for reading anywhere in it. */
    RandomReader open(String file) throws Exception;

    /** Makes a directory. */
    void makeDirectory(String directory) throws Exception;

    /** Removes a file. */
    void delete(String file) throws Exception;

    /** Removes an empty directory. */
    void deleteDirectory(String directory) throws Exception;

    /** Asks for the names in a directory, and the size of each file. Returns how many there are. */
    int list(String directory) throws Exception;

    /** Reads at any place of a file. */
    interface RandomReader extends AutoCloseable {
        /** Reads so many bytes. */
        void read(long position, int length) throws Exception;

        @Override
        void close() throws IOException;
    }

    @Override
    void close() throws IOException;
}

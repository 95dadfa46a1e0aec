// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A set of names that survives a crash. Each is an empty file of a folder: it is there or it is not, so there are no halves to be found after a crash.
 * Not safe for use by several threads.
 */
public final class KeptNames {
    private static final System.Logger LOGGER = System.getLogger(KeptNames.class.getName());
    private static final Pattern NAME = Pattern.compile("[0-9a-f]{1,64}");

    private final Path folder;
    private int failures;

    private KeptNames(Path folder) {
        this.folder = folder;
    }

    /** The names in a folder of another one, which is created if it does not exist. */
    static KeptNames in(Path parent, String name) throws IOException {
        Path folder = parent.resolve(name);
        if (!Files.isDirectory(folder)) {
            Files.createDirectory(folder);
            force(parent);
        }
        return new KeptNames(folder);
    }

    /** What is kept now. Reports other files, and ignores them. */
    public Set<String> all() throws IOException {
        Set<String> names = new HashSet<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String name = file.getFileName().toString();
                if (NAME.matcher(name).matches()) {
                    names.add(name);
                } else {
                    LOGGER.log(System.Logger.Level.WARNING, "{0} is not a record of a client; ignoring it", file);
                }
            }
        }
        return names;
    }

    /**
     * Adds and removes names. When it returns, the changes are on stable storage, but for failures, which it logs.
     *
     * @return whether all that was to be removed is gone
     */
    public boolean change(Set<String> added, Set<String> removed) {
        boolean isRemoved = true;
        for (String name : added) {
            try (FileChannel file =
                    FileChannel.open(folder.resolve(name), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                file.force(true);
            } catch (IOException e) {
                failed(e);
            }
        }
        for (String name : removed) {
            try {
                Files.deleteIfExists(folder.resolve(name));
            } catch (IOException e) {
                failed(e);
                isRemoved = false;
            }
        }
        try {
            force(folder);
        } catch (IOException e) {
            failed(e);
            isRemoved = isRemoved && removed.isEmpty();
        }
        return isRemoved;
    }

    /** Logs the 1st, 2nd, 4th, 8th ... */
    private void failed(IOException failure) {
        if (Integer.bitCount(++failures) == 1) {
            LOGGER.log(
                    System.Logger.Level.ERROR,
                    "cannot change the records of clients in " + folder + " (failure " + failures + "): " + failure);
        }
    }

    /** Makes the entries of a folder durable. Only POSIX systems open folders for that. */
    private static void force(Path folder) throws IOException {
        if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
                entries.force(true);
            }
        }
    }
}

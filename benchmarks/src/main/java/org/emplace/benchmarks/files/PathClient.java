// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.files;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/** A program that uses {@code java.nio.file} with a path of any file system. */
public final class PathClient implements ExportClient {
    private static final OpenOption[] WRITING = {
        StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING
    };

    /** The alignment that O_DIRECT requires of buffers and of file sizes, in bytes. */
    private static final int PAGE = 4096;

    private final String name;
    private final Path root;
    private final boolean direct;

    /** @param root the export's root */
    public PathClient(String name, Path root) {
        this(name, root, false);
    }

    private PathClient(String name, Path root, boolean direct) {
        this.name = name;
        this.root = root;
        this.direct = direct;
    }

    /** A client that bypasses the page cache for files whose size is a multiple of a page, because Emplace's file system has no page cache either. */
    public static PathClient direct(String name, Path root) {
        return new PathClient(name, root, true);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Set<FileTask> tasks() {
        return Set.of(FileTask.values());
    }

    private Path path(String path) {
        return root.resolve(path.substring(1));
    }

    private FileChannel open(String file, long size, OpenOption... usual) throws IOException {
        Set<OpenOption> options = new HashSet<>(Set.of(usual));
        if (direct && size > 0 && size % PAGE == 0) {
            options.add(ExtendedOpenOption.DIRECT);
        }
        return FileChannel.open(path(file), options);
    }

    private ByteBuffer buffer(int size) {
        int pages = (size + PAGE - 1) / PAGE;
        return direct
                ? ByteBuffer.allocateDirect((pages + 1) * PAGE)
                        .alignedSlice(PAGE)
                        .limit(size)
                : ByteBuffer.allocate(size);
    }

    @Override
    public void write(String file, long size, int step) throws IOException {
        ByteBuffer data = buffer((int) Math.min(step, size));
        try (FileChannel channel = open(file, size, WRITING)) {
            for (long left = size; left > 0; ) {
                left -= channel.write(data.clear().limit((int) Math.min(step, left)));
            }
            channel.force(false);
        }
    }

    @Override
    public void read(String file, long size, int step) throws IOException {
        int length = (int) Math.min(step, size + 1);
        ByteBuffer into = buffer(length);
        try (FileChannel channel = open(file, size, StandardOpenOption.READ)) {
            long read = 0;
            for (int got = channel.read(into);
                    got >= 0;
                    got = channel.read(into.clear().limit(length))) {
                read += got;
            }
            requireAll(read, size);
        }
    }

    private static void requireAll(long read, long size) throws EOFException {
        if (read != size) {
            throw new EOFException(read + " bytes of " + size);
        }
    }

    @Override
    public RandomReader open(String file) throws IOException {
        FileChannel channel = open(file, Files.size(path(file)), StandardOpenOption.READ);
        return new RandomReader() {
            @Override
            public void read(long position, int length) throws IOException {
                requireAll(channel.read(buffer(length), position), length);
            }

            @Override
            public void close() throws IOException {
                channel.close();
            }
        };
    }

    @Override
    public void makeDirectory(String directory) throws IOException {
        Files.createDirectory(path(directory));
    }

    @Override
    public void delete(String file) throws IOException {
        Files.delete(path(file));
    }

    @Override
    public void deleteDirectory(String directory) throws IOException {
        Files.delete(path(directory));
    }

    @Override
    public int list(String directory) throws IOException {
        int names = 0;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path(directory))) {
            for (Path entry : entries) {
                names += Files.size(entry) == 0 ? 1 : 0;
            }
        }
        return names;
    }

    @Override
    public void close() throws IOException {
        if (root.getFileSystem().provider().getScheme().equals("nfs")) {
            root.getFileSystem().close();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import com.github.marschall.memoryfilesystem.MemoryFileSystemBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.emplace.samples.nfs.server.handle.FileHandle;
import org.jspecify.annotations.Nullable;

/** A directory and an export of it, with the steps that tests of exports share. */
final class Exported implements AutoCloseable {
    static final Caller CALLER = Caller.NOBODY;
    static final ExportOptions OPTIONS = ExportOptions.DEFAULT.withDurability(Durability.DEFERRED);

    /** File systems that exports are tested on. */
    enum On {
        LOCAL,
        MEMORY
    }

    final Path directory;
    private final Path state;
    private final ExportOptions options;
    private final @Nullable FileSystem memory;
    private Export export;

    private Exported(Path directory, Path state, ExportOptions options, @Nullable FileSystem memory)
            throws IOException {
        this.directory = directory;
        this.state = state;
        this.options = options;
        this.memory = memory;
        this.export = Export.open(directory, state, options);
    }

    static Exported on(On where, Path temporary) throws IOException {
        return on(where, temporary, OPTIONS);
    }

    static Exported on(On where, Path temporary, ExportOptions options) throws IOException {
        Path state = temporary.resolve("state");
        if (where == On.LOCAL) {
            return new Exported(Files.createDirectory(temporary.resolve("export")), state, options, null);
        }
        FileSystem memory = MemoryFileSystemBuilder.newLinux().build();
        return new Exported(Files.createDirectory(memory.getPath("/export")), state, options, memory);
    }

    Export export() {
        return export;
    }

    void restart() throws IOException {
        export.close();
        export = Export.open(directory, state, options);
    }

    FileHandle root() throws IOException {
        return export.handle(export.root());
    }

    FileHandle lookup(String... names) throws IOException {
        FileHandle handle = root();
        for (String name : names) {
            handle = export.handle(export.namespace().lookup(CALLER, handle, FileName.of(name)));
        }
        return handle;
    }

    FileHandle create(FileHandle in, String name) throws IOException {
        return export.handle(export.namespace()
                .create(CALLER, in, FileName.of(name), new Creation.Guarded(AttributeChange.NONE))
                .file());
    }

    FileHandle makeDirectory(FileHandle in, String name) throws IOException {
        return export.handle(export.namespace()
                .makeDirectory(CALLER, in, FileName.of(name), AttributeChange.NONE)
                .file());
    }

    void write(FileHandle file, long offset, String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        export.contents().write(CALLER, file, offset, bytes, Stability.UNSTABLE);
    }

    String read(FileHandle file) throws IOException {
        try (Contents.Reading reading = export.contents().read(CALLER, file)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) reading.attributes().size());
            reading.channel().read(bytes, 0);
            return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        }
    }

    FileAttributes attributes(FileHandle file) throws IOException {
        return export.attributes().get(file).attributes();
    }

    /** All names of a directory, listed in pages of at most so many entries. */
    List<String> list(FileHandle in, int page) throws IOException {
        List<String> names = new ArrayList<>();
        long[] cookie = new long[2];
        boolean end = false;
        while (!end) {
            int start = names.size();
            Directories.Listed listed = export.directories().list(CALLER, in, cookie[0], cookie[1], entry -> {
                if (names.size() - start == page) {
                    return false;
                }
                cookie[0] = entry.cookie();
                return names.add(entry.name().toString());
            });
            cookie[1] = listed.verifier();
            end = listed.end();
        }
        return names;
    }

    @Override
    public void close() throws IOException {
        export.close();
        if (memory != null) {
            memory.close();
        }
    }
}

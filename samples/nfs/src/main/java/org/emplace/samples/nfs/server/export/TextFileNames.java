// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Names of a file system whose names are text: UTF-8 on the wire, and nothing else. */
final class TextFileNames implements FileNames {
    private final FileSystem fileSystem;

    TextFileNames(FileSystem fileSystem) {
        this.fileSystem = fileSystem;
    }

    @Override
    public Path name(FileName name) throws ExportException {
        Path path = path(FileNames.requireName(name));
        if (path.isAbsolute() || path.getNameCount() != 1) {
            throw new ExportException(Failure.ACCES, "not a name in this file system: " + name);
        }
        return path;
    }

    @Override
    public FileName fileName(Path path) {
        return FileName.of(path.getFileName().toString());
    }

    @Override
    public Path target(byte[] bytes) throws ExportException {
        FileNames.requireTarget(bytes);
        return path(bytes);
    }

    @Override
    public byte[] targetBytes(Path target) {
        return target.toString().getBytes(StandardCharsets.UTF_8);
    }

    private Path path(byte[] bytes) throws ExportException {
        try {
            return fileSystem.getPath(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException | InvalidPathException e) {
            throw new ExportException(Failure.ACCES, "the file system cannot hold the name: " + e.getMessage());
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.nio.file.Path;
import org.emplace.samples.nfs.path.PathBytes;

/** Names of the JDK's own file system on Unix, where they are bytes and need not be text. */
final class RawFileNames implements FileNames {
    @Override
    public Path name(FileName name) throws ExportException {
        return PathBytes.path(FileNames.requireName(name));
    }

    @Override
    public FileName fileName(Path path) {
        return new FileName(PathBytes.of(path.getFileName()));
    }

    @Override
    public Path target(byte[] bytes) throws ExportException {
        FileNames.requireTarget(bytes);
        return PathBytes.path(bytes);
    }

    @Override
    public byte[] targetBytes(Path target) {
        return PathBytes.of(target);
    }
}

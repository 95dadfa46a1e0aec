// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import org.emplace.samples.nfs.protocol.Fsstat3Resok;
import org.jspecify.annotations.Nullable;

/** The server's file system in which a file is stored. */
final class NfsFileStore extends FileStore {
    private final NfsPath file;

    NfsFileStore(NfsPath file) {
        this.file = file;
    }

    private Fsstat3Resok space() throws IOException {
        return file.getFileSystem().operations().space(file);
    }

    /** The export. */
    @Override
    public String name() {
        return file.getFileSystem().toString();
    }

    @Override
    public String type() {
        return "nfs";
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public long getTotalSpace() throws IOException {
        return positive(space().tbytes());
    }

    @Override
    public long getUsableSpace() throws IOException {
        return positive(space().abytes());
    }

    @Override
    public long getUnallocatedSpace() throws IOException {
        return positive(space().fbytes());
    }

    /** An unsigned number of bytes; if a long cannot express it, the largest one. */
    private static long positive(long bytes) {
        return bytes < 0 ? Long.MAX_VALUE : bytes;
    }

    @Override
    public boolean supportsFileAttributeView(Class<? extends FileAttributeView> type) {
        return type == BasicFileAttributeView.class
                || type == PosixFileAttributeView.class
                || type == FileOwnerAttributeView.class;
    }

    @Override
    public boolean supportsFileAttributeView(String name) {
        return file.getFileSystem().supportedFileAttributeViews().contains(name);
    }

    @Override
    public <V extends FileStoreAttributeView> @Nullable V getFileStoreAttributeView(Class<V> type) {
        return null;
    }

    @Override
    public Object getAttribute(String attribute) throws IOException {
        return switch (attribute) {
            case "totalSpace" -> getTotalSpace();
            case "usableSpace" -> getUsableSpace();
            case "unallocatedSpace" -> getUnallocatedSpace();
            default -> throw new UnsupportedOperationException("there is no attribute '" + attribute + "'");
        };
    }

    /** Stores are equal if they belong to the same mount. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NfsFileStore store && store.file.getFileSystem().equals(file.getFileSystem());
    }

    @Override
    public int hashCode() {
        return file.getFileSystem().hashCode();
    }

    @Override
    public String toString() {
        return name() + " (nfs)";
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import org.emplace.samples.nfs.server.handle.FileHandle;
import org.emplace.samples.nfs.server.handle.FileKey;

/** Reading and writing what files hold. Safe for use by several threads. */
public final class Contents {
    private static final int SET_ID_BITS = 06000;

    private final FileTree tree;
    private final AttributeSource attributes;
    private final OpenFiles openFiles;
    private final Permissions permissions;
    private final NamespaceLock lock;
    private final WriteVerifier verifier = new WriteVerifier();
    private final StripedLocks<FileKey> writers = new StripedLocks<>();

    Contents(
            FileTree tree,
            AttributeSource attributes,
            OpenFiles openFiles,
            Permissions permissions,
            NamespaceLock lock) {
        this.tree = tree;
        this.attributes = attributes;
        this.openFiles = openFiles;
        this.permissions = permissions;
        this.lock = lock;
    }

    /** A regular file to be read from; to be closed. */
    public final class Reading implements AutoCloseable {
        private final Node file;
        private final OpenFiles.Use use;

        private Reading(Node file, OpenFiles.Use use) {
            this.file = file;
            this.use = use;
        }

        /** Its bytes. Never moves the channel's own position. */
        public FileChannel channel() {
            return use.channel();
        }

        /** Its attributes as they are now; as they were when it was opened, if it has lost its name since. */
        public FileAttributes attributes() throws IOException {
            return now(file).orElse(file.attributes());
        }

        @Override
        public void close() {
            use.close();
        }
    }

    /** Opens a file for reading. */
    public Reading read(Caller caller, FileHandle handle) throws IOException {
        return lock.shared(() -> {
            Node file = tree.resolve(handle).requireRegular();
            permissions.requireForContent(caller, file, rightsToRead(file));
            return new Reading(file, openFiles.use(file, OpenFiles.Access.READ));
        });
    }

    /** A client that only may execute a file has to read it for that. */
    private static int rightsToRead(Node file) {
        boolean executeOnly =
                (file.attributes().mode() & 0111) != 0 && (file.attributes().mode() & 0444) == 0;
        return executeOnly ? Permissions.SEARCH : Permissions.READ;
    }

    /**
     * What became of a WRITE.
     *
     * @param count bytes written: fewer than given if there was no room for more
     */
    public record Written(int count, long verifier, WeakCacheAttributes change) {}

    /** Writes the buffer's remaining bytes at an offset, and commits as asked. */
    public Written write(Caller caller, FileHandle handle, long offset, ByteBuffer data, Stability stability)
            throws IOException {
        if (offset < 0 || offset > Long.MAX_VALUE - data.remaining()) {
            throw new ExportException(Failure.FBIG, "a write beyond the largest offset");
        }
        Node[] found = new Node[1];
        try (OpenFiles.Use use = lock.shared(() -> {
            found[0] = tree.resolve(handle).requireRegular();
            permissions.requireForContent(caller, found[0], Permissions.WRITE);
            return openFiles.use(found[0], OpenFiles.Access.WRITE);
        })) {
            Node file = found[0];
            Optional<FileAttributes> before;
            Optional<FileAttributes> after;
            int count;
            synchronized (writers.of(file.key())) {
                before = now(file);
                count = writeFully(use.channel(), offset, data);
                dropSetId(caller, file);
                after = now(file);
            }
            if (stability != Stability.UNSTABLE) {
                force(use.channel(), stability == Stability.FILE_SYNC);
            }
            return new Written(count, verifier.value(), new WeakCacheAttributes(before, after));
        }
    }

    private static int writeFully(FileChannel channel, long offset, ByteBuffer data) throws IOException {
        int start = data.position();
        try {
            while (data.hasRemaining()) {
                channel.write(data, offset + data.position() - start);
            }
        } catch (IOException e) {
            if (data.position() == start) {
                throw e;
            }
        }
        return data.position() - start;
    }

    /** The operating system does this for everybody but root, and as root the server acts for others. */
    private void dropSetId(Caller caller, Node file) throws IOException {
        int mode = file.attributes().mode();
        if (permissions.callersCount() && !caller.isSuperuser() && (mode & SET_ID_BITS) != 0) {
            attributes.setMode(file.path(), file.attributes(), mode & ~SET_ID_BITS);
        }
    }

    /** What became of a COMMIT. */
    public record Committed(long verifier, WeakCacheAttributes change) {}

    /** Puts everything written to a file on stable storage. */
    public Committed commit(Caller caller, FileHandle handle) throws IOException {
        Node[] found = new Node[1];
        try (OpenFiles.Use use = lock.shared(() -> {
            found[0] = tree.resolve(handle).requireRegular();
            permissions.requireForContent(caller, found[0], Permissions.WRITE);
            return openFiles.use(found[0], OpenFiles.Access.WRITE);
        })) {
            force(use.channel(), false);
            return new Committed(
                    verifier.value(), new WeakCacheAttributes(Optional.of(found[0].attributes()), now(found[0])));
        }
    }

    private void force(FileChannel channel, boolean metadata) throws IOException {
        try {
            channel.force(metadata);
        } catch (IOException e) {
            verifier.dataLost();
            throw e;
        }
    }

    /** Gives a file another length; what is added reads as zeros. The caller has checked rights and holds the namespace alone. */
    void resize(Node file, long size) throws IOException {
        try (OpenFiles.Use use = openFiles.use(file, OpenFiles.Access.WRITE)) {
            synchronized (writers.of(file.key())) {
                FileChannel channel = use.channel();
                if (size > channel.size()) {
                    channel.write(ByteBuffer.allocate(1), size - 1);
                } else {
                    channel.truncate(size);
                }
            }
        }
    }

    private Optional<FileAttributes> now(Node file) throws IOException {
        try {
            FileAttributes now = attributes.read(file.path());
            return now.key().equals(file.key()) ? Optional.of(now) : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }
}

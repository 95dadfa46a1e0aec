// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.hadoop;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.emplace.samples.nfs.server.store.FileAttributes;
import org.emplace.samples.nfs.server.store.FileId;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.FileType;
import org.emplace.samples.nfs.server.store.Store.FoundFile;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.hadoop.Listings.NumberedFiles;
import org.jspecify.annotations.Nullable;

/**
 * Finds files by ids on a file system without numbers. An id is a keyed hash of a path and of whether it is a directory, and stands for the path:
 * renaming the file makes it stale, and a new file with the same path gets the same id. The key is new for each run. The paths of the most recently
 * returned ids are remembered. Safe for use by several threads.
 */
final class PathTree implements NumberedFiles {
    private static final String HASH = "HmacSHA256";
    private static final int ID_LENGTH = 16;
    private static final long FIRST_NUMBER = 3;

    private final FileSystem files;
    private final Accounts accounts;
    private final Path root;
    private final SecretKeySpec key;
    private final FileId rootId;
    private final Map<FileId, Path> paths;

    /**
     * @param root the exported directory
     * @param mostPaths the most paths to remember
     */
    PathTree(FileSystem files, Accounts accounts, Path root, int mostPaths) throws IOException {
        this.files = files;
        this.accounts = accounts;
        FileStatus exported = files.getFileStatus(root);
        if (!exported.isDirectory()) {
            throw new IOException(root + ": not a directory");
        }
        // The form in which the file system reports it: a URI may end in a slash.
        this.root = exported.getPath();
        byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        this.key = new SecretKeySpec(secret, HASH);
        this.paths = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<FileId, Path> eldest) {
                return size() > mostPaths;
            }
        };
        this.rootId = id(hash(this.root, true));
    }

    /** The exported directory. */
    FoundFile root() throws IOException {
        return at(root).orElseThrow(() -> new StoreException(Failure.STALE, root + " is gone"));
    }

    /** The path of an id's file, which may no longer exist. */
    Path path(FileId id) throws StoreException {
        if (id.bytes().length != ID_LENGTH) {
            throw new StoreException(Failure.BADHANDLE, "not an id of this store: " + id);
        }
        if (id.equals(rootId)) {
            return root;
        }
        synchronized (paths) {
            Path path = paths.get(id);
            if (path == null) {
                throw new StoreException(Failure.STALE, "not an id that is still remembered: " + id);
            }
            return path;
        }
    }

    /**
     * The file of an id in its current state.
     *
     * @throws StoreException of STALE if it is gone, or its path is no longer remembered
     */
    FoundFile resolve(FileId id) throws IOException {
        Path path = path(id);
        return at(path).filter(found -> found.id().equals(id))
                .orElseThrow(() -> new StoreException(Failure.STALE, path + " is gone"));
    }

    @Override
    public FoundFile directory(FileId id) throws IOException {
        FoundFile found = resolve(id);
        found.attributes().requireDirectory(path(id));
        return found;
    }

    @Override
    public Parent parent(FoundFile directory) throws IOException {
        return Parent.of(above(directory));
    }

    /** The parent of a directory; of the root, the root. */
    FoundFile above(FoundFile directory) throws IOException {
        @Nullable Path parent = path(directory.id()).getParent();
        if (parent == null || directory.id().equals(rootId)) {
            return directory;
        }
        return at(parent).orElseThrow(() -> new StoreException(Failure.STALE, parent + " is gone"));
    }

    @Override
    public Optional<FoundFile> named(FoundFile directory, FileName name) throws IOException {
        return at(new Path(path(directory.id()), HdfsNames.of(name)));
    }

    @Override
    public void each(FoundFile directory, long after, Taker taker) throws IOException {
        RemoteIterator<FileStatus> listed = files.listStatusIterator(path(directory.id()));
        while (listed.hasNext()) {
            FileStatus status = listed.next();
            FoundFile file = found(status);
            if (file.attributes().number() > after) {
                taker.accept(new Named(FileName.of(status.getPath().getName()), file));
            }
        }
    }

    private Optional<FoundFile> at(Path path) throws IOException {
        try {
            return Optional.of(found(files.getFileLinkStatus(path)));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    private FoundFile found(FileStatus status) {
        byte[] hash = hash(status.getPath(), status.isDirectory());
        FileId id = id(hash);
        synchronized (paths) {
            paths.put(id, status.getPath());
        }
        return new FoundFile(id, attributes(status, number(hash)));
    }

    private static long number(byte[] hash) {
        return Math.max(ByteBuffer.wrap(hash).getLong() >>> 1, FIRST_NUMBER);
    }

    private static FileId id(byte[] hash) {
        return new FileId(Arrays.copyOf(hash, ID_LENGTH));
    }

    private byte[] hash(Path path, boolean directory) {
        try {
            Mac mac = Mac.getInstance(HASH);
            mac.init(key);
            mac.update((byte) (directory ? 1 : 0));
            return mac.doFinal(path.toUri().getPath().getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + HASH, e);
        }
    }

    /** The attributes. If the file system has no times of directories, they are 1970; if it has no access time, that is the modification time. */
    private FileAttributes attributes(FileStatus status, long number) {
        FileTime modified = FileTime.fromMillis(status.getModificationTime());
        FileType type = status.isDirectory()
                ? FileType.DIRECTORY
                : status.isSymlink() ? FileType.SYMBOLIC_LINK : FileType.REGULAR;
        return new FileAttributes(
                number,
                type,
                status.getPermission().toShort(),
                type == FileType.DIRECTORY ? 2 : 1,
                accounts.uid(status.getOwner()),
                accounts.gid(status.getGroup()),
                status.getLen(),
                status.getLen(),
                0,
                status.getAccessTime() > 0 ? FileTime.fromMillis(status.getAccessTime()) : modified,
                modified,
                modified);
    }
}

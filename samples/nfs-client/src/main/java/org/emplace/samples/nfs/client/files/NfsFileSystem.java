// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.RemotePath;
import org.emplace.samples.nfs.client.contents.CachedFile;
import org.emplace.samples.nfs.client.mount.NfsMount;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Nfsstat3;
import org.emplace.xdr.XdrString;
import org.jspecify.annotations.Nullable;

/** A mounted export. Safe for use by several threads. */
final class NfsFileSystem extends FileSystem {
    private static final int MOST_CHANGED_FILES = 10_000;
    private static final int MOST_TRIES = 5;
    /** How long the attributes of a listing are used. */
    private static final long LISTED_NANOS = Duration.ofSeconds(1).toNanos();

    private final NfsFileSystemProvider provider;
    private final NfsMount mount;
    private final PathOperations operations = new PathOperations(this);
    private final DirectoryEntries entries = new DirectoryEntries(this);
    private final KeptFiles kept;
    private final Set<NfsFileChannel> channels = ConcurrentHashMap.newKeySet();
    private final AtomicLong changes = new AtomicLong();
    private final AtomicLong globalChange = new AtomicLong();
    private final Map<NfsFh3, Long> changedFiles = new HashMap<>();
    private volatile boolean closed;

    NfsFileSystem(NfsFileSystemProvider provider, NfsMount mount) {
        this.provider = provider;
        this.mount = mount;
        this.kept = new KeptFiles(mount);
    }

    PathOperations operations() {
        return operations;
    }

    DirectoryEntries entries() {
        return entries;
    }

    /** The open files that have been removed or replaced. */
    KeptFiles kept() {
        return kept;
    }

    /** The server and the export's path there. */
    RemotePath exportPath() {
        return mount.exportPath();
    }

    /** See {@link NfsPath#isOfInnerExport}. */
    boolean isOfInnerExport(List<XdrString> names) {
        return mount.isOfInnerExport(names);
    }

    /** See {@link NfsFileSystemProvider#inside}. */
    Map<Thread, List<NfsFileChannel>> inside() {
        return provider.inside();
    }

    /** Work with the server. */
    @FunctionalInterface
    interface Work<R> {
        R run(NfsMount mount) throws IOException, InterruptedException;
    }

    /**
     * Does some work, and translates its failures to the exceptions of {@link java.nio.file}. An interrupt ends it, but it begins even if
     * the thread has been interrupted before, as on the default file system: {@code Files.exists} takes a failure for absence.
     *
     * @param file for the exception
     * @param other a second file, for the exception
     * @throws ClosedFileSystemException if this file system is closed
     */
    <R> R perform(Path file, @Nullable Path other, Work<R> work) throws IOException {
        if (closed) {
            throw new ClosedFileSystemException();
        }
        boolean interruptedBefore = Thread.interrupted();
        try {
            return run(work);
        } catch (FileSystemException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(file);
        } catch (IOException e) {
            if (closed && !(e instanceof NfsException)) {
                throw new ClosedFileSystemException();
            }
            throw NfsException.about(e, file, other);
        } finally {
            if (interruptedBefore) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Looks the path up again, some times, if a handle is stale: somebody may have replaced the file or a directory. */
    private <R> R run(Work<R> work) throws IOException, InterruptedException {
        for (int tries = 1; ; tries++) {
            try {
                return work.run(mount);
            } catch (NfsException e) {
                if (e.status() != Nfsstat3.NFS3ERR_STALE || tries == MOST_TRIES) {
                    throw e;
                }
                mount.forgetDirectories();
            }
        }
    }

    private static InterruptedIOException interrupted(Path file) {
        return new InterruptedIOException(file + ": the thread was interrupted");
    }

    /** Counts what this client changes. */
    long changes() {
        return changes.get();
    }

    /** Whether a listing still describes a file: this client has since changed nothing that it depends on. */
    boolean isUnchanged(NfsFh3 file, long since) {
        if (mount.contents().find(file).filter(CachedFile::holdsUnsent).isPresent()) {
            return false;
        }
        synchronized (changedFiles) { // which is cleared together with a change of all
            return changedFiles.getOrDefault(file, 0L) <= since && globalChange.get() <= since;
        }
    }

    /** Whether what a listing knew of a file can be used. */
    boolean isCurrent(NfsPath.SeenNode seen, boolean followLinks) {
        return isOpen()
                && isUnchanged(seen.node().handle(), seen.changes())
                && System.nanoTime() - seen.nanoTime() < LISTED_NANOS
                && !(followLinks && seen.node().isSymbolicLink());
    }

    /** Makes a change that affects only these files. */
    <R> R changing(Work<R> change, NfsFh3... files) throws IOException, InterruptedException {
        changed(files);
        try {
            return change.run(mount);
        } finally {
            changed(files);
        }
    }

    /** Call it before a change that affects only these files, and again after. */
    void changed(NfsFh3... files) {
        synchronized (changedFiles) {
            if (changedFiles.size() > MOST_CHANGED_FILES) {
                changedFiles.clear();
                changed();
            }
            long change = changes.incrementAndGet();
            for (NfsFh3 file : files) {
                changedFiles.put(file, change);
            }
        }
    }

    /** Call it before a change that may affect any file, and again after. */
    void changed() {
        globalChange.set(changes.incrementAndGet());
    }

    void opened(NfsFileChannel channel) throws IOException {
        channels.add(channel);
        if (closed) {
            channel.close();
        }
    }

    void closed(NfsFileChannel channel) throws InterruptedException {
        channels.remove(channel);
        closed(channel.file());
    }

    /** Ends a use of a file. */
    void closed(CachedFile file) throws InterruptedException {
        if (mount.contents().close(file)) {
            kept.closed(file.handle());
        }
    }

    @Override
    public FileSystemProvider provider() {
        return provider;
    }

    /** Also closes the channels, which brings their writes to stable storage. */
    @Override
    public void close() throws IOException {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        @Nullable IOException failure = null;
        for (NfsFileChannel channel : channels) {
            try {
                channel.close();
            } catch (IOException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        mount.close();
        provider.closed(this);
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    public boolean isReadOnly() {
        return false;
    }

    @Override
    public String getSeparator() {
        return "/";
    }

    @Override
    public Iterable<Path> getRootDirectories() {
        return List.of(root());
    }

    private NfsPath root() {
        return new NfsPath(this, true, List.of());
    }

    @Override
    public Iterable<FileStore> getFileStores() {
        return List.of(store(root()));
    }

    /** The store of a file. */
    FileStore store(NfsPath file) {
        return new NfsFileStore(file);
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
        return Set.of("basic", "owner", "posix", "nfs");
    }

    @Override
    public NfsPath getPath(String first, String... more) {
        StringBuilder joined = new StringBuilder(first);
        for (String part : more) {
            if (!part.isEmpty()) {
                joined.append(joined.length() == 0 ? "" : "/").append(part);
            }
        }
        return NfsPath.parse(this, joined.toString());
    }

    /** The absolute path with these names. */
    NfsPath path(List<XdrString> names) {
        return new NfsPath(this, true, names);
    }

    /** Returns the default file system's matcher: it has the same separator, and compares the text of any path. */
    @Override
    public PathMatcher getPathMatcher(String syntaxAndPattern) {
        return FileSystems.getDefault().getPathMatcher(syntaxAndPattern);
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
        return new Principals();
    }

    @Override
    public WatchService newWatchService() {
        throw new UnsupportedOperationException("NFS version 3 cannot watch files");
    }

    /** The export's address. */
    @Override
    public String toString() {
        return exportPath().toString();
    }
}

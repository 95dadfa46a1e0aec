// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.copy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.calls.RemoteAttributes;
import org.emplace.samples.nfs.client.copy.TreeCopy.CopyListener;
import org.emplace.samples.nfs.client.files.FileNames;
import org.emplace.samples.nfs.client.files.NfsFileAttributes;
import org.emplace.samples.nfs.client.files.NfsFileChannel;
import org.emplace.samples.nfs.client.files.NfsPath;
import org.emplace.xdr.XdrString;
import org.jspecify.annotations.Nullable;

/**
 * Copies single files and links. A copy is made beside its target, with mode and times, and takes the place of the target when it is
 * complete. Safe for use by several threads.
 *
 * @param parts the copies that are not complete
 */
record FileCopy(CopyListener listener, PartFiles parts) {
    private static final Set<StandardOpenOption> NEW_FILE =
            EnumSet.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    private static final FileAttribute<?> FOR_OWNER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final int MOST_TRIES = 5;

    /**
     * Copies a regular file. Begins again if somebody replaces the source: there is always a whole file of its name.
     *
     * @param followLinks whether the source may be a link to the file
     * @param directory what must be deleted for the copy; null if there is nothing, or no directory
     */
    void file(
            Path from,
            PosixFileAttributes attributes,
            boolean followLinks,
            Path to,
            @Nullable PosixFileAttributes directory)
            throws IOException, InterruptedException {
        PosixFileAttributes current = attributes;
        for (int tries = 1; ; tries++) {
            try {
                once(from, current, to, directory);
                return;
            } catch (IOException e) {
                if (tries == MOST_TRIES || !(from instanceof NfsPath && NfsException.isStale(e, from))) {
                    throw e;
                }
            }
            current = TreeCopy.attributes(from, followLinks);
            if (!current.isRegularFile()) {
                throw new IOException("Has been replaced by something that is no regular file");
            }
        }
    }

    private void once(Path from, PosixFileAttributes attributes, Path to, @Nullable PosixFileAttributes directory)
            throws IOException, InterruptedException {
        Path part = PartFiles.beside(to);
        try {
            try (FileChannel in = FileChannel.open(from);
                    FileChannel out = parts.create(part, () -> newFile(part))) {
                transfer(in, out);
                if (out instanceof NfsFileChannel remote) {
                    remote.setAttributes(RemoteAttributes.of(attributes));
                } else {
                    apply(attributes, part);
                }
            }
            clear(to, directory);
            rename(part, attributes, to);
        } finally {
            discard(part);
        }
    }

    /**
     * Accepts a file that exists: a CREATE that was sent again, after a restart of the server, finds what the first one created. Nobody
     * else uses this name.
     */
    private static FileChannel newFile(Path part) throws IOException {
        try {
            return FileChannel.open(part, NEW_FILE, FOR_OWNER);
        } catch (FileAlreadyExistsException e) {
            if (part instanceof NfsPath) {
                return FileChannel.open(part, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            }
            throw e;
        }
    }

    /** Accepts a missing source if the target is complete: the RENAME was sent again after it had been done. */
    private void rename(Path part, PosixFileAttributes attributes, Path to) throws IOException {
        try {
            parts.move(part, to);
        } catch (NoSuchFileException e) {
            if (!UpToDate.isCopy(attributes, TreeCopy.attributes(to, false), to)) {
                throw e;
            }
        }
    }

    /** Uses the channel that can have many calls in flight. */
    private void transfer(FileChannel in, FileChannel out) throws IOException {
        if (out instanceof NfsFileChannel) {
            out.transferFrom(new CountedChannel(in, listener), 0, Long.MAX_VALUE);
        } else if (in instanceof NfsFileChannel) {
            in.transferTo(0, Long.MAX_VALUE, new CountedChannel(out, listener));
        } else {
            throw new IOException("Neither the file nor its copy is on a server");
        }
    }

    /** Deletes a directory for a file whose copy is complete. */
    private void clear(Path to, @Nullable PosixFileAttributes directory) throws InterruptedException {
        if (directory != null) {
            try (TreeRemoval removal = new TreeRemoval(listener::failed)) {
                removal.remove(List.of(new TreeRemoval.Target(to, directory)));
            }
        }
    }

    /** Copies a symbolic link itself. */
    void link(Path from, Path to, PosixFileAttributes attributes, @Nullable PosixFileAttributes directory)
            throws IOException, InterruptedException {
        XdrString target = FileNames.targetOf(from);
        Path part = PartFiles.beside(to);
        try {
            parts.create(part, () -> createLink(part, target));
            applyTimes(attributes, part);
            clear(to, directory);
            // Renaming over a directory fails: a link never takes the place of a directory that files go into.
            parts.move(part, to);
        } finally {
            discard(part);
        }
    }

    private static Path createLink(Path link, XdrString target) throws IOException {
        if (link instanceof NfsPath remote) {
            remote.createSymbolicLink(target);
            return link;
        }
        return Files.createSymbolicLink(link, FileNames.target(link, target));
    }

    /**
     * Gives a file the permissions and times of another, without the set-user-ID, set-group-ID and sticky bits: a server must not be able
     * to make a program run as another user.
     */
    static void apply(PosixFileAttributes attributes, Path to) throws IOException {
        if (to instanceof NfsPath remote) {
            remote.setAttributes(RemoteAttributes.of(attributes)); // by one call
        } else {
            Files.setPosixFilePermissions(to, attributes.permissions());
            applyTimes(attributes, to);
        }
    }

    /** Gives a file, or a symbolic link itself, the times of another. */
    private static void applyTimes(PosixFileAttributes attributes, Path to) throws IOException {
        Files.getFileAttributeView(to, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .setTimes(attributes.lastModifiedTime(), attributes.lastAccessTime(), null);
    }

    private void discard(Path part) {
        try {
            parts.discard(part);
        } catch (IOException e) {
            listener.failed(FileNames.text(part), e);
        }
    }

    /** Writes a file's contents to a local device or pipe. */
    void writeInto(Path from, Path to) throws IOException {
        try (FileChannel in = FileChannel.open(from);
                FileChannel out = FileChannel.open(to, StandardOpenOption.WRITE)) {
            transfer(in, out);
        }
    }

    /** Compares a file with its copy, by their sizes and times of modification. */
    static final class UpToDate {
        private UpToDate() {}

        /** Whether a regular file at a path is a copy of another as that is now. */
        static boolean isCopy(PosixFileAttributes file, PosixFileAttributes copy, Path to) throws IOException {
            return file.isRegularFile()
                    && copy.isRegularFile()
                    && copy.size() == file.size()
                    && hasTime(file, copy, to);
        }

        /**
         * Some file systems keep whole seconds only. The time of the copy's last change, which the file system itself has set, shows that. If it has a
         * fraction, two times in the same second are different, even if one of them is a whole second: the file may have changed since.
         */
        private static boolean hasTime(PosixFileAttributes file, PosixFileAttributes copy, Path to) throws IOException {
            Instant time = file.lastModifiedTime().toInstant();
            Instant kept = copy.lastModifiedTime().toInstant();
            return kept.toEpochMilli() == time.toEpochMilli()
                    || (kept.equals(time.truncatedTo(ChronoUnit.SECONDS)) && changedAtWholeSecond(copy, to));
        }

        private static boolean changedAtWholeSecond(PosixFileAttributes copy, Path to) throws IOException {
            if (copy instanceof NfsFileAttributes remote) {
                return isWholeSecond(RemoteAttributes.instant(remote.nfs().ctime()));
            }
            return to.getFileSystem().supportedFileAttributeViews().contains("unix")
                    && isWholeSecond(
                            ((FileTime) Files.getAttribute(to, "unix:ctime", LinkOption.NOFOLLOW_LINKS)).toInstant());
        }

        private static boolean isWholeSecond(Instant time) {
            return time.equals(time.truncatedTo(ChronoUnit.SECONDS));
        }
    }

    /** A channel that reports the bytes that pass through it to a listener. */
    record CountedChannel(FileChannel file, CopyListener listener) implements SeekableByteChannel {

        @Override
        public int read(ByteBuffer into) throws IOException {
            int read = file.read(into);
            listener.moved(Math.max(0, read));
            return read;
        }

        @Override
        public int write(ByteBuffer from) throws IOException {
            int written = file.write(from);
            listener.moved(written);
            return written;
        }

        @Override
        public long position() throws IOException {
            return file.position();
        }

        @Override
        public SeekableByteChannel position(long to) throws IOException {
            file.position(to);
            return this;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public SeekableByteChannel truncate(long size) throws IOException {
            file.truncate(size);
            return this;
        }

        @Override
        public boolean isOpen() {
            return file.isOpen();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}

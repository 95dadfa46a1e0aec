// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;
import java.util.Set;
import org.emplace.samples.nfs.client.calls.RemoteAttributes;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.jspecify.annotations.Nullable;

/**
 * Copies and moves files within an export and between exports, as {@link java.nio.file.Files} specifies and in the order in which the
 * default file system does it.
 */
final class Copying {
    private static final int STEP = 256 * 1024;
    private static final Logger LOG = System.getLogger(Copying.class.getName());

    private final NfsPath source;
    private final NfsPath target;
    private final Options.Copy options;
    private final PathOperations from;
    private final PathOperations to;

    Copying(NfsPath source, NfsPath target, Options.Copy options) {
        this.source = source;
        this.target = target;
        this.options = options;
        this.from = source.getFileSystem().operations();
        this.to = target.getFileSystem().operations();
    }

    void copy() throws IOException {
        if (options.atomic()) {
            throw new UnsupportedOperationException("not supported by a copy: ATOMIC_MOVE");
        }
        NfsFileAttributes attributes = from.attributes(source, options.followLinks());
        if (clearTarget(attributes, true)) {
            copy(attributes, options.attributes());
        }
    }

    void move() throws IOException {
        boolean within = source.getFileSystem().equals(target.getFileSystem());
        if (options.atomic()) {
            if (!within) {
                throw new AtomicMoveNotSupportedException(
                        source.toString(), target.toString(), "the files are in different exports");
            }
            from.rename(source, target);
            return;
        }
        NfsFileAttributes attributes = from.attributes(source, false);
        if (!clearTarget(attributes, !within || attributes.isDirectory())) {
            return;
        }
        if (within && isRenamed()) {
            return;
        }
        if (attributes.isDirectory()) {
            try (DirectoryStream<Path> entries = from.list(source, entry -> true)) {
                if (entries.iterator().hasNext()) {
                    throw new DirectoryNotEmptyException(source.toString());
                }
            }
        }
        copy(attributes, true);
        from.delete(source);
    }

    /** Renames the file. If the server has source and target in different file systems, prepares the target for a copy. */
    private boolean isRenamed() throws IOException {
        try {
            from.rename(source, target);
            return true;
        } catch (AtomicMoveNotSupportedException e) {
            if (targetAttributes() != null) {
                to.delete(target); // which may be replaced, or there would have been no try
            }
            return false;
        }
    }

    /**
     * Makes sure that the target can be created.
     *
     * @param always whether to remove an existing target even if a RENAME could replace it
     * @return false if source and target are the same file, so that nothing is left to do
     */
    private boolean clearTarget(NfsFileAttributes attributes, boolean always) throws IOException {
        @Nullable NfsFileAttributes present = targetAttributes();
        if (present == null) {
            return true;
        }
        boolean mayBeSame = present.fileKey().equals(attributes.fileKey());
        if (mayBeSame && source.getFileSystem().equals(target.getFileSystem())) {
            return false;
        }
        if (!options.replace()) {
            throw new FileAlreadyExistsException(target.toString());
        }
        if (mayBeSame) {
            // Two exports, or two addresses of a server, may show one file. To replace it would destroy the source.
            throw new FileSystemException(
                    source.toString(),
                    target.toString(),
                    "The files may be the same: the server has one identity for both");
        }
        if (always || present.isDirectory()) {
            to.delete(target);
        }
        return true;
    }

    /** Null only if the server says that there is no such file: what a failed call leaves open may exist. */
    private @Nullable NfsFileAttributes targetAttributes() throws IOException {
        try {
            return to.attributes(target, false);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private void copy(NfsFileAttributes attributes, boolean all) throws IOException {
        long mode = Options.masked(attributes.nfs().mode() & 07777);
        if (attributes.isDirectory()) {
            to.createDirectory(target, mode);
        } else if (attributes.isRegularFile()) {
            copyContents(mode);
        } else if (attributes.isSymbolicLink()) {
            to.createSymbolicLink(target, from.readLink(source));
            return;
        } else {
            throw new FileSystemException(
                    source.toString(), target.toString(), "Is a device, socket or pipe: not copied");
        }
        if (all) {
            copyOwner(attributes.nfs());
            to.change(target, false, RemoteAttributes.all(attributes.nfs()));
        }
    }

    /** Sets the owner if the caller may: most callers may not, and then own the copy. */
    private void copyOwner(Fattr3 attributes) {
        try {
            to.change(
                    target,
                    false,
                    RemoteAttributes.owner(OptionalLong.of(attributes.uid()), OptionalLong.of(attributes.gid())));
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the owner is not copied: " + target, e);
        }
    }

    private void copyContents(long mode) throws IOException {
        Options.Open reading = Options.Open.of(Set.of(StandardOpenOption.READ));
        Options.Open writing = Options.Open.of(
                Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, LinkOption.NOFOLLOW_LINKS));
        try (FileChannel in = from.open(source, reading, 0)) {
            FileChannel out = to.open(target, writing, mode);
            try (out) {
                ByteBuffer step = ByteBuffer.allocate(STEP);
                while (in.read(step.clear()) >= 0) {
                    out.write(step.flip());
                }
            } catch (IOException | RuntimeException e) { // closing can fail too: it sends the last writes
                discardTarget(e);
                throw e;
            }
        }
    }

    private void discardTarget(Exception why) {
        try {
            to.delete(target);
        } catch (IOException e) {
            why.addSuppressed(e);
        }
    }
}

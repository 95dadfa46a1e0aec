// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.files;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.calls.RemoteAttributes;
import org.emplace.samples.nfs.client.calls.RemoteFiles.RemoteNode;
import org.emplace.samples.nfs.protocol.Fattr3;
import org.emplace.samples.nfs.protocol.NfsFh3;
import org.emplace.samples.nfs.protocol.Sattr3;

/**
 * Copies and moves files within an export and between exports, as {@link java.nio.file.Files} specifies and in the order in which the
 * default file system does it.
 */
final class Copying {
    private static final int STEP = 256 * 1024;
    private static final int MOST_TRIES = 5;
    private static final Logger LOG = System.getLogger(Copying.class.getName());

    private final NfsPath source;
    private final NfsPath target;
    private final Options.Copy options;
    private final NfsFileSystem from;
    private final NfsFileSystem to;

    Copying(NfsPath source, NfsPath target, Options.Copy options) {
        this.source = source;
        this.target = target;
        this.options = options;
        this.from = source.getFileSystem();
        this.to = target.getFileSystem();
    }

    void copy() throws IOException {
        if (options.atomic()) {
            throw new UnsupportedOperationException("not supported by a copy: ATOMIC_MOVE");
        }
        Optional<NfsFileAttributes> attributes = clearTarget(options.followLinks(), false);
        if (attributes.isPresent()) {
            copy(attributes.get(), options.followLinks(), options.attributes());
        }
    }

    void move() throws IOException {
        boolean within = from.equals(to);
        if (options.atomic()) {
            if (!within) {
                throw new AtomicMoveNotSupportedException(
                        source.toString(), target.toString(), "the files are in different exports");
            }
            from.entries().rename(source, target);
            return;
        }
        Optional<NfsFileAttributes> attributes = clearTarget(false, within);
        if (attributes.isEmpty() || (within && isRenamed())) {
            return;
        }
        if (attributes.get().isDirectory()) {
            try (DirectoryStream<Path> entries = from.operations().list(source, entry -> true)) {
                if (entries.iterator().hasNext()) {
                    throw new DirectoryNotEmptyException(source.toString());
                }
            }
        }
        NfsFh3 found = from.operations().current(source, false).handle();
        from.entries().delete(source, copy(attributes.get(), false, true).orElse(found));
    }

    /** Renames the file. If the server has source and target in different file systems, prepares the target for a copy. */
    private boolean isRenamed() throws IOException {
        try {
            from.entries().rename(source, target);
            return true;
        } catch (AtomicMoveNotSupportedException e) {
            return clearTarget(false, false).isEmpty();
        }
    }

    /**
     * Makes sure that the target can be created. If there is one, looks at the source again, which a listing may have known, and removes
     * only what it has seen: if somebody replaces a file that is both, that is not there any more.
     *
     * @param replaces whether a RENAME follows, which replaces files
     * @return the source's attributes; empty if source and target are the same file, so that nothing is left to do
     */
    private Optional<NfsFileAttributes> clearTarget(boolean followLinks, boolean replaces) throws IOException {
        NfsFileAttributes first = from.operations().attributes(source, followLinks);
        Optional<RemoteNode> there = target();
        if (there.isEmpty()) {
            return Optional.of(first);
        }
        NfsFileAttributes attributes = from.operations().attributes(source, followLinks);
        NfsFileAttributes present = new NfsFileAttributes(there.get().attributes());
        boolean hasKeyOfSource = present.fileKey().equals(attributes.fileKey());
        if (hasKeyOfSource && from.equals(to)) {
            return Optional.empty();
        }
        if (!options.replace()) {
            throw new FileAlreadyExistsException(target.toString());
        }
        if (hasKeyOfSource || (!from.equals(to) && source.maybeSameFile(attributes, target, present))) {
            // Two exports, or two addresses of a server, may show one file. To replace it would destroy the source.
            throw new FileSystemException(
                    source.toString(),
                    target.toString(),
                    "The files may be the same: the server has one number for both");
        }
        if (!replaces || attributes.isDirectory() || present.isDirectory()) {
            to.entries().delete(target, there.get().handle());
        }
        return Optional.of(attributes);
    }

    /** Empty only if the server says that there is no such file: what a failed call leaves open may exist. */
    private Optional<RemoteNode> target() throws IOException {
        try {
            return Optional.of(to.operations().current(target, false));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /**
     * Begins again if somebody replaces the source meanwhile: there is always a whole file of its name.
     *
     * @return the regular file that has been copied
     */
    private Optional<NfsFh3> copy(NfsFileAttributes first, boolean followLinks, boolean all) throws IOException {
        NfsFileAttributes attributes = first;
        for (int tries = 1; attributes.isRegularFile(); tries++) {
            Optional<NfsFh3> copied = copyContents(attributes.nfs(), all, tries < MOST_TRIES);
            if (copied.isPresent()) {
                return copied;
            }
            attributes = from.operations().attributes(source, followLinks);
        }
        copyOther(attributes, all);
        return Optional.empty();
    }

    private void copyOther(NfsFileAttributes attributes, boolean all) throws IOException {
        if (attributes.isDirectory()) {
            to.entries().createDirectory(target, mode(attributes.nfs()));
        } else if (attributes.isSymbolicLink()) {
            to.entries().createSymbolicLink(target, from.operations().readLink(source));
            return;
        } else {
            throw new FileSystemException(
                    source.toString(), target.toString(), "Is a device, socket or pipe: not copied");
        }
        if (all) {
            copyAttributes(attributes.nfs(), wanted -> to.operations().change(target, false, wanted));
        }
    }

    private static long mode(Fattr3 attributes) {
        return Options.masked(attributes.mode() & 07777);
    }

    /** Sets attributes of the copy. */
    @FunctionalInterface
    private interface Setter {
        void set(Sattr3 wanted) throws IOException;
    }

    /** Sets the owner if the caller may: most callers may not, and then own the copy. */
    private void copyAttributes(Fattr3 attributes, Setter copy) throws IOException {
        try {
            copy.set(RemoteAttributes.owner(OptionalLong.of(attributes.uid()), OptionalLong.of(attributes.gid())));
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the owner is not copied: " + target, e);
        }
        copy.set(RemoteAttributes.all(attributes));
    }

    /**
     * Copies by the files' handles: another file that gets a name meanwhile is not touched.
     *
     * @param mayBeginAgain whether to return nothing, and leave no copy, if the source has been replaced
     */
    private Optional<NfsFh3> copyContents(Fattr3 attributes, boolean all, boolean mayBeginAgain) throws IOException {
        Options.Open reading = Options.Open.of(Set.of(StandardOpenOption.READ));
        Options.Open writing = Options.Open.of(
                Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, LinkOption.NOFOLLOW_LINKS));
        try (NfsFileChannel in = FileOpening.open(source, reading, 0)) {
            NfsFileChannel out = FileOpening.open(target, writing, mode(attributes));
            boolean ofSource = true;
            try (out) {
                ByteBuffer step = ByteBuffer.allocate(STEP);
                while (in.read(step.clear()) >= 0) {
                    ofSource = false;
                    out.write(step.flip());
                    ofSource = true;
                }
                ofSource = false;
                if (all) {
                    out.force(true); // a failure is not one of the owner's
                    copyAttributes(attributes, out::setAttributes);
                }
            } catch (IOException | RuntimeException e) { // closing can fail too: it sends the last writes
                discard(out, e);
                if (mayBeginAgain
                        && ofSource
                        && e instanceof IOException failure
                        && NfsException.isStale(failure, source)) {
                    return Optional.empty();
                }
                throw e;
            }
            return Optional.of(in.file().handle());
        }
    }

    private void discard(NfsFileChannel copy, Exception why) {
        try {
            to.entries().delete(target, copy.file().handle());
        } catch (IOException e) {
            why.addSuppressed(e);
        }
    }
}

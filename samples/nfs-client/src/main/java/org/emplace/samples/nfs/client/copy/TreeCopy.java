// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.copy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.emplace.samples.nfs.client.NfsException;
import org.emplace.samples.nfs.client.RemoteName;
import org.emplace.samples.nfs.client.calls.RemoteAttributes;
import org.emplace.samples.nfs.client.files.FileNames;
import org.emplace.samples.nfs.client.files.NfsFileChannel;
import org.emplace.samples.nfs.client.files.NfsPath;
import org.emplace.xdr.XdrString;
import org.jspecify.annotations.Nullable;

/**
 * Copies files and trees to an NFS server, from one, or between servers, with their modes and times. Symbolic links in trees are copied as
 * links. A file appears under its name when it is complete. Nothing is written outside the target directory, whatever a server sends.
 */
public final class TreeCopy implements AutoCloseable {
    private static final Set<StandardOpenOption> NEW_FILE =
            EnumSet.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    private static final FileAttribute<?> FOR_OWNER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final int MOST_TRIES = 5;
    private static final Set<PosixFilePermission> OWNER_MAY_ENTER = PosixFilePermissions.fromString("rwx------");

    private final CopyListener listener;
    private final Set<Option> options;
    private final FileTasks tasks = new FileTasks();
    private final PartFiles parts = new PartFiles();
    private final Deque<FinishedDirectory> directories = new ArrayDeque<>();
    private final List<Entry> extraneous = new ArrayList<>();
    private final List<Obstructed> obstructed = new ArrayList<>();
    private final Set<Object> entered = new HashSet<>(); // directories whose names the listing had spelled differently
    private volatile boolean incomplete;

    /** What to copy, and what else to do. */
    public enum Option {
        /** Copies directories too, and symbolic links as links. Without this option, links are followed. */
        RECURSIVE,
        /** Skips files whose copy already has the same size and time of modification. */
        DIFFERENT_ONLY,
        /**
         * Removes everything from the target directories that the source directories do not have. Removes nothing if something could not be
         * copied: a file may have been renamed in the source, and what is removed be its only copy.
         */
        DELETE_OTHERS
    }

    /** @param listener notified of progress and failures */
    public TreeCopy(CopyListener listener, Set<Option> options) {
        this.listener = listener;
        this.options = Set.copyOf(options);
    }

    /** A file that is copied at the end, because something of another type must be deleted for it. */
    private record Obstructed(Path from, Path to, int depth) {}

    /** A directory that gets its mode and times after everything in it has been copied. */
    private record FinishedDirectory(Path from, PosixFileAttributes attributes, Path to) {}

    /**
     * Copies a file, or a directory with all that is in it. Returns when all has been copied or has failed. Removes last what is extraneous,
     * or what something of another type is to replace.
     *
     * @param to the path of the copy; if it is a symbolic link, the file that the link leads to
     */
    public void copy(Path from, Path to) throws InterruptedException {
        try {
            Path target = throughLink(to);
            copy(from, target, Present.at(target).orElse(null), 0, false);
        } catch (IOException e) {
            failed(from, to, e);
        }
        tasks.finish();
        if (options.contains(Option.DELETE_OTHERS)) {
            delete(to);
        }
        while (!directories.isEmpty()) {
            FinishedDirectory next = directories.remove();
            try {
                apply(next.attributes(), next.to());
            } catch (IOException e) {
                failed(next.from(), next.to(), e);
            }
        }
    }

    /** A link that leads to a file is kept, and the file replaced. */
    private static Path throughLink(Path to) throws IOException {
        if (Present.at(to, LinkOption.NOFOLLOW_LINKS)
                .filter(PosixFileAttributes::isSymbolicLink)
                .isEmpty()) {
            return to;
        }
        PosixFileAttributes target = Present.at(to)
                .orElseThrow(() -> new FileSystemException(
                        to.toString(), null, "Is a symbolic link that leads nowhere; remove it first"));
        return target.isRegularFile() ? to.toRealPath() : to;
    }

    /**
     * @param present what is at the target; null if there is nothing
     * @param clear whether to delete what is there and cannot be replaced, when the copy of a file is ready to take its place
     */
    private void copy(Path from, Path to, @Nullable PosixFileAttributes present, int depth, boolean clear)
            throws InterruptedException {
        try {
            PosixFileAttributes attributes = options.contains(Option.RECURSIVE)
                    ? attributes(from)
                    : Files.readAttributes(from, PosixFileAttributes.class);
            boolean mayBeThere = depth > 0 && options.contains(Option.DIFFERENT_ONLY);
            if (mayBeThere && isThere(from, attributes, to, present)) {
                return;
            }
            @Nullable PosixFileAttributes kept = present == null || mayReplace(attributes, present) ? null : present;
            if (attributes.isOther()) {
                listener.failed(FileNames.text(from), new IOException("Is a device, socket or pipe: not copied"));
            } else if (kept != null && depth > 0 && options.contains(Option.DELETE_OTHERS) && !clear) {
                obstructed.add(new Obstructed(from, to, depth));
            } else if (attributes.isDirectory()) {
                if (kept != null && clear) {
                    delete(List.of(new TreeRemoval.Target(to, kept.fileKey())));
                }
                directory(from, attributes, to, depth, present != null);
            } else if (kept == null || clear) {
                replace(from, attributes, to, kept);
            } else if (attributes.isRegularFile() && depth == 0 && kept.isOther() && !(to instanceof NfsPath)) {
                listener.planned(attributes.size());
                tasks.submit(() -> writeInto(from, to));
            } else {
                throw new FileSystemException(
                        to.toString(),
                        null,
                        kept.isDirectory()
                                ? "Is a directory"
                                : kept.isSymbolicLink()
                                        ? "Is a symbolic link: not replaced"
                                        : "Is a device, socket or pipe: not replaced");
            }
        } catch (IOException e) {
            failed(from, to, e);
        }
    }

    /** Whether something may take the place of what is there: of a regular file, or a link of a link. */
    private static boolean mayReplace(PosixFileAttributes file, PosixFileAttributes present) {
        return present.isRegularFile()
                ? !file.isDirectory()
                : present.isSymbolicLink() ? file.isSymbolicLink() : present.isDirectory() && file.isDirectory();
    }

    /** @param kept what must be deleted for the copy, if it is a directory; everything else is replaced */
    private void replace(Path from, PosixFileAttributes attributes, Path to, @Nullable PosixFileAttributes kept)
            throws IOException, InterruptedException {
        @Nullable PosixFileAttributes directory = kept != null && kept.isDirectory() ? kept : null;
        if (attributes.isSymbolicLink()) {
            link(from, to, attributes, directory);
        } else {
            listener.planned(attributes.size());
            tasks.submit(() -> file(from, attributes, to, directory));
        }
    }

    /** Writes a file's contents to a local device or pipe. */
    private void writeInto(Path from, Path to) {
        try (FileChannel in = FileChannel.open(from);
                FileChannel out = FileChannel.open(to, StandardOpenOption.WRITE)) {
            transfer(in, out);
        } catch (IOException e) {
            failed(from, to, e);
        }
    }

    /** Reports a failure under the name of the file that caused it, unless the copy has been ended: then everything fails. */
    private void failed(Path from, Path to, IOException cause) {
        incomplete = true;
        if (parts.isClosed()) {
            return;
        }
        boolean ofTarget = cause instanceof FileSystemException named
                && named.getFile() != null
                && !named.getFile().equals(from.toString());
        listener.failed(FileNames.text(ofTarget ? to : from), cause);
    }

    private static boolean isThere(
            Path from, PosixFileAttributes attributes, Path to, @Nullable PosixFileAttributes present)
            throws IOException {
        if (present == null) {
            return false;
        }
        if (attributes.isSymbolicLink()) {
            return present.isSymbolicLink() && FileNames.targetOf(from).equals(FileNames.targetOf(to));
        }
        return UpToDate.isCopy(attributes, present, to);
    }

    /** Deletes what a copy is to replace, and then what is extraneous, unless something could not be copied. */
    private void delete(Path to) throws InterruptedException {
        String what = "Nothing";
        for (Obstructed each : List.copyOf(obstructed)) {
            if (!incomplete) {
                what = "Nothing else";
                try {
                    copy(
                            each.from(),
                            each.to(),
                            Present.at(each.to(), LinkOption.NOFOLLOW_LINKS).orElse(null),
                            each.depth(),
                            true);
                } catch (IOException e) {
                    failed(each.from(), each.to(), e);
                }
                tasks.finish();
            }
        }
        // A target that ignores case, or normalizes names, has listed by another name what has been copied since.
        extraneous.removeIf(entry -> entered.contains(entry.identity()));
        if (incomplete && !(obstructed.isEmpty() && extraneous.isEmpty())) {
            failed(to, to, new IOException(what + " is deleted, because not everything could be copied"));
        } else {
            delete(extraneous.stream()
                    .map(entry -> new TreeRemoval.Target(
                            entry.path(), entry.attributes().fileKey()))
                    .toList());
        }
        extraneous.clear();
        obstructed.clear();
    }

    private void delete(Collection<TreeRemoval.Target> files) throws InterruptedException {
        try (TreeRemoval removal = new TreeRemoval(listener::failed)) {
            removal.remove(files);
        }
    }

    /** @param listed whether the listing of the target's directory had it by this name */
    private void directory(Path from, PosixFileAttributes attributes, Path to, int depth, boolean listed)
            throws IOException, InterruptedException {
        if (!options.contains(Option.RECURSIVE)) {
            throw new IOException("Is a directory");
        }
        if (depth > TreeRemoval.DEEPEST) {
            throw new IOException("Directories are nested more than " + TreeRemoval.DEEPEST + " deep");
        }
        if (depth == 0) {
            checkApart(from, to);
        }
        boolean existed = enter(to, attributes.permissions(), depth);
        if (existed && !listed) {
            @Nullable Object identity = attributes(to).fileKey();
            if (identity != null) {
                entered.add(identity);
            }
        }
        Map<XdrString, Entry> present = existed ? entries(to) : new HashMap<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(from)) {
            for (Path entry : entries) {
                XdrString name = FileNames.of(entry.getFileName());
                @Nullable Entry there = present.remove(name);
                if (there == null) {
                    copy(entry, FileNames.in(to, name), null, depth + 1, false);
                } else {
                    copy(entry, there.path(), there.attributes(), depth + 1, false);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        extraneous.addAll(present.values());
        directories.add(new FinishedDirectory(from, attributes, to));
    }

    private void checkApart(Path from, Path to) throws IOException {
        if (Present.isWithin(to, from)) {
            throw new IOException("A directory cannot be copied into itself");
        }
        if (options.contains(Option.DELETE_OTHERS) && Present.isWithin(from, to)) {
            throw new IOException("The source is inside the target, and would be deleted there");
        }
    }

    /** Creates a directory unless it exists. Returns whether it did. Below the top, a symbolic link to a directory does not count. */
    private static boolean enter(Path directory, Set<PosixFilePermission> permissions, int depth) throws IOException {
        Set<PosixFilePermission> first = EnumSet.copyOf(OWNER_MAY_ENTER);
        first.addAll(permissions);
        try {
            Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(first));
            return false;
        } catch (FileAlreadyExistsException e) {
            boolean present = depth == 0
                    ? Present.isDirectory(directory)
                    : Present.isDirectory(directory, LinkOption.NOFOLLOW_LINKS);
            if (!present) {
                String name = RemoteName.printable(FileNames.of(directory.getFileName()));
                throw new IOException("'" + name + "' already exists and is not a directory", e);
            }
            return true;
        }
    }

    /** An entry of a target directory, with the attributes from its listing. Later, when files have been copied, reading them might take a call. */
    private record Entry(Path path, PosixFileAttributes attributes) {
        /** File systems without keys tell no files apart. */
        Object identity() {
            return Objects.requireNonNullElse(attributes.fileKey(), path);
        }
    }

    private static Map<XdrString, Entry> entries(Path directory) throws IOException {
        Map<XdrString, Entry> byName = new HashMap<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                try {
                    byName.put(FileNames.of(entry.getFileName()), new Entry(entry, attributes(entry)));
                } catch (NoSuchFileException e) {
                    // Removed meanwhile.
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return byName;
    }

    private static PosixFileAttributes attributes(Path file) throws IOException {
        return Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    /** Begins again if somebody replaces the source: there is always a whole file of its name. */
    private void file(Path from, PosixFileAttributes attributes, Path to, @Nullable PosixFileAttributes directory)
            throws InterruptedException {
        PosixFileAttributes current = attributes;
        for (int tries = 1; ; tries++) {
            try {
                fileOnce(from, current, to, directory);
                return;
            } catch (IOException e) {
                if (tries == MOST_TRIES || !(from instanceof NfsPath && NfsException.isStale(e, from))) {
                    failed(from, to, e);
                    return;
                }
            }
            try {
                current = options.contains(Option.RECURSIVE)
                        ? attributes(from)
                        : Files.readAttributes(from, PosixFileAttributes.class);
                if (!current.isRegularFile()) {
                    throw new IOException("Has been replaced by something that is no regular file");
                }
            } catch (IOException e) {
                failed(from, to, e);
                return;
            }
        }
    }

    private void fileOnce(Path from, PosixFileAttributes attributes, Path to, @Nullable PosixFileAttributes directory)
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
            if (!UpToDate.isCopy(attributes, attributes(to), to)) {
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
            delete(List.of(new TreeRemoval.Target(to, directory.fileKey())));
        }
    }

    private void link(Path from, Path to, PosixFileAttributes attributes, @Nullable PosixFileAttributes directory)
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
    private static void apply(PosixFileAttributes attributes, Path to) throws IOException {
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

    /** Ends what {@link #copy} has not finished. */
    @Override
    public void close() {
        tasks.close();
        parts.close();
    }

    /** Receives a copy's progress and failures. Called by several threads; must not block for long. */
    public interface CopyListener {

        /** Another file of this size will be copied. */
        void planned(long bytes);

        /** This number of further bytes has been copied. */
        void moved(long bytes);

        /**
         * A file or directory could not be copied. The copy goes on with the others.
         *
         * @param what the name of the file, for a message
         */
        void failed(String what, IOException cause);
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.client.copy;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
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
import org.emplace.samples.nfs.client.RemoteName;
import org.emplace.samples.nfs.client.copy.FileCopy.UpToDate;
import org.emplace.samples.nfs.client.files.FileNames;
import org.emplace.samples.nfs.client.files.NfsPath;
import org.emplace.xdr.XdrString;
import org.jspecify.annotations.Nullable;

/**
 * Copies files and trees to an NFS server, from one, or between servers, with their modes and times. Symbolic links in trees are copied as
 * links. A file appears under its name when it is complete. Nothing is written outside the target directory, whatever a server sends.
 */
public final class TreeCopy implements AutoCloseable {
    private static final Set<PosixFilePermission> OWNER_MAY_ENTER = PosixFilePermissions.fromString("rwx------");

    private final CopyListener listener;
    private final Set<Option> options;
    private final FileCopy single;
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
        this.single = new FileCopy(listener, parts);
    }

    /** Work on one file. */
    @FunctionalInterface
    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    /** Reports a failure under the name of the file that caused it, unless the copy has been ended: then everything fails. */
    private void attempt(Path from, Path to, Work work) throws InterruptedException {
        try {
            work.run();
        } catch (IOException e) {
            failed(from, to, e);
        }
    }

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
        attempt(from, to, () -> {
            Path target = throughLink(to);
            copy(from, target, Present.at(target).orElse(null), 0, false);
        });
        tasks.finish();
        if (options.contains(Option.DELETE_OTHERS)) {
            delete(to);
        }
        while (!directories.isEmpty()) {
            FinishedDirectory next = directories.remove();
            attempt(next.from(), next.to(), () -> FileCopy.apply(next.attributes(), next.to()));
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
            throws IOException, InterruptedException {
        boolean followLinks = !options.contains(Option.RECURSIVE);
        PosixFileAttributes attributes = attributes(from, followLinks);
        boolean mayBeThere = depth > 0 && options.contains(Option.DIFFERENT_ONLY);
        if (mayBeThere && isThere(from, attributes, to, present)) {
            return;
        }
        if (present != null && !attributes.isDirectory() && Present.isSource(from, present, to)) {
            throw new FileSystemException(to.toString(), null, "Is the file that is to be copied");
        }
        @Nullable PosixFileAttributes kept = present == null || mayReplace(attributes, present) ? null : present;
        if (attributes.isOther()) {
            listener.failed(FileNames.text(from), new IOException("Is a device, socket or pipe: not copied"));
        } else if (kept != null && depth > 0 && options.contains(Option.DELETE_OTHERS) && !clear) {
            obstructed.add(new Obstructed(from, to, depth));
        } else if (attributes.isDirectory()) {
            if (kept != null && clear) {
                delete(List.of(new TreeRemoval.Target(to, kept)));
            }
            directory(from, attributes, to, depth, present);
        } else if (kept == null || clear) {
            @Nullable PosixFileAttributes directory = kept != null && kept.isDirectory() ? kept : null;
            if (attributes.isSymbolicLink()) {
                single.link(from, to, attributes, directory);
            } else {
                listener.planned(attributes.size());
                tasks.submit(() -> attempt(from, to, () -> single.file(from, attributes, followLinks, to, directory)));
            }
        } else if (attributes.isRegularFile() && depth == 0 && kept.isOther() && !(to instanceof NfsPath)) {
            listener.planned(attributes.size());
            tasks.submit(() -> attempt(from, to, () -> single.writeInto(from, to)));
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
    }

    /** Whether something may take the place of what is there: of a regular file, or a link of a link. */
    private static boolean mayReplace(PosixFileAttributes file, PosixFileAttributes present) {
        return present.isRegularFile()
                ? !file.isDirectory()
                : present.isSymbolicLink() ? file.isSymbolicLink() : present.isDirectory() && file.isDirectory();
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
                attempt(each.from(), each.to(), () -> {
                    @Nullable
                    PosixFileAttributes present =
                            Present.at(each.to(), LinkOption.NOFOLLOW_LINKS).orElse(null);
                    copy(each.from(), each.to(), present, each.depth(), true);
                });
                tasks.finish();
            }
        }
        // A target that ignores case, or normalizes names, has listed by another name what has been copied since.
        extraneous.removeIf(entry -> entered.contains(entry.identity()));
        if (incomplete && !(obstructed.isEmpty() && extraneous.isEmpty())) {
            failed(to, to, new IOException(what + " is deleted, because not everything could be copied"));
        } else {
            delete(extraneous.stream()
                    .map(entry -> new TreeRemoval.Target(entry.path(), entry.attributes()))
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

    /** @param listed what is at the target; null if the listing of its directory has nothing of this name */
    private void directory(
            Path from, PosixFileAttributes attributes, Path to, int depth, @Nullable PosixFileAttributes listed)
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
        if (existed && listed == null) {
            @Nullable Object identity = attributes(to, false).fileKey();
            if (identity != null) {
                entered.add(identity);
            }
        }
        Map<XdrString, Entry> present = existed ? entries(to, depth, listed) : new HashMap<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(from)) {
            for (Path entry : entries) {
                XdrString name = FileNames.of(entry.getFileName());
                @Nullable Entry there = present.remove(name);
                Path target = there == null ? FileNames.in(to, name) : there.path();
                @Nullable PosixFileAttributes kept = there == null ? null : there.attributes();
                try { // not by attempt: a deep tree needs the stack
                    copy(entry, target, kept, depth + 1, false);
                } catch (IOException e) {
                    failed(entry, target, e);
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

    /** Follows no link that somebody puts in the place of the directory: below the top never, at the top not once this has begun. */
    private static Map<XdrString, Entry> entries(Path directory, int depth, @Nullable PosixFileAttributes listed)
            throws IOException {
        Map<XdrString, Entry> byName = new HashMap<>();
        @Nullable Object top = depth == 0 ? attributes(directory, true).fileKey() : null;
        try (DirectoryStream<Path> entries = depth == 0
                ? Files.newDirectoryStream(directory)
                : Present.entries(directory, listed)
                        .orElseThrow(() -> new IOException("Has been replaced in the meantime"))) {
            for (Path entry : entries) {
                try {
                    byName.put(FileNames.of(entry.getFileName()), new Entry(entry, attributes(entry, false)));
                } catch (NoSuchFileException e) {
                    // Removed meanwhile.
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        if (depth == 0 && !Objects.equals(top, attributes(directory, true).fileKey())) {
            throw new IOException("Has been replaced in the meantime");
        }
        return byName;
    }

    static PosixFileAttributes attributes(Path file, boolean followLinks) throws IOException {
        return followLinks
                ? Files.readAttributes(file, PosixFileAttributes.class)
                : Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
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

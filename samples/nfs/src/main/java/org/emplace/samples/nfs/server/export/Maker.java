// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.export;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Makes files and gives them the attributes they are to have. Until then nobody but the server's user may open them. What cannot be given its
 * attributes is removed again. Its callers hold the namespace alone and have checked rights.
 */
final class Maker {
    private static final int SET_GROUP_ID = 02000;
    private static final int DEFAULT_FILE_MODE = 0644;
    private static final int EXCLUSIVE_FILE_MODE = 0600;
    private static final int DEFAULT_DIRECTORY_MODE = 0755;
    private static final long SECONDS = 0x7fffffffL;

    private final FileTree tree;
    private final Attributes attributes;
    private final OpenFiles openFiles;
    private final Permissions permissions;

    Maker(FileTree tree, Attributes attributes, OpenFiles openFiles, Permissions permissions) {
        this.tree = tree;
        this.attributes = attributes;
        this.openFiles = openFiles;
        this.permissions = permissions;
    }

    Node file(Caller caller, Node directory, Path name, Creation how) throws IOException {
        Path path = directory.path().resolve(name);
        FileChannel channel = FileChannel.open(
                path,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                ownerOnly(path, EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE)));
        Node made;
        try {
            made = tree.child(directory, name);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        openFiles.adopt(made.key(), channel);
        return finished(directory, name, made, () -> {
            if (how instanceof Creation.Exclusive exclusive) {
                attributes.apply(made, owned(caller, directory, AttributeChange.NONE.withMode(EXCLUSIVE_FILE_MODE)));
                Attributes.setTimes(path, highHalf(exclusive.verifier()), lowHalf(exclusive.verifier()));
            } else {
                AttributeChange wanted = how instanceof Creation.Guarded guarded
                        ? guarded.attributes()
                        : ((Creation.Unchecked) how).attributes();
                attributes.apply(
                        made,
                        owned(caller, directory, wanted.withMode(wanted.mode().orElse(DEFAULT_FILE_MODE))));
            }
        });
    }

    /** Whether the file was made by an earlier sending of the call with this verifier. */
    static boolean madeWith(Node file, long verifier) {
        FileAttributes now = file.attributes();
        return now.isRegular()
                && now.accessed().toInstant().getEpochSecond()
                        == highHalf(verifier).toInstant().getEpochSecond()
                && now.modified().toInstant().getEpochSecond()
                        == lowHalf(verifier).toInstant().getEpochSecond();
    }

    private static FileTime highHalf(long verifier) {
        return FileTime.from(Instant.ofEpochSecond((verifier >>> 32) & SECONDS));
    }

    private static FileTime lowHalf(long verifier) {
        return FileTime.from(Instant.ofEpochSecond(verifier & SECONDS));
    }

    Node directory(Caller caller, Node parent, Path name, AttributeChange wanted) throws IOException {
        Path path = parent.path().resolve(name);
        Files.createDirectory(
                path,
                ownerOnly(
                        path,
                        EnumSet.of(
                                PosixFilePermission.OWNER_READ,
                                PosixFilePermission.OWNER_WRITE,
                                PosixFilePermission.OWNER_EXECUTE)));
        Node made = tree.child(parent, name);
        int inherited = made.attributes().mode() & SET_GROUP_ID;
        int mode = wanted.mode().orElse(DEFAULT_DIRECTORY_MODE) | inherited;
        return finished(
                parent,
                name,
                made,
                () -> attributes.apply(
                        made, owned(caller, parent, wanted.withoutSize().withMode(mode))));
    }

    /** The mode of a symbolic link means nothing; Linux has none. */
    Node symbolicLink(Caller caller, Node directory, Path name, Path target, AttributeChange wanted)
            throws IOException {
        Files.createSymbolicLink(directory.path().resolve(name), target);
        Node made = tree.child(directory, name);
        return finished(
                directory, name, made, () -> attributes.apply(made, owned(caller, directory, wanted.withoutSize())));
    }

    private interface Step {
        void run() throws IOException;
    }

    private Node finished(Node directory, Path name, Node made, Step attributesSet) throws IOException {
        try {
            attributesSet.run();
            return tree.child(directory, name);
        } catch (IOException | RuntimeException e) {
            openFiles.forget(made.key());
            tree.removed(made, directory, name);
            Files.deleteIfExists(made.path());
            throw e;
        }
    }

    /** In a directory with the set-group-id bit the operating system has already set the group. */
    private AttributeChange owned(Caller caller, Node directory, AttributeChange wanted) {
        if (!permissions.callersCount()) {
            return wanted;
        }
        boolean groupIsSet = (directory.attributes().mode() & SET_GROUP_ID) != 0;
        Optional<Long> uid = wanted.uid().filter(u -> caller.isSuperuser()).or(() -> Optional.of(caller.uid()));
        Optional<Long> gid = wanted.gid()
                .filter(g -> caller.isSuperuser() || caller.isIn(g))
                .or(() -> groupIsSet ? Optional.empty() : Optional.of(caller.gid()));
        return new AttributeChange(wanted.mode(), uid, gid, wanted.size(), wanted.accessed(), wanted.modified());
    }

    private static FileAttribute<?>[] ownerOnly(Path path, Set<PosixFilePermission> permissions) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }
}

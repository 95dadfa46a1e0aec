// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.emplace.samples.nfs.server.store.AttributeChange;
import org.emplace.samples.nfs.server.store.Caller;
import org.emplace.samples.nfs.server.store.Creation;
import org.emplace.samples.nfs.server.store.FileName;
import org.emplace.samples.nfs.server.store.FileType;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;
import org.emplace.samples.nfs.server.store.posix.SystemCalls.SystemCall;

/**
 * Creates files with the caller's identity, so that the kernel checks rights and sets the owner, and sets their attributes. If that fails,
 * removes the file again. Callers hold the directory's lock.
 */
record FileCreator(
        DirectoryTree tree, Credentials credentials, Umask umask, Contents contents, AttributeSetter setter) {
    private static final int SET_ID_BITS = 06000;
    private static final int SET_GROUP_ID = 02000;
    private static final int MODE_BITS = 07777;
    private static final int ATTEMPTS = 10;

    private long call(Caller caller, SystemCall call) {
        return credentials.call(caller, () -> umask.without(call));
    }

    /** The regular file of a CREATE, and whether it has just been created. */
    record Outcome(FileNode file, boolean made) {}

    /** The new file, or the file that already has the name if the client accepts it. */
    Outcome file(Caller caller, FileNode directory, FileName name, byte[] bytes, Creation how) throws IOException {
        AttributeChange wanted = how.attributes();
        int mode = credentials.allowed(mode(wanted, FileType.REGULAR), false);
        int flags = SystemCalls.READ_WRITE
                | SystemCalls.CREATE
                | SystemCalls.EXCLUSIVE
                | SystemCalls.NO_FOLLOW
                | SystemCalls.NON_BLOCKING;
        int resolve = SystemCalls.RESOLVE_BENEATH | SystemCalls.RESOLVE_NO_SYMLINKS | SystemCalls.RESOLVE_NO_XDEV;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            long opened = call(caller, () -> SystemCalls.open(directory.number(), bytes, flags, mode, resolve));
            if (!Errno.EEXIST.is(opened)) {
                FileNode made = tree.node(Descriptor.of(opened, "creating a file"));
                finished(caller, directory, name, bytes, made, () -> {
                    setter.apply(caller, made, ownedBy(caller, wanted).withoutMode());
                    if (wanted.size().orElse(0L) != 0) {
                        setter.setSize(caller, made, wanted.size().get());
                    }
                    contents.adopt(caller, made);
                });
                return new Outcome(made, true);
            }
            try {
                return new Outcome(existing(tree.lookup(caller, directory, name), how), false);
            } catch (StoreException e) {
                if (e.failure() != Failure.NOENT) {
                    throw e;
                }
                // It has just been removed, so the name is free.
            }
        }
        throw new StoreException(Failure.JUKEBOX, "the name is repeatedly created and removed: " + name);
    }

    private static FileNode existing(FileNode file, Creation how) throws IOException {
        if (how.takes(file.attributes())) {
            return file;
        }
        file.close();
        throw new StoreException(Failure.EXIST, "the name is taken");
    }

    private static int mode(AttributeChange wanted, FileType type) {
        return wanted.mode().orElse(type.defaultMode()) & MODE_BITS;
    }

    /** Creates a directory. The kernel makes it inherit a parent's set-group-ID bit, and removes set-ID bits only afterward. */
    FileNode directory(Caller caller, FileNode parent, FileName name, byte[] bytes, AttributeChange wanted)
            throws IOException {
        int mode = credentials.allowed(mode(wanted, FileType.DIRECTORY), true);
        long result = call(caller, () -> SystemCalls.makeDirectory(parent.number(), bytes, mode & ~SET_ID_BITS));
        FileNode made = made(result, parent, name, FileType.DIRECTORY);
        boolean setIdWanted = (mode & SET_ID_BITS & ~made.attributes().mode()) != 0;
        int inherited = made.attributes().mode() & SET_GROUP_ID;
        AttributeChange owned = ownedBy(caller, wanted).withoutMode();
        return finished(
                caller,
                parent,
                name,
                bytes,
                made,
                () -> setter.apply(caller, made, setIdWanted ? owned.withMode(mode | inherited) : owned));
    }

    FileNode symbolicLink(
            Caller caller, FileNode directory, FileName name, byte[] bytes, byte[] target, AttributeChange wanted)
            throws IOException {
        byte[] held = NameBytes.requireTarget(target);
        long result = call(caller, () -> SystemCalls.makeSymbolicLink(held, directory.number(), bytes));
        FileNode made = made(result, directory, name, FileType.SYMBOLIC_LINK);
        AttributeChange owned = ownedBy(caller, wanted).withoutMode();
        return finished(caller, directory, name, bytes, made, () -> setter.apply(caller, made, owned));
    }

    /** Creates a FIFO, socket or device. */
    FileNode node(
            Caller caller,
            FileNode directory,
            FileName name,
            byte[] bytes,
            FileType type,
            long device,
            AttributeChange wanted)
            throws IOException {
        requireMakeable(type);
        int mode = type.modeBits() | credentials.allowed(mode(wanted, type), false);
        if (type.isDevice() && device >>> 32 != 0) {
            throw new StoreException(Failure.INVAL, "Linux has no device numbers of more than 32 bits");
        }
        long number = type.isDevice() ? device : 0;
        long result = call(caller, () -> SystemCalls.makeNode(directory.number(), bytes, mode, number));
        FileNode made = made(result, directory, name, type);
        AttributeChange owned = ownedBy(caller, wanted).withoutMode();
        return finished(caller, directory, name, bytes, made, () -> setter.apply(caller, made, owned));
    }

    private static void requireMakeable(FileType type) throws StoreException {
        switch (type) {
            case FIFO, SOCKET, BLOCK_DEVICE, CHARACTER_DEVICE -> {}
            default -> throw new StoreException(Failure.BADTYPE, "MKNOD cannot create a " + type);
        }
    }

    /** The file that a call has just created, unless a local program has replaced it. */
    private FileNode made(long result, FileNode directory, FileName name, FileType type) throws IOException {
        Errno.check(result, "creating a file");
        FileNode made = tree.entry(directory, name);
        if (made.attributes().type() != type) {
            made.close();
            throw new StoreException(Failure.JUKEBOX, "another program has replaced the new file");
        }
        return made;
    }

    /** A step that can fail. */
    private interface Step {
        void run() throws IOException;
    }

    private FileNode finished(
            Caller caller, FileNode directory, FileName name, byte[] bytes, FileNode made, Step attributesSet)
            throws IOException {
        try {
            attributesSet.run();
            tree.made(made, directory, name);
            return made;
        } catch (IOException | RuntimeException e) {
            Descriptor.closeAfter(e, made.descriptor());
            contents.forget(made.id());
            boolean isDirectory = made.attributes().isDirectory();
            credentials.call(
                    caller,
                    () -> isDirectory
                            ? SystemCalls.removeDirectory(directory.number(), bytes)
                            : SystemCalls.remove(directory.number(), bytes));
            throw e;
        }
    }

    /** The owner of a new file. It belongs to its creator; only root creates files for others, and the group must be one of the creator's. */
    private AttributeChange ownedBy(Caller caller, AttributeChange wanted) {
        if (!credentials.act() || caller.isSuperuser()) {
            return wanted;
        }
        return new AttributeChange(
                wanted.mode(),
                Optional.empty(),
                wanted.gid().filter(caller::isIn),
                wanted.size(),
                wanted.accessed(),
                wanted.modified());
    }

    /**
     * The process's umask. It must not apply to files that clients create, because clients have applied their own. Changing the mode afterward
     * is no solution: it would undo a directory's default ACL.
     */
    record Umask(boolean zero) {
        private static final String FIELD = "Umask:";

        static Umask ofProcess() throws IOException {
            List<String> status = Files.readAllLines(Path.of("/proc/thread-self/status"));
            boolean zero = status.stream()
                    .filter(line -> line.startsWith(FIELD))
                    .allMatch(line ->
                            Integer.parseInt(line.substring(FIELD.length()).strip(), 8) == 0);
            if (!zero && SystemCalls.separateUmask() < 0) {
                throw new IOException("cannot set the umask of single threads, because unshare is forbidden here;"
                        + " start the server with umask 0");
            }
            return new Umask(zero);
        }

        /** Makes a call without a umask. Changes the umask of this thread only. */
        long without(SystemCall call) {
            if (zero) {
                return call.make();
            }
            long failed = SystemCalls.separateUmask();
            if (failed < 0) {
                return failed;
            }
            int former = SystemCalls.setUmask(0);
            try {
                return call.make();
            } finally {
                SystemCalls.setUmask(former);
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import com.sun.jna.Native;
import com.sun.jna.Platform;
import java.io.IOException;

/**
 * The system calls of the store. Each returns the kernel's result, or a negative error number ({@link Errno}). None throws, so that they can be made
 * while a thread has a caller's identity ({@link Credentials}). Paths and names are bytes that end with a NUL.
 */
final class SystemCalls {
    static final int CURRENT_DIRECTORY = -100;

    static final int READ_ONLY = 0;
    static final int WRITE_ONLY = 1;
    static final int READ_WRITE = 2;
    static final int CREATE = 0100;
    static final int EXCLUSIVE = 0200;
    static final int NON_BLOCKING = 04000;
    static final int CLOSE_ON_EXEC = 02000000;
    static final int PATH_ONLY = 010000000;
    static final int DIRECTORY;
    static final int NO_FOLLOW;

    static final int RESOLVE_NO_XDEV = 1;
    static final int RESOLVE_NO_SYMLINKS = 4;
    static final int RESOLVE_BENEATH = 8;

    static final int ALLOCATE = 0;
    /** Of {@code fallocate}: punches a hole, and keeps the size. */
    static final int FREE = 3;

    static final int DATA = 3;
    static final int HOLE = 4;

    static final int MAY_READ = 4;
    static final int MAY_WRITE = 2;
    static final int MAY_EXECUTE = 1;

    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int AT_EFFECTIVE_ACCESS = 0x200;
    private static final int AT_REMOVE_DIRECTORY = 0x200;
    private static final int AT_SYMLINK_FOLLOW = 0x400;
    private static final int AT_NO_AUTOMOUNT = 0x800;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int CLONE_FS = 0x200;
    private static final int FCNTL_DUPLICATE = 1030;
    private static final int OPENAT2 = 437;
    private static final int FACCESSAT2 = 439;
    private static final int CAPABILITY_VERSION_3 = 0x20080522;

    private static final Architecture CPU;
    private static final byte[] NO_PATH = {0};

    static {
        try {
            CPU = Architecture.ofThisMachine();
        } catch (IOException e) {
            throw new ExceptionInInitializerError(e);
        }
        DIRECTORY = CPU.directory;
        NO_FOLLOW = CPU.noFollow;
    }

    private SystemCalls() {}

    private static long result(long returned) {
        return returned < 0 ? -Native.getLastError() : returned;
    }

    /** Opens a path without restrictions, for paths that the server's administrator names, and for {@code /proc/self/fd}. */
    static long open(byte[] path, int flags) {
        return result(LibC.openat(CURRENT_DIRECTORY, path, flags | CLOSE_ON_EXEC, 0));
    }

    /** Opens an entry of a directory; {@code resolve} restricts how the path is resolved. */
    static long open(int directory, byte[] name, int flags, int mode, int resolve) {
        long[] how = {(flags | CLOSE_ON_EXEC) & 0xffffffffL, mode, resolve};
        return result(LibC.syscall(OPENAT2, directory, name, how, (long) Long.BYTES * how.length));
    }

    /**
     * Opens a path from a directory to locate the file only (O_PATH), without following links, crossing mount points, or leaving the
     * directory.
     */
    static long locate(int directory, byte[] path) {
        return open(directory, path, PATH_ONLY | NO_FOLLOW, 0, RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV);
    }

    /** Opens the parent of a directory, on the same mount. */
    static long locateParent(int directory) {
        return locateAbove(directory, 1);
    }

    /** Opens the directory that is some levels above another, on the same mount. */
    static long locateAbove(int directory, int levels) {
        byte[] path = new byte[3 * levels];
        for (int i = 0; i < path.length; i++) {
            path[i] = (byte) (i % 3 == 2 ? '/' : '.');
        }
        path[path.length - 1] = 0;
        return open(directory, path, PATH_ONLY | DIRECTORY, 0, RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV);
    }

    /** Reads the path of a descriptor's file, as far as it fits. Fails if the path has more than a page. */
    static long path(int descriptor, byte[] path) {
        return result(LibC.readlinkat(CURRENT_DIRECTORY, link(descriptor), path, path.length));
    }

    /** Opens a descriptor's file again. */
    static long reopen(int descriptor, int flags) {
        return open(link(descriptor), flags);
    }

    /** A path that always names the file of a descriptor, for calls that accept only paths. */
    static byte[] link(int descriptor) {
        String path = "/proc/self/fd/" + descriptor + '\0';
        byte[] bytes = new byte[path.length()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) path.charAt(i);
        }
        return bytes;
    }

    static long close(int descriptor) {
        return result(LibC.close(descriptor));
    }

    static long duplicate(int descriptor) {
        return result(LibC.fcntl(descriptor, FCNTL_DUPLICATE, 0));
    }

    /** @param handle a {@code struct file_handle} that states its size */
    static long handle(int descriptor, byte[] handle, int[] mount) {
        return result(LibC.name_to_handle_at(descriptor, NO_PATH, handle, mount, AT_EMPTY_PATH));
    }

    /** As {@link #handle(int, byte[], int[])}, of an entry of a directory. Does not follow links, but enters a mounted file system. */
    static long handle(int directory, byte[] name, byte[] handle, int[] mount) {
        return result(LibC.name_to_handle_at(directory, name, handle, mount, 0));
    }

    static long openByHandle(int mount, byte[] handle, int flags) {
        return result(LibC.open_by_handle_at(mount, handle, flags | CLOSE_ON_EXEC));
    }

    static long status(int descriptor, int mask, byte[] result) {
        return result(LibC.statx(descriptor, NO_PATH, AT_EMPTY_PATH, mask, result));
    }

    /** As {@link #status(int, int, byte[])}, of an entry of a directory. Does not follow links, but enters a mounted file system. */
    static long status(int directory, byte[] name, int mask, byte[] result) {
        return result(LibC.statx(directory, name, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, mask, result));
    }

    static long fileSystemStatus(int descriptor, long[] result) {
        return result(LibC.fstatvfs(descriptor, result));
    }

    static long limit(int descriptor, int which) {
        return LibC.fpathconf(descriptor, which);
    }

    /** Whether this thread has these rights on the file: a sum of MAY_ constants. */
    static long access(int descriptor, int rights) {
        return result(LibC.syscall(FACCESSAT2, descriptor, NO_PATH, rights, AT_EFFECTIVE_ACCESS | AT_EMPTY_PATH));
    }

    static long makeDirectory(int directory, byte[] name, int mode) {
        return result(LibC.mkdirat(directory, name, mode));
    }

    static long makeNode(int directory, byte[] name, int mode, long device) {
        return result(LibC.syscall(CPU.makeNode, directory, name, mode, device));
    }

    static long makeSymbolicLink(byte[] target, int directory, byte[] name) {
        return result(LibC.symlinkat(target, directory, name));
    }

    static long link(int descriptor, int directory, byte[] name) {
        return result(LibC.linkat(CURRENT_DIRECTORY, link(descriptor), directory, name, AT_SYMLINK_FOLLOW));
    }

    static long remove(int directory, byte[] name) {
        return result(LibC.unlinkat(directory, name, 0));
    }

    static long removeDirectory(int directory, byte[] name) {
        return result(LibC.unlinkat(directory, name, AT_REMOVE_DIRECTORY));
    }

    static long rename(int from, byte[] oldName, int to, byte[] newName) {
        return result(LibC.renameat(from, oldName, to, newName));
    }

    static long readLink(int descriptor, byte[] target) {
        return result(LibC.readlinkat(descriptor, NO_PATH, target, target.length));
    }

    static long setMode(int descriptor, int mode) {
        return result(LibC.fchmodat(CURRENT_DIRECTORY, link(descriptor), mode, 0));
    }

    static long setOwner(int descriptor, int uid, int gid) {
        return result(LibC.fchownat(descriptor, NO_PATH, uid, gid, AT_EMPTY_PATH));
    }

    /** @param times two {@code struct timespec} */
    static long setTimes(int descriptor, long[] times) {
        return result(LibC.utimensat(descriptor, NO_PATH, times, AT_EMPTY_PATH));
    }

    static long setSize(int descriptor, long size) {
        return result(LibC.ftruncate(descriptor, size));
    }

    static long write(int descriptor, long address, long count, long offset) {
        return result(LibC.pwrite(descriptor, address, count, offset));
    }

    static long synchronize(int descriptor) {
        return result(LibC.fsync(descriptor));
    }

    static long synchronizeData(int descriptor) {
        return result(LibC.fdatasync(descriptor));
    }

    static long seek(int descriptor, long offset) {
        return seek(descriptor, offset, 0);
    }

    /** @param what {@link #DATA} or {@link #HOLE} */
    static long seek(int descriptor, long offset, int what) {
        return result(LibC.lseek(descriptor, offset, what));
    }

    /** @param how {@link #ALLOCATE} or {@link #FREE} */
    static long allocate(int descriptor, int how, long offset, long length) {
        return result(LibC.fallocate(descriptor, how, offset, length));
    }

    /** @param offsets in the file to read, and in the one to write */
    static long copy(int from, int to, long[] offsets, long count) {
        long[] read = {offsets[0]};
        long[] written = {offsets[1]};
        return result(LibC.syscall(CPU.copyFileRange, from, read, to, written, count, 0));
    }

    static long readDirectory(int descriptor, byte[] entries) {
        return result(LibC.syscall(CPU.getDirectoryEntries, descriptor, entries, entries.length));
    }

    /** Gives this thread its own umask. */
    static long separateUmask() {
        return result(LibC.unshare(CLONE_FS));
    }

    /** Sets the umask of this thread, and of all threads that share it. Returns the previous one. */
    static int setUmask(int mask) {
        return LibC.umask(mask);
    }

    /** Sets this thread's user for file access. Returns the previous one; changes nothing if this is not permitted. */
    static int setFileUser(int uid) {
        return (int) LibC.syscall(CPU.setFsUid, uid);
    }

    /** Like {@link #setFileUser}, but for the group. */
    static int setFileGroup(int gid) {
        return (int) LibC.syscall(CPU.setFsGid, gid);
    }

    /** Sets this thread's supplementary groups. */
    static long setGroups(int[] gids) {
        return result(LibC.syscall(CPU.setGroups, gids.length, gids));
    }

    static long groups(int[] gids) {
        return result(LibC.getgroups(gids.length, gids));
    }

    static int user() {
        return LibC.geteuid();
    }

    static int group() {
        return LibC.getegid();
    }

    /** @param sets effective, permitted and inheritable capabilities up to 31, then from 32 */
    static long capabilities(int[] sets) {
        return result(LibC.syscall(CPU.getCapabilities, new int[] {CAPABILITY_VERSION_3, 0}, sets));
    }

    /** Sets this thread's capabilities. */
    static long setCapabilities(int[] sets) {
        return result(LibC.syscall(CPU.setCapabilities, new int[] {CAPABILITY_VERSION_3, 0}, sets));
    }

    /** Calls methods of {@link SystemCalls} and nothing else that could load a class, wait or throw, because it may run with a caller's identity. */
    @FunctionalInterface
    interface SystemCall {
        /** Returns a result, or a negative error number. */
        long make();
    }

    /** Functions of the C library, by the names they have there. Only {@link SystemCalls} calls them. */
    @SuppressWarnings("MemberName")
    static final class LibC {
        static {
            Native.register(LibC.class, Platform.C_LIBRARY_NAME);
        }

        private LibC() {}

        static native long syscall(long number, long id);

        static native long syscall(long number, long count, int[] values);

        static native long syscall(long number, int[] header, int[] values);

        static native long syscall(long number, long descriptor, byte[] buffer, long size);

        static native long syscall(long number, long descriptor, byte[] path, long first, long second);

        static native long syscall(long number, long descriptor, byte[] path, long[] how, long size);

        static native long syscall(
                long number, long from, long[] fromOffset, long to, long[] toOffset, long count, long flags);

        static native int fallocate(int descriptor, int mode, long offset, long length);

        static native int openat(int directory, byte[] path, int flags, int mode);

        static native int close(int descriptor);

        static native int fcntl(int descriptor, int command, int argument);

        static native int name_to_handle_at(int directory, byte[] path, byte[] handle, int[] mount, int flags);

        static native int open_by_handle_at(int mount, byte[] handle, int flags);

        static native int statx(int directory, byte[] path, int flags, int mask, byte[] result);

        static native int fstatvfs(int descriptor, long[] result);

        static native long fpathconf(int descriptor, int name);

        static native int mkdirat(int directory, byte[] name, int mode);

        static native int symlinkat(byte[] target, int directory, byte[] name);

        static native int linkat(int from, byte[] path, int directory, byte[] name, int flags);

        static native int unlinkat(int directory, byte[] name, int flags);

        static native int renameat(int from, byte[] oldName, int to, byte[] newName);

        static native long readlinkat(int directory, byte[] path, byte[] target, long size);

        static native int fchmodat(int directory, byte[] path, int mode, int flags);

        static native int fchownat(int directory, byte[] path, int uid, int gid, int flags);

        static native int utimensat(int directory, byte[] path, long[] times, int flags);

        static native int ftruncate(int descriptor, long size);

        static native long pwrite(int descriptor, long address, long count, long offset);

        static native int fsync(int descriptor);

        static native int fdatasync(int descriptor);

        static native long lseek(int descriptor, long offset, int from);

        static native int unshare(int flags);

        static native int umask(int mask);

        static native int getgroups(int count, int[] gids);

        static native int geteuid();

        static native int getegid();
    }
}

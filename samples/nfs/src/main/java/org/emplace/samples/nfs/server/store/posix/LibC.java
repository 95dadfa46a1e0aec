// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import com.sun.jna.Native;
import com.sun.jna.Platform;

/** Functions of the C library, by the names they have there. Only {@link SystemCalls} calls them. */
@SuppressWarnings("MemberName")
final class LibC {
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

// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store.posix;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.emplace.samples.nfs.server.store.StoreException;
import org.emplace.samples.nfs.server.store.StoreException.Failure;

/** Linux's error numbers for which the protocol has a status. */
enum Errno {
    EPERM(1, Failure.PERM),
    ENOENT(2, Failure.NOENT),
    EINTR(4, Failure.JUKEBOX),
    EIO(5, Failure.IO),
    ENXIO(6, Failure.NXIO),
    EAGAIN(11, Failure.JUKEBOX),
    ENOMEM(12, Failure.JUKEBOX),
    EACCES(13, Failure.ACCES),
    EBUSY(16, Failure.ACCES),
    EEXIST(17, Failure.EXIST),
    EXDEV(18, Failure.XDEV),
    ENOTDIR(20, Failure.NOTDIR),
    EISDIR(21, Failure.ISDIR),
    EINVAL(22, Failure.INVAL),
    ENFILE(23, Failure.JUKEBOX),
    EMFILE(24, Failure.JUKEBOX),
    ETXTBSY(26, Failure.ACCES),
    EFBIG(27, Failure.FBIG),
    ENOSPC(28, Failure.NOSPC),
    EROFS(30, Failure.ROFS),
    EMLINK(31, Failure.MLINK),
    ENAMETOOLONG(36, Failure.NAMETOOLONG),
    ENOSYS(38, Failure.NOTSUPP),
    ENOTEMPTY(39, Failure.NOTEMPTY),
    ELOOP(40, Failure.INVAL),
    EOVERFLOW(75, Failure.FBIG),
    EOPNOTSUPP(95, Failure.NOTSUPP),
    ESTALE(116, Failure.STALE),
    EDQUOT(122, Failure.DQUOT);

    private static final Map<Integer, Errno> BY_NUMBER =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(e -> e.number, Function.identity()));

    private final int number;
    private final Failure failure;

    Errno(int number, Failure failure) {
        this.number = number;
        this.failure = failure;
    }

    /** Whether a system call returned this error. */
    boolean is(long result) {
        return result == -number;
    }

    /** The value that a system call returns for this error. */
    long result() {
        return -number;
    }

    /**
     * Returns the result of a system call unless it is an error.
     *
     * @param call what the call does, for the log
     */
    static long check(long result, String call) throws IOException {
        if (result < 0) {
            throw exception(result, call);
        }
        return result;
    }

    /** The exception for an error that a system call returned. */
    static IOException exception(long result, String call) {
        Errno known = BY_NUMBER.get((int) -result);
        return known == null
                ? new IOException(call + " failed with error number " + -result)
                : new StoreException(known.failure, call + " failed with " + known);
    }
}

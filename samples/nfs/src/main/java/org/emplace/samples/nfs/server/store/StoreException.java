// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.store;

import java.io.IOException;

/** An operation failed for a reason that has a status in the protocol. */
public final class StoreException extends IOException {
    private static final long serialVersionUID = 1L;

    private final Failure failure;

    /** @param message what is wrong, on one line, for the server's log */
    public StoreException(Failure failure, String message) {
        super(message);
        this.failure = failure;
    }

    /** The protocol's status. */
    public Failure failure() {
        return failure;
    }

    /** Why an operation failed, in the terms and with the numbers of nfsstat3 (RFC 1813 section 2.6). */
    public enum Failure {
        PERM(1),
        NOENT(2),
        IO(5),
        NXIO(6),
        ACCES(13),
        EXIST(17),
        XDEV(18),
        NOTDIR(20),
        ISDIR(21),
        INVAL(22),
        FBIG(27),
        NOSPC(28),
        ROFS(30),
        MLINK(31),
        NAMETOOLONG(63),
        NOTEMPTY(66),
        DQUOT(69),
        STALE(70),
        BADHANDLE(10001),
        NOT_SYNC(10002),
        BAD_COOKIE(10003),
        NOTSUPP(10004),
        TOOSMALL(10005),
        SERVERFAULT(10006),
        BADTYPE(10007),
        /** The client should try again later. */
        JUKEBOX(10008);

        private final int status;

        Failure(int status) {
            this.status = status;
        }

        /** Its number in nfsstat3. */
        public int status() {
            return status;
        }
    }
}

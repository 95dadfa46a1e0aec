// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

/** An operation on the state failed for a reason that has a status in the protocol. */
public class StateException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Status status;

    /** @param message what is wrong, on one line, for the server's log */
    StateException(Status status, String message) {
        super(message);
        this.status = status;
    }

    /** The protocol's status. */
    public Status status() {
        return status;
    }

    /** The statuses of state, with the names and numbers of nfsstat4 (RFC 8881 section 15.1). */
    public enum Status {
        PERM(1),
        NOENT(2),
        INVAL(22),
        NOSPC(28),
        TOOSMALL(10005),
        SERVERFAULT(10006),
        DELAY(10008),
        EXPIRED(10011),
        LOCKED(10012),
        GRACE(10013),
        SHARE_DENIED(10015),
        CLID_INUSE(10017),
        STALE_CLIENTID(10022),
        OLD_STATEID(10024),
        BAD_STATEID(10025),
        NOT_SAME(10027),
        NO_GRACE(10033),
        RECLAIM_CONFLICT(10035),
        LOCKS_HELD(10037),
        OPENMODE(10038),
        BADSESSION(10052),
        BADSLOT(10053),
        COMPLETE_ALREADY(10054),
        CONN_NOT_BOUND_TO_SESSION(10055),
        SEQ_MISORDERED(10063),
        REQ_TOO_BIG(10065),
        TOO_MANY_OPS(10070),
        CLIENTID_BUSY(10074),
        SEQ_FALSE_RETRY(10076),
        BAD_HIGH_SLOT(10077),
        DELEG_REVOKED(10087);

        private final int number;

        Status(int number) {
            this.number = number;
        }

        /** Its number in nfsstat4. */
        public int number() {
            return number;
        }
    }
}

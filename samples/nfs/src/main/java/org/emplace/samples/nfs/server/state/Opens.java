// SPDX-License-Identifier: Apache-2.0
package org.emplace.samples.nfs.server.state;

/**
 * The operations of opens. A file that is removed while it is open stays open until CLOSE, or until the state of its client ends.
 *
 * <p>{@code clientId} is that of the session by which the call came. If the client has been removed since, the operations throw EXPIRED.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class Opens {
    Opens() {}

    /**
     * What an open permits itself, and what it denies others: {@link #NONE}, {@link #READ}, {@link #WRITE} or {@link #BOTH}, which are the
     * protocol's numbers of OPEN4_SHARE_ACCESS and OPEN4_SHARE_DENY.
     */
    public record Share(int access, int deny) {
        public static final int NONE = 0;
        public static final int READ = 1;
        public static final int WRITE = 2;
        public static final int BOTH = 3;
    }

    /**
     * The result of OPEN.
     *
     * @param isNew whether the owner did not have the file open before: a program whose OPEN fails later closes it then
     */
    public record Opened(StateId stateId, boolean isNew) {}

    /**
     * OPEN of a file that exists (RFC 8881 section 18.16). If the owner has it open, its open gets what {@code share} adds.
     *
     * @throws StateException SHARE_DENIED; INVAL if {@code share} is invalid; GRACE before {@link Clients#reclaimComplete}; NOSPC if the client has
     *     too much state; DELAY if all clients together have
     */
    public Opened open(long clientId, Opaque owner, FileKey file, Share share) throws StateException {
        throw new UnsupportedOperationException();
    }

    /**
     * OPEN_DOWNGRADE (RFC 8881 section 18.18).
     *
     * @throws StateException INVAL if no subset of the opens that made the state comes to {@code share}; BAD_STATEID, OLD_STATEID, EXPIRED
     */
    public StateId downgrade(long clientId, FileKey file, StateId stateId, Share share) throws StateException {
        throw new UnsupportedOperationException();
    }

    /**
     * CLOSE (RFC 8881 section 18.2). Releases the locks that were acquired under the open.
     *
     * @return what CLOSE answers
     * @throws StateException BAD_STATEID, OLD_STATEID, EXPIRED
     */
    public StateId close(long clientId, FileKey file, StateId stateId) throws StateException {
        throw new UnsupportedOperationException();
    }

    /**
     * Whether a client may read the file with the stateid of an open or a lock, or a special one. Write access includes reading, because clients
     * read what surrounds the bytes that they write (RFC 8881 section 18.22.3).
     *
     * @throws StateException LOCKED if others deny reading; BAD_STATEID, OLD_STATEID, EXPIRED
     */
    public void checkRead(long clientId, FileKey file, StateId stateId) throws StateException {
        throw new UnsupportedOperationException();
    }

    /**
     * Whether a client may write the file, or set its size, with the stateid of an open or a lock, or a special one.
     *
     * @throws StateException LOCKED if others deny writing; OPENMODE; BAD_STATEID, OLD_STATEID, EXPIRED
     */
    public void checkWrite(long clientId, FileKey file, StateId stateId) throws StateException {
        throw new UnsupportedOperationException();
    }

    /**
     * Whether somebody without an open may read the file, such as a client of version 3.
     *
     * @throws StateException LOCKED if an open denies reading
     */
    public void checkRead(FileKey file) throws StateException {
        throw new UnsupportedOperationException();
    }

    /**
     * Whether somebody without an open may write the file, or set its size.
     *
     * @throws StateException LOCKED if an open denies writing
     */
    public void checkWrite(FileKey file) throws StateException {
        throw new UnsupportedOperationException();
    }

    /** Whether a client has the file open. */
    public boolean isOpen(FileKey file) {
        throw new UnsupportedOperationException();
    }
}
